//! A stream that tells how far it has been read.

use super::ByteStream;
use brickwork_base::{Stage, Task};
use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// A stream that tells how far it has been read.
pub struct Told<'a> {
    inner: Box<dyn ByteStream>,
    task: &'a Task<'a>,
    position: u64,
    length: u64,
}

impl<'a> Told<'a> {
    /// `inner` from its first byte.
    pub fn new(mut inner: Box<dyn ByteStream>, task: &'a Task<'a>) -> io::Result<Self> {
        let length = inner.seek(SeekFrom::End(0))?;
        inner.seek(SeekFrom::Start(0))?;
        Ok(Self { inner, task, position: 0, length })
    }

    fn advance(&mut self, count: u64) {
        self.position += count;
        self.task.report(Stage::Reading, self.position, self.length);
    }
}

impl Read for Told<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.advance(count as u64);
        Ok(count)
    }
}

impl BufRead for Told<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.advance(count as u64);
    }
}

impl Seek for Told<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.inner.seek(to)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use crate::input::{Input, read_picture};
    use brickwork_base::{Progress, Task};
    use std::sync::Mutex;

    #[test]
    fn reading_a_picture_tells_how_far_it_is() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/kodak/kodim23.png");
        let length = std::fs::metadata(path).expect("a picture").len();
        let told = Mutex::new(Vec::new());
        let tell = |told_now: Progress| told.lock().expect("no panic").push((told_now.done, told_now.total));
        read_picture(&Input::File(path.into()), u64::MAX, &Task::new().with_progress(&tell))
            .expect("a picture");
        let told = told.into_inner().expect("no panic");
        assert!(told.iter().all(|&(done, total)| done <= length && total == length), "{told:?}");
        // In steps, up to the last chunk, which says nothing.
        let is_near =
            |tenths: u64| told.iter().any(|&(done, _)| done.abs_diff(length * tenths / 10) < length / 10);
        assert!((0..=10).all(is_near), "{told:?}");
    }
}

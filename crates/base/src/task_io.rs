//! Readers and writers that a task stops.

use crate::{Cancelled, Stage, Task};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};

/// Bytes that are read or written between two reports, and at most between two checks for cancellation.
pub const STEP_BYTES: usize = 1 << 18;

/// Returns a cancellation as an error of a reader or writer.
fn check(task: &Task<'_>) -> io::Result<()> {
    task.check().map_err(io::Error::other)
}

/// Returns [`Cancelled`] if [`TaskReader`] or [`TaskWriter`] returned this error because of a cancellation.
pub fn cancelled(error: &io::Error) -> Option<Cancelled> {
    error.get_ref().and_then(|error| error.downcast_ref::<Cancelled>()).copied()
}

/// A reader that checks a task before each read, and reports its largest position so far.
#[derive(Debug)]
pub struct TaskReader<'a, R> {
    reader: R,
    task: &'a Task<'a>,
    position: u64,
    /// Position of the last report. Reports never go back, although readers do.
    reported: u64,
    length: u64,
}

impl<'a, R: Read + Seek> TaskReader<'a, R> {
    /// Returns a reader at the start of the stream.
    ///
    /// # Errors
    /// Those of the reader, and [`Cancelled`].
    pub fn new(mut reader: R, task: &'a Task<'a>) -> io::Result<Self> {
        check(task)?;
        let length = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(0))?;
        Ok(Self { reader, task, position: 0, reported: 0, length })
    }
}

impl<R> TaskReader<'_, R> {
    fn advance(&mut self, count: usize) {
        self.position += count as u64;
        let news = self.position.saturating_sub(self.reported);
        if news >= STEP_BYTES as u64 || news > 0 && self.position == self.length {
            self.reported = self.position;
            self.task.report(Stage::Reading, self.position, self.length);
        }
    }
}

impl<R: Read> Read for TaskReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        check(self.task)?;
        let step = buffer.len().min(STEP_BYTES);
        let count = self.reader.read(&mut buffer[..step])?;
        self.advance(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for TaskReader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        check(self.task)?;
        let buffer = self.reader.fill_buf()?;
        Ok(&buffer[..buffer.len().min(STEP_BYTES)])
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.advance(count);
    }
}

impl<R: Seek> Seek for TaskReader<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.reader.seek(to)?;
        Ok(self.position)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position)
    }

    /// Leaves the buffer of a `BufReader` as it is, if it contains the position.
    fn seek_relative(&mut self, offset: i64) -> io::Result<()> {
        self.reader.seek_relative(offset)?;
        self.position = self.position.saturating_add_signed(offset);
        Ok(())
    }
}

/// A writer that checks a task before each write, and reports how many of `total` bytes are written.
#[derive(Debug)]
pub struct TaskWriter<'a, W> {
    writer: W,
    task: &'a Task<'a>,
    done: u64,
    /// Bytes at the last report.
    reported: u64,
    total: u64,
}

impl<'a, W: Write> TaskWriter<'a, W> {
    /// Returns a writer of `total` bytes.
    pub fn new(writer: W, total: u64, task: &'a Task<'a>) -> Self {
        Self { writer, task, done: 0, reported: 0, total }
    }
}

impl<W: Write> Write for TaskWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check(self.task)?;
        let count = self.writer.write(&bytes[..bytes.len().min(STEP_BYTES)])?;
        self.done += count as u64;
        let news = self.done - self.reported;
        if news >= STEP_BYTES as u64 || news > 0 && self.done >= self.total {
            self.reported = self.done;
            self.task.report(Stage::Writing, self.done.min(self.total), self.total);
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Cursor, sink},
        sync::atomic::{AtomicUsize, Ordering},
    };

    /// A report for each byte made readers of text 20 to 30 times slower.
    #[test]
    fn small_reads_and_writes_are_reported_rarely() {
        let bytes = vec![7; 5 * STEP_BYTES + 9];
        let reports = AtomicUsize::new(0);
        let count = |_| {
            reports.fetch_add(1, Ordering::Relaxed);
        };
        let task = Task::new().with_progress(&count);
        let mut reader = TaskReader::new(Cursor::new(&bytes), &task).unwrap();
        let mut byte = [0];
        while reader.read(&mut byte).unwrap() > 0 {}
        assert_eq!(reports.swap(0, Ordering::Relaxed), 6);
        reader.seek(SeekFrom::Start(0)).unwrap();
        while !reader.fill_buf().unwrap().is_empty() {
            reader.consume(1);
        }
        assert_eq!(reports.swap(0, Ordering::Relaxed), 0);
        let mut writer = TaskWriter::new(sink(), bytes.len() as u64, &task);
        for byte in &bytes {
            writer.write_all(&[*byte]).unwrap();
        }
        assert_eq!(reports.into_inner(), 6);
    }
}

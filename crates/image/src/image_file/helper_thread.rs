//! Decoding on a second thread, for decoders that cannot be stopped.
//!
//! Once their bytes are read, JPEG and lossy WebP are decoded in one step that cannot be interrupted. The
//! decoder runs on its own thread. Meanwhile, the calling thread reads the bytes that the decoder requests,
//! reports progress, and returns as soon as the task is cancelled. The decoder then fails at its next read,
//! or finishes the step. It keeps its memory until then.

use super::{FileFormat, ImageReadError, tracked_reader::BufReadSeek};
use crate::{Cancelled, Task, Threads};
use std::{
    io::{self, BufRead, Read, Seek, SeekFrom},
    mem,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

/// Bytes that the decoder receives at a time.
const BLOCK_BYTES: u64 = 1 << 18;

/// Time between two checks for cancellation.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// A message of the decoder.
enum Message<T> {
    /// A request for the bytes at this position of the file, in this vector.
    Read(u64, Vec<u8>),
    /// The result.
    Done(Result<T, ImageReadError>),
}

/// True if a call that works on `task` may be cancelled and may use a second thread.
pub(super) fn is_useful(task: &Task<'_>) -> bool {
    task.cancel_token().is_some() && task.threads() == Threads::Pool
}

/// Calls `decode` on a second thread with a reader of the same bytes. If no thread can be started, as on
/// wasm32, the calling thread decodes.
pub(super) fn decode_there<T: Send + 'static>(
    reader: &mut dyn BufReadSeek,
    format: FileFormat,
    task: &Task<'_>,
    decode: impl Fn(&mut dyn BufReadSeek) -> Result<T, ImageReadError> + Clone + Send + 'static,
) -> Result<T, ImageReadError> {
    let length = reader.seek(SeekFrom::End(0))?;
    let (messages, inbox) = channel();
    let (blocks, blocks_inbox) = channel();
    let mut remote =
        RemoteReader { messages, blocks: blocks_inbox, length, start: 0, block: Vec::new(), used: 0 };
    let there = decode.clone();
    let started = thread::Builder::new().name("image decoder".to_owned()).spawn(move || {
        let result = there(&mut remote);
        // After a cancellation, no thread waits for the result.
        let _ = remote.messages.send(Message::Done(result));
    });
    if started.is_err() {
        return decode(reader);
    }
    let mut position = length;
    loop {
        task.check()?;
        match inbox.recv_timeout(CHECK_INTERVAL) {
            Ok(Message::Done(result)) => return result,
            Ok(Message::Read(start, block)) => {
                let block = read_block(reader, &mut position, start, block);
                // The decoder waits for the block.
                let _ = blocks.send(block);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(ImageReadError::Panicked { format }),
        }
    }
}

/// Reads the block at `start`. `position` is the reader's position.
fn read_block(
    reader: &mut dyn BufReadSeek,
    position: &mut u64,
    start: u64,
    mut block: Vec<u8>,
) -> io::Result<Vec<u8>> {
    block.clear();
    // A seek would empty the buffer of a file's reader.
    if *position != start {
        *position = reader.seek(SeekFrom::Start(start))?;
    }
    *position += reader.take(BLOCK_BYTES).read_to_end(&mut block)? as u64;
    Ok(block)
}

/// A reader that lets the calling thread read the bytes.
struct RemoteReader<T> {
    messages: Sender<Message<T>>,
    blocks: Receiver<io::Result<Vec<u8>>>,
    /// Length of the file in bytes.
    length: u64,
    /// Position of the block in the file.
    start: u64,
    block: Vec<u8>,
    /// Number of consumed bytes of the block.
    used: usize,
}

impl<T> Read for RemoteReader<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<T> BufRead for RemoteReader<T> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.block.len() {
            self.start += self.used as u64;
            self.used = 0;
            // The calling thread stops answering once the task is cancelled.
            let gone = || io::Error::other(Cancelled);
            let block = mem::take(&mut self.block);
            self.messages.send(Message::Read(self.start, block)).map_err(|_| gone())?;
            self.block = self.blocks.recv().map_err(|_| gone())??;
        }
        Ok(&self.block[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used += count;
    }
}

impl<T> Seek for RemoteReader<T> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => (self.start + self.used as u64).checked_add_signed(offset),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
        };
        let target = target.ok_or(io::ErrorKind::InvalidInput)?;
        match target.checked_sub(self.start) {
            Some(used) if used <= self.block.len() as u64 => self.used = used as usize,
            _ => {
                self.block.clear();
                (self.start, self.used) = (target, 0);
            }
        }
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelToken;
    use std::{io::Cursor, time::Instant};

    const FORMAT: FileFormat = FileFormat::Jpeg;

    #[test]
    fn bytes_arrive_in_any_order() {
        let bytes: Vec<u8> = (0..3 * BLOCK_BYTES + 7).map(|i| (i * i / 251) as u8).collect();
        let expected = bytes.clone();
        let token = CancelToken::new();
        let task = Task::new().with_cancel(&token);
        let read = |reader: &mut dyn BufReadSeek| {
            let mut all = Vec::new();
            reader.read_to_end(&mut all)?;
            for (position, count) in [(5, 3), (BLOCK_BYTES - 1, 4), (0, 9), (3 * BLOCK_BYTES, 7)] {
                reader.seek(SeekFrom::Start(position))?;
                let mut part = vec![0; count];
                reader.read_exact(&mut part)?;
                all.extend(part);
            }
            reader.seek(SeekFrom::End(-2))?;
            reader.seek(SeekFrom::Current(1))?;
            reader.read_to_end(&mut all)?;
            assert_eq!(reader.seek(SeekFrom::End(9))?, 3 * BLOCK_BYTES + 16);
            assert_eq!(reader.read(&mut [0])?, 0);
            Ok(all)
        };
        let all = decode_there(&mut Cursor::new(bytes), FORMAT, &task, read).unwrap();
        let mut whole = expected.clone();
        for (position, count) in [(5, 3), (BLOCK_BYTES - 1, 4), (0, 9), (3 * BLOCK_BYTES, 7)] {
            whole.extend_from_slice(&expected[position as usize..][..count]);
        }
        whole.push(expected[expected.len() - 1]);
        assert!(all == whole);
    }

    #[test]
    fn the_caller_does_not_wait_for_the_decoder() {
        let token = CancelToken::new();
        let task = Task::new().with_cancel(&token);
        let canceller = token.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            canceller.cancel();
        });
        let start = Instant::now();
        let result = decode_there(&mut Cursor::new([]), FORMAT, &task, |_| {
            thread::sleep(Duration::from_secs(20));
            Ok(())
        });
        assert!(matches!(result, Err(ImageReadError::Cancelled(_))), "{result:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}

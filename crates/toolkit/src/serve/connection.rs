//! Bytes of requests and responses on a connection, with a deadline for each.
//!
//! A time-out of a socket limits one call, so a client that sends a byte now and then would never reach it.
//! Here it is the time that remains until the deadline of a whole head, or of 64 KiB of a response.

use super::{
    request::{MAX_HEAD_BYTES, head_length, is_token},
    response::{Body, Refusal, Response},
};
use std::{
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

/// Number of bytes of a response that share a deadline.
const CHUNK_BYTES: usize = 64 << 10;

/// Largest number of bytes that are discarded before a connection is closed.
const MAX_DISCARDED_BYTES: usize = 1 << 20;

/// A connection from the side of the server.
#[derive(Debug)]
pub(super) struct Connection<'a> {
    stream: &'a TcpStream,
    timeout: Duration,
    /// Bytes after the last head.
    buffer: Vec<u8>,
}

/// Outcome of waiting for a request.
#[derive(Debug)]
pub(super) enum Next {
    /// Head of a request, with its empty line.
    Head(Vec<u8>),
    /// The client sent no head of a request, or not in time.
    Refused(Refusal),
    /// The client has closed the connection, or sent nothing at all.
    Closed,
}

impl<'a> Connection<'a> {
    /// Returns a connection with a time-out for each head, and for each 64 KiB of a response.
    pub fn new(stream: &'a TcpStream, timeout: Duration) -> Self {
        Self { stream, timeout, buffer: Vec::new() }
    }

    /// Reads the next head. Its first byte must arrive within `patience`, and all of it within the time-out
    /// after that.
    pub fn next_head(&mut self, patience: Duration) -> Next {
        let mut has_begun = !self.buffer.is_empty();
        let mut deadline = Instant::now() + if has_begun { self.timeout } else { patience };
        let mut searched = 0;
        loop {
            // Empty lines before a request are ignored (RFC 9112, 2.2).
            while self.buffer.starts_with(b"\r\n") {
                self.buffer.drain(..2);
                searched = 0;
            }
            // A browser that was given `https:` starts with another byte, and must not wait for the time-out.
            if self.buffer.first().is_some_and(|&first| first != b'\r' && !is_token(first)) {
                return Next::Refused(Refusal::bad("expected a request of HTTP/1.1"));
            }
            if let Some(length) = head_length(&self.buffer, searched) {
                let rest = self.buffer.split_off(length);
                return Next::Head(std::mem::replace(&mut self.buffer, rest));
            }
            searched = self.buffer.len().saturating_sub(2);
            let space = MAX_HEAD_BYTES - self.buffer.len();
            if space == 0 {
                let is_line = !self.buffer.contains(&b'\n');
                let (status, reason) = if is_line {
                    (414, "the URL is too long")
                } else {
                    (431, "the fields of the request are too long")
                };
                return Next::Refused(Refusal { status, reason });
            }
            let mut bytes = [0; 4096];
            match self.read(&mut bytes[..space.min(4096)], deadline) {
                Ok(0) => return Next::Closed,
                Ok(count) => {
                    self.buffer.extend_from_slice(&bytes[..count]);
                    if !has_begun {
                        has_begun = true;
                        deadline = Instant::now() + self.timeout;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::TimedOut && has_begun => {
                    let reason = "the request did not arrive in time";
                    return Next::Refused(Refusal { status: 408, reason });
                }
                Err(_) => return Next::Closed,
            }
        }
    }

    /// Sends a response, without its body if `is_head`. `is_kept` is false if the connection is then closed.
    ///
    /// # Errors
    /// [`io::Error`] if the client does not accept it in time, or the file has become shorter.
    pub fn send(&mut self, response: Response, is_head: bool, is_kept: bool) -> io::Result<()> {
        let mut bytes = response.head(is_kept).into_bytes();
        match response.body {
            Body::Bytes(body) if !is_head => {
                bytes.extend(body);
                bytes.chunks(CHUNK_BYTES).try_for_each(|chunk| self.write(chunk))
            }
            Body::File { mut file, start, length } if !is_head => {
                self.write(&bytes)?;
                file.seek(SeekFrom::Start(start))?;
                let mut left = length;
                bytes.resize(CHUNK_BYTES, 0);
                while left > 0 {
                    let chunk = &mut bytes[..left.min(CHUNK_BYTES as u64) as usize];
                    file.read_exact(chunk)?;
                    left -= chunk.len() as u64;
                    self.write(chunk)?;
                }
                Ok(())
            }
            Body::None | Body::Bytes(_) | Body::File { .. } => self.write(&bytes),
        }
    }

    /// Ends the connection after the last response. Bytes that the client still sends are discarded for a
    /// moment: if they were left, the system would reset the connection, and the response could be lost.
    pub fn finish(&mut self) {
        let deadline = Instant::now() + self.timeout.min(Duration::from_secs(1));
        let mut bytes = [0; 4096];
        let mut discarded = 0;
        if self.stream.shutdown(Shutdown::Write).is_err() {
            return;
        }
        while discarded < MAX_DISCARDED_BYTES
            && let Ok(count @ 1..) = self.read(&mut bytes, deadline)
        {
            discarded += count;
        }
    }

    /// Reads some bytes; 0 at the end.
    fn read(&self, bytes: &mut [u8], deadline: Instant) -> io::Result<usize> {
        let mut stream = self.stream;
        until(deadline, |left| {
            stream.set_read_timeout(Some(left))?;
            stream.read(bytes)
        })
    }

    /// Writes at most [`CHUNK_BYTES`] within the time-out.
    fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        let deadline = Instant::now() + self.timeout;
        let mut stream = self.stream;
        while !bytes.is_empty() {
            let count = until(deadline, |left| {
                stream.set_write_timeout(Some(left))?;
                stream.write(bytes)
            })?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = &bytes[count..];
        }
        Ok(())
    }
}

/// Repeats a call with the time that is left, until it succeeds, fails or the deadline has passed.
fn until(deadline: Instant, mut call: impl FnMut(Duration) -> io::Result<usize>) -> io::Result<usize> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match call(left) {
            // Unix and Windows report a time-out in different ways.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
                ) => {}
            result => return result,
        }
    }
}

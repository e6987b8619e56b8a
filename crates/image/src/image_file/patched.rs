//! A file with replaced bytes, which makes the decoder accept files that it does not support.

use super::tracked_reader::TrackedReader;
use std::{
    io::{self, Cursor, Read, Seek, SeekFrom},
    ops::Range,
};

/// Position and bytes of a field.
pub type Patch = (u64, Vec<u8>);

/// A file with other values in some fields, with reversed bits in some ranges, and with bytes after its end.
#[derive(Debug)]
pub struct Patched<'a> {
    source: TrackedReader<'a>,
    /// Bytes that follow those of the file.
    end: Cursor<Vec<u8>>,
    fields: Vec<Patch>,
    /// Ranges of bytes whose bits are reversed, in ascending order.
    reversed: Vec<Range<u64>>,
}

impl<'a> Patched<'a> {
    /// Returns the file with `fields` in place of its own bytes.
    pub fn new(source: TrackedReader<'a>, fields: Vec<Patch>) -> Self {
        Self { source, end: Cursor::default(), fields, reversed: Vec::new() }
    }

    /// Adds bytes after the end of the file.
    pub fn with_end(self, end: Vec<u8>) -> Self {
        Self { end: Cursor::new(end), ..self }
    }

    /// Reverses the bits of all bytes in `ranges` from now on.
    pub fn reverse_bits(&mut self, mut ranges: Vec<Range<u64>>) {
        ranges.sort_unstable_by_key(|range| range.start);
        self.reversed = ranges;
    }
}

impl Read for Patched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = self.source.position();
        let count = self.source.read(buffer)?;
        if count == 0 {
            return self.end.read(buffer);
        }
        let end = start + count as u64;
        for (at, bytes) in &self.fields {
            for (position, byte) in (*at..).zip(bytes) {
                if (start..end).contains(&position) {
                    buffer[(position - start) as usize] = *byte;
                }
            }
        }
        let first = self.reversed.partition_point(|range| range.end <= start);
        for range in self.reversed[first..].iter().take_while(|range| range.start < end) {
            let [from, to] = [range.start.max(start), range.end.min(end)].map(|at| (at - start) as usize);
            if from < to {
                buffer[from..to].iter_mut().for_each(|byte| *byte = byte.reverse_bits());
            }
        }
        Ok(count)
    }
}

impl Seek for Patched<'_> {
    /// Moves within the file, not within the bytes after its end.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.end.set_position(0);
        self.source.seek(to)
    }
}

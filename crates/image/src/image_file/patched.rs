//! A file with replaced bytes, which makes the decoder accept files that it does not support.

use super::tracked_reader::TrackedReader;
use std::{
    cell::RefCell,
    io::{self, Cursor, Read, Seek, SeekFrom},
    ops::Range,
    rc::Rc,
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
    reversal: Reversal,
}

/// Ranges of bytes of a [`Patched`] whose bits are reversed. They may be set while a decoder has the file.
#[derive(Clone, Debug, Default)]
pub struct Reversal {
    /// In ascending order.
    ranges: Rc<RefCell<Vec<Range<u64>>>>,
}

impl Reversal {
    /// Reverses the bits of all bytes in `ranges` from now on.
    pub fn set(&self, mut ranges: Vec<Range<u64>>) {
        ranges.sort_unstable_by_key(|range| range.start);
        self.ranges.replace(ranges);
    }
}

impl<'a> Patched<'a> {
    /// Returns the file with the bytes of `fields` at their positions.
    pub fn new(source: TrackedReader<'a>, fields: Vec<Patch>) -> Self {
        Self { source, end: Cursor::default(), fields, reversal: Reversal::default() }
    }

    /// Adds bytes after the end of the file.
    pub fn with_end(self, end: Vec<u8>) -> Self {
        Self { end: Cursor::new(end), ..self }
    }

    /// Returns the ranges of bytes whose bits are reversed; none at first.
    pub fn reversal(&self) -> Reversal {
        self.reversal.clone()
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
        let reversed = self.reversal.ranges.borrow();
        let first = reversed.partition_point(|range| range.end <= start);
        for range in reversed[first..].iter().take_while(|range| range.start < end) {
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

//! From a record to a brick's values.

use super::{
    open_chunk::OpenChunk,
    record_head::{Minimum, RecordHead},
};
use crate::{
    brick::{
        self, BrickBox,
        narrow::{self, FourBricks},
        packed,
    },
    file::layout::{Position, corner_after},
};
use std::hint::black_box;

impl OpenChunk {
    /// Returns the place of a brick's record; `None` if it is in another part.
    #[inline]
    const fn slot(&self, number: usize) -> usize {
        number * self.apart as usize
    }

    /// Returns a brick's head, and the start of its record. (A chunk without records has no brick.)
    #[inline(always)]
    fn head(&self, number: usize) -> (RecordHead, usize) {
        let decode = |start| RecordHead::decode(&self.records, start).unwrap_or(RecordHead::Absent);
        let start = self.slot(number);
        match decode(start) {
            RecordHead::Elsewhere { start } => (decode(start as usize), start as usize),
            head => (head, start),
        }
    }

    /// Works like [`narrow_brick`](Self::narrow_brick) for a whole brick of 4³ with a narrow range or range
    /// 0, a record that is not stored elsewhere, and ordinals without gaps. Returns the minimum as an
    /// ordinal.
    #[inline]
    pub fn quick_brick(&self, number: usize, values: &mut [u16; 64]) -> Option<u32> {
        let start = self.slot(number);
        // A record may be in two lines of the cache; both are waited for at once.
        black_box(self.records.get(start + self.apart as usize).copied());
        match RecordHead::decode(&self.records, start)? {
            RecordHead::Packed { minimum: Minimum::Ordinal(min), range } => {
                self.unpack(start, range, values)?;
                Some(min)
            }
            RecordHead::Narrow { minimum: Minimum::Ordinal(min), range, length } => {
                self.narrow(start, range, length, values)?;
                Some(min)
            }
            _ => None,
        }
    }

    /// Decodes a brick into `values`, and returns its minimum, which the caller must add to them. The brick
    /// is in the column, row and layer `place` of the volume's bricks. Its number in the chunk is `number`, x
    /// fastest; `part` of it is in the volume. Returns `None` if its bytes break the format's rules.
    #[inline]
    pub fn brick(
        &self,
        place: Position,
        number: usize,
        part: BrickBox,
        values: &mut [u32],
    ) -> Option<Minimum> {
        if let Some(chunk) = &self.raw {
            let corner = corner_after((0, 0, 0), part.size.dims(), place);
            let (min, range) = chunk.plain_brick(corner, part, values);
            return Some(Minimum::Rank { min, range });
        }
        let (head, start) = self.head(number);
        let (minimum, range, length) = match head {
            RecordHead::Packed { minimum, range: 0 } => {
                values.fill(0);
                return Some(minimum);
            }
            RecordHead::Packed { minimum, range } => {
                let mut narrow = [0; 64];
                self.unpack(start, range, &mut narrow)?;
                for (value, narrow) in values.iter_mut().zip(narrow) {
                    *value = narrow.into();
                }
                return Some(minimum);
            }
            RecordHead::Narrow { minimum, range, length } => (minimum, range, length),
            RecordHead::Wide { min, range, length } => (Minimum::Rank { min, range }, range, length),
            RecordHead::Absent | RecordHead::Elsewhere { .. } => return None,
        };
        let start = start + head.byte_count();
        let end = brick::decode::brick(&self.records, start, range, part, values)?;
        (end - start == usize::from(length)).then_some(minimum)
    }

    /// Works like [`brick`](Self::brick) for a whole brick of 4³ that [is narrow](Self::is_narrow).
    #[inline]
    pub fn narrow_brick(&self, number: usize, values: &mut [u16; 64]) -> Option<Minimum> {
        let (head, start) = self.head(number);
        match head {
            RecordHead::Packed { minimum, range } => {
                self.unpack(start, range, values)?;
                Some(minimum)
            }
            RecordHead::Narrow { minimum, range, length } => {
                self.narrow(start, range, length, values)?;
                Some(minimum)
            }
            _ => None,
        }
    }

    /// Decodes the packed record at `start`.
    #[inline]
    fn unpack(&self, start: usize, range: u32, values: &mut [u16; 64]) -> Option<()> {
        packed::unpack(self.records.get(start..)?.first_chunk()?, range, values);
        Some(())
    }

    /// Decodes the narrow record at `start`.
    #[inline]
    fn narrow(&self, start: usize, range: u32, length: u16, values: &mut [u16; 64]) -> Option<()> {
        let start = start + RecordHead::BYTES;
        let end = narrow::brick(&self.records, start, range, values)?;
        (end - start == usize::from(length)).then_some(())
    }

    /// Reads two lines of the memory of a brick's record, so that they are near when it is decoded.
    #[inline]
    pub fn touch(&self, number: usize) {
        let start = self.slot(number);
        let byte = |at: usize| self.records.get(at).copied();
        black_box((byte(start), byte(start + 63)));
    }

    /// True if [`four_bricks`](Self::four_bricks) decodes a brick of 4³ that is whole.
    #[inline]
    pub fn is_narrow(&self, number: usize) -> bool {
        matches!(self.head(number).0, RecordHead::Narrow { .. })
    }

    /// Decodes four whole bricks of 4³ that [are narrow](Self::is_narrow), from one chunk or several, as
    /// [`brick`](Self::brick) does one, and returns their minima.
    #[inline]
    pub fn four_bricks(bricks: [(&Self, usize); 4], values: &mut [[u16; 64]; 4]) -> Option<[Minimum; 4]> {
        let mut minima = [Minimum::Ordinal(0); 4];
        let bytes = bricks.map(|(chunk, _)| &*chunk.records);
        let (mut starts, mut ends, mut ranges) = ([0; 4], [0; 4], [0; 4]);
        for (i, (chunk, number)) in bricks.into_iter().enumerate() {
            let (RecordHead::Narrow { minimum, range, length }, start) = chunk.head(number) else {
                return None;
            };
            (minima[i], ranges[i]) = (minimum, range);
            starts[i] = start + RecordHead::BYTES;
            ends[i] = starts[i] + usize::from(length);
        }
        FourBricks { bytes, starts, ends, ranges, values }.decode()?;
        Some(minima)
    }
}

//! 64 bricks with their minima, ranges and places in fixed widths.
//!
//! A superblock is one word, the smallest of its bricks' minima; a *field* per brick in the volume, x
//! fastest; and the bricks' bytes from the next whole byte on. A field is the brick's minimum minus the
//! superblock's, its range, and its start in bytes after the fields. The *record* has the number of bits of
//! each of these. A superblock of one value has only a record.

use crate::{
    Dims,
    bits::{BitWriter, get, width},
    superblock::BRICKS,
};

/// Position of a superblock, and packing of its fields: two words, in the layout of GPUs.
///
/// In a superblock of one value, `base` is the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Record {
    /// The first word in its page.
    pub base: u32,
    /// Fields from the lowest bit on: bits of a minimum, of a range, of a start, 6 each; the page,
    /// [`Record::PAGE_BITS`]; and [`Record::CONSTANT`].
    pub info: u32,
}

impl Record {
    /// Bits of a page's number.
    pub const PAGE_BITS: u32 = 13;

    /// Marks a superblock of one value.
    pub const CONSTANT: u32 = 1 << 31;

    /// The position in `info` of the page's number.
    pub const PAGE_SHIFT: u32 = 18;

    /// Most pages.
    pub const MAX_PAGES: usize = 1 << Self::PAGE_BITS;

    pub const fn constant(value: u32) -> Self {
        Self { base: value, info: Self::CONSTANT }
    }

    pub const fn is_constant(self) -> bool {
        self.info & Self::CONSTANT != 0
    }

    /// Returns the number of bits of a minimum, of a range, of a start.
    pub const fn widths(self) -> [u32; 3] {
        [self.info & 63, self.info >> 6 & 63, self.info >> 12 & 63]
    }

    pub const fn page(self) -> usize {
        (self.info >> Self::PAGE_SHIFT) as usize & (Self::MAX_PAGES - 1)
    }

    /// Returns the same superblock, moved by `words` words, in page `page`.
    #[cfg(feature = "kernel-inputs")]
    pub const fn moved(self, page: usize, words: u32) -> Self {
        let widths = self.info & ((1 << Self::PAGE_SHIFT) - 1);
        Self { base: self.base + words, info: widths | (page as u32) << Self::PAGE_SHIFT }
    }

    /// Returns the field of a brick: its minimum, its range, and its first byte in the page. `page` has the
    /// bytes of the page, `bricks` is the number of bricks along each axis, `i` is the number of the brick.
    pub fn field(self, page: &[u8], bricks: Dims, i: usize) -> Option<(u32, u32, usize)> {
        if self.is_constant() {
            return Some((self.base, 0, 0));
        }
        let start = self.base as usize * 4;
        let least = page.get(start..start + 4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
        let [minimum, range, place] = self.widths();
        let each = u64::from(minimum + range + place);
        let at = 8 * (start as u64 + 4) + i as u64 * each;
        let fields = (each * (bricks.x * bricks.y * bricks.z) as u64).div_ceil(8) as usize;
        Some((
            least.wrapping_add(get(page, at, minimum)),
            get(page, at + u64::from(minimum), range),
            start + 4 + fields + get(page, at + u64::from(minimum + range), place) as usize,
        ))
    }
}

/// A superblock that is laid out, except for its place.
pub(crate) enum PackedSuperblock {
    Constant(u32),
    /// [`Record::widths`], and the superblock's bytes, whole words.
    Bricks {
        widths: u32,
        bytes: Vec<u8>,
    },
}

impl PackedSuperblock {
    /// Lays out the bricks of a superblock with these numbers of bricks along each axis. `minima`, `ranges`
    /// and `bricks` are those of all 64, x fastest; a brick of range 0 has no bytes.
    pub fn new(
        minima: &[u32; BRICKS],
        ranges: &[u32; BRICKS],
        bricks: &[&[u8]; BRICKS],
        inside: Dims,
    ) -> Self {
        let there = || (0..BRICKS).filter(|&i| inside.contains(Dims::cube(4).position(i)));
        let least = there().map(|i| minima[i]).min().unwrap_or(0);
        if there().all(|i| ranges[i] == 0 && minima[i] == least) {
            return Self::Constant(least);
        }
        let byte_count = bricks.iter().map(|brick| brick.len()).sum::<usize>();
        let (mut places, mut bytes) = ([0u32; BRICKS], Vec::with_capacity(byte_count));
        // Short bricks come again and again: a file's patterns.
        let mut known = Known::default();
        for i in there().filter(|&i| ranges[i] > 0) {
            places[i] = match known.equal(bricks, i) {
                Some(j) => places[j],
                None => {
                    bytes.extend_from_slice(bricks[i]);
                    (bytes.len() - bricks[i].len()) as u32
                }
            };
        }
        let widest = |fields: &dyn Fn(usize) -> u32| there().map(|i| width(fields(i))).max().unwrap_or(0);
        let minimum_bits = widest(&|i| minima[i] - least);
        let (range_bits, place_bits) = (widest(&|i| ranges[i]), widest(&|i| places[i]));
        let field_bits = (minimum_bits + range_bits + place_bits) as usize * BRICKS;
        let mut out = Vec::with_capacity(4 + field_bits / 8 + bytes.len() + 4);
        out.extend_from_slice(&least.to_le_bytes());
        let mut fields = BitWriter::append(&mut out);
        for i in there() {
            fields.put(minima[i] - least, minimum_bits);
            fields.put(ranges[i], range_bits);
            fields.put(places[i], place_bits);
        }
        fields.align();
        out.extend_from_slice(&bytes);
        out.resize(out.len().next_multiple_of(4), 0);
        Self::Bricks { widths: minimum_bits | range_bits << 6 | place_bits << 12, bytes: out }
    }
}

/// Bricks by a hash of their bytes: a table with open addressing.
struct Known([Option<u8>; 2 * BRICKS]);

impl Default for Known {
    fn default() -> Self {
        Self([None; 2 * BRICKS])
    }
}

impl Known {
    /// Returns an earlier brick with the bytes of brick `i`. If there is none, `i` becomes known.
    fn equal(&mut self, bricks: &[&[u8]; BRICKS], i: usize) -> Option<usize> {
        let brick = bricks[i];
        let mut last = [0; 8];
        let count = brick.len().min(8);
        last[..count].copy_from_slice(&brick[brick.len() - count..]);
        let hash = (u64::from_le_bytes(last) ^ brick.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut place = (hash >> (u64::BITS - (2 * BRICKS).ilog2())) as usize;
        while let Some(known) = self.0[place] {
            if bricks[usize::from(known)] == brick {
                return Some(known.into());
            }
            place = (place + 1) % self.0.len();
        }
        self.0[place] = Some(i as u8);
        None
    }
}

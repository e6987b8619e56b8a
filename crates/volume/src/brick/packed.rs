//! Bricks of 4³ in memory whose values are read without waiting for one another: each in as many bits as
//! their range has.
//!
//! A record of [`RECORD`] bytes at most: its head, which is the caller's, then the values, x fastest, eight
//! of them in as many bytes as one has bits.

use crate::{
    bits::width,
    simd::{self, Bits, SimdKernel},
};

#[cfg(target_arch = "x86_64")]
use crate::simd::Avx512;

/// Bytes before the values.
pub(crate) const HEAD: usize = 8;

/// Most bytes of a record: a line of the processor's cache.
pub(crate) const RECORD: usize = 64;

/// The largest range that a record has room for.
pub(crate) const MAX_PACKED: u32 = (1 << ((RECORD - HEAD) / 8)) - 1;

/// Number of bytes that may be read from the start of a record on.
pub(crate) const REACH: usize = RECORD + 8;

/// Returns the number of bytes of a record of values up to `range`, which is at most [`MAX_PACKED`].
pub(crate) const fn record_bytes(range: u32) -> usize {
    HEAD + 8 * width(range) as usize
}

/// Puts values up to `range`, at most [`MAX_PACKED`], into a record.
pub(crate) fn pack(values: &[u16; 64], range: u32, record: &mut [u8; REACH]) {
    simd::dispatch(&mut Pack { values, width: width(range) & 7, record });
}

struct Pack<'a> {
    values: &'a [u16; 64],
    width: u32,
    record: &'a mut [u8; REACH],
}

impl SimdKernel for &mut Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let mask = 0x0101_0101_0101_0101 * ((1 << self.width) - 1);
        for (i, eight) in self.values.as_chunks::<8>().0.iter().enumerate() {
            let joined = bits.extract(u64::from_le_bytes(eight.map(|value| value as u8)), mask);
            // The next group overwrites excess bytes.
            self.record[HEAD + i * self.width as usize..][..8].copy_from_slice(&joined.to_le_bytes());
        }
    }
}

/// Unpacks the values of a record; they are at most `range`.
#[inline]
pub(crate) fn unpack(record: &[u8; REACH], range: u32, values: &mut [u16; 64]) {
    let width = width(range) & 7;
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = Avx512::detect() {
        return token.unpack(record.first_chunk().expect("64 bytes"), width as usize, values);
    }
    simd::dispatch(&mut Unpack { record, width, values });
}

struct Unpack<'a> {
    record: &'a [u8; REACH],
    width: u32,
    values: &'a mut [u16; 64],
}

impl SimdKernel for &mut Unpack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let mask = 0x0101_0101_0101_0101 * ((1 << self.width) - 1);
        for (i, values) in self.values.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let at = HEAD + i * self.width as usize;
            let joined = u64::from_le_bytes(*self.record[at..].first_chunk().expect("eight bytes"));
            *values = bits.deposit(joined, mask).to_le_bytes().map(u16::from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_range_come_back() {
        for range in 0..=MAX_PACKED {
            let values = std::array::from_fn(|i| (i * 37 % (range as usize + 1)) as u16);
            let (mut record, mut portable) = ([0xff; REACH], [0xff; REACH]);
            pack(&values, range, &mut record);
            (&mut Pack { values: &values, width: width(range), record: &mut portable }).run(simd::Portable);
            assert_eq!(record, portable);
            assert_eq!(record[..HEAD], [0xff; HEAD]);
            // The bytes after a record do not matter.
            record[record_bytes(range)..].fill(0xff);
            let mut unpacked = [[1; 64]; 2];
            unpack(&record, range, &mut unpacked[0]);
            let [_, values_portable] = &mut unpacked;
            let mut kernel = Unpack { record: &record, width: width(range), values: values_portable };
            (&mut kernel).run(simd::Portable);
            assert_eq!(unpacked, [values; 2], "range {range}");
        }
    }
}

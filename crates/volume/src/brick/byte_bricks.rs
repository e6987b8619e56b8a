//! Bits to the values of *byte bricks*: whole ones of 4³ and 8³ whose ranges are below 256. Codes,
//! predictions and values are bytes; `byte_wavefront.rs` undoes the prediction.
//!
//! 1. The header is a few loads (`head.rs`).
//! 2. Bit planes: those of four bricks of 4³ in lockstep, where an additional bit plane of one brick is a
//!    single misprediction; those of an 8³ brick run by run.
//! 3. Remainders: each group's k bytes, deposited in bytes.
//! 4. From Morton order to slices, and the wavefront.

use super::{
    byte_wavefront::{undo_eight, undo_four},
    head::{BYTES, Head, REACH, Window, above_eight, bit_planes},
    labels::DecodeLabels,
    order::{order, order_of_four, slices_of_runs},
    predict,
    shape::{BrickBox, BrickSize},
};
use crate::simd::{self, Bits, STREAM, SimdKernel};

/// The largest range of byte bricks.
pub(crate) const MAX_BYTE: u32 = 255;

/// The bytes of dictionaries: up to 17, and zeros.
type Dictionary = [u8; 64];

/// Joins the quotients of a run with its remainders from byte `at` of `window` on, and moves `at` on.
#[inline(always)]
fn join<B: Bits>(
    bits: B,
    window: &Window,
    at: &mut usize,
    quotients: B::Counts,
    widths: u64,
    first: u32,
) -> B::Bytes {
    let stream: &[u8; STREAM] = window[(*at).min(REACH - STREAM)..].first_chunk().expect("72 bytes");
    *at += (widths.wrapping_mul(BYTES) >> 56) as usize;
    bits.byte_codes(quotients, widths, stream, first as u8)
}

/// The code of each voxel of a sorted brick of 4³.
static SORTED_FOUR: [u8; 64] = {
    let (order, mut codes, mut i) = (order_of_four(true), [0; 64], 0);
    while i < 64 {
        codes[order[i] as usize] = i as u8;
        i += 1;
    }
    codes
};

/// Four byte bricks of 4³.
pub(crate) struct FourByteBricks<'a> {
    pub bytes: &'a [u8],
    /// First byte of each brick, and the byte after its last one.
    pub starts: [usize; 4],
    pub ends: [usize; 4],
    pub ranges: [u32; 4],
    pub values: &'a mut [[u8; 64]; 4],
}

impl FourByteBricks<'_> {
    /// Decodes the bricks. `None` if one ends elsewhere. False if nothing was decoded, and they must be
    /// decoded as others are: one has long remainders, or the instruction set is not fast enough.
    #[inline]
    pub fn decode(&mut self) -> Option<bool> {
        simd::dispatch_bytes(self).unwrap_or(Some(false))
    }
}

impl SimdKernel for &mut FourByteBricks<'_> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<bool> {
        let mut windows = [&[0; REACH]; 4];
        for i in 0..4 {
            windows[i] = self.bytes.get(self.starts[i]..)?.first_chunk()?;
        }
        let mut positions = [0; 4];
        let mut dictionaries = [[0; 64]; 4];
        let mut heads = [Head::<1>::ZEROS; 4];
        for i in 0..4 {
            let dictionary = &mut dictionaries[i];
            heads[i] = Head::read(bits, windows[i], self.ranges[i], &mut positions[i], |place, value| {
                dictionary[place & 63] = value as u8;
            });
        }
        // No encoder needs remainders of more than eight bits for bytes.
        let long = heads.iter().fold(0, |long, head| long | above_eight(head.remainder_bits[0]));
        if long != 0 {
            return Some(false);
        }
        // Loops in place of `map`: a closure is not always compiled for the instruction set.
        let (mut caps, mut active, mut half, mut bricks) = ([0; 4], [0; 4], [0; 4], [(0, 0); 4]);
        for (i, head) in heads.iter().enumerate() {
            (caps[i], active[i], half[i]) = (head.cap, head.active[0], head.half[0]);
            bricks[i] = (head.predictor, head.largest);
        }
        let quotients = bit_planes(bits, &windows, caps, active, half, &mut positions);
        let mut cubes = [bits.fill_quarters([0; 4]); 4];
        let mut is_end = true;
        for i in 0..4 {
            let (head, mut at) = (&heads[i], positions[i].div_ceil(8));
            let codes = join(bits, windows[i], &mut at, quotients[i], head.remainder_bits[0], head.first);
            let is_sorted = head.predictor == predict::SORTED;
            cubes[i] = if is_sorted { bits.permute(codes, &SORTED_FOUR) } else { bits.cube(codes) };
            is_end &= self.starts[i] + at == self.ends[i];
        }
        let cubes = undo_four(bits, bricks, cubes);
        for i in 0..4 {
            let looked_up =
                if heads[i].has_dictionary { bits.look_up(cubes[i], &dictionaries[i]) } else { cubes[i] };
            bits.store(looked_up, &mut self.values[i]);
        }
        is_end.then_some(true)
    }
}

/// A byte brick of 8³.
pub(crate) struct EightByteBrick<'a> {
    pub bytes: &'a [u8],
    /// First byte of the brick, and the byte after its last one.
    pub start: usize,
    pub end: usize,
    pub range: u32,
    pub values: &'a mut [u8; 512],
}

impl EightByteBrick<'_> {
    /// Decodes the brick. `None` if it ends elsewhere. False if nothing was decoded, as with
    /// [`FourByteBricks::decode`].
    #[inline]
    pub fn decode(&mut self) -> Option<bool> {
        simd::dispatch_bytes(self).unwrap_or(Some(false))
    }
}

impl SimdKernel for &mut EightByteBrick<'_> {
    type Output = Option<bool>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<bool> {
        let window = self.bytes.get(self.start..)?.first_chunk()?;
        let (mut position, mut dictionary): (_, Dictionary) = (0, [0; 64]);
        let head = Head::<8>::read(bits, window, self.range, &mut position, |place, value| {
            dictionary[place & 63] = value as u8;
        });
        if head.is_label_brick {
            let slices = self.values.as_chunks_mut::<64>().0;
            let end = bits.call(DecodeLabels {
                bytes: self.bytes,
                position: 8 * self.start + position,
                first: head.first as u8,
                part: BrickBox::whole(BrickSize::Eight),
                predictor: head.predictor,
                largest: head.largest,
                slices: slices.first_chunk_mut().expect("eight slices"),
            })?;
            if head.has_dictionary {
                for slice in slices {
                    bits.store(bits.look_up(bits.bytes(slice), &dictionary), slice);
                }
            }
            return (end == self.end).then_some(true);
        }
        if head.remainder_bits.iter().fold(0, |long, &widths| long | above_eight(widths)) != 0 {
            return Some(false);
        }
        let mut quotients = [bits.counts(); 8];
        for run in 0..8 {
            let window = self.bytes.get(self.start + position / 8..)?.first_chunk()?;
            let mut within = [position % 8];
            [quotients[run]] =
                bit_planes(bits, &[window], [head.cap], [head.active[run]], [head.half[run]], &mut within);
            position += within[0] - position % 8;
        }
        let mut end = self.start + position.div_ceil(8);
        let mut codes = [bits.fill_quarters([0; 4]); 8];
        for run in 0..8 {
            let window = self.bytes.get(end..)?.first_chunk()?;
            let (mut at, first) = (0, if run == 0 { head.first } else { 0 });
            codes[run] = join(bits, window, &mut at, quotients[run], head.remainder_bits[run], first);
            end += at;
        }
        let is_sorted = head.predictor == predict::SORTED;
        let mut slices = if is_sorted { spread(bits, &codes) } else { slices_of_runs(bits, &codes) };
        undo_eight(bits, head.predictor, head.largest as u8, &mut slices);
        for (slice, values) in slices.into_iter().zip(self.values.as_chunks_mut().0) {
            let looked_up = if head.has_dictionary { bits.look_up(slice, &dictionary) } else { slice };
            bits.store(looked_up, values);
        }
        (end == self.end).then_some(true)
    }
}

/// Returns the slices of an 8³ brick from its sorted codes.
#[inline(never)]
fn spread<B: Bits>(bits: B, sorted: &[B::Bytes; 8]) -> [B::Bytes; 8] {
    let (mut codes, mut spread) = ([[0; 64]; 8], [[0; 64]; 8]);
    for (codes, &run) in codes.iter_mut().zip(sorted) {
        bits.store(run, codes);
    }
    let order: &[u16; 512] = order(BrickSize::Eight, true).first_chunk().expect("512 codes");
    let voxels = spread.as_flattened_mut();
    for (&code, &place) in codes.as_flattened().iter().zip(order) {
        voxels[usize::from(place) & 511] = code;
    }
    let mut slices = *sorted;
    for (slice, voxels) in slices.iter_mut().zip(&spread) {
        *slice = bits.bytes(voxels);
    }
    slices
}

//! Bits to labels.

use super::{
    MASK_BITS, PAIR_BITS, PAIRS, SINGLE_BITS, SLICES,
    votes::{TwoLabelWeights, VoteWeights, Votes},
};
use crate::{
    brick::{
        bit_planes::word,
        byte_wavefront::{from_steps, masks_of_step, to_steps},
        order::{slices_of_runs, spread},
        shape::BrickBox,
    },
    simd::{Bits, STREAM, SimdKernel},
};

/// Decodes a label brick.
pub(in crate::brick) struct DecodeLabels<'a> {
    pub bytes: &'a [u8],
    /// Position of the flags in bits.
    pub position: usize,
    pub first: u8,
    pub part: BrickBox,
    pub predictor: usize,
    /// The largest label.
    pub largest: u32,
    /// Labels slice by slice. Those of a damaged brick, and outside the volume, are unspecified.
    pub slices: &'a mut [[u8; 64]; SLICES],
}

impl SimdKernel for DecodeLabels<'_> {
    /// The byte after the brick's last one; `None` if the bytes end too soon.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<usize> {
        let Self { bytes, position, first, part, predictor, largest, slices } = self;
        let (mut codes, end) = read_codes(bits, bytes, position, first, part.count(), largest)?;
        if part.is_whole() {
            codes = slices_of_runs(bits, &codes);
        } else {
            let (mut ordered, mut placed) = ([[0; 64]; SLICES], [[0; 64]; SLICES]);
            for (ordered, &codes) in ordered.iter_mut().zip(&codes) {
                bits.store(codes, ordered);
            }
            spread(part, false, ordered.as_flattened(), placed.as_flattened_mut());
            for (codes, placed) in codes.iter_mut().zip(&placed) {
                *codes = bits.bytes(placed);
            }
        }
        let labels = if largest == 1 {
            undo_two(bits, predictor, codes)
        } else {
            undo(bits, &VoteWeights::of(bits, predictor, largest), &codes)
        };
        for (&labels, slice) in labels.iter().zip(slices) {
            bits.store(labels, slice);
        }
        Some(end)
    }
}

/// Reader of fields of bits.
struct Fields<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Fields<'_> {
    /// Returns the next `count` bits, at most 32.
    #[inline(always)]
    fn take(&mut self, count: u32) -> Option<u64> {
        let taken = word(self.bytes, self.position)? & ((1 << count) - 1);
        self.position += count as usize;
        Some(taken)
    }

    /// Takes a bit for each bit of `among`, and returns those of `among` whose bit is 1.
    #[inline(always)]
    fn marked<B: Bits>(&mut self, bits: B, among: u64) -> Option<u64> {
        let marked = bits.deposit(word(self.bytes, self.position)?, among);
        self.position += among.count_ones() as usize;
        Some(marked)
    }
}

/// Reads the codes of `count` voxels in Morton order, with the first value in place of its code. Also returns
/// the position of the byte after the brick.
#[inline(always)]
fn read_codes<B: Bits>(
    bits: B,
    bytes: &[u8],
    position: usize,
    first: u8,
    count: usize,
    largest: u32,
) -> Option<([B::Bytes; SLICES], usize)> {
    let mut fields = Fields { bytes, position };
    let run_count = count.div_ceil(64) as u32;
    let runs = if count > 64 { fields.take(run_count)? } else { 1 };
    let groups = fields.marked(bits, bits.deposit(runs, 0x0101_0101_0101_0101) * 0xff)?;
    let many = fields.marked(bits, groups)?;
    let masks = fields.marked(bits, many)?;
    let mut above_zero = [0u8; 64];
    for (mut of_kind, width) in
        [(groups & !many, SINGLE_BITS), (many & !masks, PAIR_BITS), (masks, MASK_BITS)]
    {
        while of_kind != 0 {
            let field = fields.take(width)? as usize;
            above_zero[of_kind.trailing_zeros() as usize] = match width {
                SINGLE_BITS => 1 << field,
                PAIR_BITS => PAIRS[field & 31],
                _ => field as u8,
            };
            of_kind &= of_kind - 1;
        }
    }
    let mut runs = [0u64; SLICES];
    let mut counts = [bits.counts(); SLICES];
    for (i, (run, counts)) in runs.iter_mut().zip(&mut counts).enumerate() {
        *run = u64::from_le_bytes(*above_zero[8 * i..].first_chunk().expect("eight groups"));
        bits.add(counts, *run);
    }
    for _ in 2..=largest {
        if runs == [0; SLICES] {
            break;
        }
        for (run, counts) in runs.iter_mut().zip(&mut counts) {
            if *run != 0 {
                *run = fields.marked(bits, *run)?;
                bits.add(counts, *run);
            }
        }
    }
    let mut codes = [bits.fill_quarters([0; 4]); SLICES];
    for (i, (codes, counts)) in codes.iter_mut().zip(counts).enumerate() {
        *codes = bits.byte_codes(counts, 0, &[0; STREAM], if i == 0 { first } else { 0 });
    }
    Some((codes, fields.position.div_ceil(8)))
}

/// Converts codes to labels; the first is a label already. `flat` and `above` are the weights of the first
/// slice and of others.
#[inline(always)]
fn undo<B: Bits, V: Votes<B>>(
    bits: B,
    [flat, above]: &[V; 2],
    codes: &[B::Bytes; SLICES],
) -> [B::Bytes; SLICES] {
    let mut steps = to_steps(bits, codes);
    let mut earlier = Earlier::new(bits);
    // In one loop, compilers move comparisons from both branches to before them, and spill the results.
    let mut step = 1;
    while let Some((starting, started)) = masks_of_step(step) {
        let neighbours = earlier.neighbours(bits, steps[step - 1]);
        let mixed = flat.mixed(bits, starting, above);
        steps[step] = bits.mask(mixed.labels(bits, &neighbours, steps[step]), started);
        step += 1;
    }
    for step in step..steps.len() {
        let neighbours = earlier.neighbours(bits, steps[step - 1]);
        steps[step] = above.labels(bits, &neighbours, steps[step]);
    }
    from_steps(bits, &steps)
}

/// Works like [`undo`] for two labels, which are bytes of 0x00 or 0xff meanwhile.
#[inline(always)]
fn undo_two<B: Bits>(bits: B, predictor: usize, mut codes: [B::Bytes; SLICES]) -> [B::Bytes; SLICES] {
    const ALL_BITS: [u8; 64] = {
        let mut table = [0; 64];
        table[1] = 0xff;
        table
    };
    for codes in &mut codes {
        *codes = bits.look_up(*codes, &ALL_BITS);
    }
    let mut labels = undo(bits, &TwoLabelWeights::of(bits, predictor), &codes);
    for labels in &mut labels {
        *labels = bits.mask(*labels, &[1; 64]);
    }
    labels
}

/// Neighbours from before the last step.
struct Earlier<T> {
    /// UW, UN, NW.
    two: [T; 3],
    /// UNW.
    nw_three: T,
}

impl<T: Copy> Earlier<T> {
    #[inline(always)]
    fn new<B: Bits<Bytes = T>>(bits: B) -> Self {
        let zeros = bits.fill_quarters([0; 4]);
        Self { two: [zeros; 3], nw_three: zeros }
    }

    /// Returns W, N, U, NW, UW, UN and UNW of the next step, of which `last` is the one before.
    #[inline(always)]
    fn neighbours<B: Bits<Bytes = T>>(&mut self, bits: B, last: T) -> [T; 7] {
        let one = bits.back_1_8_9(last);
        let ([w, n, _], [uw, un, nw]) = (one, self.two);
        let neighbours = [w, n, last, nw, uw, un, self.nw_three];
        (self.nw_three, self.two) = (nw, one);
        neighbours
    }
}

//! A brick's values to bits.

use super::{
    codes::{Code, mapped},
    dictionary::{dictionary_bits, distinct, put_start, saves},
    header::coded_of_run,
    labels,
    limits::{GROUP, MAX_DICTIONARY, MAX_NARROW, base_bits, delta_width},
    plan::{FindBest, Plan},
    rice_level,
    shape::{BrickBox, BrickSize},
};
use crate::{
    bits::{BitWriter, width},
    simd::{self, Bits, SimdKernel},
};

/// Appends the bytes of a brick of `values` (0..=`range`, both ends occurring) to `out`. `values` are those
/// of a whole brick; each value outside must also occur inside. `range` must not be zero. A brick of 8³ is a
/// label brick where that is smaller.
#[inline]
pub(crate) fn brick(values: &[u32], range: u32, part: BrickBox, out: &mut Vec<u8>) {
    match part.size {
        BrickSize::Four => four(values, range, part, out),
        BrickSize::Eight => {
            let start = out.len();
            simd::dispatch(EncodeBrick::<8, 8, 512>::new(values, range, part, out));
            simd::dispatch(labels::Smaller::new(values, range, part, start, out));
        }
        BrickSize::Flat => simd::dispatch(EncodeBrick::<16, 4, 256>::new(values, range, part, out)),
    }
}

/// Works like [`brick`], without label bricks.
#[cfg(test)]
pub(crate) fn without_labels(values: &[u32], range: u32, part: BrickBox, out: &mut Vec<u8>) {
    match part.size {
        BrickSize::Eight => simd::dispatch(EncodeBrick::<8, 8, 512>::new(values, range, part, out)),
        _ => brick(values, range, part, out),
    }
}

/// Works like [`brick`], for bricks of 4³. A program that encodes no others does not link their encoders.
#[inline]
pub(crate) fn four(values: &[u32], range: u32, part: BrickBox, out: &mut Vec<u8>) {
    simd::dispatch(EncodeBrick::<4, 1, 64>::new(values, range, part, out));
}

/// Works like [`brick`], in portable code.
#[cfg(test)]
pub(crate) fn brick_portable(values: &[u32], range: u32, part: BrickBox, out: &mut Vec<u8>) {
    match part.size {
        BrickSize::Four => EncodeBrick::<4, 1, 64>::new(values, range, part, out).run(simd::Portable),
        BrickSize::Eight => {
            let start = out.len();
            EncodeBrick::<8, 8, 512>::new(values, range, part, out).run(simd::Portable);
            labels::Smaller::new(values, range, part, start, out).run(simd::Portable);
        }
        BrickSize::Flat => EncodeBrick::<16, 4, 256>::new(values, range, part, out).run(simd::Portable),
    }
}

/// Encodes a brick of `COUNT` voxels, `RUNS` runs of 64, with `WIDTH` along x.
struct EncodeBrick<'a, const WIDTH: usize, const RUNS: usize, const COUNT: usize> {
    values: &'a [u32; COUNT],
    range: u32,
    part: BrickBox,
    out: &'a mut Vec<u8>,
}

impl<'a, const WIDTH: usize, const RUNS: usize, const COUNT: usize> EncodeBrick<'a, WIDTH, RUNS, COUNT> {
    #[inline(always)]
    fn new(values: &'a [u32], range: u32, part: BrickBox, out: &'a mut Vec<u8>) -> Self {
        let values = values.try_into().expect("the values of a whole brick");
        Self { values, range, part, out }
    }
}

impl<const WIDTH: usize, const RUNS: usize, const COUNT: usize> SimdKernel
    for EncodeBrick<'_, WIDTH, RUNS, COUNT>
{
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { values, range, part, out } = self;
        if range <= MAX_NARROW {
            encode::<B, u16, WIDTH, RUNS, COUNT>(bits, values, range, part, out);
        } else {
            encode::<B, u32, WIDTH, RUNS, COUNT>(bits, values, range, part, out);
        }
    }
}

#[inline(always)]
fn encode<B: Bits, C: Code, const WIDTH: usize, const RUNS: usize, const COUNT: usize>(
    bits: B,
    values: &[u32; COUNT],
    range: u32,
    part: BrickBox,
    out: &mut Vec<u8>,
) {
    let count = part.count();
    let mut plain = Plan::<C, COUNT>::none();
    bits.call(FindBest::<_, WIDTH, RUNS, _> { values, range, part, plan: &mut plain });
    let mut dictionary = [0; MAX_DICTIONARY];
    let entries = distinct(values, range, &mut dictionary);
    let most_saved = entries > 1 && saves(range, entries, count);
    if most_saved {
        let mut ranks = [0; COUNT];
        for (rank, value) in ranks.iter_mut().zip(values) {
            *rank = dictionary[..entries].iter().map(|entry| u32::from(entry < value)).sum();
        }
        let last_rank = entries as u32 - 1;
        let mut ranked = Plan::<u16, COUNT>::none();
        let find =
            FindBest::<_, WIDTH, RUNS, _> { values: &ranks, range: last_rank, part, plan: &mut ranked };
        bits.call(find);
        let dictionary_bits = dictionary_bits(range, entries) + base_bits(last_rank);
        if ranked.bits + dictionary_bits < plain.bits + base_bits(range) {
            let (first, dictionary) = (ranks[0], Some(&dictionary[1..entries - 1]));
            bits.call(Write { plan: &ranked, count, first, last_rank, range, dictionary, out });
            return;
        }
    }
    let (first, last_rank) = (values[0], range);
    bits.call(Write { plan: &plain, count, first, last_rank, range, dictionary: None, out });
}

/// Appends the bytes of `plan`.
struct Write<'a, C, const COUNT: usize> {
    plan: &'a Plan<C, COUNT>,
    count: usize,
    first: u32,
    last_rank: u32,
    range: u32,
    dictionary: Option<&'a [u32]>,
    out: &'a mut Vec<u8>,
}

impl<C: Code, const COUNT: usize> SimdKernel for Write<'_, C, COUNT> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { plan, count, first, last_rank, range, dictionary, out } = self;
        out.reserve(COUNT * 4 + 64);
        let mut writer = BitWriter::append(out);
        put_start(&mut writer, plan.predictor, range, dictionary);
        let base_bits = base_bits(last_rank);
        writer.put(plan.base, base_bits);
        writer.put(plan.delta_bits, delta_width(base_bits));
        let rice_levels = &plan.rice_levels[..COUNT / 64];
        if plan.delta_bits > 0 {
            for rice_level in &rice_levels.as_flattened()[..count.div_ceil(GROUP)] {
                writer.put(rice_level - plan.base, plan.delta_bits);
            }
        }
        let first_low_bits = rice_level::low_bits(rice_levels[0][0]);
        let first_high_bits = width(last_rank).saturating_sub(first_low_bits);
        if first_high_bits > 0 {
            writer.put(first >> first_low_bits, first_high_bits);
        }
        let cap = rice_level::most_ones(plan.base, last_rank);
        let runs = plan.codes.as_chunks::<64>().0;
        for (i, (codes, rice_levels)) in runs.iter().zip(rice_levels).enumerate() {
            bit_planes(bits, codes, rice_levels, coded_of_run(count, i), cap, &mut writer);
        }
        writer.align();
        let groups = plan.codes.as_chunks::<GROUP>().0.iter().zip(rice_levels.as_flattened());
        for (i, (codes, rice_level)) in groups.enumerate() {
            let k = rice_level::low_bits(*rice_level);
            if k == 0 {
                continue;
            }
            let of_group = (count - GROUP * i).min(GROUP);
            let mut codes: [u32; GROUP] = mapped(codes, Into::into);
            if i == 0 {
                codes[0] = first;
            }
            if k <= 8 {
                let bytes = mapped(&codes, |code| code as u8);
                let word = bits.extract(u64::from_le_bytes(bytes), 0x0101_0101_0101_0101 * ((1 << k) - 1));
                writer.put(word, of_group as u32 * k);
            } else {
                for &code in &codes[..of_group] {
                    writer.put(code & ((1 << k) - 1), k);
                }
            }
        }
        writer.align();
    }
}

/// Writes the bit planes of 64 codes, those of which that are `coded`.
#[inline(always)]
fn bit_planes<B: Bits, C: Code>(
    bits: B,
    codes: &[C; 64],
    rice_levels: &[u32; 8],
    coded: u64,
    cap: u32,
    writer: &mut BitWriter,
) {
    let (mut active, mut half) = (0u64, 0u64);
    let mut ones = [0u64; 8];
    let mut odd = 0u64;
    for (g, (codes, &rice_level)) in codes.as_chunks::<GROUP>().0.iter().zip(rice_levels).enumerate() {
        if rice_level == 0 {
            continue;
        }
        let (k, t) = rice_level::split(rice_level);
        active |= 0xff << (8 * g);
        half |= if t == 1 { 0xff << (8 * g) } else { 0 };
        let quotients = u64::from_le_bytes(mapped(codes, |code| (code.into() >> k) as u8));
        odd |= bits.extract(quotients, 0x0101_0101_0101_0101) << (8 * g);
        // Quotients are below 65: the top bit of a byte is free.
        let some = (quotients + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        ones[g] = quotients - if t == 1 { some } else { 0 };
    }
    active &= coded;
    half &= active;
    // The voxels with more than `bit_plane` ones, all of them below 64.
    let more_than = |bit_plane: u32| {
        let add = 0x0101_0101_0101_0101 * u64::from(127 - bit_plane);
        let mut more = 0;
        for (g, ones) in ones.iter().enumerate() {
            more |= bits.extract(ones.wrapping_add(add), 0x8080_8080_8080_8080) << (8 * g);
        }
        more
    };
    let mut put = |set: u64, mask: u64| writer.put(bits.extract(set, mask), mask.count_ones());
    let mut alive = if cap > 0 { more_than(0) & active } else { 0 };
    if cap > 0 {
        put(alive, active);
    }
    if half != 0 {
        put(odd, half & !alive);
    }
    for bit_plane in 1..cap {
        if alive == 0 {
            break;
        }
        let set = more_than(bit_plane) & alive;
        put(set, alive);
        alive = set;
    }
}

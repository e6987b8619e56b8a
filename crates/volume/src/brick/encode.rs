//! A brick's values to bits.

use super::{GROUP, MAX_ONES, MAX_PALETTE, WIDE, base_bits, decode, level, predict};
use crate::bits::{BitWriter, width};

/// Levels tried around the one a brick's mean asks for.
const LEVELS_TRIED: usize = 16;

/// Predictors whose size is counted exactly, after an estimate of all. One more costs 10 % of the encoder's time and saves 0.1 %.
const PREDICTORS_COUNTED: usize = 3;

/// What one way to code a brick is: the codes, their levels, and about how many bits they take.
struct Plan {
    predictor: usize,
    base: u32,
    delta_bits: u32,
    levels: [u32; 64],
    bits: u64,
    codes: [u32; 512],
}

/// Appends the bytes of a brick of `values` (0..=`range`, both ends taken) to `out`. `range` must not be zero.
pub(crate) fn brick(values: &[u32], range: u32, side: usize, out: &mut Vec<u8>) {
    let plain = plan(values, range, side);
    let mut palette = [0; MAX_PALETTE];
    let entries = distinct(values, &mut palette);
    if (2..=MAX_PALETTE).contains(&entries) && entries <= range as usize {
        let mut ranks = [0; 512];
        let ranks = &mut ranks[..values.len()];
        for (rank, value) in ranks.iter_mut().zip(values) {
            *rank = palette[..entries].partition_point(|entry| entry < value) as u32;
        }
        let last_rank = entries as u32 - 1;
        let with_palette = plan(ranks, last_rank, side);
        let palette_bits = 4 + u64::from(width(range)) * (entries as u64 - 2);
        if with_palette.bits + palette_bits < plain.bits {
            write(&with_palette, ranks, last_rank, range, Some(&palette[1..entries - 1]), out);
            return;
        }
    }
    write(&plain, values, range, range, None, out);
}

/// The distinct values in ascending order, and how many; more than a palette holds count as one more.
fn distinct(values: &[u32], palette: &mut [u32; MAX_PALETTE]) -> usize {
    let mut count = 0;
    for &value in values {
        let place = palette[..count].partition_point(|&entry| entry < value);
        if place < count && palette[place] == value {
            continue;
        }
        if count == MAX_PALETTE {
            return MAX_PALETTE + 1;
        }
        palette.copy_within(place..count, place + 1);
        palette[place] = value;
        count += 1;
    }
    count
}

/// The cheapest plan.
fn plan(values: &[u32], range: u32, side: usize) -> Plan {
    let count = values.len();
    let mut plan =
        Plan { predictor: 0, base: 0, delta_bits: 0, levels: [0; 64], bits: u64::MAX, codes: [0; 512] };
    let mut estimates = [(f32::INFINITY, 0); predict::COUNT];
    let mut codes = [[0; 512]; predict::COUNT];
    for (predictor, estimate) in estimates.iter_mut().enumerate() {
        if range >= WIDE && (predictor > 8 || predictor == 1) {
            continue;
        }
        let codes = &mut codes[predictor][..count];
        predict(predictor, values, range, side, codes);
        *estimate = (self::estimate(codes), predictor);
    }
    estimates.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, predictor) in estimates.into_iter().filter(|e| e.0.is_finite()).take(PREDICTORS_COUNTED) {
        let candidate = levels(&codes[predictor][..count], range);
        if candidate.3 < plan.bits {
            (plan.base, plan.delta_bits, plan.levels, plan.bits) = candidate;
            plan.predictor = predictor;
        }
    }
    plan.codes = codes[plan.predictor];
    plan
}

/// About how many bits codes take, up to a factor and a summand that all predictors share.
fn estimate(codes: &[u32]) -> f32 {
    let mut total = 0.0;
    for group in codes.as_chunks::<GROUP>().0 {
        let sum: u64 = group.iter().map(|&code| u64::from(code)).sum();
        // The bits of a float are, near enough, its logarithm.
        total += (sum as f32 + 3.0).to_bits() as f32 * (1.0 / (1 << 23) as f32);
    }
    total
}

/// The codes of `values` under `predictor`; the first is zero.
fn predict(predictor: usize, values: &[u32], range: u32, side: usize, codes: &mut [u32]) {
    let backs = predict::backs(side);
    if range >= WIDE {
        for i in 0..values.len() {
            let prediction = decode::wide_prediction(predictor, values, i, side, &backs);
            let difference = values[i].wrapping_sub(prediction);
            codes[i] = (difference << 1) ^ ((difference as i32) >> 31) as u32;
        }
        if predictor == 0 {
            codes.copy_from_slice(values);
        }
    } else {
        for i in 1..values.len() {
            let weights = &predict::WEIGHTS[predictor][predict::class(i, side)];
            let mut sum = i32::from(weights[7]) * range as i32;
            for (back, &weight) in backs.iter().zip(&weights[..7]) {
                if weight != 0 {
                    sum += values[i - back] as i32 * i32::from(weight);
                }
            }
            let prediction = ((sum + 8) >> 4).clamp(0, range as i32);
            codes[i] = predict::fold(values[i] as i32, prediction, range as i32);
        }
        match predictor {
            0 => codes.copy_from_slice(values),
            1 => codes.iter_mut().zip(values).for_each(|(code, value)| *code = range - value),
            _ => {}
        }
    }
    codes[0] = 0;
}

/// The base, the bits of a delta, the levels and the bits of all, for the least bits.
fn levels(codes: &[u32], range: u32) -> (u32, u32, [u32; 64], u64) {
    let group_count = codes.len() / GROUP;
    let largest = codes.iter().fold(0, |largest, &code| largest.max(code));
    let total: u64 = codes.iter().map(|&code| u64::from(code)).sum();
    let mean = (total / codes.len() as u64) as u32;
    // No code may need more ones than the planes hold.
    let least = {
        let k = width(largest).saturating_sub(width(MAX_ONES));
        if k == 0 { 0 } else { 1 + 2 * k }
    };
    let lowest = (2 * width(mean)).saturating_sub(7).max(least);
    let highest_level = (1 << base_bits(range)) - 1;
    let first_bits = width(range);

    // Bits by group and level.
    let mut bits = [[u32::MAX / 256; LEVELS_TRIED + 8]; 64];
    for (g, group) in codes.as_chunks::<GROUP>().0.iter().enumerate() {
        for (level, bits) in (lowest..=highest_level).zip(&mut bits[g][..LEVELS_TRIED]) {
            *bits = group_bits(group, level, range);
            if g == 0 {
                // The first voxel is no code: its low bits lie where its remainder would.
                let k = if level == 0 { 0 } else { level::split(level).0 };
                let cap = level::most_ones(level, range);
                let own = if level == 0 { 0 } else { cap.min(1) + level::split(level).1 };
                *bits = bits.saturating_sub(own) + first_bits.saturating_sub(k);
            }
        }
    }
    let mut best = (0, 0, u64::MAX);
    let mut least_bits = bits;
    for delta_bits in 0..4 {
        if delta_bits > 0 {
            let step = 1 << (delta_bits - 1);
            for bits in &mut least_bits[..group_count] {
                for j in 0..LEVELS_TRIED {
                    bits[j] = bits[j].min(bits[j + step]);
                }
            }
        }
        for j in 0..LEVELS_TRIED {
            let sum: u64 = least_bits[..group_count].iter().map(|bits| u64::from(bits[j])).sum();
            let all = sum + (group_count * delta_bits) as u64;
            if all < best.2 {
                best = (j, delta_bits, all);
            }
        }
    }
    let (j, delta_bits, all) = best;
    let mut levels = [0; 64];
    for (level, bits) in levels.iter_mut().zip(&bits[..group_count]) {
        let deltas = &bits[j..(j + (1 << delta_bits)).min(bits.len())];
        let delta = (0..deltas.len()).min_by_key(|&delta| deltas[delta]).unwrap_or(0);
        *level = lowest + (j + delta) as u32;
    }
    (lowest + j as u32, delta_bits as u32, levels, all)
}

/// Bits of eight codes at `level`.
#[inline(always)]
fn group_bits(group: &[u32; GROUP], level: u32, range: u32) -> u32 {
    if level == 0 {
        return if group.iter().all(|&code| code == 0) { 0 } else { u32::MAX / 256 };
    }
    let (k, t) = level::split(level);
    let cap = level::most_ones(level, range);
    let mut bits = 8 * k;
    for &code in group {
        let quotient = code >> k;
        let ones = quotient.saturating_sub(t);
        bits += (ones + 1).min(cap) + if ones == 0 { t } else { 0 };
    }
    bits
}

/// Appends the bytes of `plan`.
fn write(
    plan: &Plan,
    values: &[u32],
    last_rank: u32,
    range: u32,
    palette: Option<&[u32]>,
    out: &mut Vec<u8>,
) {
    let levels = &plan.levels[..values.len() / GROUP];
    let codes = &plan.codes[..values.len()];
    let mut writer = BitWriter::append(out);
    writer.put(plan.predictor as u32, 4);
    writer.put(plan.base, base_bits(range));
    writer.put(plan.delta_bits, 2);
    writer.put(palette.is_some().into(), 1);
    if let Some(palette) = palette {
        writer.put(palette.len() as u32, 4);
        for &entry in palette {
            writer.put(entry, width(range));
        }
    }
    for level in levels {
        writer.put(level - plan.base, plan.delta_bits);
    }
    let first_low_bits = if levels[0] == 0 { 0 } else { level::split(levels[0]).0 };
    let first_high_bits = width(last_rank).saturating_sub(first_low_bits);
    if first_high_bits > 0 {
        writer.put(values[0] >> first_low_bits, first_high_bits);
    }
    let cap = level::most_ones(plan.base, last_rank);
    for (chunk, (codes, levels)) in
        codes.as_chunks::<64>().0.iter().zip(levels.as_chunks::<8>().0).enumerate()
    {
        planes(codes, levels, chunk == 0, cap, &mut writer);
    }
    writer.align();
    for (g, (codes, level)) in codes.as_chunks::<GROUP>().0.iter().zip(levels).enumerate() {
        if *level > 0 {
            let k = level::split(*level).0;
            for (i, &code) in codes.iter().enumerate() {
                let code = if g == 0 && i == 0 { values[0] } else { code };
                writer.put(code & ((1 << k) - 1), k);
            }
        }
    }
    writer.align();
}

/// Writes the planes of 64 codes.
fn planes(codes: &[u32; 64], levels: &[u32; 8], has_first: bool, cap: u32, writer: &mut BitWriter) {
    let (mut active, mut near, mut apart) = (0u64, 0u64, 0u64);
    let mut ones = [0; 64];
    for (i, &code) in codes.iter().enumerate() {
        let level = levels[i / 8];
        if level == 0 || (has_first && i == 0) {
            continue;
        }
        let (k, t) = level::split(level);
        let quotient = code >> k;
        ones[i] = quotient.saturating_sub(t);
        active |= 1 << i;
        near |= u64::from(ones[i] == 0 && t == 1) << i;
        apart |= u64::from(ones[i] == 0 && t == 1 && quotient == 1) << i;
    }
    let mut alive = active;
    for plane in 0..cap {
        if alive == 0 && plane > 0 {
            break;
        }
        let mut set = 0;
        for (i, &ones) in ones.iter().enumerate() {
            set |= u64::from(ones > plane) << i;
        }
        writer.put_masked(set, alive);
        alive &= set;
        if plane == 0 {
            writer.put_masked(apart, near);
        }
    }
    if cap == 0 {
        writer.put_masked(apart, near);
    }
}

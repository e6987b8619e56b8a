//! Bits to a brick's values.

use super::{GROUP, MAX_PALETTE, WIDE, base_bits, level, predict};
use crate::bits::width;

/// Zero bytes that must follow the bytes of bricks, so that reads need no care at the end.
pub(crate) const PADDING: usize = 40;

/// Decodes the brick at byte `start` of `bytes` into `values` (0..=`range`, x fastest), and returns where its bytes end. `range` must
/// not be zero. `None` if the bytes end too soon; bytes no encoder writes give some values.
pub(crate) fn brick(
    bytes: &[u8],
    start: usize,
    range: u32,
    side: usize,
    values: &mut [u32],
) -> Option<usize> {
    let mut position = start * 8;
    let mut take = |bits: u32| {
        let value = window(bytes, position)? & ((1 << bits) - 1);
        position += bits as usize;
        Some(value as u32)
    };
    let predictor = take(4)? as usize;
    let base = take(base_bits(range))?;
    let delta_bits = take(2)?;
    let mut palette = [0; MAX_PALETTE];
    let mut last_rank = range;
    let has_palette = take(1)? == 1;
    if has_palette {
        last_rank = take(4)? + 1;
        let entry_bits = width(range);
        for entry in &mut palette[1..last_rank as usize] {
            *entry = take(entry_bits)?;
        }
        palette[last_rank as usize] = range;
    }
    let mut levels = [0; 64];
    let levels = &mut levels[..values.len() / GROUP];
    for level in levels.iter_mut() {
        *level = base + take(delta_bits)?;
    }
    let first_low_bits = if levels[0] == 0 { 0 } else { level::split(levels[0]).0 };
    let first_bits = width(last_rank);
    let first_high = take(first_bits.saturating_sub(first_low_bits))?;

    let cap = level::most_ones(base, last_rank);
    for (chunk, (codes, levels)) in values.chunks_exact_mut(64).zip(levels.chunks_exact(8)).enumerate() {
        position = planes(bytes, position, chunk == 0, levels, cap, codes)?;
    }
    let mut at = position.div_ceil(8);
    for (level, codes) in levels.iter().zip(values.as_chunks_mut::<GROUP>().0) {
        if *level > 0 {
            let k = level::split(*level).0 & 31;
            remainders(bytes.get(at..at + PADDING)?, k, codes);
            at += k as usize;
        }
    }
    if levels[0] == 0 {
        values[0] = 0;
    }
    values[0] = if first_low_bits > 31 {
        0
    } else {
        (values[0] & ((1 << first_low_bits) - 1)) | first_high << first_low_bits
    };

    undo_prediction(predictor, last_rank, side, values);
    if has_palette {
        for value in values.iter_mut() {
            *value = palette[(*value as usize).min(MAX_PALETTE - 1)];
        }
    }
    Some(at)
}

/// The bits from `position` on, 57 of them at least.
#[inline(always)]
fn window(bytes: &[u8], position: usize) -> Option<u64> {
    let at = position / 8;
    let window = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(window.try_into().ok()?) >> (position % 8))
}

/// 64 bits from `position` on.
#[inline(always)]
fn word(bytes: &[u8], position: usize) -> Option<u64> {
    let at = position / 8;
    let window = bytes.get(at..at + 9)?;
    let low = u64::from_le_bytes(window[..8].try_into().ok()?) >> (position % 8);
    Some(low | (u64::from(window[8]) << 1) << (63 - position % 8))
}

/// Spreads the low bits of `bits` over the ones of `mask`.
#[inline(always)]
fn deposit(mut bits: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        out |= lowest & (bits & 1).wrapping_neg();
        bits >>= 1;
        mask ^= lowest;
    }
    out
}

/// Reads the planes of 64 voxels and leaves their quotients in `codes`; returns where the planes end.
#[inline(always)]
fn planes(
    bytes: &[u8],
    mut position: usize,
    has_first: bool,
    levels: &[u32],
    cap: u32,
    codes: &mut [u32],
) -> Option<usize> {
    let (mut active, mut half) = (0u64, 0u64);
    for (g, &level) in levels.iter().enumerate() {
        if level > 0 {
            active |= 0xff << (8 * g);
            half |= (0xff * u64::from(level::split(level).1)) << (8 * g);
        }
    }
    active &= !u64::from(has_first);
    half &= active;
    let mut read = |mask: u64| {
        let bits = deposit(word(bytes, position)?, mask);
        position += mask.count_ones() as usize;
        Some(bits)
    };
    codes.fill(0);
    let mut add = |mask: u64| {
        for (i, code) in codes.iter_mut().enumerate() {
            *code += (mask >> i & 1) as u32;
        }
    };
    let mut alive = active;
    if cap > 0 {
        alive = read(alive)?;
        add(alive);
    } else {
        alive = 0;
    }
    // Half a step: no ones leave quotients 0 and 1 to be told apart, and each one counts from 2 on.
    let near = half & !alive;
    let apart = read(near)?;
    add(apart);
    add(half & alive);
    for _ in 1..cap {
        if alive == 0 {
            break;
        }
        alive = read(alive)?;
        add(alive);
    }
    Some(position)
}

/// Joins eight quotients with their remainders of `k` bits.
#[inline(always)]
fn remainders(bytes: &[u8], k: u32, codes: &mut [u32; GROUP]) {
    for (i, code) in codes.iter_mut().enumerate() {
        let bit = i * k as usize;
        let window = u64::from_le_bytes(bytes[bit / 8..bit / 8 + 8].try_into().expect("eight bytes"));
        let remainder = (window >> (bit % 8)) as u32 & ((1 << k) - 1);
        *code = *code << k | remainder;
    }
}

/// Codes to values, in place; the first is a value already.
#[inline(always)]
fn undo_prediction(predictor: usize, range: u32, side: usize, values: &mut [u32]) {
    match predictor {
        0 => {}
        1 if range < WIDE => {
            for value in &mut values[1..] {
                *value = range.wrapping_sub(*value);
            }
        }
        _ if range < WIDE => {
            let backs = predict::backs(side);
            for i in 1..values.len() {
                let weights = &predict::WEIGHTS[predictor][predict::class(i, side)];
                let mut sum = i32::from(weights[7]).wrapping_mul(range as i32);
                for (back, &weight) in backs.iter().zip(&weights[..7]) {
                    let neighbour = if weight == 0 { 0 } else { values[i - back] as i32 };
                    sum = sum.wrapping_add(neighbour.wrapping_mul(weight.into()));
                }
                let prediction = (sum.wrapping_add(8) >> 4).clamp(0, range as i32);
                values[i] = predict::unfold(values[i], prediction, range as i32) as u32;
            }
        }
        _ => {
            let backs = predict::backs(side);
            for i in 1..values.len() {
                let prediction = wide_prediction(predictor, values, i, side, &backs);
                let code = values[i];
                values[i] = prediction.wrapping_add((code >> 1) ^ (code & 1).wrapping_neg());
            }
        }
    }
}

/// The prediction of voxel `i` of a wide brick.
pub(crate) fn wide_prediction(
    predictor: usize,
    values: &[u32],
    i: usize,
    side: usize,
    backs: &[usize; 7],
) -> u32 {
    let weights = predict::wide_weights(predictor, predict::class(i, side));
    let mut sum = 0u32;
    for (back, &weight) in backs.iter().zip(&weights[..7]) {
        if weight != 0 {
            sum = sum.wrapping_add(values[i - back].wrapping_mul(i32::from(weight) as u32));
        }
    }
    sum
}

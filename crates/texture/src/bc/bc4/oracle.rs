//! A slow evaluator of blocks in whole numbers, written from the formats' descriptions, and the promises that
//! it checks: no block is better than one of quality best, and no quality is worse than a lower one.

use super::{
    encode::{Settings, encode_batch},
    palette::{SNORM_EXACT, SNORM_REAL, UNORM_EXACT, UNORM_REAL, UNORM_TRUNC, ValueRule},
};
use crate::{Quality, bc::batch::BATCH, simd::Scalar};

const RULES: [ValueRule; 5] = [UNORM_REAL, SNORM_REAL, UNORM_EXACT, UNORM_TRUNC, SNORM_EXACT];

/// Units of errors in 1, the full range: a multiple of all denominators, 7·255, 5·255, 7·254, 5·254 and 255.
const UNITS: i64 = 35 * 254 * 255;

/// Returns the value that a rule measures byte `v` as, in units.
fn source(rule: ValueRule, v: u8) -> i64 {
    match rule {
        SNORM_EXACT => (i64::from(v) * 254 + 127) / 255 * (UNITS / 254),
        _ => i64::from(v) * (UNITS / 255),
    }
}

/// Returns the eight values of a block in units.
fn palette(rule: ValueRule, r0: u8, r1: u8) -> Vec<i64> {
    let (ends, top) = if rule.is_signed {
        ([r0, r1].map(|end| i64::from(end as i8).max(-127) + 127), 254)
    } else {
        ([r0, r1].map(i64::from), 255)
    };
    let unit = UNITS / top;
    let between = |k: i64, steps: i64| {
        let sum = (steps - k) * ends[0] + k * ends[1];
        match rule {
            UNORM_REAL | SNORM_REAL => sum * unit / steps,
            UNORM_TRUNC => sum / steps * unit,
            // No fraction of 7 or 5 is a half.
            _ => (2 * sum + steps) / (2 * steps) * unit,
        }
    };
    let mut values = vec![ends[0] * unit, ends[1] * unit];
    if ends[0] > ends[1] {
        values.extend((1..7).map(|k| between(k, 7)));
    } else {
        values.extend((1..5).map(|k| between(k, 5)));
        values.extend([0, UNITS]);
    }
    values
}

/// Returns the squared error of a block.
fn error(rule: ValueRule, block: [u8; 8], texels: &[u8]) -> i64 {
    let palette = palette(rule, block[0], block[1]);
    let indices = u64::from_le_bytes(block) >> 16;
    let error = |(t, &v)| (palette[(indices >> (3 * t) & 7) as usize] - source(rule, v)).pow(2);
    texels.iter().enumerate().map(error).sum()
}

/// Returns the smallest squared error of any block.
fn least_error(rule: ValueRule, texels: &[u8]) -> i64 {
    let mut least = i64::MAX;
    for (r0, r1) in (0..=255).flat_map(|r0| (0..=255).map(move |r1| (r0, r1))) {
        let palette = palette(rule, r0, r1);
        let mut sum = 0;
        for &v in texels {
            let v = source(rule, v);
            sum += palette.iter().map(|value| (value - v).pow(2)).min().unwrap();
            if sum >= least {
                break;
            }
        }
        least = least.min(sum);
    }
    least
}

/// Returns the block of texels, of which the first `len` count.
fn encode(rule: ValueRule, quality: Quality, texels: &[u8; 16], len: usize) -> [u8; 8] {
    let batch = texels.map(|v| [i32::from(v); BATCH]);
    let mut blocks = [[0; BATCH]; 2];
    let settings = Settings { rule, quality };
    let visible = &[(1 << len) - 1; BATCH];
    if len < 16 {
        encode_batch::<Scalar, true, true>(Scalar, &settings, &batch, 0, visible, &mut blocks);
    } else if rule.has_rests() {
        encode_batch::<Scalar, false, true>(Scalar, &settings, &batch, 0, visible, &mut blocks);
    } else {
        encode_batch::<Scalar, false, false>(Scalar, &settings, &batch, 0, visible, &mut blocks);
    }
    let [low, high] = blocks.map(|halves| (halves[0] as u32).to_le_bytes());
    [low, high].concat().try_into().unwrap()
}

/// Texels of many kinds: smooth, noisy, near the ends of the range, few values.
pub(super) fn texels(random: &mut impl FnMut() -> u8, case: usize) -> [u8; 16] {
    let (base, spread) = (random(), random() % 8);
    let few = [random(), random(), random()];
    std::array::from_fn(|t| {
        let v = random() >> spread;
        match (case % 4, random() & 1) {
            (0, 0) => v,
            (0, _) => 255 - v,
            (1, _) => few[usize::from(v) % 3],
            (2, _) => base.saturating_add((t as u8).wrapping_mul(spread)).saturating_sub(v & 3),
            _ => base.saturating_add(v),
        }
    })
}

pub(super) fn random() -> impl FnMut() -> u8 {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    }
}

#[test]
fn nothing_is_better_than_best() {
    let mut random = random();
    for case in 0..if cfg!(debug_assertions) { 40 } else { 1000 } {
        let texels = texels(&mut random, case / 5);
        let len = if case % 3 == 0 { 1 + usize::from(random()) % 15 } else { 16 };
        let rule = RULES[case % 5];
        let found = error(rule, encode(rule, Quality::Best, &texels, len), &texels[..len]);
        assert_eq!(found, least_error(rule, &texels[..len]), "{rule:?} {len} of {texels:?}");
    }
}

#[test]
fn no_quality_is_worse_than_a_lower_one() {
    let mut random = random();
    for case in 0..if cfg!(debug_assertions) { 2000 } else { 100_000 } {
        let texels = texels(&mut random, case / 5);
        let len = if case % 7 == 0 { 1 + usize::from(random()) % 15 } else { 16 };
        let rule = RULES[case % 5];
        let mut last = i64::MAX;
        for &quality in Quality::ALL {
            let error = error(rule, encode(rule, quality, &texels, len), &texels[..len]);
            assert!(error <= last, "{rule:?} {quality:?}, {len} of {texels:?}: {error} after {last}");
            last = error;
        }
    }
}

/// The decoders round the same values: to 8 bits once, and to floats.
#[test]
fn decoded_values_are_those_of_the_evaluator() {
    for (r0, r1) in (0..=255u8).flat_map(|r0| (0..=255u8).map(move |r1| (r0, r1))) {
        for rule in RULES {
            let exact = palette(rule, r0, r1);
            let bytes = exact.iter().map(|&value| ((2 * 255 * value + UNITS) / (2 * UNITS)) as u8);
            assert_eq!(rule.palette(r0, r1).to_vec(), bytes.collect::<Vec<_>>(), "{rule:?} {r0} {r1}");
            if rule.is_real() {
                let floats = exact.iter().map(|&value| (value as f64 / UNITS as f64) as f32);
                assert_eq!(rule.floats(r0, r1).to_vec(), floats.collect::<Vec<_>>(), "{rule:?} {r0} {r1}");
            }
        }
    }
}

//! Tests that refitted blocks have the nearest of NVIDIA's values, and no larger error than before. Values
//! are those of `nvidia.rs`, which digests of an H200 check.

use super::{
    encode::{Settings, encode_batch},
    nvidia,
    oracle::{random, texels},
    pack::BatchBlocks,
    palette::ValueRule,
    refit::{Units, palette, refit_batch},
};
use crate::{
    Quality, RoundingRule,
    bc::batch::{BATCH, BatchTexels},
    simd::{Float as _, Int as _, Scalar, Simd as _},
};

const RULES: [ValueRule; 3] = [
    ValueRule::alpha(RoundingRule::Nvidia),
    ValueRule::unorm(RoundingRule::Nvidia),
    ValueRule::snorm(RoundingRule::Nvidia),
];

/// Returns a block's values and its sources, in fractions of the same whole number.
fn values_and_sources(rule: &ValueRule, block: [u8; 8], texels: &[u8; 16]) -> ([i64; 8], [i64; 16]) {
    let (r0, r1) = (block[0], block[1]);
    let (values, scale) = if !rule.is_real() {
        (nvidia::alpha(r0, r1).map(i64::from), 1)
    } else if rule.is_signed {
        // From −1 to 1 in 32767ths to 0 to 1 in 65534ths, times 255.
        (nvidia::snorm(r0, r1).map(|value| (i64::from(value) + 32767) * 255), 65534)
    } else {
        (nvidia::unorm(r0, r1).map(i64::from), 257)
    };
    (values, texels.map(|v| i64::from(v) * scale))
}

fn indices(block: [u8; 8]) -> [usize; 16] {
    let bits = u64::from_le_bytes(block) >> 16;
    std::array::from_fn(|t| (bits >> (3 * t)) as usize & 7)
}

/// Returns the squared error of the texels in `visible`.
fn error(rule: &ValueRule, block: [u8; 8], texels: &[u8; 16], visible: i32) -> i64 {
    let (values, sources) = values_and_sources(rule, block, texels);
    let seen = (0..16).filter(|t| visible >> t & 1 != 0);
    seen.map(|t| (values[indices(block)[t]] - sources[t]).pow(2)).sum()
}

/// Returns the smallest squared error that these endpoints allow.
fn least_error(rule: &ValueRule, ends: [u8; 2], texels: &[u8; 16]) -> i64 {
    let (values, sources) = values_and_sources(rule, [ends[0], ends[1], 0, 0, 0, 0, 0, 0], texels);
    sources.iter().map(|source| values.map(|value| (value - source).pow(2)).into_iter().min().unwrap()).sum()
}

fn batch(texels: &[u8; 16]) -> BatchTexels {
    texels.map(|v| [i32::from(v); BATCH])
}

fn block(blocks: &BatchBlocks) -> [u8; 8] {
    let [low, high] = blocks.map(|halves| (halves[0] as u32).to_le_bytes());
    [low, high].concat().try_into().unwrap()
}

/// Returns the blocks before and after the refit.
fn encode(rule: &ValueRule, quality: Quality, texels: &[u8; 16], visible: i32) -> [[u8; 8]; 2] {
    let (texels, visible) = (batch(texels), [visible; BATCH]);
    let mut blocks = [[0; BATCH]; 2];
    let settings = Settings { rule: *rule, quality };
    encode_batch::<Scalar, true, true>(Scalar, &settings, &texels, 0, &visible, &mut blocks);
    let before = block(&blocks);
    refit_batch(Scalar, (rule, quality), &texels, Some(0), &visible, &mut blocks);
    [before, block(&blocks)]
}

#[test]
fn indices_are_the_nearest_and_no_error_rises() {
    let mut random = random();
    for rule in &RULES {
        let mut gains = [0; 5];
        for case in 0..if cfg!(debug_assertions) { 1500 } else { 20_000 } {
            let texels = texels(&mut random, case);
            let visible = if case % 3 == 0 { 1 << (case % 16) | i32::from(random()) } else { 0xffff };
            for (gain, &quality) in gains.iter_mut().zip(Quality::ALL) {
                let [before, after] = encode(rule, quality, &texels, visible);
                let what = format!("{rule:?} {quality:?} {visible:04x} of {texels:?}");
                let (values, sources) = values_and_sources(rule, after, &texels);
                for (index, source) in indices(after).into_iter().zip(sources) {
                    let nearest = values.iter().map(|value| (value - source).abs()).min();
                    assert_eq!(Some((values[index] - source).abs()), nearest, "{what}");
                }
                let errors = [before, after].map(|block| error(rule, block, &texels, visible));
                assert!(errors[1] <= errors[0], "{what}: {errors:?}");
                if quality < Quality::Normal {
                    assert_eq!(before[..2], after[..2], "{what}");
                }
                *gain += errors[0] - errors[1];
            }
        }
        assert!(gains[2] > 5 * gains[1] && gains[3..].iter().all(|&gain| gain > 0), "{rule:?}: {gains:?}");
    }
}

/// The last sweep of the search tries each step once, so another would gain in a few blocks.
#[test]
fn few_blocks_of_best_quality_gain_from_another_step() {
    let mut random = random();
    for rule in &RULES {
        let mut left = 0;
        for case in 0..300 {
            let texels = texels(&mut random, case);
            let [_, found] = encode(rule, Quality::Best, &texels, 0xffff);
            let error = error(rule, found, &texels, 0xffff);
            let codes = [found[0], found[1]].map(|stored| rule.code(stored));
            let moved = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(a, b)| {
                let ends = [codes[0] + a, codes[1] + b].map(|code| rule.stored(code.clamp(0, rule.top())));
                least_error(rule, ends, &texels)
            });
            left += usize::from(moved.into_iter().any(|moved| moved < error));
        }
        assert!(left < 30, "{rule:?}: {left}");
    }
}

#[test]
fn values_are_those_of_the_decoder() {
    for rule in &RULES {
        let units = Units::new(rule).unwrap();
        for (a, b) in (0..=rule.top()).flat_map(|a| (0..=rule.top()).map(move |b| (a, b))) {
            let block = [rule.stored(a), rule.stored(b), 0, 0, 0, 0, 0, 0];
            let (expected, _) = values_and_sources(rule, block, &[0; 16]);
            let found = palette(Scalar, units, Scalar.f(a as f32), Scalar.f(b as f32)).map(|value| {
                let mut lanes = [0; BATCH];
                value.to_i().store(&mut lanes);
                i64::from(lanes[0])
            });
            assert_eq!(found, expected, "{rule:?} {a} {b}");
        }
    }
}

#[test]
fn sources_of_16_bits_are_the_nearest_units() {
    for [alpha, unorm, snorm] in
        (0..=65535u16).map(|v| RULES.map(|rule| Units::new(&rule).unwrap().of_16_bits(v)))
    {
        let v = f64::from(unorm) / 65535.0;
        assert_eq!((alpha, snorm), ((255.0 * v).round() as i32, (255.0 * 65534.0 * v).round() as i32));
    }
    for rule in &RULES {
        let units = Units::new(rule).unwrap();
        let (_, sources) =
            values_and_sources(rule, [0; 8], &[0, 1, 2, 77, 128, 254, 255, 9, 0, 0, 0, 0, 0, 0, 0, 0]);
        for (source, byte) in sources.into_iter().zip([0u16, 1, 2, 77, 128, 254, 255, 9]) {
            assert_eq!(i64::from(units.of_16_bits(257 * byte)), source);
        }
    }
}

//! Tests of bounds against exhaustive search and against the library.

use super::{
    errors_of_best,
    layout::{Layout, Partitions, decoded, layouts},
    part::{Coding, PBits, Part},
    search,
};
use crate::sample::Block;

/// Enough boxes for every block of these tests.
const BUDGET: u64 = 100_000_000;
/// The largest error of a block.
const LARGEST: u32 = 64 * 255 * 255;

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 24
}

/// Returns the least error of a part over all of its endpoints, one palette after another.
fn least_of_all(texels: &[Vec<u8>], alpha: Option<usize>, coding: Coding) -> u32 {
    let channel_count = texels[0].len() as u32;
    let p_bits: &[[u32; 2]] = match coding.p_bits {
        PBits::None => &[[0, 0]],
        PBits::Shared => &[[0, 0], [1, 1]],
        PBits::Own => &[[0, 0], [0, 1], [1, 0], [1, 1]],
    };
    let width = coding.bits + u32::from(coding.p_bits != PBits::None);
    let value = |code: u32, c: u32, p_bit: u32| {
        let code = code >> (coding.bits * c) & ((1 << coding.bits) - 1);
        let code = if coding.p_bits == PBits::None { code } else { code << 1 | p_bit };
        (code << (8 - width)) | (code << (8 - width)) >> width
    };
    let mut least = u32::MAX;
    let codes = 0..1 << (coding.bits * channel_count);
    for (a, b) in codes.clone().flat_map(|a| codes.clone().map(move |b| (a, b))) {
        for &[p, q] in p_bits {
            let distance = |texel: &[u8], weight: u32| -> u32 {
                let square = |(c, &v): (usize, &u8)| {
                    let [a, b] = [value(a, c as u32, p), value(b, c as u32, q)];
                    let entry = (a * (64 - weight) + b * weight + 32) / 64;
                    // Texels that do not stay opaque have an error of at least 255².
                    let more = if Some(c) == alpha && entry < 255 { 255 } else { 0 };
                    (entry.abs_diff(u32::from(v)) + more).pow(2)
                };
                texel.iter().enumerate().map(square).sum()
            };
            let of_texel = |texel: &Vec<u8>| {
                coding.weights.iter().map(|&weight| distance(texel, u32::from(weight))).min().unwrap_or(0)
            };
            least = least.min(texels.iter().map(of_texel).sum());
        }
    }
    least
}

/// For each form of parts with few codes: the bound never exceeds the least error, and reaches it.
#[test]
fn bounds_of_parts_rise_to_the_least_error() {
    const FOUR: &[u16] = &[0, 21, 43, 64];
    const EIGHT: &[u16] = &[0, 9, 18, 27, 37, 46, 55, 64];
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for (channel_count, bits, weights) in [(1, 5, EIGHT), (3, 1, EIGHT), (3, 2, FOUR), (4, 1, FOUR)] {
        for p_bits in [PBits::None, PBits::Shared, PBits::Own] {
            let coding = Coding { bits, p_bits, weights };
            for count in [1, 2, 5, 9] {
                let narrow = random(&mut state) % 3 * 100;
                let mut byte = || (random(&mut state) % (256 - narrow) + narrow / 2) as u8;
                let mut texels: Vec<Vec<u8>> =
                    (0..count).map(|_| (0..channel_count).map(|_| byte()).collect()).collect();
                let alpha = (channel_count == 4).then_some(3);
                if let Some(alpha) = alpha {
                    texels.iter_mut().for_each(|texel| texel[alpha] = 255);
                }
                let least = least_of_all(&texels, alpha, coding);
                let mut part = Part::new(&texels, alpha, coding, LARGEST);
                while !part.is_exact() {
                    assert!(part.bound() <= least, "{} > {least}: {coding:?} {texels:?}", part.bound());
                    part.refine(LARGEST);
                }
                assert_eq!(part.bound(), least, "{coding:?} {texels:?}");
                let mut part = Part::new(&texels, alpha, coding, least + 1);
                while part.bound() < least {
                    part.refine(least);
                }
                assert_eq!(part.bound(), least, "excluded below the limit: {coding:?} {texels:?}");
            }
        }
    }
}

/// Random blocks of each mode: no bound over the layouts of this mode exceeds 0 for the texels that the
/// library decodes, so a layout has the values and partitions of the decoder.
#[test]
fn decoded_blocks_have_a_bound_of_0() {
    let partitions = Partitions::new().unwrap();
    let mut state = 0x2545_f491_4f6c_dd1d;
    for mode in 0..8 {
        for _ in 0..4 {
            let bits = u128::from(random(&mut state)) << 90
                | u128::from(random(&mut state)) << 50
                | u128::from(random(&mut state)) << 10
                | u128::from(random(&mut state));
            let bytes = (bits << (mode + 1) | 1 << mode).to_le_bytes();
            let block = decoded(&bytes).unwrap()[0];
            let all = layouts(&block, &partitions);
            let of_mode: Vec<Layout> = all.into_iter().filter(|layout| layout.mode == mode).collect();
            let bound = search::over(&of_mode, 1, BUDGET);
            assert_eq!(bound.error, 0, "mode {mode}: {block:?}");
            let better = bound.better.expect("a block with an error of 0");
            assert_eq!(decoded(&better).unwrap()[0], block, "mode {mode}");
        }
    }
}

/// Blocks of two colours and blocks of noise: no block of `best` is below the bound.
#[test]
fn no_encoded_block_is_below_its_bound() {
    let partitions = Partitions::new().unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut byte = || random(&mut state) as u8;
    let blocks: Vec<Block> = (0..4)
        .map(|kind| {
            let colors = [(); 2].map(|()| [byte(), byte(), byte(), byte() | (255 * (kind / 2 % 2)) as u8]);
            std::array::from_fn(|_| match kind % 2 {
                0 => colors[usize::from(byte() % 2)],
                _ => colors[0].map(|v| v / 2 + byte() % 32),
            })
        })
        .collect();
    let errors = errors_of_best(&blocks).unwrap();
    for (block, &known) in blocks.iter().zip(&errors) {
        for budget in [0, 10_000] {
            let bound = search::bound(block, &partitions, known + 1, budget);
            assert!(bound.error <= known, "{bound:?} > {known}: {block:?}");
        }
    }
}

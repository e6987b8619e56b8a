//! Colours in real time. `real_time.wgsl` takes the same steps.
//!
//! ```text
//! planes by least squares (planar.rs), halves at once (quick.rs)
//! level 2: twice the fits, steps of the planes' codes, all four tables of far halves, T and H blocks
//! ```
//!
//! Weights of channels have no effect. Numbers are integers below 2²⁴ in floats. Means are such numbers times
//! a constant, rounded once; the products are never part of a fused operation.

use super::{
    finish::finish,
    found::Found,
    planar, quick, real_time_paint as paint, solid,
    texels::{Block, Weights},
};
#[cfg(feature = "gpu")]
use super::{
    halves::{FIVE, FOUR},
    planar::{CORRECTED, PLANE_UNIT},
    tables::{DISTANCES, MODIFIERS},
    texels::OPAQUE_FROM,
};
use crate::{
    RealTime,
    bc::batch::{BATCH, BatchTexels},
    etc::eac::BatchBlocks,
    simd::{Simd, each},
};

/// Returns the windows of planar blocks.
fn plane_windows(level: RealTime) -> Option<usize> {
    if level == RealTime::Level1 { None } else { Some(0) }
}

/// Encodes [`BATCH`] blocks, with or without 1-bit alpha.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd>(
    s: S,
    has_alpha: bool,
    level: RealTime,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    for first in (0..BATCH).step_by(S::LANES) {
        let block = &Block::load(s, has_alpha, &Weights([1.0; 3]), texels, visible, first);
        let mut found = Found::new(s);
        solid::search(s, block, &mut found);
        planar::search(s, block, plane_windows(level), &mut found);
        for flip in 0..2 {
            let halves = each!(i in 2 => block.half(s, 2 * flip + i));
            found.offer(&quick::halves(s, block, level, flip, &halves, !has_alpha));
        }
        if level == RealTime::Level2 {
            paint::search(s, block, &mut found);
        }
        finish(s, block, &found, first, blocks);
    }
}

/// Returns the modifiers as bytes, four tables in a word: small and large ones of the first four tables, then
/// those of the others.
#[cfg(feature = "gpu")]
pub(in crate::etc) fn modifier_words() -> [u32; 4] {
    let word = |i: usize| {
        let modifiers = MODIFIERS[i / 2 * 4..][..4].iter().map(|modifiers| modifiers[i % 2] as u8);
        u32::from_le_bytes(std::array::from_fn(|k| modifiers.clone().nth(k).unwrap_or_default()))
    };
    std::array::from_fn(word)
}

/// Returns constants of the kernels.
#[cfg(feature = "gpu")]
pub(in crate::etc) fn integers(level: RealTime, has_alpha: bool) -> [(&'static str, u32); 5] {
    let distances = DISTANCES.map(|distance| distance as u8);
    let [low, high] = [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|i| distances[at + i])));
    [
        ("HAS_ALPHA", has_alpha.into()),
        ("OPAQUE_FROM", OPAQUE_FROM as u32),
        ("PLANE_STEPS", plane_windows(level).map_or(0, |_| planar::STEPS as u32)),
        ("FIRST_DISTANCES", low),
        ("LAST_DISTANCES", high),
    ]
}

/// Constants of the kernels: codes per value, and what a plane's error corrects.
#[cfg(feature = "gpu")]
pub(in crate::etc) const FLOATS: [(&str, f32); 5] = [
    ("FOUR_RATE", FOUR / 255.0),
    ("FIVE_RATE", FIVE / 255.0),
    ("SIX_PLANE_RATE", 63.0 / PLANE_UNIT),
    ("SEVEN_PLANE_RATE", 127.0 / PLANE_UNIT),
    ("CORRECTED", CORRECTED),
];

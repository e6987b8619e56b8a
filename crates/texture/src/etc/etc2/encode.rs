//! The work of each quality. Each does everything that the lower ones do, and then more.

use super::{
    finish::finish,
    found::Found,
    halves::{Extent, Halves, WindowSize},
    paint, planar, quick, solid,
    texels::{Block, Weights},
};
use crate::{
    Quality, RealTime,
    bc::batch::{BATCH, BatchTexels},
    etc::eac::BatchBlocks,
    simd::{Simd, each},
};

/// Settings of a search.
struct Plan {
    /// Windows of planar blocks; `None` if their codes are not improved.
    planes: Option<usize>,
    /// Searches of halves, one after the other.
    halves: &'static [Extent],
    paint: Option<paint::Effort>,
}

const fn plan(quality: Quality) -> Plan {
    const fn window(radius: i32, tables: usize) -> WindowSize {
        WindowSize { radius, tables }
    }
    const FITTED: Extent = Extent { windows: &[], near: &[], individual: &[] };
    const NEAR: Extent = Extent { windows: &[window(1, 3)], near: &[window(1, 2)], individual: &[] };
    const WIDE: Extent =
        Extent { windows: &[window(1, 8), window(1, 8)], near: &[window(1, 8)], individual: &[window(1, 8)] };
    const WIDEST: Extent = Extent {
        windows: &[window(1, 8), window(2, 8), window(3, 8)],
        near: &[window(1, 8), window(2, 8)],
        individual: &[window(1, 8), window(2, 8)],
    };
    let (windows, halves, fits, rounds): (usize, &'static [Extent], usize, usize) = match quality {
        Quality::Ultrafast => return Plan { planes: None, halves: &[], paint: None },
        Quality::Fast => (0, &[FITTED], 1, 0),
        Quality::Normal => (1, &[FITTED, NEAR], 2, 1),
        Quality::High => (2, &[FITTED, NEAR, WIDE], 2, 4),
        Quality::Best => (3, &[FITTED, NEAR, WIDE, WIDEST], 2, 8),
    };
    Plan { planes: Some(windows), halves, paint: Some(paint::Effort { fits, rounds }) }
}

/// Encodes [`BATCH`] blocks, with or without 1-bit alpha.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd>(
    s: S,
    has_alpha: bool,
    weights: &Weights,
    quality: Quality,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    let plan = plan(quality);
    for first in (0..BATCH).step_by(S::LANES) {
        let block = Block::load(s, has_alpha, weights, texels, visible, first);
        let mut found = Found::new(s);
        solid::search(s, &block, &mut found);
        for flip in 0..2 {
            let pair = each!(i in 2 => block.half(s, 2 * flip + i));
            let mut quick = quick::halves(s, &block, RealTime::Level1, flip, &pair, !has_alpha);
            if quality != Quality::Ultrafast {
                quick.cost = quick::exact_cost(s, &block, &pair, &quick);
            }
            found.offer(&quick);
        }
        planar::search(s, &block, plan.planes, &mut found);
        if !plan.halves.is_empty() {
            let halves = Halves::fitted(s, &block, !has_alpha);
            for &extent in plan.halves {
                halves.search(s, extent, &mut found);
            }
        }
        if let Some(effort) = plan.paint {
            paint::search(s, &block, effort, &mut found);
        }
        finish(s, &block, &found, first, blocks);
    }
}

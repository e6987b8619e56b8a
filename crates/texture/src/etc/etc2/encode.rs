//! The work of each quality. Each does everything that the lower ones do, and then more.

use super::{
    finish::finish,
    found::Found,
    halves::{Extent, Halves},
    paint, planar,
    texels::{Block, Weights},
};
use crate::{
    Quality,
    bc::batch::{BATCH, BatchTexels},
    etc::eac::BatchBlocks,
    simd::Simd,
};

/// Settings of a search.
struct Plan {
    /// Rounds of steps of planes.
    plane_rounds: usize,
    /// Searches of halves, one after the other.
    halves: &'static [Extent],
    paint: Option<paint::Effort>,
}

const fn plan(quality: Quality) -> Plan {
    const FITTED: Extent = Extent { windows: &[], individual: &[] };
    const NEAR: Extent = Extent { windows: &[(1, false)], individual: &[(1, false)] };
    const WIDE: Extent = Extent { windows: &[(1, true), (1, true)], individual: &[(1, true)] };
    const WIDEST: Extent = Extent { windows: &[(2, true), (2, true)], individual: &[(2, true)] };
    const ALL: Extent =
        Extent { windows: &[(3, true), (3, true), (3, true)], individual: &[(2, true), (2, true)] };
    let (plane_rounds, halves, fits, rounds): (usize, &'static [Extent], usize, usize) = match quality {
        Quality::Ultrafast => return Plan { plane_rounds: 0, halves: &[], paint: None },
        Quality::Fast => (1, &[FITTED], 1, 0),
        Quality::Normal => (1, &[FITTED, NEAR, WIDE], 2, 2),
        Quality::High => (2, &[FITTED, NEAR, WIDE, WIDEST], 2, 4),
        Quality::Best => (3, &[FITTED, NEAR, WIDE, WIDEST, ALL], 2, 8),
    };
    Plan { plane_rounds, halves, paint: Some(paint::Effort { fits, rounds }) }
}

/// Encodes [`BATCH`] blocks without alpha, or with 1-bit alpha if `ALPHA`.
#[inline(always)]
pub(crate) fn encode_batch<S: Simd, const ALPHA: bool>(
    s: S,
    weights: &Weights,
    quality: Quality,
    texels: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    let plan = plan(quality);
    for first in (0..BATCH).step_by(S::LANES) {
        let block = Block::load::<ALPHA>(s, weights, texels, visible, first);
        let mut found = Found::new(s);
        let mut halves = Halves::new(s, &block, !ALPHA);
        halves.quick(s, &mut found);
        planar::search(s, &block, plan.plane_rounds, &mut found);
        if !plan.halves.is_empty() {
            halves.fit(s);
        }
        for &extent in plan.halves {
            halves.search(s, extent, &mut found);
        }
        if let Some(effort) = plan.paint {
            paint::search(s, &block, effort, &mut found);
        }
        finish(s, &block, &found, first, blocks);
    }
}

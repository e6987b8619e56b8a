//! Search for the base, multiplier and table of each block.
//!
//! ```text
//! for each table: multiplier by the range of the texels, and around it
//!     base by the middle of the range → fit it to the indices, … → steps around the best, a window
//! ```
//!
//! Each quality tries everything that the lower ones try, and then more. `optimal.rs` has quality best.

use super::{
    best::Best,
    estimate::{estimate, multiplier},
    kind::Kind,
    optimal,
    pack::{BatchBlocks, pack},
    real_time,
    values::{Cost, Refit, Values},
};
use crate::{
    Quality,
    bc::batch::{BATCH, BatchTexels},
    etc::effort::Effort,
    simd::{Float, Simd},
};

/// Encodes a channel of [`BATCH`] blocks, whose texels are values of the kind.
#[inline(always)]
pub(super) fn encode_batch<S: Simd>(
    s: S,
    kind: &Kind,
    effort: Effort,
    targets: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    for first in (0..BATCH).step_by(S::LANES) {
        let values = Values::load(s, kind, targets, visible, first);
        let mut best = Best { cost: s.f(f32::MAX), base: s.f(0.0), multiplier: s.f(1.0), table: s.f(0.0) };
        match effort {
            Effort::RealTime(level) => real_time::search(s, kind, level, &values, &mut best),
            Effort::Quality(Quality::Ultrafast) => estimate(s, kind, &values, &QUICK_TABLES, &mut best),
            Effort::Quality(Quality::Best) => {
                search(s, kind, Quality::Normal, &values, &mut best);
                optimal::improve(s, kind, &values, &mut best);
            }
            Effort::Quality(quality) => search(s, kind, quality, &values, &mut best),
        }
        pack(s, &values, &best, first, blocks);
    }
}

/// Tables of quality ultrafast, the best choice of this number on photographs, and table 13, whose modifier 0
/// makes single values exact.
const QUICK_TABLES: [usize; 9] = [9, 2, 15, 11, 10, 5, 0, 1, 13];

/// Extent of a search.
struct Extent {
    /// Multipliers on each side of the estimate.
    multipliers: i32,
    /// Multipliers on each side of the estimate for which the unfitted base is tried.
    unfitted: i32,
    /// Steps on each side of the best base.
    steps: i32,
    /// Steps on each side of the unfitted base.
    window: i32,
}

const fn extent(quality: Quality) -> Extent {
    match quality {
        Quality::Ultrafast | Quality::Fast => Extent { multipliers: 1, unfitted: 0, steps: 0, window: 0 },
        Quality::Normal => Extent { multipliers: 2, unfitted: 0, steps: 2, window: 0 },
        Quality::High | Quality::Best => Extent { multipliers: 3, unfitted: 3, steps: 2, window: 12 },
    }
}

/// Tries several multipliers and bases of each table.
#[inline(always)]
fn search<S: Simd>(s: S, kind: &Kind, quality: Quality, values: &Values<S>, best: &mut Best<S>) {
    let extent = extent(quality);
    let middle = (values.least + values.greatest) * s.f(0.5);
    let [least, greatest] = values.numbers.multipliers;
    let [first_base, last_base] = values.numbers.bases;
    for table in 0..16 {
        let estimate = multiplier(s, kind, values, table);
        for difference in -extent.multipliers..=extent.multipliers {
            let multiplier = (estimate + s.f(difference as f32)).max(least).min(greatest);
            let scale = values.numbers.scale(s, multiplier);
            let start = values.numbers.base(s, middle, scale);
            let fitted = s.call(Refit { values, table, base: start, scale });
            let cost = s.call(Cost { values, table, base: fitted, scale });
            let mut of_pair = Best { cost, base: fitted, multiplier, table: s.f(table as f32) };
            if difference.abs() <= extent.unfitted {
                of_pair.offer(
                    s,
                    s.call(Cost { values, table, base: start, scale }),
                    start,
                    multiplier,
                    table,
                );
            }
            for (middle, steps) in [(fitted, extent.steps), (start, extent.window)] {
                for step in (-steps..=steps).filter(|&step| step != 0) {
                    let base = (middle + s.f(step as f32)).max(first_base).min(last_base);
                    of_pair.offer(s, s.call(Cost { values, table, base, scale }), base, multiplier, table);
                }
            }
            best.offer(s, of_pair.cost, of_pair.base, multiplier, table);
        }
    }
}

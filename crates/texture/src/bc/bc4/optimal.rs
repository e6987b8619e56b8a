//! Search with bounds for the endpoints with the smallest possible error.
//!
//! The error of a texel depends on the difference of the endpoints and on the texel's distance above the
//! lower one. For each difference, a table therefore holds the squared errors at all distances. The errors of
//! many lower endpoints at once are sums of parts of its row. For each texel, the part starts at another
//! distance.
//!
//! Bounds leave few endpoints to try. Let B be the smallest error so far, and w₀ and wᵣ the smallest and
//! largest texel. No texel is farther than √B from its value, so the line reaches from below w₀ + √B to above
//! wᵣ − √B. Suppose w₀ and wᵣ are `used` steps apart. The error of the other texels is then at least that of
//! the best `used + 1` clusters, which dynamic programming gives. If that exceeds B, steps cannot be so long.
//!
//! With six values, a few of the smallest and largest texels may take the ends of the code range instead.
//!
//! Endpoints are tried in a fixed order and taken only if they are better. Neither the bounds nor the number
//! of endpoints tried at a time changes the result.

use super::{
    best::Best,
    fit::Values,
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
};
use crate::{
    RoundingRule,
    bc::batch::BATCH,
    simd::{LaneFn, Simd},
};
use std::sync::OnceLock;

/// Entries in a row of [`Table`]: lower endpoints up to 255 below and 255 above a texel. Further entries
/// allow full lanes to be read from the last of them.
const ROW: usize = 511 + BATCH;

/// Squared errors, `errors[high − low][low − texel + 255]`.
type Table = [[i32; ROW]; 256];

fn table(rule: &ValueRule, steps: i32) -> Box<Table> {
    let mut table: Box<Table> = vec![[0; ROW]; 256].try_into().expect("256 rows");
    for (span, row) in table.iter_mut().enumerate() {
        // One texel at a time. The nearest value only moves up as texels grow.
        let value = |k: i32| rule.value(steps, 0, span as i32, k);
        let mut k = 0;
        for (place, error) in row.iter_mut().enumerate().rev() {
            let texel = 255 - place as i32;
            while k < steps && (value(k + 1) - texel).abs() <= (value(k) - texel).abs() {
                k += 1;
            }
            *error = (value(k) - texel).pow(2);
        }
    }
    table
}

/// Returns the tables of eight values and of six.
fn tables(rule: &ValueRule) -> &'static [Box<Table>; 2] {
    static EXACT: OnceLock<[Box<Table>; 2]> = OnceLock::new();
    static TRUNC: OnceLock<[Box<Table>; 2]> = OnceLock::new();
    let make = |rounding| {
        let rule = ValueRule::unorm(rounding);
        [table(&rule, EIGHT_VALUES), table(&rule, SIX_VALUES)]
    };
    // Signed blocks differ only in the largest code.
    if rule.bias(EIGHT_VALUES) > 0 {
        EXACT.get_or_init(|| make(RoundingRule::Exact))
    } else {
        TRUNC.get_or_init(|| make(RoundingRule::Trunc))
    }
}

/// Sorts 16 values and returns the smallest errors of the inner 14 in L clusters, in each lane: entry L. No
/// choice of the clusters' values has a smaller error.
struct SortAndBound<'a, S: Simd>(&'a [S::F; 16]);

/// Maximum number of clusters for which errors are bounded.
const MOST_CLUSTERS: usize = 8;

impl<S: Simd> LaneFn<S> for SortAndBound<'_, S> {
    type Output = ([S::F; 16], [S::F; MOST_CLUSTERS + 1]);
    #[inline(always)]
    fn run(self, s: S) -> Self::Output {
        use crate::simd::Float as _;
        let mut x = *self.0;
        // Batcher's odd-even merge sort.
        let mut p = 1;
        while p < 16 {
            let mut k = p;
            while k >= 1 {
                let mut j = k % p;
                while j + k < 16 {
                    for i in 0..k {
                        if i + j + k < 16 && (i + j) / (2 * p) == (i + j + k) / (2 * p) {
                            let (a, b) = (x[i + j], x[i + j + k]);
                            x[i + j] = a.min(b);
                            x[i + j + k] = a.max(b);
                        }
                    }
                    j += 2 * k;
                }
                k /= 2;
            }
            p *= 2;
        }
        let zero = s.f(0.0);
        let origin = x[1];
        // costs[e][a]: error of the values a to e in one cluster. Numerators are integers below 2²⁴.
        let mut costs = [[zero; 15]; 15];
        for a in 1..15 {
            let (mut sum, mut squares) = (zero, zero);
            for e in a..15 {
                let w = x[e] - origin;
                sum = sum + w;
                squares = squares + w * w;
                costs[e][a] = squares - sum * sum * s.f(1.0 / (e - a + 1) as f32);
            }
        }
        let mut bounds = [zero; MOST_CLUSTERS + 1];
        let mut best = [zero; 15];
        for e in 1..15 {
            best[e] = costs[e][1];
        }
        for (clusters, bound) in bounds.iter_mut().enumerate().skip(1) {
            if clusters > 1 {
                for e in (1..15).rev() {
                    let mut least = costs[e][1];
                    for a in 2..=e {
                        least = least.min(best[a - 1] + costs[e][a]);
                    }
                    best[e] = least;
                }
            }
            // Subtract the possible rounding error of floats.
            *bound = (best[14] - s.f(1.0)).max(zero);
        }
        (x, bounds)
    }
}

/// Encoding of one block.
#[derive(Clone, Copy)]
struct Found {
    cost: i32,
    six: bool,
    low: i32,
    high: i32,
}

/// Replaces the encodings in `best` that are not optimal, for the blocks from lane `first` on.
#[inline(always)]
pub(crate) fn improve<S: Simd, const MASKED: bool>(
    s: S,
    rule: &ValueRule,
    values: &Values<S, MASKED>,
    visible: &[i32; BATCH],
    first: usize,
    best: &mut Best<S>,
) {
    use crate::simd::{Float as _, Int as _};
    let zero = s.i(0);
    let (mut costs, mut lows, mut highs, mut sixes) = ([0; BATCH], [0; BATCH], [0; BATCH], [0; BATCH]);
    best.cost.to_i().store(&mut costs);
    best.low.to_i().store(&mut lows);
    best.high.to_i().store(&mut highs);
    zero.or_if(best.six, s.i(1)).store(&mut sixes);
    let (sorted, lanes) = s.call(SortAndBound(&values.v));
    let mut texels = [[0; BATCH]; 16];
    for (texels, v) in texels.iter_mut().zip(if MASKED { &values.v } else { &sorted }) {
        v.to_i().store(texels);
    }
    let mut bounds = [[0; BATCH]; MOST_CLUSTERS + 1];
    if !MASKED {
        for (bounds, lanes) in bounds.iter_mut().zip(lanes) {
            lanes.floor().to_i().store(bounds);
        }
    }
    let tables = tables(rule);
    for lane in 0..S::LANES {
        if costs[lane] == 0 {
            continue;
        }
        let mut block = Block { texels: [0; 16], len: 0 };
        for (t, texels) in texels.iter().enumerate() {
            if visible[first + lane] >> t & 1 != 0 {
                block.texels[block.len] = texels[lane];
                block.len += 1;
            }
        }
        if MASKED {
            block.texels[..block.len].sort_unstable();
        }
        let bounds = std::array::from_fn(|clusters| bounds[clusters][lane]);
        let mut found =
            Found { cost: costs[lane], six: sixes[lane] != 0, low: lows[lane], high: highs[lane] };
        s.call(Search::<MASKED> {
            top: rule.top(),
            tables,
            block: &block,
            bounds: &bounds,
            found: &mut found,
        });
        (sixes[lane], lows[lane], highs[lane]) = (found.six.into(), found.low, found.high);
    }
    best.low = s.load_i(&lows).to_f();
    best.high = s.load_i(&highs).to_f();
    best.six = zero.lt(s.load_i(&sixes));
}

/// Texels of a block that count, sorted.
struct Block {
    texels: [i32; 16],
    len: usize,
}

struct Search<'a, const MASKED: bool> {
    /// Largest code.
    top: i32,
    tables: &'a [Box<Table>; 2],
    block: &'a Block,
    bounds: &'a [i32; MOST_CLUSTERS + 1],
    found: &'a mut Found,
}

impl<S: Simd, const MASKED: bool> LaneFn<S> for Search<'_, MASKED> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { top, tables, block, bounds, found } = self;
        let texels = &block.texels[..block.len];
        let (least, greatest) = (texels[0], texels[texels.len() - 1]);
        spans::<S, MASKED, false>(s, top, &tables[0], block, [least, greatest], bounds, found);
        // The smallest and largest texels that may be on the line of six values.
        let (mut below, mut above) = (0, 0);
        let (mut highest_least, mut lowest_greatest) = (least, greatest);
        for &texel in texels {
            highest_least = texel;
            below += texel * texel;
            if below >= found.cost {
                break;
            }
        }
        for &texel in texels.iter().rev() {
            lowest_greatest = texel;
            above += (top - texel) * (top - texel);
            if above >= found.cost {
                break;
            }
        }
        let is_inner = extreme_error(top, least).min(extreme_error(top, greatest)) >= found.cost;
        let bounds = if is_inner { bounds } else { &[0; MOST_CLUSTERS + 1] };
        spans::<S, MASKED, true>(s, top, &tables[1], block, [highest_least, lowest_greatest], bounds, found);
    }
}

/// Tries all endpoints that bounds do not exclude. The line reaches from `ends[0]` or below to `ends[1]` or
/// above. The error so far limits the tolerance of both.
#[inline(always)]
fn spans<S: Simd, const MASKED: bool, const SIX: bool>(
    s: S,
    top: i32,
    table: &Table,
    block: &Block,
    ends: [i32; 2],
    bounds: &[i32; MOST_CLUSTERS + 1],
    found: &mut Found,
) {
    let steps = if SIX { SIX_VALUES } else { EIGHT_VALUES };
    let range = (ends[1] - ends[0]).max(0);
    let mut span = 0;
    // From short spans to long ones: the longer the span, the fewer steps are between the ends.
    for used in (1..=steps).rev() {
        let bound = bounds[used as usize + 1];
        let is_unbounded = SIX && bounds[2] == 0;
        let (mut cost, mut reach, mut longest) = (i32::MAX, 0, 0);
        loop {
            if found.cost < cost {
                cost = found.cost;
                if cost <= bound {
                    return;
                }
                reach = root(cost - bound);
                longest = if is_unbounded { top } else { top.min((range + 2 * reach + 1) * steps / used) };
                span = span.max(range - 2 * reach);
            }
            if span > longest {
                break;
            }
            let from = (ends[1] - reach - span).max(0);
            let to = (ends[0] + reach).min(top - span);
            let mut low = from;
            while low <= to {
                row::<S, MASKED, SIX>(s, top, &table[span as usize], block, [low, to, span], found);
                low += S::LANES as i32;
            }
            span += 1;
        }
    }
}

/// Returns the square root, rounded down.
#[inline(always)]
fn root(value: i32) -> i32 {
    (value as f32).sqrt() as i32
}

/// Order in which the errors of sorted texels are added, the most informative first.
const ORDER: [usize; 16] = [0, 15, 7, 11, 3, 9, 5, 13, 1, 8, 12, 4, 10, 6, 14, 2];

/// Tries lower endpoints from `low` to `to`, one per lane.
#[inline(always)]
fn row<S: Simd, const MASKED: bool, const SIX: bool>(
    s: S,
    top: i32,
    errors: &[i32; ROW],
    block: &Block,
    [low, to, span]: [i32; 3],
    found: &mut Found,
) {
    use crate::simd::{Int as _, Mask as _};
    let mut cost = s.i(0);
    for (place, &t) in ORDER.iter().enumerate() {
        if MASKED && t >= block.len {
            continue;
        }
        let texel = block.texels[t];
        let error = s.load_i(&errors[(low - texel + 255) as usize & 511..]);
        cost = cost + if SIX { error.min(s.i(extreme_error(top, texel))) } else { error };
        if (place == 3 || place == 8 || place == 15) && !cost.lt(s.i(found.cost)).any() {
            return;
        }
    }
    let mut costs = [0; BATCH];
    cost.store(&mut costs);
    for (low, &cost) in (low..=to).zip(&costs[..S::LANES]) {
        if cost < found.cost {
            *found = Found { cost, six: SIX, low, high: low + span };
        }
    }
}

/// Returns the squared error of a texel that takes the nearer end of the code range.
fn extreme_error(top: i32, texel: i32) -> i32 {
    Ord::min(texel, top - texel).pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Quality,
        bc::bc4::{
            decode,
            encode::{Settings, encode_batch},
        },
        simd::Scalar,
    };

    /// Returns the smallest squared error of 16 codes over all pairs of endpoints.
    fn least_error(rule: &ValueRule, codes: &[i32; 16]) -> i32 {
        let mut least = i32::MAX;
        for low in 0..=rule.top() {
            for high in low..=rule.top() {
                // Unlike in a block, equal endpoints may have eight values: all are the same.
                for (steps, extremes) in [(EIGHT_VALUES, &[][..]), (SIX_VALUES, &[0, rule.top()])] {
                    let line = (0..=steps).map(|k| rule.value(steps, low, high, k));
                    let palette: Vec<i32> = line.chain(extremes.iter().copied()).collect();
                    let error = |&v: &i32| palette.iter().map(|p| (p - v).pow(2)).min().unwrap();
                    least = least.min(codes.iter().map(error).sum());
                }
            }
        }
        least
    }

    #[test]
    fn nothing_is_better_than_best() {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        };
        let rules =
            [ValueRule::unorm(RoundingRule::Exact), ValueRule::unorm(RoundingRule::Trunc), ValueRule::SNORM];
        for case in 0..if cfg!(debug_assertions) { 24 } else { 600 } {
            let (base, spread) = (random(), random() % 8);
            let near_extremes = case % 4 == 0;
            let values: [u8; 16] = std::array::from_fn(|_| {
                let v = random() >> spread;
                match (near_extremes, random() & 1 == 0) {
                    (false, _) => base.saturating_add(v),
                    (true, false) => v,
                    (true, true) => 255 - v,
                }
            });
            let rule = rules[case % 3];
            let texels = values.map(|v| [i32::from(v); BATCH]);
            let mut blocks = [[0; BATCH]; 2];
            let settings = Settings { rule, quality: Quality::Best };
            encode_batch::<Scalar, false>(Scalar, &settings, &texels, 0, &[0xffff; BATCH], &mut blocks);
            let [low, high] = blocks.map(|halves| (halves[0] as u32).to_le_bytes());
            let block: [u8; 8] = [low, high].concat().try_into().unwrap();
            let code = |v: u8| if rule.is_signed { (i32::from(v) * 508 + 255) / 510 } else { v.into() };
            let decoded = decode::values::<0>(&block, &rule, 0);
            let error: i32 = (0..16).map(|t| (code(decoded(t) as u8) - code(values[t])).pow(2)).sum();
            assert_eq!(error, least_error(&rule, &values.map(code)), "{rule:?} {values:?}");
        }
    }
}

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
//! Errors are squares of steps of the grid (`palette.rs`).
//!
//! Signed sources under the real rule are v·254/255 codes, so their errors depend on more than distances. The
//! search then moves all texels of a block to v − j/35, with one j for the block, the nearest of
//! [`SHIFTS`]. The root of an error changes by at most the root of the sum of the squared moves. Endpoints
//! whose error after the move is small enough are tried again, with the exact sources.
//!
//! With six values, a few of the smallest and largest texels may take the ends of the code range instead.
//!
//! Endpoints are tried in a fixed order and taken only if they are better. Neither the bounds nor the number
//! of endpoints tried at a time changes the result.

use super::{
    best::Best,
    error_tables::{SHIFTS, Tables, tables},
    fit::Values,
    line::RuleLanes,
    palette::{EIGHT_VALUES, SIX_VALUES, ValueRule},
};
use crate::{
    bc::batch::BATCH,
    simd::{LaneFn, Simd},
};

/// Sorts 16 values and returns the smallest errors of the inner 14 in L clusters, in each lane: entry L. No
/// choice of the clusters' values has a smaller error.
struct SortAndBound<'a, S: Simd>(&'a [S::F; 16]);

/// Maximum number of clusters for which errors are bounded.
const MAX_CLUSTERS: usize = 8;

impl<S: Simd> LaneFn<S> for SortAndBound<'_, S> {
    type Output = ([S::F; 16], [S::F; MAX_CLUSTERS + 1]);
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
        let mut bounds = [zero; MAX_CLUSTERS + 1];
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
    cost: Cost,
    six: bool,
    low: i32,
    high: i32,
}

/// Squared error of a block.
#[derive(Clone, Copy)]
struct Cost {
    /// Exact error: squared steps of the grid, or with rests 51·Σd² + 2·Σd·r as in `cost.rs`.
    exact: i32,
    /// Error of the moved texels from which on none of their endpoints can be better.
    limit: i32,
}

/// Replaces the encodings in `best` that are not optimal, for the blocks from lane `first` on.
#[inline(always)]
pub(crate) fn improve<S: Simd, const MASKED: bool, const RESTS: bool>(
    s: S,
    rule: &ValueRule,
    values: &Values<S, MASKED, RESTS>,
    visible: &[i32; BATCH],
    first: usize,
    best: &mut Best<S, RESTS>,
) {
    use crate::simd::{Float as _, Int as _};
    let zero = s.i(0);
    let (mut costs, mut lows, mut highs, mut sixes) = ([0; BATCH], [0; BATCH], [0; BATCH], [0; BATCH]);
    let mut products = [0; BATCH];
    best.cost.squares.to_i().store(&mut costs);
    best.cost.products.to_i().store(&mut products);
    best.low.to_i().store(&mut lows);
    best.high.to_i().store(&mut highs);
    zero.or_if(best.six, s.i(1)).store(&mut sixes);
    let (sorted, lanes) = s.call(SortAndBound(values.sources()));
    let mut texels = [[0; BATCH]; 16];
    for (texels, v) in texels.iter_mut().zip(if MASKED { values.sources() } else { &sorted }) {
        v.to_i().store(texels);
    }
    let mut bounds = [[0; BATCH]; MAX_CLUSTERS + 1];
    if !MASKED {
        let steps = s.f(rule.grid().pow(2) as f32);
        for (bounds, lanes) in bounds.iter_mut().zip(lanes) {
            (lanes.floor() * steps).to_i().store(bounds);
        }
    }
    for lane in 0..S::LANES {
        if costs[lane] == 0 {
            continue;
        }
        let mut texels_of_block = [0; 16];
        let mut len = 0;
        for (t, texels) in texels.iter().enumerate() {
            if visible[first + lane] >> t & 1 != 0 {
                texels_of_block[len] = texels[lane];
                len += 1;
            }
        }
        if MASKED {
            texels_of_block[..len].sort_unstable();
        }
        let block = Block::new(rule, texels_of_block, len);
        let bounds = std::array::from_fn(|clusters| bounds[clusters][lane]);
        let mut found = Found {
            cost: block.cost(costs[lane], products[lane]),
            six: sixes[lane] != 0,
            low: lows[lane],
            high: highs[lane],
        };
        s.call(Search::<MASKED> { block: &block, bounds: &bounds, found: &mut found });
        (sixes[lane], lows[lane], highs[lane]) = (found.six.into(), found.low, found.high);
    }
    best.low = s.load_i(&lows).to_f();
    best.high = s.load_i(&highs).to_f();
    best.six = zero.lt(s.load_i(&sixes));
}

/// Texels of a block that count, sorted.
struct Block {
    rule: ValueRule,
    texels: [i32; 16],
    /// Squared error of each texel at the nearer end of the code range.
    extremes: [i32; 16],
    len: usize,
    tables: &'static Tables,
    /// Move of the texels in steps of the grid. 0 without rests.
    shift: i32,
    /// Root of the sum of squares of what the shift moves the texels from their exact positions, in steps.
    moved: f64,
    /// Σr².
    rest_squares: i32,
    /// For each texel with a rest, its position as lines take it, the rest, and the distance above the nearer
    /// end of the code range.
    exact: [[f32; 3]; 16],
}

impl Block {
    fn new(rule: &ValueRule, texels: [i32; 16], len: usize) -> Self {
        let middle = (texels[0] + texels[len - 1]) as usize;
        let index = middle * SHIFTS.len() / 511;
        let tables = tables(rule, index);
        let mut block = Self {
            rule: *rule,
            texels,
            extremes: [0; 16],
            len,
            tables,
            shift: 0,
            moved: 0.0,
            rest_squares: 0,
            exact: [[0.0; 3]; 16],
        };
        if rule.has_rests() {
            block.shift = SHIFTS[index];
            let moves = texels[..len].iter().map(|texel| (7 * texel - 51 * block.shift).pow(2));
            block.moved = f64::from(moves.sum::<i32>()).sqrt() / 51.0;
            block.rest_squares = texels[..len].iter().map(|&texel| rule.position(texel).1.pow(2)).sum();
            block.exact = texels.map(|texel| {
                let (position, rest) = rule.position(texel);
                let extreme = position - if texel > 127 { rule.grid() * rule.top() } else { 0 };
                [position as f32 + (2 * rest + 1) as f32 / 128.0, rest as f32, extreme as f32]
            });
        }
        block.extremes = texels.map(|texel| {
            let [bottom, top] = block.extreme_errors(texel);
            Ord::min(bottom, top)
        });
        block
    }

    /// Returns the cost of Σd² and Σd·r.
    fn cost(&self, squares: i32, products: i32) -> Cost {
        self.exact_cost(if self.rule.has_rests() { 51 * squares + 2 * products } else { squares })
    }

    /// Returns the cost of an exact error.
    fn exact_cost(&self, exact: i32) -> Cost {
        if !self.rule.has_rests() {
            return Cost { exact, limit: exact };
        }
        let root = ((51.0 * f64::from(exact) + f64::from(self.rest_squares)) / 2601.0).sqrt();
        // One more than the rounding errors of floats.
        Cost { exact, limit: (root + self.moved).powi(2).ceil() as i32 + 1 }
    }

    /// Returns the exact errors of a row of lower endpoints with rests, one in each lane. Errors of lanes
    /// whose moved texels are within the limit do not overflow.
    #[inline(always)]
    fn exact_errors<S: Simd, const SIX: bool>(&self, s: S, low: i32, span: i32) -> S::I {
        use crate::simd::{Float as _, Int as _};
        const LANES: [i32; BATCH] = {
            let mut lanes = [0; BATCH];
            let mut lane = 0;
            while lane < BATCH {
                lanes[lane] = lane as i32;
                lane += 1;
            }
            lanes
        };
        let low = (s.load_i(&LANES) + s.i(low)).to_f();
        let rule = RuleLanes::new(s, &self.rule, if SIX { SIX_VALUES } else { EIGHT_VALUES });
        let line = rule.line(s, low, low + s.f(span as f32));
        let (mut squares, mut products) = (s.f(0.0), s.f(0.0));
        for &[texel, rest, extreme] in &self.exact[..self.len] {
            let (texel, rest, extreme) = (s.f(texel), s.f(rest), s.f(extreme));
            let mut d = line.error(texel, line.nearest(s, texel));
            if SIX {
                let of_line = d.mul_add(s.f(51.0), rest);
                let of_extreme = extreme.mul_add(s.f(51.0), rest);
                d = d.or_if((of_extreme * of_extreme).lt(of_line * of_line), extreme);
            }
            squares = d.mul_add(d, squares);
            products = d.mul_add(rest, products);
        }
        squares.to_i().mul(s.i(51)) + products.to_i().mul(s.i(2))
    }

    /// Returns the squared distances of a moved texel from the ends of the code range.
    fn extreme_errors(&self, texel: i32) -> [i32; 2] {
        let position = self.rule.grid() * texel - self.shift;
        [position.pow(2), (self.rule.grid() * self.rule.top() - position).pow(2)]
    }
}

struct Search<'a, const MASKED: bool> {
    block: &'a Block,
    bounds: &'a [i32; MAX_CLUSTERS + 1],
    found: &'a mut Found,
}

impl<S: Simd, const MASKED: bool> LaneFn<S> for Search<'_, MASKED> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { block, bounds, found } = self;
        let texels = &block.texels[..block.len];
        let (least, greatest) = (texels[0], texels[texels.len() - 1]);
        spans::<S, MASKED, false>(s, block, [least, greatest], bounds, found);
        // The smallest and largest texels that may be on the line of six values.
        let (mut below, mut above) = (0, 0);
        let (mut highest_least, mut lowest_greatest) = (least, greatest);
        for &texel in texels {
            highest_least = texel;
            below += block.extreme_errors(texel)[0];
            if below >= found.cost.limit {
                break;
            }
        }
        for &texel in texels.iter().rev() {
            lowest_greatest = texel;
            above += block.extreme_errors(texel)[1];
            if above >= found.cost.limit {
                break;
            }
        }
        let is_inner = block.extremes[0].min(block.extremes[block.len - 1]) >= found.cost.limit;
        let bounds = if is_inner { bounds } else { &[0; MAX_CLUSTERS + 1] };
        spans::<S, MASKED, true>(s, block, [highest_least, lowest_greatest], bounds, found);
    }
}

/// Tries all endpoints that bounds do not exclude. The line reaches from `ends[0]` or below to `ends[1]` or
/// above. The error so far limits the tolerance of both.
#[inline(always)]
fn spans<S: Simd, const MASKED: bool, const SIX: bool>(
    s: S,
    block: &Block,
    ends: [i32; 2],
    bounds: &[i32; MAX_CLUSTERS + 1],
    found: &mut Found,
) {
    let steps = if SIX { SIX_VALUES } else { EIGHT_VALUES };
    let (grid, top) = (block.rule.grid(), block.rule.top());
    // Rounded values may be a code closer.
    let slack = if block.rule.is_real() { 0 } else { 1 };
    let range = (ends[1] - ends[0]).max(0);
    let mut span = 0;
    // From short spans to long ones: the longer the span, the fewer steps are between the ends.
    for used in (1..=steps).rev() {
        let bound = bounds[used as usize + 1];
        let is_unbounded = SIX && bounds[2] == 0;
        let (mut limit, mut longest) = (i32::MAX, 0);
        // Codes by which the ends may be above and below the line's.
        let (mut below, mut above) = (0, 0);
        loop {
            if found.cost.limit < limit {
                limit = found.cost.limit;
                if limit <= bound {
                    return;
                }
                let reach = root(limit - bound);
                below = (reach - block.shift).div_euclid(grid);
                above = (reach + block.shift) / grid;
                let most = (grid * range + 2 * reach + slack) * steps / (grid * used);
                longest = if is_unbounded { top } else { top.min(most) };
                span = span.max(range - below - above);
            }
            if span > longest {
                break;
            }
            let from = (ends[1] - above - span).max(0);
            let to = (ends[0] + below).min(top - span);
            let mut low = from;
            while low <= to {
                row::<S, MASKED, SIX>(s, block, [low, to, span], found);
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
    block: &Block,
    [low, to, span]: [i32; 3],
    found: &mut Found,
) {
    use crate::simd::{Int as _, Mask as _};
    let errors = &block.tables[usize::from(SIX)][span as usize];
    let mut cost = s.i(0);
    for (place, &t) in ORDER.iter().enumerate() {
        if MASKED && t >= block.len {
            continue;
        }
        let texel = block.texels[t];
        let error = s.load_i(&errors[(low - texel + 255) as usize & 511..]);
        cost = cost + if SIX { error.min(s.i(block.extremes[t])) } else { error };
        if (place == 3 || place == 8 || place == 15) && !cost.lt(s.i(found.cost.limit)).any() {
            return;
        }
    }
    let mut costs = [0; BATCH];
    cost.store(&mut costs);
    let mut exact = costs;
    if block.rule.has_rests() {
        block.exact_errors::<S, SIX>(s, low, span).store(&mut exact);
    }
    for ((low, &cost), &exact) in (low..=to).zip(&costs[..S::LANES]).zip(&exact) {
        if cost < found.cost.limit && exact < found.cost.exact {
            *found = Found { cost: block.exact_cost(exact), six: SIX, low, high: low + span };
        }
    }
}

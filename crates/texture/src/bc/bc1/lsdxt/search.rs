//! Step 3: every combination of the six endpoint codes within a radius, by exact error.
//!
//! ```text
//! for every pair (a, b) of red codes
//!     for every pair of green codes
//!         for every pair of blue codes
//!             error = Σ over texels: minimum over the four colours: red error + green error + blue error
//! ```
//!
//! Departures:
//! 1. A channel's errors for every pair, colour and texel are computed once; those of red and green are added
//!    up once for all pairs of blue.
//! 2. Pairs that cannot win are skipped. The lowest sums so far plus the smallest contributions of the
//!    remaining channels are a lower bound.
//! 3. A code past the end of its range repeats the last one.
//!
//! The first combination with the lowest error wins, and only if that is below the error so far. Neither the
//! skipped pairs nor the number of threads of a GPU affect the result. Errors are integers: a texel's is
//! below 2²⁴, a block's below 2²⁸.

use crate::{
    bc::bc1::{
        best::Best,
        context::Context,
        lanes::{Block, ChannelLanes, Endpoints, Mode, RuleLanes},
        lsdxt::MAX_RADIUS,
    },
    simd::{Float, Int, Mask as _, Simd},
};

/// Codes along a side of the widest neighbourhood, and pairs of them.
const SIDE: usize = 2 * MAX_RADIUS + 1;
const PAIRS: usize = SIDE * SIDE;

/// Weighted squared errors of one channel's texels for the codes around two endpoints. A neighbourhood
/// smaller than the widest uses the first entries.
#[derive(Clone, Copy)]
struct ChannelErrors<S: Simd> {
    /// Index 0, by the first code, and index 1, by the second.
    first: [[S::I; 16]; SIDE],
    second: [[S::I; 16]; SIDE],
    /// Index 2 and 3, by the pair: the first code · side + the second.
    third: [[S::I; 16]; PAIRS],
    fourth: [[S::I; 16]; PAIRS],
    /// Minimum that any pair of codes adds to a block's error.
    least: S::I,
}

/// Sets the squared errors of one channel's texels for an entry's value.
#[inline(always)]
fn fill_errors<S: Simd>(
    s: S,
    rule: &ChannelLanes<S>,
    block: &Block<S, true>,
    c: usize,
    value: S::F,
    errors: &mut [S::I; 16],
) {
    for t in 0..16 {
        let difference = value - block.x[c][t];
        errors[t] = (difference * rule.weight * difference).to_i().or_if(block.out[t], s.i(0));
    }
}

/// Returns the operand of the code `step` positions after the first of a side around `center`.
#[inline(always)]
fn near<S: Simd>(s: S, rule: &ChannelLanes<S>, center: S::F, step: usize, side: usize) -> S::F {
    let distance = s.f(step as f32 - (side / 2) as f32);
    rule.operand((center + distance).max(s.f(0.0)).min(rule.top))
}

impl<S: Simd> ChannelErrors<S> {
    #[inline(always)]
    fn fill(&mut self, context: &Context<'_, S, Mode, true>, c: usize, ends: &Endpoints<S>, side: usize) {
        let Context { simd: s, mode, block, .. } = *context;
        let rule = &context.rule.channels[c];
        for step in 0..side {
            let a = near(s, rule, ends.a[c], step, side);
            fill_errors(s, rule, block, c, rule.endpoint_value(a), &mut self.first[step]);
            let b = near(s, rule, ends.b[c], step, side);
            fill_errors(s, rule, block, c, rule.endpoint_value(b), &mut self.second[step]);
        }
        self.least = s.i(i32::MAX);
        for pair in 0..side * side {
            let a = near(s, rule, ends.a[c], pair / side, side);
            let b = near(s, rule, ends.b[c], pair % side, side);
            let (third, fourth) = match mode {
                Mode::Four => (rule.third.value(s, a, b), rule.third.value(s, b, a)),
                // These texels may not use index 3; repeating the half adds no choice.
                Mode::Three | Mode::ThreeBlack => {
                    let half = rule.half.value(s, a, b);
                    (half, half)
                }
            };
            fill_errors(s, rule, block, c, third, &mut self.third[pair]);
            fill_errors(s, rule, block, c, fourth, &mut self.fourth[pair]);
            self.least = self.least.min(self.of(pair, side).sum_of_least(s));
        }
    }

    /// Returns the errors for a pair of codes.
    #[inline(always)]
    fn of(&self, pair: usize, side: usize) -> PairErrors<'_, S> {
        PairErrors([
            &self.first[pair / side],
            &self.second[pair % side],
            &self.third[pair],
            &self.fourth[pair],
        ])
    }
}

/// Errors of 16 texels for index 0 to 3.
#[derive(Clone, Copy)]
struct PairErrors<'a, S: Simd>([&'a [S::I; 16]; 4]);

impl<S: Simd> PairErrors<'_, S> {
    /// Returns the error if every texel takes its best index.
    #[inline(always)]
    fn sum_of_least(&self, s: S) -> S::I {
        let mut sum = s.i(0);
        for t in 0..16 {
            sum = sum + self.0[0][t].min(self.0[1][t]).min(self.0[2][t].min(self.0[3][t]));
        }
        sum
    }
}

/// Searches within `radius` of the best encoding's codes for a smaller error.
#[inline(always)]
pub(crate) fn search<S: Simd>(context: &Context<'_, S, Mode, true>, radius: usize, best: &mut Best<S>) {
    let Context { simd: s, rule, block, .. } = *context;
    let side = 2 * radius + 1;
    let pairs = side * side;
    let none = ChannelErrors {
        first: [[s.i(0); 16]; SIDE],
        second: [[s.i(0); 16]; SIDE],
        third: [[s.i(0); 16]; PAIRS],
        fourth: [[s.i(0); 16]; PAIRS],
        least: s.i(0),
    };
    let mut tables = [none; 3];
    for c in 0..3 {
        tables[c].fill(context, c, &best.ends, side);
    }
    let [red, green, blue] = &tables;

    // The cost of the best is its error less Σ w·x².
    let mut error = best.cost;
    for c in 0..3 {
        for t in 0..16 {
            error = error + (block.x[c][t] * rule.channels[c].weight * block.x[c][t]).to_i();
        }
    }
    let mut winner = s.i((pairs * pairs * pairs / 2) as i32);
    for red_pair in 0..pairs {
        let of_red = red.of(red_pair, side);
        if !(of_red.sum_of_least(s) + green.least + blue.least).lt(error).any() {
            continue;
        }
        for green_pair in 0..pairs {
            let of_green = green.of(green_pair, side);
            let mut sums = [[s.i(0); 16]; 4];
            for (i, sums) in sums.iter_mut().enumerate() {
                for t in 0..16 {
                    sums[t] = of_red.0[i][t] + of_green.0[i][t];
                }
            }
            let bound = PairErrors([&sums[0], &sums[1], &sums[2], &sums[3]]).sum_of_least(s) + blue.least;
            if !bound.lt(error).any() {
                continue;
            }
            for blue_pair in 0..pairs {
                let of_blue = blue.of(blue_pair, side);
                let mut total = s.i(0);
                for t in 0..16 {
                    let ends = (sums[0][t] + of_blue.0[0][t]).min(sums[1][t] + of_blue.0[1][t]);
                    let inner = (sums[2][t] + of_blue.0[2][t]).min(sums[3][t] + of_blue.0[3][t]);
                    total = total + ends.min(inner);
                }
                let better = total.lt(error);
                if better.any() {
                    error = error.min(total);
                    let number = (red_pair * pairs + green_pair) * pairs + blue_pair;
                    winner = winner.or_if(better, s.i(number as i32));
                }
            }
        }
    }
    best.ends = candidate(s, rule, &best.ends, winner, side);
}

/// Returns the candidate with the number `number` around `ends`.
#[inline(always)]
fn candidate<S: Simd>(
    s: S,
    rule: &RuleLanes<S>,
    ends: &Endpoints<S>,
    number: S::I,
    side: usize,
) -> Endpoints<S> {
    let mut found = *ends;
    let radius = s.f((side / 2) as f32);
    let (part, side) = (s.f(1.0 / side as f32), s.f(side as f32));
    let mut rest = number.to_f();
    for c in [2, 1, 0] {
        for code in [&mut found.b[c], &mut found.a[c]] {
            // Integers below 2²⁰ plus a half: the rounded product never crosses an integer.
            let quotient = ((rest + s.f(0.5)) * part).floor();
            let step = rest - quotient * side;
            rest = quotient;
            *code = (*code + step - radius).max(s.f(0.0)).min(rule.channels[c].top);
        }
    }
    found
}

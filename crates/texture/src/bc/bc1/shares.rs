//! Each channel's share of the costs of a block's colours.
//!
//! A colour's cost at a palette entry is a sum over channels, and a move changes the codes of one or two. The
//! other channels' shares stay the same, and those of the single steps serve many moves. All are integers
//! that a float holds, so the sums are the same in any order.

use super::{
    context::Context,
    distinct::Distinct,
    lanes::{self, Endpoints, Mode, RuleLanes, SearchMode},
    moves::{Move, NO_STEP, PAIRS, SLOTS},
};
use crate::simd::{Float, Int, Simd, each};

/// Shares of a block's colours, for steps from one pair of endpoints.
pub(super) struct Shares<S: Simd> {
    /// Number of colours; 0 if costs are not taken from shares.
    colors: usize,
    /// `values[(channel · SLOTS + slot) · colors + color][entry]`
    values: Vec<[S::F; 4]>,
    is_known: [[bool; SLOTS]; 3],
}

impl<S: Simd> Shares<S> {
    #[inline(always)]
    pub fn new(s: S, distinct: &Distinct<S>) -> Self {
        let colors = distinct.count;
        let values = vec![[s.f(0.0); 4]; 3 * SLOTS * colors];
        Self { colors, values, is_known: [[false; SLOTS]; 3] }
    }

    /// Restarts from other endpoints. Returns true if costs can be taken from shares. They cannot if the
    /// entries of one channel depend on the codes of others, as NVIDIA's halves do.
    #[inline(always)]
    pub fn restart(&mut self, rule: &RuleLanes<S>, mode: Mode) -> bool {
        self.is_known = [[false; SLOTS]; 3];
        let is_alone = mode == Mode::Four || rule.channels[1].half.is_symmetric();
        self.colors > 0 && is_alone
    }

    /// Forgets the shares of the channels that `step` changes.
    #[inline(always)]
    pub fn forget(&mut self, step: &Move) {
        for (is_known, slot) in self.is_known.iter_mut().zip(step.slots) {
            if slot != NO_STEP {
                *is_known = [false; SLOTS];
            }
        }
    }

    /// Returns the cost of `ends` after a move by single steps, if every colour takes its nearest entry.
    #[inline(always)]
    pub fn cost<M: SearchMode, const MASKED: bool>(
        &mut self,
        context: &Context<'_, S, M, MASKED>,
        ends: &Endpoints<S>,
        step: &Move,
    ) -> S::I {
        self.prepare(context, ends, step);
        let s = context.simd;
        let [red, green, blue] =
            [self.of(0, step.slots[0]), self.of(1, step.slots[1]), self.of(2, step.slots[2])];
        let mut total = s.i(0);
        for (((red, green), blue), &texels) in red.iter().zip(green).zip(blue).zip(&context.distinct.texels) {
            let costs = each!(e in 4 => red[e] + green[e] + blue[e]);
            total = total + least::<S>(context.mode(), costs).to_i().mul(texels);
        }
        total
    }

    /// Returns this cost after each of [`PAIRS`] moves. The moves take every pair of two steps of a channel
    /// and two of another one; the first channel's steps alternate.
    #[inline(always)]
    pub fn pair_costs<M: SearchMode, const MASKED: bool>(
        &mut self,
        context: &Context<'_, S, M, MASKED>,
        ends: &Endpoints<S>,
        moves: &[Move; PAIRS],
    ) -> [S::I; PAIRS] {
        self.prepare(context, ends, &moves[0]);
        self.prepare(context, ends, &moves[3]);
        let (s, mode) = (context.simd, context.mode());
        let (from, to) = (moves[0].slots, moves[3].slots);
        let Some(still) = (0..3).find(|&c| from[c] == NO_STEP) else { return [s.i(i32::MAX); PAIRS] };
        let (mut turning, mut slow) = ((still + 1) % 3, (still + 2) % 3);
        if moves[1].slots[turning] == from[turning] {
            (turning, slow) = (slow, turning);
        }
        let firsts = [self.of(turning, from[turning]), self.of(turning, to[turning])];
        let seconds = [self.of(slow, from[slow]), self.of(slow, to[slow])];
        let colors = self.of(still, NO_STEP).iter().zip(firsts[0]).zip(firsts[1]);
        let colors = colors.zip(seconds[0]).zip(seconds[1]).zip(&context.distinct.texels);
        let mut totals = [s.i(0); PAIRS];
        for (((((still, first), other_first), second), other_second), &texels) in colors {
            let first = each!(e in 4 => still[e] + first[e]);
            let other_first = each!(e in 4 => still[e] + other_first[e]);
            let costs = [
                each!(e in 4 => first[e] + second[e]),
                each!(e in 4 => other_first[e] + second[e]),
                each!(e in 4 => first[e] + other_second[e]),
                each!(e in 4 => other_first[e] + other_second[e]),
            ];
            for (total, costs) in totals.iter_mut().zip(costs) {
                *total = *total + least::<S>(mode, costs).to_i().mul(texels);
            }
        }
        totals
    }

    /// Returns the shares of a channel's step.
    #[inline(always)]
    fn of(&self, c: usize, slot: usize) -> &[[S::F; 4]] {
        &self.values[(c * SLOTS + slot) * self.colors..][..self.colors]
    }

    /// Computes the shares of a move that are not known yet.
    #[inline(always)]
    fn prepare<M: SearchMode, const MASKED: bool>(
        &mut self,
        context: &Context<'_, S, M, MASKED>,
        ends: &Endpoints<S>,
        step: &Move,
    ) {
        for c in 0..3 {
            let slot = step.slots[c];
            if !self.is_known[c][slot] {
                self.is_known[c][slot] = true;
                let values = &mut self.values[(c * SLOTS + slot) * self.colors..][..self.colors];
                fill(context, ends, c, [step.codes[c], step.codes[c + 3]], values);
            }
        }
    }
}

/// Returns the lowest of a colour's costs.
#[inline(always)]
fn least<S: Simd>(mode: Mode, costs: [S::F; 4]) -> S::F {
    let least = costs[0].min(costs[1]).min(costs[2]);
    if mode.entry_count() == 4 { least.min(costs[3]) } else { least }
}

/// Computes the shares of channel `c` after a step of its codes.
#[inline(always)]
fn fill<S: Simd, M: SearchMode, const MASKED: bool>(
    context: &Context<'_, S, M, MASKED>,
    ends: &Endpoints<S>,
    c: usize,
    step: [f32; 2],
    values: &mut [[S::F; 4]],
) {
    let Context { simd: s, rule, distinct, .. } = *context;
    let channel = &rule.channels[c];
    let [a, b] = [channel.stepped(s, ends.a[c], step[0]), channel.stepped(s, ends.b[c], step[1])];
    let entries = lanes::channel_entries(s, channel, context.mode(), a, b);
    let weighted = each!(e in 4 => entries[e] * channel.weight);
    let constant = each!(e in 4 => entries[e] * weighted[e]);
    let slope = each!(e in 4 => weighted[e] * s.f(-2.0));
    for (value, x) in values.iter_mut().zip(&distinct.x) {
        *value = each!(e in 4 => x[c].mul_add(slope[e], constant[e]));
    }
}

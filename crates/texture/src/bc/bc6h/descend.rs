//! Steps of codes, each taken if it lowers the error.

use super::{
    assign::{Assign, ERRORS, SMALLER},
    candidate::Candidate,
    coding::{Coding, Endpoints},
    kind::Kind,
    texels::{Subsets, Texels, WHOLE},
};
use crate::simd::{Float, Int, LaneFn, Mask, Simd};
use std::marker::PhantomData;

/// Steps of a subset's first and second endpoint, in turn.
pub(super) const DIRECTIONS: [[f32; 2]; 3] = [[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]];

/// Factors of the steps. The larger ones matter where codes are coarse and indices change.
pub(super) const LENGTHS: [f32; 6] = [1.0, -1.0, 2.0, -2.0, 4.0, -4.0];

/// Lowers the error of a candidate by steps in one channel; both subsets take theirs at once.
pub(super) struct Descend<'a, S: Simd, K> {
    pub texels: &'a Texels<S>,
    pub candidate: Candidate<S>,
    /// Greatest number of sweeps over all steps; they end after one without success.
    pub sweeps: usize,
    /// Number of [`LENGTHS`].
    pub lengths: usize,
    pub kind: PhantomData<K>,
}

/// Returns true, for each subset, if the codes of a step cannot be stored. The second subset's new codes must
/// suit the old base, and its old and new codes a new base, so that each subset may step or stay.
#[inline(always)]
fn is_impossible<S: Simd>(
    s: S,
    coding: &Coding<S>,
    channel: usize,
    base_moves: bool,
    is_two: S::M,
    old: &Endpoints<S>,
    new: &[S::F; 4],
) -> [S::M; 2] {
    let mut impossible = [s.none(); 2];
    for (e, &code) in new.iter().enumerate() {
        impossible[e / 2] = impossible[e / 2] | coding.is_no_code(code);
    }
    impossible[0] = impossible[0] | coding.is_out_of_reach(channel, new[1], new[0]);
    for e in 2..4 {
        impossible[1] = impossible[1] | coding.is_out_of_reach(channel, new[e], old[0][channel]);
        if base_moves {
            let either = coding.is_out_of_reach(channel, new[e], new[0])
                | coding.is_out_of_reach(channel, old[e][channel], new[0]);
            impossible[0] = impossible[0] | (is_two & either);
        }
    }
    impossible
}

impl<S: Simd, K: Kind> LaneFn<S> for Descend<'_, S, K> {
    type Output = Candidate<S>;

    #[inline(always)]
    fn run(self, s: S) -> Candidate<S> {
        let Self { texels, candidate, kind, .. } = self;
        let subsets = &Subsets::of(s, texels, candidate.partition);
        let is_two = candidate.partition.lt(s.i(WHOLE));
        let coding = Coding::gather::<K>(s, candidate.mode).limited::<K>(s, texels.limit);
        let mut codes = candidate.codes;
        let mut values = coding.values::<K>(s, &codes);
        let assign = Assign::<S, K, true, ERRORS> { texels, subsets, endpoints: &values, kind };
        let mut errors = s.call(assign).errors;
        for _ in 0..self.sweeps {
            let mut any_better = false;
            for [first, second] in DIRECTIONS {
                for c in 0..3 {
                    for &length in &LENGTHS[..self.lengths] {
                        let base_moves = first != 0.0;
                        let (first, second) = (s.f(first * length), s.f(second * length));
                        let new = [
                            codes[0][c] + first,
                            codes[1][c] + second,
                            codes[2][c] + first,
                            codes[3][c] + second,
                        ];
                        let impossible = is_impossible::<S>(s, &coding, c, base_moves, is_two, &codes, &new);
                        let mut new_values = values;
                        for e in 0..4 {
                            new_values[e][c] = coding.value::<K>(s, new[e]);
                        }
                        let endpoints = &new_values;
                        let assign = Assign::<S, K, true, ERRORS> { texels, subsets, endpoints, kind };
                        let new_errors = s.call(assign).errors;
                        for k in 0..2 {
                            let is_better = new_errors[k].lt(errors[k] * s.f(SMALLER)) & !impossible[k];
                            any_better |= is_better.any();
                            errors[k] = errors[k].or_if(is_better, new_errors[k]);
                            for e in [2 * k, 2 * k + 1] {
                                codes[e][c] = codes[e][c].or_if(is_better, new[e]);
                                values[e][c] = values[e][c].or_if(is_better, new_values[e][c]);
                            }
                        }
                    }
                }
            }
            if !any_better {
                break;
            }
        }
        let mut best = candidate;
        best.improve(s, &Candidate { error: errors[0] + errors[1], codes, ..candidate });
        best
    }
}

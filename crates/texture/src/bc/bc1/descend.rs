//! Descents: endpoints are fitted to clusters, texels are reassigned to new clusters, and both repeat.

use super::{
    assign::{self, Clusters},
    best::Best,
    context::Context,
    distinct::Seen,
    fit,
    lanes::{Endpoints, SearchMode},
};
use crate::simd::{Float, LaneFn, Mask as _, Simd};

/// Fits endpoints to `clusters` and reassigns texels, `rounds` times.
pub(super) struct Descend<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub context: &'a Context<'a, S, M, MASKED>,
    pub clusters: Clusters<S>,
    pub ends: Endpoints<S>,
    pub rounds: usize,
    pub best: &'a mut Best<S>,
    /// Record of descents that end in the same best encoding, if the search is by colours.
    pub seen: Option<&'a mut Seen<S>>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> LaneFn<S> for Descend<'_, S, M, MASKED> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { context, mut clusters, mut ends, rounds, best, mut seen } = self;
        for round in 1..=rounds {
            let before = ends;
            ends = fit::endpoints::<S, M, MASKED, true>(context, &clusters, &ends);
            // From the second round on, the clusters are those of the previous endpoints.
            if round > 1 && !differ(s, &before, &ends).any() {
                break;
            }
            let palette = context.palette(&ends);
            if round == rounds {
                best.offer(context.mode(), assign::cost(context, &palette), &ends);
            } else if !MASKED && context.distinct.count > 0 {
                let (cost, indices) = assign::color_indices(context, &palette);
                best.offer(context.mode(), cost, &ends);
                if let Some(seen) = &mut seen
                    && !seen.is_new(s, indices, rounds - round)
                {
                    break;
                }
                clusters = assign::clusters_of_colors(context, indices);
            } else {
                let (cost, next) = assign::clusters(context, &palette);
                best.offer(context.mode(), cost, &ends);
                clusters = next;
            }
        }
    }
}

/// Returns a mask of the lanes whose codes differ.
#[inline(always)]
pub(super) fn differ<S: Simd>(s: S, before: &Endpoints<S>, after: &Endpoints<S>) -> S::M {
    let mut squares = s.f(0.0);
    for c in 0..3 {
        let (a, b) = (after.a[c] - before.a[c], after.b[c] - before.b[c]);
        squares = a.mul_add(a, b.mul_add(b, squares));
    }
    s.f(0.0).lt(squares)
}

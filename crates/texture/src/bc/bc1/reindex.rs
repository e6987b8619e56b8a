//! Reindexing: clusters take other indices.
//!
//! Three clusters fit a line equally well at different entries, for example at its first, second and third or
//! at its second, third and fourth. This also holds for four clusters if some are empty. The unrounded lines
//! remove the same error, but the rounded ones differ. Steps of a few codes lead from one to the other only
//! through worse ones.

use super::{
    assign::{self, Clusters},
    best::Best,
    context::Context,
    fit,
    lanes::SearchMode,
};
use crate::simd::{LaneFn, Simd};

/// Place on a line that each of the four places moves to, in ascending order. With the first [`OF_THREE`],
/// three clusters take any three places. With all except the first, any two or three places in use move to
/// any others.
pub(crate) const REINDEXINGS: [[u8; 4]; 17] = [
    [0, 1, 2, 3],
    [0, 1, 3, 3],
    [0, 2, 3, 3],
    [1, 2, 3, 3],
    [0, 0, 0, 1],
    [0, 0, 0, 2],
    [0, 0, 0, 3],
    [0, 0, 1, 2],
    [0, 0, 1, 3],
    [0, 0, 2, 3],
    [0, 0, 3, 3],
    [0, 1, 1, 2],
    [0, 3, 3, 3],
    [1, 1, 2, 2],
    [1, 1, 2, 3],
    [1, 3, 3, 3],
    [2, 3, 3, 3],
];

/// Number of reindexings for three clusters.
pub(crate) const OF_THREE: usize = 4;

/// Indices of the places on a line, for four colours and for three.
const FOUR_PLACES: [usize; 4] = [0, 2, 3, 1];
const THREE_PLACES: [usize; 4] = [0, 2, 1, 3];

/// Tries other indices for the clusters of the best encoding, which has four colours, and of the best
/// encoding with three.
pub(super) struct Reindex<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub context: &'a Context<'a, S, M, MASKED>,
    pub best: &'a mut Best<S>,
    pub of_three: Option<&'a Clusters<S>>,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> LaneFn<S> for Reindex<'_, S, M, MASKED> {
    type Output = ();
    #[inline(always)]
    fn run(self, s: S) {
        let Self { context, best, of_three } = self;
        let old = best.ends;
        let (_, own) = assign::clusters(context, &context.palette(&old));
        let own = (&own, FOUR_PLACES, &REINDEXINGS[1..]);
        let of_three = of_three.map(|clusters| (clusters, THREE_PLACES, &REINDEXINGS[..OF_THREE]));
        for (clusters, places, reindexings) in [Some(own), of_three].into_iter().flatten() {
            for reindexing in reindexings {
                let moved = moved(s, clusters, places, reindexing);
                let ends = fit::endpoints::<S, M, MASKED, true>(context, &moved, &old);
                best.offer(context.mode(), assign::cost(context, &context.palette(&ends)), &ends);
            }
        }
    }
}

/// Returns the clusters at other places of a line of four colours. `places` contains their indices.
#[inline(always)]
fn moved<S: Simd>(s: S, clusters: &Clusters<S>, places: [usize; 4], reindexing: &[u8; 4]) -> Clusters<S> {
    let mut moved = Clusters { count: [s.f(0.0); 4], sum: [[s.f(0.0); 3]; 4] };
    for (from, &to) in places.into_iter().zip(reindexing) {
        let to = FOUR_PLACES[usize::from(to)];
        moved.count[to] = moved.count[to] + clusters.count[from];
        for c in 0..3 {
            moved.sum[to][c] = moved.sum[to][c] + clusters.sum[from][c];
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every choice of `count` places, in order.
    fn choices(count: u32) -> impl Iterator<Item = Vec<u8>> {
        (0..16u8)
            .filter(move |bits| bits.count_ones() == count)
            .map(|bits| (0..4).filter(|place| bits >> place & 1 == 1).collect())
    }

    #[test]
    fn clusters_take_any_places() {
        for used in choices(2).chain(choices(3)) {
            for wanted in choices(used.len() as u32).filter(|wanted| *wanted != used) {
                let leads = |reindexing: &[u8; 4]| {
                    used.iter().zip(&wanted).all(|(&from, &to)| reindexing[usize::from(from)] == to)
                };
                assert!(REINDEXINGS[1..].iter().any(leads), "{used:?} {wanted:?}");
            }
        }
        for wanted in choices(3) {
            assert!(REINDEXINGS[..OF_THREE].iter().any(|reindexing| reindexing[..3] == wanted), "{wanted:?}");
        }
    }
}

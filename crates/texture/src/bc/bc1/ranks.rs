//! Ranking of encodings, to select those to climb from.

use super::best::Best;
use crate::simd::{Int, Mask as _, Simd};

/// Maximum number of encodings that are kept.
const MOST: usize = 4;

/// Encodings with the lowest costs, all different, in ascending order. In a tie, the first is kept.
pub(super) struct Ranks<S: Simd> {
    count: usize,
    found: [Best<S>; MOST],
}

impl<S: Simd> Ranks<S> {
    /// Returns a ranking that keeps `count` encodings, at most [`MOST`].
    #[inline(always)]
    pub fn new(s: S, count: usize) -> Self {
        Self { count: count.min(MOST), found: [Best::none(s); MOST] }
    }

    /// Inserts an encoding at its rank.
    #[inline(always)]
    pub fn offer(&mut self, s: S, mut own: Best<S>) {
        let found = &mut self.found[..self.count];
        let mut is_known = s.none();
        for found in &*found {
            is_known = is_known | found.cost.eq(own.cost);
        }
        own.cost = own.cost.or_if(is_known, s.i(i32::MAX));
        for found in found {
            let (better, old) = (own.cost.lt(found.cost), *found);
            found.cost = old.cost.min(own.cost);
            found.ends = old.ends.or_if(better, own.ends);
            own.cost = own.cost.max(old.cost);
            own.ends = own.ends.or_if(better, old.ends);
        }
    }

    /// Returns the encodings, each with a mask of the lanes that have one. In other lanes, the first encoding
    /// is a placeholder.
    #[inline(always)]
    pub fn each(&self, s: S) -> impl Iterator<Item = (Best<S>, S::M)> {
        let first = self.found[0];
        self.found[..self.count].iter().filter_map(move |found| {
            let is_there = found.cost.lt(s.i(i32::MAX));
            let mut best = *found;
            best.cost = first.cost.or_if(is_there, found.cost);
            best.ends = first.ends.or_if(is_there, found.ends);
            is_there.any().then_some((best, is_there))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_are_the_least_costs(costs in prop::collection::vec(0..30i32, 1..24), count in 1..=MOST) {
            let mut ranks = Ranks::new(Scalar, count);
            for (i, &cost) in costs.iter().enumerate() {
                let mut own = Best::none(Scalar);
                (own.cost, own.ends.a[0]) = (cost, i as f32);
                ranks.offer(Scalar, own);
            }
            let found: Vec<_> = ranks.each(Scalar).map(|(best, _)| (best.cost, best.ends.a[0])).collect();
            let mut least: Vec<_> = costs.iter().enumerate().map(|(i, &cost)| (cost, i as f32)).collect();
            least.sort_by(|a, b| a.partial_cmp(b).unwrap());
            least.dedup_by_key(|&mut (cost, _)| cost);
            least.truncate(count);
            prop_assert_eq!(found, least);
        }
    }
}

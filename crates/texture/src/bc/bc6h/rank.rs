//! Ranking of a block's partitions by their estimated errors.

use super::{
    kind::Kind,
    moments::Moments,
    texels::{PARTITIONS, Texels},
};
use crate::{
    bc::bc7::partitions::TWO_SUBSETS,
    simd::{Float, Int, LaneFn, Simd},
};
use std::marker::PhantomData;

/// Share of the variance along a subset's line that eight indices leave.
pub(super) const INDEX_SHARE: f32 = 1.0 / 40.0;

/// Lowest bits of a key: the number of a partition.
const NUMBER: i32 = PARTITIONS as i32 - 1;

/// Ranks the partitions by the moments of their subsets.
pub(super) struct Rank<'a, S: Simd, K> {
    pub texels: &'a Texels<S>,
    /// Number of partitions to return, the most promising first.
    pub count: usize,
    pub kind: PhantomData<K>,
}

impl<S: Simd, K: Kind> LaneFn<S> for Rank<'_, S, K> {
    type Output = [S::I; PARTITIONS];

    #[inline(always)]
    fn run(self, s: S) -> [S::I; PARTITIONS] {
        let mut texels = [Moments::zero(s); 16];
        let mut all = Moments::zero(s);
        for t in 0..16 {
            texels[t].add_texel(s, self.texels.visible[t], &self.texels.point::<K>(t));
            all.add(&texels[t]);
        }
        let mut keys = [s.i(i32::MAX); PARTITIONS];
        for (number, &subset) in TWO_SUBSETS[..PARTITIONS].iter().enumerate() {
            let mut second = Moments::zero(s);
            let mut bits = subset;
            while bits != 0 {
                second.add(&texels[bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
            let first = all.less(&second);
            let error = first.line_error(s, INDEX_SHARE) + second.line_error(s, INDEX_SHARE);
            insert::<S>(&mut keys[..self.count], key(s, error, NUMBER, number));
        }
        for key in &mut keys[..self.count] {
            *key = *key & s.i(NUMBER);
        }
        keys
    }
}

/// Returns a key that is ordered by the error, with `number` in the bits of `mask`. The bits of floats that
/// are not negative are ordered as the floats are.
#[inline(always)]
pub(super) fn key<S: Simd>(s: S, error: S::F, mask: i32, number: usize) -> S::I {
    (error.max(s.f(0.0)).bits() & s.i(!mask)) | s.i(number as i32)
}

/// Inserts a key among the smallest, in order.
#[inline(always)]
pub(super) fn insert<S: Simd>(keys: &mut [S::I], mut key: S::I) {
    for place in keys {
        let smaller = place.min(key);
        key = place.max(key);
        *place = smaller;
    }
}

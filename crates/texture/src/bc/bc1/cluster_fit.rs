//! Cluster fit: every order-preserving clustering of the sorted texels, scored by the error that its
//! least-squares line removes.
//!
//! A clustering of four cuts the sorted texels at i ≤ j ≤ k: weight 3 before i, 2 before j, 1 before k, 0
//! after. Σ w·y is then the sum of three prefix sums. With Σ y = 0, the line removes the error |Σ w·y|² / D,
//! where D depends only on the cuts (see `fit`). A clustering thus costs three additions, three
//! multiplications and one more by 1 / D from a table. There are C(19, 3) = 969 clusterings of four clusters
//! and C(18, 2) = 153 of three (NVIDIA's paper counts 975 and 151).
//!
//! This score ignores the rounding of the endpoints. Measurements show that refining the best few clusterings
//! exactly gains more than rounding all of them; see notes.md.

use super::{
    assign::Clusters,
    lanes::{Mode, SearchMode},
};
use crate::simd::{Float, Int, LaneFn, Simd, each};

/// One way to cut the sorted texels.
#[derive(Clone, Copy)]
struct Clustering {
    /// 1 / D; 0 if D is 0.
    gain: f32,
    /// i | j << 5 | k << 10; for three clusters, k = j.
    cuts: i32,
}

const FOUR_COUNT: usize = 969;
const THREE_COUNT: usize = 153;

/// Every clustering of four, ordered by j, then i, then k.
static FOUR: [Clustering; FOUR_COUNT] = {
    let mut table = [Clustering { gain: 0.0, cuts: 0 }; FOUR_COUNT];
    let mut next = 0;
    let mut j = 0;
    while j <= 16 {
        let mut i = 0;
        while i <= j {
            let mut k = j;
            while k <= 16 {
                let weight = (i + j + k) as i32;
                let square = (9 * i + 4 * (j - i) + (k - j)) as i32;
                table[next] = clustering(16 * square - weight * weight, i | j << 5 | k << 10);
                next += 1;
                k += 1;
            }
            i += 1;
        }
        j += 1;
    }
    assert!(next == FOUR_COUNT);
    table
};

/// Every clustering of three, ordered by i, then j.
static THREE: [Clustering; THREE_COUNT] = {
    let mut table = [Clustering { gain: 0.0, cuts: 0 }; THREE_COUNT];
    let mut next = 0;
    let mut i = 0;
    while i <= 16 {
        let mut j = i;
        while j <= 16 {
            let weight = (i + j) as i32;
            let square = (4 * i + (j - i)) as i32;
            table[next] = clustering(16 * square - weight * weight, i | j << 5 | j << 10);
            next += 1;
            j += 1;
        }
        i += 1;
    }
    assert!(next == THREE_COUNT);
    table
};

/// 1 / D of each clustering of 0, 1, …, 16 texels, `[texels · clusterings + clustering]`; 0 if it cuts past
/// the last texel.
static FOUR_GAINS: [f32; 17 * FOUR_COUNT] = {
    let mut gains = [0.0; 17 * FOUR_COUNT];
    let mut next = 0;
    while next < 17 * FOUR_COUNT {
        let (count, cuts) = ((next / FOUR_COUNT) as i32, FOUR[next % FOUR_COUNT].cuts);
        let (i, j, k) = (cuts & 31, cuts >> 5 & 31, cuts >> 10);
        let (weight, square) = (i + j + k, 5 * i + 3 * j + k);
        if k <= count {
            gains[next] = clustering(count * square - weight * weight, 0).gain;
        }
        next += 1;
    }
    gains
};

/// 1 / D in the same layout for three clusters.
static THREE_GAINS: [f32; 17 * THREE_COUNT] = {
    let mut gains = [0.0; 17 * THREE_COUNT];
    let mut next = 0;
    while next < 17 * THREE_COUNT {
        let (count, cuts) = ((next / THREE_COUNT) as i32, THREE[next % THREE_COUNT].cuts);
        let (i, j) = (cuts & 31, cuts >> 5 & 31);
        let (weight, square) = (i + j, 3 * i + j);
        if j <= count {
            gains[next] = clustering(count * square - weight * weight, 0).gain;
        }
        next += 1;
    }
    gains
};

/// Returns 1 / D for every D, and 0 for 0.
#[cfg(feature = "gpu")]
pub(crate) const fn gains() -> [f32; super::fit::MAX_DETERMINANT + 1] {
    let mut gains = [0.0; super::fit::MAX_DETERMINANT + 1];
    let mut determinant = 1;
    while determinant < gains.len() {
        gains[determinant] = clustering(determinant as i32, 0).gain;
        determinant += 1;
    }
    gains
}

const fn clustering(determinant: i32, cuts: usize) -> Clustering {
    Clustering { gain: if determinant == 0 { 0.0 } else { 1.0 / determinant as f32 }, cuts: cuts as i32 }
}

/// Sums of the first 0, 1, …, 16 of sorted values, `prefix[count][channel]`.
pub(crate) type Prefix<S> = [[<S as Simd>::F; 3]; 17];

#[inline(always)]
pub(crate) fn prefix_sums<S: Simd>(s: S, values: &[[S::F; 16]; 3]) -> Prefix<S> {
    let mut prefix = [[s.f(0.0); 3]; 17];
    for t in 0..16 {
        for c in 0..3 {
            prefix[t + 1][c] = prefix[t][c] + values[c][t];
        }
    }
    prefix
}

#[inline(always)]
fn add<F: Float>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn difference<F: Float>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Best clustering for each of 17 first choices. The first choice is the middle cut for four clusters and the
/// first cut for three. Different choices give different starting points for refinement.
pub(crate) struct Candidates<S: Simd> {
    pub score: [S::F; 17],
    /// The cuts | the first choice << 15.
    pub cuts: [S::I; 17],
}

/// Scores every clustering of the `count` sorted texels (16 unless `MASKED`).
///
/// It is a separate function because V8 allocates registers badly in functions as large as its callers
/// (notes.md).
pub(crate) struct Search<'a, S: Simd, M: SearchMode, const MASKED: bool> {
    pub mode: M,
    /// Prefix sums of the normalized values (see `order`).
    pub prefix: &'a Prefix<S>,
    pub count: S::F,
}

impl<S: Simd, M: SearchMode, const MASKED: bool> LaneFn<S> for Search<'_, S, M, MASKED> {
    type Output = Candidates<S>;
    #[inline(always)]
    fn run(self, s: S) -> Candidates<S> {
        let Self { mode, prefix, count } = self;
        let mode = mode.get();
        let mut found = Candidates::<S> { score: [s.f(0.0); 17], cuts: [s.i(0); 17] };
        let (mut clusterings, gains) = match mode {
            Mode::Four => (FOUR.iter(), &FOUR_GAINS[..]),
            Mode::Three | Mode::ThreeBlack => (THREE.iter(), &THREE_GAINS[..]),
        };
        let mut gain_index = (count * s.f(clusterings.len() as f32)).to_i();
        for first in 0..=16 {
            let (mut best, mut best_cuts) = (s.f(0.0), s.i(0));
            // With four clusters, the first cut takes every position up to the middle one. With three, there
            // is no such cut.
            let before = match mode {
                Mode::Four => &prefix[..=first],
                Mode::Three | Mode::ThreeBlack => &prefix[..1],
            };
            for before in before {
                let two = add(prefix[first], *before);
                for (after, clustering) in prefix[first..].iter().zip(&mut clusterings) {
                    let sum = add(two, *after);
                    let length = sum[0].mul_add(sum[0], sum[1].mul_add(sum[1], sum[2] * sum[2]));
                    let gain = if MASKED { s.gather(gains, gain_index) } else { s.f(clustering.gain) };
                    if MASKED {
                        gain_index = gain_index + s.i(1);
                    }
                    let score = length * gain;
                    best_cuts = best_cuts.or_if(best.lt(score), s.i(clustering.cuts));
                    best = best.max(score);
                }
            }
            found.score[first] = best;
            found.cuts[first] = best_cuts + s.i((first as i32) << 15);
        }
        found
    }
}

impl<S: Simd> Candidates<S> {
    /// Removes the best remaining clustering and returns its cuts.
    #[inline(always)]
    pub fn take_best(&mut self, s: S) -> S::I {
        let (mut best, mut cuts) = (s.f(-1.0), s.i(0));
        for first in 0..17 {
            cuts = cuts.or_if(best.lt(self.score[first]), self.cuts[first]);
            best = best.max(self.score[first]);
        }
        for first in 0..17 {
            self.score[first] = self.score[first].or_if(cuts.eq(self.cuts[first]), s.f(-2.0));
        }
        cuts
    }
}

/// Returns the clusters that follow from `cuts` of the `texels` sorted texels. `prefix` contains sums of
/// their centred values.
#[inline(always)]
pub(crate) fn clusters<S: Simd>(
    s: S,
    mode: Mode,
    prefix: &Prefix<S>,
    texels: S::F,
    cuts: S::I,
) -> Clusters<S> {
    let mask = s.i(31);
    let cut = [cuts & mask, cuts.shr::<5>() & mask, cuts.shr::<10>() & mask];
    // Prefix sums at the cuts, by selection. This is as fast as a gather, and available on every instruction
    // set.
    let mut at = [[s.f(0.0); 3]; 3];
    for (count, sums) in prefix.iter().enumerate().skip(1) {
        let count = s.i(count as i32);
        for (at, cut) in at.iter_mut().zip(cut) {
            let here = cut.eq(count);
            for c in 0..3 {
                at[c] = at[c].or_if(here, sums[c]);
            }
        }
    }
    let counts = each!(i in 3 => cut[i].to_f());
    let all = prefix[16];
    match mode {
        Mode::Four => Clusters {
            count: [counts[0], texels - counts[2], counts[1] - counts[0], counts[2] - counts[1]],
            sum: [at[0], difference(all, at[2]), difference(at[1], at[0]), difference(at[2], at[1])],
        },
        Mode::Three | Mode::ThreeBlack => Clusters {
            count: [counts[0], texels - counts[1], counts[1] - counts[0], s.f(0.0)],
            sum: [at[0], difference(all, at[1]), difference(at[1], at[0]), [s.f(0.0); 3]],
        },
    }
}

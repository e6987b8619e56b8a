//! Encoding of a batch: candidates of one and of two subsets, stage by stage.

use super::{
    assign::{Assign, ERRORS, INDICES},
    candidate::Candidate,
    coding::Coding,
    descend::Descend,
    fit::{EXTENSIONS, Fit, FitWhole},
    kind::Kind,
    plan::Stage,
    rank::Rank,
    texels::{BatchTexels, PARTITIONS, Subsets, Texels, WHOLE},
};
use crate::{
    bc::batch::BATCH,
    simd::{Float, Int, Simd},
};
use std::marker::PhantomData;

/// Contents of a batch's blocks.
pub(super) struct BatchBlocks {
    /// Place of the mode in `MODES`.
    pub modes: [i32; BATCH],
    /// Partition; [`WHOLE`] in modes of one subset.
    pub partitions: [i32; BATCH],
    /// Codes of endpoints: `[endpoint][channel][lane]`.
    pub codes: [[[i32; BATCH]; 3]; 4],
    /// Indices of texels 0 to 7, then of 8 to 15, four bits each.
    pub indices: [[i32; BATCH]; 2],
}

impl BatchBlocks {
    /// Blocks to be overwritten.
    pub const NONE: Self = Self {
        modes: [0; BATCH],
        partitions: [0; BATCH],
        codes: [[[0; BATCH]; 3]; 4],
        indices: [[0; BATCH]; 2],
    };

    #[inline(always)]
    fn store<S: Simd>(&mut self, s: S, first: usize, best: &Candidate<S>, indices: &[S::F; 16]) {
        best.mode.store(&mut self.modes[first..]);
        best.partition.store(&mut self.partitions[first..]);
        for (endpoint, codes) in best.codes.iter().zip(&mut self.codes) {
            for c in 0..3 {
                endpoint[c].to_i().store(&mut codes[c][first..]);
            }
        }
        for (words, indices) in self.indices.iter_mut().zip(indices.chunks_exact(8)) {
            let mut word = s.i(0);
            for &index in indices.iter().rev() {
                word = word.shl::<4>() | index.to_i();
            }
            word.store(&mut words[first..]);
        }
    }
}

/// Best fit of a partition, or of a block of one subset, and the number of extensions that were tried.
#[derive(Clone, Copy)]
struct Fitted<S: Simd> {
    best: Candidate<S>,
    extensions: usize,
}

/// Search for the blocks in the lanes.
struct Search<'a, S: Simd, K> {
    texels: &'a Texels<S>,
    best: Candidate<S>,
    whole: Fitted<S>,
    /// Partitions, the most promising first.
    ranking: [S::I; PARTITIONS],
    partitions: [Fitted<S>; PARTITIONS],
    kind: PhantomData<K>,
}

impl<S: Simd, K: Kind> Search<'_, S, K> {
    #[inline(always)]
    fn descend(&self, s: S, stage: &Stage, candidate: Candidate<S>) -> Candidate<S> {
        let Self { texels, kind, .. } = *self;
        let Stage { sweeps, lengths, .. } = *stage;
        s.call(Descend { texels, candidate, sweeps, lengths, kind })
    }

    /// Returns the best fit after further extensions.
    #[inline(always)]
    fn fitted<const TWO: bool>(
        &self,
        s: S,
        stage: &Stage,
        subsets: &Subsets<S>,
        partition: S::I,
        mut fitted: Fitted<S>,
    ) -> Fitted<S> {
        let Self { texels, kind, .. } = *self;
        let count = if TWO { stage.extensions } else { stage.whole_extensions };
        let tried = if stage.explores { 0 } else { fitted.extensions.min(count) };
        for &extension in &EXTENSIONS[tried..count] {
            let tries = stage.tries;
            let mut candidate =
                s.call(Fit::<S, K, TWO> { texels, subsets, partition, extension, tries, kind });
            if stage.explores {
                let descend = Descend { texels, candidate, sweeps: 1, lengths: 2, kind };
                candidate = s.call(descend);
            }
            fitted.best.improve(s, &candidate);
        }
        fitted.extensions = fitted.extensions.max(count);
        fitted
    }

    #[inline(always)]
    fn run(&mut self, s: S, stage: &Stage) {
        let whole = Subsets::whole(s, self.texels);
        self.whole = self.fitted::<false>(s, stage, &whole, s.i(WHOLE), self.whole);
        if stage.sweeps > 0 {
            self.whole.best = self.descend(s, stage, self.whole.best);
        }
        self.best.improve(s, &self.whole.best);
        for p in 0..stage.partitions {
            let partition = self.ranking[p];
            let subsets = Subsets::of(s, self.texels, partition);
            let fitted = self.fitted::<true>(s, stage, &subsets, partition, self.partitions[p]);
            self.best.improve(s, &fitted.best);
            self.partitions[p] = fitted;
        }
        if stage.sweeps > 0 {
            self.best = self.descend(s, stage, self.best);
        }
        for p in 0..stage.descents {
            let descended = self.descend(s, stage, self.partitions[p].best);
            self.best.improve(s, &descended);
        }
    }
}

/// Encodes the blocks of a batch by the stages of a quality.
#[inline(always)]
pub(super) fn encode_batch<S: Simd, K: Kind>(
    s: S,
    stages: &[Stage],
    batch: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    let kind = PhantomData::<K>;
    for first in (0..BATCH).step_by(S::LANES) {
        let texels = &Texels::load::<K>(s, batch, visible, first);
        let whole = &Subsets::whole(s, texels);
        let mut best = s.call(FitWhole { texels, subsets: whole, kind });
        let endpoints = &Coding::gather::<K>(s, best.mode).values::<K>(s, &best.codes);
        let Some(last) = stages.last() else {
            let assign = Assign::<S, K, false, INDICES> { texels, subsets: whole, endpoints, kind };
            blocks.store(s, first, &best, &s.call(assign).indices);
            continue;
        };
        let assign = Assign::<S, K, false, ERRORS> { texels, subsets: whole, endpoints, kind };
        best.error = s.call(assign).errors[0];
        let none = Fitted { best: Candidate::none(s), extensions: 0 };
        let ranking = s.call(Rank { texels, count: last.partitions, kind });
        let mut search = Search { texels, best, whole: none, ranking, partitions: [none; PARTITIONS], kind };
        for stage in stages {
            search.run(s, stage);
        }
        let best = search.best;
        let subsets = &Subsets::of(s, texels, best.partition);
        let endpoints = &Coding::gather::<K>(s, best.mode).values::<K>(s, &best.codes);
        let assign = Assign::<S, K, true, INDICES> { texels, subsets, endpoints, kind };
        blocks.store(s, first, &best, &s.call(assign).indices);
    }
}

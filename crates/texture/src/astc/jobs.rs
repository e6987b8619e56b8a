//! Parts of many blocks, gathered until every lane has one.

use super::{
    fit::{self, Effort, FittedParts, PartRanks, Results, Variant, Work},
    groups::{GroupName, MAX_RANGES},
    pack::PartLevels,
    part::PartTexels,
};
use crate::{bc::batch::BATCH, simd::AvailableLevel};

/// Inputs that all jobs share.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub level: AvailableLevel,
    /// Bits of the blocks' texels, red in the lowest byte.
    pub texels: &'a [f32],
    /// True if the weights beside the projected one are tried.
    pub exact: bool,
}

impl Source<'_> {
    /// Calls `run` with parts in lanes.
    fn with_batch(&self, group: GroupName, jobs: impl Iterator<Item = Job>, run: impl FnOnce(&Work<'_>)) {
        let mut texels = PartTexels {
            blocks: self.texels,
            starts: [0; BATCH],
            orders: [[0; BATCH]; 2],
            counts: [0; BATCH],
            longest: 0,
        };
        for (lane, Job { order, block, count }) in jobs.enumerate() {
            texels.starts[lane] = 16 * i32::from(block);
            texels.orders[0][lane] = order as i32;
            texels.orders[1][lane] = (order >> 32) as i32;
            texels.counts[lane] = i32::from(count);
            texels.longest = texels.longest.max(usize::from(count));
        }
        run(&Work { group: group.group(), texels: &texels, exact: self.exact });
    }
}

/// Part to be fitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    /// Positions of its texels in the block: [`order`](super::patterns::order).
    pub order: u64,
    /// Number of its block.
    pub block: u16,
    /// Number of its texels.
    pub count: u8,
}

/// Squared error and levels of a part.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fitted {
    pub error: i32,
    pub levels: PartLevels,
}

/// Number of variants of a job's result.
const VARIANTS: usize = 2 * MAX_RANGES;

/// Jobs of one group and their results.
#[derive(Default)]
pub(crate) struct Jobs {
    jobs: Vec<Job>,
    fitted: Vec<[Fitted; VARIANTS]>,
}

impl Jobs {
    pub fn clear(&mut self) {
        self.jobs.clear();
        self.fitted.clear();
    }

    pub fn get(&self, job: u32) -> Job {
        self.jobs[job as usize]
    }

    /// Adds a job without a result.
    pub fn push(&mut self, job: Job) -> u32 {
        self.jobs.push(job);
        self.jobs.len() as u32 - 1
    }

    /// Returns the result of a variant.
    #[inline]
    pub fn fitted(&self, job: u32, variant: Variant) -> Fitted {
        self.fitted[job as usize][2 * usize::from(variant.place) + usize::from(variant.is_offset)]
    }

    /// Finds endpoints for all jobs that have none.
    pub fn fit(&mut self, group: GroupName, source: Source<'_>, effort: Effort) {
        let done = self.fitted.len();
        self.fitted.resize(self.jobs.len(), [Fitted::default(); VARIANTS]);
        let mut numbers: Vec<u32> = (done as u32..self.jobs.len() as u32).collect();
        numbers.sort_by_key(|&number| self.jobs[number as usize].count);
        let ranges = effort.ranges.min(group.group().weights.len());
        for numbers in numbers.chunks(BATCH) {
            let mut results = Results::default();
            let jobs = numbers.iter().map(|&number| self.jobs[number as usize]);
            source.with_batch(group, jobs, |work| fit::fit(source.level, work, effort, &mut results));
            for (lane, &number) in numbers.iter().enumerate() {
                let variants = results[..ranges].as_flattened();
                for (fitted, parts) in self.fitted[number as usize].iter_mut().zip(variants) {
                    *fitted = parts.lane(lane);
                }
            }
        }
    }
}

impl FittedParts {
    fn lane(&self, lane: usize) -> Fitted {
        let levels = PartLevels { even: self.even[lane] as u32, odd: self.odd[lane] as u32 };
        Fitted { error: self.errors[lane], levels }
    }

    fn set_lane(&mut self, lane: usize, fitted: Fitted) {
        self.errors[lane] = fitted.error;
        self.even[lane] = fitted.levels.even as i32;
        self.odd[lane] = fitted.levels.odd as i32;
    }
}

/// Part with levels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartJob {
    pub job: Job,
    pub variant: Variant,
    pub fitted: Fitted,
    /// Number by which the caller knows it.
    pub owner: u32,
}

/// Improves the levels of parts of one group.
pub(crate) fn climb(group: GroupName, source: Source<'_>, parts: &mut [PartJob], sweeps: usize) {
    parts.sort_by_key(|part| (part.variant, part.job.count));
    for parts in parts.chunk_by_mut(|a, b| a.variant == b.variant) {
        let variant = parts[0].variant;
        for parts in parts.chunks_mut(BATCH) {
            let mut lanes = FittedParts::default();
            for (lane, part) in parts.iter().enumerate() {
                lanes.set_lane(lane, part.fitted);
            }
            source.with_batch(group, parts.iter().map(|part| part.job), |work| {
                fit::climb(source.level, work, variant, sweeps, &mut lanes);
            });
            for (lane, part) in parts.iter_mut().enumerate() {
                part.fitted = lanes.lane(lane);
            }
        }
    }
}

/// Finds the weights of parts whose groups have the same channels, planes and family as `group`. Calls `found`
/// with each part, its lane and the ranks in lanes.
pub(crate) fn rank_weights(
    group: GroupName,
    source: Source<'_>,
    parts: &mut [PartJob],
    mut found: impl FnMut(&PartJob, usize, &PartRanks),
) {
    parts.sort_by_key(|part| part.job.count);
    for parts in parts.chunks(BATCH) {
        let mut lanes = FittedParts::default();
        let mut variants = [Variant::default(); BATCH];
        for (lane, part) in parts.iter().enumerate() {
            lanes.set_lane(lane, part.fitted);
            variants[lane] = part.variant;
        }
        let mut ranks = [[[0; BATCH]; 16]; 2];
        source.with_batch(group, parts.iter().map(|part| part.job), |work| {
            fit::rank_weights(source.level, work, &variants, &mut lanes, &mut ranks);
        });
        for (lane, part) in parts.iter().enumerate() {
            found(part, lane, &ranks);
        }
    }
}

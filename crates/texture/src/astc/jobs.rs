//! Parts of many blocks, gathered until every lane has one.

use super::{
    fit::{self, FittedParts, Improvement, PartRanks, Results, Variant, Work},
    groups::GroupName,
    pack::PartLevels,
    part::{Form, PartTexels},
    sequence::LEAST_COLOR_RANGE,
};
use crate::{bc::batch::BATCH, simd::AvailableLevel};

/// Inputs that all jobs share.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub level: AvailableLevel,
    /// Form of the decoded colours.
    pub form: Form,
    /// Bits of the blocks' texels, red in the lowest byte.
    pub texels: &'a [f32],
}

impl<'a> Inputs<'a> {
    /// Returns the texels of parts in lanes.
    #[inline]
    fn batch(&self, jobs: impl Iterator<Item = Job>) -> PartTexels<'a> {
        let mut texels = PartTexels {
            blocks: self.texels,
            starts: [0; BATCH],
            orders: [[0; BATCH]; 2],
            counts: [0; BATCH],
            longest: 0,
            form: self.form,
        };
        for (lane, Job { order, block, count }) in jobs.enumerate() {
            texels.starts[lane] = 16 * i32::from(block);
            texels.orders[0][lane] = order as i32;
            texels.orders[1][lane] = (order >> 32) as i32;
            texels.counts[lane] = i32::from(count);
            texels.longest = texels.longest.max(usize::from(count));
        }
        texels
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

/// Jobs of one group and their results.
#[derive(Default)]
pub(crate) struct Jobs {
    jobs: Vec<Job>,
    /// Variants of each job's result.
    fitted: Vec<Fitted>,
    /// Number of variants of a result.
    variants: usize,
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

    /// Returns the results of a job, by the number of the variant.
    #[inline]
    pub fn fitted(&self, job: u32) -> &[Fitted] {
        &self.fitted[job as usize * self.variants..][..self.variants]
    }

    /// Finds endpoints for all jobs that have none. `ranges` is the number of ranges of weights to try, the
    /// same in all calls.
    pub fn fit(&mut self, group: GroupName, inputs: Inputs<'_>, ranges: usize) {
        self.variants = 2 * ranges.min(group.group().weights.len());
        let done = self.fitted.len() / self.variants;
        self.fitted.resize(self.jobs.len() * self.variants, Fitted::default());
        let numbers: Vec<u32> = (done as u32..self.jobs.len() as u32).collect();
        let numbers = sorted(&numbers, |number| self.jobs[number as usize].count);
        for numbers in numbers.chunks(BATCH) {
            let mut results = Results::default();
            let jobs = numbers.iter().map(|&number| self.jobs[number as usize]);
            let batch = inputs.batch(jobs);
            fit::fit(inputs.level, &Work { group, texels: &batch }, ranges, &mut results);
            for (lane, &number) in numbers.iter().enumerate() {
                let fitted = &mut self.fitted[number as usize * self.variants..][..self.variants];
                for (fitted, parts) in fitted.iter_mut().zip(results.as_flattened()) {
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

/// Returns numbers sorted by their counts of texels, 1 to 16.
fn sorted(numbers: &[u32], count: impl Fn(u32) -> u8) -> Vec<u32> {
    let mut places = [0; 18];
    for &number in numbers {
        places[usize::from(count(number)) + 1] += 1;
    }
    for count in 1..18 {
        places[count] += places[count - 1];
    }
    let mut sorted = vec![0; numbers.len()];
    for &number in numbers {
        let place = &mut places[usize::from(count(number))];
        sorted[*place] = number;
        *place += 1;
    }
    sorted
}

/// Calls `run` with the parts of some numbers in lanes, and their variants and levels. The groups of all have
/// the same channels, planes and family as `group`.
fn with_batches(
    group: GroupName,
    inputs: Inputs<'_>,
    parts: &mut [PartJob],
    numbers: &[u32],
    mut run: impl FnMut(&Work<'_>, &[Variant; BATCH], &mut FittedParts, &[u32], &mut [PartJob]),
) {
    let numbers = sorted(numbers, |number| parts[number as usize].job.count);
    for numbers in numbers.chunks(BATCH) {
        let mut lanes = FittedParts::default();
        let unused = Variant { color_range: LEAST_COLOR_RANGE as u8, ..Variant::default() };
        let mut variants = [unused; BATCH];
        for (lane, &number) in numbers.iter().enumerate() {
            lanes.set_lane(lane, parts[number as usize].fitted);
            variants[lane] = parts[number as usize].variant;
        }
        let batch = inputs.batch(numbers.iter().map(|&number| parts[number as usize].job));
        run(&Work { group, texels: &batch }, &variants, &mut lanes, numbers, parts);
    }
}

/// Improves the levels of parts by a regression and up to `sweeps` sweeps. The regression keeps all parts.
/// After each sweep, the parts that it did not improve leave the lanes to others. A single sweep follows the
/// regression while the parts are in the lanes, which saves 3 % of the time of quality normal.
pub(crate) fn improve(group: GroupName, inputs: Inputs<'_>, parts: &mut [PartJob], sweeps: usize) {
    let mut numbers: Vec<u32> = (0..parts.len() as u32).collect();
    let mut run = |numbers: &[u32], improvement| {
        let mut improved = Vec::new();
        with_batches(group, inputs, parts, numbers, |work, variants, lanes, numbers, parts| {
            fit::improve(inputs.level, work, variants, improvement, lanes);
            for (lane, &number) in numbers.iter().enumerate() {
                let fitted = &mut parts[number as usize].fitted;
                if lanes.errors[lane] < fitted.error {
                    improved.push(number);
                }
                *fitted = lanes.lane(lane);
            }
        });
        improved
    };
    if sweeps == 1 {
        run(&numbers, Improvement::RegressionAndSweep);
        return;
    }
    run(&numbers, Improvement::Regression);
    for _ in 0..sweeps {
        numbers = run(&numbers, Improvement::Sweep);
    }
}

/// Finds the weights of parts. Calls `found` with each part, its lane and the ranks in lanes.
pub(crate) fn rank_weights(
    group: GroupName,
    inputs: Inputs<'_>,
    parts: &mut [PartJob],
    mut found: impl FnMut(&PartJob, usize, &PartRanks),
) {
    let numbers: Vec<u32> = (0..parts.len() as u32).collect();
    with_batches(group, inputs, parts, &numbers, |work, variants, lanes, numbers, parts| {
        let mut ranks = [[[0; BATCH]; 16]; 2];
        fit::rank_weights(inputs.level, work, variants, lanes, &mut ranks);
        for (lane, &number) in numbers.iter().enumerate() {
            found(&parts[number as usize], lane, &ranks);
        }
    });
}

//! Parts of many blocks, gathered until every lane has one.

use super::{
    coding::{Coding, PBits},
    fit::{self, FittedParts, Work},
    pack::PackedPart,
    part::{PartTexels, Weights},
    plan::Effort,
};
use crate::{bc::batch::BATCH, simd::AvailableLevel};

/// Codings of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Mode0,
    Mode1,
    Mode2,
    Mode3,
    /// Colours of mode 4 with indices of 2 bits.
    Mode4Color,
    /// Colours of mode 4 with indices of 3 bits.
    Mode4FineColor,
    /// Alpha of mode 4 with indices of 2 bits.
    Mode4Alpha,
    /// Alpha of mode 4 with indices of 3 bits.
    Mode4FineAlpha,
    Mode5Color,
    Mode5Alpha,
    Mode6,
    /// Mode 6 of blocks without transparency.
    Mode6Opaque,
    Mode7,
}

impl Kind {
    pub const ALL: [Self; 13] = [
        Self::Mode0,
        Self::Mode1,
        Self::Mode2,
        Self::Mode3,
        Self::Mode4Color,
        Self::Mode4FineColor,
        Self::Mode4Alpha,
        Self::Mode4FineAlpha,
        Self::Mode5Color,
        Self::Mode5Alpha,
        Self::Mode6,
        Self::Mode6Opaque,
        Self::Mode7,
    ];

    pub const fn coding(self) -> Coding {
        match self {
            Self::Mode0 => Coding::new(4, PBits::Own, 3),
            Self::Mode1 => Coding::new(6, PBits::Shared, 3),
            Self::Mode2 => Coding::new(5, PBits::None, 2),
            Self::Mode3 => Coding::new(7, PBits::Own, 2),
            Self::Mode4Color => Coding::new(5, PBits::None, 2),
            Self::Mode4FineColor => Coding::new(5, PBits::None, 3),
            Self::Mode4Alpha => Coding::new(6, PBits::None, 2),
            Self::Mode4FineAlpha => Coding::new(6, PBits::None, 3),
            Self::Mode5Color => Coding::new(7, PBits::None, 2),
            Self::Mode5Alpha => Coding::new(8, PBits::None, 2),
            Self::Mode6 => Coding::new(7, PBits::Own, 4),
            Self::Mode6Opaque => Coding::new(7, PBits::Set, 4),
            Self::Mode7 => Coding::new(5, PBits::Own, 2),
        }
    }

    pub const fn channels(self) -> usize {
        match self {
            Self::Mode4Alpha | Self::Mode4FineAlpha | Self::Mode5Alpha => 1,
            Self::Mode6 | Self::Mode7 => 4,
            _ => 3,
        }
    }
}

/// Inputs that all jobs share.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub level: AvailableLevel,
    pub weights: Weights,
    /// Bits of the blocks' texels, red in the lowest byte.
    pub texels: &'a [f32],
}

/// Part to be fitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    /// [`order`](super::partitions::order) of its texels.
    pub order: u64,
    /// Number of its block.
    pub block: u16,
    /// Number of texels that count.
    pub count: u8,
    /// Channel that is exchanged with alpha, as in modes 4 and 5; 0 for none.
    pub rotation: u8,
    /// True if its block has opaque texels that must stay so.
    pub keeps_opaque: bool,
}

/// Result of a job.
#[derive(Clone, Copy, Debug)]
struct Fitted {
    error: i32,
    a: u32,
    b: u32,
}

/// Jobs of one kind and their results.
#[derive(Default)]
pub(crate) struct Jobs {
    jobs: Vec<Job>,
    fitted: Vec<Fitted>,
    /// Number of jobs that have been fitted.
    done: usize,
    /// Jobs to do next: in the given order, and sorted by their number of texels.
    order: Vec<(u32, u32)>,
}

impl Jobs {
    pub fn clear(&mut self) {
        self.jobs.clear();
        self.fitted.clear();
        self.done = 0;
    }

    /// Returns a job.
    pub fn get(&self, job: u32) -> Job {
        self.jobs[job as usize]
    }

    /// Returns the squared error of a job's result.
    pub fn error(&self, job: u32) -> i32 {
        self.fitted[job as usize].error
    }

    /// Adds a job without a result.
    pub fn push(&mut self, job: Job) -> u32 {
        self.jobs.push(job);
        self.fitted.push(Fitted { error: 1 << 24, a: 0, b: 0 });
        self.jobs.len() as u32 - 1
    }

    /// Sorts `jobs` by their number of texels, as positions and numbers. Returns the number of jobs.
    fn arrange(&mut self, jobs: impl Iterator<Item = u32> + Clone) -> usize {
        let mut places = [0u32; 18];
        for job in jobs.clone() {
            places[usize::from(self.jobs[job as usize].count) + 1] += 1;
        }
        for count in 1..18 {
            places[count] += places[count - 1];
        }
        if self.order.len() < places[17] as usize {
            self.order.resize(places[17] as usize, (0, 0));
        }
        for (number, job) in jobs.enumerate() {
            let place = &mut places[usize::from(self.jobs[job as usize].count)];
            self.order[*place as usize] = (number as u32, job);
            *place += 1;
        }
        places[17] as usize
    }

    /// Calls `run` with one batch of `jobs` after another.
    fn run(
        &mut self,
        kind: Kind,
        source: Source<'_>,
        jobs: impl Iterator<Item = u32> + Clone,
        mut run: impl FnMut(&mut Work<'_>, &[(u32, u32)]),
    ) {
        let count = self.arrange(jobs);
        for batch in self.order[..count].chunks(BATCH) {
            let mut parts = FittedParts::default();
            let mut texels = PartTexels {
                blocks: source.texels,
                starts: [0; BATCH],
                orders: [[0; BATCH]; 2],
                counts: [0; BATCH],
                longest: 0,
                rotations: [0; BATCH],
                rotated: false,
                weights: source.weights,
                keeps_opaque: false,
            };
            for (lane, &(_, number)) in batch.iter().enumerate() {
                let Job { order, block, count, rotation, keeps_opaque } = self.jobs[number as usize];
                texels.starts[lane] = 16 * i32::from(block);
                texels.orders[0][lane] = order as i32;
                texels.orders[1][lane] = (order >> 32) as i32;
                texels.counts[lane] = i32::from(count);
                texels.longest = texels.longest.max(usize::from(count));
                texels.rotations[lane] = i32::from(rotation);
                texels.rotated |= rotation != 0;
                texels.keeps_opaque |= keeps_opaque;
                let fitted = self.fitted[number as usize];
                parts.errors[lane] = fitted.error;
                parts.a[lane] = fitted.a as i32;
                parts.b[lane] = fitted.b as i32;
            }
            let mut work = Work { coding: kind.coding(), texels: &texels, parts: &mut parts };
            run(&mut work, batch);
            for (lane, &(_, number)) in batch.iter().enumerate() {
                self.fitted[number as usize] =
                    Fitted { error: parts.errors[lane], a: parts.a[lane] as u32, b: parts.b[lane] as u32 };
            }
        }
    }

    /// Finds endpoints for all jobs that have none.
    pub fn fit(&mut self, kind: Kind, source: Source<'_>, effort: Effort) {
        let jobs = self.done as u32..self.jobs.len() as u32;
        self.done = self.jobs.len();
        self.run(kind, source, jobs, |work, _| fit::fit(source.level, kind.channels(), effort, work));
    }

    /// Finds endpoints for some jobs with both efforts. `lesser` has the results of the second effort, by the
    /// same numbers. The second effort's steps must be among those of the first.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn fit_both(
        &mut self,
        kind: Kind,
        source: Source<'_>,
        efforts: [Effort; 2],
        jobs: &[u32],
        lesser: &mut Self,
    ) {
        lesser.jobs.extend_from_slice(&self.jobs[lesser.jobs.len()..]);
        lesser.fitted.resize(self.jobs.len(), Fitted { error: 1 << 24, a: 0, b: 0 });
        self.run(kind, source, jobs.iter().copied(), |work, batch| {
            let mut parts = FittedParts::default();
            fit::fit_both(source.level, kind.channels(), efforts, work, &mut parts);
            for (lane, &(_, number)) in batch.iter().enumerate() {
                lesser.fitted[number as usize] =
                    Fitted { error: parts.errors[lane], a: parts.a[lane] as u32, b: parts.b[lane] as u32 };
            }
        });
    }

    /// Improves the endpoints of some jobs.
    pub fn climb(&mut self, kind: Kind, source: Source<'_>, jobs: &[u32], sweeps: usize) {
        self.run(kind, source, jobs.iter().copied(), |work, _| {
            fit::climb(source.level, kind.channels(), sweeps, work);
        });
    }

    /// Finds the indices of some jobs. Calls `found` with the position of each job and its indices.
    pub fn index(
        &mut self,
        kind: Kind,
        source: Source<'_>,
        jobs: &[u32],
        exact: bool,
        mut found: impl FnMut(usize, PackedPart),
    ) {
        self.run(kind, source, jobs.iter().copied(), |work, batch| {
            let mut indices = [[0; BATCH]; 2];
            fit::index(source.level, kind.channels(), exact, work, &mut indices);
            for (lane, &(place, _)) in batch.iter().enumerate() {
                let [low, high] = indices.map(|words| words[lane] as u32);
                let ends = [work.parts.a[lane] as u32, work.parts.b[lane] as u32];
                found(place as usize, PackedPart { ends, indices: u64::from(low) | u64::from(high) << 32 });
            }
        });
    }
}

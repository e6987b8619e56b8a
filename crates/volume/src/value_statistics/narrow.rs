//! Statistics of integers of 8 and 16 bits, from the count of each.

use super::{Bins, Block, Moments, StatisticsError, ValueStatistics, interpolated, numbers::number, rank};
use crate::{Rescale, Task, Voxel, VoxelType, with_voxel_type};
use brickwork_base::parallel;

/// The count of each number, by its ordinal.
pub struct Counts {
    voxel_type: VoxelType,
    counts: Vec<u64>,
}

impl Counts {
    /// Counts nothing.
    pub fn new(voxel_type: VoxelType) -> Self {
        Self { voxel_type, counts: vec![0; 1 << voxel_type.bit_count()] }
    }

    /// Counts the numbers of a channel.
    pub fn add(&mut self, block: &Block<'_>, channel: usize, task: &Task<'_>) -> Result<(), StatisticsError> {
        let voxel_bytes = block.channels * self.voxel_type.byte_count();
        // Sums of integers do not depend on the division.
        let share = block.count().div_ceil(parallel::thread_count(task)).max(1);
        let found = parallel::try_map(task, block.voxels.chunks(share * voxel_bytes), |bytes| {
            task.check()?;
            let mut counts = vec![0u32; self.counts.len()];
            with_voxel_type!(self.voxel_type, T => {
                let numbers = bytes.chunks_exact(size_of::<T>()).skip(channel).step_by(block.channels);
                for number in numbers.map(bytemuck::pod_read_unaligned::<T>) {
                    counts[number.to_ordinal() as usize % (1 << 16)] += 1;
                }
            });
            Ok::<_, StatisticsError>(counts)
        })?;
        for part in found {
            self.counts.iter_mut().zip(part).for_each(|(count, more)| *count += u64::from(more));
        }
        Ok(())
    }

    /// Returns numbers and their counts, in the order of the numbers.
    fn all(&self) -> impl DoubleEndedIterator<Item = (f64, u64)> {
        let counted = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counted.map(|(ordinal, &count)| (number(self.voxel_type, ordinal as u64), count))
    }

    /// Returns the statistics of the values on a line. Mean and deviation are those of exact sums.
    pub fn statistics(&self, line: Rescale, percentiles: &[f64]) -> ValueStatistics {
        let count: u64 = self.counts.iter().sum();
        let (Some((low, _)), Some((high, _))) = (self.all().next(), self.all().next_back()) else {
            return ValueStatistics::default();
        };
        let sum: i128 = self.all().map(|(number, count)| number as i128 * i128::from(count)).sum();
        let mean = sum as f64 / count as f64;
        let squares: f64 = self.all().map(|(number, count)| (number - mean).powi(2) * count as f64).sum();
        let ends = [low, high].map(|number| line.of(number));
        let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let squares = squares * line.slope * line.slope;
        let mut statistics = Moments::known(count, line.of(mean), squares, ends).statistics();
        if let Some(finite) = &mut statistics.finite {
            let at = |rank| {
                let rank = if line.slope < 0.0 { count - 1 - rank } else { rank };
                line.of(self.at_rank(rank))
            };
            finite.percentiles = percentiles
                .iter()
                .map(|&percent| {
                    let (below, share) = rank(percent, count);
                    interpolated([at(below), at((below + 1).min(count - 1))], share)
                })
                .collect();
        }
        statistics
    }

    fn at_rank(&self, rank: u64) -> f64 {
        let mut before = 0;
        let found = self.all().find(|(_, count)| {
            before += count;
            rank < before
        });
        found.map_or(0.0, |(number, _)| number)
    }

    /// Adds the values on a line to the bins.
    pub fn add_to(&self, bins: &mut Bins, line: Rescale) {
        for (number, count) in self.all() {
            bins.add_value(line.of(number), count);
        }
    }
}

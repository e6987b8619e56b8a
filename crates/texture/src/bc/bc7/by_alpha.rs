//! Weighting of colour errors by the texels' alpha.
//!
//! This pass works on blocks that are already encoded, on either the CPU or a GPU. All devices therefore give
//! the same bytes. Blocks whose texels differ in alpha are searched again, in the modes with alpha. They
//! change where the weighted error gets lower.
//!
//! ```text
//! error = Σ alpha · Σ weight · (difference of a colour)² + Σ 255 · weight · (difference of alpha)²
//! for each mode 4 to 7, rotation, exchange of indices or partition
//!     for each part: line by weighted covariance → endpoints ⇄ indices, then single steps of codes
//! ```
//!
//! Errors are integers. Floats, in a fixed order, only propose endpoints.

use super::{
    Bc7Options,
    by_alpha_fit::{Effort, Part, Problem, fit},
    by_alpha_rank::{distance_from_line, sum_of},
    coding::{Coding, PBits},
    decode_block,
    modes::MODES,
    pack::{Choice, PackedPart, pack},
    part::Weights,
    partitions::{TWO_ANCHORS, TWO_SUBSETS},
};
use crate::{Cancelled, EncodeOptions, Quality, Task, block_row::BlockRow, simd::AvailableLevel};

/// Extent of the search.
#[derive(Clone, Copy)]
struct Extent {
    /// Partitions of mode 7 that are fitted.
    partitions: usize,
    /// Rotations of modes 4 and 5.
    rotations: u8,
    effort: Effort,
}

impl Extent {
    const fn of(quality: Quality) -> Self {
        let (partitions, rotations, refinements, climbs) = match quality {
            Quality::Ultrafast => (1, 1, 1, 0),
            Quality::Fast => (4, 1, 2, 0),
            Quality::Normal => (8, 1, 2, 1),
            Quality::High => (24, 4, 3, 2),
            Quality::Best => (64, 4, 4, 4),
        };
        Self { partitions, rotations, effort: Effort { refinements, climbs } }
    }
}

/// Second pass of BC7 that improves blocks where texels' errors are weighted by alpha.
pub(super) struct AlphaWeigher {
    simd: AvailableLevel,
    weights: [u64; 4],
    options: Bc7Options,
    extent: Extent,
}

impl AlphaWeigher {
    pub fn new(simd: AvailableLevel, options: &EncodeOptions) -> Self {
        let weights = Weights::new(options.weights).0.map(|weight| weight as u64);
        Self { simd, weights, options: options.bc7, extent: Extent::of(options.quality) }
    }

    /// Processes a row of encoded blocks.
    pub fn improve_row(
        &self,
        rows: &BlockRow<'_, [u8; 4]>,
        blocks: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), Cancelled> {
        for (column, block) in blocks.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let texels = rows.block(column);
            if texels.iter().any(|texel| texel[3] != texels[0][3]) {
                task.check()?;
                let problem = Problem::new(&texels, rows.visible_texels(column), self.weights);
                *block = self.improved(&problem, *block);
            }
        }
        Ok(())
    }

    /// Returns the block with the least error that is found.
    fn improved(&self, problem: &Problem, block: [u8; 16]) -> [u8; 16] {
        let mut best = Best { problem, error: problem.error(&decode_block(&block)), block };
        if self.options.modes.contains(6) {
            let coding = Coding::new(7, PBits::Own, 4);
            let part = Part { channels: 0..4, texels: u16::MAX, anchor: 0 };
            let part = fit(self.simd, problem, &part, coding, self.extent.effort);
            best.offer(Choice { mode: 6, ..Choice::default() }, [part, PackedPart::default()]);
        }
        for rotation in 0..self.extent.rotations {
            let rotated = problem.rotated(rotation);
            for (mode, is_exchanged) in [(5, false), (4, false), (4, true)] {
                if self.options.modes.contains(mode) {
                    let choice = Choice { mode, rotation, is_exchanged, partition: 0 };
                    best.offer(choice, self.separate(&rotated, choice));
                }
            }
        }
        if self.options.modes.contains(7) {
            for partition in self.partitions(problem) {
                let parts = self.subsets(problem, partition);
                best.offer(Choice { mode: 7, partition, ..Choice::default() }, parts);
            }
        }
        best.block
    }

    /// Returns the parts of mode 4 or 5: colours, and the channel with separate indices.
    fn separate(&self, problem: &Problem, choice: Choice) -> [PackedPart; 2] {
        let mode = &MODES[usize::from(choice.mode)];
        let mut widths = [mode.index, mode.second_index];
        if choice.is_exchanged {
            widths.swap(0, 1);
        }
        let all = |channels| Part { channels, texels: u16::MAX, anchor: 0 };
        let [color, alpha] = [(0..3, mode.color, widths[0]), (3..4, mode.alpha, widths[1])]
            .map(|(channels, bits, width)| (all(channels), Coding::new(bits, PBits::None, width)));
        [color, alpha].map(|(part, coding)| fit(self.simd, problem, &part, coding, self.extent.effort))
    }

    /// Returns the partitions of mode 7 that are worth a fit: those whose subsets are closest to lines.
    fn partitions(&self, problem: &Problem) -> Vec<u8> {
        let moments = problem.moments();
        let all = sum_of(&moments, u16::MAX);
        let error = |partition: u8| {
            let second = sum_of(&moments, TWO_SUBSETS[usize::from(partition)]);
            let first = std::array::from_fn(|i| all[i] - second[i]);
            (distance_from_line(&first) + distance_from_line(&second), partition)
        };
        let mut ranked: Vec<_> = (0..64).map(error).collect();
        ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        ranked.iter().take(self.extent.partitions).map(|&(_, partition)| partition).collect()
    }

    /// Returns the subsets of a partition of mode 7.
    fn subsets(&self, problem: &Problem, partition: u8) -> [PackedPart; 2] {
        let second = TWO_SUBSETS[usize::from(partition)];
        let anchor = TWO_ANCHORS[usize::from(partition)];
        [(!second, 0), (second, anchor)].map(|(texels, anchor)| {
            let part = Part { channels: 0..4, texels, anchor: anchor.into() };
            fit(self.simd, problem, &part, Coding::new(5, PBits::Own, 2), self.extent.effort)
        })
    }
}

/// The best block so far.
struct Best<'a> {
    problem: &'a Problem,
    error: u64,
    block: [u8; 16],
}

impl Best<'_> {
    fn offer(&mut self, choice: Choice, [first, second]: [PackedPart; 2]) {
        let block = pack(choice, &[first, second, PackedPart::default()]);
        let error = self.problem.error(&decode_block(&block));
        if error < self.error {
            (self.error, self.block) = (error, block);
        }
    }
}

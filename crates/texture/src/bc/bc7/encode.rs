//! Encoding of blocks: candidates are proposed, fitted and compared.
//!
//! Mode 6 comes first. Where its error is above the plan's limit, partitions are ranked. The most promising
//! are tried in the modes that have them. The best candidates are improved; the best of all is written.

use super::{
    ModeSet,
    estimate::{NONE, Range, Rankings, rank_partitions},
    jobs::{Job, Jobs, Kind, Source},
    modes::MODES,
    pack::{Choice, PackedPart, pack},
    part::Weights,
    partitions::{ORDERS, anchors, order, subsets},
    plan::{Plan, Separate},
};
use crate::{bc::batch::BATCH, simd::AvailableLevel};

// It would add 18 KB to the web package's module, which runs the plain algorithm.
#[cfg(not(target_arch = "wasm32"))]
mod best;

/// Number of blocks that are encoded at a time.
pub(crate) const CHUNK: usize = 64;

/// Properties of a block.
#[derive(Clone, Copy, Default)]
struct Block {
    /// Texels that are in the image.
    visible: u16,
    /// True if any texel is not opaque.
    has_alpha: bool,
    /// True if opaque texels must stay opaque, as alpha is stored with colours.
    keeps_opaque: bool,
    /// True if there are at most two colours.
    is_two: bool,
}

/// A way to encode a block.
#[derive(Clone, Copy)]
struct Candidate {
    block: u16,
    choice: Choice,
    kinds: [Kind; 2],
    /// Jobs of its parts. They are of the first kind, except in modes 4 and 5, where the second is of the
    /// second kind.
    jobs: [u32; 3],
}

impl Candidate {
    /// Returns the kinds and numbers of its jobs.
    #[inline]
    fn parts(&self) -> impl Iterator<Item = (Kind, u32)> + use<> {
        let mode = &MODES[usize::from(self.choice.mode)];
        let [first, second] = self.kinds;
        let (kinds, count) =
            if mode.second_index > 0 { ([first, second, second], 2) } else { ([first; 3], mode.subsets) };
        kinds.into_iter().zip(self.jobs).take(count)
    }
}

/// Error and number of a block's best candidate.
type BestOf = [(i32, usize); CHUNK];

const NO_BEST: BestOf = [(i32::MAX, 0); CHUNK];

/// Encoder of blocks, with its working memory.
pub(crate) struct Encoder {
    level: AvailableLevel,
    weights: Weights,
    modes: ModeSet,
    /// Bits of the blocks' texels, red in the lowest byte.
    texels: [[f32; 16]; CHUNK],
    blocks: [Block; CHUNK],
    count: usize,
    candidates: Vec<Candidate>,
    jobs: [Jobs; Kind::ALL.len()],
    /// Jobs to be done next, for each kind.
    chosen: [Vec<u32>; Kind::ALL.len()],
    /// Block of each of these jobs, and position of the part in it.
    owners: [Vec<(u8, u8)>; Kind::ALL.len()],
}

impl Encoder {
    pub fn new(level: AvailableLevel, weights: Weights, modes: ModeSet) -> Self {
        Self {
            level,
            weights,
            modes,
            texels: [[0.0; 16]; CHUNK],
            blocks: [Block::default(); CHUNK],
            count: 0,
            candidates: Vec::new(),
            jobs: Default::default(),
            chosen: Default::default(),
            owners: Default::default(),
        }
    }

    /// Adds a block, up to [`CHUNK`]. `texels` have red in the lowest byte; `visible` marks those in the
    /// image.
    #[inline]
    pub fn push(&mut self, texels: &[u32; 16], visible: u16) {
        let (mut all, mut has_opaque) = (u32::MAX, false);
        let mut is_two = true;
        let first = texels[0];
        let second = texels.iter().copied().find(|&texel| texel != first).unwrap_or(first);
        for (place, &texel) in self.texels[self.count].iter_mut().zip(texels) {
            *place = f32::from_bits(texel);
            all &= texel;
            has_opaque |= texel >> 24 == 255;
            is_two &= texel == first || texel == second;
        }
        let has_alpha = all >> 24 != 255;
        self.blocks[self.count] = Block {
            visible,
            has_alpha,
            keeps_opaque: has_opaque && (has_alpha || self.first_mode() == 7),
            is_two,
        };
        self.count += 1;
    }

    /// Returns the number of blocks.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Removes the blocks.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Encodes the blocks and returns their squared errors.
    pub fn encode(&mut self, plan: &Plan, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        self.candidates.clear();
        self.jobs.iter_mut().for_each(Jobs::clear);
        let mut best = NO_BEST;
        for block in 0..self.count {
            self.propose_first(block);
        }
        self.fit(plan);
        self.choose(0, &mut best);
        self.propose_others(plan, &best);
        self.fit(plan);
        self.choose(self.count, &mut best);
        if plan.climbs > 0 {
            self.climb(plan);
            best = NO_BEST;
            self.choose(0, &mut best);
        }
        self.finish(plan, &best, blocks)
    }

    /// Encodes the blocks with each plan, takes the better ones, the first in a tie, and returns their
    /// squared errors. `encode_best` does the same in less time.
    #[cfg(any(test, target_arch = "wasm32"))]
    pub fn encode_with_each(&mut self, plans: [&Plan; 2], blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        let mut errors = self.encode(plans[0], blocks);
        let mut others = [[0; 16]; CHUNK];
        let errors_of_others = self.encode(plans[1], &mut others[..self.count]);
        keep_better(blocks, &mut errors, &others, &errors_of_others);
        errors
    }

    /// Returns the mode of a block's first candidate.
    fn first_mode(&self) -> u8 {
        [6, 5, 4].into_iter().find(|&mode| self.modes.contains(mode)).unwrap_or(7)
    }

    /// Proposes the first candidate of a block.
    fn propose_first(&mut self, block: usize) {
        let mode = self.first_mode();
        let kinds = match mode {
            6 if self.blocks[block].has_alpha => [Kind::Mode6; 2],
            6 => [Kind::Mode6Opaque; 2],
            5 => [Kind::Mode5Color, Kind::Mode5Alpha],
            4 => [Kind::Mode4Color, Kind::Mode4FineAlpha],
            _ => [Kind::Mode7; 2],
        };
        self.propose(block, Choice { mode, ..Choice::default() }, kinds);
    }

    /// Proposes the other candidates of the blocks for which the first is not good enough.
    fn propose_others(&mut self, plan: &Plan, best: &BestOf) {
        let mut rankings = Rankings::NONE;
        for has_alpha in [false, true] {
            let mut chosen = [0; CHUNK];
            let mut count = 0;
            for (block, best) in best[..self.count].iter().enumerate() {
                let limit = if self.blocks[block].is_two { 0 } else { plan.limit };
                if best.0 > limit && self.blocks[block].has_alpha == has_alpha {
                    chosen[count] = block;
                    count += 1;
                }
            }
            for batch in chosen[..count].chunks(BATCH) {
                let mut starts = [0; BATCH];
                for (start, &block) in starts.iter_mut().zip(batch) {
                    *start = 16 * block as i32;
                }
                let range = Range::new(plan, has_alpha);
                rank_partitions(self.level, range, self.texels.as_flattened(), &starts, &mut rankings);
                for (lane, &block) in batch.iter().enumerate() {
                    self.propose_partitions(plan, block, &rankings, lane);
                    self.propose_separate(plan, block);
                }
            }
        }
    }

    /// Proposes the most promising partitions of a block.
    fn propose_partitions(&mut self, plan: &Plan, block: usize, rankings: &Rankings, lane: usize) {
        let kinds = [Kind::Mode0, Kind::Mode1, Kind::Mode2, Kind::Mode3, Kind::Mode7];
        for (mode, kind) in [0, 1, 2, 3, 7].into_iter().zip(kinds) {
            let keys = &rankings.keys[mode][..plan.tries[mode]];
            let tried = keys.iter().map(|keys| keys[lane]).take_while(|&key| key != NONE);
            for key in tried.clone() {
                self.propose(block, Choice::partition(mode, key), [kind; 2]);
            }
            // What lower qualities try.
            let mode_of_first = if self.blocks[block].has_alpha { 7 } else { 1 };
            if mode != mode_of_first || plan.tries[mode] == 0 {
                continue;
            }
            for first in rankings.first.map(|keys| keys[lane]) {
                if first != NONE && !tried.clone().any(|key| key == first) {
                    self.propose(block, Choice::partition(mode, first), [kind; 2]);
                }
            }
        }
    }

    /// Proposes modes 4 and 5.
    fn propose_separate(&mut self, plan: &Plan, block: usize) {
        let rotations = match (self.blocks[block].has_alpha, plan.separate) {
            (true, Separate::All | Separate::AllOfAlpha | Separate::FiveOfAlpha) => 0..4,
            (false, Separate::All) => u8::from(!self.blocks[block].is_two)..4,
            (true, _) => 0..1,
            (false, _) => 0..u8::from(self.blocks[block].is_two),
        };
        for rotation in rotations {
            if self.modes.contains(5) {
                let choice = Choice { mode: 5, rotation, ..Choice::default() };
                self.propose(block, choice, [Kind::Mode5Color, Kind::Mode5Alpha]);
            }
            let is_five_only = rotation > 0 && plan.separate == Separate::FiveOfAlpha;
            let is_two_only = !self.blocks[block].has_alpha && plan.separate != Separate::All;
            if self.modes.contains(4) && !is_two_only && !is_five_only {
                let choice = Choice { mode: 4, rotation, ..Choice::default() };
                self.propose(block, choice, [Kind::Mode4Color, Kind::Mode4FineAlpha]);
                let choice = Choice { is_exchanged: true, ..choice };
                self.propose(block, choice, [Kind::Mode4FineColor, Kind::Mode4Alpha]);
            }
        }
    }

    /// Proposes a candidate.
    #[inline]
    fn propose(&mut self, block: usize, choice: Choice, kinds: [Kind; 2]) {
        let mut jobs = [0; 3];
        let mode = &MODES[usize::from(choice.mode)];
        let (partition, rotation) = (usize::from(choice.partition), choice.rotation);
        let Block { visible, keeps_opaque, .. } = self.blocks[block];
        let block = block as u16;
        let subsets = subsets(mode.subsets, partition);
        for (subset, job) in jobs.iter_mut().enumerate().take(mode.subsets) {
            let texels = subsets[subset] & visible;
            let order = if visible == 0xffff {
                ORDERS[mode.subsets - 1][partition][subset]
            } else {
                order(texels, anchors(mode.subsets, partition)[subset])
            };
            let count = texels.count_ones() as u8;
            *job = self.jobs[kinds[0] as usize].push(Job { order, block, count, rotation, keeps_opaque });
        }
        if mode.second_index > 0 {
            let job = self.jobs[kinds[0] as usize].get(jobs[0]);
            jobs[1] = self.jobs[kinds[1] as usize].push(job);
        }
        self.candidates.push(Candidate { block, choice, kinds, jobs });
    }

    /// Finds endpoints for all jobs that have none.
    fn fit(&mut self, plan: &Plan) {
        let source = Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
        for (kind, jobs) in Kind::ALL.into_iter().zip(&mut self.jobs) {
            jobs.fit(kind, source, plan.effort);
        }
    }

    /// Takes better candidates, from number `first` on.
    fn choose(&self, first: usize, best: &mut BestOf) {
        for (number, candidate) in self.candidates.iter().enumerate().skip(first) {
            let error = self.error(candidate);
            let best = &mut best[usize::from(candidate.block)];
            if error < best.0 {
                *best = (error, number);
            }
        }
    }

    fn error(&self, candidate: &Candidate) -> i32 {
        candidate.parts().map(|(kind, job)| self.jobs[kind as usize].error(job)).sum()
    }

    /// Improves the best candidates of each block.
    fn climb(&mut self, plan: &Plan) {
        let candidates = self.candidates.iter().enumerate();
        let mut ranked: Vec<_> =
            candidates.map(|(number, candidate)| (candidate.block, self.error(candidate), number)).collect();
        ranked.sort_unstable();
        let mut taken = [0; CHUNK];
        self.chosen.iter_mut().for_each(Vec::clear);
        for (block, error, number) in ranked {
            let taken = &mut taken[usize::from(block)];
            if *taken < plan.climbs && error > 0 {
                *taken += 1;
                for (kind, job) in self.candidates[number].parts() {
                    self.chosen[kind as usize].push(job);
                }
            }
        }
        let source = Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
        for ((kind, jobs), chosen) in Kind::ALL.into_iter().zip(&mut self.jobs).zip(&self.chosen) {
            jobs.climb(kind, source, chosen, plan.sweeps);
        }
    }

    /// Writes the best candidates and returns their errors.
    fn finish(&mut self, plan: &Plan, best: &BestOf, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        let best = &best[..self.count];
        let mut parts = [[PackedPart::default(); 3]; CHUNK];
        self.chosen.iter_mut().for_each(Vec::clear);
        self.owners.iter_mut().for_each(Vec::clear);
        for (block, &(_, number)) in best.iter().enumerate() {
            for (place, (kind, job)) in self.candidates[number].parts().enumerate() {
                self.chosen[kind as usize].push(job);
                self.owners[kind as usize].push((block as u8, place as u8));
            }
        }
        let source = Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
        for (kind, jobs) in Kind::ALL.into_iter().zip(&mut self.jobs) {
            let (chosen, owners) = (&self.chosen[kind as usize], &self.owners[kind as usize]);
            let constant = if kind == Kind::Mode6Opaque { 255 << 24 } else { 0 };
            jobs.index(kind, source, chosen, plan.exact, |place, mut part| {
                let (block, place) = owners[place];
                part.ends = part.ends.map(|end| end | constant);
                parts[usize::from(block)][usize::from(place)] = part;
            });
        }
        let mut errors = [0; CHUNK];
        let parts = best.iter().zip(&parts);
        for ((block, error), (&(_, number), parts)) in blocks.iter_mut().zip(&mut errors).zip(parts) {
            *block = pack(self.candidates[number].choice, parts);
            *error = self.error(&self.candidates[number]);
        }
        errors
    }
}

/// Takes those other blocks that have smaller errors.
fn keep_better(
    blocks: &mut [[u8; 16]],
    errors: &mut [i32; CHUNK],
    others: &[[u8; 16]; CHUNK],
    errors_of_others: &[i32; CHUNK],
) {
    for (i, block) in blocks.iter_mut().enumerate() {
        if errors_of_others[i] < errors[i] {
            errors[i] = errors_of_others[i];
            *block = others[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quality, bc::bc7::decode_block};

    /// Checks that the errors that the encoder compares are those of a decoder, in every mode.
    #[test]
    fn errors_are_those_of_the_decoder() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        for modes in ["4", "5", "6", "7", "0,6", "1,7", "2,5", "3,4", "0,1,2,3,4,5,6,7"] {
            let modes: ModeSet = modes.parse().unwrap();
            let mut encoder = Encoder::new(AvailableLevel::detect(), Weights::UNIFORM, modes);
            for quality in [Quality::Ultrafast, Quality::Normal, Quality::Best] {
                let mut sources = [[0; 16]; CHUNK];
                for (number, texels) in sources.iter_mut().enumerate() {
                    let (base, bits) = (random() << 8 | random(), random() | random());
                    let opaque = if number % 4 == 0 { 0 } else { 0xff00_0000 };
                    *texels = std::array::from_fn(|_| base ^ (random() << 8 | random()) & bits | opaque);
                    encoder.push(texels, 0xffff);
                }
                let mut blocks = [[0; 16]; CHUNK];
                let errors = encoder.encode(&Plan::new(quality, modes), &mut blocks);
                encoder.clear();
                for ((texels, block), error) in sources.iter().zip(&blocks).zip(errors) {
                    let mut found = 0;
                    for (texel, decoded) in texels.iter().zip(decode_block(block)) {
                        for (a, b) in texel.to_le_bytes().into_iter().zip(decoded) {
                            found += i32::from(a.abs_diff(b)).pow(2);
                        }
                    }
                    // Above that, texels that should be opaque are not.
                    assert!(found == error || error >= 1 << 20, "{modes} {quality:?}: {found}, not {error}");
                }
            }
        }
    }
}

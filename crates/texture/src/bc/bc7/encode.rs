//! Encoding of blocks: candidates are proposed, fitted and compared.
//!
//! Mode 6 comes first. Where its error is above the plan's limit, partitions are ranked. The most promising
//! are tried in the modes that have them. The best candidates are improved; the best of all is written.
//!
//! Only the candidates that are improved or written matter. A candidate's parts are therefore fitted one
//! after another, the largest first, until the sum of their errors shows that enough candidates are better.
//! The most promising candidates come first. The blocks are those of a search that fits all parts, as the
//! kernels do.

use super::{
    ModeSet,
    estimate::{NONE, Range, Rankings, rank_partitions},
    jobs::{Job, Jobs, Kind, Pass, Source},
    modes::MODES,
    pack::{Choice, PackedPart, pack},
    part::Weights,
    partitions::{ORDERS, anchors, order, subsets},
    plan::Plan,
    propose::{Block, Candidate, WAVES, Wave, first_choice, first_mode, partitions, separate},
};
use crate::{bc::batch::BATCH, simd::AvailableLevel};

/// Number of blocks that are encoded at a time.
pub(crate) const CHUNK: usize = 64;

/// Maximum number of a block's candidates that are improved.
const MOST_CLIMBS: usize = 4;

/// Best candidates of a block in a pass, by their errors and then by their positions in the pass's list.
#[derive(Clone, Copy)]
struct Least {
    /// Errors above 0, in ascending order, and positions.
    above: [(i32, u32); MOST_CLIMBS],
    /// Position of the first candidate whose error is 0; `u32::MAX` if there is none.
    exact: u32,
}

impl Least {
    const NONE: Self = Self { above: [(i32::MAX, u32::MAX); MOST_CLIMBS], exact: u32::MAX };

    fn offer(&mut self, error: i32, position: u32) {
        if error == 0 {
            self.exact = self.exact.min(position);
        } else if let Some(place) = self.above.iter().position(|&other| (error, position) < other) {
            self.above[place..].rotate_right(1);
            self.above[place] = (error, position);
        }
    }

    /// Returns the position of the best candidate.
    fn best(&self) -> u32 {
        if self.exact < u32::MAX { self.exact } else { self.above[0].1 }
    }
}

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
    /// Memory for rankings, kept from one chunk to the next.
    rankings: Option<Box<Rankings>>,
    /// Numbers of the candidates of each pass, in the order in which its plan proposes them for a block.
    proposed: [Vec<u32>; 2],
    /// Numbers of the candidates that wait for a fit.
    waves: [Vec<u32>; WAVES],
    /// Best candidates of those that have been fitted, for each pass and block.
    least: [[Least; CHUNK]; 2],
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
            rankings: None,
            proposed: Default::default(),
            waves: Default::default(),
            least: [[Least::NONE; CHUNK]; 2],
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
            keeps_opaque: has_opaque && (has_alpha || first_mode(self.modes) == 7),
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

    /// Encodes the blocks and returns their squared errors. With a second plan, `lesser`, the better block is
    /// taken; the first in a tie. Its candidates and steps must be among those of `plan`.
    pub fn encode(&mut self, plan: &Plan, lesser: Option<&Plan>, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        self.candidates.clear();
        self.jobs.iter_mut().for_each(Jobs::clear);
        self.proposed.iter_mut().for_each(Vec::clear);
        self.least = [[Least::NONE; CHUNK]; 2];
        for block in 0..self.count {
            let (choice, kinds) = first_choice(self.modes, &self.blocks[block]);
            self.propose(block, choice, kinds, 0);
            if lesser.is_some() {
                self.add_to_lesser(block);
            }
        }
        self.fit(plan, lesser);
        self.propose_others(plan, lesser);
        self.fit(plan, lesser);
        let mut errors = self.finish(Pass::Main, plan, blocks);
        if let Some(lesser) = lesser {
            let mut others = [[0; 16]; CHUNK];
            let errors_of_others = self.finish(Pass::Lesser, lesser, &mut others[..self.count]);
            for (block, other) in others[..self.count].iter().enumerate() {
                if errors_of_others[block] < errors[block] {
                    errors[block] = errors_of_others[block];
                    blocks[block] = *other;
                }
            }
        }
        errors
    }

    /// Proposes the other candidates of the blocks for which the first is not good enough.
    fn propose_others(&mut self, plan: &Plan, lesser: Option<&Plan>) {
        let mut rankings = self.rankings.take().unwrap_or_else(|| Box::new(Rankings::NONE));
        rankings.first = [[NONE; BATCH]; 2];
        for has_alpha in [false, true] {
            let mut chosen = [0; CHUNK];
            let mut count = 0;
            for block in 0..self.count {
                let limit = if self.blocks[block].is_two { 0 } else { plan.limit };
                let error = self.candidates[block].errors[Pass::Main as usize];
                if error > limit && self.blocks[block].has_alpha == has_alpha {
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
                    let (properties, modes) = (self.blocks[block], self.modes);
                    let first = self.candidates.len();
                    let mut propose = |choice, kinds, wave| self.propose(block, choice, kinds, wave);
                    partitions(plan, &properties, &rankings, lane, &mut propose);
                    separate(plan, modes, &properties, propose);
                    let Some(lesser) = lesser else { continue };
                    let mut add = |choice, _, _| {
                        let same = |candidate: &Candidate| candidate.choice == choice;
                        let found = self.candidates[first..].iter().position(same);
                        debug_assert!(found.is_some(), "{choice:?} is not in the first plan");
                        found.into_iter().for_each(|found| self.add_to_lesser(first + found));
                    };
                    partitions(lesser, &properties, &rankings, lane, &mut add);
                    separate(lesser, modes, &properties, add);
                }
            }
        }
        self.rankings = Some(rankings);
    }

    /// Proposes a candidate.
    #[inline]
    fn propose(&mut self, block: usize, choice: Choice, kinds: [Kind; 2], wave: Wave) {
        let mut parts = [(kinds[0], 0); 3];
        let mut counts = [0; 3];
        let mode = &MODES[usize::from(choice.mode)];
        let (partition, rotation) = (usize::from(choice.partition), choice.rotation);
        let Block { visible, keeps_opaque, .. } = self.blocks[block];
        let block = block as u16;
        let subsets = subsets(mode.subsets, partition);
        for (subset, (kind, job)) in parts.iter_mut().enumerate().take(mode.subsets) {
            let texels = subsets[subset] & visible;
            let order = if visible == 0xffff {
                ORDERS[mode.subsets - 1][partition][subset]
            } else {
                order(texels, anchors(mode.subsets, partition)[subset])
            };
            let count = texels.count_ones() as u8;
            counts[subset] = count;
            *job = self.jobs[*kind as usize].push(Job { order, block, count, rotation, keeps_opaque });
        }
        if mode.second_index > 0 {
            let job = self.jobs[kinds[0] as usize].get(parts[0].1);
            parts[1] = (kinds[1], self.jobs[kinds[1] as usize].push(job));
        }
        let mut order = [0, 1, 2];
        for (a, b) in [(0, 1), (1, 2), (0, 1)] {
            if counts[usize::from(order[a])] < counts[usize::from(order[b])] {
                order.swap(a, b);
            }
        }
        let number = self.candidates.len() as u32;
        self.proposed[Pass::Main as usize].push(number);
        self.waves[usize::from(wave)].push(number);
        self.candidates.push(Candidate {
            block,
            choice,
            part_count: if mode.second_index > 0 { 2 } else { mode.subsets as u8 },
            parts,
            order,
            position_in_lesser: u32::MAX,
            fitted: 0,
            errors: [0; 2],
        });
    }

    /// Adds a candidate to those of the second plan.
    fn add_to_lesser(&mut self, number: usize) {
        let proposed = &mut self.proposed[Pass::Lesser as usize];
        self.candidates[number].position_in_lesser = proposed.len() as u32;
        proposed.push(number as u32);
    }

    /// Fits the candidates that wait.
    fn fit(&mut self, plan: &Plan, lesser: Option<&Plan>) {
        if plan.climbs == 0 && lesser.is_none() {
            self.fit_all(plan);
        } else {
            self.fit_wanted(plan, lesser);
        }
    }

    /// Fits all parts of the candidates that wait, as no candidate is improved later. (With few starts, the
    /// bookkeeping of [`fit_wanted`](Self::fit_wanted) takes longer than the parts that it saves.)
    fn fit_all(&mut self, plan: &Plan) {
        self.chosen.iter_mut().for_each(Vec::clear);
        for &number in self.waves.iter().flatten() {
            for &(kind, job) in self.candidates[number as usize].parts() {
                self.chosen[kind as usize].push(job);
            }
        }
        let source = Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
        for ((kind, jobs), chosen) in Kind::ALL.into_iter().zip(&mut self.jobs).zip(&self.chosen) {
            if !chosen.is_empty() {
                jobs.fit(kind, source, plan.effort, None, chosen);
            }
        }
        for number in self.waves.iter_mut().flat_map(|wave| wave.drain(..)) {
            let candidate = &mut self.candidates[number as usize];
            let parts = candidate.parts().iter();
            let error = parts.map(|&(kind, job)| self.jobs[kind as usize].error(Pass::Main, job)).sum();
            candidate.errors[Pass::Main as usize] = error;
            candidate.fitted = candidate.part_count;
            self.least[Pass::Main as usize][usize::from(candidate.block)].offer(error, number);
        }
    }

    /// Fits the candidates that wait without those for which enough others are better.
    fn fit_wanted(&mut self, plan: &Plan, lesser: Option<&Plan>) {
        let kept = plan.climbs.max(1) - 1;
        let kept_by_lesser = lesser.map_or(0, |lesser| lesser.climbs.max(1) - 1);
        let mut waiting = Vec::new();
        for wave in 0..WAVES {
            waiting.append(&mut self.waves[wave]);
            while !waiting.is_empty() {
                self.chosen.iter_mut().for_each(Vec::clear);
                waiting.retain(|&number| {
                    let candidate = &self.candidates[number as usize];
                    let block = usize::from(candidate.block);
                    let [error, error_of_lesser] = candidate.errors;
                    let [least, least_of_lesser] = [&self.least[0][block], &self.least[1][block]];
                    let is_wanted = error <= least.above[kept].0
                        || candidate.position_in_lesser < u32::MAX
                            && error_of_lesser <= least_of_lesser.above[kept_by_lesser].0;
                    let next = if is_wanted { candidate.next_part() } else { None };
                    if let Some((kind, job)) = next {
                        self.chosen[kind as usize].push(job);
                    }
                    next.is_some()
                });
                let source =
                    Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
                for ((kind, jobs), chosen) in Kind::ALL.into_iter().zip(&mut self.jobs).zip(&self.chosen) {
                    jobs.fit(kind, source, plan.effort, lesser.map(|lesser| lesser.effort), chosen);
                }
                for &number in &waiting {
                    let candidate = &mut self.candidates[number as usize];
                    let Some((kind, job)) = candidate.next_part() else { continue };
                    candidate.errors[0] += self.jobs[kind as usize].error(Pass::Main, job);
                    if lesser.is_some() {
                        candidate.errors[1] += self.jobs[kind as usize].error(Pass::Lesser, job);
                    }
                    candidate.fitted += 1;
                    if candidate.is_complete() {
                        let block = usize::from(candidate.block);
                        self.least[0][block].offer(candidate.errors[0], number);
                        if candidate.position_in_lesser < u32::MAX {
                            self.least[1][block].offer(candidate.errors[1], candidate.position_in_lesser);
                        }
                    }
                }
            }
        }
    }

    /// Improves the best candidates of each block in a pass.
    fn climb(&mut self, pass: Pass, plan: &Plan) {
        self.chosen.iter_mut().for_each(Vec::clear);
        for least in &self.least[pass as usize][..self.count] {
            for &(error, position) in &least.above[..plan.climbs] {
                if error < i32::MAX {
                    let number = self.proposed[pass as usize][position as usize];
                    for &(kind, job) in self.candidates[number as usize].parts() {
                        self.chosen[kind as usize].push(job);
                    }
                }
            }
        }
        let source = Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
        for ((kind, jobs), chosen) in Kind::ALL.into_iter().zip(&mut self.jobs).zip(&self.chosen) {
            jobs.climb(kind, source, pass, chosen, plan.sweeps);
        }
        for block in 0..self.count {
            let mut least = Least::NONE;
            least.exact = self.least[pass as usize][block].exact;
            for (place, (error, position)) in self.least[pass as usize][block].above.into_iter().enumerate() {
                if error < i32::MAX {
                    let number = self.proposed[pass as usize][position as usize];
                    let is_climbing = place < plan.climbs;
                    let candidate = &self.candidates[number as usize];
                    least.offer(if is_climbing { self.error(pass, candidate) } else { error }, position);
                }
            }
            self.least[pass as usize][block] = least;
        }
    }

    /// Returns the sum of the errors of a candidate's parts.
    fn error(&self, pass: Pass, candidate: &Candidate) -> i32 {
        candidate.parts().iter().map(|&(kind, job)| self.jobs[kind as usize].error(pass, job)).sum()
    }

    /// Improves the best candidates of a pass, writes the best and returns their errors.
    fn finish(&mut self, pass: Pass, plan: &Plan, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        self.climb(pass, plan);
        let mut best = [0; CHUNK];
        for (best, least) in best.iter_mut().zip(&self.least[pass as usize][..self.count]) {
            *best = self.proposed[pass as usize][least.best() as usize] as usize;
        }
        let best = &best[..self.count];
        let mut parts = [[PackedPart::default(); 3]; CHUNK];
        self.chosen.iter_mut().for_each(Vec::clear);
        self.owners.iter_mut().for_each(Vec::clear);
        for (block, &number) in best.iter().enumerate() {
            for (place, &(kind, job)) in self.candidates[number].parts().iter().enumerate() {
                self.chosen[kind as usize].push(job);
                self.owners[kind as usize].push((block as u8, place as u8));
            }
        }
        let source = Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
        for (kind, jobs) in Kind::ALL.into_iter().zip(&mut self.jobs) {
            let (chosen, owners) = (&self.chosen[kind as usize], &self.owners[kind as usize]);
            let constant = if kind == Kind::Mode6Opaque { 255 << 24 } else { 0 };
            jobs.index(kind, source, pass, chosen, plan.exact, |place, mut part| {
                let (block, place) = owners[place];
                part.ends = part.ends.map(|end| end | constant);
                parts[usize::from(block)][usize::from(place)] = part;
            });
        }
        let mut errors = [0; CHUNK];
        let parts = best.iter().zip(&parts);
        for ((block, error), (&number, parts)) in blocks.iter_mut().zip(&mut errors).zip(parts) {
            *block = pack(self.candidates[number].choice, parts);
            *error = self.error(pass, &self.candidates[number]);
        }
        errors
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
                let errors = encoder.encode(&Plan::new(quality, modes), None, &mut blocks);
                encoder.clear();
                for ((texels, block), error) in sources.iter().zip(&blocks).zip(errors) {
                    let mut found = 0;
                    for (texel, decoded) in texels.iter().zip(decode_block(block)) {
                        for (a, b) in texel.to_le_bytes().into_iter().zip(decoded) {
                            found += i32::from(a.abs_diff(b)).pow(2);
                        }
                    }
                    // (Above that, texels that should be opaque are not.)
                    assert!(found == error || error >= 1 << 20, "{modes} {quality:?}: {found}, not {error}");
                }
            }
        }
    }
}

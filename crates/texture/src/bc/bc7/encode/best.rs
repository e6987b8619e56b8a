//! The search of quality best: the blocks of two plans, without the fits that cannot change them.
//!
//! The plain algorithm is [`Encoder::encode`] with each plan, then the better block, the first in a tie. The
//! kernels and the web package's module run it. Departures from it:
//!
//! 1. Only candidates that are improved or written matter. A candidate's parts are fitted one after another,
//!    the largest first, until the sum of their errors shows that enough complete candidates are better.
//! 2. The most promising candidates come first.
//! 3. The fits of the second plan are steps of the first plan's fits; one run has the results of both.

use super::{CHUNK, Candidate, Encoder, Jobs, Kind, MODES, NO_BEST, Plan, Source, keep_better};

/// Maximum number of a block's candidates that are improved.
const MOST_CLIMBS: usize = 4;

/// Number of turns in which candidates are fitted.
const WAVES: u8 = 3;

/// Least errors above 0 of a block's complete candidates in a plan, in ascending order.
type Least = [i32; MOST_CLIMBS];

/// State of the two plans.
struct Search {
    plans: [Plan; 2],
    /// Results of the second plan.
    lesser_jobs: [Jobs; Kind::ALL.len()],
    /// Candidates of the second plan, in its order, with the jobs of the first plan's.
    lesser_candidates: Vec<Candidate>,
    /// Numbers of these candidates among those of the first plan, in ascending order once sorted.
    lesser_numbers: Vec<usize>,
    least: [[Least; CHUNK]; 2],
}

/// A candidate whose parts are being fitted.
#[derive(Clone, Copy)]
struct Waiting {
    block: usize,
    wave: u8,
    is_in_lesser: bool,
    part_count: usize,
    fitted: usize,
    /// Kinds and numbers of the parts' jobs, the part with the most texels first.
    parts: [(Kind, u32); 3],
    /// Sums of the errors of the fitted parts, in each plan.
    errors: [i32; 2],
}

impl Search {
    /// True if a candidate may be improved or written in either plan.
    fn wants(&self, waiting: &Waiting) -> bool {
        let is_wanted = |plan: usize| {
            let kept = self.plans[plan].climbs.max(1) - 1;
            waiting.errors[plan] <= self.least[plan][waiting.block][kept]
        };
        is_wanted(0) || waiting.is_in_lesser && is_wanted(1)
    }

    /// Takes the errors of a complete candidate.
    fn complete(&mut self, waiting: &Waiting) {
        let plans = if waiting.is_in_lesser { 2 } else { 1 };
        for (least, error) in self.least.iter_mut().zip(waiting.errors).take(plans) {
            let least = &mut least[waiting.block];
            if error > 0
                && let Some(place) = least.iter().position(|&other| error < other)
            {
                least[place..].rotate_right(1);
                least[place] = error;
            }
        }
    }
}

impl Encoder {
    /// Encodes the blocks with both plans, takes the better ones, the first in a tie, and returns their
    /// squared errors. The candidates and the steps of the second plan must be among those of the first.
    pub fn encode_best(&mut self, plans: [&Plan; 2], blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        let mut search = Search {
            plans: plans.map(|plan| *plan),
            lesser_jobs: Default::default(),
            lesser_candidates: Vec::new(),
            lesser_numbers: Vec::new(),
            least: [[[i32::MAX; MOST_CLIMBS]; CHUNK]; 2],
        };
        self.candidates.clear();
        self.jobs.iter_mut().for_each(Jobs::clear);
        for block in 0..self.count {
            self.propose_first(block);
            search.lesser_candidates.push(self.candidates[block]);
            search.lesser_numbers.push(block);
        }
        self.fit_wanted(&mut search, 0);
        let mut best = NO_BEST;
        self.choose(0, &mut best);
        self.propose_others(plans[0], &best);
        let count = self.candidates.len();
        self.propose_others(plans[1], &best);
        let lesser = self.candidates.split_off(count);
        self.share_jobs(&mut search, lesser);
        self.fit_wanted(&mut search, self.count);

        let mut errors = self.improve_and_finish(plans[0], blocks);
        std::mem::swap(&mut self.jobs, &mut search.lesser_jobs);
        self.candidates = search.lesser_candidates;
        let mut others = [[0; 16]; CHUNK];
        let errors_of_others = self.improve_and_finish(plans[1], &mut others[..self.count]);
        keep_better(blocks, &mut errors, &others, &errors_of_others);
        errors
    }

    /// Gives candidates of the second plan the jobs of the first plan's candidates. (Their own jobs are never
    /// fitted.)
    fn share_jobs(&self, search: &mut Search, lesser: Vec<Candidate>) {
        let mut first = self.count;
        for mut candidate in lesser {
            while first < self.candidates.len() && self.candidates[first].block != candidate.block {
                first += 1;
            }
            let same = |other: &Candidate| other.choice == candidate.choice;
            let found = self.candidates[first..].iter().position(same);
            debug_assert!(found.is_some(), "{:?} is not in the first plan", candidate.choice);
            if let Some(found) = found {
                candidate.jobs = self.candidates[first + found].jobs;
                search.lesser_numbers.push(first + found);
                search.lesser_candidates.push(candidate);
            }
        }
        search.lesser_numbers.sort_unstable();
    }

    /// Returns the candidates from number `first` on as unfitted ones.
    fn waiting(&self, search: &Search, first: usize) -> Vec<Waiting> {
        let mut tried = [0; 8];
        let mut block = u16::MAX;
        let candidates = self.candidates.iter().enumerate().skip(first);
        let waiting = candidates.map(|(number, candidate)| {
            if candidate.block != block {
                (block, tried) = (candidate.block, [0; 8]);
            }
            let mode = usize::from(candidate.choice.mode);
            let (place, tries) = (tried[mode], search.plans[0].tries[mode]);
            tried[mode] += 1;
            let wave = match MODES[mode].subsets {
                1 => 2 * u8::from(candidate.choice.rotation > 0),
                _ if place >= tries => 1,
                _ => u8::from(4 * place >= tries) + u8::from(2 * place >= tries),
            };
            let mut parts = [(Kind::Mode0, 0); 3];
            let mut part_count = 0;
            for (place, part) in parts.iter_mut().zip(candidate.parts()) {
                *place = part;
                part_count += 1;
            }
            let texels = |&(kind, job): &(Kind, u32)| self.jobs[kind as usize].get(job).count;
            parts[..part_count].sort_by_key(|part| std::cmp::Reverse(texels(part)));
            Waiting {
                block: usize::from(candidate.block),
                wave,
                is_in_lesser: search.lesser_numbers.binary_search(&number).is_ok(),
                part_count,
                fitted: 0,
                parts,
                errors: [0; 2],
            }
        });
        waiting.collect()
    }

    /// Fits the candidates from number `first` on, without those for which enough others are better.
    fn fit_wanted(&mut self, search: &mut Search, first: usize) {
        let all = self.waiting(search, first);
        let mut waiting = Vec::with_capacity(all.len());
        for wave in 0..WAVES {
            waiting.extend(all.iter().copied().filter(|candidate| candidate.wave == wave));
            loop {
                waiting.retain(|candidate| search.wants(candidate));
                if waiting.is_empty() {
                    break;
                }
                self.chosen.iter_mut().for_each(Vec::clear);
                for candidate in &waiting {
                    let (kind, job) = candidate.parts[candidate.fitted];
                    self.chosen[kind as usize].push(job);
                }
                let source =
                    Source { level: self.level, weights: self.weights, texels: self.texels.as_flattened() };
                let efforts = search.plans.map(|plan| plan.effort);
                let jobs = self.jobs.iter_mut().zip(&mut search.lesser_jobs);
                for ((kind, (jobs, lesser)), chosen) in Kind::ALL.into_iter().zip(jobs).zip(&self.chosen) {
                    jobs.fit_both(kind, source, efforts, chosen, lesser);
                }
                waiting.retain_mut(|candidate| {
                    let (kind, job) = candidate.parts[candidate.fitted];
                    candidate.errors[0] += self.jobs[kind as usize].error(job);
                    candidate.errors[1] += search.lesser_jobs[kind as usize].error(job);
                    candidate.fitted += 1;
                    let is_complete = candidate.fitted == candidate.part_count;
                    if is_complete {
                        search.complete(candidate);
                    }
                    !is_complete
                });
            }
        }
    }

    /// Improves the best candidates, writes the best of all and returns their errors. (A part without a fit
    /// has more error than any block.)
    fn improve_and_finish(&mut self, plan: &Plan, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        self.climb(plan);
        let mut best = NO_BEST;
        self.choose(0, &mut best);
        self.finish(plan, &best, blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quality, bc::bc7::ModeSet, bc::bc7::part::Weights, simd::AvailableLevel};

    /// Checks that blocks and errors are those of the plain algorithm.
    #[test]
    fn blocks_are_those_of_both_plans() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        for modes in ["6", "0,2,6", "1,3,7", "4,5,6", "0,1,2,3,4,5,6,7"] {
            let modes: ModeSet = modes.parse().unwrap();
            let plans = Plan::all(Quality::Best, modes);
            let mut encoder = Encoder::new(AvailableLevel::detect(), Weights::UNIFORM, modes);
            for number in 0..CHUNK {
                // Gradients with noise: opaque, with alpha, of few colours, and cut by the image's edge.
                let (base, step) = (random() << 8 | random(), random() & 0x0707_0707);
                let noise = [0, 0x0303_0303, 0x1f1f_1f1f, u32::MAX][number % 4];
                let opaque = if number % 3 == 0 { 0 } else { 0xff00_0000 };
                let texels: [u32; 16] = std::array::from_fn(|t| {
                    let texel =
                        base.wrapping_add(step.wrapping_mul(t as u32)) ^ ((random() << 8 | random()) & noise);
                    (if number % 5 == 0 { texel & 0x8080_8080 } else { texel }) | opaque
                });
                encoder.push(&texels, if number % 7 == 0 { 0x0777 } else { 0xffff });
            }
            let (mut blocks, mut found) = ([[0; 16]; CHUNK], [[0; 16]; CHUNK]);
            let plans = [&plans[0], &plans[1]];
            let errors = encoder.encode_with_each(plans, &mut blocks);
            assert_eq!(encoder.encode_best(plans, &mut found), errors, "{modes:?}");
            assert_eq!(found, blocks, "{modes:?}");
        }
    }
}

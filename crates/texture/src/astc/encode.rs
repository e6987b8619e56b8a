//! Encoding of blocks: candidates are proposed, fitted and compared.
//!
//! One part comes first. Where its error is above the plan's limit, partition patterns are ranked. The most
//! promising, and second planes, are tried. The best variants are improved; the best of all is written.

use super::{
    estimate::{FIRST, NONE, Range, Rankings, rank_patterns},
    fit::Variant,
    groups::{Family, GroupName},
    jobs::{Fitted, Job, Jobs, PartJob, Source, climb, rank_weights},
    pack::{PartLevels, pack},
    patterns::{PATTERNS, Parts, order},
    plan::{Class, Groups, Plan},
};
use crate::{Quality, bc::batch::BATCH, simd::AvailableLevel};

/// Number of blocks that are encoded at a time.
pub(crate) const CHUNK: usize = 64;

/// A way to encode a block.
#[derive(Clone, Copy)]
struct Candidate {
    block: u16,
    group: GroupName,
    /// Number of the pattern of two or three parts.
    pattern: u16,
    jobs: [u32; 3],
    /// Lowest quality that tries it.
    tier: Quality,
}

/// A variant of a candidate, with levels.
#[derive(Clone, Copy)]
struct Choice {
    error: i32,
    candidate: u32,
    variant: Variant,
    levels: [PartLevels; 3],
}

/// Encoder of blocks, with its working memory.
pub(crate) struct Encoder {
    level: AvailableLevel,
    quality: Quality,
    /// Bits of the blocks' texels, red in the lowest byte.
    texels: [[f32; 16]; CHUNK],
    classes: [Class; CHUNK],
    count: usize,
    candidates: Vec<Candidate>,
    jobs: Vec<Jobs>,
    best: Vec<Choice>,
}

/// Returns the position of a group's number of ranges in [`Plan::ranges`].
fn kind(group: GroupName) -> usize {
    let group = group.group();
    match group.parts {
        1 => usize::from(group.plane.is_some()),
        parts => parts,
    }
}

impl Encoder {
    pub fn new(level: AvailableLevel, quality: Quality) -> Self {
        Self {
            level,
            quality,
            texels: [[0.0; 16]; CHUNK],
            classes: [Class::Color; CHUNK],
            count: 0,
            candidates: Vec::new(),
            jobs: GroupName::ALL.iter().map(|_| Jobs::default()).collect(),
            best: Vec::new(),
        }
    }

    /// Adds a block, up to [`CHUNK`]. `texels` have red in the lowest byte.
    pub fn push(&mut self, texels: &[u32; 16]) {
        let (mut all, mut difference) = (u32::MAX, 0);
        for (place, &texel) in self.texels[self.count].iter_mut().zip(texels) {
            *place = f32::from_bits(texel);
            all &= texel;
            difference |= (texel ^ texel >> 8) & 0xffff;
        }
        self.classes[self.count] = match (all >> 24 != 255, difference == 0) {
            (false, false) => Class::Color,
            (true, false) => Class::Alpha,
            (false, true) => Class::Grey,
            (true, true) => Class::GreyAlpha,
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

    fn source(&self) -> Source<'_> {
        Source { level: self.level, texels: self.texels.as_flattened(), exact: true }
    }

    /// Encodes the blocks and returns their squared errors.
    pub fn encode(&mut self, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        let plan = Plan::new(self.quality);
        self.candidates.clear();
        self.jobs.iter_mut().for_each(Jobs::clear);
        self.best.clear();
        for block in 0..self.count {
            let group = Groups::of(self.classes[block]).one;
            self.propose(block, group, 0, Quality::Ultrafast);
        }
        self.fit(&plan);
        for (block, candidate) in self.candidates.iter().enumerate() {
            debug_assert_eq!(block, usize::from(candidate.block));
            let none = Choice {
                error: i32::MAX,
                candidate: block as u32,
                variant: Variant::default(),
                levels: [PartLevels::default(); 3],
            };
            self.best.push(none);
        }
        self.choose(&plan, 0);
        let first = self.candidates.len();
        self.propose_others(&plan);
        self.fit(&plan);
        self.choose(&plan, first);
        if plan.climbs > 0 {
            self.climb(&plan);
        }
        self.finish(blocks)
    }

    /// Proposes a candidate.
    fn propose(&mut self, block: usize, group: GroupName, pattern: usize, tier: Quality) {
        let count = group.group().parts;
        let mut jobs = [0; 3];
        let texels = if count == 1 { [0xffff, 0, 0] } else { PATTERNS[count - 2][pattern].texels };
        for (job, texels) in jobs.iter_mut().zip(texels).take(count) {
            let part = Job { order: order(texels), block: block as u16, count: texels.count_ones() as u8 };
            *job = self.jobs[group as usize].push(part);
        }
        self.candidates.push(Candidate { block: block as u16, group, pattern: pattern as u16, jobs, tier });
    }

    /// Returns the lowest quality from which a plan has a property.
    fn tier(&self, has: impl Fn(&Plan) -> bool) -> Option<Quality> {
        Quality::ALL.iter().copied().find(|&quality| quality <= self.quality && has(&Plan::new(quality)))
    }

    /// Proposes the other candidates of the blocks for which the first is not good enough.
    fn propose_others(&mut self, plan: &Plan) {
        let mut rankings = Box::new(Rankings::NONE);
        for class in Class::ALL {
            let is_chosen =
                |&block: &usize| self.classes[block] == class && self.best[block].error > plan.limit;
            let chosen: Vec<usize> = (0..self.count).filter(is_chosen).collect();
            let groups = Groups::of(class);
            let range = Range {
                has_alpha: class.has_alpha(),
                two: plan.two,
                keep_two: plan.try_two,
                three: if groups.three.is_some() { plan.three } else { 0 },
                keep_three: plan.try_three,
            };
            for batch in chosen.chunks(BATCH) {
                let mut starts = [0; BATCH];
                for (start, &block) in starts.iter_mut().zip(batch) {
                    *start = 16 * block as i32;
                }
                rank_patterns(self.level, range, self.texels.as_flattened(), &starts, &mut rankings);
                for (lane, &block) in batch.iter().enumerate() {
                    self.propose_planes(block, &groups, &rankings, lane);
                    self.propose_patterns(plan, block, &groups, &rankings, lane);
                }
            }
        }
    }

    /// Proposes second planes.
    fn propose_planes(&mut self, block: usize, groups: &Groups, rankings: &Rankings, lane: usize) {
        let mut planes: Vec<(i32, GroupName)> = Vec::new();
        for &group in groups.planes {
            let plane = group.group().plane.unwrap_or(0);
            planes.push((rankings.planes[plane][lane], group));
        }
        planes.sort_by_key(|&(key, group)| (key, group as usize));
        for (place, (_, group)) in planes.into_iter().enumerate() {
            if let Some(tier) = self.tier(|plan| plan.planes > place) {
                self.propose(block, group, 0, tier);
            }
        }
    }

    /// Proposes the most promising patterns.
    fn propose_patterns(
        &mut self,
        plan: &Plan,
        block: usize,
        groups: &Groups,
        rankings: &Rankings,
        lane: usize,
    ) {
        let mut tried: Vec<(usize, Quality)> = Vec::new();
        // Lower qualities examine fewer patterns.
        for (number, (quality, keys)) in
            [Quality::Ultrafast, Quality::Fast].into_iter().zip(&rankings.first).enumerate()
        {
            let lower = Plan::new(quality);
            if quality < self.quality && FIRST[number] < plan.two {
                for keys in keys.iter().take(lower.try_two) {
                    let pattern = (keys[lane] & 511) as usize;
                    if keys[lane] != NONE && !tried.iter().any(|&(other, _)| other == pattern) {
                        tried.push((pattern, quality));
                    }
                }
            }
        }
        for (place, keys) in rankings.two.iter().take(plan.try_two).enumerate() {
            let pattern = (keys[lane] & 511) as usize;
            let own = self.tier(|lower| lower.two == plan.two && lower.try_two > place);
            if keys[lane] != NONE
                && let Some(tier) = own
            {
                match tried.iter_mut().find(|(other, _)| *other == pattern) {
                    Some((_, quality)) => *quality = tier.min(*quality),
                    None => tried.push((pattern, tier)),
                }
            }
            if let Some([group, _]) = groups.scale
                && let Some(tier) = self.tier(|lower| lower.try_scale[0] > place)
            {
                self.propose(block, group, pattern, tier);
            }
        }
        for (pattern, tier) in tried {
            self.propose(block, groups.two, pattern, tier);
        }
        let Some(three) = groups.three else { return };
        for (place, keys) in rankings.three.iter().take(plan.try_three).enumerate() {
            let pattern = (keys[lane] & 511) as usize;
            if keys[lane] == NONE {
                continue;
            }
            if let Some(tier) = self.tier(|lower| lower.try_three > place) {
                self.propose(block, three, pattern, tier);
            }
            if let Some([_, group]) = groups.scale
                && let Some(tier) = self.tier(|lower| lower.try_scale[1] > place)
            {
                self.propose(block, group, pattern, tier);
            }
        }
    }

    /// Finds endpoints for all jobs that have none.
    fn fit(&mut self, plan: &Plan) {
        let source = Source { level: self.level, texels: self.texels.as_flattened(), exact: true };
        for (&group, jobs) in GroupName::ALL.iter().zip(&mut self.jobs) {
            jobs.fit(group, source, plan.effort(kind(group)));
        }
    }

    /// Calls `f` with each variant of a candidate and its squared error.
    fn for_variants(&self, candidate: &Candidate, plan: &Plan, mut f: impl FnMut(Variant, i32)) {
        let group = candidate.group.group();
        let jobs = &self.jobs[candidate.group as usize];
        for (place, &range) in group.weights.iter().enumerate().take(plan.ranges[kind(candidate.group)]) {
            for is_offset in [false, true] {
                if is_offset && group.family != Family::Color {
                    continue;
                }
                let variant = Variant { place: place as u8, range: range as u8, is_offset };
                let parts = candidate.jobs[..group.parts].iter();
                f(variant, parts.map(|&job| jobs.fitted(job, variant).error).sum());
            }
        }
    }

    fn choice(&self, number: u32, variant: Variant, error: i32) -> Choice {
        let candidate = &self.candidates[number as usize];
        let jobs = &self.jobs[candidate.group as usize];
        let mut levels = [PartLevels::default(); 3];
        for (levels, &job) in levels.iter_mut().zip(&candidate.jobs).take(candidate.group.group().parts) {
            *levels = jobs.fitted(job, variant).levels;
        }
        Choice { error, candidate: number, variant, levels }
    }

    /// Takes better candidates, from number `first` on.
    fn choose(&mut self, plan: &Plan, first: usize) {
        for (number, candidate) in self.candidates.iter().enumerate().skip(first) {
            let block = usize::from(candidate.block);
            let mut found = None;
            let mut least = self.best[block].error;
            self.for_variants(candidate, plan, |variant, error| {
                if error < least {
                    least = error;
                    found = Some(variant);
                }
            });
            if let Some(variant) = found {
                self.best[block] = self.choice(number as u32, variant, least);
            }
        }
    }

    /// Improves the best variants of each block, for each quality with those that it has.
    fn climb(&mut self, plan: &Plan) {
        let mut of_blocks: Vec<Vec<(i32, u32, Variant)>> = vec![Vec::new(); self.count];
        for (number, candidate) in self.candidates.iter().enumerate() {
            self.for_variants(candidate, plan, |variant, error| {
                of_blocks[usize::from(candidate.block)].push((error, number as u32, variant));
            });
        }
        let mut choices = Vec::new();
        for variants in &mut of_blocks {
            variants.sort_unstable();
            let mut taken = vec![false; variants.len()];
            for &quality in Quality::ALL.iter().filter(|&&quality| quality <= self.quality) {
                let lower = Plan::new(quality);
                let mut left = lower.climbs;
                for (is_taken, &(error, number, variant)) in taken.iter_mut().zip(&*variants) {
                    let candidate = &self.candidates[number as usize];
                    let is_tried = candidate.tier <= quality
                        && usize::from(variant.place) < lower.ranges[kind(candidate.group)];
                    if left > 0 && is_tried && error > 0 {
                        left -= 1;
                        if !*is_taken {
                            *is_taken = true;
                            choices.push(self.choice(number, variant, error));
                        }
                    }
                }
            }
        }
        let mut parts: Vec<Vec<PartJob>> = vec![Vec::new(); GroupName::ALL.len()];
        for (owner, choice) in choices.iter_mut().enumerate() {
            self.parts_of(choice, owner, |group, part| parts[group as usize].push(part));
            choice.error = 0;
        }
        for (&group, parts) in GroupName::ALL.iter().zip(&mut parts) {
            climb(group, self.source(), parts, plan.sweeps);
            for part in parts {
                let choice = &mut choices[part.owner as usize / 4];
                choice.error += part.fitted.error;
                choice.levels[part.owner as usize % 4] = part.fitted.levels;
            }
        }
        for choice in choices {
            let block = usize::from(self.candidates[choice.candidate as usize].block);
            if choice.error < self.best[block].error {
                self.best[block] = choice;
            }
        }
    }

    /// Calls `f` with each part of a choice. A part's owner is four times the number of the choice plus the
    /// part's.
    fn parts_of(&self, choice: &Choice, owner: usize, mut f: impl FnMut(GroupName, PartJob)) {
        let candidate = &self.candidates[choice.candidate as usize];
        let jobs = &self.jobs[candidate.group as usize];
        for part in 0..candidate.group.group().parts {
            let job = candidate.jobs[part];
            let error = jobs.fitted(job, choice.variant).error;
            let fitted = Fitted { error, levels: choice.levels[part] };
            let owner = (4 * owner + part) as u32;
            f(candidate.group, PartJob { job: jobs.get(job), variant: choice.variant, fitted, owner });
        }
    }

    /// Writes the best variants and returns their errors.
    fn finish(&mut self, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        let mut ranks = [[[0; 16]; 2]; CHUNK];
        // Groups whose parts may share lanes, by their first.
        let mut batches: Vec<(GroupName, Vec<PartJob>)> = Vec::new();
        for (owner, choice) in self.best.iter().enumerate() {
            self.parts_of(choice, owner, |group, part| {
                let key = |group: GroupName| {
                    let group = group.group();
                    (group.has_alpha, group.plane, group.family as usize)
                };
                match batches.iter_mut().find(|(other, _)| key(*other) == key(group)) {
                    Some((_, parts)) => parts.push(part),
                    None => batches.push((group, vec![part])),
                }
            });
        }
        for (group, parts) in &mut batches {
            rank_weights(*group, self.source(), parts, |part, lane, found| {
                let ranks = &mut ranks[part.owner as usize / 4];
                for (plane, found) in ranks.iter_mut().zip(found) {
                    for t in 0..usize::from(part.job.count) {
                        plane[(part.job.order >> (4 * t)) as usize & 15] = found[t][lane] as u8;
                    }
                }
            });
        }
        let mut errors = [0; CHUNK];
        for (number, (block, choice)) in blocks.iter_mut().zip(&self.best).enumerate() {
            let candidate = &self.candidates[choice.candidate as usize];
            let group = candidate.group.group();
            let mut interleaved = [0; 32];
            let count = group.weight_count();
            for t in 0..16 {
                if group.plane.is_some() {
                    interleaved[2 * t] = ranks[number][0][t];
                    interleaved[2 * t + 1] = ranks[number][1][t];
                } else {
                    interleaved[t] = ranks[number][0][t];
                }
            }
            let Parts { seed, .. } = match group.parts {
                1 => Parts::default(),
                parts => PATTERNS[parts - 2][usize::from(candidate.pattern)],
            };
            *block = pack(
                group,
                usize::from(choice.variant.place),
                choice.variant.is_offset,
                seed,
                &choice.levels[..group.parts],
                &interleaved[..count],
            );
            errors[number] = choice.error;
        }
        errors
    }
}

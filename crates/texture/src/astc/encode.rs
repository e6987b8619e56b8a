//! Encoding of blocks: candidates are proposed, fitted and compared.
//!
//! One part comes first. Where its error is above the plan's limit, partition patterns are ranked. The most
//! promising, and second planes, are tried. The best variants are improved; the best of all is written.

use super::{
    choices::{Batches, Key, Lists},
    estimate::{FIRST, FIRST_KEPT, NONE, PatternCounts, RANKED, Rankings, rank_patterns},
    fit::{NO_ERROR, VARIANTS, Variant},
    groups::{Family, GroupName},
    jobs::{Fitted, Inputs, Job, Jobs, PartJob, improve, rank_weights},
    pack::{PartLevels, pack},
    part::Form,
    patterns::{PATTERNS, Parts, WHOLE},
    plan::{Class, Groups, Plan},
};
use crate::{Quality, bc::batch::BATCH, simd::AvailableLevel};

/// Number of blocks that are encoded at a time.
pub(crate) const CHUNK: usize = 128;

/// A way to encode a block.
#[derive(Clone, Copy)]
struct Candidate {
    block: u16,
    group: GroupName,
    /// Number of the pattern of two or three parts.
    pattern: u16,
    jobs: [u32; 3],
    /// Number of the lowest quality that tries it.
    tier: u8,
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
    form: Form,
    /// Plans of all qualities up to the wanted one.
    plans: Vec<Plan>,
    /// Bits of the blocks' texels, red in the lowest byte.
    texels: [[f32; 16]; CHUNK],
    classes: [Class; CHUNK],
    count: usize,
    candidates: Vec<Candidate>,
    jobs: Vec<Jobs>,
    /// Best variants, by quality: those that it tries.
    lists: Vec<Lists>,
    batches: Batches,
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
    pub fn new(level: AvailableLevel, form: Form, quality: Quality) -> Self {
        let plans = Quality::ALL.iter().filter(|&&lower| lower <= quality);
        let plans: Vec<Plan> = plans.map(|&lower| Plan::new(lower)).collect();
        Self {
            level,
            form,
            texels: [[0.0; 16]; CHUNK],
            classes: [Class::Color; CHUNK],
            count: 0,
            candidates: Vec::new(),
            jobs: GroupName::ALL.iter().map(|_| Jobs::default()).collect(),
            lists: plans.iter().map(|_| Lists::default()).collect(),
            plans,
            batches: Batches::default(),
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

    fn plan(&self) -> &Plan {
        &self.plans[self.plans.len() - 1]
    }

    /// Returns the lowest error of a block among the variants that the lowest quality tries. Limits are
    /// compared with it, so that a higher quality stops nowhere where a lower one goes on.
    fn first_error(&self, block: usize) -> i32 {
        (self.lists[0].of(block)[0] >> 32) as i32
    }

    /// Encodes the blocks and returns their squared errors.
    pub fn encode(&mut self, blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        self.candidates.clear();
        self.jobs.iter_mut().for_each(Jobs::clear);
        for (lists, plan) in self.lists.iter_mut().zip(&self.plans) {
            lists.reset(self.count, plan.improved);
        }
        for block in 0..self.count {
            let group = Groups::of(self.classes[block]).one;
            self.propose(block, group, 0, 0);
        }
        self.fit();
        self.choose(0);
        let first = self.candidates.len();
        self.propose_others();
        self.fit();
        self.choose(first);
        let best = self.improve();
        self.finish(&best, blocks)
    }

    /// Proposes a candidate. `tier` is the number of the lowest quality that tries it.
    fn propose(&mut self, block: usize, group: GroupName, pattern: usize, tier: usize) {
        let count = group.group().parts;
        let mut jobs = [0; 3];
        let parts = if count == 1 { &WHOLE } else { &PATTERNS[count - 2][pattern] };
        for (part, job) in jobs.iter_mut().enumerate().take(count) {
            let order = parts.orders[part];
            let part = Job { order, block: block as u16, count: parts.texels[part].count_ones() as u8 };
            *job = self.jobs[group as usize].push(part);
        }
        let (block, pattern) = (block as u16, pattern as u16);
        self.candidates.push(Candidate { block, group, pattern, jobs, tier: tier as u8 });
    }

    /// Returns the number of the lowest quality whose plan has a property.
    fn tier(&self, has: impl Fn(&Plan) -> bool) -> Option<usize> {
        self.plans.iter().position(has)
    }

    /// Proposes the other candidates of the blocks for which the first is not good enough.
    fn propose_others(&mut self) {
        let plan = *self.plan();
        let mut rankings = Rankings::NONE;
        for class in Class::ALL {
            let mut chosen = [0; CHUNK];
            let mut count = 0;
            for block in 0..self.count {
                if self.classes[block] == class && self.first_error(block) > plan.limit {
                    chosen[count] = block;
                    count += 1;
                }
            }
            let groups = Groups::of(class);
            let counts = PatternCounts {
                has_alpha: class.has_alpha(),
                ranks_planes: groups.planes.len() > 1 && plan.plane_count(class.has_alpha()) > 0,
                two: plan.two,
                keep_two: plan.try_two,
                three: if groups.three.is_some() { plan.three } else { 0 },
                keep_three: plan.try_three,
            };
            for batch in chosen[..count].chunks(BATCH) {
                let mut starts = [0; BATCH];
                for (start, &block) in starts.iter_mut().zip(batch) {
                    *start = 16 * block as i32;
                }
                rank_patterns(self.level, counts, self.texels.as_flattened(), &starts, &mut rankings);
                for (lane, &block) in batch.iter().enumerate() {
                    self.propose_planes(block, &groups, &rankings, lane);
                    self.propose_two(&plan, block, &groups, &rankings, lane);
                    self.propose_three(&plan, block, &groups, &rankings, lane);
                }
            }
        }
    }

    /// Proposes second planes.
    fn propose_planes(&mut self, block: usize, groups: &Groups, rankings: &Rankings, lane: usize) {
        let mut planes = [(i32::MAX, 0); 4];
        for (number, group) in groups.planes.iter().enumerate() {
            let plane = group.group().plane.unwrap_or(0);
            planes[number] = (rankings.planes[plane][lane], number);
        }
        let planes = &mut planes[..groups.planes.len()];
        planes.sort_unstable();
        let has_alpha = groups.one.group().has_alpha;
        for (place, &(_, number)) in planes.iter().enumerate() {
            match self.tier(|plan| plan.plane_count(has_alpha) > place) {
                Some(tier) => self.propose(block, groups.planes[number], 0, tier),
                None => break,
            }
        }
    }

    /// Proposes the most promising patterns of two parts.
    fn propose_two(&mut self, plan: &Plan, block: usize, groups: &Groups, rankings: &Rankings, lane: usize) {
        let mut tried = [(NONE, 0); RANKED + 2 * FIRST_KEPT];
        let mut count = 0;
        // Lower qualities examine fewer patterns.
        for (tier, keys) in rankings.first.iter().enumerate() {
            if tier + 1 < self.plans.len() && FIRST[tier] < plan.two {
                for keys in &keys[..self.plans[tier].try_two] {
                    if keys[lane] != NONE && !tried[..count].iter().any(|tried| tried.0 == keys[lane]) {
                        tried[count] = (keys[lane], tier);
                        count += 1;
                    }
                }
            }
        }
        for (place, keys) in rankings.two.iter().take(plan.try_two).enumerate() {
            let own = self.tier(|lower| lower.two == plan.two && lower.try_two > place);
            if let Some(tier) = own
                && keys[lane] != NONE
                && !tried[..count].iter().any(|tried| tried.0 == keys[lane])
            {
                tried[count] = (keys[lane], tier);
                count += 1;
            }
            if let Some([group, _]) = groups.scale
                && let Some(tier) = self.tier(|lower| lower.try_scale[0] > place)
            {
                self.propose(block, group, keys[lane] as usize & 511, tier);
            }
        }
        for &(key, tier) in &tried[..count] {
            self.propose(block, groups.two, key as usize & 511, tier);
        }
    }

    /// Proposes the most promising patterns of three parts.
    fn propose_three(
        &mut self,
        plan: &Plan,
        block: usize,
        groups: &Groups,
        rankings: &Rankings,
        lane: usize,
    ) {
        let Some(three) = groups.three else { return };
        for (place, keys) in rankings.three.iter().take(plan.try_three).enumerate() {
            let pattern = keys[lane] as usize & 511;
            if keys[lane] == NONE {
                break;
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
    fn fit(&mut self) {
        let plan = *self.plan();
        let inputs = Inputs { level: self.level, form: self.form, texels: self.texels.as_flattened() };
        for (&group, jobs) in GroupName::ALL.iter().zip(&mut self.jobs) {
            jobs.fit(group, inputs, plan.ranges[kind(group)]);
        }
    }

    /// Keeps the best variants of candidates, from number `first` on.
    fn choose(&mut self, first: usize) {
        for (number, candidate) in self.candidates.iter().enumerate().skip(first) {
            let group = candidate.group.group();
            let jobs = &self.jobs[candidate.group as usize];
            let mut errors = [0; VARIANTS];
            for &job in &candidate.jobs[..group.parts] {
                for (error, fitted) in errors.iter_mut().zip(jobs.fitted(job)) {
                    *error += fitted.error;
                }
            }
            let step = if group.family == Family::Color { 1 } else { 2 };
            let kind = kind(candidate.group);
            let tiers = self.plans.iter().zip(&mut self.lists).skip(usize::from(candidate.tier));
            for (plan, lists) in tiers {
                let count = 2 * plan.ranges[kind].min(group.weights.len());
                for variant in (0..count).step_by(step) {
                    let key = (errors[variant] as u64) << 32 | (number as u64) << 8 | variant as u64;
                    lists.insert(usize::from(candidate.block), key);
                }
            }
        }
    }

    /// Returns the choice of a key.
    fn choice(&self, key: Key) -> Choice {
        let (error, number, variant) = ((key >> 32) as i32, (key as u32) >> 8, key as usize & 255);
        let candidate = &self.candidates[number as usize];
        let jobs = &self.jobs[candidate.group as usize];
        let mut levels = [PartLevels::default(); 3];
        for (levels, &job) in levels.iter_mut().zip(&candidate.jobs).take(candidate.group.group().parts) {
            *levels = jobs.fitted(job)[variant].levels;
        }
        let variant = Variant::of(candidate.group, variant);
        Choice { error, candidate: number, variant, levels }
    }

    /// Improves the best variants of each block, for each quality those that it tries. Returns the best of
    /// each block.
    fn improve(&mut self) -> Vec<Choice> {
        let mut best: Vec<Choice> =
            (0..self.count).map(|block| self.choice(self.lists[self.lists.len() - 1].of(block)[0])).collect();
        let mut choices: Vec<Choice> = Vec::new();
        let mut batches = std::mem::take(&mut self.batches);
        batches.clear();
        for block in 0..self.count {
            for (tier, lists) in self.lists.iter().enumerate() {
                for &key in lists.of(block) {
                    let is_other = |higher: &Lists| !higher.of(block).contains(&key);
                    if key >> 32 > 0 && key != Key::MAX && self.lists[tier + 1..].iter().all(is_other) {
                        let choice = self.choice(key);
                        self.parts_of(&choice, choices.len(), |group, part| batches.push(group, part));
                        choices.push(Choice { error: 0, ..choice });
                    }
                }
            }
        }
        let inputs = Inputs { level: self.level, form: self.form, texels: self.texels.as_flattened() };
        for (group, parts) in &mut batches.0 {
            improve(*group, inputs, parts, self.plan().sweeps);
            for part in parts {
                let choice = &mut choices[part.owner as usize / 4];
                choice.error += part.fitted.error;
                choice.levels[part.owner as usize % 4] = part.fitted.levels;
            }
        }
        for choice in choices {
            let best = &mut best[usize::from(self.candidates[choice.candidate as usize].block)];
            if choice.error < best.error {
                *best = choice;
            }
        }
        self.batches = batches;
        best
    }

    /// Calls `f` with each part of a choice, with an error that no part has. A part's owner is four times the
    /// number of the choice plus the part's.
    fn parts_of(&self, choice: &Choice, owner: usize, mut f: impl FnMut(GroupName, PartJob)) {
        let candidate = &self.candidates[choice.candidate as usize];
        let jobs = &self.jobs[candidate.group as usize];
        for part in 0..candidate.group.group().parts {
            let job = jobs.get(candidate.jobs[part]);
            let fitted = Fitted { error: NO_ERROR, levels: choice.levels[part] };
            let owner = (4 * owner + part) as u32;
            f(candidate.group, PartJob { job, variant: choice.variant, fitted, owner });
        }
    }

    /// Writes the best variants and returns their errors.
    fn finish(&mut self, best: &[Choice], blocks: &mut [[u8; 16]]) -> [i32; CHUNK] {
        let mut ranks = [[[0; 16]; 2]; CHUNK];
        let mut batches = std::mem::take(&mut self.batches);
        batches.clear();
        for (owner, choice) in best.iter().enumerate() {
            self.parts_of(choice, owner, |group, part| batches.push(group, part));
        }
        let inputs = Inputs { level: self.level, form: self.form, texels: self.texels.as_flattened() };
        for (group, parts) in &mut batches.0 {
            rank_weights(*group, inputs, parts, |part, lane, found| {
                let ranks = &mut ranks[part.owner as usize / 4];
                for (plane, found) in ranks.iter_mut().zip(found) {
                    for t in 0..usize::from(part.job.count) {
                        plane[(part.job.order >> (4 * t)) as usize & 15] = found[t][lane] as u8;
                    }
                }
            });
        }
        self.batches = batches;
        let mut errors = [0; CHUNK];
        for (number, (block, choice)) in blocks.iter_mut().zip(best).enumerate() {
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
                1 => WHOLE,
                parts => PATTERNS[parts - 2][usize::from(candidate.pattern)],
            };
            let levels = &choice.levels[..group.parts];
            *block = pack(group, choice.variant, seed, levels, &interleaved[..count]);
            errors[number] = choice.error;
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ColorSpace,
        astc::{
            decode_block,
            pack::{pack_two, pack_void},
        },
        simd::SimdLevel,
    };

    /// Returns blocks of noise, gradients, few colours and edges, with and without alpha, some of them grey.
    fn blocks() -> Vec<[u32; 16]> {
        let mut state = 1u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let mut blocks = Vec::new();
        for number in 0..CHUNK as u32 {
            let (base, bits) = (random() << 8 | random(), random() & random() & (random() << 8 | 255));
            let (first, second) = (random() << 8 | random(), random() << 8 | random());
            let slope = [random() % 9, random() % 9, random() % 9];
            let edge = random() & 0xffff;
            let mut texels: [u32; 16] = std::array::from_fn(|t| {
                let t = t as u32;
                match number % 4 {
                    0 => base ^ (random() << 8 | random()) & bits,
                    1 => {
                        let along = (t % 4) * 3 + t / 4;
                        (0..3).fold(base & 0x3f3f_3f3f, |x, c| x + ((slope[c] * along) << (8 * c)))
                    }
                    2 => base ^ (random() & 0x0707_0707),
                    _ => {
                        if edge >> t & 1 == 0 {
                            first
                        } else {
                            second
                        }
                    }
                }
            });
            for texel in &mut texels {
                if number % 16 < 8 {
                    *texel |= 0xff00_0000;
                }
                if number % 32 >= 28 || number % 32 < 2 {
                    *texel = *texel & 0xff00_0000 | ((*texel & 255) * 0x0001_0101);
                }
            }
            blocks.push(texels);
        }
        blocks
    }

    fn encode(
        level: SimdLevel,
        space: ColorSpace,
        quality: Quality,
        sources: &[[u32; 16]],
    ) -> (Vec<[u8; 16]>, Vec<i32>) {
        let mut encoder = Encoder::new(AvailableLevel::of(level).unwrap(), Form::of(space), quality);
        sources.iter().for_each(|texels| encoder.push(texels));
        let mut blocks = vec![[0; 16]; sources.len()];
        let errors = encoder.encode(&mut blocks);
        (blocks, errors[..sources.len()].to_vec())
    }

    fn error(texels: &[u32; 16], space: ColorSpace, block: &[u8; 16]) -> i32 {
        let mut decoded = [[0; 4]; 16];
        decode_block((4, 4), space == ColorSpace::Srgb, block, &mut decoded);
        let pairs = texels
            .iter()
            .zip(decoded)
            .flat_map(|(texel, decoded)| texel.to_le_bytes().into_iter().zip(decoded));
        pairs.map(|(a, b)| i32::from(a.abs_diff(b)).pow(2)).sum()
    }

    /// Checks that the errors that the encoder compares are those of the decoder, that none is larger at a
    /// higher quality, and that blocks do not depend on the instruction set.
    #[test]
    fn errors_are_those_of_the_decoder_and_fall_with_quality() {
        for space in [ColorSpace::Linear, ColorSpace::Srgb] {
            errors_fall_with_quality(space);
        }
    }

    fn errors_fall_with_quality(space: ColorSpace) {
        let sources = blocks();
        let mut lower = vec![i32::MAX; sources.len()];
        for &quality in &Quality::ALL[..4] {
            let (blocks, errors) = encode(SimdLevel::detect(), space, quality, &sources);
            let scalar = encode(SimdLevel::ALL[0], space, quality, &sources);
            assert_eq!(scalar, (blocks.clone(), errors.clone()), "{space:?} {quality:?}");
            for (number, block) in blocks.iter().enumerate() {
                let (found, before) = (errors[number], lower[number]);
                assert_eq!(error(&sources[number], space, block), found, "{space:?} {quality:?} {number}");
                assert!(found <= before, "{space:?} {quality:?} {number}: {found} {before}");
            }
            lower = errors;
        }
        // (Few blocks, as they take long.)
        let (_, errors) = encode(SimdLevel::detect(), space, Quality::Best, &sources[..32]);
        for (number, error) in errors.into_iter().enumerate() {
            assert!(error <= lower[number], "{space:?} {number}: {error} {}", lower[number]);
        }
    }

    /// Checks that blocks of one or two colours are exact, in both colour spaces.
    #[test]
    fn one_and_two_colors_are_exact() {
        let exact = |texels: &[u32; 16], block: &[u8; 16]| {
            for space in [ColorSpace::Linear, ColorSpace::Srgb] {
                assert_eq!(error(texels, space, block), 0, "{space:?} {texels:08x?}");
            }
        };
        for texel in (0..=u32::MAX).step_by(0x0102_0305) {
            exact(&[texel; 16], &pack_void(texel));
            for opaque in [0, 0xff00_0000] {
                for other in [!texel, texel.rotate_left(8), texel ^ 1, texel ^ 1 << 24] {
                    let colors = [texel | opaque, other | opaque];
                    let texels = std::array::from_fn(|t| colors[(texel.wrapping_mul(77) >> t & 1) as usize]);
                    match pack_two(&texels) {
                        Some(block) => exact(&texels, &block),
                        None => assert_eq!(texels, [texels[0]; 16]),
                    }
                }
            }
        }
        assert_eq!(pack_two(&std::array::from_fn(|t| [1, 2, 3][t % 3])), None);
    }
}

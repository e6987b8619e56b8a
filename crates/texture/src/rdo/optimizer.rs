//! Choice of the cheapest candidate, block after block: the encoder's block, or one based on earlier blocks.

use super::{
    history::{History, head},
    lines::{Heads, Line},
    rate::{BIT, Parse, Rate},
    texels::{Decoded, Sample, Target},
};

/// Number of units close to the target whose endpoints are tried, if units may have several pairs of them. A
/// higher number costs time and saves little: notes.md.
const NEAREST: usize = 4;
/// Number of well-placed endpoints that are tried.
const HEADS: usize = 4;
/// Scale of an error, in sixteenths of a bit and 256ths of λ.
const SCALE: i64 = (BIT * 256) as i64;

/// The optimizer's view of a block, or of half a block.
pub(crate) trait Unit<const CHANNELS: usize, S: Sample = u8> {
    /// Bytes of the unit.
    const BYTES: u32;

    /// True if a unit may have several pairs of endpoints, or none: `line` returns nothing for it.
    const HAS_SUBSETS: bool = false;

    /// Returns the steps of a value in a level: 1 if values are levels of 0 to 255.
    fn steps(&self) -> i64 {
        1
    }

    /// Returns the channels of 8-bit RGBA texels that the unit stores.
    fn source(&self, texels: &[[u8; 4]; 16]) -> Decoded<CHANNELS, S>;

    /// Returns the texels of a unit.
    fn decode(&self, block: u128) -> Decoded<CHANNELS, S>;

    /// Returns the target of a unit that represents `texels` and that the encoder wrote as `own`.
    fn target(
        &self,
        texels: Decoded<CHANNELS, S>,
        own: &Decoded<CHANNELS, S>,
        counted: u16,
        weights: [i32; CHANNELS],
    ) -> Target<CHANNELS, S> {
        let exact = [own.opaque & texels.opaque & counted, own.clear & texels.clear & counted];
        Target::new(texels, counted, exact, weights)
    }

    /// Returns the byte where a unit's endpoints end and its indices begin.
    fn split(&self, block: u128) -> u32;

    /// Returns the endpoints of a unit with one pair of them, as bits of the unit and as a line.
    fn line(&self, block: u128) -> Option<(u128, Line<CHANNELS, S>)>;

    /// Returns the bits of these endpoints, in the unit of values, for a target that is opaque or not.
    fn fresh(&self, ends: [[f32; CHANNELS]; 2], is_opaque: bool) -> Option<u128>;

    /// Returns a unit with the endpoints of `block` and indices for the target.
    fn reindexed(&self, block: u128, target: &Target<CHANNELS, S>, prices: &Prices) -> Option<u128>;
}

/// Prices of bytes, in the unit of errors.
pub(crate) struct Prices {
    /// Price of each byte as a literal.
    pub literals: [f32; 256],
}

impl Prices {
    fn new(rate: &Rate, lambda: i64) -> Self {
        Self { literals: rate.literals.map(|bits| bits as f32 * (lambda as f32 / SCALE as f32)) }
    }

    /// Returns the cheapest byte, given the errors of its lower and of its upper four bits.
    pub fn cheapest_byte(&self, low: &[f32; 16], high: &[f32; 16]) -> u8 {
        let literals = self.literals.as_chunks::<16>().0;
        // The least cost for each value of the lower bits, then the best of these.
        let mut costs = [f32::INFINITY; 16];
        for (&high, literals) in high.iter().zip(literals) {
            for lower in 0..16 {
                let cost = literals[lower] + high;
                costs[lower] = if cost < costs[lower] { cost } else { costs[lower] };
            }
        }
        let mut best = (f32::INFINITY, 0);
        for lower in 0..16 {
            if costs[lower] + low[lower] < best.0 {
                best = (costs[lower] + low[lower], lower);
            }
        }
        let lower = best.1;
        let upper = (0..16).find(|&upper| literals[upper][lower] + high[upper] == costs[lower]);
        (upper.unwrap_or(0) << 4 | lower) as u8
    }
}

/// Optimizes units of blocks in file order.
pub(crate) struct Optimizer<P, const CHANNELS: usize, S = u8> {
    unit: P,
    history: History<CHANNELS, S>,
    heads: Heads<CHANNELS>,
    weights: [i32; CHANNELS],
    /// Squared errors per bit, in the unit of values, in 256ths.
    lambda: i64,
}

/// The best candidate so far.
struct Best {
    cost: i64,
    block: u128,
}

impl<P: Unit<CHANNELS, S>, const CHANNELS: usize, S: Sample> Optimizer<P, CHANNELS, S> {
    /// Returns an optimizer for units that are `stride` bytes apart, with the channels' weights and λ in
    /// 256ths of a squared level per bit.
    pub fn new(unit: P, stride: u32, weights: [i32; CHANNELS], lambda: i64) -> Self {
        let lambda = lambda * unit.steps() * unit.steps();
        Self { unit, history: History::new(stride), heads: Heads::new(weights), weights, lambda }
    }

    /// Returns the cost of a unit and the way it is written. `hints` are distances and the earlier units
    /// there.
    fn bits(&self, rate: &Rate, block: u128, hints: &[(u32, u128)]) -> (u32, Parse) {
        let mut sources = [(0, 0); 8];
        let mut count = 0;
        for &hint in hints {
            sources[count] = hint;
            count += 1;
        }
        let same = self.history.same(block, self.unit.split(block));
        let repeated = rate.repeats.map(|distance| Some((distance, self.history.at(distance)?)));
        for source in same.into_iter().chain(repeated).flatten() {
            sources[count] = source;
            count += 1;
        }
        rate.cost(block, P::BYTES, &sources[..count])
    }

    /// Returns the places of the units whose copies cost least, the best first: one, or up to [`NEAREST`] if
    /// units may have several pairs of endpoints.
    fn nearest(&self, target: &Target<CHANNELS, S>, rate: &Rate, lambda: i64) -> [Option<usize>; NEAREST] {
        let mut places = [None; NEAREST];
        if P::HAS_SUBSETS {
            let nearest = self.history.nearest::<NEAREST>(target, rate, lambda, SCALE);
            for (to, (_, place)) in places.iter_mut().zip(nearest.places()) {
                *to = Some(place);
            }
        } else {
            let nearest = self.history.nearest::<1>(target, rate, lambda, SCALE);
            places[0] = nearest.places().next().map(|(_, place)| place);
        }
        places
    }

    /// Returns the unit to write instead of `block`, for the texels in `counted`.
    pub fn step(&mut self, rate: &mut Rate, block: u128, texels: &[[u8; 4]; 16], counted: u16) -> u128 {
        let own = self.unit.decode(block);
        let target = &self.unit.target(self.unit.source(texels), &own, counted, self.weights);
        let lambda = self.lambda * smoothness(target, self.unit.steps()) / 256;
        let prices = Prices::new(rate, lambda);
        let mut best = Best {
            cost: i64::from(target.error(&own)) * SCALE + lambda * i64::from(self.bits(rate, block, &[]).0),
            block,
        };
        let offer = |best: &mut Best, candidate: u128, hints: &[(u32, u128)]| {
            let decoded = self.unit.decode(candidate);
            if !target.allows(&decoded) {
                return;
            }
            let error = i64::from(target.error(&decoded)) * SCALE;
            if error >= best.cost {
                return;
            }
            let cost = error + lambda * i64::from(self.bits(rate, candidate, hints).0);
            if cost < best.cost {
                *best = Best { cost, block: candidate };
            }
        };
        if let Some(candidate) = self.unit.reindexed(block, target, &prices) {
            offer(&mut best, candidate, &[]);
        }
        for distance in rate.repeats {
            if let Some(earlier) = self.history.at(distance) {
                offer(&mut best, earlier, &[]);
            }
        }
        for (rank, place) in self.nearest(target, rate, lambda).into_iter().flatten().enumerate() {
            let entry = &self.history.entries[place];
            let hint = [(self.history.distance(entry.position), entry.block)];
            if rank == 0 {
                offer(&mut best, entry.block, &hint);
            }
            // The unit's own endpoints with the indices of a close one. (Measured for BC7 only: notes.md.)
            let split = self.unit.split(block);
            if P::HAS_SUBSETS && split == self.unit.split(entry.block) {
                let indices = entry.block ^ head(entry.block, split);
                offer(&mut best, head(block, split) | indices, &hint);
            }
            if rank > 0 && self.unit.line(entry.block).is_some() {
                // Single pairs of endpoints are found by their lines, below.
                continue;
            }
            if let Some(candidate) = self.unit.reindexed(entry.block, target, &prices) {
                offer(&mut best, candidate, &hint);
            }
        }
        let heads = self.heads.best::<HEADS, S>(target, SCALE, |position| {
            lambda * i64::from(rate.copy_cost(self.history.distance(position)))
        });
        if let Some(head) = self.unit.fresh(self.heads.axis(target), target.is_opaque())
            && let Some(candidate) = self.unit.reindexed(head, target, &prices)
        {
            offer(&mut best, candidate, &[]);
        }
        for (score, place) in heads.places() {
            if score >= best.cost {
                break;
            }
            let (head, position) = self.heads.heads[place];
            let hint = [(self.history.distance(position), self.history.blocks[position as usize])];
            if let Some(candidate) = self.unit.reindexed(head, target, &prices) {
                offer(&mut best, candidate, &hint);
            }
        }
        let (_, parse) = self.bits(rate, best.block, &[]);
        rate.pass(best.block, P::BYTES, &parse);
        let decoded = self.unit.decode(best.block);
        if let Some((head, line)) = self.unit.line(best.block) {
            self.heads.push(head, self.history.blocks.len() as u32, &line);
        }
        self.history.push(best.block, self.unit.split(best.block), &decoded);
        best.block
    }
}

/// Returns the factor of λ in 256ths: 256 from a variance of 7 on, an eighth of that where all texels are
/// equal. Blocks that differ from their neighbours are visible in smooth gradients; notes.md has the cost.
fn smoothness<const CHANNELS: usize, S: Sample>(target: &Target<CHANNELS, S>, steps: i64) -> i64 {
    (2 * target.variance() / (steps * steps) + 32).min(256)
}

//! Endpoints and indices of a part whose texels have different weights.

use super::{
    by_alpha_index::{Nearest, WeightedPart},
    coding::{Coding, PBits},
    fit::nearest,
    modes::weights,
    pack::PackedPart,
};
use crate::simd::AvailableLevel;
use std::ops::Range;

/// Extent of a fit.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Alternations of endpoints and indices.
    pub refinements: u32,
    /// Rounds of single steps of codes.
    pub climbs: u32,
}

/// Texels of a block, and the weights of their squared errors.
#[derive(Clone)]
pub(super) struct Problem {
    texels: [[i32; 4]; 16],
    weights: [[u64; 4]; 16],
    /// The weights in 8 bits, for fits: sums of a block's errors have 32 bits.
    short_weights: [[u32; 4]; 16],
}

impl Problem {
    /// `visible` has a bit for each texel in the image, and `weights` are those of the channels.
    pub fn new(texels: &[[u8; 4]; 16], visible: u16, weights: [u64; 4]) -> Self {
        let greatest = 255 * weights.iter().copied().max().unwrap_or(1).max(1);
        let weights_of = |t: usize| {
            let alpha = u64::from(texels[t][3]).max(1);
            let [red, green, blue, of_alpha] = weights;
            let is_visible = u64::from(visible >> t & 1);
            [red * alpha, green * alpha, blue * alpha, of_alpha * 255].map(|weight| weight * is_visible)
        };
        let weights: [[u64; 4]; 16] = std::array::from_fn(weights_of);
        let short = |weight: u64| ((weight * 255 + greatest / 2) / greatest).max(weight.min(1)) as u32;
        let short_weights = weights.map(|weights| weights.map(short));
        Self { texels: texels.map(|texel| texel.map(i32::from)), weights, short_weights }
    }

    /// Returns the problem with alpha and a colour exchanged, as rotations of modes 4 and 5 do.
    pub fn rotated(&self, rotation: u8) -> Self {
        let mut rotated = self.clone();
        if let Some(color) = usize::from(rotation).checked_sub(1) {
            rotated.texels.iter_mut().for_each(|texel| texel.swap(color, 3));
            rotated.weights.iter_mut().for_each(|weights| weights.swap(color, 3));
            rotated.short_weights.iter_mut().for_each(|weights| weights.swap(color, 3));
        }
        rotated
    }

    /// Returns a texel and the sum of the weights of its channels.
    pub fn weighted_texel(&self, t: usize) -> ([f64; 4], f64) {
        (self.texels[t].map(f64::from), f64::from(self.short_weights[t].iter().sum::<u32>()))
    }

    /// Returns the weighted error of a decoded block.
    pub fn error(&self, decoded: &[[u8; 4]; 16]) -> u64 {
        let texels = self.texels.iter().zip(decoded).zip(&self.weights);
        let error = |((texel, decoded), weights): ((&[i32; 4], &[u8; 4]), &[u64; 4])| {
            let square = |c: usize| u64::from((texel[c] - i32::from(decoded[c])).unsigned_abs()).pow(2);
            (0..4).map(|c| weights[c] * square(c)).sum::<u64>()
        };
        texels.map(error).sum()
    }
}

/// Texels and channels that share two endpoints.
pub(super) struct Part {
    pub channels: Range<usize>,
    /// A bit for each texel.
    pub texels: u16,
    /// Texel whose index lacks the highest bit.
    pub anchor: usize,
}

/// Codes of both endpoints, p-bits included, and the index of each texel of the part.
#[derive(Clone, Copy)]
struct Codes {
    ends: [[u8; 4]; 2],
    indices: [i32; 16],
    error: u32,
}

/// Returns the endpoints and indices with the least error that are found.
pub(super) fn fit(
    simd: AvailableLevel,
    problem: &Problem,
    part: &Part,
    coding: Coding,
    effort: Effort,
) -> PackedPart {
    let fitter = Fitter::new(simd, problem, part, coding);
    let [all, heavy] = fitter.starts();
    let mut best = fitter.descended(all, effort.refinements);
    if heavy != all {
        let other = fitter.descended(heavy, effort.refinements);
        if other.error < best.error {
            best = other;
        }
    }
    for _ in 0..effort.climbs {
        if !fitter.climb(&mut best) {
            break;
        }
    }
    fitter.packed(best)
}

struct Fitter<'a> {
    simd: AvailableLevel,
    part: &'a Part,
    coding: Coding,
    /// Number of bits of a code, with its p-bit.
    precision: u32,
    texels: WeightedPart,
    /// Positions of the texels in the block.
    positions: [u8; 16],
}

impl<'a> Fitter<'a> {
    fn new(simd: AvailableLevel, problem: &Problem, part: &'a Part, coding: Coding) -> Self {
        let mut texels = WeightedPart {
            channels: part.channels.clone(),
            count: 0,
            values: [[0; 16]; 4],
            weights: [[0; 16]; 4],
            index_count: 1 << coding.index_bits,
            factors: [0; 16],
        };
        for (to, &factor) in texels.factors.iter_mut().zip(weights(coding.index_bits)) {
            *to = factor.into();
        }
        let mut positions = [0; 16];
        for t in (0..16).filter(|t| part.texels >> t & 1 == 1) {
            positions[texels.count] = t as u8;
            for c in part.channels.clone() {
                texels.values[c][texels.count] = problem.texels[t][c];
                texels.weights[c][texels.count] = problem.short_weights[t][c] as i32;
            }
            texels.count += 1;
        }
        Self { simd, part, coding, precision: coding.precision(), texels, positions }
    }

    /// Returns endpoints on the line of the largest weighted variance: at the outermost texels, and at the
    /// outermost of those that count.
    fn starts(&self) -> [[[f64; 4]; 2]; 2] {
        let &WeightedPart { count, ref values, ref weights, .. } = &self.texels;
        let mut mean = [0.0; 4];
        for c in self.part.channels.clone() {
            let (mut sum, mut total) = (0.0, 0.0);
            for t in 0..count {
                sum += f64::from(weights[c][t]) * f64::from(values[c][t]);
                total += f64::from(weights[c][t]);
            }
            mean[c] = if total > 0.0 { sum / total } else { 0.0 };
        }
        let mut variance = [[0.0; 4]; 4];
        for t in 0..count {
            let distance: [f64; 4] = std::array::from_fn(|c| {
                f64::from(weights[c][t]).sqrt() * (f64::from(values[c][t]) - mean[c])
            });
            for c in self.part.channels.clone() {
                for d in self.part.channels.clone() {
                    variance[c][d] += distance[c] * distance[d];
                }
            }
        }
        let axis = self.axis(&variance);
        let position = |t: usize| -> f64 {
            self.part.channels.clone().map(|c| axis[c] * (f64::from(values[c][t]) - mean[c])).sum()
        };
        let mut sums = [0; 16];
        for c in self.part.channels.clone() {
            for t in 0..count {
                sums[t] += weights[c][t];
            }
        }
        let most = sums.into_iter().max().unwrap_or(0);
        [0, most / 4].map(|least| {
            let (mut low, mut high) = (f64::MAX, f64::MIN);
            for t in (0..count).filter(|&t| sums[t] > 0 && sums[t] >= least) {
                (low, high) = (low.min(position(t)), high.max(position(t)));
            }
            let at = |position: f64| std::array::from_fn(|c| mean[c] + position * axis[c]);
            if low > high { [mean; 2] } else { [at(low), at(high)] }
        })
    }

    /// Returns the principal axis of length 1, by power iteration; 0 if all texels are equal.
    fn axis(&self, variance: &[[f64; 4]; 4]) -> [f64; 4] {
        let largest = (0..4).fold(0, |best, c| if variance[c][c] > variance[best][best] { c } else { best });
        let mut axis = variance[largest];
        for _ in 0..8 {
            let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length == 0.0 {
                return [0.0; 4];
            }
            let unit = axis.map(|x| x / length);
            axis = std::array::from_fn(|c| (0..4).map(|d| variance[c][d] * unit[d]).sum());
        }
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 { [0.0; 4] } else { axis.map(|x| x / length) }
    }

    /// Returns the best codes of alternations that start with these endpoints.
    fn descended(&self, ends: [[f64; 4]; 2], refinements: u32) -> Codes {
        let mut best = self.quantized(ends);
        for _ in 0..refinements {
            let next = self.quantized(self.least_squares(&best));
            if next.error >= best.error {
                break;
            }
            best = next;
        }
        best
    }

    /// Returns the codes nearest to endpoints, with the p-bits and indices of the least error.
    fn quantized(&self, ends: [[f64; 4]; 2]) -> Codes {
        let last = f64::from((1u32 << self.precision) - 1);
        let greatest = ((1u32 << self.coding.bits) - 1) as u8;
        // Codes with either p-bit.
        let mut codes = [[[0; 4]; 2]; 2];
        for end in 0..2 {
            for c in self.part.channels.clone() {
                let code = ends[end][c].clamp(0.0, 255.0) * last / 255.0;
                if self.coding.p_bits == PBits::None {
                    codes[0][end][c] = (code + 0.5) as u8;
                    continue;
                }
                for p in 0..2 {
                    let half = ((code - f64::from(p)) / 2.0 + 0.5) as u8;
                    codes[usize::from(p)][end][c] = half.min(greatest) << 1 | p;
                }
            }
        }
        let [even, odd] = codes;
        let mut best = self.indexed(even);
        if self.coding.p_bits != PBits::None {
            for ends in [[even[0], odd[1]], [odd[0], even[1]], odd] {
                let codes = self.indexed(ends);
                if codes.error < best.error {
                    best = codes;
                }
            }
        }
        best
    }

    /// Returns codes with the best indices.
    fn indexed(&self, ends: [[u8; 4]; 2]) -> Codes {
        let mut wide = [[0; 4]; 2];
        for end in 0..2 {
            for c in self.part.channels.clone() {
                let shifted = (i32::from(ends[end][c]) << (8 - self.precision)) & 255;
                wide[end][c] = if self.precision < 8 { shifted | shifted >> self.precision } else { shifted };
            }
        }
        let mut found = Nearest::default();
        nearest(self.simd, &self.texels, &wide, &mut found);
        let mut error = 0;
        for of_texel in found.errors {
            error += of_texel as u32;
        }
        Codes { ends, indices: found.indices, error }
    }

    /// Returns the endpoints with the least weighted squares for these indices.
    fn least_squares(&self, codes: &Codes) -> [[f64; 4]; 2] {
        let mut ends = [[0.0; 4]; 2];
        for c in self.part.channels.clone() {
            let (mut aa, mut ab, mut bb, mut ax, mut bx) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for t in 0..self.texels.count {
                let b = f64::from(self.texels.factors[codes.indices[t] as usize]) / 64.0;
                let (a, weight) = (1.0 - b, f64::from(self.texels.weights[c][t]));
                let x = f64::from(self.texels.values[c][t]);
                aa += weight * a * a;
                ab += weight * a * b;
                bb += weight * b * b;
                ax += weight * a * x;
                bx += weight * b * x;
            }
            let determinant = aa * bb - ab * ab;
            let total = aa + 2.0 * ab + bb;
            [ends[0][c], ends[1][c]] = if determinant > 1e-9 * total * total {
                [(ax * bb - bx * ab) / determinant, (bx * aa - ax * ab) / determinant]
            } else if total > 0.0 {
                // All texels have one index: both endpoints are the mean.
                [(ax + bx) / total; 2]
            } else {
                [0.0; 2]
            };
        }
        ends
    }

    /// Moves single codes by one step where this lessens the error. Returns true if it does anywhere.
    fn climb(&self, best: &mut Codes) -> bool {
        let mut is_better = false;
        let step = if self.coding.p_bits == PBits::None { 1 } else { 2 };
        let last = (1i16 << self.precision) - 1;
        for end in 0..2 {
            for c in self.part.channels.clone() {
                for delta in [-step, step] {
                    let code = i16::from(best.ends[end][c]) + delta;
                    if !(0..=last).contains(&code) {
                        continue;
                    }
                    let mut ends = best.ends;
                    ends[end][c] = code as u8;
                    let codes = self.indexed(ends);
                    if codes.error < best.error {
                        (*best, is_better) = (codes, true);
                    }
                }
            }
        }
        is_better
    }

    /// Returns the part for a block. Endpoints are exchanged if the anchor's index has its highest bit.
    fn packed(&self, mut codes: Codes) -> PackedPart {
        let last = self.coding.last_index() as i32;
        let positions = &self.positions[..self.texels.count];
        let anchor = positions.iter().position(|&t| usize::from(t) == self.part.anchor);
        if anchor.is_some_and(|anchor| codes.indices[anchor] > last / 2) {
            codes.ends.swap(0, 1);
            codes.indices = codes.indices.map(|index| last - index);
        }
        let mut indices = 0;
        for (position, index) in positions.iter().zip(codes.indices) {
            indices |= (index as u64) << (4 * position);
        }
        // A single channel is in the lowest byte.
        let shift = 8 * if self.part.channels.len() == 1 { self.part.channels.start as u32 } else { 0 };
        let ends = codes.ends.map(|end| u32::from_le_bytes(end) >> shift);
        PackedPart { ends, indices }
    }
}

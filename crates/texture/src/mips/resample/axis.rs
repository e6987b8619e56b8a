//! Source texels of each target texel along one side, with their weights.

use super::filters::{radius, weight};
use crate::{MipFilter, MipWrap, mips::MipError};
use std::ops::Range;

/// Shares that are rounding errors of 0, of a texel or of the smaller area that a target texel covers.
const NEGLIGIBLE: f64 = 1e-8;

/// Source texels along one side. Each target texel has `taps` of them, which follow each other.
///
/// If the sides have the ratio p : q in lowest terms, q target texels cover p source texels, and the next q
/// have the same weights. Halving an even side thus has one set of weights.
pub(crate) struct Axis {
    /// Number of weights of a target texel.
    pub taps: usize,
    side: u32,
    wrap: MipWrap,
    /// Source texels after which the weights repeat.
    step: i64,
    /// First source texel of each phase. It may be before the image.
    firsts: Vec<i64>,
    /// Weights of each phase, `taps` of them, whose sum is 1.
    weights: Vec<f32>,
}

impl Axis {
    /// Returns the source texels along a side of `side` texels that becomes `target` texels.
    ///
    /// # Errors
    /// [`MipError::OutOfMemory`] if the weights do not fit in memory.
    pub fn new(side: u32, target: u32, filter: MipFilter, wrap: MipWrap) -> Result<Self, MipError> {
        let divisor = gcd(side, target);
        let (step, phases) = (side / divisor, target / divisor);
        let firsts_and_weights = |phase| phase_weights(phase, side, target, filter);
        let count = |phase| firsts_and_weights(phase).1.len();
        // Phases differ by one weight at most, and the first ones show the largest count.
        let most = (0..phases.min(64)).map(count).max().unwrap_or(1) + usize::from(phases > 64);
        let needed = u64::from(phases).saturating_mul(most as u64 * 4 + 8);
        let out_of_memory = |_| MipError::OutOfMemory { needed };
        let (mut firsts, mut weights) = (Vec::new(), Vec::new());
        firsts.try_reserve_exact(phases as usize).map_err(out_of_memory)?;
        weights.try_reserve_exact(phases as usize * most).map_err(out_of_memory)?;
        for phase in 0..phases {
            let (first, of_phase) = firsts_and_weights(phase);
            firsts.push(first);
            weights.extend((0..most).map(|k| of_phase.get(k).copied().unwrap_or(0.0)));
        }
        Ok(Self { taps: most, side, wrap, step: step.into(), firsts, weights })
    }

    /// Returns the number of source texels after which the weights repeat, if all target texels have the same
    /// weights.
    #[cfg(feature = "gpu")]
    pub fn single_step(&self) -> Option<u32> {
        if self.firsts.len() == 1 { u32::try_from(self.step).ok() } else { None }
    }

    /// Returns the source texels of target texels `index..`.
    #[inline(always)]
    pub fn from(&self, index: u32) -> Cursor<'_> {
        let phases = self.firsts.len() as u32;
        let turn = i64::from(index / phases) * self.step;
        Cursor { axis: self, phase: (index % phases) as usize, turn }
    }

    /// Returns the source texels of target texel `index`.
    pub fn at(&self, index: u32) -> (i64, &[f32]) {
        self.from(index).next()
    }

    /// Returns the source texels of target texels `range`, which must not be empty: the first one, and the
    /// one after the last.
    pub fn covered(&self, range: Range<u32>) -> Range<i64> {
        self.at(range.start).0..self.at(range.end - 1).0 + self.taps as i64
    }

    /// Returns the texel of the image that a filter reads at `index`.
    #[inline]
    pub fn wrapped(&self, index: i64) -> u32 {
        let side = i64::from(self.side);
        let wrapped = match self.wrap {
            _ if (0..side).contains(&index) => index,
            MipWrap::Clamp => index.clamp(0, side - 1),
            MipWrap::Repeat => index.rem_euclid(side),
            MipWrap::Mirror => {
                let twice = index.rem_euclid(2 * side);
                twice.min(2 * side - 1 - twice)
            }
        };
        wrapped as u32
    }
}

/// Position in the target texels of an [`Axis`].
pub(crate) struct Cursor<'a> {
    axis: &'a Axis,
    phase: usize,
    /// Source texels of the phases before.
    turn: i64,
}

impl<'a> Cursor<'a> {
    /// Returns the first source texel of the next target texel, which may be before the image, and the
    /// weights.
    #[inline(always)]
    pub fn next(&mut self) -> (i64, &'a [f32]) {
        let Axis { taps, step, firsts, weights, .. } = self.axis;
        let first = firsts[self.phase] + self.turn;
        let weights = &weights[self.phase * taps..][..*taps];
        self.phase += 1;
        if self.phase == firsts.len() {
            self.phase = 0;
            self.turn += step;
        }
        (first, weights)
    }
}

/// Returns the first source texel of target texel `index`, and its weights, whose sum is 1.
///
/// The first texel never decreases from one target texel to the next: only texels outside of the filter are
/// dropped, not zeros inside.
fn phase_weights(index: u32, side: u32, target: u32, filter: MipFilter) -> (i64, Vec<f32>) {
    if side == target {
        return (index.into(), vec![1.0]);
    }
    // The texel's centre, `base + part`, in texels of the source from its edge.
    let (centre, unit) = (u128::from(2 * u64::from(index) + 1) * u128::from(side), 2 * u128::from(target));
    let (base, part) = ((centre / unit) as i64, (centre % unit) as f64 / unit as f64);
    let ratio = f64::from(side) / f64::from(target);
    let stretch = if filter == MipFilter::Box { ratio } else { ratio.max(1.0) };
    let reach = radius(filter) * stretch;
    let [low, high] = [(part - reach).floor() as i64, (part + reach).ceil() as i64];
    let weight_of = |texel: i64| match filter {
        // The part of the texel that the target texel covers.
        MipFilter::Box => {
            let (start, end) = ((part - reach).max(texel as f64), (part + reach).min(texel as f64 + 1.0));
            Some(end - start).filter(|&covered| covered > NEGLIGIBLE * stretch.min(1.0))
        }
        _ => {
            let distance = (texel as f64 + 0.5 - part) / stretch;
            (distance.abs() < radius(filter)).then(|| weight(filter, distance))
        }
    };
    let first = (low..high).find(|&texel| weight_of(texel).is_some()).unwrap_or(low);
    let weights: Vec<f64> = (first..high).map_while(weight_of).collect();
    let sum: f64 = weights.iter().sum();
    (base + first, weights.iter().map(|weight| (weight / sum) as f32).collect())
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_sides_have_exact_phases() {
        let axis = Axis::new(5, 2, MipFilter::Box, MipWrap::Clamp).unwrap();
        assert_eq!(axis.at(0), (0, &[0.4, 0.4, 0.2][..]));
        assert_eq!(axis.at(1), (2, &[0.2, 0.4, 0.4][..]));
        let axis = Axis::new(7, 3, MipFilter::Triangle, MipWrap::Clamp).unwrap();
        let (first, weights) = axis.at(1);
        // The centre texel's weights are symmetric about source texel 3.
        let middle = (3 - first) as usize;
        for k in 1..=middle {
            assert_eq!(weights[middle - k], weights[middle + k]);
        }
        assert!((weights[middle] - 7.0 / 17.0).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn weights_sum_to_one_and_halving_has_one_phase() {
        for &filter in MipFilter::ALL {
            for (side, target) in [(8, 4), (9, 4), (5, 2), (100, 37), (37, 100), (1, 1), (1, 5), (4096, 1)] {
                let axis = Axis::new(side, target, filter, MipWrap::Clamp).unwrap();
                for index in 0..target {
                    let sum: f64 = axis.at(index).1.iter().map(|&w| f64::from(w)).sum();
                    assert!((sum - 1.0).abs() < 2e-6, "{filter:?} {side} to {target}: {sum}");
                }
            }
            assert_eq!(Axis::new(4096, 2048, filter, MipWrap::Clamp).unwrap().firsts.len(), 1);
        }
        assert_eq!(Axis::new(64, 32, MipFilter::Kaiser, MipWrap::Clamp).unwrap().taps, 12);
    }

    #[test]
    fn the_largest_stretch_has_weights() {
        for &filter in MipFilter::ALL {
            for (side, index) in [(1, 0), (1, 1 << 31), (1, u32::MAX - 1), (7, 3_000_000_000)] {
                let (first, weights) = phase_weights(index, side, u32::MAX, filter);
                let sum: f32 = weights.iter().sum();
                assert!((sum - 1.0).abs() < 2e-6 && first.abs() < 16, "{filter:?} {side} {index}: {sum}");
            }
        }
    }

    #[test]
    fn no_phase_has_more_weights_than_the_first_ones_show() {
        for &filter in MipFilter::ALL {
            for (side, target) in [(257, 128), (1000, 999), (8191, 4095), (4095, 127), (331, 1000)] {
                let axis = Axis::new(side, target, filter, MipWrap::Clamp).unwrap();
                for index in 0..target {
                    let count = phase_weights(index, side, target, filter).1.len();
                    assert!(count <= axis.taps, "{filter:?} {side} to {target}: {count} of {}", axis.taps);
                }
            }
        }
    }

    #[test]
    fn edges_wrap() {
        let texels = |wrap| {
            let axis = Axis::new(3, 1, MipFilter::Box, wrap).unwrap();
            (-4..7).map(|index| axis.wrapped(index)).collect::<Vec<_>>()
        };
        assert_eq!(texels(MipWrap::Clamp), [0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
        assert_eq!(texels(MipWrap::Repeat), [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(texels(MipWrap::Mirror), [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0]);
    }
}

//! Texels from sums of lights.

use super::{Lights, axis::Axis, source::Conversion};
use crate::block_row::Form;

/// Sums of the texels that a nearly transparent target texel covers. Its colour is their mean, weighted by
/// alpha, or the plain mean if all are transparent.
///
/// Sums of negative weights can make alpha 0 or less, and a colour divided by such an alpha is arbitrary.
/// Bilinear sampling shows the colours of transparent texels beside visible ones, so that they matter.
pub(super) struct CoveredSum {
    /// Column of the target.
    x: u32,
    plain: [f32; 3],
    by_alpha: Lights,
}

impl CoveredSum {
    /// Returns the sums, before any row is added, of the texel in this column of the target.
    pub fn new(x: u32) -> Self {
        Self { x, plain: [0.0; 3], by_alpha: [0.0; 4] }
    }

    /// Adds a row of the source, in which target texels cover `columns`.
    pub fn add<T>(&mut self, columns: &Axis, row: &[T], row_weight: f32, of_texel: &impl Fn(&T) -> Lights) {
        let (first, weights) = columns.at(self.x);
        for (texel, &weight) in (first..).zip(weights) {
            let weight = weight * row_weight;
            let [r, g, b, alpha] = of_texel(&row[columns.wrapped(texel) as usize]);
            for (c, light) in [r, g, b].into_iter().enumerate() {
                self.plain[c] += weight * light;
                self.by_alpha[c] += weight * alpha * light;
            }
            self.by_alpha[3] += weight * alpha;
        }
    }

    /// Returns the colour of the target texel, with the given alpha.
    fn lights(&self, alpha: f32) -> Lights {
        let [r, g, b, sum] = self.by_alpha;
        let [r, g, b] = if sum > 0.0 { [r, g, b].map(|light| light / sum) } else { self.plain };
        [r, g, b, alpha.max(0.0)]
    }
}

/// Fills `target` with the texels whose sums of lights are `sums`.
pub(super) fn texels<T>(sums: &[Lights], to_texel: &impl Fn(Lights) -> T, target: &mut [T]) {
    for (target, &sum) in target.iter_mut().zip(sums) {
        *target = to_texel(sum);
    }
}

/// True if the colours of a sum are divided by its alpha.
pub(super) fn is_visible(sum: &Lights, visible: f32) -> bool {
    sum[3] >= visible
}

/// Fills `target` with the texels whose sums of lights, multiplied by alpha, are `sums`. `covered` has the
/// sums of those that are not [visible](is_visible), in order.
pub(super) fn texels_by_alpha<T: Form>(
    sums: &[Lights],
    covered: &[CoveredSum],
    conversion: &Conversion<impl Fn(&T) -> Lights, impl Fn(Lights) -> T>,
    target: &mut [T],
) {
    let mut covered = covered.iter();
    for (target, sum) in target.iter_mut().zip(sums) {
        let &[r, g, b, alpha] = sum;
        let lights = match is_visible(sum, conversion.visible) {
            true => [r / alpha, g / alpha, b / alpha, alpha],
            false => covered.next().map_or([0.0; 4], |covered| covered.lights(alpha)),
        };
        *target = (conversion.to_texel)(lights);
    }
}

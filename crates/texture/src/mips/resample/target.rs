//! Texels from sums of lights.

use super::{Lights, axis::Axis, source::Conversion};
use crate::image::Form;

/// Source of the colours of transparent texels: the mean of the texels that a target texel covers, weighted
/// by alpha, or the plain mean if all are transparent.
///
/// Sums of negative weights can make alpha 0 or less, and a colour divided by such an alpha is arbitrary.
/// Bilinear sampling shows the colours of transparent texels beside visible ones, so that they matter.
pub(super) struct Covered<'a, T> {
    columns: &'a Axis,
    /// Covered rows, with their weights.
    rows: Vec<(&'a [T], f32)>,
}

impl<'a, T: Form> Covered<'a, T> {
    /// Returns the texels that target texels of one row cover: `columns` and these rows.
    pub fn new(columns: &'a Axis, rows: Vec<(&'a [T], f32)>) -> Self {
        Self { columns, rows }
    }

    /// Returns the colour of target texel `x`, with alpha 0.
    fn color(&self, x: u32, of_texel: &impl Fn(&T) -> Lights) -> Lights {
        let (first, weights) = self.columns.at(x);
        let (mut plain, mut by_alpha) = ([0.0f32; 3], [0.0f32; 4]);
        for &(row, row_weight) in &self.rows {
            for (texel, &weight) in (first..).zip(weights) {
                let weight = weight * row_weight;
                let [r, g, b, alpha] = of_texel(&row[self.columns.wrapped(texel) as usize]);
                for (c, light) in [r, g, b].into_iter().enumerate() {
                    plain[c] += weight * light;
                    by_alpha[c] += weight * alpha * light;
                }
                by_alpha[3] += weight * alpha;
            }
        }
        let [r, g, b, alpha] = by_alpha;
        let [r, g, b] = if alpha > 0.0 { [r, g, b].map(|sum| sum / alpha) } else { plain };
        [r, g, b, 0.0]
    }
}

/// Fills `target` with the texels whose sums of lights are `sums`.
pub(super) fn texels<T>(sums: &[Lights], to_texel: &impl Fn(Lights) -> T, target: &mut [T]) {
    for (target, &sum) in target.iter_mut().zip(sums) {
        *target = to_texel(sum);
    }
}

/// Fills `target`, which starts with target texel `first`, with the texels whose sums of lights, multiplied
/// by alpha, are `sums`.
pub(super) fn texels_by_alpha<T: Form>(
    sums: &[Lights],
    covered: &Covered<'_, T>,
    first: u32,
    conversion: &Conversion<impl Fn(&T) -> Lights, impl Fn(Lights) -> T>,
    target: &mut [T],
) {
    for ((x, target), &[r, g, b, alpha]) in (first..).zip(target).zip(sums) {
        *target = (conversion.to_texel)(if alpha >= conversion.visible {
            [r / alpha, g / alpha, b / alpha, alpha]
        } else {
            covered.color(x, &conversion.of_texel)
        });
    }
}

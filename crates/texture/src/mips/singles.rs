//! Next mip level of single floats: means of each channel independently, or of colours weighted by alpha.
//!
//! Weights are whole numbers (`taps.rs`). Products and sums are doubles, rounded one after another in the
//! order of slices, rows and columns. IEEE 754 defines each result, so every machine gives the same bytes.

use super::{Covered, taps::Taps};
use brickwork_image::light::finite_single;

/// Computes row `y` of the image from `covered`. With `by_alpha`, colours are weighted by alpha, unless all
/// texels are transparent; negative alpha has no weight. Infinities count as the largest finite number, and
/// NaN counts as 0.
pub(super) fn filter_row(covered: &Covered<'_>, y: u32, by_alpha: bool, target: &mut [[f32; 4]]) {
    let [width, height] = covered.size();
    let (rows, slices) = (Taps::new(y, height), Taps::new(covered.index, covered.depth));
    let mut buffers = Default::default();
    let at = |k: u32| rows.first + k.min(rows.count - 1);
    let sources = covered.rows::<[f32; 4]>(slices.count, [0, 1, 2].map(at), &mut buffers);
    for (x, target) in target.iter_mut().enumerate() {
        let columns = Taps::new(x as u32, width);
        // Sums of weight and weight·number, and those of weight·alpha and weight·alpha·colour.
        let (mut weight_sum, mut sums) = (0.0f64, [0.0f64; 4]);
        let (mut alpha_sum, mut products) = (0.0f64, [0.0f64; 3]);
        for (slice, slice_weight) in slices.iter() {
            for (row, row_weight) in rows.iter() {
                for (column, column_weight) in columns.iter() {
                    let weight = (slice_weight * row_weight * column_weight) as f64;
                    let texel = sources[slice as usize][row as usize][(columns.first + column) as usize];
                    let texel = texel.map(|number| f64::from(finite_single(number)));
                    let alpha = weight * texel[3].max(0.0);
                    weight_sum += weight;
                    alpha_sum += alpha;
                    for (sum, number) in sums.iter_mut().zip(texel) {
                        *sum += weight * number;
                    }
                    for (product, color) in products.iter_mut().zip(texel) {
                        *product += alpha * color;
                    }
                }
            }
        }
        *target = sums.map(|sum| (sum / weight_sum) as f32);
        if by_alpha && alpha_sum > 0.0 {
            for (color, product) in target.iter_mut().zip(products) {
                *color = (product / alpha_sum) as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImageView;

    fn row_of(width: u32, texels: &[[f32; 4]], by_alpha: bool) -> Vec<[f32; 4]> {
        let image = ImageView::new(texels, width, texels.len() as u32 / width).unwrap();
        let mut row = vec![[0.0; 4]; (width as usize / 2).max(1)];
        filter_row(&Covered::image(&image), 0, by_alpha, &mut row);
        row
    }

    #[test]
    fn means_have_the_precision_of_singles() {
        let [a, b] = [123_456.79f32, 1e-10];
        let mean = |numbers: &[f32]| {
            let sum = numbers.iter().map(|&number| f64::from(number)).sum::<f64>();
            (sum / numbers.len() as f64) as f32
        };
        let row = row_of(2, &[[a, b, 1e9, 1.0], [b, b, 1e9, 1.0], [a, a, 1e9, 1.0], [a, b, 1e9, 1.0]], false);
        assert_eq!(row, [[mean(&[a, b, a, a]), mean(&[b, b, a, b]), 1e9, 1.0]]);
        // One of three texels along an odd side: 1, 1 and 1 of three.
        let row = row_of(3, &[[a; 4], [b; 4], [1.0; 4]], false);
        assert_eq!(row, [[mean(&[a, b, 1.0]); 4]]);
        for side in [2, 3, 5, 7, 64, 101] {
            let texel = [1.0 / 3.0, 1e-38, -3e38, 1.0];
            let row = row_of(side, &vec![texel; side as usize], false);
            assert!(row.iter().all(|found| *found == texel), "{side}");
        }
    }

    #[test]
    fn infinities_and_nan_do_not_spread() {
        let [max, infinity] = [f32::MAX, f32::INFINITY];
        let row = row_of(2, &[[infinity, -infinity, f32::NAN, 1.0], [max, -max, 2.0, 1.0]], false);
        assert_eq!(row, [[max, -max, 1.0, 1.0]]);
    }

    /// 2×2×2 texels, of which three have the same visible colour.
    #[test]
    fn transparent_texels_do_not_bleed_into_others() {
        let [red, none] = [[1.0f32 / 3.0, 1e-10, 2e5, 1.0], [7.0, 8.0, 9.0, 0.0]];
        let (first, second) = ([red, none, none, red], [none, red, none, none]);
        let both = [&first, &second].map(|texels| ImageView::new(texels, 2, 2).unwrap());
        let covered = Covered::slices([&both[0], &both[1]]);
        let mut row = [[0.0; 4]];
        filter_row(&covered, 0, true, &mut row);
        assert_eq!(row, [[red[0], red[1], red[2], 0.375]]);
        filter_row(&covered, 0, false, &mut row);
        assert!(row[0][0] > 4.0);
        // Without a visible texel, colours have their mean.
        assert_eq!(row_of(2, &[none; 4], true), [none]);
    }
}

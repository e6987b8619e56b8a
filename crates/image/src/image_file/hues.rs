//! Colours of blocks that BC1 stores badly.
//!
//! A BC1 block has four colours on a line. Photographs suit it: within 4×4 texels mostly the brightness
//! varies. At the outlines of drawings three or more colours meet.

use super::{Picture, Texels};

/// Root mean square distance from the mean colour, in 8-bit steps, above which a block varies.
const VARIED: f64 = 12.0;
/// Root mean square distance from the best line above which a block has several hues.
const OFF_LINE: f64 = 16.0;
/// Maximum number of blocks that are examined.
const MAX_BLOCKS: usize = 1 << 16;
/// Steps of the power iteration for the direction of the line.
const STEPS: usize = 12;

impl Picture {
    /// Returns the share of blocks of 4×4 texels with several hues among those that vary; 0 for a picture of
    /// less than 4×4 texels.
    pub fn many_hued_share(&self) -> f64 {
        let (texels, width) = (&self.texels, self.width as usize);
        let [columns, rows] = [self.width, self.height].map(|side| side as usize / 4);
        let step = (columns * rows).div_ceil(MAX_BLOCKS).max(1);
        let (mut varied, mut many_hued) = (0u32, 0u32);
        for index in (0..columns * rows).step_by(step) {
            let first = index / columns * 4 * width + index % columns * 4;
            let texel = |i: usize| rgb8(texels, first + i / 4 * width + i % 4).map(f64::from);
            let [total, off_line] = variances(&std::array::from_fn(texel));
            if total > VARIED * VARIED {
                varied += 1;
                many_hued += u32::from(off_line > OFF_LINE * OFF_LINE);
            }
        }
        if varied == 0 { 0.0 } else { f64::from(many_hued) / f64::from(varied) }
    }
}

fn rgb8(texels: &Texels, index: usize) -> [u8; 3] {
    let upper = |value: u16| (value >> 8) as u8;
    let clamped = |value: f32| (value.clamp(0.0, 1.0) * 255.0) as u8;
    let of_half = |value: half::f16| clamped(value.to_f32());
    match texels {
        Texels::Grey8(texels) => [texels[index]; 3],
        Texels::Rgb8(texels) => texels[index],
        Texels::Rgba8(texels) => [texels[index][0], texels[index][1], texels[index][2]],
        Texels::Grey16(texels) => [upper(texels[index]); 3],
        Texels::Rgb16(texels) => texels[index].map(upper),
        Texels::Rgba16(texels) => [texels[index][0], texels[index][1], texels[index][2]].map(upper),
        Texels::RgbF16(texels) => texels[index].map(of_half),
        Texels::RgbaF16(texels) => [texels[index][0], texels[index][1], texels[index][2]].map(of_half),
        Texels::RgbF32(texels) => texels[index].map(clamped),
        Texels::RgbaF32(texels) => [texels[index][0], texels[index][1], texels[index][2]].map(clamped),
    }
}

/// Returns the mean square distances of the colours from their mean and from the best line.
fn variances(colors: &[[f64; 3]; 16]) -> [f64; 2] {
    let mean: [f64; 3] = std::array::from_fn(|c| colors.iter().map(|color| color[c]).sum::<f64>() / 16.0);
    let mut matrix = [[0.0; 3]; 3];
    for color in colors {
        let from_mean: [f64; 3] = std::array::from_fn(|c| color[c] - mean[c]);
        for (row, a) in matrix.iter_mut().zip(from_mean) {
            row.iter_mut().zip(from_mean).for_each(|(cell, b)| *cell += a * b / 16.0);
        }
    }
    let total = matrix[0][0] + matrix[1][1] + matrix[2][2];
    let times = |v: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|row| matrix[row].iter().zip(v).map(|(cell, v)| cell * v).sum())
    };
    let dot = |a: [f64; 3], b: [f64; 3]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    // The longest row is not perpendicular to the line.
    let mut direction = matrix.into_iter().fold([0.0; 3], |a, b| if dot(b, b) > dot(a, a) { b } else { a });
    for _ in 0..STEPS {
        let length = dot(direction, direction).sqrt().max(f64::MIN_POSITIVE);
        direction = times(direction.map(|v| v / length));
    }
    let on_line = dot(direction, direction).sqrt();
    [total, total - on_line]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColorSpace, Image, ImageView, Task, image_file::ImageReadOptions};

    fn share_of(image: &dyn Image) -> f64 {
        let options = ImageReadOptions::default();
        Picture::of_image(image, ColorSpace::Srgb, &options, &Task::new()).unwrap().many_hued_share()
    }

    #[test]
    fn three_hues_in_a_block_are_off_a_line() {
        let share = |colors: &[[u8; 3]]| {
            let texels: Vec<_> = (0..64).map(|i| colors[(i % 8 / 2 + i / 8) % colors.len()]).collect();
            share_of(&ImageView::new(&texels, 8, 8).unwrap())
        };
        assert_eq!(share(&[[200, 30, 40], [30, 40, 200], [20, 220, 20]]), 1.0);
        // Two colours, greys, and a ramp between two colours are on a line.
        assert_eq!(share(&[[200, 30, 40], [30, 40, 200]]), 0.0);
        assert_eq!(share(&[[0; 3], [255; 3], [90; 3]]), 0.0);
        assert_eq!(share(&[[200, 0, 0], [100, 0, 100], [0, 0, 200]]), 0.0);
        // Hues that differ little are no reason for a larger format.
        assert_eq!(share(&[[120, 100, 100], [100, 120, 100], [100, 100, 120]]), 0.0);
        assert_eq!(share_of(&ImageView::new(&[0u8, 255, 9], 3, 1).unwrap()), 0.0);
    }

    /// The row of largest length decides where the power iteration starts. A start perpendicular to the line
    /// would measure another line.
    #[test]
    fn the_line_is_the_best_one() {
        for axis in 0..3 {
            let mut colors = [[50.0; 3]; 16];
            for (i, color) in colors.iter_mut().enumerate() {
                color[axis] += 10.0 * i as f64;
                color[(axis + 1) % 3] += if i % 2 == 0 { 4.0 } else { -4.0 };
            }
            let [total, off_line] = variances(&colors);
            assert!((total - 2125.0 - 16.0).abs() < 1e-9 && (10.0..16.1).contains(&off_line), "{off_line}");
        }
    }
}

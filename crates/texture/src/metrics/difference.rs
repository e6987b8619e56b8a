//! Images of the differences between two images.

use super::{
    bands::Rows,
    error::{MetricsError, check_sizes},
};
use crate::{Image, Task, ToneMap};
use half::f16;

/// Returns an image of the error: `|a − b| · scale` for red, green and blue, clamped to 255, row by row
/// without gaps.
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn difference(
    a: &dyn Image,
    b: &dyn Image,
    scale: u32,
    task: &Task<'_>,
) -> Result<Vec<[u8; 3]>, MetricsError> {
    check_sizes(a, b)?;
    let [width, height] = a.size().map(|side| side as usize);
    let [mut buffer_a, mut buffer_b] = [(); 2].map(|()| vec![[0; 4]; width]);
    let mut picture = Vec::with_capacity(width * height);
    let rows = Rows::new(task, height);
    for y in 0..height as u32 {
        rows.step()?;
        let (a, b) = (a.row_rgba8(y, &mut buffer_a), b.row_rgba8(y, &mut buffer_b));
        picture.extend(a.iter().zip(b).map(|(a, b)| [0, 1, 2].map(|c| scaled(a[c], b[c], scale))));
    }
    Ok(picture)
}

/// Returns an image of the error as displayed: [`difference`] of two images of half floats after a tone map.
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn tone_mapped_difference(
    a: &dyn Image,
    b: &dyn Image,
    tone_map: &ToneMap,
    scale: u32,
    task: &Task<'_>,
) -> Result<Vec<[u8; 3]>, MetricsError> {
    check_sizes(a, b)?;
    let [width, height] = a.size().map(|side| side as usize);
    let [mut buffer_a, mut buffer_b] = [(); 2].map(|()| vec![[f16::ZERO; 4]; width]);
    let table = tone_map.table();
    let shown = |light: f16| table[usize::from(light.to_bits())];
    let mut picture = Vec::with_capacity(width * height);
    let rows = Rows::new(task, height);
    for y in 0..height as u32 {
        rows.step()?;
        let (a, b) = (a.row_rgba_f16(y, &mut buffer_a), b.row_rgba_f16(y, &mut buffer_b));
        let texels = a.iter().zip(b);
        picture.extend(texels.map(|(a, b)| [0, 1, 2].map(|c| scaled(shown(a[c]), shown(b[c]), scale))));
    }
    Ok(picture)
}

fn scaled(a: u8, b: u8, scale: u32) -> u8 {
    u32::from(a.abs_diff(b)).saturating_mul(scale).min(255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImageView, ToneCurve};

    #[test]
    fn differences_are_scaled_and_saturate() {
        let (a, b) = ([[0u8, 100, 5], [1, 2, 3]], [[1u8, 80, 5], [1, 2, 4]]);
        let [a, b] = [&a, &b].map(|texels| ImageView::new(texels, 2, 1).unwrap());
        assert_eq!(difference(&a, &b, 20, &Task::new()).unwrap(), [[20, 255, 0], [0, 0, 20]]);
        assert_eq!(difference(&a, &b, u32::MAX, &Task::new()).unwrap(), [[255, 255, 0], [0, 0, 255]]);
        let tall = [[0u8; 3]; 2];
        assert!(difference(&a, &ImageView::new(&tall, 1, 2).unwrap(), 1, &Task::new()).is_err());
    }

    #[test]
    fn light_is_compared_as_displayed() {
        // 0.5 is 188 in sRGB, 2 is beyond the displayed range, -1 is black.
        let [a, b] = [[0.5, 2.0, -1.0], [0.0, 4.0, 0.0]].map(|texel| [texel.map(f16::from_f32)]);
        let [a, b] = [&a, &b].map(|texels| ImageView::new(texels, 1, 1).unwrap());
        let shown = |tone_map, scale| tone_mapped_difference(&a, &b, &tone_map, scale, &Task::new()).unwrap();
        assert_eq!(shown(ToneMap::default(), 1), [[188, 0, 0]]);
        assert_eq!(shown(ToneMap::default(), 2), [[255, 0, 0]]);
        // A quarter of the light: 0.125, 0.5 and 1.
        assert_eq!(shown(ToneMap::default().with(|o| o.exposure = -2.0), 1), [[99, 67, 0]]);
        // 1/3, 2/3 and 4/5 of the range.
        assert_eq!(shown(ToneMap::default().with(|o| o.curve = ToneCurve::Reinhard), 1), [[156, 18, 0]]);
        let tall = [[f16::ZERO; 3]; 2];
        let tall = ImageView::new(&tall, 1, 2).unwrap();
        assert!(tone_mapped_difference(&a, &tall, &ToneMap::default(), 1, &Task::new()).is_err());
    }
}

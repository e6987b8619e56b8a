//! Squared errors of values that are not rounded to 8 bits.

use super::{
    bands::{Rows, map_bands},
    block_rows::map_block_rows,
    error::{MetricsError, check_sizes},
    psnr::{LUMA_WEIGHTS, Metrics},
    ssim::{ssim, window_rows},
};
use crate::{Cancelled, ColorSpace, Image, RoundingRule, Task, TextureFormat};

/// As [`compare`](super::compare()), but of values that are not rounded to 8 bits: integers divided by their
/// largest value, floats as they are. SSIM is still that of 8 bits, and the largest errors are rounded to
/// whole steps of 8 bits.
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn compare_real(a: &dyn Image, b: &dyn Image, task: &Task<'_>) -> Result<Metrics, MetricsError> {
    let rows = Rows::new(task, a.size()[1] as usize + window_rows(a));
    Ok(squares(a, b, 0, &rows)?.metrics(ssim(a, b, &rows)?))
}

/// As [`compare_visible`](super::compare_visible), but of values as in [`compare_real`].
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn compare_visible_real(
    a: &dyn Image,
    b: &dyn Image,
    least_alpha: u8,
    task: &Task<'_>,
) -> Result<Metrics, MetricsError> {
    let rows = Rows::new(task, a.size()[1] as usize);
    Ok(squares(a, b, least_alpha, &rows)?.metrics(None))
}

fn squares(a: &dyn Image, b: &dyn Image, least_alpha: u8, rows: &Rows<'_>) -> Result<RealSums, MetricsError> {
    check_sizes(a, b)?;
    let [width, height] = a.size().map(|side| side as usize);
    let bands = map_bands(rows.task(), height, |band| {
        let [mut buffer_a, mut buffer_b] = [vec![[0.0; 4]; width], vec![[0.0; 4]; width]];
        let mut sum = RealSums::default();
        for y in band {
            rows.step()?;
            let (a, b) = (a.row_rgba_f32(y as u32, &mut buffer_a), b.row_rgba_f32(y as u32, &mut buffer_b));
            sum.add_row(a, b, least_alpha);
        }
        Ok::<_, Cancelled>(sum)
    })?;
    Ok(bands.into_iter().fold(RealSums::default(), RealSums::merge))
}

/// Compares an image with its plain texels, or with its blocks as an unrounded rule decodes them.
pub(super) fn compare_blocks(
    image: &dyn Image,
    format: TextureFormat,
    blocks: &[u8],
    rule: RoundingRule,
    least_alpha: u8,
    task: &Task<'_>,
) -> Result<Metrics, MetricsError> {
    let add = |sum: &mut RealSums, y, texels: &[[f32; 4]], buffer: &mut [_]| {
        sum.add_row(image.row_rgba_f32(y, buffer), texels, least_alpha);
    };
    let bands = map_block_rows(format, ColorSpace::Linear, blocks, image.size(), rule, task, add)?;
    Ok(bands.into_iter().fold(RealSums::default(), RealSums::merge).metrics(None))
}

/// Sums of squared errors on the 0..=255 scale. Bands and rows are added in a fixed order.
#[derive(Clone, Copy, Default)]
struct RealSums {
    texel_count: u64,
    channels: [f64; 4],
    luma: f64,
    max_error: [f64; 4],
}

impl RealSums {
    /// Adds the texels of a row whose alpha in `a` is at least `least_alpha`.
    fn add_row(&mut self, a: &[[f32; 4]], b: &[[f32; 4]], least_alpha: u8) {
        let least_alpha = f32::from(least_alpha) / 255.0;
        for (a, b) in a.iter().zip(b).filter(|(a, _)| a[3] >= least_alpha) {
            self.texel_count += 1;
            let mut luma = 0.0;
            for c in 0..4 {
                let error = 255.0 * (f64::from(a[c]) - f64::from(b[c]));
                self.channels[c] += error * error;
                self.max_error[c] = self.max_error[c].max(error.abs());
                if c < 3 {
                    luma += f64::from(LUMA_WEIGHTS[c]) / 65536.0 * error;
                }
            }
            self.luma += luma * luma;
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            texel_count: self.texel_count + other.texel_count,
            channels: std::array::from_fn(|c| self.channels[c] + other.channels[c]),
            luma: self.luma + other.luma,
            max_error: std::array::from_fn(|c| self.max_error[c].max(other.max_error[c])),
        }
    }

    fn metrics(&self, ssim: Option<f64>) -> Metrics {
        let count = self.texel_count as f64;
        Metrics {
            texel_count: self.texel_count,
            mse: self.channels.map(|sum| sum / count),
            mse_luma: self.luma / count,
            // A value of 16 bits is at most 1/514 off. A value and its nearest byte are equal.
            max_error: self.max_error.map(|error| (error - 0.504).ceil() as u8),
            ssim,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockFormat, ImageView, metrics};

    fn real(a: &[u8], block: &[u8; 8], format: BlockFormat, rule: RoundingRule) -> Metrics {
        let texels: Vec<[u8; 4]> = a.iter().map(|&v| [v, 0, 0, 255]).collect();
        let image = ImageView::new(&texels, 4, 4).unwrap();
        metrics::compare_blocks(&image, format, block, rule, &Task::new()).unwrap()
    }

    #[test]
    fn errors_are_those_of_unrounded_values() {
        // Index 2 of 255 and 0: 218 4/7 is 219 in 8 bits.
        let block = [255, 0, 0b1001_0010, 0b0010_0100, 0b0100_1001, 0b1001_0010, 0b0010_0100, 0b0100_1001];
        let metrics = real(&[219; 16], &block, BlockFormat::Bc4Unorm, RoundingRule::Real);
        assert!((metrics.mse[0] - (3.0f64 / 7.0).powi(2)).abs() < 1e-5, "{metrics:?}");
        assert_eq!((metrics.max_error, metrics.texel_count), ([0; 4], 16));
        assert!((metrics.mse_luma - (0.2126 * 3.0f64 / 7.0).powi(2)).abs() < 1e-5, "{metrics:?}");
        assert_eq!(real(&[219; 16], &block, BlockFormat::Bc4Unorm, RoundingRule::Exact).mse[0], 0.0);
        // Signed 0 is 127.5.
        let metrics = real(&[128; 16], &[0; 8], BlockFormat::Bc4Snorm, RoundingRule::Real);
        assert!((metrics.mse[0] - 0.25).abs() < 1e-5, "{metrics:?}");
        assert_eq!(real(&[128; 16], &[0; 8], BlockFormat::Bc4Snorm, RoundingRule::Exact).mse[0], 0.0);
        // Endpoints are exact.
        let metrics = real(&[77; 16], &[77, 77, 0, 0, 0, 0, 0, 0], BlockFormat::Bc4Unorm, RoundingRule::Real);
        assert_eq!((metrics.mse[0], metrics.max_error[0]), (0.0, 0));
    }

    #[test]
    fn sixteen_bits_are_compared_unrounded() {
        let (a, b) = ([[1000u16; 3]; 4], [[1257u16; 3]; 4]);
        let (a, b) = (ImageView::new(&a, 2, 2).unwrap(), ImageView::new(&b, 2, 2).unwrap());
        let metrics = compare_real(&a, &b, &Task::new()).unwrap();
        assert!((metrics.mse_rgb() - 1.0).abs() < 1e-4 && metrics.mse[3] == 0.0, "{metrics:?}");
        assert_eq!(metrics.max_error, [1, 1, 1, 0]);
        let quarter = [[1064u16; 3]; 4];
        let quarter = ImageView::new(&quarter, 2, 2).unwrap();
        let metrics = compare_visible_real(&a, &quarter, 255, &Task::new()).unwrap();
        assert!((metrics.mse[0] - (64.0f64 / 257.0).powi(2)).abs() < 1e-4, "{metrics:?}");
        assert_eq!((metrics.texel_count, metrics.max_error[0]), (4, 0));
    }
}

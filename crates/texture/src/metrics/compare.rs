//! Comparison of images with images and with blocks.

use super::{
    bands::{Rows, map_bands},
    block_rows::map_block_rows,
    error::{MetricsError, check_sizes},
    psnr::{Metrics, SquareSums},
    real,
    ssim::{ssim, window_rows},
};
use crate::{Cancelled, ColorSpace, Image, RoundingRule, Task, TextureFormat};

/// Compares two images of the same size, including SSIM.
///
/// Only a few rows of each image are in memory at a time, so that images of any size can be compared.
/// Progress is reported in rows: first those of the image, then those of SSIM's windows.
///
/// ```
/// use brickwork_texture::{ImageView, Task, metrics::compare};
///
/// let (a, b) = ([[10u8, 20, 30]; 4], [[10u8, 22, 30]; 4]);
/// let (a, b) = (ImageView::new(&a, 2, 2)?, ImageView::new(&b, 2, 2)?);
/// let metrics = compare(&a, &b, &Task::new())?;
/// assert_eq!(metrics.mse, [0.0, 4.0, 0.0, 0.0]);
/// assert_eq!(metrics.ssim, None); // smaller than one window
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn compare(a: &dyn Image, b: &dyn Image, task: &Task<'_>) -> Result<Metrics, MetricsError> {
    let rows = Rows::new(task, a.size()[1] as usize + window_rows(a));
    Ok(squares(a, b, 0, &rows)?.metrics(ssim(a, b, &rows)?))
}

/// Compares like [`compare`], but without SSIM, and only over the texels of `a` whose alpha is at least
/// `least_alpha`. If there is no such texel, every error is NaN and the count is 0.
///
/// # Errors
/// [`MetricsError::Size`] or [`MetricsError::Cancelled`].
pub fn compare_visible(
    a: &dyn Image,
    b: &dyn Image,
    least_alpha: u8,
    task: &Task<'_>,
) -> Result<Metrics, MetricsError> {
    let rows = Rows::new(task, a.size()[1] as usize);
    Ok(squares(a, b, least_alpha, &rows)?.metrics(None))
}

fn squares(
    a: &dyn Image,
    b: &dyn Image,
    least_alpha: u8,
    rows: &Rows<'_>,
) -> Result<SquareSums, MetricsError> {
    check_sizes(a, b)?;
    let [width, height] = a.size().map(|side| side as usize);
    let bands = map_bands(rows.task(), height, |band| {
        let [mut buffer_a, mut buffer_b] = [vec![[0; 4]; width], vec![[0; 4]; width]];
        let mut sum = SquareSums::default();
        for y in band {
            rows.step()?;
            let (a, b) = (a.row_rgba8(y as u32, &mut buffer_a), b.row_rgba8(y as u32, &mut buffer_b));
            sum.add_row(a, b, least_alpha);
        }
        Ok::<_, Cancelled>(sum)
    })?;
    Ok(bands.into_iter().fold(SquareSums::default(), SquareSums::merge))
}

/// Compares an image with its blocks, decoded with `rule`, or with its plain texels, without SSIM. Errors of
/// plain texels are those of values that are not rounded to 8 bits, in the image or the texels. So are those
/// of BC4 and BC5, if the rule is [unrounded](RoundingRule::is_unrounded).
///
/// Each thread decodes few rows at a time, so that no decoded copy of the image is needed. Progress is
/// reported in these steps. ASTC is decoded as in linear textures.
///
/// # Errors
/// [`MetricsError::Decode`] if `blocks` does not have the length that the image needs, or
/// [`MetricsError::Cancelled`].
pub fn compare_blocks(
    image: &dyn Image,
    format: impl Into<TextureFormat>,
    blocks: &[u8],
    rule: RoundingRule,
    task: &Task<'_>,
) -> Result<Metrics, MetricsError> {
    compare_visible_blocks(image, format, ColorSpace::Linear, blocks, rule, 0, task)
}

/// Compares like [`compare_blocks`], but only over the texels of `image` whose alpha is at least
/// `least_alpha`. ASTC is decoded as in textures of this colour space. Texels that are transparent by
/// punch-through alpha have no colour to compare. If no texel remains, every error is NaN and the count is 0.
///
/// # Errors
/// As [`compare_blocks`].
pub fn compare_visible_blocks(
    image: &dyn Image,
    format: impl Into<TextureFormat>,
    color_space: ColorSpace,
    blocks: &[u8],
    rule: RoundingRule,
    least_alpha: u8,
    task: &Task<'_>,
) -> Result<Metrics, MetricsError> {
    let format: TextureFormat = format.into();
    if rule.is_unrounded(format) || format.plain().is_some() {
        return real::compare_blocks(image, format, blocks, rule, least_alpha, task);
    }
    let add = |sum: &mut SquareSums, y, texels: &[[u8; 4]], buffer: &mut [_]| {
        sum.add_row(image.row_rgba8(y, buffer), texels, least_alpha);
    };
    let bands = map_block_rows(format, color_space, blocks, image.size(), rule, task, add)?;
    Ok(bands.into_iter().fold(SquareSums::default(), SquareSums::merge).metrics(None))
}

#[cfg(test)]
pub(super) mod tests {
    use super::{compare as compare_in, *};
    use crate::{
        BlockFormat, CpuEncoder, DecodeError, EncodeOptions, ImageView, ImageViewMut, Texel, decode_into,
    };

    pub fn compare(a: &dyn Image, b: &dyn Image) -> Result<Metrics, MetricsError> {
        compare_in(a, b, &Task::new())
    }

    /// Returns a smooth image with noise, computed with integers only so that Python makes the same one.
    pub fn original(width: u32, height: u32) -> Vec<[u8; 3]> {
        (0..height)
            .flat_map(|y| {
                (0..width).map(move |x| {
                    let noise = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 27;
                    [(x * 5 + y) % 256, (y * 4 + noise) % 256, (x * y + 2 * noise) % 256].map(|v| v as u8)
                })
            })
            .collect()
    }

    pub fn posterised(texels: &[[u8; 3]]) -> Vec<[u8; 3]> {
        texels.iter().map(|texel| texel.map(|v| v & 0xe0)).collect()
    }

    pub fn view<T: Texel>(texels: &[T], width: u32, height: u32) -> ImageView<'_, T> {
        ImageView::new(texels, width, height).unwrap()
    }

    #[test]
    fn equal_images_have_no_error() {
        let a = original(40, 30);
        let metrics = compare(&view(&a, 40, 30), &view(&a, 40, 30)).unwrap();
        assert_eq!(metrics.psnr_rgb(), f64::INFINITY);
        assert_eq!(metrics.psnr_luma(), f64::INFINITY);
        assert_eq!(metrics.psnr_channel(3), f64::INFINITY);
        assert_eq!((metrics.mse_rgba(), metrics.max_error), (0.0, [0; 4]));
        assert!((metrics.ssim.unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(metrics.texel_count, 1200);
    }

    #[test]
    fn errors_of_known_size() {
        let a = [[100u8, 50, 0, 255], [0, 0, 0, 255]];
        let b = [[103u8, 50, 0, 251], [0, 0, 255, 255]];
        let metrics = compare(&view(&a, 2, 1), &view(&b, 2, 1)).unwrap();
        assert_eq!(metrics.mse, [4.5, 0.0, 32512.5, 8.0]);
        assert_eq!(metrics.max_error, [3, 0, 255, 4]);
        let luma = [3.0 * 13933.0 / 65536.0, 255.0 * 4732.0 / 65536.0];
        assert!((metrics.mse_luma - (luma[0] * luma[0] + luma[1] * luma[1]) / 2.0).abs() < 1e-9);
        assert!((metrics.psnr_channel(0) - 41.598).abs() < 1e-3);
        // One grey step everywhere: 10·log₁₀(255²).
        let metrics = compare(&view(&[7u8; 4], 4, 1), &view(&[8u8; 4], 4, 1)).unwrap();
        assert!((metrics.psnr_rgb() - 48.130_803_608_679_1).abs() < 1e-9);
        assert!((metrics.psnr_luma() - metrics.psnr_rgb()).abs() < 1e-9);
    }

    #[test]
    fn black_and_white_do_not_overflow_and_ssim_is_known() {
        // Wide enough for two chunks of luma squares.
        let width = (1 << 14) + 9;
        let (a, b) = (vec![0u8; width * 11], vec![255u8; width * 11]);
        let (a, b) = (view(&a, width as u32, 11), view(&b, width as u32, 11));
        let metrics = compare(&a, &b).unwrap();
        assert_eq!(metrics.mse, [65025.0, 65025.0, 65025.0, 0.0]);
        assert_eq!(metrics.mse_luma, 65025.0);
        // Without variance, SSIM is C₁ / (255² + C₁).
        assert!((metrics.ssim.unwrap() - 6.5025 / (65025.0 + 6.5025)).abs() < 1e-9);
        assert_eq!(compare(&a.rows(0, 10).unwrap(), &b.rows(0, 10).unwrap()).unwrap().ssim, None);
    }

    #[test]
    fn invisible_texels_do_not_count() {
        // One block of transparent black; the image is white, its left half transparent.
        let block = [0, 0, 0, 0, 255, 255, 255, 255];
        let texels: Vec<[u8; 4]> =
            (0..16).map(|i| [255, 255, 255, if i % 4 < 2 { 0 } else { 128 }]).collect();
        let compare = |least_alpha| {
            let image = view(&texels, 4, 4);
            compare_visible_blocks(
                &image,
                BlockFormat::Bc1,
                ColorSpace::Linear,
                &block,
                RoundingRule::Exact,
                least_alpha,
                &Task::new(),
            )
            .unwrap()
        };
        let half = compare(128);
        assert_eq!((half.texel_count, half.mse), (8, [65025.0, 65025.0, 65025.0, 16384.0]));
        assert_eq!((compare(0).texel_count, compare(0).mse[3]), (16, 8192.0));
        assert_eq!(compare(129).texel_count, 0);
    }

    #[test]
    fn blocks_are_compared_as_they_decode() {
        for (width, height) in [(1, 1), (3, 5), (97, 301)] {
            let texels = original(width, height);
            let image = view(&texels, width, height);
            let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
            CpuEncoder::new()
                .encode_into(&image, BlockFormat::Bc1, &EncodeOptions::default(), &mut blocks, &Task::new())
                .unwrap();
            let mut decoded = vec![[0u8; 4]; texels.len()];
            for &rule in RoundingRule::ALL {
                let mut target = ImageViewMut::new(&mut decoded[..], width, height).unwrap();
                decode_into(BlockFormat::Bc1, &blocks, rule, &mut target, &Task::new()).unwrap();
                let whole = compare(&image, &view(&decoded, width, height)).unwrap();
                let by_rows = compare_blocks(&image, BlockFormat::Bc1, &blocks, rule, &Task::new()).unwrap();
                assert_eq!(by_rows, Metrics { ssim: None, ..whole });
                assert!(whole.mse_rgb() > 0.0 || width == 1);
            }
            blocks.pop();
            assert!(matches!(
                compare_blocks(&image, BlockFormat::Bc1, &blocks, RoundingRule::Exact, &Task::new()),
                Err(MetricsError::Decode(DecodeError::BlocksLength { .. }))
            ));
        }
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn any_thread_count_gives_the_same_bits() {
        let a = original(150, 333);
        let b = posterised(&a);
        let (a, b) = (view(&a, 150, 333), view(&b, 150, 333));
        let expected = compare(&a, &b).unwrap();
        for threads in 1..5 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| compare(&a, &b)).unwrap(), expected, "{threads} threads");
        }
    }

    #[test]
    fn parts_together_are_the_whole() {
        let (a, b) = (original(40, 60), posterised(&original(40, 60)));
        let whole = compare(&view(&a, 40, 60), &view(&b, 40, 60)).unwrap();
        let part = |rows: std::ops::Range<usize>| {
            let height = rows.len() as u32;
            let rows = 40 * rows.start..40 * rows.end;
            compare(&view(&a[rows.clone()], 40, height), &view(&b[rows], 40, height)).unwrap()
        };
        let parts = [part(0..15), part(15..60)];
        let joined = parts[0].joined(&parts[1]);
        assert_eq!((joined.texel_count, joined.max_error), (2400, whole.max_error));
        assert!((0..4).all(|c| (joined.mse[c] - whole.mse[c]).abs() < 1e-9), "{joined:?} {whole:?}");
        assert!((joined.mse_luma - whole.mse_luma).abs() < 1e-9);
        let [first, second] = parts.map(|part| part.ssim.unwrap());
        assert!((joined.ssim.unwrap() - (first + 3.0 * second) / 4.0).abs() < 1e-12);
        let none = compare_visible(&view(&a, 40, 60), &view(&b, 40, 60), 255, &Task::new()).unwrap();
        assert_eq!((none.texel_count, part(0..9).joined(&parts[1]).ssim), (2400, None));
        let clear = [[0u8; 4]; 4];
        let clear = view(&clear, 2, 2);
        let none = compare_visible(&clear, &clear, 1, &Task::new()).unwrap();
        assert_eq!((none.joined(&whole), whole.joined(&none)), (whole, whole));
    }

    #[test]
    fn sizes_must_agree() {
        let a = [0u8; 6];
        let error = compare(&view(&a, 2, 3), &view(&a, 3, 2)).unwrap_err();
        assert_eq!(error.to_string(), "the images differ in size: 2×3 and 3×2");
    }
}

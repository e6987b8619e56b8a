//! Coverage: the share of texels that an alpha test leaves visible.
//!
//! Averages of cut-out alpha are soft, so that an alpha test removes thin leaves and closes small holes. The
//! alpha of a smaller mip level is therefore scaled until as many texels pass as in mip level 0.

use super::{MipError, MipLevel, MipTexels};
use crate::{Cancelled, Image, Task, image::Form, parallel};
use std::{
    num::NonZeroU8,
    sync::atomic::{AtomicU64, Ordering},
};

/// Number of alpha values.
const VALUES: usize = 256;
/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 16;

/// Coverage of an image.
pub(crate) struct Coverage {
    /// Minimum alpha of visible texels.
    reference: u8,
    visible: u64,
    texels: u64,
}

impl Coverage {
    /// Returns the coverage of an image by texels with at least the alpha `reference`.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn of(image: &dyn Image, reference: NonZeroU8, task: &Task<'_>) -> Result<Self, Cancelled> {
        let [width, height] = image.size();
        let (mut buffer, mut visible) = (vec![[0; 4]; width as usize], 0);
        for y in 0..height {
            task.check()?;
            let row = <[u8; 4]>::row(image, y, &mut buffer);
            visible += row.iter().filter(|texel| texel[3] >= reference.get()).count() as u64;
        }
        Ok(Self { reference: reference.get(), visible, texels: u64::from(width) * u64::from(height) })
    }

    /// Returns a copy of a mip level whose coverage is as close to this one as a scale of its alpha allows.
    /// Opaque texels stay opaque unless the coverage must shrink below their number. Levels of wider texels
    /// have no alpha, and do not change.
    ///
    /// # Errors
    /// [`MipError::OutOfMemory`] if memory cannot be allocated; [`MipError::Cancelled`] if the task is
    /// cancelled.
    pub fn kept(&self, level: &MipLevel, task: &Task<'_>) -> Result<MipLevel, MipError> {
        let mut kept = level.copy()?;
        if let MipTexels::Rgba8(texels) = kept.texels_mut() {
            let table = self.table(texels, task)?;
            parallel::try_for_each(task, texels.chunks_mut(TEXELS_AT_A_TIME), |texels| {
                task.check()?;
                texels.iter_mut().for_each(|texel| texel[3] = table[usize::from(texel[3])]);
                Ok::<_, Cancelled>(())
            })?;
        }
        Ok(kept)
    }

    /// Returns the new alpha of each alpha of these texels.
    fn table(&self, texels: &[[u8; 4]], task: &Task<'_>) -> Result<[u8; VALUES], Cancelled> {
        let counts = [const { AtomicU64::new(0) }; VALUES];
        parallel::try_for_each(task, texels.chunks(TEXELS_AT_A_TIME), |texels| {
            task.check()?;
            let mut of_chunk = [0u64; VALUES];
            texels.iter().for_each(|texel| of_chunk[usize::from(texel[3])] += 1);
            for (count, of_chunk) in counts.iter().zip(of_chunk) {
                count.fetch_add(of_chunk, Ordering::Relaxed);
            }
            Ok(())
        })?;
        let counts = counts.map(AtomicU64::into_inner);
        // The minimum alpha of texels that shall be visible. With `VALUES`, none is.
        let (mut threshold, mut least, mut passing) = (VALUES, u128::MAX, 0u64);
        for alpha in (1..=VALUES).rev() {
            passing += counts.get(alpha).unwrap_or(&0);
            let [found, wanted] = [(passing, self.texels), (self.visible, texels.len() as u64)]
                .map(|(a, b)| u128::from(a) * u128::from(b));
            let error = found.abs_diff(wanted);
            let is_nearer = alpha.abs_diff(self.reference.into()) < threshold.abs_diff(self.reference.into());
            if error < least || (error == least && is_nearer) {
                (threshold, least) = (alpha, error);
            }
        }
        let reference = usize::from(self.reference);
        Ok(std::array::from_fn(|alpha| {
            // Rounded down, so that the alpha below the threshold stays below the reference.
            let scaled = if alpha < threshold || threshold <= reference {
                alpha * reference / threshold
            } else {
                let above = (VALUES - threshold).saturating_sub(1).max(1);
                reference + (alpha - threshold) * (255 - reference) / above
            };
            scaled.min(255) as u8
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AlphaMode, ColorSpace, ImageView, MipFilter, TexelFormat,
        mips::{MipOptions, next_level},
    };

    const SIDE: u32 = 256;
    const REFERENCE: NonZeroU8 = NonZeroU8::new(128).unwrap();

    /// Returns a cut-out: 1 inside, 0 outside, at a point of the unit square.
    fn cut_out(is_inside: impl Fn(f64, f64) -> bool) -> Vec<[u8; 4]> {
        let texel = |i: u32| {
            // Edges are antialiased by 16 points, as artists' are.
            let point = |k: u32| {
                let [x, y] = [i % SIDE * 4 + k % 4, i / SIDE * 4 + k / 4];
                is_inside(f64::from(x) / f64::from(4 * SIDE), f64::from(y) / f64::from(4 * SIDE))
            };
            let alpha = (0..16).filter(|&k| point(k)).count() as u32 * 255 / 16;
            [60, 140, 40, alpha as u8]
        };
        (0..SIDE * SIDE).map(texel).collect()
    }

    fn share(texels: &[[u8; 4]]) -> f64 {
        texels.iter().filter(|texel| texel[3] >= REFERENCE.get()).count() as f64 / texels.len() as f64
    }

    fn cut_outs() -> [(&'static str, Vec<[u8; 4]>); 5] {
        let noise = |x: f64, y: f64| {
            (x * 12.0).sin() * (y * 9.0 + x * 5.0).cos() + 0.6 * (x * 31.0 + (y * 23.0).sin()).sin()
        };
        // No pattern repeats: the averages of a periodic one are equal, and no scale separates them.
        let lines = |at: f64, width: f64| (at.fract() - 0.5).abs() < width;
        [
            (
                "thorns",
                cut_out(|x, y| {
                    lines(y * 19.3 + (x * 17.0).sin() * 1.5, 0.06 + 0.2 * x * (x * 7.7 + y).fract())
                }),
            ),
            (
                "grass",
                cut_out(|x, y| lines(x * 37.7 + (y * 6.0).sin() + x * y, 0.3 * (1.0 - y) * (0.6 + 0.4 * x))),
            ),
            (
                "fence",
                cut_out(|x, y| {
                    lines(x * 30.3 + y * 27.1, 0.05 + 0.09 * y)
                        || lines(x * 28.3 - y * 29.7 + 40.0, 0.06 + 0.05 * x)
                }),
            ),
            ("leaves", cut_out(|x, y| noise(x, y) > 0.35)),
            (
                "holes",
                cut_out(|x, y| {
                    ((x * 14.1 + y).fract() - 0.5).hypot((y * 13.7 + x * x).fract() - 0.5)
                        > 0.2 + 0.15 * x + 0.1 * y
                }),
            ),
        ]
    }

    /// Below 64 texels, the shares of texels are more than 2 % apart. The error is then at most one texel.
    #[test]
    fn coverage_of_five_cut_outs_is_kept_at_every_level() {
        let task = Task::new();
        for (name, texels) in cut_outs() {
            for filter in [MipFilter::Box, MipFilter::Kaiser] {
                let image = ImageView::new(&texels, SIDE, SIDE).unwrap();
                let coverage = Coverage::of(&image, REFERENCE, &task).unwrap();
                let wanted = share(&texels);
                let options = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with_filter(filter);
                let mut level = next_level(&image, TexelFormat::Rgba8, options, &task).unwrap();
                let mut largest = 0.0f64;
                while level.width() > 1 {
                    let kept = coverage.kept(&level, &task).unwrap();
                    let MipTexels::Rgba8(found) = kept.texels() else { panic!("8 bits") };
                    let error = (share(found) - wanted).abs();
                    let MipTexels::Rgba8(plain) = level.texels() else { panic!("8 bits") };
                    largest = largest.max((share(plain) - wanted).abs());
                    let allowed = if found.len() >= 64 { 0.02 } else { 1.0 / found.len() as f64 };
                    assert!(error <= allowed, "{name} {filter:?} {}: {error:.3}", level.width());
                    level = next_level(&level, TexelFormat::Rgba8, options, &task).unwrap();
                }
                // Otherwise the cut-out would not need the scale.
                assert!(largest > 0.05, "{name} {filter:?}: {largest:.3}");
            }
        }
    }

    #[test]
    fn a_level_with_the_right_coverage_does_not_change() {
        let coverage = Coverage { reference: 128, visible: 2, texels: 4 };
        let texels = [[0, 0, 0, 255], [0, 0, 0, 130], [0, 0, 0, 100], [0, 0, 0, 0]];
        let table = coverage.table(&texels, &Task::new()).unwrap();
        assert!((0..256).all(|alpha| usize::from(table[alpha]) == alpha));
    }

    #[test]
    fn the_alpha_of_the_threshold_becomes_the_reference() {
        for reference in [1u8, 20, 128, 255] {
            for threshold in 1..=255usize {
                // One texel of each alpha; those from the threshold on shall be visible.
                let texels: Vec<[u8; 4]> = (0..=255).map(|alpha| [0, 0, 0, alpha]).collect();
                let coverage = Coverage { reference, visible: 256 - threshold as u64, texels: 256 };
                let table = coverage.table(&texels, &Task::new()).unwrap();
                assert!(
                    table[threshold] >= reference && table[threshold - 1] < reference,
                    "{reference} {threshold}"
                );
                assert!(table.is_sorted() && (threshold > 254 || table[255] == 255));
                assert_eq!(table[0], 0);
            }
        }
    }
}

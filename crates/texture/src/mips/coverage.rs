//! Coverage: the share of texels that an alpha test leaves visible.
//!
//! Averages of cut-out alpha are soft, so that an alpha test removes thin leaves and closes small holes. The
//! alpha of a smaller mip level is therefore scaled until as many texels pass as in mip level 0. If too
//! many texels have the same alpha, some of them are lowered first.

use super::{MipError, MipLevel, MipTexels};
use crate::{Cancelled, Image, Task, block_row::Form};
use brickwork_base::parallel;
use std::{
    num::NonZeroU8,
    sync::atomic::{AtomicU64, Ordering},
};

/// Number of alpha values.
const VALUES: usize = 256;
/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 16;
/// Number of ranks of an ordered dither.
const RANKS: usize = 256;
/// Texels of one alpha stay together if the coverage is then wrong by at most one in this number of texels.
const TOLERANCE: u64 = 128;

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

    /// Returns a copy of a mip level with this coverage. The error is at most half a texel plus 1/128 of the
    /// texels. Opaque texels stay opaque unless the coverage must shrink below their number. Transparent
    /// texels stay transparent, even if the coverage is then too small. Levels of wider texels have no alpha,
    /// and do not change.
    ///
    /// # Errors
    /// [`MipError::OutOfMemory`] if memory cannot be allocated; [`MipError::Cancelled`] if the task is
    /// cancelled.
    pub fn kept(&self, level: &MipLevel, task: &Task<'_>) -> Result<MipLevel, MipError> {
        let mut kept = level.copy()?;
        let width = level.width() as usize;
        if let MipTexels::Rgba8(texels) = kept.texels_mut() {
            let (threshold, hidden) = self.threshold(texels, task)?;
            if hidden > 0 {
                lower(texels, width, threshold, hidden, task)?;
            }
            let table = self.table(threshold);
            parallel::try_for_each(task, texels.chunks_mut(TEXELS_AT_A_TIME), |texels| {
                task.check()?;
                texels.iter_mut().for_each(|texel| texel[3] = table[usize::from(texel[3])]);
                Ok::<_, Cancelled>(())
            })?;
        }
        Ok(kept)
    }

    /// Returns the minimum alpha of texels that shall be visible, and the number of texels of this alpha that
    /// shall not be. The alpha is `VALUES` if no texel shall be visible.
    fn threshold(&self, texels: &[[u8; 4]], task: &Task<'_>) -> Result<(usize, u64), Cancelled> {
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
        let [visible, total, count] = [self.visible, self.texels, texels.len() as u64].map(u128::from);
        let nearest = ((visible * count + total / 2) / total) as u64;
        let wanted = nearest.min(texels.len() as u64 - counts[0]);
        let distance = |alpha: usize| alpha.abs_diff(self.reference.into());
        let (mut threshold, mut passing) = (VALUES, 0);
        for (alpha, &of_alpha) in counts.iter().enumerate().skip(1).rev() {
            if passing < wanted {
                passing += of_alpha;
            } else if passing > wanted || of_alpha > 0 || distance(alpha) >= distance(threshold) {
                // Several thresholds have the wanted number. The nearest one to the reference changes least.
                break;
            }
            threshold = alpha;
        }
        let (surplus, tied) = (passing - wanted, counts.get(threshold).copied().unwrap_or(0));
        // A pane of glass beside opaque texels shall not become speckled for a few texels.
        let slack = texels.len() as u64 / TOLERANCE;
        let hidden = if surplus <= slack {
            0
        } else if tied - surplus <= slack {
            tied
        } else {
            surplus
        };
        Ok((threshold, hidden))
    }

    /// Returns the new alpha of each alpha. That of the threshold becomes the reference or more.
    fn table(&self, threshold: usize) -> [u8; VALUES] {
        let reference = usize::from(self.reference);
        std::array::from_fn(|alpha| {
            // Rounded down, so that the alpha below the threshold stays below the reference.
            let scaled = if alpha < threshold || threshold <= reference {
                alpha * reference / threshold
            } else {
                let above = ((alpha - threshold) * (255 - reference)).checked_div(255 - threshold);
                reference + above.unwrap_or(255 - reference)
            };
            scaled.min(255) as u8
        })
    }
}

/// Subtracts 1 from the alpha of `count` texels that have the given alpha. Those of the lowest ranks change,
/// so that they are spread evenly.
fn lower(
    texels: &mut [[u8; 4]],
    width: usize,
    alpha: usize,
    mut count: u64,
    task: &Task<'_>,
) -> Result<(), Cancelled> {
    // Number of texels of each rank that change.
    let mut quotas = [0u64; RANKS];
    for (y, row) in texels.chunks_exact(width).enumerate() {
        task.check()?;
        let tied = row.iter().enumerate().filter(|(_, texel)| usize::from(texel[3]) == alpha);
        tied.for_each(|(x, _)| quotas[rank(x, y)] += 1);
    }
    for quota in &mut quotas {
        *quota = count.min(*quota);
        count -= *quota;
    }
    for (y, row) in texels.chunks_exact_mut(width).enumerate() {
        task.check()?;
        for (x, texel) in row.iter_mut().enumerate().filter(|(_, texel)| usize::from(texel[3]) == alpha) {
            let quota = &mut quotas[rank(x, y)];
            if *quota > 0 {
                *quota -= 1;
                texel[3] -= 1;
            }
        }
    }
    Ok(())
}

/// Returns the rank of a texel in an ordered dither by the R2 sequence: the fraction of x/g + y/g², in which
/// g³ = g + 1.
///
/// Source: Roberts, *The Unreasonable Effectiveness of Quasirandom Sequences* (2018).
fn rank(x: usize, y: usize) -> usize {
    let [x, y] = [x, y].map(|side| side as u32);
    let fraction = x.wrapping_mul(0xc13f_a9a9).wrapping_add(y.wrapping_mul(0x91e1_0da5));
    (fraction >> 24) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AlphaMode, ChannelType, ColorSpace, ImageView, MipFilter, TexelFormat,
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

    #[test]
    fn coverage_of_five_cut_outs_is_kept_at_every_level() {
        let task = Task::new();
        for (name, texels) in cut_outs() {
            for filter in [MipFilter::Box, MipFilter::Kaiser] {
                let image = ImageView::new(&texels, SIDE, SIDE).unwrap();
                let coverage = Coverage::of(&image, REFERENCE, &task).unwrap();
                let wanted = share(&texels);
                let options =
                    MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| o.filter = filter);
                let mut level = next_level(&image, TexelFormat::Rgba8, options, &task).unwrap();
                let mut largest = 0.0f64;
                while level.width() > 1 {
                    let kept = coverage.kept(&level, &task).unwrap();
                    let MipTexels::Rgba8(found) = kept.texels() else { panic!("8 bits") };
                    let error = (share(found) - wanted).abs();
                    let MipTexels::Rgba8(plain) = level.texels() else { panic!("8 bits") };
                    largest = largest.max((share(plain) - wanted).abs());
                    let allowed = 0.5 / found.len() as f64 + 1.0 / TOLERANCE as f64;
                    assert!(error <= allowed + 1e-9, "{name} {filter:?} {}: {error:.3}", level.width());
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
        assert_eq!(coverage.threshold(&texels, &Task::new()).unwrap(), (128, 0));
        let table = coverage.table(128);
        assert!((0..256).all(|alpha| usize::from(table[alpha]) == alpha));
    }

    #[test]
    fn texels_of_one_alpha_are_split_evenly() {
        let mut level = MipLevel::new([64, 64], ChannelType::U8).unwrap();
        let MipTexels::Rgba8(texels) = level.texels_mut() else { panic!("8 bits") };
        texels.fill([0, 0, 0, 100]);
        for eighths in 1..8u64 {
            let coverage = Coverage { reference: 128, visible: eighths, texels: 8 };
            let kept = coverage.kept(&level, &Task::new()).unwrap();
            let MipTexels::Rgba8(kept) = kept.texels() else { panic!("8 bits") };
            let mut tiles = [0u64; 64];
            for (i, _) in kept.iter().enumerate().filter(|(_, texel)| texel[3] >= 128) {
                tiles[i / 512 * 8 + i % 64 / 8] += 1;
            }
            assert_eq!(tiles.iter().sum::<u64>(), 512 * eighths);
            assert!(tiles.iter().all(|&count| count.abs_diff(8 * eighths) <= 2), "{tiles:?}");
        }
    }

    #[test]
    fn few_texels_too_many_or_too_few_do_not_split_others() {
        // A pane of glass beside opaque texels: one more texel should be visible, or all but one of the pane.
        let coverage = Coverage { reference: 128, visible: 200, texels: 1000 };
        let pane = |opaque: usize| -> Vec<[u8; 4]> {
            (0..1000).map(|i| [0, 0, 0, if i < opaque { 255 } else { 90 * u8::from(i < 300) }]).collect()
        };
        assert_eq!(coverage.threshold(&pane(199), &Task::new()).unwrap(), (90, 101));
        let coverage = Coverage { visible: 299, ..coverage };
        assert_eq!(coverage.threshold(&pane(199), &Task::new()).unwrap(), (90, 0));
    }

    #[test]
    fn the_alpha_of_the_threshold_becomes_the_reference() {
        for reference in [1u8, 20, 128, 255] {
            for threshold in 1..=255usize {
                // One texel of each alpha; those from the threshold on shall be visible.
                let texels: Vec<[u8; 4]> = (0..=255).map(|alpha| [0, 0, 0, alpha]).collect();
                let coverage = Coverage { reference, visible: 256 - threshold as u64, texels: 256 };
                assert_eq!(coverage.threshold(&texels, &Task::new()).unwrap(), (threshold, 0));
                let table = coverage.table(threshold);
                assert!(
                    table[threshold] >= reference && table[threshold - 1] < reference,
                    "{reference} {threshold}"
                );
                assert!(table.is_sorted() && table[255] == 255);
                assert_eq!(table[0], 0);
            }
        }
    }
}

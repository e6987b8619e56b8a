//! Images of any texel type as rows of 8-bit RGBA, and bands of rows for several threads.

use crate::{ImageView, Texel};
use std::ops::Range;

/// An image, row by row, so that measures are compiled once and not for every texel type.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub width: usize,
    pub height: usize,
    fill: &'a (dyn Fn(usize, &mut [[u8; 4]]) + Sync),
}

impl Rows<'_> {
    /// Calls `with` with the rows of `image`.
    pub fn of<T: Texel, R>(image: &ImageView<'_, T>, with: impl FnOnce(Rows<'_>) -> R) -> R {
        let fill = |y: usize, row: &mut [[u8; 4]]| {
            for (target, texel) in row.iter_mut().zip(image.row(y as u32)) {
                *target = texel.to_rgba8();
            }
        };
        with(Rows { width: image.width() as usize, height: image.height() as usize, fill: &fill })
    }

    /// A row of texels to fill.
    pub fn buffer(&self) -> Vec<[u8; 4]> {
        vec![[0; 4]; self.width]
    }

    /// Writes row `y` to `row`, which is as long as the image is wide.
    pub fn fill(&self, y: usize, row: &mut [[u8; 4]]) {
        (self.fill)(y, row);
    }
}

/// Rows that one task works on: enough that the ten rows that SSIM's bands share cost little, few enough that
/// a small image still keeps several threads busy.
const BAND_ROWS: usize = 64;

/// The results of `band` for all bands of [`BAND_ROWS`] rows, in order.
pub(super) fn map_bands<R: Send>(row_count: usize, band: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let rows = |index: usize| index * BAND_ROWS..((index + 1) * BAND_ROWS).min(row_count);
    let bands = 0..row_count.div_ceil(BAND_ROWS);
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        bands.into_par_iter().map(|index| band(rows(index))).collect()
    }
    #[cfg(not(feature = "rayon"))]
    bands.map(|index| band(rows(index))).collect()
}

//! Bands of rows for several threads.

use std::ops::Range;

/// Rows per task: enough that the ten rows shared by SSIM's bands cost little, few enough that even a small
/// image keeps several threads busy.
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

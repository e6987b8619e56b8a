//! Differences between two inputs, measured image by image.

use super::{CompareInput, CompareOptions, images::Row};
use brickwork_base::{Cancelled, Task};
use brickwork_texture::{
    ChannelType, Image,
    half::f16,
    metrics::{self, HdrMetrics, HdrRange, Metrics, NormalAngles},
};
use brickwork_toolkit::texture::{MeasureError, PsnrScope};

/// Texels whose bits may differ although their values in 8 bits do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FineChannels {
    U16,
    Half,
    Single,
}

/// Differences of all images: means weigh each texel alike.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    pub all: Option<Metrics>,
    pub visible: Option<Metrics>,
    /// Differences of the texels that are not transparent, if colours are hidden there.
    pub shown: Option<Metrics>,
    pub hdr: Option<HdrMetrics>,
    pub normals: Option<NormalAngles>,
    pub flip: Option<f64>,
    /// Number of texels that differ in fine channels, if both inputs have them: of all, and of those whose
    /// colours count.
    pub differing: [u64; 2],
    image_count: f64,
}

/// Choice of measures.
pub(super) struct Wanted<'a> {
    pub options: &'a CompareOptions,
    pub scope: PsnrScope,
    pub channel_count: usize,
    /// True for values that are not rounded to 8 bits.
    pub is_real: bool,
    pub hdr: Option<HdrRange>,
    pub fine: Option<FineChannels>,
    pub has_floats: bool,
}

impl FineChannels {
    /// Returns the channels of both inputs, if they are fine.
    pub fn of([a, b]: &[CompareInput; 2]) -> Option<Self> {
        match [a.channel_type(), b.channel_type()] {
            [ChannelType::U16, ChannelType::U16] => Some(Self::U16),
            [ChannelType::F32, ChannelType::F32] => Some(Self::Single),
            _ => (a.is_float() && b.is_float()).then_some(Self::Half),
        }
    }

    /// Returns the name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U16 => "16 bits",
            Self::Half => "half floats",
            Self::Single => "single floats",
        }
    }
}

impl Wanted<'_> {
    /// Returns the minimum alpha of a visible texel, if visible texels are measured.
    fn visible(&self) -> Option<u8> {
        match self.scope.is_punched() {
            true => Some(self.scope.least_alpha()),
            false => self.options.visible.then(|| self.options.alpha_threshold.unwrap_or(128)),
        }
    }
}

impl Measures {
    /// Adds the differences of two images.
    pub fn add(
        &mut self,
        a: &dyn Image,
        b: &dyn Image,
        wanted: &Wanted<'_>,
        task: &Task<'_>,
    ) -> Result<(), MeasureError> {
        let Wanted { options, scope, channel_count, .. } = *wanted;
        // Without blue, the mean of RGB is that of red and green.
        let with_blue = |mut metrics: Metrics| {
            if channel_count == 2 {
                metrics.mse[2] = (metrics.mse[0] + metrics.mse[1]) / 2.0;
            }
            metrics
        };
        let compare = if wanted.is_real { metrics::compare_real } else { metrics::compare };
        join(&mut self.all, with_blue(compare(a, b, task)?), Metrics::joined);
        let compare = if wanted.is_real { metrics::compare_visible_real } else { metrics::compare_visible };
        if let Some(threshold) = wanted.visible() {
            join(&mut self.visible, with_blue(compare(a, b, threshold, task)?), Metrics::joined);
        }
        if !scope.is_punched() && scope.least_alpha() > 0 {
            let shown = compare(a, b, scope.least_alpha(), task)?;
            join(&mut self.shown, with_blue(shown), Metrics::joined);
        }
        if let Some(range) = wanted.hdr {
            let mut hdr = metrics::compare_hdr(a, b, range, task)?;
            // Without blue, the mean is that of red and green.
            if channel_count == 2 {
                let means =
                    [&mut hdr.mse_bits, &mut hdr.mse_log2, &mut hdr.mse_exposures, &mut hdr.mse_reinhard];
                means.into_iter().for_each(|mean| *mean *= 1.5);
            }
            join(&mut self.hdr, hdr, HdrMetrics::joined);
        }
        if options.normals || channel_count == 2 {
            self.normals.get_or_insert_default().add(a, b, channel_count == 2, task)?;
        }
        // All images of a mip level have one size.
        self.image_count += 1.0;
        if options.flip && !wanted.has_floats {
            let mean = self.flip.unwrap_or(0.0);
            self.flip = Some(mean + (metrics::flip(a, b, task)? - mean) / self.image_count);
        }
        if let Some(fine) = wanted.fine {
            let least_alpha = wanted.visible().unwrap_or(scope.least_alpha());
            let counts = match fine {
                FineChannels::U16 => {
                    let row: Row<u16> = |image, y, row| image.row_rgba16(y, row);
                    differing_texels(a, b, row, least_alpha, task)
                }
                FineChannels::Half => {
                    let row: Row<f16> = |image, y, row| image.row_rgba_f16(y, row);
                    differing_texels(a, b, row, least_alpha, task)
                }
                FineChannels::Single => {
                    let row: Row<f32> = |image, y, row| image.row_rgba_f32(y, row);
                    differing_texels(a, b, row, least_alpha, task)
                }
            }?;
            self.differing.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(())
    }
}

/// Adds the measure of further texels.
fn join<M: Copy>(sum: &mut Option<M>, more: M, joined: fn(M, &M) -> M) {
    *sum = Some(sum.map_or(more, |sum| joined(sum, &more)));
}

/// Returns the number of texels with different numbers, for images of one size, and that of those whose alpha
/// in `a` is at least `least_alpha`. NaN equals NaN.
fn differing_texels<C: Copy + Default + PartialOrd>(
    a: &dyn Image,
    b: &dyn Image,
    row: Row<C>,
    least_alpha: u8,
    task: &Task<'_>,
) -> Result<[u64; 2], Cancelled> {
    let [width, height] = a.size();
    let [mut row_a, mut row_b] = [(); 2].map(|()| vec![[C::default(); 4]; width as usize]);
    let mut bytes = vec![[0; 4]; width as usize];
    let is_nan = |x: &C| x.partial_cmp(x).is_none();
    let differs = |(a, b): (&C, &C)| a != b && !(is_nan(a) && is_nan(b));
    let mut counts = [0; 2];
    for y in 0..height {
        task.check()?;
        let (texels_a, texels_b) = (row(a, y, &mut row_a), row(b, y, &mut row_b));
        let alphas = a.row_rgba8(y, &mut bytes).iter().map(|texel| texel[3]);
        for ((a, b), alpha) in texels_a.iter().zip(texels_b).zip(alphas) {
            if a.iter().zip(b).any(differs) {
                counts[0] += 1;
                counts[1] += u64::from(alpha >= least_alpha);
            }
        }
    }
    Ok(counts)
}

//! The difference between two images.

use super::{
    CompareInput, CompareNote, CompareOptions, Measure, MeasureLimit, Violation,
    displayed::{displayed_texels, largest_difference},
    input::Row,
};
use crate::report::{CompareReport, HdrMetricsReport, MetricsReport, NormalMetricsReport};
use brickwork_base::{Cancelled, Task};
use brickwork_texture::{
    BlockFormat, Image, RoundingRule, ToneMap,
    metrics::{self, HdrMetrics, HdrRange, Metrics, NormalMetrics},
};
use brickwork_toolkit::texture::{MeasureError, TextureJobError};

/// Difference between two images.
#[derive(Clone, Debug)]
pub struct ImageComparison {
    inputs: [CompareInput; 2],
    options: CompareOptions,
    metrics: Metrics,
    visible_metrics: Option<Metrics>,
    /// Differences of the texels that are not transparent, if others are, and colours are hidden there.
    shown_metrics: Option<Metrics>,
    hdr_metrics: Option<HdrMetrics>,
    normal_metrics: Option<NormalMetrics>,
    flip: Option<f64>,
    /// Number of texels that differ, if both images have 16 bits or single floats.
    differing: u64,
}

/// Measures the difference between two images. If one is a texture that stores fewer channels than red, green
/// and blue (BC4, BC5, plain formats), only the stored channels are compared. With one channel, all three are
/// red; with two, blue counts as the mean of red and green. If the rule is
/// [unrounded](RoundingRule::is_unrounded), neither values of such a texture nor of the other image are
/// rounded to 8 bits. Single floats become half floats, unless both images have single floats; measures are
/// those of half floats. If both inputs have several images, all are compared; if one has a
/// single image, the first of the other is. The task reports each pass over the texels.
///
/// # Errors
/// [`TextureJobError::Measure`], which names both inputs, if the images differ in size or number, or the task
/// is cancelled.
pub fn compare_images(
    mut inputs: [CompareInput; 2],
    options: &CompareOptions,
    task: &Task<'_>,
) -> Result<ImageComparison, TextureJobError> {
    let counts = inputs.each_ref().map(CompareInput::image_count);
    if counts.contains(&1) {
        inputs.iter_mut().for_each(CompareInput::keep_first_image);
    } else if counts[0] != counts[1] {
        return Err(measure_error(&inputs, MeasureError::ImageCounts { counts }));
    }
    let channel_count = inputs.iter().map(CompareInput::channel_count).min().unwrap_or(4);
    let are_single = inputs.iter().all(CompareInput::is_single);
    let are_16_bit = inputs.iter().all(CompareInput::is_16_bit);
    if !are_single {
        inputs.iter_mut().for_each(CompareInput::round_to_half_floats);
    }
    if channel_count < 3 {
        // The alpha of the first image determines the visible texels.
        let alphas = options.visible.then(|| inputs[0].alphas()).transpose();
        let alphas = alphas.map_err(|error| measure_error(&inputs, error.into()))?;
        for index in 0..inputs.len() {
            let kept = inputs[index].keep_channels(channel_count, alphas.as_deref());
            kept.map_err(|error| measure_error(&inputs, error.into()))?;
        }
    }
    // Without blue, the mean of half floats is that of red and green.
    let of_two = |mut hdr: HdrMetrics| {
        let scale = if channel_count == 2 { 1.5 } else { 1.0 };
        let means = [&mut hdr.mse_bits, &mut hdr.mse_log2, &mut hdr.mse_exposures, &mut hdr.mse_reinhard];
        means.into_iter().for_each(|mean| *mean *= scale);
        hdr
    };
    // Without blue, the mean of RGB is that of red and green.
    let with_blue = |mut metrics: Metrics| {
        if channel_count == 2 {
            metrics.mse[2] = (metrics.mse[0] + metrics.mse[1]) / 2.0;
        }
        metrics
    };
    let is_real = unrounded(&inputs).is_some();
    let measure = || -> Result<_, MeasureError> {
        let [a, b] = &inputs;
        let (a, b) = (a.view()?, b.view()?);
        let compare = if is_real { metrics::compare_real } else { metrics::compare };
        let metrics = with_blue(compare(&*a, &*b, task)?);
        let compare = if is_real { metrics::compare_visible_real } else { metrics::compare_visible };
        let visible = options.visible || inputs.iter().any(CompareInput::is_punched);
        let visible = visible.then(|| compare(&*a, &*b, options.alpha_threshold, task));
        let shown = inputs.iter().any(CompareInput::hides_colors).then(|| compare(&*a, &*b, 1, task));
        let is_part = |shown: &Metrics| (1..metrics.texel_count).contains(&shown.texel_count);
        let hdr = hdr_range(&inputs).map(|range| metrics::compare_hdr(&*a, &*b, range, task));
        let measures_normals = options.normals || channel_count == 2;
        let normals = measures_normals.then(|| metrics::compare_normals(&*a, &*b, channel_count == 2, task));
        let is_float = inputs.iter().any(CompareInput::is_float);
        let flip = (options.flip && !is_float).then(|| metrics::flip(&*a, &*b, task));
        let visible = visible.transpose()?.map(with_blue);
        let shown = shown.transpose()?.filter(is_part);
        let hdr = hdr.transpose()?.map(of_two);
        let differing = match () {
            () if are_single => differing_texels(&*a, &*b, |image, y, row| image.row_rgba_f32(y, row), task)?,
            () if are_16_bit => differing_texels(&*a, &*b, |image, y, row| image.row_rgba16(y, row), task)?,
            () => 0,
        };
        Ok((metrics, [visible, shown], hdr, normals.transpose()?, flip.transpose()?, differing))
    };
    let measured = measure();
    let measured = measured.map_err(|error| measure_error(&inputs, error))?;
    let (metrics, of_visible, hdr_metrics, normal_metrics, flip, differing) = measured;
    let [visible_metrics, shown_metrics] = of_visible;
    Ok(ImageComparison {
        inputs,
        options: options.clone(),
        metrics,
        visible_metrics,
        shown_metrics,
        hdr_metrics,
        normal_metrics,
        flip,
        differing,
    })
}

/// Returns the number of texels with different numbers, for images of one size. NaN equals NaN.
fn differing_texels<C: Copy + Default + PartialOrd>(
    a: &dyn Image,
    b: &dyn Image,
    row: Row<C>,
    task: &Task<'_>,
) -> Result<u64, Cancelled> {
    let [width, height] = a.size();
    let [mut row_a, mut row_b] = [(); 2].map(|()| vec![[C::default(); 4]; width as usize]);
    let is_nan = |x: &C| x.partial_cmp(x).is_none();
    let differs = |(a, b): (&C, &C)| a != b && !(is_nan(a) && is_nan(b));
    let mut count = 0;
    for y in 0..height {
        task.check()?;
        let (a, b) = (row(a, y, &mut row_a), row(b, y, &mut row_b));
        count += a.iter().zip(b).filter(|(a, b)| a.iter().zip(*b).any(differs)).count() as u64;
    }
    Ok(count)
}

/// Returns the range of floats; `None` if neither image has floats.
fn hdr_range(inputs: &[CompareInput; 2]) -> Option<HdrRange> {
    let is_unsigned = inputs.iter().any(CompareInput::is_unsigned_hdr);
    let range = if is_unsigned { HdrRange::Unsigned } else { HdrRange::Signed };
    inputs.iter().any(CompareInput::is_float).then_some(range)
}

impl ImageComparison {
    /// True if the texels differ beyond the precision of the measures: in 16 bits or single floats.
    pub const fn differs_finely(&self) -> bool {
        self.differing > 0
    }

    /// Returns the images.
    pub const fn inputs(&self) -> &[CompareInput; 2] {
        &self.inputs
    }

    /// Returns the differences of all texels.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the differences of the visible texels, if they were requested or BC1 may make texels
    /// transparent; else those of the texels that are not transparent, if an sRGB texture with alpha hides
    /// the colours of others.
    pub fn visible_metrics(&self) -> Option<&Metrics> {
        self.visible_metrics.as_ref().or(self.shown_metrics.as_ref())
    }

    /// Returns the differences of the colours that count: those of visible texels if BC1 may have made others
    /// transparent, which have no colour; those of texels that are not transparent, if an sRGB texture with
    /// alpha hides the colours of others; else those of all texels. `None` if no texel is visible.
    pub fn color_metrics(&self) -> Option<&Metrics> {
        match self.inputs.iter().any(CompareInput::is_punched) {
            true => self.visible_metrics.as_ref().filter(|visible| visible.texel_count > 0),
            false => Some(self.shown_metrics.as_ref().unwrap_or(&self.metrics)),
        }
    }

    /// True if [`color_metrics`](Self::color_metrics) are those of some texels, because the colours of the
    /// others are hidden.
    pub fn hides_colors(&self) -> bool {
        self.color_metrics().is_some_and(|colors| colors.texel_count < self.metrics.texel_count)
    }

    /// Differences of half floats, if an image has any.
    pub const fn hdr_metrics(&self) -> Option<&HdrMetrics> {
        self.hdr_metrics.as_ref()
    }

    /// Returns the angles between normals, if the options request them or an image is BC5.
    pub const fn normal_metrics(&self) -> Option<&NormalMetrics> {
        self.normal_metrics.as_ref()
    }

    /// True if texels are displayed after the options' tone map: both images have half floats.
    pub fn is_tone_mapped(&self) -> bool {
        self.inputs.iter().all(CompareInput::is_float)
    }

    /// Returns the tone map of displayed texels.
    fn tone_map(&self) -> Option<&ToneMap> {
        self.is_tone_mapped().then_some(&self.options.tone_map)
    }

    /// Returns one of the images, 0 or 1, as 8-bit RGBA. If both images have half floats, they are those that
    /// the options' tone map displays.
    ///
    /// # Errors
    /// [`TextureJobError::Measure`] if the task is cancelled.
    ///
    /// # Panics
    /// If there is no such image.
    pub fn displayed(&self, index: usize, task: &Task<'_>) -> Result<Vec<[u8; 4]>, TextureJobError> {
        let displayed = || -> Result<_, MeasureError> {
            let image = self.inputs[index].view()?;
            displayed_texels(&*image, self.tone_map(), task)
        };
        displayed().map_err(|error| measure_error(&self.inputs, error))
    }

    /// Returns red, green and blue of one of the images, 0 or 1, if the options' tone map displays them.
    ///
    /// # Errors
    /// [`TextureJobError::Measure`] if the task is cancelled.
    ///
    /// # Panics
    /// If there is no such image.
    pub fn lights(&self, index: usize, task: &Task<'_>) -> Result<Option<Vec<[f32; 3]>>, TextureJobError> {
        if !self.is_tone_mapped() {
            return Ok(None);
        }
        let lights = || -> Result<_, MeasureError> {
            let image = self.inputs[index].view()?;
            let [width, height] = image.size();
            let mut row = vec![[0.0; 4]; width as usize];
            let mut lights = Vec::with_capacity(width as usize * height as usize);
            for y in 0..height {
                task.check()?;
                lights.extend(image.row_rgba_f32(y, &mut row).iter().map(|&[r, g, b, _]| [r, g, b]));
            }
            Ok(Some(lights))
        };
        lights().map_err(|error| measure_error(&self.inputs, error))
    }

    /// Returns the largest difference of red, green, blue and alpha of each texel, as displayed. Colours of
    /// texels that are transparent in both images count as equal.
    ///
    /// # Errors
    /// [`TextureJobError::Measure`] if the task is cancelled.
    pub fn largest_differences(&self, task: &Task<'_>) -> Result<Vec<u8>, TextureJobError> {
        let differences = || -> Result<_, MeasureError> {
            let [a, b] = &self.inputs;
            let (a, b) = (a.view()?, b.view()?);
            largest_difference(&*a, &*b, self.tone_map(), task)
        };
        differences().map_err(|error| measure_error(&self.inputs, error))
    }

    /// Returns the mean ꟻLIP error, if it was requested and no image has half floats.
    pub const fn flip(&self) -> Option<f64> {
        self.flip
    }

    /// Returns the mip level of textures.
    pub const fn level(&self) -> u32 {
        self.options.level
    }

    /// Returns the difference of each texel, multiplied by `scale`, as a picture of the images' size. If both
    /// images have half floats, it is the difference after the options' tone map.
    ///
    /// # Errors
    /// [`TextureJobError::Measure`] if the task is cancelled.
    pub fn difference(&self, scale: u32, task: &Task<'_>) -> Result<Vec<[u8; 3]>, TextureJobError> {
        let difference = || -> Result<_, MeasureError> {
            let [a, b] = &self.inputs;
            let (a, b) = (a.view()?, b.view()?);
            Ok(match self.tone_map() {
                Some(map) => metrics::tone_mapped_difference(&*a, &*b, map, scale, task)?,
                None => metrics::difference(&*a, &*b, scale, task)?,
            })
        };
        difference().map_err(|error| measure_error(&self.inputs, error))
    }

    /// Returns the violations of `limits`. With `exact`, any difference is also a violation.
    pub fn violations(&self, exact: bool, limits: &[MeasureLimit]) -> Vec<Violation> {
        let max_error = self.metrics.max_error.into_iter().max().unwrap_or(0);
        let steps = self.hdr_metrics.as_ref().map_or(0, |hdr| hdr.max_steps);
        let (texel_count, are_floats) = (self.differing, self.inputs[0].is_float());
        let differs = match () {
            () if steps > 0 => Some(Violation::StepsDiffer { max_steps: steps }),
            () if max_error > 0 => Some(Violation::Differs { max_error }),
            () => (texel_count > 0).then_some(Violation::TexelsDiffer { texel_count, are_floats }),
        };
        let differs = differs.filter(|_| exact);
        let beyond = limits.iter().filter_map(|limit| limit.violation_by(self));
        differs.into_iter().chain(beyond).collect()
    }

    /// Returns the report of all texels. They are equal if no bit of theirs differs.
    pub fn metrics_report(&self) -> MetricsReport {
        let equal = self.metrics.mse == [0.0; 4] && !self.differs_finely();
        MetricsReport { equal, ..MetricsReport::new(&self.metrics) }
    }

    /// Returns the report.
    pub fn report(&self, violations: &[Violation]) -> CompareReport {
        let [a, b] = &self.inputs;
        let rounded = || self.options.rounding_rule.for_format(BlockFormat::Bc1);
        CompareReport {
            command: "compare",
            a: a.report(),
            b: b.report(),
            decoder: unrounded(&self.inputs).unwrap_or_else(rounded).name(),
            metrics: self.metrics_report(),
            visible_metrics: self.visible_metrics().map(MetricsReport::new),
            hdr_metrics: self.hdr_metrics.as_ref().map(HdrMetricsReport::new),
            normal_metrics: self.normal_metrics.as_ref().map(NormalMetricsReport::new),
            flip: self.flip,
            level: self.level(),
            levels: None,
            failures: violations.iter().map(ToString::to_string).collect(),
        }
    }
}

impl Measure {
    /// Returns the value, or `None` if it is not defined for the images or was not measured.
    pub fn value(self, comparison: &ImageComparison) -> Option<f64> {
        let (metrics, colors) = (comparison.metrics(), comparison.color_metrics());
        let (visible, hdr) = (comparison.visible_metrics(), comparison.hdr_metrics());
        match self {
            Self::PsnrRgb => colors.map(Metrics::psnr_rgb),
            Self::PsnrRgba => Some(metrics.psnr_rgba()),
            Self::PsnrLuma => colors.map(Metrics::psnr_luma),
            Self::PsnrRed => colors.map(|colors| colors.psnr_channel(0)),
            Self::PsnrGreen => colors.map(|colors| colors.psnr_channel(1)),
            Self::PsnrBlue => colors.map(|colors| colors.psnr_channel(2)),
            Self::PsnrAlpha => Some(metrics.psnr_channel(3)),
            Self::PsnrVisible => visible.filter(|visible| visible.texel_count > 0).map(Metrics::psnr_rgb),
            Self::Ssim => metrics.ssim,
            Self::HalfPsnr => hdr.map(HdrMetrics::half_psnr),
            Self::MultiExposurePsnr => hdr.map(HdrMetrics::multi_exposure_psnr),
            Self::ReinhardPsnr => hdr.map(HdrMetrics::reinhard_psnr),
            Self::Flip => comparison.flip(),
            Self::MaxError => metrics.max_error.into_iter().max().map(f64::from),
            Self::Angle => comparison.normal_metrics().map(|normals: &NormalMetrics| normals.mean),
        }
    }

    /// Returns a number by which comparisons are sorted: it is larger if the difference is worse. A measure
    /// that is not defined counts as no difference.
    pub fn badness(self, comparison: &ImageComparison) -> f64 {
        match self.value(comparison) {
            Some(value) if self.is_error() => value,
            Some(value) => -value,
            None => f64::NEG_INFINITY,
        }
    }
}

impl MeasureLimit {
    /// Returns the violation of the limit by a comparison, or `None` if its value passes.
    fn violation_by(self, comparison: &ImageComparison) -> Option<Violation> {
        let is_of_visible = self.measure.is_of_colors() && comparison.hides_colors();
        self.violation(self.measure.value(comparison), is_of_visible)
    }
}

impl CompareNote {
    /// Returns the notes about a pair of images. A colour space that a file does not state, but the reader
    /// assumed, contradicts no other.
    pub fn of_pair([a, b]: &[CompareInput; 2]) -> impl Iterator<Item = Self> {
        let color_spaces = [a.color_space(), b.color_space()];
        let are_stated = ![a, b].iter().any(|input| input.is_color_space_assumed());
        let count = a.image_count();
        let images = (count > 1).then_some(Self::AllImages { count });
        let differ = are_stated && color_spaces[0] != color_spaces[1];
        images.into_iter().chain(differ.then_some(Self::ColorSpaces { color_spaces }))
    }
}

/// Returns the rule of a texture whose values are not rounded to 8 bits, if there is one.
fn unrounded(inputs: &[CompareInput; 2]) -> Option<RoundingRule> {
    inputs.iter().find_map(CompareInput::unrounded)
}

fn measure_error([a, b]: &[CompareInput; 2], error: MeasureError) -> TextureJobError {
    TextureJobError::Measure { input: format!("{}, {}", a.name(), b.name()), error }
}

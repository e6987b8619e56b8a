//! The difference between two inputs.

use super::{
    CompareInput, CompareNote, CompareOptions, Measure, MeasureLimit, Violation,
    displayed::largest_difference,
    images::{Conversion, alphas},
    measures::{FineChannels, Measures, Wanted},
};
use crate::{
    half_floats::beyond_count,
    report::{CompareReport, HdrMetricsReport, MetricsReport, NormalMetricsReport},
};
use brickwork_base::Task;
use brickwork_image::image_file::Texels;
use brickwork_texture::{
    BlockFormat, Image, RoundingRule, ToneMap,
    metrics::{self, HdrMetrics, HdrRange, Metrics, NormalMetrics},
};
use brickwork_toolkit::texture::{MeasureError, PsnrScope, TextureJobError};
use std::borrow::Cow;

/// Difference between two inputs.
#[derive(Clone, Debug)]
pub struct ImageComparison {
    inputs: [CompareInput; 2],
    options: CompareOptions,
    conversion: Conversion,
    scope: PsnrScope,
    metrics: Metrics,
    measures: Measures,
    normal_metrics: Option<NormalMetrics>,
    fine: Option<FineChannels>,
}

/// PSNR of `--fail-under psnr`: that of the colours that count, or of alpha if it is lower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedPsnr {
    /// PSNR in dB; infinite if there is no difference.
    pub decibels: f64,
    /// Numbers that were compared, unless these are the colours of all texels: `alpha`, `visible texels`.
    pub subject: Option<&'static str>,
}

/// Measures the difference between two inputs. If both have several images, all are compared, one pair at a
/// time, and measures are those of all texels together. If one has a single image, the first of the other is
/// compared.
///
/// If one is a texture that stores fewer channels than red, green and blue (BC4, BC5, plain formats), only
/// the stored channels are compared. With one channel, all three are red; with two, blue counts as the mean
/// of red and green. If the rule is [unrounded](RoundingRule::is_unrounded), neither values of such a texture
/// nor of the other image are rounded to 8 bits. Single floats become half floats, unless both inputs have
/// single floats; measures are those of half floats. The task reports each decoded image and each pass over
/// its texels.
///
/// # Errors
/// [`TextureJobError`], which names the inputs, if the images differ in size or number, an image cannot be
/// decoded, two images need more memory than the limit of the inputs, or the task is cancelled.
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
    let memory = inputs.each_ref().map(CompareInput::memory_bytes);
    check_memory(&inputs, memory.iter().fold(0, |sum, (bytes, _)| sum.saturating_add(*bytes)))?;
    let channel_count = inputs.iter().map(CompareInput::channel_count).min().unwrap_or(4);
    let conversion = Conversion::new(channel_count, inputs.iter().all(CompareInput::is_single));
    let [a, b] = inputs.each_ref().map(CompareInput::scope);
    let (scope, fine) = (a.with(b), FineChannels::of(&inputs));
    let wanted = Wanted {
        options,
        scope,
        channel_count,
        is_real: unrounded(&inputs).is_some(),
        hdr: hdr_range(&inputs),
        fine,
        has_floats: inputs.iter().any(CompareInput::is_float),
    };
    let (mut measures, mut beyond) = (Measures::default(), [0; 2]);
    for number in 0..inputs[0].image_count() {
        let stored = [inputs[0].image(number, task)?, inputs[1].image(number, task)?];
        for ((stored, input), sum) in stored.iter().zip(&inputs).zip(&mut beyond) {
            *sum += if input.is_texture() { beyond_count(stored) } else { 0 };
        }
        let measured = converted(&inputs, stored, conversion, options)
            .and_then(|[a, b]| measures.add(&*inputs[0].view(&a)?, &*inputs[1].view(&b)?, &wanted, task));
        measured.map_err(|error| measure_error(&inputs, error))?;
    }
    inputs.iter_mut().zip(beyond).for_each(|(input, count)| input.note_beyond_half_floats(count));
    let Some(metrics) = measures.all else {
        return Err(measure_error(&inputs, MeasureError::ImageCounts { counts }));
    };
    let is_part = |shown: &Metrics| (1..metrics.texel_count).contains(&shown.texel_count);
    measures.shown = measures.shown.filter(is_part);
    let normal_metrics = measures.normals.take().map(|normals| normals.metrics());
    let options = options.clone();
    Ok(ImageComparison { inputs, options, conversion, scope, metrics, measures, normal_metrics, fine })
}

/// Converts the texels of two images. The alpha of the first determines the visible texels.
fn converted<'a>(
    inputs: &[CompareInput; 2],
    [a, b]: [Cow<'a, Texels>; 2],
    conversion: Conversion,
    options: &CompareOptions,
) -> Result<[Cow<'a, Texels>; 2], MeasureError> {
    let needs_alpha = options.visible && conversion.channel_count() < 3;
    let alphas = needs_alpha.then(|| Ok::<_, MeasureError>(alphas(&*inputs[0].view(&a)?))).transpose()?;
    let a = conversion.apply(inputs[0].size(), a, alphas.as_deref())?;
    Ok([a, conversion.apply(inputs[1].size(), b, alphas.as_deref())?])
}

/// Checks that `needed` bytes of memory are within the limits of the inputs.
fn check_memory(inputs: &[CompareInput; 2], needed: u64) -> Result<(), TextureJobError> {
    let limits = inputs.iter().filter_map(|input| input.memory_bytes().1);
    match limits.min() {
        Some(limit) if needed > limit => {
            let input = format!("{}, {}", inputs[0].name(), inputs[1].name());
            Err(TextureJobError::Memory { input, needed, limit })
        }
        _ => Ok(()),
    }
}

/// Returns the range of floats; `None` if neither image has floats.
fn hdr_range(inputs: &[CompareInput; 2]) -> Option<HdrRange> {
    let is_unsigned = inputs.iter().any(CompareInput::is_unsigned_hdr);
    let range = if is_unsigned { HdrRange::Unsigned } else { HdrRange::Signed };
    inputs.iter().any(CompareInput::is_float).then_some(range)
}

impl ImageComparison {
    /// True if no texel differs: in 16 bits or floats if both inputs have these, else as they are measured.
    pub fn is_equal(&self) -> bool {
        self.metrics.mse == [0.0; 4] && self.measures.differing[0] == 0
    }

    /// Returns the inputs.
    pub const fn inputs(&self) -> &[CompareInput; 2] {
        &self.inputs
    }

    /// Returns the differences of all texels.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the differences of the visible texels, if they were requested or a format of 1-bit alpha may
    /// make texels transparent; else those of the texels that are not transparent, if a texture with alpha
    /// hides the colours of others.
    pub fn visible_metrics(&self) -> Option<&Metrics> {
        self.measures.visible.as_ref().or(self.measures.shown.as_ref())
    }

    /// Returns the differences of the colours that count ([`PsnrScope`]). `None` if no texel is visible.
    pub fn color_metrics(&self) -> Option<&Metrics> {
        match self.scope.is_punched() {
            true => self.measures.visible.as_ref().filter(|visible| visible.texel_count > 0),
            false => Some(self.measures.shown.as_ref().unwrap_or(&self.metrics)),
        }
    }

    /// True if [`color_metrics`](Self::color_metrics) are those of some texels, because the colours of the
    /// others are hidden.
    pub fn hides_colors(&self) -> bool {
        self.color_metrics().is_some_and(|colors| colors.texel_count < self.metrics.texel_count)
    }

    /// Returns the PSNR of `--fail-under psnr`; `None` if no texel is visible.
    pub fn psnr(&self) -> Option<ComparedPsnr> {
        let colors = self.color_metrics()?.psnr_rgb();
        let decibels = self.scope.psnr(colors, self.metrics.psnr_channel(3));
        let subject = match () {
            () if decibels < colors => Some("alpha"),
            () => self.hides_colors().then_some("visible texels"),
        };
        Some(ComparedPsnr { decibels, subject })
    }

    /// Differences of half floats, if an image has any.
    pub const fn hdr_metrics(&self) -> Option<&HdrMetrics> {
        self.measures.hdr.as_ref()
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

    /// Returns the numbers of each pair of images, one below the other, as a picture has them.
    fn stacked<T>(
        &self,
        task: &Task<'_>,
        of_pair: impl Fn([&dyn Image; 2]) -> Result<Vec<T>, MeasureError>,
    ) -> Result<Vec<T>, TextureJobError> {
        let [a, b] = &self.inputs;
        let texel_count = u64::from(a.width()) * u64::from(a.height());
        check_memory(&self.inputs, texel_count.saturating_mul(size_of::<T>() as u64))?;
        let mut all = Vec::new();
        for number in 0..a.image_count() {
            let stored = [a.image(number, task)?, b.image(number, task)?];
            let converted = converted(&self.inputs, stored, self.conversion, &self.options);
            let made = converted.and_then(|pair| of_pair([&*a.view(&pair[0])?, &*b.view(&pair[1])?]));
            all.append(&mut made.map_err(|error| measure_error(&self.inputs, error))?);
        }
        Ok(all)
    }

    /// Returns the images of one of the inputs, 0 or 1, as 8-bit RGBA, one below the other. If both inputs
    /// have half floats, they are those that the options' tone map displays.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded or the task is cancelled.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn displayed(&self, index: usize, task: &Task<'_>) -> Result<Vec<[u8; 4]>, TextureJobError> {
        self.inputs[index].displayed(self.conversion.channel_count(), self.tone_map(), task)
    }

    /// Returns red, green and blue of one of the inputs, 0 or 1, if the options' tone map displays them.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded or the task is cancelled.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn lights(&self, index: usize, task: &Task<'_>) -> Result<Option<Vec<[f32; 3]>>, TextureJobError> {
        if !self.is_tone_mapped() {
            return Ok(None);
        }
        let lights = self.stacked(task, |pair| {
            let image = pair[index];
            let [width, height] = image.size();
            let mut row = vec![[0.0; 4]; width as usize];
            let mut lights = Vec::with_capacity(width as usize * height as usize);
            for y in 0..height {
                task.check()?;
                lights.extend(image.row_rgba_f32(y, &mut row).iter().map(|&[r, g, b, _]| [r, g, b]));
            }
            Ok(lights)
        });
        lights.map(Some)
    }

    /// Returns the largest difference of red, green, blue and alpha of each texel, as displayed. Colours of
    /// texels that are transparent in both images count as equal.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded or the task is cancelled.
    pub fn largest_differences(&self, task: &Task<'_>) -> Result<Vec<u8>, TextureJobError> {
        self.stacked(task, |[a, b]| largest_difference(a, b, self.tone_map(), task))
    }

    /// Returns the mean ꟻLIP error, if it was requested and no image has half floats.
    pub const fn flip(&self) -> Option<f64> {
        self.measures.flip
    }

    /// Returns the mip level of textures.
    pub const fn level(&self) -> u32 {
        self.options.level
    }

    /// Returns the difference of each texel, multiplied by `scale`, as a picture of all images, one below the
    /// other. If both inputs have half floats, it is the difference after the options' tone map.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded or the task is cancelled.
    pub fn difference(&self, scale: u32, task: &Task<'_>) -> Result<Vec<[u8; 3]>, TextureJobError> {
        self.stacked(task, |[a, b]| {
            Ok(match self.tone_map() {
                Some(map) => metrics::tone_mapped_difference(a, b, map, scale, task)?,
                None => metrics::difference(a, b, scale, task)?,
            })
        })
    }

    /// Returns the violations of `limits`. With `exact`, any difference is also a violation.
    pub fn violations(&self, exact: bool, limits: &[MeasureLimit]) -> Vec<Violation> {
        let max_error = self.metrics.max_error.into_iter().max().unwrap_or(0);
        let steps = self.measures.hdr.as_ref().map_or(0, |hdr| hdr.max_steps);
        let texel_count = self.measures.differing[0];
        let differs = match self.fine {
            _ if steps > 0 => Some(Violation::StepsDiffer { max_steps: steps }),
            _ if max_error > 0 => Some(Violation::Differs { max_error }),
            Some(fine) if texel_count > 0 => {
                Some(Violation::TexelsDiffer { texel_count, channels: fine.name() })
            }
            _ => None,
        };
        let differs = differs.filter(|_| exact);
        let beyond = limits.iter().filter_map(|limit| limit.violation_by(self));
        differs.into_iter().chain(beyond).collect()
    }

    /// Returns the report of all texels.
    pub fn metrics_report(&self) -> MetricsReport {
        self.report_of(&self.metrics, self.measures.differing[0])
    }

    /// Returns the report of texels of which some differ in fine channels.
    fn report_of(&self, metrics: &Metrics, differing: u64) -> MetricsReport {
        let report = MetricsReport::new(metrics);
        MetricsReport { equal: report.equal && differing == 0, ..report }
    }

    /// Returns the report.
    pub fn report(&self, violations: &[Violation]) -> CompareReport {
        let [a, b] = &self.inputs;
        let rounded = || self.options.rounding_rule.for_format(BlockFormat::Bc1);
        let visible = self.visible_metrics();
        CompareReport {
            command: "compare",
            a: a.report(),
            b: b.report(),
            decoder: unrounded(&self.inputs).unwrap_or_else(rounded).name(),
            metrics: self.metrics_report(),
            visible_metrics: visible.map(|visible| self.report_of(visible, self.measures.differing[1])),
            hdr_metrics: self.measures.hdr.as_ref().map(HdrMetricsReport::new),
            normal_metrics: self.normal_metrics.as_ref().map(NormalMetricsReport::new),
            flip: self.flip(),
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
            Self::Psnr => comparison.psnr().map(|psnr| psnr.decibels),
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

    /// Returns the numbers of which the measure is, unless these are the colours of all texels.
    fn subject(self, comparison: &ImageComparison) -> Option<&'static str> {
        match self {
            Self::Psnr => comparison.psnr()?.subject,
            _ => (self.is_of_colors() && comparison.hides_colors()).then_some("visible texels"),
        }
    }
}

impl MeasureLimit {
    /// Returns the violation of the limit by a comparison, or `None` if its value passes.
    fn violation_by(self, comparison: &ImageComparison) -> Option<Violation> {
        self.violation(self.measure.value(comparison), self.measure.subject(comparison))
    }
}

impl CompareNote {
    /// Returns the notes about a pair of inputs. A colour space that a file does not state, but the reader
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

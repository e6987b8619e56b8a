//! The difference between two inputs.

use super::{
    CompareInput, CompareNote, CompareOptions, MeasureLimit, Violation,
    displayed::{displayed_texels, largest_difference},
    images::{Conversion, alphas},
    measures::{FineChannels, Measures, Wanted},
};
use crate::{
    half_floats::beyond_count,
    report::{CompareReport, HdrMetricsReport, MetricsReport, NormalMetricsReport},
};
use brickwork_base::{Cancelled, Task};
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

/// Texels of a comparison that a page shows: those of all images, one below the other.
#[derive(Clone, Debug)]
pub struct ShownImages {
    /// 8-bit RGBA of both inputs.
    pub texels: [Vec<[u8; 4]>; 2],
    /// Red, green and blue of both inputs, if the options' tone map displays them.
    pub lights: Option<[Vec<[f32; 3]>; 2]>,
    /// [Largest differences](ImageComparison::largest_differences).
    pub errors: Vec<u8>,
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
    let channel_count = inputs.iter().map(CompareInput::channel_count).min().unwrap_or(4);
    let conversion = Conversion::new(channel_count, inputs.iter().all(CompareInput::is_single));
    check_memory(&inputs, conversion, 0)?;
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
        let measured = converted(&inputs, stored, conversion, needs_alpha(scope, options))
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

/// True if alpha determines the texels that are compared.
fn needs_alpha(scope: PsnrScope, options: &CompareOptions) -> bool {
    options.visible || scope.least_alpha() > 0
}

/// Converts the texels of two images. The alpha of the first determines the visible texels.
fn converted<'a>(
    inputs: &[CompareInput; 2],
    [a, b]: [Cow<'a, Texels>; 2],
    conversion: Conversion,
    needs_alpha: bool,
) -> Result<[Cow<'a, Texels>; 2], MeasureError> {
    let takes_alpha = needs_alpha && conversion.channel_count() < 3;
    let alphas = takes_alpha.then(|| Ok::<_, MeasureError>(alphas(&*inputs[0].view(&a)?))).transpose()?;
    let a = conversion.apply(inputs[0].size(), a, alphas.as_deref())?;
    Ok([a, conversion.apply(inputs[1].size(), b, alphas.as_deref())?])
}

/// Checks that the inputs, a pair of images and `more` bytes are within the limits of the inputs.
fn check_memory(
    inputs: &[CompareInput; 2],
    conversion: Conversion,
    more: u64,
) -> Result<(), TextureJobError> {
    let memory = inputs.each_ref().map(|input| input.memory_bytes(conversion));
    let needed = memory.iter().fold(more, |sum, (bytes, _)| sum.saturating_add(*bytes));
    match memory.iter().filter_map(|(_, limit)| *limit).min() {
        Some(limit) if needed > limit => {
            let input = format!("{}, {}", inputs[0].name(), inputs[1].name());
            Err(TextureJobError::Memory { input, needed, limit })
        }
        _ => Ok(()),
    }
}

/// Adds red, green and blue of an image.
fn add_lights(image: &dyn Image, lights: &mut Vec<[f32; 3]>, task: &Task<'_>) -> Result<(), Cancelled> {
    let [width, height] = image.size();
    let mut row = vec![[0.0; 4]; width as usize];
    for y in 0..height {
        task.check()?;
        lights.extend(image.row_rgba_f32(y, &mut row).iter().map(|&[r, g, b, _]| [r, g, b]));
    }
    Ok(())
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
        self.color_metrics().is_none_or(|colors| colors.texel_count < self.metrics.texel_count)
    }

    /// Returns the PSNR of `--fail-under psnr`. It is infinite if no texel is visible.
    pub fn psnr(&self) -> ComparedPsnr {
        let colors = self.color_metrics().map_or(f64::INFINITY, Metrics::psnr_rgb);
        let decibels = self.scope.psnr(colors, self.metrics.psnr_channel(3));
        let subject = match () {
            () if decibels < colors => Some("alpha"),
            () => self.hides_colors().then_some("visible texels"),
        };
        ComparedPsnr { decibels, subject }
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

    /// Checks that the inputs, a pair of images and `more` bytes are within the limits of the inputs.
    pub(super) fn check_memory(&self, more: u64) -> Result<(), TextureJobError> {
        check_memory(&self.inputs, self.conversion, more)
    }

    /// True if alpha determines the texels that are compared.
    fn needs_alpha(&self) -> bool {
        needs_alpha(self.scope, &self.options)
    }

    /// Returns the numbers of each pair of images, one below the other, as a picture has them.
    fn stacked<T>(
        &self,
        task: &Task<'_>,
        of_pair: impl Fn([&dyn Image; 2]) -> Result<Vec<T>, MeasureError>,
    ) -> Result<Vec<T>, TextureJobError> {
        let [a, b] = &self.inputs;
        self.check_memory(a.stacked_bytes::<T>())?;
        let mut all = Vec::with_capacity(a.width() as usize * a.height() as usize);
        for number in 0..a.image_count() {
            let stored = [a.image(number, task)?, b.image(number, task)?];
            let converted = converted(&self.inputs, stored, self.conversion, self.needs_alpha());
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

    /// Returns all that a page shows of the images. Each is decoded once.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded, more memory is needed than the limit of the inputs,
    /// or the task is cancelled.
    pub fn shown(&self, task: &Task<'_>) -> Result<ShownImages, TextureJobError> {
        let is_tone_mapped = self.is_tone_mapped();
        let [a, b] = &self.inputs;
        let of_texels = 2 * a.stacked_bytes::<[u8; 4]>() + a.stacked_bytes::<u8>();
        let of_lights = if is_tone_mapped { 2 * a.stacked_bytes::<[f32; 3]>() } else { 0 };
        self.check_memory(of_texels + of_lights)?;
        let displayed = Conversion::new(self.conversion.channel_count(), true);
        let texel_count = a.width() as usize * a.height() as usize;
        let mut shown = ShownImages {
            texels: [(); 2].map(|()| Vec::with_capacity(texel_count)),
            lights: is_tone_mapped.then(|| [(); 2].map(|()| Vec::with_capacity(texel_count))),
            errors: Vec::with_capacity(texel_count),
        };
        for number in 0..a.image_count() {
            let stored = [a.image(number, task)?, b.image(number, task)?];
            let mut add = || -> Result<(), MeasureError> {
                for ((input, stored), all) in self.inputs.iter().zip(&stored).zip(&mut shown.texels) {
                    let texels = displayed.apply(input.size(), Cow::Borrowed(&**stored), None)?;
                    all.append(&mut displayed_texels(&*input.view(&texels)?, self.tone_map(), task)?);
                }
                let stored = stored.each_ref().map(|stored| Cow::Borrowed(&**stored));
                let pair = converted(&self.inputs, stored, self.conversion, self.needs_alpha())?;
                let [first, second] = [a.view(&pair[0])?, b.view(&pair[1])?];
                for (image, all) in [&first, &second].into_iter().zip(shown.lights.iter_mut().flatten()) {
                    add_lights(&**image, all, task)?;
                }
                shown.errors.append(&mut largest_difference(&*first, &*second, self.tone_map(), task)?);
                Ok(())
            };
            add().map_err(|error| measure_error(&self.inputs, error))?;
        }
        Ok(shown)
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
        let rounded = || self.options.decoder().for_format(BlockFormat::Bc1);
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

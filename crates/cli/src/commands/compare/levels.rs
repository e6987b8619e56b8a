//! Comparison of two files, also of all their mip levels.

use super::{
    CompareInput, CompareOptions, ImageComparison, Measure, MeasureLimit, Violation, compare_images,
};
use crate::report::{CompareReport, ComparedLevelReport, HdrMetricsReport, NormalMetricsReport};
use brickwork_base::Task;
use brickwork_image::image_file::Picture;
use brickwork_texture::pictures::AnyImage;
use brickwork_toolkit::{
    batch::Input,
    texture::{TextureJobError, read_any},
};
use std::sync::Arc;

/// Comparison of the mip levels of two files.
#[derive(Clone, Debug)]
pub struct FileComparison {
    levels: Vec<ImageComparison>,
    /// Numbers of mip levels, if both files are textures.
    level_counts: [Option<u32>; 2],
}

/// Compares two files. With `all_levels`, all mip levels that both have are compared; a picture has one. Else
/// only the options' mip level is compared. The task reports the bytes read, then each pass over the texels.
///
/// # Errors
/// [`TextureJobError`], as [`CompareInput::read`] and [`compare_images`].
pub fn compare_files(
    inputs: [&Input; 2],
    all_levels: bool,
    options: &CompareOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<FileComparison, TextureJobError> {
    if !all_levels {
        let [a, b] = inputs.map(|input| CompareInput::read(input, options, max_memory, task));
        let comparison = compare_images([a?, b?], options, task)?;
        return Ok(FileComparison { levels: vec![comparison], level_counts: [None; 2] });
    }
    let [a, b] = inputs.map(|input| read_any(input, &options.read_options(max_memory), task));
    let images = [a?, b?];
    let images = images.map(|image| match image {
        AnyImage::Texture(texture) => Ok(Arc::new(texture)),
        AnyImage::Picture(picture) => Err(Box::new(picture)),
    });
    let level_counts = images.each_ref().map(|image| image.as_ref().ok().map(|it| it.desc().mip_levels));
    let common = level_counts.into_iter().map(|count| count.unwrap_or(1)).min().unwrap_or(1);
    let mut levels = Vec::new();
    for level in 0..common {
        let options = CompareOptions { level, ..options.clone() };
        let input = |index: usize| {
            let name = inputs[index].name();
            match &images[index] {
                Ok(texture) => CompareInput::of_texture(name, Arc::clone(texture), &options, max_memory),
                Err(picture) => Ok(CompareInput::of_picture(name, picture.as_ref().clone())),
            }
        };
        levels.push(compare_images([input(0)?, input(1)?], &options, task)?);
    }
    Ok(FileComparison { levels, level_counts })
}

/// Compares a picture with the texture that was made of it, mip level 0. `inputs` are the picture's file and
/// the texture.
///
/// # Errors
/// [`TextureJobError`], as [`compare_files`].
pub fn compare_made(
    picture: Picture,
    inputs: [&Input; 2],
    options: &CompareOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<FileComparison, TextureJobError> {
    let [image, texture] = inputs;
    if options.level > 0 {
        return Err(TextureJobError::NoMipLevels { input: image.name() });
    }
    let texture = CompareInput::read(texture, options, max_memory, task)?;
    let image = CompareInput::of_picture(image.name(), picture);
    let comparison = compare_images([image, texture], options, task)?;
    Ok(FileComparison { levels: vec![comparison], level_counts: [None; 2] })
}

impl FileComparison {
    /// Returns the comparisons of the mip levels, the largest first. There is at least one.
    pub fn levels(&self) -> &[ImageComparison] {
        &self.levels
    }

    /// Returns the numbers of mip levels of the files that are textures, if all mip levels were requested.
    pub const fn level_counts(&self) -> [Option<u32>; 2] {
        self.level_counts
    }

    /// Returns the violations of `limits` by any mip level, with its number. With `exact`, any difference is
    /// also a violation. Different numbers of mip levels are one if `exact` or there is a limit. A measure
    /// that is not defined is one if no mip level has it: small mip levels have no SSIM.
    pub fn violations(&self, exact: bool, limits: &[MeasureLimit]) -> Vec<(u32, Violation)> {
        let undefined = self.undefined_measures(limits);
        let is_counted = |violation: &Violation| match violation {
            Violation::Undefined { measure } => undefined.contains(measure),
            _ => true,
        };
        let of_level = |comparison: &ImageComparison| {
            let level = comparison.level();
            let violations = comparison.violations(exact, limits).into_iter().filter(is_counted);
            violations.map(|violation| (level, violation)).collect::<Vec<_>>()
        };
        let counts = match self.level_counts {
            [Some(a), Some(b)] if a != b && (exact || !limits.is_empty()) => {
                Some((0, Violation::LevelCounts { counts: [a, b] }))
            }
            _ => None,
        };
        counts.into_iter().chain(self.levels.iter().flat_map(of_level)).collect()
    }

    /// Returns the measures with a limit that no mip level has, each once.
    fn undefined_measures(&self, limits: &[MeasureLimit]) -> Vec<Measure> {
        let mut measures = Vec::new();
        for MeasureLimit { measure, .. } in limits {
            let is_defined = self.levels.iter().any(|level| measure.value(level).is_some());
            if !is_defined && !measures.contains(measure) {
                measures.push(*measure);
            }
        }
        measures
    }

    /// Returns a number by which pairs are sorted: the [badness](Measure::badness) of the worst mip level.
    pub fn badness(&self, measure: Measure) -> f64 {
        self.levels.iter().map(|level| measure.badness(level)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the report. `failures` are the violations as text.
    pub fn report(&self, all_levels: bool, failures: Vec<String>) -> Option<CompareReport> {
        let mut report = self.levels.first()?.report(&[]);
        report.levels = all_levels.then(|| self.levels.iter().map(level_report).collect());
        report.failures = failures;
        Some(report)
    }
}

fn level_report(comparison: &ImageComparison) -> ComparedLevelReport {
    let [a, _] = comparison.inputs();
    ComparedLevelReport {
        level: comparison.level(),
        width: a.width(),
        height: a.image_height(),
        metrics: comparison.metrics_report(),
        hdr_metrics: comparison.hdr_metrics().map(HdrMetricsReport::new),
        normal_metrics: comparison.normal_metrics().map(NormalMetricsReport::new),
        flip: comparison.flip(),
    }
}

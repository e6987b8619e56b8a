//! One λ for many textures, whose sizes together must not exceed a limit.
//!
//! With the same λ, a bit more would lessen the error of each texture as much as that of any other. The sum
//! of squared errors is then the smallest for this size.

use super::{
    TextureJobError, TextureOptions,
    encode::encode_planned,
    files::{Found, found},
    options::is_optimised,
    rdo_sample::Sample,
    rdo_steps::{MARGIN, STEPS, lambda_of, size_of},
};
use crate::{batch::Input, device::Devices};
use brickwork_base::Task;
use brickwork_image::image_file::ImageReadError;
use brickwork_texture::{RdoLambda, Texture, container::ContainerError};
use std::path::Path;

/// Steps of λ at which the size of a sample is measured.
const MEASURED: [u32; 5] = [0, 20, 40, 72, STEPS];

/// Predicted sizes of a texture by λ.
#[derive(Clone, Debug)]
pub struct SizeCurve {
    /// Size without optimisation, in bytes.
    bytes: u64,
    /// Sizes relative to it at [`MEASURED`]; none if its format or options exclude the optimisation.
    ratios: Option<[f64; MEASURED.len()]>,
}

impl SizeCurve {
    /// Encodes the inputs once, and a sample for several λ. Sizes are those of
    /// [`RdoTarget::Bytes`](super::RdoTarget::Bytes). A λ or a target of the options keeps its place.
    ///
    /// # Errors
    /// As [`encode_files`](super::encode_files).
    pub fn of_files(
        options: &TextureOptions,
        inputs: &[Input],
        devices: &Devices,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        let options = &TextureOptions { metrics: false, ..options.clone() };
        let failed = |error| TextureJobError::Write {
            output: inputs.first().map_or_else(String::new, Input::name),
            error,
        };
        if options.all_images {
            let texture = super::encode_files(options, inputs, devices, max_memory, task)?.texture;
            let (bytes, _) = size_of(&texture, options, task).map_err(failed)?;
            return Ok(Self { bytes, ratios: None });
        }
        let Found { hinted, pictures, facts, names, .. } = found(options, inputs, max_memory, task)?;
        let encoded = encode_planned(&hinted, &pictures, &facts, &names, devices, max_memory, task)?;
        let (bytes, _) = size_of(&encoded.texture, options, task).map_err(failed)?;
        let name = names.first().map_or("no input", String::as_str);
        let is_open =
            options.encode.rdo.is_off() && options.rdo_target.is_none() && !options.encode.weigh_by_alpha;
        if !is_open || !is_optimised(encoded.plan.desc.format) {
            return Ok(Self { bytes, ratios: None });
        }
        let Some(mut sample) = Sample::of(&encoded.plan, options, &pictures, name, 1, task)? else {
            return Ok(Self { bytes, ratios: None });
        };
        let mut ratios = [1.0; MEASURED.len()];
        for (ratio, &step) in ratios.iter_mut().zip(&MEASURED) {
            *ratio = sample.ratio(step, task)?;
        }
        Ok(Self { bytes, ratios: Some(ratios) })
    }

    /// True if λ changes the texture.
    pub fn is_optimised(&self) -> bool {
        self.ratios.is_some()
    }

    fn bytes_at(&self, step: u32) -> f64 {
        let Some(ratios) = &self.ratios else { return self.bytes as f64 };
        let next = MEASURED.iter().position(|&measured| measured >= step).unwrap_or(MEASURED.len() - 1);
        let before = next.saturating_sub(1);
        let [low, high] = [before, next].map(|index| f64::from(MEASURED[index]));
        let share = if high > low { (f64::from(step) - low) / (high - low) } else { 0.0 };
        self.bytes as f64 * (ratios[before] + share * (ratios[next] - ratios[before]))
    }
}

/// A limit of the sum of the sizes of textures.
#[derive(Clone, Debug)]
pub struct SizeBudget {
    limit: u64,
    curves: Vec<SizeCurve>,
    /// The step of λ that was chosen last.
    step: Option<u32>,
    /// Sum of the sizes over its prediction.
    correction: f64,
}

impl SizeBudget {
    /// Returns a limit in bytes for textures with these curves.
    pub fn new(limit: u64, curves: Vec<SizeCurve>) -> Self {
        Self { limit, curves, step: None, correction: 1.0 }
    }

    /// Returns the limit in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the sum of the sizes with the largest λ, as predicted and corrected, in bytes.
    pub fn least(&self) -> u64 {
        (self.sum(STEPS) * self.correction) as u64
    }

    fn sum(&self, step: u32) -> f64 {
        self.curves.iter().map(|curve| curve.bytes_at(step)).sum()
    }

    /// Returns the smallest λ with which the predicted sizes do not exceed the limit, larger than the one
    /// before; none if there is none.
    pub fn next_lambda(&mut self) -> Option<RdoLambda> {
        let first = self.step.map_or(0, |step| step + 1);
        let fits = |step: &u32| match step {
            0 => self.sum(0) <= self.limit as f64,
            &STEPS => self.sum(STEPS) * self.correction <= self.limit as f64,
            _ => self.sum(*step) * self.correction <= self.limit as f64 * (1.0 - MARGIN),
        };
        let step = (first..=STEPS).find(fits)?;
        self.step = Some(step);
        Some(lambda_of(step))
    }

    /// Corrects the prediction by the sum of the sizes with the last λ.
    pub fn correct(&mut self, bytes: u64) {
        let predicted = self.step.map_or(0.0, |step| self.sum(step));
        if predicted > 0.0 {
            self.correction = bytes as f64 / predicted;
        }
    }
}

/// Returns the size of a texture file for limits: that of the file with Zstandard, else that of the blocks
/// after Deflate.
///
/// # Errors
/// [`TextureJobError`] if the file cannot be read.
pub fn size_of_file(path: &Path, options: &TextureOptions, task: &Task<'_>) -> Result<u64, TextureJobError> {
    let failed = |error: ContainerError| TextureJobError::Read {
        input: path.display().to_string(),
        error: ImageReadError::from(error),
    };
    if options.zstd.is_some() {
        let metadata = std::fs::metadata(path).map_err(|error| failed(ContainerError::Io(error)))?;
        return Ok(metadata.len());
    }
    let texture = Texture::open(path, &task.without_progress()).map_err(failed)?;
    size_of(&texture, options, task).map(|(bytes, _)| bytes).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(bytes: u64, is_optimised: bool) -> SizeCurve {
        SizeCurve { bytes, ratios: is_optimised.then_some([1.0, 0.8, 0.6, 0.4, 0.2]) }
    }

    #[test]
    fn sizes_are_interpolated() {
        let optimised = curve(1000, true);
        let sizes = [0, 10, 20, 30, 40, 56, 72, 100, STEPS].map(|step| optimised.bytes_at(step).round());
        assert_eq!(sizes, [1000.0, 900.0, 800.0, 700.0, 600.0, 500.0, 400.0, 300.0, 200.0]);
        assert_eq!(curve(1000, false).bytes_at(77), 1000.0);
    }

    #[test]
    fn one_lambda_keeps_the_limit() {
        // Nothing is to be saved, then a tenth of what can be.
        let curves = || vec![curve(1000, true), curve(3000, true), curve(500, false)];
        assert_eq!(SizeBudget::new(4500, curves()).next_lambda(), Some(RdoLambda::OFF));
        let mut budget = SizeBudget::new(4100, curves());
        let first = budget.next_lambda();
        // 4000 · (1 − step / 100) + 500 ≤ 0.98 · 4100.
        assert_eq!(first, Some(lambda_of(13)));
        // It takes a tenth more: 1.1 · (4000 · (1 − step / 100) + 500) ≤ 0.98 · 4100.
        budget.correct((1.1 * (4000.0f64 * 0.87 + 500.0)) as u64);
        assert_eq!(budget.next_lambda(), Some(lambda_of(22)));
        assert_eq!(SizeBudget::new(1299, curves()).next_lambda(), None);
        assert_eq!((SizeBudget::new(1299, curves()).least(), budget.least()), (1300, 1430));
    }
}

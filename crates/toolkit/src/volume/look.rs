//! Look of a rendering: settings, with suitable values for everything that is not set.

use super::{LoadedVolume, VolumeError};
use brickwork_base::Task;
use brickwork_volume::{
    Header, Rescale, VoxelKind,
    render::{Look, Preset, RenderError, Survey, TransferFunction, TransferPoint, VisibleLabels},
};
use serde_json::Value;
use std::collections::BTreeSet;

/// The rule that combines the samples along a ray into a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "every caller handles each mode")]
pub enum RenderMode {
    /// Direct volume rendering: the colours and opacities of a transfer function, with lighting.
    Dvr,
    /// Maximum intensity projection.
    Mip,
    /// Isosurface: the surface on which values rise to a given value, with lighting.
    Iso,
    /// Labels (segmentation IDs) in distinct colours.
    Labels,
}

impl RenderMode {
    /// All modes.
    pub const ALL: &[Self] = &[Self::Dvr, Self::Mip, Self::Iso, Self::Labels];

    /// Returns the name on the command line: `dvr`, `mip`, `iso` or `labels`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dvr => "dvr",
            Self::Mip => "mip",
            Self::Iso => "iso",
            Self::Labels => "labels",
        }
    }

    /// Returns the mode that suits a volume: labels for labels, maximum intensity projection for stacks of
    /// images, as microscopes make them, else direct volume rendering.
    pub fn suited_to(header: &Header) -> Self {
        if header.kind == VoxelKind::Labels {
            Self::Labels
        } else if is_seen_from_above(header) {
            Self::Mip
        } else {
            Self::Dvr
        }
    }

    /// Returns the default background: red, green, blue and alpha. It is black for maximum intensity
    /// projection, else nearly black.
    pub const fn background(self) -> [f32; 4] {
        match self {
            Self::Mip => [0.0, 0.0, 0.0, 1.0],
            Self::Dvr | Self::Iso | Self::Labels => BACKGROUND,
        }
    }
}

/// True for stacks of images that are no scan of a patient: their first slice faces the viewer.
pub(super) fn is_seen_from_above(header: &Header) -> bool {
    header.is_image_stack() && !header.is_anatomical()
}

/// Default background, except for maximum intensity projection.
pub const BACKGROUND: [f32; 4] = [0.09, 0.098, 0.118, 1.0];

/// Default colour of isosurfaces, ivory: red, green, blue.
pub const SURFACE_COLOR: [f32; 3] = [0.93, 0.87, 0.77];

/// Minimum number of steps of f32 between the smallest and the largest value.
const LEAST_STEPS: f64 = 16.0;

/// Colours and opacities by value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Transfer {
    /// A preset, fitted to the volume.
    Preset(Preset),
    /// A transfer function.
    Function {
        /// Colours and opacities by value.
        function: TransferFunction,
        /// Kind of its values. `None` means that of the window: see [`LookOptions::stored_values`].
        values: Option<ValueKind>,
    },
}

/// Kind of the values of a transfer function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "files", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum ValueKind {
    /// Physical values, such as Hounsfield units.
    Physical,
    /// Stored numbers.
    Stored,
}

impl ValueKind {
    const fn words(self) -> &'static str {
        match self {
            Self::Physical => "physical values",
            Self::Stored => "stored numbers",
        }
    }
}

/// Settings of a look. Settings that the mode does not use are ignored. The default suits the volume.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LookOptions {
    /// Mode. Default: `None`, which means an isosurface if its value is set, else the mode that suits the
    /// kind of the voxels.
    pub mode: Option<RenderMode>,
    /// Colours and opacities of direct volume rendering and of maximum intensity projection, which uses only
    /// colours. Default: `None`. Direct volume rendering then uses a preset that suits the volume, and
    /// maximum intensity projection uses grey.
    pub transfer: Option<Transfer>,
    /// Values that the transfer function covers. Without one, maximum intensity projection is black at the
    /// first value and white at the second. Default: `None`, which means values that suit the volume.
    pub window: Option<[f64; 2]>,
    /// Value of the isosurface. Default: `None`, which means a value that suits the volume.
    pub iso: Option<f64>,
    /// True to treat the values of the window, the isosurface and transfer functions of unstated kind as
    /// stored numbers. Default: false, which means physical values if they are known. If slopes or intercepts
    /// differ from slice to slice, the volume has been loaded as physical values, and this option changes
    /// nothing.
    pub stored_values: bool,
    /// Colour of a channel among others in direct volume rendering and maximum intensity projection without a
    /// transfer function: red, green and blue of bright values, 0 to 1. Default: `None`.
    pub color: Option<[f32; 3]>,
    /// True to show small values of a channel with a colour as bright. Default: false.
    pub is_inverted: bool,
    /// Colour of the isosurface: red, green, blue, 0 to 1. Default: [`SURFACE_COLOR`].
    pub iso_color: [f32; 3],
    /// Hidden labels, as display values. Label 0 is never visible. Default: none.
    pub hidden_labels: BTreeSet<u16>,
}

impl Default for LookOptions {
    fn default() -> Self {
        let (mode, transfer, window, iso) = (None, None, None, None);
        let (color, iso_color, hidden_labels) = (None, SURFACE_COLOR, BTreeSet::new());
        let (stored_values, is_inverted) = (false, false);
        Self { mode, transfer, window, iso, stored_values, color, is_inverted, iso_color, hidden_labels }
    }
}

impl LookOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Refuses values of a transfer function of the kind that the volume is not loaded with: with different
    /// slopes or intercepts by slice, stored numbers and physical values have no common scale.
    ///
    /// # Errors
    /// [`VolumeError::Setting`].
    pub fn check(&self, header: &Header) -> Result<(), VolumeError> {
        let Some(Transfer::Function { values: Some(kind), .. }) = &self.transfer else { return Ok(()) };
        let loaded = if self.stored_values { ValueKind::Stored } else { ValueKind::Physical };
        if !header.is_rescaled_by_slice() || *kind == loaded {
            return Ok(());
        }
        let [kind, loaded] = [*kind, loaded].map(ValueKind::words);
        let reason =
            format!("its values are {kind}, but the volume, whose slopes differ by slice, has {loaded}");
        Err(VolumeError::Setting { option: "transfer".to_owned(), reason })
    }

    /// Returns a note if the values of the transfer function are taken for physical ones, although its file
    /// does not state their kind.
    pub fn note(&self, header: &Header) -> Option<&'static str> {
        let is_unstated = matches!(self.transfer, Some(Transfer::Function { values: None, .. }));
        let is_shown =
            matches!(self.mode(header), RenderMode::Dvr | RenderMode::Mip) && self.window.is_none();
        let matters = is_shown && !self.stored_values && header.rescaling().is_some();
        (is_unstated && matters).then_some(
            "the transfer function's values are taken for physical ones, as those of a window; \
             its field \"values\" states \"physical\" or \"stored\"",
        )
    }

    /// Returns the mode for a volume.
    pub fn mode(&self, header: &Header) -> RenderMode {
        self.mode.unwrap_or(match header.kind {
            VoxelKind::Intensity if self.iso.is_some() => RenderMode::Iso,
            // Presets and functions have opacities.
            VoxelKind::Intensity if self.transfer.is_some() => RenderMode::Dvr,
            _ => RenderMode::suited_to(header),
        })
    }

    /// Returns the kind of voxels that these settings show of a volume: mode labels takes all voxels for
    /// labels.
    pub fn kind(&self, header: &Header) -> VoxelKind {
        if self.mode(header) == RenderMode::Labels { VoxelKind::Labels } else { header.kind }
    }

    /// Returns the look of a volume.
    ///
    /// # Errors
    /// - [`RenderError::Window`] if a window is empty.
    /// - [`RenderError::Constant`] if all voxels have the same value, which fits no preset, and there is no
    ///   window.
    /// - [`RenderError::NoNumbers`] if no voxel is a finite number, and a value must suit them.
    /// - [`RenderError::Precision`] if values of 64 bits are too close together for f32.
    /// - [`RenderError::Transparent`].
    /// - [`RenderError::Iso`].
    /// - [`RenderError::Cancelled`].
    pub fn choose(&self, volume: &LoadedVolume, task: &Task<'_>) -> Result<ChosenLook, RenderError> {
        let display = volume.display();
        let known = volume.header().rescaling().and_then(|rescaling| rescaling.uniform());
        let known = known.unwrap_or(Rescale::IDENTITY);
        let rescale = if self.stored_values { Rescale::IDENTITY } else { known };
        // A negative slope reverses the window.
        let sorted = |[a, b]: [f64; 2]| [a.min(b), a.max(b)];
        let window = self.window.map(|window| sorted(window.map(|value| rescale.stored(value))));
        let mode = self.mode(volume.header());
        if mode != RenderMode::Labels {
            self.check_values(volume)?;
        }
        let chosen = |look| ChosenLook { mode, preset: None, iso: None, window: None, look };
        let transfer = match &self.transfer {
            Some(Transfer::Function { function, values }) => {
                let rescale = match values {
                    None => rescale,
                    Some(ValueKind::Physical) => known,
                    Some(ValueKind::Stored) => Rescale::IDENTITY,
                };
                Some(Transfer::Function { function: over_stored(function, rescale)?, values: *values })
            }
            other => other.clone(),
        };
        if let (RenderMode::Mip | RenderMode::Dvr, None, Some(color)) = (mode, &transfer, self.color) {
            let window = window.map_or_else(|| suited_window(volume, task), Ok)?;
            let is_mip = mode == RenderMode::Mip;
            let function = in_color(color, window, self.is_inverted != (rescale.slope < 0.0), is_mip)?;
            let look =
                if is_mip { Ok(Look::mip(&function, &display)) } else { Look::dvr(&function, &display) };
            let shown = self.window.unwrap_or_else(|| sorted(window.map(|value| rescale.of(value))));
            return Ok(ChosenLook { window: Some(shown), ..chosen(look?) });
        }
        Ok(match (mode, &transfer) {
            (RenderMode::Labels, _) => {
                let is_visible = |label| label != 0 && !self.hidden_labels.contains(&label);
                chosen(Look::labels(VisibleLabels::new(is_visible)))
            }
            (RenderMode::Iso, _) => {
                let value = match self.iso {
                    Some(value) => rescale.stored(value),
                    None => volume.survey(task)?.surface(),
                };
                let look = Look::isosurface(&display, value, self.iso_color)?;
                ChosenLook { iso: Some(self.iso.unwrap_or_else(|| rescale.of(value))), ..chosen(look) }
            }
            (RenderMode::Mip, None) => {
                let [low, high] = window.map_or_else(|| suited_window(volume, task), Ok)?;
                chosen(Look::mip(&TransferFunction::window(low, high, 1.0)?, &display))
            }
            (RenderMode::Mip, Some(transfer)) => {
                let (preset, function) = self.function(Some(transfer), window, volume, task)?;
                ChosenLook { preset, ..chosen(Look::mip(&function, &display)) }
            }
            (RenderMode::Dvr, transfer) => {
                let (preset, function) = self.function(transfer.as_ref(), window, volume, task)?;
                ChosenLook { preset, ..chosen(Look::dvr(&function, &display)?) }
            }
        })
    }

    /// Refuses voxels to which no rendering can do justice.
    fn check_values(&self, volume: &LoadedVolume) -> Result<(), RenderError> {
        // The distance between two numbers of f32 near the largest value.
        let step = |low: f64, high: f64| low.abs().max(high.abs()) * f64::from(f32::EPSILON);
        match volume.wide_range() {
            Some([low, high]) if low < high && high - low < LEAST_STEPS * step(low, high) => {
                return Err(RenderError::Precision { low, high });
            }
            _ => {}
        }
        let is_given = self.window.is_some() || self.iso.is_some();
        if !is_given && volume.display().has_no_numbers() {
            return Err(RenderError::NoNumbers);
        }
        Ok(())
    }

    fn function(
        &self,
        transfer: Option<&Transfer>,
        window: Option<[f64; 2]>,
        volume: &LoadedVolume,
        task: &Task<'_>,
    ) -> Result<(Option<Preset>, TransferFunction), RenderError> {
        let (preset, function) = match transfer {
            Some(Transfer::Function { function, .. }) => (None, function.clone()),
            Some(Transfer::Preset(preset)) => (Some(*preset), fitted(*preset, window, volume.survey(task)?)?),
            None => {
                let survey = volume.survey(task)?;
                let is_soft = || is_soft_scan(volume.header(), survey);
                let preset = match Preset::suited_to(survey) {
                    Preset::Mri | Preset::Fire if is_soft() => Preset::CtSkin,
                    preset => preset,
                };
                (Some(preset), fitted(preset, window, survey)?)
            }
        };
        match window {
            Some([low, high]) => Ok((preset, function.stretched(low, high)?)),
            None => Ok((preset, function)),
        }
    }
}

/// Returns the window that suits a volume.
fn suited_window(volume: &LoadedVolume, task: &Task<'_>) -> Result<[f64; 2], RenderError> {
    let [low, high] = volume.survey(task)?.window();
    // A volume with only one value is white.
    Ok([low, if high > low { high } else { low + low.abs() * 1e-6 + 1e-30 }])
}

/// Returns a window from black to a colour. Direct volume rendering has the colour throughout, with the
/// opacities of the preset `grey`: what is nearly transparent adds light, and does not darken.
fn in_color(
    color: [f32; 3],
    [low, high]: [f64; 2],
    is_inverted: bool,
    is_mip: bool,
) -> Result<TransferFunction, RenderError> {
    let grey =
        if is_mip { TransferFunction::window(low, high, 1.0)? } else { Preset::Grey.over(low, high)? };
    let point = |point: &TransferPoint| TransferPoint {
        value: if is_inverted { low + (high - point.value) } else { point.value },
        color: std::array::from_fn(|i| f64::from(color[i]) * if is_mip { point.color[i] } else { 1.0 }),
        ..*point
    };
    let mut points: Vec<_> = grey.points().iter().map(point).collect();
    if is_inverted {
        points.reverse();
    }
    TransferFunction::new(points)
}

/// Returns a function of physical values as one of stored numbers.
fn over_stored(function: &TransferFunction, rescale: Rescale) -> Result<TransferFunction, RenderError> {
    if rescale == Rescale::IDENTITY {
        return Ok(function.clone());
    }
    let stored = |point: &TransferPoint| TransferPoint { value: rescale.stored(point.value), ..*point };
    let mut points: Vec<_> = function.points().iter().map(stored).collect();
    if rescale.slope < 0.0 {
        points.reverse();
    }
    TransferFunction::new(points)
}

/// Returns the preset's function for a volume. If all voxels have the same value, it covers the window.
fn fitted(
    preset: Preset,
    window: Option<[f64; 2]>,
    survey: &Survey,
) -> Result<TransferFunction, RenderError> {
    match (preset.function(survey), window) {
        (Err(RenderError::Window { .. }), Some([low, high])) => preset.over(low, high),
        (Err(RenderError::Window { .. }), None) => Err(RenderError::Constant),
        (function, _) => function,
    }
}

/// True for a CT scan of air and soft tissue, without bone.
fn is_soft_scan(header: &Header, survey: &Survey) -> bool {
    let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    let rescale = header.rescaling().map_or(Some(Rescale::IDENTITY), |rescaling| rescaling.uniform());
    let units = |share| rescale.map(|rescale| rescale.of(survey.percentile(share)));
    // Air is at −1000 Hounsfield units, fat at −100.
    metadata["dicom"]["Modality"].as_str().is_some_and(|modality| modality.trim() == "CT")
        && units(0.1).is_some_and(|air| air < -500.0)
        && units(0.999).is_some_and(|dense| dense > -200.0)
}

/// Look of a volume.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChosenLook {
    /// Mode.
    pub mode: RenderMode,
    /// Preset; `None` if there is no transfer function, or if it is not a preset's.
    pub preset: Option<Preset>,
    /// Value of the isosurface, physical unless the options have stored values; `None` in other modes.
    pub iso: Option<f64>,
    /// Values of a channel in colour that are black and bright, physical unless the options have stored
    /// values; `None` for other looks.
    pub window: Option<[f64; 2]>,
    /// Parameters of the ray caster.
    pub look: Look,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_have_their_colours() {
        let of = |is_inverted, is_mip| {
            let function = in_color([1.0, 0.5, 0.0], [10.0, 30.0], is_inverted, is_mip).unwrap();
            let points = function.points().iter();
            points.map(|point| (point.value, point.color, point.opacity)).collect::<Vec<_>>()
        };
        let (black, full) = ([0.0; 3], [1.0, 0.5, 0.0]);
        assert_eq!(of(false, true), [(10.0, black, 0.0), (30.0, full, 1.0)]);
        assert_eq!(of(true, true), [(10.0, full, 1.0), (30.0, black, 0.0)]);
        let [first, .., last] = &of(false, false)[..] else { panic!("two points") };
        assert_eq!((first, last), (&(10.0, full, 0.0), &(30.0, full, 0.3)));
        let [first, .., last] = &of(true, false)[..] else { panic!("two points") };
        assert_eq!((first, last), (&(10.0, full, 0.3), &(30.0, full, 0.0)));
    }
}

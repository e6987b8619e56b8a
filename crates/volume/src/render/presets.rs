//! Transfer functions that suit kinds of volumes, fitted to the values of a volume.

use super::{RenderError, Survey, TransferFunction, TransferPoint};
use std::{fmt, str::FromStr};

/// A transfer function by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Preset {
    /// Bone, or matter of similar density, in ivory.
    CtBone,
    /// Skin, and dense matter behind it.
    CtSkin,
    /// Tissue in magnetic resonance images.
    Mri,
    /// Dark red to white over the whole range: simulations and other sparse volumes.
    Fire,
    /// Black to white over the whole range.
    Grey,
}

impl Preset {
    /// Every preset.
    pub const ALL: &[Self] = &[Self::CtBone, Self::CtSkin, Self::Mri, Self::Fire, Self::Grey];

    /// Returns the name on the command line: `ct-bone`, `ct-skin`, `mri`, `fire`, `grey`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CtBone => "ct-bone",
            Self::CtSkin => "ct-skin",
            Self::Mri => "mri",
            Self::Fire => "fire",
            Self::Grey => "grey",
        }
    }

    /// Returns a preset that suits the values: CT for values in Hounsfield units, fire for floats and for
    /// volumes that are almost all background, else MRI.
    pub fn suited_to(survey: &Survey) -> Self {
        if survey.hounsfield().is_some() {
            Self::CtBone
        } else if survey.is_float() || survey.background_share() > 0.85 {
            Self::Fire
        } else {
            Self::Mri
        }
    }

    /// Returns the transfer function for a volume of these values. CT presets are in Hounsfield units, which
    /// are guessed if the values have others. The other presets run from the background to the brightest
    /// thousandth.
    ///
    /// # Errors
    /// [`RenderError::Window`] if all voxels have one value.
    pub fn function(self, survey: &Survey) -> Result<TransferFunction, RenderError> {
        let [background, division] = survey.background_and_division();
        let brightest = survey.percentile(0.999).max(division);
        let brightest = if brightest > background { brightest } else { survey.percentile(1.0) };
        if brightest <= background {
            return Err(RenderError::Window { low: background, high: brightest });
        }
        let points = match self {
            Self::CtBone | Self::CtSkin => {
                let units = survey.guessed_hounsfield();
                self.points().iter().map(|point| (units.value(point.0), *point)).collect::<Vec<_>>()
            }
            // Start of tissue, well below the value that divides it from the background.
            Self::Mri => {
                let start = background + (division - background) * 0.4;
                self.points().iter().map(|p| (start + (brightest - start) * p.0, *p)).collect()
            }
            Self::Fire | Self::Grey => {
                self.points().iter().map(|p| (background + (brightest - background) * p.0, *p)).collect()
            }
        };
        let point = |(value, (_, color, opacity))| TransferPoint { value, color, opacity };
        TransferFunction::new(points.into_iter().map(point).collect())
    }

    /// Returns the colours and opacities over the values from `low` to `high`, for any volume.
    ///
    /// # Errors
    /// [`RenderError::Window`] unless `low` is smaller than `high`, both finite.
    pub fn over(self, low: f64, high: f64) -> Result<TransferFunction, RenderError> {
        let point = |&(value, color, opacity): &(f64, [f64; 3], f64)| TransferPoint { value, color, opacity };
        TransferFunction::new(self.points().iter().map(point).collect())?.stretched(low, high)
    }

    /// Returns value (in Hounsfield units, or as a share of the range), colour and opacity of each point.
    const fn points(self) -> &'static [(f64, [f64; 3], f64)] {
        match self {
            Self::CtBone => &CT_BONE,
            Self::CtSkin => &CT_SKIN,
            Self::Mri => &MRI,
            Self::Fire => &FIRE,
            Self::Grey => &GREY,
        }
    }
}

const CT_BONE: [(f64, [f64; 3], f64); 5] = [
    (300.0, [0.70, 0.40, 0.28], 0.0),
    (450.0, [0.82, 0.60, 0.44], 0.06),
    (600.0, [0.93, 0.84, 0.70], 0.40),
    (1000.0, [0.98, 0.94, 0.86], 0.85),
    (2500.0, [1.0, 1.0, 0.97], 0.97),
];

const CT_SKIN: [(f64, [f64; 3], f64); 6] = [
    (-500.0, [0.80, 0.52, 0.42], 0.0),
    (-250.0, [0.86, 0.60, 0.48], 0.15),
    (0.0, [0.88, 0.63, 0.52], 0.55),
    (200.0, [0.90, 0.70, 0.58], 0.65),
    (600.0, [0.97, 0.90, 0.80], 0.85),
    (2000.0, [1.0, 1.0, 0.97], 0.97),
];

const MRI: [(f64, [f64; 3], f64); 5] = [
    (0.0, [0.45, 0.27, 0.22], 0.0),
    (0.12, [0.62, 0.42, 0.35], 0.10),
    (0.30, [0.78, 0.62, 0.53], 0.45),
    (0.60, [0.91, 0.82, 0.72], 0.70),
    (1.0, [1.0, 0.98, 0.93], 0.90),
];

const FIRE: [(f64, [f64; 3], f64); 6] = [
    (0.02, [0.16, 0.05, 0.30], 0.0),
    (0.06, [0.36, 0.08, 0.42], 0.012),
    (0.15, [0.70, 0.14, 0.30], 0.04),
    (0.32, [0.95, 0.42, 0.12], 0.12),
    (0.60, [1.0, 0.78, 0.28], 0.30),
    (1.0, [1.0, 0.98, 0.85], 0.60),
];

const GREY: [(f64, [f64; 3], f64); 3] = [(0.05, [0.0; 3], 0.0), (0.5, [0.5; 3], 0.08), (1.0, [1.0; 3], 0.3)];

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().copied().find(|preset| preset.name() == text);
        found.ok_or_else(|| {
            format!(
                "expected one of {}",
                Self::ALL.iter().map(|item| item.name()).collect::<Vec<_>>().join(", ")
            )
        })
    }
}

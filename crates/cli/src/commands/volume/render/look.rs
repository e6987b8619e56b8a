//! What is shown: from options and the volume's values to a look.

use super::{
    source::render_failure,
    transfer::{self, Transfer},
    values::window,
};
use crate::{exit::Exit, failure::Failure};
use brickwork_toolkit::report::VolumeMode;
use brickwork_volume::{
    Task, VoxelKind,
    render::{DisplayBricks, Look, Preset, RenderError, Survey, TransferFunction, VisibleLabels},
};
use clap::ValueEnum;

/// The colour of isosurfaces: ivory.
const SURFACE: [f32; 3] = [0.93, 0.87, 0.77];

/// How samples become pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Direct volume rendering: colours and opacities of a transfer function, lit
    Dvr,
    /// Maximum intensity projection
    Mip,
    /// Isosurface: where values reach one, lit
    Iso,
    /// Labels (segmentation IDs) in distinct colours
    Labels,
}

impl From<Mode> for VolumeMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Dvr => Self::Dvr,
            Mode::Mip => Self::Mip,
            Mode::Iso => Self::Iso,
            Mode::Labels => Self::Labels,
        }
    }
}

/// What is shown of the values.
#[derive(clap::Args)]
pub struct LookArgs {
    /// What is shown [default: labels of labels, else dvr]
    #[arg(long, value_name = "MODE", help_heading = "Picture")]
    mode: Option<Mode>,

    /// Colours and opacities for dvr and mip: ct-bone, ct-skin, mri, fire or grey, fitted to the volume, or a
    /// JSON file of points (docs/json.md) [default: what suits the values; grey for mip]
    #[arg(
        long,
        visible_alias = "preset",
        value_name = "NAME|FILE",
        value_parser = transfer::transfer,
        help_heading = "Picture"
    )]
    transfer: Option<Transfer>,

    /// Values that the transfer function covers; without --transfer, mip is black at the first and
    /// white at the second [default: what suits the values]
    #[arg(
        long,
        value_name = "LOW..HIGH",
        value_parser = window,
        allow_hyphen_values = true,
        help_heading = "Picture"
    )]
    window: Option<[f64; 2]>,

    /// Value of the isosurface; implies --mode iso [default: what suits the values]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Picture")]
    iso: Option<f64>,
}

/// What was chosen.
pub struct Choice {
    pub mode: Mode,
    /// The name of a preset or file; none where there is no transfer function.
    pub transfer: Option<String>,
    /// The value of the surface.
    pub iso: Option<f64>,
    pub look: Look,
}

impl LookArgs {
    /// The mode for voxels of this kind.
    ///
    /// # Errors
    /// [`Failure`] if options do not go together.
    pub fn mode(&self, kind: VoxelKind) -> Result<Mode, Failure> {
        let suited = match kind {
            VoxelKind::Intensity if self.iso.is_some() => Mode::Iso,
            VoxelKind::Labels => Mode::Labels,
            _ => Mode::Dvr,
        };
        let mode = self.mode.unwrap_or(suited);
        if self.iso.is_some() && mode != Mode::Iso {
            return Err(Failure::usage("--iso is for --mode iso"));
        }
        let has_function = matches!(mode, Mode::Dvr | Mode::Mip);
        if self.transfer.is_some() && !has_function {
            return Err(Failure::usage("--transfer is for --mode dvr and mip"));
        }
        if self.window.is_some() && !has_function {
            return Err(Failure::usage("--window is for --mode dvr and mip"));
        }
        Ok(mode)
    }

    /// What is shown of a volume in `mode`.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn choose(&self, mode: Mode, bricks: &dyn DisplayBricks) -> Result<Choice, Failure> {
        let display = bricks.display();
        let plain = |look| Choice { mode, transfer: None, iso: None, look };
        match mode {
            Mode::Labels => Ok(plain(Look::labels(VisibleLabels::default()))),
            Mode::Iso => {
                let value = match self.iso {
                    Some(value) => value,
                    None => survey(bricks)?.surface(),
                };
                let look = Look::isosurface(&display, value, SURFACE).map_err(Failure::usage)?;
                Ok(Choice { iso: Some(value), ..plain(look) })
            }
            Mode::Dvr => {
                let (name, function) = self.function(bricks)?;
                let look = Look::dvr(&function, &display).map_err(|error| match &self.transfer {
                    Some(Transfer::File(path)) => Failure::new(Exit::Invalid, error).of_path(path),
                    _ => Failure::usage(error),
                })?;
                Ok(Choice { transfer: Some(name), ..plain(look) })
            }
            Mode::Mip if self.transfer.is_some() => {
                let (name, function) = self.function(bricks)?;
                Ok(Choice { transfer: Some(name), ..plain(Look::mip(&function, &display)) })
            }
            Mode::Mip => {
                let [low, high] = match self.window {
                    Some(window) => window,
                    None => survey(bricks)?.window(),
                };
                // (Of one value all is white.)
                let high = if high > low { high } else { low + low.abs() * 1e-6 + 1e-30 };
                let function = TransferFunction::window(low, high, 1.0).map_err(Failure::usage)?;
                Ok(plain(Look::mip(&function, &display)))
            }
        }
    }

    fn function(&self, bricks: &dyn DisplayBricks) -> Result<(String, TransferFunction), Failure> {
        let of_preset = |preset: Preset, survey: &Survey| {
            let function = preset.function(survey).map_err(|error| match error {
                RenderError::Window { .. } => Failure::usage("all voxels have the same value")
                    .hint("use --transfer FILE, or --mode iso with --iso VALUE"),
                error => Failure::usage(error),
            })?;
            Ok::<_, Failure>((preset.name().to_owned(), function))
        };
        let (name, function) = match &self.transfer {
            Some(Transfer::File(path)) => (path.display().to_string(), transfer::read(path)?),
            Some(Transfer::Preset(preset)) => of_preset(*preset, &survey(bricks)?)?,
            None => {
                let survey = survey(bricks)?;
                of_preset(Preset::suited_to(&survey), &survey)?
            }
        };
        match self.window {
            Some([low, high]) => Ok((name, function.stretched(low, high).map_err(Failure::usage)?)),
            None => Ok((name, function)),
        }
    }
}

fn survey(bricks: &dyn DisplayBricks) -> Result<Survey, Failure> {
    Survey::new(bricks, &Task::new()).map_err(render_failure)
}

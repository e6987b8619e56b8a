//! Options of `volume render` about the look.

use super::transfer::{self, Transfer};
use crate::{
    commands::volume::{failure::render_failure, values::window},
    exit::Exit,
    failure::Failure,
};
use brickwork_toolkit::volume::{self, LookOptions, RenderMode};
use brickwork_volume::{Header, render::RenderError};
use clap::ValueEnum;

/// Rule that combines samples into pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Direct volume rendering: colours and opacities of a transfer function, with lighting
    Dvr,
    /// Maximum intensity projection
    Mip,
    /// Isosurface: the surface of a value, with lighting
    Iso,
    /// Labels (segmentation IDs) in distinct colours
    Labels,
}

impl From<Mode> for RenderMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Dvr => Self::Dvr,
            Mode::Mip => Self::Mip,
            Mode::Iso => Self::Iso,
            Mode::Labels => Self::Labels,
        }
    }
}

/// Options about the displayed values.
#[derive(clap::Args)]
pub struct LookArgs {
    /// Rendering mode [default: labels for label volumes, mip for stacks of images, else dvr]
    #[arg(long, value_name = "MODE", help_heading = "Rendering")]
    mode: Option<Mode>,

    /// Colours and opacities for dvr and mip: ct-bone, ct-skin, mri, fire or grey, fitted to the volume, or a
    /// JSON file of points (docs/json.md) [default: a preset that suits the values; grey for mip]
    #[arg(
        long,
        visible_alias = "preset",
        value_name = "NAME|FILE",
        value_parser = transfer::transfer,
        help_heading = "Rendering"
    )]
    transfer: Option<Transfer>,

    /// Values that the transfer function covers; without --transfer, mip is black at the first and white at
    /// the second. They are physical values, such as Hounsfield units, if the file states how to compute
    /// them, else stored numbers [default: a window that suits the values]
    #[arg(
        long,
        value_name = "LOW..HIGH",
        value_parser = window,
        allow_hyphen_values = true,
        help_heading = "Rendering"
    )]
    window: Option<[f64; 2]>,

    /// Value of the isosurface, physical or stored like those of --window; implies --mode iso [default: a
    /// value that suits the volume]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Rendering")]
    iso: Option<f64>,

    /// Treat the values of --window and --iso as stored numbers; those in a file of --transfer always are.
    /// If slopes differ from slice to slice, physical values are rendered, and with this option stored
    /// numbers
    #[arg(long, help_heading = "Rendering")]
    stored: bool,
}

/// Chosen look.
pub struct Choice {
    pub options: LookOptions,
    /// Name of a file with a transfer function.
    pub transfer: Option<String>,
}

impl LookArgs {
    /// Returns the options of the look of a volume, except the transfer function.
    ///
    /// # Errors
    /// [`Failure`] if options contradict each other.
    pub fn check(&self, header: &Header) -> Result<LookOptions, Failure> {
        let options = LookOptions::default().with(|o| {
            o.mode = self.mode.map(Into::into);
            o.iso = self.iso;
            o.window = self.window;
            o.stored_values = self.stored;
        });
        let mode = options.mode(header);
        if self.iso.is_some() && mode != RenderMode::Iso {
            return Err(Failure::usage("--iso is for --mode iso"));
        }
        let has_function = matches!(mode, RenderMode::Dvr | RenderMode::Mip);
        if self.transfer.is_some() && !has_function {
            return Err(Failure::usage("--transfer is for --mode dvr and mip"));
        }
        if self.window.is_some() && !has_function {
            return Err(Failure::usage("--window is for --mode dvr and mip"));
        }
        Ok(options)
    }

    /// Adds the transfer function.
    ///
    /// # Errors
    /// [`Failure`] of its file.
    pub fn choose(&self, options: LookOptions) -> Result<Choice, Failure> {
        let (transfer, name) = match &self.transfer {
            None => (None, None),
            Some(Transfer::Preset(preset)) => (Some(volume::Transfer::Preset(*preset)), None),
            Some(Transfer::File(path)) => {
                let function = volume::Transfer::Function(transfer::read(path)?);
                (Some(function), Some(path.display().to_string()))
            }
        };
        Ok(Choice { options: options.with(|o| o.transfer = transfer), transfer: name })
    }

    /// Returns the failure of a scene with this look.
    pub fn failure(&self, error: RenderError) -> Failure {
        match (error, &self.transfer) {
            (RenderError::Constant, _) => Failure::usage("all voxels have the same value")
                .hint("use --window LOW..HIGH, or --transfer FILE"),
            (error @ RenderError::Precision { .. }, _) => {
                render_failure(error).hint("subtract the smallest value, or store the voxels in 32 bits")
            }
            (RenderError::Transparent, Some(Transfer::File(path))) => {
                Failure::new(Exit::Invalid, RenderError::Transparent).of_path(path)
            }
            (error, _) => render_failure(error),
        }
    }
}

//! Options of `volume render` about the look.

use crate::{
    commands::volume::{
        failure::{render_failure, volume_failure},
        values::window,
    },
    exit::Exit,
    failure::Failure,
};
use brickwork_toolkit::volume::{LookOptions, RenderMode, TransferChoice, VolumeError};
use brickwork_volume::render::RenderError;
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
    #[arg(long, visible_alias = "preset", value_name = "NAME|FILE", help_heading = "Rendering")]
    transfer: Option<TransferChoice>,

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

    /// Treat the values of --window, --iso and a file of --transfer without "values" as stored numbers.
    /// If slopes differ from slice to slice, physical values are rendered, and with this option stored
    /// numbers
    #[arg(long, help_heading = "Rendering")]
    stored: bool,
}

impl LookArgs {
    /// Returns the options of the look. A file of a transfer function is read.
    ///
    /// # Errors
    /// [`Failure`] of the file.
    pub fn options(&self) -> Result<LookOptions, Failure> {
        let transfer =
            self.transfer.as_ref().map(TransferChoice::open).transpose().map_err(volume_failure)?;
        Ok(LookOptions::default().with(|o| {
            o.mode = self.mode.map(Into::into);
            o.iso = self.iso;
            o.window = self.window;
            o.stored_values = self.stored;
            o.transfer = transfer;
        }))
    }

    /// Returns the name of the file with the transfer function.
    pub fn file(&self) -> Option<String> {
        match &self.transfer {
            Some(TransferChoice::File(path)) => Some(path.display().to_string()),
            Some(TransferChoice::Preset(_)) | None => None,
        }
    }

    /// Returns the failure of a volume with this look.
    pub fn failure(&self, error: VolumeError) -> Failure {
        const PRECISION: &str = "subtract the smallest value, or store the voxels in 32 bits";
        let error = match error {
            VolumeError::Render(error) => error,
            error @ VolumeError::Channel { error: RenderError::Precision { .. }, .. } => {
                return volume_failure(error).hint(PRECISION);
            }
            error => return volume_failure(error),
        };
        match (error, &self.transfer) {
            (RenderError::Constant, _) => Failure::usage("all voxels have the same value")
                .hint("use --window LOW..HIGH, or --transfer FILE"),
            (error @ RenderError::Precision { .. }, _) => render_failure(error).hint(PRECISION),
            (RenderError::Transparent, Some(TransferChoice::File(path))) => {
                Failure::new(Exit::Invalid, RenderError::Transparent).of_path(path)
            }
            (error, _) => render_failure(error),
        }
    }
}

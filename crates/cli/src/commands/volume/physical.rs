//! Physical values, such as Hounsfield units: applied on request, and notes if they are lost.

use super::{failure::failure, input::print_notes};
use crate::{failure::Failure, report::note};
use brickwork_formats::{OpenedVolume, VolumeFormat, lost_fields, rescale};
use brickwork_toolkit::volume::LostRescaling;
use brickwork_volume::Task;

/// Choice between stored numbers and physical values.
#[derive(clap::Args)]
pub struct RescaleArgs {
    /// Write physical values, such as Hounsfield units, instead of stored numbers: apply the slope and
    /// intercept of the source. The result has the smallest integer type that represents it exactly, else f32
    /// (f64 if the stored numbers have more than 24 bits)
    #[arg(long, help_heading = "Output")]
    rescale: bool,
}

impl RescaleArgs {
    /// Converts `volume`, which was read from `name`, to physical values if the options require it. Prints
    /// the notes on the volume. Unless `quiet` is true, another note lists the metadata that `format` cannot
    /// store.
    ///
    /// # Errors
    /// [`Failure`] with the input's name, if the voxels cannot be read.
    pub fn apply(
        &self,
        volume: OpenedVolume,
        format: VolumeFormat,
        name: &str,
        quiet: bool,
    ) -> Result<OpenedVolume, Failure> {
        print_notes(&volume.notes, name, quiet);
        for lost in lost_fields(&volume.header, format).iter().filter(|_| !quiet) {
            note(&format!("{name}: {lost}"));
        }
        let is_known = volume.header.rescaling().is_some();
        if self.rescale && is_known {
            return rescale(volume, &Task::new()).map_err(|error| failure(error.kind(), &error).of(name));
        }
        if self.rescale && !quiet {
            note(&format!(
                "{name}: neither slope nor intercept is known; the numbers stay as they are stored"
            ));
        } else if let Some(lost) = LostRescaling::of(&volume.header, format).filter(|_| !quiet) {
            note(&format!("{name}: {lost}; the numbers stay as they are stored (--rescale applies it)"));
        }
        Ok(volume)
    }
}

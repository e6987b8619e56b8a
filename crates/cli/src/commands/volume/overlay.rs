//! Options `--overlay…`: labels of another volume over slices and renderings.

use super::{
    failure::volume_failure,
    input::{RawArgs, file_ids, print_notes},
};
use crate::{
    failure::Failure,
    input::{FileId, Input},
    report::note,
};
use brickwork_toolkit::{
    report::path_text,
    volume::{LabelSet, Overlay, OverlayOptions, VolumeError, VolumeInput, VolumePart, values},
};
use std::path::{Path, PathBuf};

/// Labels over an image.
#[derive(clap::Args)]
pub struct OverlayArgs {
    /// Volume of labels (segmentation IDs) of the same dimensions, of any format; one frame is used for all.
    /// Slices use the colours of its file, if it has some; renderings use generated ones, and show the first
    /// voxel of a label that a ray meets, also inside the volume
    #[arg(long, value_name = "FILE", help_heading = "Overlay")]
    overlay: Option<PathBuf>,

    /// Opacity of the labels, 0 to 1
    #[arg(
        long,
        value_name = "OPACITY",
        value_parser = values::opacity,
        default_value = "0.5",
        requires = "overlay",
        help_heading = "Overlay"
    )]
    overlay_opacity: f64,

    /// Labels to show, such as 1,3,7-9 [default: all except 0]
    #[arg(long, value_name = "LABELS", requires = "overlay", help_heading = "Overlay")]
    overlay_labels: Option<LabelSet>,
}

/// An open overlay, if there is one.
pub struct OpenOverlay {
    pub overlay: Option<Overlay>,
    /// Name of its file.
    pub name: Option<String>,
    /// The files of the volume and of the overlay, which must not be overwritten.
    pub inputs: Vec<FileId>,
}

impl OverlayArgs {
    /// Opens the labels of a part of the volume `name`, and notes if they are elsewhere by their geometry.
    ///
    /// # Errors
    /// [`Failure`] with the names of both.
    pub fn open(
        &self,
        part: &VolumePart,
        name: &str,
        outline: Option<usize>,
        max_memory: Option<u64>,
        quiet: bool,
    ) -> Result<OpenOverlay, Failure> {
        let mut inputs = file_ids(part.files());
        let Some(path) = &self.overlay else { return Ok(OpenOverlay { overlay: None, name: None, inputs }) };
        let (labels, labels_name) = open_labels("--overlay", path, max_memory, quiet)?;
        inputs.extend(file_ids(labels.files()));
        let options = OverlayOptions::default().with(|o| {
            (o.opacity, o.outline) = (self.overlay_opacity, outline);
            o.labels.clone_from(&self.overlay_labels);
        });
        let overlay = Overlay::new(labels, part, options).map_err(|error| {
            let is_of_both =
                matches!(error, VolumeError::OverlayDims { .. } | VolumeError::OverlayFrames { .. });
            let names = if is_of_both { format!("{labels_name}, {name}") } else { labels_name.clone() };
            let is_of_channels = matches!(error, VolumeError::OverlayChannels(_));
            let failure = volume_failure(error).of(names);
            let hint = "`brickwork volume extract --channel` makes a file of one";
            if is_of_channels { failure.hint(hint) } else { failure }
        })?;
        if let Some(distance) = overlay.geometry_difference(part).filter(|_| !quiet) {
            note(&elsewhere(&labels_name, name, distance));
        }
        Ok(OpenOverlay { overlay: Some(overlay), name: Some(labels_name), inputs })
    }

    /// Prints notes on the labels, with the name of their file.
    pub fn print_notes(&self, notes: &[String], quiet: bool) {
        let name = self.overlay.as_deref().map(path_text).unwrap_or_default();
        for text in notes.iter().filter(|_| !quiet) {
            note(&format!("{name}: {text}"));
        }
    }

    /// Returns the failure of the overlay, with the name of its file, or that of the volume.
    pub fn failure(&self, error: VolumeError, of_volume: impl FnOnce(VolumeError) -> Failure) -> Failure {
        match (error, &self.overlay) {
            (error @ VolumeError::Overlay(_), Some(path)) => volume_failure(error).of_path(path),
            (error, _) => of_volume(error),
        }
    }
}

/// Opens the volume of labels that an option names, and prints its notes. Also returns its name.
///
/// # Errors
/// [`Failure`] with the name of the option or the file.
pub fn open_labels(
    option: &str,
    path: &Path,
    max_memory: Option<u64>,
    quiet: bool,
) -> Result<(VolumeInput, String), Failure> {
    if path.as_os_str() == "-" {
        return Err(Failure::usage(format!("{option} needs a file, not standard input")));
    }
    let input = Input::of(path);
    let labels = RawArgs::default().open_input(&input, max_memory)?;
    print_notes(labels.notes(), &input.name(), quiet);
    Ok((labels, input.name()))
}

/// Returns the note on labels whose geometry differs from that of a volume.
pub fn elsewhere(labels: &str, volume: &str, distance: f64) -> String {
    format!(
        "{labels}: by its geometry, a voxel is up to {distance:.3} mm away from that of {volume}; voxels \
         with the same indices belong together"
    )
}

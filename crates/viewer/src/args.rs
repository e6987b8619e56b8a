//! The command line.

use crate::{
    failure::{Exit, Failure},
    state::{Mode, StandardView},
};
use brickwork_toolkit::device::{AdapterChoice, DeviceChoice};
use brickwork_volume::render::{Preset, Up};
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

/// Show a volume: turn it, cut it, edit its transfer function
///
/// The input is a .bwv file, which is shown as it is, or any volume that "brickwork volume encode" takes,
/// which is compressed in memory first: NRRD, MetaImage, NIfTI, MRC, VTI, TIFF, DICOM, a folder of slices.
#[derive(Parser)]
#[command(
    name = "brickwork-view",
    version,
    max_term_width = 100,
    after_help = "Examples:
  brickwork-view scan.bwv
  brickwork-view ct/ --preset ct-skin
  brickwork-view atlas.nii.gz --labels
  brickwork-view scan.bwv --screenshot scan.png --size 1920x1080",
    after_long_help = "Examples:
  brickwork-view scan.bwv
  brickwork-view ct/ --preset ct-skin
  brickwork-view atlas.nii.gz --labels
  brickwork-view scan.bwv --screenshot scan.png --size 1920x1080

Mouse:
  drag                       turn
  right drag, shift and drag move
  wheel                      zoom; over a slice, to the next one

Keys:
  1 2 3 4 5 6                front, back, left, right, top, bottom
  0                          the whole volume, as it was first seen
  arrows, + -                turn, zoom
  M                          next mode
  O                          perspective on or off
  S                          save the picture
  Ctrl+O                     open a volume

Exit codes:
  0  done
  1  invalid command line or environment variable
  2  a file could not be found, read or written
  3  the input file breaks its format's rules
  4  there is no display, the GPU failed, or memory ran out
  5  the file needs something that Brickwork does not support"
)]
pub struct Args {
    /// Volume, or folder of slices
    #[arg(value_name = "INPUT")]
    pub input: Option<PathBuf>,

    /// The voxels are labels (segmentation IDs), not intensities; a .bwv file states this itself
    #[arg(long)]
    pub labels: bool,

    /// First rendering mode [default: labels for labels, else dvr]
    #[arg(long, value_name = "MODE", help_heading = "Rendering")]
    pub mode: Option<Mode>,

    /// Transfer function, fitted to the volume: ct-bone, ct-skin, mri, fire or grey [default: what suits the
    /// values]
    #[arg(long, value_name = "NAME", help_heading = "Rendering")]
    pub preset: Option<Preset>,

    /// Value of the isosurface; implies --mode iso [default: what suits the values]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Rendering")]
    pub iso: Option<f64>,

    /// Side that is seen first: front, back, left, right, top or bottom [default: a little from the left]
    #[arg(long, value_name = "SIDE", value_parser = side, help_heading = "Rendering")]
    pub view: Option<StandardView>,

    /// Axis that is up: x, -x, y, -y, z or -z [default: z, and -y for image files]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, help_heading = "Rendering")]
    pub up: Option<Up>,

    /// Save a screenshot of the window as PNG once all is shown, and quit
    #[arg(long, value_name = "FILE", requires = "input", help_heading = "Window")]
    pub screenshot: Option<PathBuf>,

    /// Width and height of the window
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size, help_heading = "Window")]
    pub size: [u32; 2],

    /// Device that renders [default: auto]
    #[arg(long, value_name = "NAME", help_heading = "Machine")]
    device: Option<DeviceName>,

    /// GPU to use, by its number or part of its name in "brickwork devices"; implies --device gpu
    #[arg(long, value_name = "NUMBER|NAME", help_heading = "Machine")]
    adapter: Option<String>,
}

/// The values of `--device`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DeviceName {
    /// A GPU, or the CPU if there is no hardware GPU or it fails
    Auto,
    /// The CPU
    Cpu,
    /// A GPU, even a software one
    Gpu,
}

impl Args {
    /// Returns the choice of the device.
    ///
    /// # Errors
    /// [`Failure`] if the options contradict each other.
    pub fn device(&self) -> Result<DeviceChoice, Failure> {
        match (self.device, &self.adapter) {
            (Some(DeviceName::Cpu), Some(_)) => {
                Err(Failure::new(Exit::Usage, "--adapter names a GPU, but --device cpu uses none"))
            }
            (_, Some(adapter)) => Ok(DeviceChoice::Gpu(AdapterChoice::parse(adapter))),
            (Some(DeviceName::Gpu), None) => Ok(DeviceChoice::Gpu(AdapterChoice::Best)),
            (Some(DeviceName::Cpu), None) => Ok(DeviceChoice::Cpu),
            (Some(DeviceName::Auto) | None, None) => Ok(DeviceChoice::Auto),
        }
    }
}

fn side(text: &str) -> Result<StandardView, String> {
    let found = StandardView::ALL.into_iter().find(|view| view.name().eq_ignore_ascii_case(text));
    found.ok_or_else(|| "expected front, back, left, right, top or bottom".to_owned())
}

/// Parses a size such as `1920x1080`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let sides: Option<Vec<u32>> = text.split('x').map(|side| side.trim().parse().ok()).collect();
    match sides.as_deref() {
        Some(&[width, height]) if width.min(height) >= 400 && width.max(height) <= 8192 => {
            Ok([width, height])
        }
        _ => Err("expected width and height of 400 to 8192, such as 1920x1080".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn values_are_read() {
        let parse = |line: &str| Args::try_parse_from(line.split(' '));
        let args = parse("view a.bwv --view Top --size 640x480 --mode mip --up -y --iso -3").expect("valid");
        assert_eq!((args.view, args.size, args.up), (Some(StandardView::Top), [640, 480], Some(Up::MinusY)));
        assert_eq!((args.mode, args.iso), (Some(Mode::Mip), Some(-3.0)));
        assert_eq!(args.device().expect("no contradiction"), DeviceChoice::Auto);
        for wrong in ["view a --size 10x10", "view a --size 640", "view a --view up", "view --screenshot a"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse("view a --device cpu --adapter 1").expect("valid").device().is_err());
    }
}

//! Errors of the library as failures of the program.

use crate::{exit::Exit, failure::Failure, words::one_line};
use brickwork_formats::{
    DicomFeature, FormatError, OpenError, PageStackFeature, SlicesError, UnsupportedFeature, VolumeFormat,
    ZarrFeature,
};
use brickwork_toolkit::volume::{TransferFault, VolumeError};
use brickwork_volume::{ErrorKind, VolumeReadError, render::RenderError};

/// Advice for a program that was built without the feature `zarr`: the command of docs/volumes.md.
pub const ZARR_HINT: &str =
    "in the repository, run `cargo install --locked --path crates/cli --features zarr`";

/// Advice for a program that was built without the feature `dicom-jpegs`.
const JPEGS_HINT: &str =
    "in the repository, run `cargo install --locked --path crates/cli --features dicom-jpegs`";

/// Returns the failure for an error of the given kind, in words for people.
pub fn failure(kind: ErrorKind, error: impl std::fmt::Display) -> Failure {
    let exit = match kind {
        ErrorKind::Argument => Exit::Usage,
        ErrorKind::Invalid => Exit::Invalid,
        ErrorKind::Unsupported => Exit::Unsupported,
        ErrorKind::Limit => Exit::Runtime,
        ErrorKind::Io => Exit::Io,
        _ => Exit::Runtime,
    };
    // Rust's library uses these words.
    Failure::new(exit, error.to_string().replace("failed to fill whole buffer", "the file ends too soon"))
}

/// Returns the failure of reading a `.bwv` file.
pub fn read_failure(error: &VolumeReadError) -> Failure {
    failure(error.kind(), error)
}

/// Returns the failure of loading a volume.
pub fn volume_failure(error: VolumeError) -> Failure {
    match error {
        VolumeError::Render(error) => render_failure(error),
        VolumeError::Overlay(error) => volume_failure(*error),
        VolumeError::OptionOfMode { option, modes } => {
            Failure::usage(format!("--{option} is for --mode {modes}"))
        }
        VolumeError::Transfer { path, reason: TransferFault::Io(error) } => {
            Failure::io(&error).of_path(&path)
        }
        VolumeError::Transfer { path, reason: TransferFault::Invalid(reason) } => {
            Failure::new(Exit::Invalid, reason).of_path(&path)
        }
        error => failure(error.kind(), one_line(&error)),
    }
}

/// Returns the failure of a call that renders.
pub fn render_failure(error: RenderError) -> Failure {
    failure(error.kind(), one_line(&error))
}

/// True if a file with this name is an image. TIFF files are excluded, because they may be volumes.
fn is_picture(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    ["png", "jpg", "jpeg", "bmp", "gif", "webp", "tga"].contains(&extension.as_str())
}

/// True if files of raw voxels often have this name: no extension, or one that belongs to no other format.
fn is_of_raw_voxels(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    ["", "raw", "bin", "dat", "data", "img", "vol"].contains(&extension.as_str())
}

/// Formats of volumes that are not read: extensions, name, and how to convert a file.
const OTHER_FORMATS: [(&[&str], &str, &str); 10] = [
    (&["vtk"], "the legacy format of VTK", "save it as .vti, such as with ParaView"),
    (
        &["vtu", "vtp", "vts", "vtr", "pvti"],
        "a mesh or a collection of VTK",
        "save an image of one piece as .vti",
    ),
    (&["npz"], "an archive of NumPy arrays", "read one with numpy.load, and save it with numpy.save as .npy"),
    (
        &["h5", "hdf5", "hdf", "he5", "ims", "mat", "nc"],
        "HDF5, NetCDF or MATLAB",
        "save one array as .npy or .nrrd",
    ),
    (&["mnc"], "MINC", "convert it with mnc2nii"),
    (
        &["czi", "nd2", "lif", "oib", "oif", "oir", "vsi", "dv", "ics", "ids"],
        "a format of a microscope",
        "convert it to OME-TIFF, such as with bfconvert of Bio-Formats",
    ),
    (&["head", "brik"], "AFNI", "convert it with 3dAFNItoNIFTI"),
    (&["par"], "PAR/REC of Philips", "convert it with dcm2niix"),
    (&["am"], "AmiraMesh", "export it as .nrrd or TIFF"),
    (&["gipl"], "GIPL", "convert it, such as with ITK-SNAP, to .nii.gz"),
];

/// Returns the failure for a file with the name of a format that is not read.
fn other_format(name: &str) -> Option<Failure> {
    let lower = name.to_ascii_lowercase();
    let bare = lower.strip_suffix(".gz").unwrap_or(&lower);
    let (_, extension) = bare.rsplit_once('.')?;
    let (_, format, advice) = OTHER_FORMATS.iter().find(|(all, ..)| all.contains(&extension))?;
    Some(Failure::new(Exit::Unsupported, format!("by its name, {format}, which is not read")).hint(advice))
}

/// True for a file, or a slice, that the feature `dicom-jpegs` would read.
fn needs_jpegs(error: &FormatError) -> bool {
    match error {
        FormatError::Slice { reason, .. } => needs_jpegs(reason),
        FormatError::Unsupported(UnsupportedFeature::Dicom(feature)) => {
            matches!(feature, DicomFeature::Build { .. })
        }
        _ => false,
    }
}

/// Returns the failure of opening the volume `name`.
pub fn open_failure(error: &OpenError, name: impl std::fmt::Display) -> Failure {
    if let Some((path, reason)) = error.voxel_file() {
        return failure(reason.kind(), reason).of_path(path);
    }
    let failure = failure(error.kind(), error);
    let failure = match error {
        // (It is a ZIP archive, as of Zarr.)
        OpenError::Format(_) if name.to_string().to_ascii_lowercase().ends_with(".npz") => {
            other_format(&name.to_string()).unwrap_or(failure)
        }
        OpenError::Undescribed if is_picture(&name.to_string()) => {
            Failure::usage("a single picture is not a volume").hint("name the folder that holds the slices")
        }
        OpenError::Undescribed if is_of_raw_voxels(&name.to_string()) => {
            failure.hint("add --dims 512x512x361 --type u16")
        }
        OpenError::Undescribed => other_format(&name.to_string()).unwrap_or_else(|| {
            Failure::usage("the file has no known format").hint(
                "use .bwv, NRRD, MetaImage, NIfTI, Analyze, MRC, MGH, NumPy, VTI, TIFF or DICOM, or --dims \
                 and --type for raw voxels",
            )
        }),
        OpenError::Described => {
            failure.hint("--dims, --type, --channels, --frames, --big-endian and --offset are for raw voxels")
        }
        OpenError::Format(FormatError::Unsupported(UnsupportedFeature::Build {
            format: VolumeFormat::Zarr,
            ..
        })) => failure.hint(ZARR_HINT),
        OpenError::Format(FormatError::Unsupported(UnsupportedFeature::Zarr(ZarrFeature::Group(_)))) => {
            if std::path::Path::new(&name.to_string()).is_dir() {
                failure.hint(format!("name an array or an image in it, such as {name}/0"))
            } else {
                failure.hint("unpack it, and name an array or an image in the folder")
            }
        }
        OpenError::Format(FormatError::Unsupported(UnsupportedFeature::PageStack(
            PageStackFeature::Channels { channels, samples: 1 },
        ))) => {
            let last = channels - 1;
            failure.hint(format!("`volume convert --channel N` reads one of the channels 0 to {last}"))
        }
        OpenError::Format(error) if needs_jpegs(error) => failure.hint(JPEGS_HINT),
        OpenError::Format(FormatError::OverLimit { .. }) => failure.hint("raise it with --max-memory"),
        OpenError::Format(FormatError::Slices(error)) => match error {
            SlicesError::Series(_) | SlicesError::Names(_) => failure.hint("choose one, such as --series 0"),
            SlicesError::Gap { .. } | SlicesError::Numbers { .. } => {
                failure.hint("--allow-gaps joins the slices on both sides of the gap")
            }
            _ => failure,
        },
        _ => failure,
    };
    failure.of(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_is_the_command_of_the_guide() {
        for hint in [ZARR_HINT, JPEGS_HINT] {
            let command = hint.split('`').nth(1).expect("a command");
            assert!(include_str!("../../../../../docs/volumes.md").contains(command));
        }
    }

    #[test]
    fn a_transfer_syntax_of_a_feature_comes_with_its_command() {
        let uid = "1.2.840.10008.1.2.4.90".to_owned();
        let feature = DicomFeature::Build { uid, name: "JPEG 2000", feature: "dicom-jpegs" };
        let error = FormatError::from(feature);
        let slice = FormatError::Slice { slice: "1.dcm".to_owned(), reason: Box::new(error) };
        let failure = open_failure(&OpenError::Format(slice), "ct");
        assert_eq!(failure.exit, Exit::Unsupported);
        let text = format!("{failure:?}");
        assert!(text.contains("1.dcm: the transfer syntax 1.2.840.10008.1.2.4.90 (JPEG 2000)"), "{text}");
        assert!(text.contains(JPEGS_HINT), "{text}");
    }
}

//! Opens volumes of any format: recognizes the format and streams the voxels from the first one on.
//!
//! | file | contents |
//! |---|---|
//! | `detect.rs` | the format, by the first bytes |
//! | `mod.rs`, `pipe.rs` | volumes from a path; from a pipe |
//! | `voxels.rs` | the voxels of a header: behind it, or in other files |
//! | `packed.rs` | NIfTI, MRC and MGH, packed or not |
//! | `source.rs` | formats that are read more than once |
//! | `folder.rs` | slices of images or DICOM |

mod detect;
#[cfg(feature = "io")]
pub mod folder;
mod packed;
mod pipe;
mod source;
mod voxels;

pub use pipe::VolumePipe;

use crate::{
    FormatError, OpenError, OpenedVolume, RawLayout, VolumeFormat, VolumeOpenOptions, metaimage, npy, nrrd,
    opened::source::Source, zarr,
};
use brickwork_volume::Task;
use detect::header_beside;
use packed::{open_mgh, open_mrc, open_nifti};
use source::open_source;
use std::{fs::File, io::Read as _, path::Path};
use voxels::{check_axes, check_level, check_slices, open_file, with_channel, with_voxels};

/// Opens the volume at `path`, of any format: a file, a header whose voxels are in another file, or a folder
/// of slices. Reads headers, but no voxels yet. Opens pipes like [`VolumePipe`].
///
/// Reports the number of files or pages examined. The stream of voxels keeps the task's token: if it is
/// cancelled, a later call also stops.
///
/// ```no_run
/// use brickwork_formats::{VolumeFormat, open, write_volume};
/// use brickwork_volume::Task;
///
/// let task = Task::new();
/// let volume = open("scan.nrrd", &Default::default(), &task)?;
/// let file = std::fs::File::create("scan.bwv")?;
/// write_volume(volume, VolumeFormat::Bwv, &Default::default(), file, &task)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`OpenError`]. Without the features `io`, `dicom` and `zarr`, the formats that need them are not
/// supported.
pub fn open(
    path: impl AsRef<Path>,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    let path = path.as_ref();
    let is_described = options.raw != RawLayout::default();
    let format = match options.format.or_else(|| VolumeFormat::of_path(path)) {
        Some(format) => format,
        None if is_described => VolumeFormat::Raw,
        None => VolumeFormat::detect(path)?,
    };
    if is_described && format != VolumeFormat::Raw {
        return Err(OpenError::Described);
    }
    // If the name does not decide, the first bytes of a pipe do.
    let is_told = options.format.or_else(|| VolumeFormat::of_path(path)).is_some() || is_described;
    if !is_told && !std::fs::metadata(path)?.is_file() {
        return VolumePipe::new(File::open(path)?)?.open(options, task);
    }
    if !is_described {
        check_pointer(path)?;
    }
    if options.array.is_some() && format != VolumeFormat::Vti {
        return Err(OpenError::Arrays(format));
    }
    let is_pair = matches!(format, VolumeFormat::Nifti | VolumeFormat::NiftiGz);
    let header_path = if is_pair { header_beside(path) } else { None };
    let path = header_path.as_deref().unwrap_or(path);
    check_axes(format, options)?;
    let mut channel = options.channel;
    let mut volume = match format {
        VolumeFormat::Raw => OpenedVolume::from_raw(open_file(path, task)?, &options.raw)?,
        VolumeFormat::Nrrd => {
            let mut file = open_file(path, task)?;
            let header = nrrd::read_header(&mut file)?;
            with_voxels(format, path, (file, false), header, |path| open_file(path, task))?
        }
        VolumeFormat::MetaImage => {
            let mut file = open_file(path, task)?;
            let header = metaimage::read_header(&mut file)?;
            with_voxels(format, path, (file, false), header, |path| open_file(path, task))?
        }
        VolumeFormat::Npy => {
            let mut file = open_file(path, task)?;
            let header = npy::read_header(&mut file, options.axes)?;
            let file = npy::rewindable(file, &header, options.max_memory, task)?;
            with_voxels(format, path, (file, false), header, |path| open_file(path, task))?
        }
        VolumeFormat::Mrc => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            open_mrc(open_file(path, task)?, &name, options.max_memory, task)?
        }
        VolumeFormat::Mgh => open_mgh(open_file(path, task)?)?,
        VolumeFormat::Nifti | VolumeFormat::NiftiGz | VolumeFormat::NiftiZst => {
            open_nifti(format, path, &mut channel, task)?
        }
        #[cfg(feature = "io")]
        VolumeFormat::Folder => folder::open(path, options, task)?,
        #[cfg(not(feature = "io"))]
        VolumeFormat::Folder => {
            return Err(FormatError::from(crate::UnsupportedFeature::Build { format, feature: "io" }).into());
        }
        VolumeFormat::Zarr => return zarr::open_level(path, options, task),
        VolumeFormat::Bwv | VolumeFormat::Vti | VolumeFormat::Tiff | VolumeFormat::Dicom => {
            open_source(format, Source::of_path(path, options.max_memory, task)?, options, task)?
        }
    };
    if volume.files.is_empty() {
        volume.files.push(path.to_owned());
    }
    check_slices(&volume, options)?;
    check_level(&volume, options)?;
    volume.voxels = volume.voxels.stopped_by(task);
    with_channel(volume, channel)
}

/// Starts of small files that replace large ones in Git repositories, their program, and its command.
const POINTERS: [(&[u8], &str, &str); 2] = [
    (b"version https://git-lfs.github.com/spec/", "Git LFS", "git lfs pull"),
    (b"/annex/objects/", "git-annex", "git annex get"),
];

/// Refuses a file that only names the volume.
fn check_pointer(path: &Path) -> Result<(), OpenError> {
    if !std::fs::metadata(path)?.is_file() {
        return Ok(());
    }
    let mut start = Vec::new();
    File::open(path)?.take(POINTERS[0].0.len() as u64).read_to_end(&mut start)?;
    match POINTERS.iter().find(|pointer| start.starts_with(pointer.0)) {
        Some(&(_, program, command)) => Err(FormatError::Pointer { program, command }.into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, ErrorKind, VoxelType};
    use std::{fs, io};

    #[test]
    fn raw_voxels_need_a_description() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.raw");
        fs::write(&path, [1, 2, 3, 4, 5, 6]).expect("a file");
        let error = open(&path, &VolumeOpenOptions::default(), &Task::new()).expect_err("no dims");
        assert!(matches!(error, OpenError::Undescribed) && error.kind() == ErrorKind::Argument);
        let raw = RawLayout::new(VoxelType::U8, Dims::new(3, 2, 1));
        let options = VolumeOpenOptions { raw, ..VolumeOpenOptions::default() };
        let mut volume = open(&path, &options, &Task::new()).expect("raw voxels");
        let mut bytes = Vec::new();
        volume.voxels.read_to_end(&mut bytes).expect("six bytes");
        assert_eq!((volume.header.dims, bytes.len()), (Dims::new(3, 2, 1), 6));
        let like = RawLayout { frames: Some(2), ..RawLayout::default() }.like(&volume.header);
        assert_eq!(like, RawLayout { frames: Some(2), channels: Some(1), ..raw });
        assert!(
            open(folder.path().join("b.raw"), &options, &Task::new())
                .is_err_and(|e| e.kind() == ErrorKind::Io)
        );
    }

    #[test]
    fn content_tells_the_format_where_the_name_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scan.dat");
        fs::write(&path, "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: raw\n\nab")
            .expect("a file");
        let volume = open(&path, &VolumeOpenOptions::default(), &Task::new()).expect("NRRD");
        assert_eq!((volume.format, volume.header.dims), (VolumeFormat::Nrrd, Dims::new(1, 1, 2)));
        // A caller that describes voxels wants these bytes.
        let raw = RawLayout::new(VoxelType::U8, Dims::new(1, 1, 64));
        let volume = open(&path, &VolumeOpenOptions { raw, ..VolumeOpenOptions::default() }, &Task::new())
            .expect("raw voxels");
        assert_eq!(volume.format, VolumeFormat::Raw);
        let forced = VolumeOpenOptions { format: Some(VolumeFormat::Bwv), ..VolumeOpenOptions::default() };
        let error = open(&path, &forced, &Task::new()).expect_err("NRRD");
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert_eq!(error.to_string(), "not a .bwv file: its first bytes differ");
    }

    #[test]
    fn encoded_voxels_are_found_behind_what_is_skipped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let gzip = |bytes: &[u8]| {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            io::Write::write_all(&mut packed, bytes).expect("memory");
            packed.finish().expect("memory")
        };
        let nrrd = |encoding: &str, skip: u32| {
            format!(
                "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 3 1 1\nencoding: {encoding}\n\
                 data file: voxels.bin\nbyte skip: {skip}\n\n"
            )
        };
        let meta = |line: &str, skip: u32| {
            format!(
                "NDims = 3\nDimSize = 3 1 1\n{line}\nHeaderSize = {skip}\nElementType = MET_UCHAR\n\
                 ElementDataFile = voxels.bin\n"
            )
        };
        let packed = gzip(&[9, 9, 1, 2, 3]);
        for (name, header, voxels) in [
            ("a.nhdr", nrrd("gzip", 2), packed.clone()),
            ("a.nhdr", nrrd("ascii", 2), b"9 1 2\n3\n".to_vec()),
            ("a.mhd", meta("CompressedData = True", 4), [b"skip".to_vec(), gzip(&[1, 2, 3])].concat()),
            ("a.mhd", meta("BinaryData = False", 2), b"9 1 2 3".to_vec()),
        ] {
            fs::write(path(name), &header).expect("a file");
            fs::write(path("voxels.bin"), voxels).expect("a file");
            let mut volume =
                open(path(name), &VolumeOpenOptions::default(), &Task::new()).expect("both files");
            let mut bytes = Vec::new();
            volume.voxels.read_to_end(&mut bytes).expect("three bytes");
            assert_eq!(bytes, [1, 2, 3], "{header}");
        }
    }

    #[test]
    fn voxels_in_a_file_of_their_own_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let header = "NDims = 3\nDimSize = 2 1 1\nHeaderSize = 1\nElementType = MET_UCHAR\n\
                      ElementDataFile = voxels.bin\n";
        fs::write(path("a.mhd"), header).expect("a file");
        let error = open(path("a.mhd"), &VolumeOpenOptions::default(), &Task::new()).expect_err("no voxels");
        let (missing, reason) = error.voxel_file().expect("the other file");
        assert_eq!((missing, reason.kind()), (path("voxels.bin").as_path(), ErrorKind::Io));
        fs::write(path("voxels.bin"), [7, 8, 9]).expect("a file");
        let mut volume =
            open(path("a.mhd"), &VolumeOpenOptions::default(), &Task::new()).expect("both files");
        assert_eq!(volume.files, [path("a.mhd"), path("voxels.bin")]);
        let mut bytes = Vec::new();
        volume.voxels.read_to_end(&mut bytes).expect("two bytes");
        assert_eq!(bytes, [8, 9]);
    }
}

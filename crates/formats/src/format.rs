//! Formats of volumes, and the recognition of a file's format.

use crate::{mgh, npy};
use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// Number of first bytes that [`VolumeFormat::of_content`] needs: the magic of a NIfTI-1 header is at its
/// end.
pub(crate) const SNIFFED_BYTES: usize = 1024;

/// Files that a folder of Zarr has: the metadata of version 3, and of arrays and groups of version 2.
const ZARR_METADATA: [&str; 3] = ["zarr.json", ".zarray", ".zgroup"];

/// Extensions of files to which raw voxels are written. In reading, only `.raw` means raw voxels: the others
/// may have a header.
const RAW_EXTENSIONS: [&str; 3] = ["raw", "bin", "dat"];

/// Format of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VolumeFormat {
    /// Raw voxels, without a header.
    Raw,
    /// Brickwork's format (docs/volume-format.md).
    Bwv,
    /// NRRD, with the voxels in the same file or another.
    Nrrd,
    /// MetaImage, with the voxels in the same file or another.
    MetaImage,
    /// NIfTI, in one file or a pair; Analyze 7.5, whose pairs have the same names.
    Nifti,
    /// NIfTI, compressed by gzip.
    NiftiGz,
    /// FreeSurfer's volumes, packed by gzip or not.
    Mgh,
    /// Array of NumPy.
    Npy,
    /// Image of VTK's XML formats.
    Vti,
    /// TIFF file with a slice on each page.
    Tiff,
    /// DICOM file of one slice or several frames.
    Dicom,
    /// Folder of slices in PNG, TIFF, BMP, JPEG or DICOM files.
    Folder,
    /// Zarr array or OME-Zarr group in a folder. [`write_zarr`](crate::write_zarr) writes it, with the
    /// feature `zarr`.
    Zarr,
}

impl VolumeFormat {
    /// All formats.
    pub const ALL: &[Self] = &[
        Self::Raw,
        Self::Bwv,
        Self::Nrrd,
        Self::MetaImage,
        Self::Nifti,
        Self::NiftiGz,
        Self::Mgh,
        Self::Npy,
        Self::Vti,
        Self::Tiff,
        Self::Dicom,
        Self::Folder,
        Self::Zarr,
    ];

    /// Returns the name in reports: `raw`, `bwv`, `nifti-gz`, ….
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Bwv => "bwv",
            Self::Nrrd => "nrrd",
            Self::MetaImage => "metaimage",
            Self::Nifti => "nifti",
            Self::NiftiGz => "nifti-gz",
            Self::Mgh => "mgh",
            Self::Npy => "npy",
            Self::Vti => "vti",
            Self::Tiff => "tiff",
            Self::Dicom => "dicom",
            Self::Folder => "folder",
            Self::Zarr => "zarr",
        }
    }

    /// Returns the usual name for readers, such as `NIfTI, gzip`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Raw => "raw voxels",
            Self::Bwv => ".bwv",
            Self::Nrrd => "NRRD",
            Self::MetaImage => "MetaImage",
            Self::Nifti => "NIfTI",
            Self::NiftiGz => "NIfTI, gzip",
            Self::Mgh => "MGH",
            Self::Npy => "NumPy",
            Self::Vti => "VTI",
            Self::Tiff => "TIFF",
            Self::Dicom => "DICOM",
            Self::Folder => "slices",
            Self::Zarr => "Zarr",
        }
    }

    /// Returns the extensions of the format's files in lower case, without the first dot. If the format is
    /// written, its files get the first extension.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Raw => &["raw"],
            Self::Bwv => &["bwv"],
            Self::Nrrd => &["nrrd", "nhdr"],
            Self::MetaImage => &["mha", "mhd"],
            Self::Nifti => &["nii", "hdr"],
            Self::NiftiGz => &["nii.gz", "hdr.gz"],
            Self::Mgh => &["mgz", "mgh"],
            Self::Npy => &["npy"],
            Self::Vti => &["vti"],
            Self::Tiff => &["tif", "tiff"],
            Self::Dicom => &["dcm"],
            Self::Folder => &[],
            Self::Zarr => &["zarr"],
        }
    }

    /// True if [`write_volume`](crate::write_volume) writes the format.
    pub const fn is_written(self) -> bool {
        match self {
            Self::Raw
            | Self::Bwv
            | Self::Nrrd
            | Self::MetaImage
            | Self::Nifti
            | Self::NiftiGz
            | Self::Npy
            | Self::Vti => true,
            Self::Mgh | Self::Tiff | Self::Dicom | Self::Folder | Self::Zarr => false,
        }
    }

    /// Returns the format of a path: `Zarr` or `Folder` for a folder, else the format of the extension.
    /// Returns `None` if the name does not decide.
    pub fn of_path(path: &Path) -> Option<Self> {
        let is_folder = path.is_dir();
        if is_folder && ZARR_METADATA.iter().any(|name| path.join(name).is_file()) {
            return Some(Self::Zarr);
        }
        let named = split(path).and_then(|(_, extension)| Self::of_extension(&extension));
        if is_folder {
            Some(named.filter(|&format| format == Self::Zarr).unwrap_or(Self::Folder))
        } else {
            named
        }
    }

    fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.extensions().contains(&extension))
    }

    /// Returns the format of a file by its first bytes: at least 348, if the file has as many. Returns `None`
    /// for unrecognized formats, such as raw voxels. Recognizes the header of a NIfTI pair, but not
    /// compressed NIfTI.
    pub fn of_content(start: &[u8]) -> Option<Self> {
        let has = |at: usize, magic: &[u8]| start.get(at..).is_some_and(|rest| rest.starts_with(magic));
        let nifti1 = has(344, b"n+1\0") || has(344, b"ni1\0");
        let nifti2 = has(4, b"n+2\0\r\n\x1a\n") || has(4, b"ni2\0\r\n\x1a\n");
        let text = String::from_utf8_lossy(start);
        let is_meta_image = |line: &str| {
            let (key, value) = line.split_once('=').unwrap_or_default();
            matches!((key.trim(), value.trim()), ("ObjectType", "Image") | ("NDims", "2" | "3" | "4"))
        };
        if has(0, b"\x89BWV\r\n\x1a\n") {
            Some(Self::Bwv)
        } else if has(0, b"NRRD000") {
            Some(Self::Nrrd)
        } else if nifti1 || nifti2 {
            Some(Self::Nifti)
        } else if has(128, b"DICM") || has(0, b"DICM") || is_dicom_element(start) {
            Some(Self::Dicom)
        } else if [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"].into_iter().any(|magic| has(0, magic)) {
            Some(Self::Tiff)
        } else if has(0, npy::MAGIC) {
            Some(Self::Npy)
        } else if mgh::is_start(start) {
            Some(Self::Mgh)
        } else if text.starts_with('<') && text.contains("<VTKFile") && text.contains("ImageData") {
            Some(Self::Vti)
        } else if text.lines().next().is_some_and(is_meta_image) {
            Some(Self::MetaImage)
        } else {
            None
        }
    }

    /// Returns the format of the file at `path`, by its path or else by its content. The voxels of a NIfTI
    /// pair, `.img`, have the format of the header beside them. Files of no recognized format, and files that
    /// are not regular, count as raw voxels.
    ///
    /// # Errors
    /// Errors from reading the first bytes, if the path does not decide.
    pub fn detect(path: &Path) -> io::Result<Self> {
        if let Some(format) = Self::of_path(path) {
            return Ok(format);
        }
        if header_beside(path).is_some() {
            return Ok(Self::Nifti);
        }
        // The first bytes of a pipe would be lost.
        if !std::fs::metadata(path)?.is_file() {
            return Ok(Self::Raw);
        }
        let mut start = Vec::new();
        File::open(path)?.take(SNIFFED_BYTES as u64).read_to_end(&mut start)?;
        Ok(Self::of_content(&start).unwrap_or(Self::Raw))
    }

    /// Returns the format to write to a file of this name, by its extension. Raw voxels have `.raw`, `.bin`,
    /// `.dat` or no extension. Returns `None` if the extension names a format that is not written, such as
    /// `.mhd`, or is unknown, such as `.h5`.
    pub fn to_write(path: &Path) -> Option<Self> {
        // A name that is not UTF-8 has an extension, too.
        let name = path.to_string_lossy();
        let Some((_, extension)) = split(Path::new(&*name)) else { return Some(Self::Raw) };
        if RAW_EXTENSIONS.contains(&extension.as_str()) {
            return Some(Self::Raw);
        }
        let mut written = Self::ALL.iter().copied().filter(|format| format.is_written());
        written.find(|format| format.extensions()[0] == extension)
    }

    /// Returns `path` with its extension replaced by this format's: `scan.nii.gz` becomes `scan.bwv`. A
    /// folder has no extension.
    pub fn path_beside(self, path: &Path) -> PathBuf {
        let bare = without_extension(path);
        match self.extensions().first() {
            // `with_extension` would take the rest of `scan.v2.nii.gz` for another extension.
            Some(extension) => with_added(&bare, extension),
            None => bare,
        }
    }
}

/// Returns the header of a NIfTI pair or of Analyze whose voxels are at `path`, an `.img` or `.img.gz` file.
pub(crate) fn header_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let lower = name.to_ascii_lowercase();
    let end = [".img", ".img.gz"].into_iter().find(|end| lower.ends_with(end))?;
    let bare = path.with_file_name(&name[..name.len() - end.len()]);
    let plain = with_added(&bare, "hdr");
    // The headers of ENVI have the same name; they are text.
    let is_header = |path: &PathBuf| {
        let mut start = Vec::new();
        let read = File::open(path).and_then(|file| file.take(348).read_to_end(&mut start));
        let sizes = [348u32.to_le_bytes(), 348u32.to_be_bytes(), 540u32.to_le_bytes(), 540u32.to_be_bytes()];
        read.is_ok_and(|count| count == 348) && sizes.iter().any(|size| start.starts_with(size))
    };
    let packed = with_added(&bare, "hdr.gz");
    Some(plain).filter(is_header).or_else(|| Some(packed).filter(|path| path.is_file()))
}

/// Returns `path` with one more extension.
pub(crate) fn with_added(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(extension);
    path.with_file_name(name)
}

/// Returns `path` without its extension; `.nii.gz` is one extension.
pub(crate) fn without_extension(path: &Path) -> PathBuf {
    match split(path) {
        Some((stem, extension)) if extension.contains('.') => path.with_file_name(stem),
        _ => path.with_extension(""),
    }
}

/// Splits a file's name into the name without its extension, and the extension in lower case; `.nii.gz` and
/// `.hdr.gz` are one extension.
fn split(path: &Path) -> Option<(&str, String)> {
    let name = path.file_name()?.to_str()?;
    let (stem, extension) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let extension = extension.to_ascii_lowercase();
    if extension == "gz"
        && let Some((inner_stem, inner)) = stem.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())
    {
        let both = format!("{}.gz", inner.to_ascii_lowercase());
        if VolumeFormat::NiftiGz.extensions().contains(&both.as_str()) {
            return Some((inner_stem, both));
        }
    }
    Some((stem, extension))
}

/// True for a DICOM file without "DICM": its first element is a meta element, or text or an identifier of
/// group 0008.
fn is_dicom_element(start: &[u8]) -> bool {
    matches!(
        start,
        [2, 0, 0..=0x10, 0, b'U', b'I' | b'L', ..]
            | [2, 0, 1, 0, b'O', b'B', ..]
            | [8, 0, 0..=0x18, 0, b'U', b'I' | b'L', ..]
            | [8, 0, 5 | 8, 0, b'C', b'S', ..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use VolumeFormat::{Bwv, Dicom, Folder, MetaImage, Mgh, Nifti, NiftiGz, Npy, Nrrd, Raw, Tiff, Vti, Zarr};

    #[test]
    fn endings_tell_what_is_read_and_what_is_written() {
        for (name, read, written) in [
            ("a.bwv", Some(Bwv), Some(Bwv)),
            ("a.NRRD", Some(Nrrd), Some(Nrrd)),
            ("a.nhdr", Some(Nrrd), None),
            ("a.mha", Some(MetaImage), Some(MetaImage)),
            ("a.mhd", Some(MetaImage), None),
            ("a.nii", Some(Nifti), Some(Nifti)),
            ("a.b.NII.gz", Some(NiftiGz), Some(NiftiGz)),
            ("a.hdr", Some(Nifti), None),
            ("a.hdr.gz", Some(NiftiGz), None),
            ("a.vti", Some(Vti), Some(Vti)),
            ("a.tif", Some(Tiff), None),
            ("a.dcm", Some(Dicom), None),
            ("a.raw", Some(Raw), Some(Raw)),
            ("a.raw.gz", None, None),
            ("a.png", None, None),
            ("a.jpg", None, None),
            ("a.raw.bz2", None, None),
            ("a.dat", None, Some(Raw)),
            ("a.bin", None, Some(Raw)),
            ("a.npy", Some(Npy), Some(Npy)),
            ("a.MGZ", Some(Mgh), None),
            ("a.h5", None, None),
            ("a.zarr", Some(Zarr), None),
            ("a.nrd", None, None),
            ("a.img", None, None),
            ("a", None, Some(Raw)),
            (".nii", None, Some(Raw)),
        ] {
            let path = Path::new(name);
            assert_eq!(VolumeFormat::of_path(path), read, "{name}");
            assert_eq!(VolumeFormat::to_write(path), written, "{name}");
        }
        assert_eq!(VolumeFormat::of_path(Path::new(env!("CARGO_MANIFEST_DIR"))), Some(Folder));
        let folder = tempfile::tempdir().expect("a folder");
        let zarr = folder.path().join("empty.zarr");
        std::fs::create_dir(&zarr).expect("a folder");
        assert_eq!(VolumeFormat::of_path(&zarr), Some(Zarr));
        assert_eq!(VolumeFormat::of_path(folder.path()), Some(Folder));
        std::fs::write(folder.path().join(".zarray"), "{}").expect("a file");
        assert_eq!(VolumeFormat::of_path(folder.path()), Some(Zarr));
        #[cfg(unix)]
        for (name, written) in [(&b"\xfc.tif"[..], None), (b"\xfc.nrrd", Some(Nrrd)), (b"\xfc", Some(Raw))] {
            let path = Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name));
            assert_eq!(VolumeFormat::to_write(path), written, "{path:?}");
        }
    }

    #[test]
    fn another_ending_takes_the_place_of_the_whole_one() {
        for (path, format, want) in [
            ("s/scan.nii.gz", Bwv, "s/scan.bwv"),
            ("scan.v2.nii.gz", Bwv, "scan.v2.bwv"),
            ("scan.v2.raw", Bwv, "scan.v2.bwv"),
            ("scan.bwv", NiftiGz, "scan.nii.gz"),
            ("ct/", Bwv, "ct.bwv"),
            ("ct", Nrrd, "ct.nrrd"),
        ] {
            assert_eq!(format.path_beside(Path::new(path)), Path::new(want), "{path}");
        }
    }

    #[test]
    fn first_bytes_tell_the_format() {
        let at = |offset: usize, magic: &[u8]| [&vec![0; offset], magic].concat();
        for (start, want) in [
            (b"\x89BWV\r\n\x1a\n\x01".to_vec(), Some(Bwv)),
            (b"NRRD0004\n".to_vec(), Some(Nrrd)),
            (b"ObjectType = Image\nNDims = 3\n".to_vec(), Some(MetaImage)),
            (b"NDims=4\r\n".to_vec(), Some(MetaImage)),
            (b"ObjectType = Tube\n".to_vec(), None),
            (at(344, b"n+1\0"), Some(Nifti)),
            (at(344, b"ni1\0"), Some(Nifti)),
            (at(4, b"n+2\0\r\n\x1a\n"), Some(Nifti)),
            (b"<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\">".to_vec(), Some(Vti)),
            (b"<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">".to_vec(), None),
            (b"\x93NUMPY\x01\0".to_vec(), Some(Npy)),
            (b"MM\0*".to_vec(), Some(Tiff)),
            (b"II+\0".to_vec(), Some(Tiff)),
            (at(128, b"DICM"), Some(Dicom)),
            (at(0, b"DICM"), Some(Dicom)),
            (at(0, b"\x02\0\0\0UL\x04\0"), Some(Dicom)),
            (at(0, b"\x08\0\x05\0CS"), Some(Dicom)),
            (b"\x1f\x8b\x08".to_vec(), None),
            (vec![0; 1024], None),
            (Vec::new(), None),
        ] {
            assert_eq!(VolumeFormat::of_content(&start), want, "{start:02x?}");
        }
    }
}

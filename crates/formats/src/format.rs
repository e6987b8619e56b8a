//! Formats of volumes, by the names of files.

use std::path::{Path, PathBuf};

/// Files that a folder or an archive of Zarr has: the metadata of version 3, and of arrays and groups of
/// version 2.
pub(crate) const ZARR_METADATA: [&str; 3] = ["zarr.json", ".zarray", ".zgroup"];

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
    /// NIfTI, compressed by Zstandard. Needs the feature `zstd`.
    NiftiZst,
    /// Maps of MRC and CCP4, packed by gzip or not.
    Mrc,
    /// FreeSurfer's volumes, packed by gzip or not.
    Mgh,
    /// Array of NumPy.
    Npy,
    /// Image of VTK's XML formats.
    Vti,
    /// TIFF file with a slice on each page; written as OME-TIFF.
    Tiff,
    /// DICOM file of one slice or several frames.
    Dicom,
    /// Folder of slices in PNG, TIFF, BMP, JPEG or DICOM files.
    Folder,
    /// Zarr array or OME-Zarr group in a folder or a ZIP archive. [`write_zarr`](crate::write_zarr) and
    /// [`write_zarr_archive`](crate::write_zarr_archive) write it, with the feature `zarr`.
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
        Self::NiftiZst,
        Self::Mrc,
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
            Self::NiftiZst => "nifti-zst",
            Self::Mrc => "mrc",
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
            Self::NiftiZst => "NIfTI, Zstandard",
            Self::Mrc => "MRC",
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
            Self::NiftiZst => &["nii.zst"],
            // Other names, such as `.map` and `.rec`, belong to other formats, too: the content decides.
            Self::Mrc => &["mrc", "mrcs", "mrc.gz", "mrcs.gz", "map.gz"],
            Self::Mgh => &["mgz", "mgh"],
            Self::Npy => &["npy"],
            Self::Vti => &["vti"],
            Self::Tiff => &["tif", "tiff", "ome.tif", "ome.tiff"],
            Self::Dicom => &["dcm"],
            Self::Folder => &[],
            // `.ozx` is a ZIP archive (OME-Zarr's RFC-9). `.zip` alone does not decide.
            Self::Zarr => &["zarr", "ozx", "ome.zarr", "zarr.zip", "ome.zarr.zip"],
        }
    }

    /// True if files of the format can have half floats. [`write_volume`](crate::write_volume) widens them
    /// for others.
    pub(crate) const fn has_halves(self) -> bool {
        match self {
            Self::Raw | Self::Bwv | Self::Mrc | Self::Npy | Self::Folder | Self::Zarr => true,
            Self::Nrrd
            | Self::MetaImage
            | Self::Nifti
            | Self::NiftiGz
            | Self::NiftiZst
            | Self::Mgh
            | Self::Vti
            // Written as OME-TIFF.
            | Self::Tiff
            | Self::Dicom => false,
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
            | Self::NiftiZst
            | Self::Mrc
            | Self::Npy
            | Self::Vti
            | Self::Tiff => true,
            Self::Mgh | Self::Dicom | Self::Folder | Self::Zarr => false,
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
        written.find(|format| match format {
            // Other names of the same file.
            Self::Tiff => format.extensions().contains(&extension.as_str()),
            _ => format.extensions()[0] == extension,
        })
    }

    /// Returns the extensions to which [`write_volume`](crate::write_volume) writes, one for each format,
    /// with dots and joined by commas.
    pub fn written_extensions() -> String {
        let written = Self::ALL.iter().copied().filter(|format| format.is_written());
        written.map(|format| format!(".{}", format.extensions()[0])).collect::<Vec<_>>().join(", ")
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
/// others that formats have are one extension.
fn split(path: &Path) -> Option<(&str, String)> {
    let name = path.file_name()?.to_str()?;
    let split_at = |at: usize| (&name[..at], name[at + 1..].to_ascii_lowercase());
    let parts = || name.match_indices('.').map(|(at, _)| at).filter(|&at| at > 0).map(split_at);
    let longest = parts().find(|(_, extension)| VolumeFormat::of_extension(extension).is_some());
    longest.or_else(|| parts().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;
    use VolumeFormat::{
        Bwv, Dicom, Folder, MetaImage, Mgh, Mrc, Nifti, NiftiGz, NiftiZst, Npy, Nrrd, Raw, Tiff, Vti, Zarr,
    };

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
            ("a.b.nii.ZST", Some(NiftiZst), Some(NiftiZst)),
            ("a.raw.zst", None, None),
            ("a.vti", Some(Vti), Some(Vti)),
            ("a.tif", Some(Tiff), Some(Tiff)),
            ("a.b.OME.tiff", Some(Tiff), Some(Tiff)),
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
            ("a.mrc", Some(Mrc), Some(Mrc)),
            ("a.mrcs", Some(Mrc), None),
            ("a.map.gz", Some(Mrc), None),
            ("a.rec", None, None),
            ("a.h5", None, None),
            ("a.zarr", Some(Zarr), None),
            ("a.b.OME.zarr", Some(Zarr), None),
            ("a.ome.zarr.zip", Some(Zarr), None),
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
        for (name, written) in [(&b"\xfc.mhd"[..], None), (b"\xfc.nrrd", Some(Nrrd)), (b"\xfc", Some(Raw))] {
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
            ("scan.nii.zst", Bwv, "scan.bwv"),
            ("cells.ome.tif", Bwv, "cells.bwv"),
            ("s.1/cells.ome.zarr", Bwv, "s.1/cells.bwv"),
            ("cells.v2.ome.zarr/", Bwv, "cells.v2.bwv"),
            ("cells.ome.zarr.zip", Bwv, "cells.bwv"),
            ("cells.zarr.zip", Nrrd, "cells.nrrd"),
            ("emd_1.map.gz", Bwv, "emd_1.bwv"),
            ("a.b.xyz", Bwv, "a.b.bwv"),
            ("ct/", Bwv, "ct.bwv"),
            ("ct", Nrrd, "ct.nrrd"),
        ] {
            assert_eq!(format.path_beside(Path::new(path)), Path::new(want), "{path}");
        }
    }
}

//! Recognition of a file's format by its first bytes.

use crate::{
    VolumeFormat, VoxelEncoding,
    format::with_added,
    mgh, mrc, npy,
    streams::unpacked::{encoding_of, unpacked},
};
use brickwork_volume::VoxelStream;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _},
    path::{Path, PathBuf},
};

/// Number of first bytes that [`VolumeFormat::of_content`] needs: the magic of a NIfTI-1 header is at its
/// end.
pub const SNIFFED_BYTES: usize = 1024;

impl VolumeFormat {
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
        } else if [b"PK\x03\x04", b"PK\x05\x06"].into_iter().any(|magic| has(0, magic)) {
            // Other archives are refused when their entries are read.
            Some(Self::Zarr)
        } else if has(0, npy::MAGIC) {
            Some(Self::Npy)
        } else if mrc::is_start(start) {
            Some(Self::Mrc)
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

    /// Returns the format of a packed file, by the bytes that its first ones unpack to.
    pub(super) fn of_packed(start: Box<dyn BufRead + Send>, encoding: VoxelEncoding) -> Option<Self> {
        let mut bytes = Vec::new();
        // Damage is an error when the file is opened.
        let packed =
            unpacked(VoxelStream::Once(start), encoding).ok().filter(|_| encoding != VoxelEncoding::Raw)?;
        let _ = packed.take(SNIFFED_BYTES as u64).read_to_end(&mut bytes);
        match (Self::of_content(&bytes)?, encoding) {
            (Self::Nifti, VoxelEncoding::Zstd) => Some(Self::NiftiZst),
            (Self::Nifti, _) => Some(Self::NiftiGz),
            (format @ (Self::Mrc | Self::Mgh), _) => Some(format),
            _ => None,
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
        let packed =
            || Self::of_packed(Box::new(BufReader::new(File::open(path).ok()?)), encoding_of(&start));
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_old_mrc = || mrc::OLD_EXTENSIONS.contains(&extension.as_str()) && mrc::is_old_start(&start);
        let format = Self::of_content(&start).or_else(packed).or_else(|| is_old_mrc().then_some(Self::Mrc));
        Ok(format.unwrap_or(Self::Raw))
    }
}

/// Returns the header of a NIfTI pair or of Analyze whose voxels are at `path`, an `.img` or `.img.gz` file.
pub fn header_beside(path: &Path) -> Option<PathBuf> {
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
    use VolumeFormat::{Bwv, Dicom, MetaImage, Nifti, Npy, Nrrd, Tiff, Vti, Zarr};

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
            (b"PK\x03\x04\x14".to_vec(), Some(Zarr)),
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

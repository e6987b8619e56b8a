//! Functions for slices of all file formats.

use crate::{FormatError, SliceShape};
use brickwork_volume::{Dims, Header};
use std::path::{Path, PathBuf};

/// Maximum number of bytes that one byte of a compressed file can expand to: Deflate's 1032, and some more
/// for small files.
pub const MAX_RATIO: u64 = 1100;

impl SliceShape {
    /// Returns the header of a volume of such slices.
    pub(crate) fn header(self, slice_count: usize) -> Result<Header, FormatError> {
        let dims = Dims::new(self.width, self.height, slice_count);
        let header = Header::new(self.voxel_type, dims).with(|header| header.channels = self.channels);
        header.raw_bytes()?;
        Ok(header)
    }

    /// Returns the size of the slice in bytes. Fails if a file of `file_bytes` cannot expand to it.
    pub(crate) fn byte_count(self, file_bytes: u64) -> Result<usize, FormatError> {
        let byte_count = self.header(1)?.raw_bytes()? as usize;
        let most = file_bytes.saturating_mul(MAX_RATIO);
        if byte_count as u64 > most {
            let (need, have) = (byte_count as u64, most);
            return Err(FormatError::Length { part: "a slice of a file so short", need, have });
        }
        Ok(byte_count)
    }

    /// Checks that this slice is like the first.
    pub(crate) fn check(self, first: Self) -> Result<(), FormatError> {
        if self == first {
            return Ok(());
        }
        Err(FormatError::Differs { have: self, first })
    }
}

/// Sets the length of `bytes`, or fails with [`FormatError::Memory`].
pub fn resize(bytes: &mut Vec<u8>, byte_count: usize) -> Result<(), FormatError> {
    bytes.try_reserve_exact(byte_count).map_err(|_| FormatError::Memory(byte_count as u64))?;
    bytes.resize(byte_count, 0);
    Ok(())
}

/// Returns the name of a slice's file.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the files of a folder that are not hidden, sorted by name.
pub fn files_in(path: &Path) -> Result<Vec<PathBuf>, FormatError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if !name_of(&path).starts_with('.') && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns a function that adds the slice's name to an error.
pub fn named(slice: impl Into<String>) -> impl FnOnce(FormatError) -> FormatError {
    let slice = slice.into();
    |reason| FormatError::Slice { slice, reason: Box::new(reason) }
}

/// Converts a slice of one plane per channel to one of whole voxels.
pub fn interleave(bytes: &mut [u8], shape: SliceShape) -> Result<(), FormatError> {
    let mut planes = Vec::new();
    resize(&mut planes, bytes.len())?;
    planes.copy_from_slice(bytes);
    let number_bytes = shape.voxel_type.byte_count();
    let voxel_bytes = number_bytes * shape.channels;
    for (channel, plane) in planes.chunks_exact(planes.len() / shape.channels).enumerate() {
        let voxels = bytes.chunks_exact_mut(voxel_bytes);
        for (voxel, number) in voxels.zip(plane.chunks_exact(number_bytes)) {
            voxel[channel * number_bytes..][..number_bytes].copy_from_slice(number);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::VoxelType;

    #[test]
    fn planes_become_voxels() {
        let shape = SliceShape { width: 2, height: 1, voxel_type: VoxelType::U16, channels: 3 };
        let mut bytes = *b"RrSsGgHhBbCc";
        interleave(&mut bytes, shape).expect("memory");
        assert_eq!(&bytes, b"RrGgBbSsHhCc");
        assert_eq!(shape.to_string(), "2x1 u16 of 3 channels");
    }

    #[test]
    fn a_slice_is_no_larger_than_its_file_can_hold() {
        let shape = |channels| SliceShape { width: 1100, height: 1, voxel_type: VoxelType::U8, channels };
        assert_eq!(shape(1).byte_count(1).expect("1100 for a byte"), 1100);
        assert!(shape(2).byte_count(1).is_err());
        assert!(shape(256).byte_count(1 << 20).is_err());
        let vast = SliceShape { width: usize::MAX, height: 3, voxel_type: VoxelType::F64, channels: 4 };
        assert!(vast.byte_count(u64::MAX).is_err());
    }
}

//! Which of the formats that are not bytes in a row a path is of.

use brickwork_volume::{
    ByteOrder, Header,
    formats::{FormatError, VoxelSource, dicom, folder, tiff_stack, vti},
};
use std::path::Path;

/// Opens `path` by the ending of its name, or as a folder of slices; `None` if it is of another format.
pub fn open(path: &Path, extension: &str) -> Option<Result<(Header, ByteOrder, VoxelSource), FormatError>> {
    if path.is_dir() {
        return Some(folder::open(path));
    }
    match extension {
        "vti" => Some(vti::open(path)),
        "tif" | "tiff" => Some(tiff_stack::open(path)),
        "dcm" => Some(dicom::open(path)),
        _ => None,
    }
}

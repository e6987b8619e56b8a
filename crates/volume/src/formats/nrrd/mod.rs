//! NRRD: text fields, an empty line, voxels (<https://teem.sourceforge.net/nrrd/format.html>). NHDR is
//! the header alone.
//!
//! The encodings `raw`, `ascii`, `gzip` and `bzip2` are read, `raw` and `gzip` written. Three axes of space
//! are taken, or two of a slice; before them 1 to 4 channels (a kind such as `vector` or `RGB-color`, or an
//! unknown one without a direction), after them frames (of kind `time` or `list`, or a fourth one of space).
//!
//! - The anatomical spaces right-anterior-superior and left-anterior-superior are converted to ours, which is
//!   left-posterior-superior, and back when the volume is written as NRRD. Vectors of other spaces stay as
//!   they are.
//! - Kinds, measurement frame, keys and other fields are kept in the metadata (object `nrrd`, keys in its
//!   object `keys`) and written again.
//! - Lengths are in millimetres and times in seconds, unless `units` or `space units` name other units.
//! - Without `space directions`, `spacings`, `axis mins` and `axis maxs` state the place. Samples are the
//!   centres of cells unless `centers` says `node`, as in Teem.

mod axes;
mod kept;
mod place;
mod read;
mod write;

pub(super) use kept::Kept;
pub use read::read_header;
pub use write::write_header;

use crate::VoxelType;

fn voxel_type(name: &str) -> Option<VoxelType> {
    Some(match name {
        "uchar" | "unsigned char" | "uint8" | "uint8_t" => VoxelType::U8,
        "signed char" | "int8" | "int8_t" => VoxelType::I8,
        "ushort" | "unsigned short" | "unsigned short int" | "uint16" | "uint16_t" => VoxelType::U16,
        "short" | "short int" | "signed short" | "signed short int" | "int16" | "int16_t" => VoxelType::I16,
        "uint" | "unsigned int" | "uint32" | "uint32_t" => VoxelType::U32,
        "int" | "signed int" | "int32" | "int32_t" => VoxelType::I32,
        "float" => VoxelType::F32,
        "ulonglong" | "unsigned long long" | "unsigned long long int" | "uint64" | "uint64_t" => {
            VoxelType::U64
        }
        "longlong"
        | "long long"
        | "long long int"
        | "signed long long"
        | "signed long long int"
        | "int64"
        | "int64_t" => VoxelType::I64,
        "double" => VoxelType::F64,
        _ => return None,
    })
}

/// The name that is written.
const fn type_name(voxel_type: VoxelType) -> &'static str {
    match voxel_type {
        VoxelType::U8 => "uint8",
        VoxelType::I8 => "int8",
        VoxelType::U16 => "uint16",
        VoxelType::I16 => "int16",
        VoxelType::U32 => "uint32",
        VoxelType::I32 => "int32",
        VoxelType::F32 => "float",
        VoxelType::U64 => "uint64",
        VoxelType::I64 => "int64",
        VoxelType::F64 => "double",
    }
}

#[cfg(test)]
mod tests;

//! NRRD: text fields, an empty line, voxels (<https://teem.sourceforge.net/nrrd/format.html>). An NHDR file
//! is the header alone.
//!
//! The reader takes the encodings `raw`, `ascii`, `gzip` and `bzip2`; the writer writes `raw` and `gzip`.
//! Three axes of space are supported, or two for a slice. Before them may be 1 to 4 channels: an axis of a
//! kind such as `vector` or `RGB-color`, or of unknown kind without a direction. After them may be frames: an
//! axis of kind `time` or `list`, or a fourth one of space.
//!
//! - The anatomical spaces right-anterior-superior and left-anterior-superior are converted to Brickwork's,
//!   left-posterior-superior. The writer of NRRD converts them back. Vectors of other spaces stay as they
//!   are.
//! - The metadata keeps kinds, measurement frame, keys and other fields (object `nrrd`, keys in its object
//!   `keys`). The writer of NRRD writes them again.
//! - Lengths are in millimetres and times in seconds, unless `units` or `space units` name other units.
//! - Without `space directions`, the fields `spacings`, `axis mins` and `axis maxs` state spacing and
//!   position. Samples are the centres of cells, as in Teem, unless `centers` has the value `node`.

mod axes;
mod kept;
mod place;
mod read;
mod write;

pub(crate) use kept::Kept;
pub use read::read_header;
pub(crate) use write::states_axes_of_vectors;
pub use write::write_header;

use crate::{FormatError, header::header_text::short};
use brickwork_volume::VoxelType;

/// Key that states that the time between frames is unknown.
const TIME_STEP: (&str, &str) = ("frame spacing", "unknown");

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

/// Returns the name that is written.
const fn type_name(voxel_type: VoxelType) -> &'static str {
    match voxel_type {
        // (Half floats are widened first.)
        VoxelType::F32 | VoxelType::F16 => "float",
        VoxelType::F64 => "double",
        VoxelType::U8
        | VoxelType::I8
        | VoxelType::U16
        | VoxelType::I16
        | VoxelType::U32
        | VoxelType::I32
        | VoxelType::U64
        | VoxelType::I64 => voxel_type.numpy_name(),
    }
}

/// Returns the error that refuses the value of a field.
fn wrong(field: &str, value: String) -> FormatError {
    FormatError::Number { field: field.to_owned(), value: short(&value) }
}

#[cfg(test)]
mod tests;

//! NIfTI-1 and NIfTI-2: a header of 348 or 540 bytes, extensions, raw voxels (.nii), or the voxels in a file
//! of their own (.hdr and .img).
//!
//! <https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h>,
//! <https://nifti.nimh.nih.gov/pub/dist/doc/nifti2.h>. Both byte orders are read, little-endian files
//! written: NIfTI-2 where a side or a number does not fit NIfTI-1. Three axes of space and one of time are
//! taken. RGB24 and RGBA32 are 3 and 4 channels of u8; other channels are the parts of vectors (`dim[5]`),
//! which lie one volume after the other.
//!
//! - Stored values are not scaled: `scl_slope` and `scl_inter` are kept in the metadata (object `nifti`).
//! - The axes of NIfTI's world point right, anterior and superior; ours, like those of MetaImage and DICOM,
//!   left, posterior and superior. So x and y of origin and directions change their sign on the way in and
//!   out.
//! - Lengths become millimetres and times seconds, and on the way out again what `xyzt_units` said. Where it
//!   names no unit of time, `pixdim[4]` is taken for seconds. Another unit, such as hertz, is kept in the
//!   metadata with its `pixdim[4]`.
//! - The sform is preferred to the qform, and its columns to `pixdim` for the spacing, if they disagree. If
//!   neither has a code, position and directions are the default ones. Where the sform is all zero, the qform
//!   counts. A sform is written.
//! - What has no place in the header of a volume is kept in the metadata (object `nifti`) and written again:
//!   the qform with its code, extensions, the timing of slices, `toffset`, `intent_*`, `dim_info`,
//!   `aux_file`.
//!
//! Crate `nifti` 0.18 does not read NIfTI-2, its writer needs a whole `ndarray`, and its affine panics on a
//! negative `pixdim`. What is left, the fields of 348 bytes, is here.

mod extensions;
mod kept;
mod pose;
mod read;
mod write;

pub(super) use kept::names as kept_names;
pub use read::read_header;
pub use write::write_header;

use crate::VoxelType;

/// Where a field starts in the headers of both versions. Numbers of NIfTI-2 are twice as wide, but for codes.
struct Layout {
    header_bytes: usize,
    magic: usize,
    datatype: usize,
    bitpix: usize,
    dim: usize,
    intent_code: usize,
    intent_name: usize,
    pixdim: usize,
    vox_offset: usize,
    scl_slope: usize,
    scl_inter: usize,
    cal_max: usize,
    cal_min: usize,
    xyzt_units: usize,
    descrip: usize,
    qform_code: usize,
    sform_code: usize,
    quatern: usize,
    srow: usize,
    dim_info: usize,
    intent_p: usize,
    slice_start: usize,
    slice_end: usize,
    slice_code: usize,
    slice_duration: usize,
    toffset: usize,
    aux_file: usize,
}

const NIFTI1: Layout = Layout {
    header_bytes: 348,
    magic: 344,
    datatype: 70,
    bitpix: 72,
    dim: 40,
    intent_code: 68,
    intent_name: 328,
    pixdim: 76,
    vox_offset: 108,
    scl_slope: 112,
    scl_inter: 116,
    cal_max: 124,
    cal_min: 128,
    xyzt_units: 123,
    descrip: 148,
    qform_code: 252,
    sform_code: 254,
    quatern: 256,
    srow: 280,
    dim_info: 39,
    intent_p: 56,
    slice_start: 74,
    slice_end: 120,
    slice_code: 122,
    slice_duration: 132,
    toffset: 136,
    aux_file: 228,
};

const NIFTI2: Layout = Layout {
    header_bytes: 540,
    magic: 4,
    datatype: 12,
    bitpix: 14,
    dim: 16,
    intent_code: 504,
    intent_name: 508,
    pixdim: 104,
    vox_offset: 168,
    scl_slope: 176,
    scl_inter: 184,
    cal_max: 192,
    cal_min: 200,
    xyzt_units: 500,
    descrip: 240,
    qform_code: 344,
    sform_code: 348,
    quatern: 352,
    srow: 400,
    dim_info: 524,
    intent_p: 80,
    slice_start: 224,
    slice_end: 232,
    slice_code: 496,
    slice_duration: 208,
    toffset: 216,
    aux_file: 320,
};

/// Bytes of `aux_file`, of `descrip`, and of `intent_name`.
const AUX_FILE_BYTES: usize = 24;
const DESCRIP_BYTES: usize = 80;
const INTENT_BYTES: usize = 16;

/// `datatype`, of what is taken: one channel of any type, or three and four of u8.
const fn datatype(voxel_type: VoxelType, channels: usize) -> Option<i16> {
    Some(match (voxel_type, channels) {
        (VoxelType::U8, 3) => 128,
        (VoxelType::U8, 4) => 2304,
        (VoxelType::U8, 1) => 2,
        (VoxelType::I16, 1) => 4,
        (VoxelType::I32, 1) => 8,
        (VoxelType::F32, 1) => 16,
        (VoxelType::F64, 1) => 64,
        (VoxelType::I8, 1) => 256,
        (VoxelType::U16, 1) => 512,
        (VoxelType::U32, 1) => 768,
        (VoxelType::I64, 1) => 1024,
        (VoxelType::U64, 1) => 1280,
        _ => return None,
    })
}

/// Whether NIfTI holds such voxels as vectors, each channel in a volume of its own: all that is neither one
/// number nor a colour.
pub const fn is_vector(voxel_type: VoxelType, channels: usize) -> bool {
    datatype(voxel_type, channels).is_none()
}

/// Millimetres in a unit of `xyzt_units`; 1 where it names none.
const fn millimetres(xyzt_units: u64) -> f64 {
    match xyzt_units & 7 {
        1 => 1000.0,
        3 => 0.001,
        _ => 1.0,
    }
}

/// What `xyzt_units` says of time, as its bits.
const TIME_UNITS: u64 = 0x38;

/// Seconds.
const SECONDS: u64 = 8;

/// Units of time in a second, of `xyzt_units`; `None` where it names another unit, such as hertz.
const fn per_second(xyzt_units: u64) -> Option<f64> {
    match xyzt_units & TIME_UNITS {
        0 | SECONDS => Some(1.0),
        16 => Some(1e3),
        24 => Some(1e6),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

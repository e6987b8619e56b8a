//! NIfTI-1 and NIfTI-2: a header of 348 or 540 bytes, extensions, and raw voxels, in the same file (.nii) or
//! a separate one (.hdr and .img).
//!
//! <https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h>,
//! <https://nifti.nimh.nih.gov/pub/dist/doc/nifti2.h>. The reader takes both byte orders, three axes of space
//! and one of time. The writer writes little-endian files: NIfTI-2 if a side or a number does not fit
//! NIfTI-1. RGB24 and RGBA32 are 3 and 4 channels of u8. Other channels are the parts of vectors (`dim[5]`),
//! which are stored one volume after the other.
//!
//! - Stored values are not scaled. The metadata keeps `scl_slope` and `scl_inter` (object `nifti`).
//! - The axes of NIfTI's world point right, anterior and superior. Those of Brickwork, MetaImage and DICOM
//!   point left, posterior and superior. So reading and writing change the sign of x and y in origin and
//!   directions.
//! - Lengths become millimetres and times seconds. The writer restores the units of `xyzt_units`. If these
//!   name no unit of time, a `pixdim[4]` of 1 is unknown; others are in seconds, with a note. Another unit,
//!   such as hertz, is kept in the metadata with its `pixdim[4]`.
//! - The sform is preferred to the qform. If its columns contradict `pixdim`, they give the spacing. If
//!   neither form has a code, position and directions are the default ones. If the sform is all zero, the
//!   qform counts. The writer writes an sform.
//! - Fields without a place in the volume's header are kept in the metadata (object `nifti`) and written
//!   again: the qform with its code, extensions, the timing of slices, `toffset`, `intent_*`, `dim_info`,
//!   `aux_file`.
//!
//! The crate `nifti` 0.18 does not read NIfTI-2, its writer needs a whole `ndarray`, and its affine panics on
//! a negative `pixdim`. The rest, the fields of 348 bytes, is implemented here.

mod extensions;
mod kept;
mod pose;
mod read;
mod write;

pub(crate) use kept::names as kept_names;
pub use read::read_header;
pub use write::write_header;

use brickwork_volume::{Header, VoxelType};

/// Start of each field in the header of a version. Numbers of NIfTI-2 are twice as wide, except codes.
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

/// Sizes in bytes of `aux_file`, `descrip` and `intent_name`.
const AUX_FILE_BYTES: usize = 24;
const DESCRIP_BYTES: usize = 80;
const INTENT_BYTES: usize = 16;

/// Returns the `datatype` of voxels that NIfTI supports directly: one channel of any type, or three or four
/// of u8.
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

/// True if NIfTI stores such voxels as vectors, each channel in a separate volume: all voxels that are
/// neither one number nor a colour.
pub const fn is_vector(voxel_type: VoxelType, channels: usize) -> bool {
    datatype(voxel_type, channels).is_none()
}

/// Intent of displacements, whose parts are along the axes of NIfTI's world. ITK's reader turns these alone.
const DISPLACEMENTS: i64 = 1006;

/// True if the voxels are displacements from a NIfTI file, with their numbers as stored there.
pub(crate) fn are_displacements(header: &Header) -> bool {
    let metadata: serde_json::Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    header.channels > 1 && metadata["nifti"]["intent_code"] == DISPLACEMENTS
}

/// Returns the millimetres in a length unit of `xyzt_units`; 1 if it names none.
const fn millimetres(xyzt_units: u64) -> f64 {
    match xyzt_units & 7 {
        1 => 1000.0,
        3 => 0.001,
        _ => 1.0,
    }
}

/// Bits of `xyzt_units` for the unit of time.
const TIME_UNITS: u64 = 0x38;

/// The unit of time second.
const SECONDS: u64 = 8;

/// Returns how many of the time units of `xyzt_units` are a second; `None` for another unit, such as hertz.
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

//! NIfTI-1 and NIfTI-2: a header of 348 or 540 bytes, extensions, raw voxels (.nii), or the voxels in a file of their own
//! (.hdr and .img).
//!
//! <https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h>, <https://nifti.nimh.nih.gov/pub/dist/doc/nifti2.h>. Both byte orders
//! are read, little-endian files written: NIfTI-2 where a side or a number does not fit NIfTI-1. Three axes are taken.
//!
//! - Voxels stay what they are: `scl_slope` and `scl_inter` are kept in the metadata (object `nifti`) and not applied.
//! - The world of NIfTI runs to the right, to the front and up; ours, as that of MetaImage and DICOM, to the left, to the back
//!   and up. So x and y of origin and directions change their sign on the way in and out.
//! - Lengths become millimetres, and again what `xyzt_units` said on the way out.
//! - The sform is taken before the qform, and the spacing from its columns where `pixdim` says another.
//!   Where neither has a code, position and directions are the default ones. A sform is written.
//! - Extensions, and what is about time, are left out.
//!
//! Crate `nifti` 0.18 was looked at: it knows no NIfTI-2, its writer wants a whole `ndarray`, its affine panics on a
//! negative `pixdim`. What is left, the fields of 348 bytes, is here.

mod pose;
mod read;
mod write;

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
};

/// Bytes of `descrip`, and of `intent_name`.
const DESCRIP_BYTES: usize = 80;
const INTENT_BYTES: usize = 16;

/// `datatype`, of the types that are taken.
const fn datatype(voxel_type: VoxelType) -> i16 {
    match voxel_type {
        VoxelType::U8 => 2,
        VoxelType::I16 => 4,
        VoxelType::I32 => 8,
        VoxelType::F32 => 16,
        VoxelType::I8 => 256,
        VoxelType::U16 => 512,
        VoxelType::U32 => 768,
        VoxelType::F64 => 64,
        VoxelType::I64 => 1024,
        VoxelType::U64 => 1280,
    }
}

/// Millimetres in a unit of `xyzt_units`; 1 where it names none.
const fn millimetres(xyzt_units: u64) -> f64 {
    match xyzt_units & 7 {
        1 => 1000.0,
        3 => 0.001,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests;

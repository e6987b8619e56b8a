//! Numbers of 64 bits as numbers of 32: pictures are made of one component.

use crate::failure::Failure;
use brickwork_volume::{
    AnyVoxels, Dims, Header, ReadAt, Region, ResidentOptions, ResidentVolume, Selection, Task, VolumeFile,
    VolumeView, VoxelKind, VoxelType,
};

/// Lays out numbers of 64 bits: intensities rounded to f32, labels by their lower 32 bits.
pub fn narrowed<S: ReadAt>(
    file: &VolumeFile<S>,
    options: &ResidentOptions,
    task: &Task<'_>,
) -> Result<ResidentVolume, Failure> {
    let header = file.header();
    match header.kind {
        VoxelKind::Labels => lay_out(file, options, header, to_u32(header.voxel_type), task),
        _ => lay_out(file, options, header, to_f32(header.voxel_type), task),
    }
}

fn lay_out<S: ReadAt, T: brickwork_volume::Voxel>(
    file: &VolumeFile<S>,
    options: &ResidentOptions,
    header: &Header,
    narrow: impl Fn([u8; 8]) -> T,
    task: &Task<'_>,
) -> Result<ResidentVolume, Failure> {
    let frames = Some(options.frame..options.frame + 1);
    let selection = Selection { frames, channel: Some(options.channel), ..Selection::default() };
    let mut voxels = Vec::new();
    let mut slab = AnyVoxels::new(header.voxel_type);
    let Dims { z, .. } = header.dims;
    let depth = file.slab_depth();
    for start in (0..z).step_by(depth) {
        let region = Region { z: start..z.min(start + depth), ..Region::all(header.dims) };
        file.read_any(&selection, &region, &mut slab, task)?;
        voxels.extend(slab.bytes().as_chunks::<8>().0.iter().map(|&bytes| narrow(bytes)));
    }
    let view = VolumeView::new(&voxels, header.dims).map_err(brickwork_volume::VolumeReadError::from)?;
    Ok(ResidentVolume::from_voxels(view, header.kind, &ResidentOptions::default(), task)?)
}

fn to_f32(voxel_type: VoxelType) -> impl Fn([u8; 8]) -> f32 {
    move |bytes| match voxel_type {
        VoxelType::U64 => u64::from_ne_bytes(bytes) as f32,
        VoxelType::I64 => i64::from_ne_bytes(bytes) as f32,
        _ => f64::from_ne_bytes(bytes) as f32,
    }
}

fn to_u32(voxel_type: VoxelType) -> impl Fn([u8; 8]) -> u32 {
    move |bytes| match voxel_type {
        VoxelType::F64 => f64::from_ne_bytes(bytes) as u32,
        _ => u64::from_ne_bytes(bytes) as u32,
    }
}

//! A resident volume in the memory of a GPU.

use super::{pages::bound_pages, weights};
use crate::{Dims, ResidentVolume, VoxelKind, VoxelType};
use brickwork_gpu::{Context, GpuError, filled_buffer, wgpu};
use wgpu::BufferUsages as Usage;

/// The sides of a volume, as WGSL's `Shape`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Shape {
    pub voxels: [u32; 3],
    padding_0: u32,
    pub bricks: [u32; 3],
    padding_1: u32,
    pub superblocks: [u32; 3],
    padding_2: u32,
}

/// A [`ResidentVolume`] on a GPU: still compressed, in as many bytes.
#[derive(Debug)]
pub struct GpuVolume {
    pub(super) context: Context,
    pub(super) dims: Dims,
    pub(super) voxel_type: VoxelType,
    pub(super) kind: VoxelKind,
    pub(super) pages: Vec<wgpu::Buffer>,
    pub(super) shape: wgpu::Buffer,
    pub(super) records: wgpu::Buffer,
    /// The predictors' weights, and the rank tables.
    pub(super) tables: wgpu::Buffer,
    byte_count: u64,
}

/// Bytes that are handed to the driver at a time.
const UPLOAD_BYTES: usize = 32 << 20;

impl GpuVolume {
    /// The size of pages with which a volume for this device is laid out.
    pub fn page_bytes(context: &Context) -> usize {
        let limits = context.device().limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        // (A page's bytes are counted in 32 bits.)
        usize::try_from(most).unwrap_or(usize::MAX).min(2 << 30)
    }

    /// Copies a volume to the device.
    ///
    /// # Errors
    /// [`GpuError::Limit`] if a page is larger than the device can bind (see [`page_bytes`](Self::page_bytes)),
    /// [`GpuError::OutOfMemory`], [`GpuError::Lost`].
    pub fn new(context: &Context, volume: &ResidentVolume) -> Result<Self, GpuError> {
        let sides = |dims: Dims| [dims.x as u32, dims.y as u32, dims.z as u32];
        let [padding_0, padding_1, padding_2] = [0; 3];
        let shape = Shape {
            voxels: sides(volume.dims()),
            padding_0,
            bricks: sides(volume.bricks()),
            padding_1,
            superblocks: sides(volume.superblocks()),
            padding_2,
        };
        let small = |label, bytes: &[u8], usage| {
            context.checked(label, || filled_buffer(context.device(), label, bytes, usage))
        };
        // Where a table starts counts the weights before it.
        let weights: Vec<u32> = bytemuck::pod_collect_to_vec(&weights());
        let tables = [&weights[..], &volume.table_words(weights.len() as u32)].concat();
        let mut pages = Vec::with_capacity(volume.pages().len());
        for page in volume.pages() {
            pages.push(upload(context, "a page of the volume", page)?);
        }
        // Kernels bind no less than one page.
        if pages.is_empty() {
            pages.push(upload(context, "a page of the volume", &[0; 8])?);
        }
        Ok(Self {
            context: context.clone(),
            dims: volume.dims(),
            voxel_type: volume.voxel_type(),
            kind: volume.kind(),
            pages,
            shape: small("the volume's shape", bytemuck::bytes_of(&shape), Usage::UNIFORM)?,
            records: upload(context, "the volume's index", bytemuck::cast_slice(volume.records()))?,
            tables: upload(context, "the volume's rank tables", bytemuck::cast_slice(&tables))?,
            byte_count: volume.byte_count() as u64,
        })
    }

    /// Voxels along each axis.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// The type of the file's voxels.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// What the voxels stand for.
    pub const fn kind(&self) -> VoxelKind {
        self.kind
    }

    /// Bytes of the device's memory that the volume takes.
    pub const fn byte_count(&self) -> u64 {
        self.byte_count
    }

    /// The device.
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// Whether 32 lanes always lie in one subgroup.
    pub(crate) fn has_wide_subgroups(&self) -> bool {
        self.context.has_subgroups() && self.context.least_subgroup() >= 32
    }

    /// How many pages the volume has.
    pub(crate) const fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// What every kernel binds first: shape, records, tables.
    pub(crate) const fn index(&self) -> [&wgpu::Buffer; 3] {
        [&self.shape, &self.records, &self.tables]
    }

    /// How many pages a kernel binds.
    pub(crate) const fn bound_pages(&self) -> usize {
        bound_pages(self.pages.len())
    }

    /// The groups of pages that are bound one after the other: the first of each, and its buffers.
    pub(crate) fn page_groups(&self) -> impl Iterator<Item = (u32, Vec<&wgpu::Buffer>)> {
        let count = self.bound_pages();
        self.pages.chunks(count).enumerate().map(move |(group, pages)| {
            // What is missing of the last group is its first page again, which no brick asks for.
            let filled = (0..count).map(|i| pages.get(i).unwrap_or(&pages[0])).collect();
            ((group * count) as u32, filled)
        })
    }
}

/// A storage buffer with these bytes, whole words, copied in pieces.
fn upload(context: &Context, label: &'static str, bytes: &[u8]) -> Result<wgpu::Buffer, GpuError> {
    let buffer = context.buffer(label, bytes.len() as u64, Usage::STORAGE | Usage::COPY_DST)?;
    for (i, piece) in bytes.chunks(UPLOAD_BYTES).enumerate() {
        context.checked(label, || {
            context.queue().write_buffer(&buffer, (i * UPLOAD_BYTES) as u64, piece);
            // Handed over now, or wgpu would hold all of it.
            context.queue().submit([]);
        })?;
    }
    Ok(buffer)
}

//! A resident volume in the memory of a GPU.

use super::{
    GpuVolumeError, NotRendered,
    pages::{MAX_PAGES, bound_pages},
    pool::Pool,
};
use crate::{
    Dims, ResidentVolume, Stage, Task, VoxelKind, VoxelType,
    resident::{Coding, PageBuffers, Record},
    steps::Steps,
};
use brickwork_gpu::{Context, GpuError, filled_buffer, wgpu};
use std::sync::Arc;
use wgpu::BufferUsages as Usage;

/// A [`ResidentVolume`] on a GPU: still compressed, in as many bytes.
#[derive(Debug)]
pub struct GpuVolume {
    pub(super) context: Context,
    pub(super) dims: Dims,
    pub(super) voxel_type: VoxelType,
    pub(super) kind: VoxelKind,
    /// The coding of its bricks.
    pub(super) coding: Coding,
    pub(super) pages: Vec<wgpu::Buffer>,
    pub(super) shape: wgpu::Buffer,
    pub(super) records: wgpu::Buffer,
    /// The predictors' weights, and the rank tables.
    pub(super) tables: wgpu::Buffer,
    byte_count: u64,
    /// The pool of pages, where not all are on the device.
    pool: Option<Pool>,
    /// The lower words of numbers of 64 bits.
    pub(super) lower: Option<Box<GpuVolume>>,
}

/// Bytes that are handed to the driver at a time.
const UPLOAD_BYTES: usize = 32 << 20;

impl GpuVolume {
    /// Copies a volume to the device, and counts bytes.
    ///
    /// # Errors
    /// [`GpuVolumeError::Gpu`]: [`GpuError::OutOfMemory`], [`GpuError::Lost`], or [`GpuError::Limit`] if a
    /// page is larger than the device can bind. [`GpuVolumeError::Cancelled`].
    pub fn new(context: &Context, volume: &ResidentVolume, task: &Task<'_>) -> Result<Self, GpuVolumeError> {
        let limits = context.device().limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        Self::with_buffers_of(context, volume, most, task)
    }

    /// Works like [`new`](Self::new), with buffers of `most` bytes.
    pub(super) fn with_buffers_of(
        context: &Context,
        volume: &ResidentVolume,
        most: u64,
        task: &Task<'_>,
    ) -> Result<Self, GpuVolumeError> {
        let volumes = [Some(volume), volume.lower()];
        let pages = volumes.iter().flatten().flat_map(|volume| volume.pages());
        let steps = Steps::new(task, Stage::Preparing, pages.map(|page| page.len() as u64).sum());
        Self::upload_volume(context, volume, most, &steps)
    }

    fn upload_volume(
        context: &Context,
        volume: &ResidentVolume,
        most: u64,
        steps: &Steps<'_>,
    ) -> Result<Self, GpuVolumeError> {
        steps.check()?;
        let PageBuffers { buffers, records } = volume.page_buffers(most);
        let mut uploaded = Vec::with_capacity(buffers.len());
        for numbers in buffers {
            let pages = numbers.iter().map(|&number| &volume.pages()[number]);
            let size = pages.clone().map(|page| page.len() as u64).sum();
            let usage = Usage::STORAGE | Usage::COPY_DST;
            let buffer = context.buffer("bricks of the volume", size, usage)?;
            let mut start = 0;
            for page in pages {
                for page in page.chunks(UPLOAD_BYTES) {
                    steps.check()?;
                    copy(context, "bricks of the volume", &buffer, start, page)?;
                    start += page.len() as u64;
                    steps.add(page.len() as u64);
                }
            }
            uploaded.push(buffer);
        }
        // Kernels bind one buffer at least.
        if uploaded.is_empty() {
            uploaded.push(upload(context, "bricks of the volume", &[0; 8])?);
        }
        let mut on_gpu = Self::with_pages(context, volume, &records, uploaded, None)?;
        if let Some(lower) = volume.lower() {
            let lower = Self::upload_volume(context, lower, most, steps)?;
            on_gpu.byte_count += lower.byte_count;
            on_gpu.lower = Some(Box::new(lower));
        }
        Ok(on_gpu)
    }

    /// Returns a volume with at most `byte_count` bytes of bricks on the device at a time, but at least 32
    /// pages. Rendering loads the pages that rays need, until the rendering is that of the whole volume. With
    /// small pages (see [`ResidentOptions::page_bytes`](crate::ResidentOptions)) it loads fewer bricks that
    /// no ray needs.
    ///
    /// # Errors
    /// [`GpuVolumeError::Gpu`], as [`new`](Self::new). [`GpuVolumeError::NotRendered`] for numbers of 64 bits
    /// and for bricks of other sizes than 4³.
    pub fn paged(
        context: &Context,
        volume: Arc<ResidentVolume>,
        byte_count: u64,
    ) -> Result<Self, GpuVolumeError> {
        check_rendered(volume.voxel_type(), volume.coding())?;
        let limits = context.device().limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let (pool, buffer_bytes) = Pool::new(Arc::clone(&volume), byte_count, MAX_PAGES, most)?;
        let buffer = || context.buffer("pages", buffer_bytes, Usage::STORAGE | Usage::COPY_DST);
        let pages = (0..MAX_PAGES).map(|_| buffer()).collect::<Result<_, GpuError>>()?;
        Ok(Self::with_pages(context, &volume, volume.records(), pages, Some(pool))?)
    }

    /// Adds index and tables to these pages.
    fn with_pages(
        context: &Context,
        volume: &ResidentVolume,
        records: &[Record],
        pages: Vec<wgpu::Buffer>,
        pool: Option<Pool>,
    ) -> Result<Self, GpuError> {
        let small = |label, bytes: &[u8], usage| {
            context.checked(label, || filled_buffer(context.device(), label, bytes, usage))
        };
        let in_pages = pages.iter().map(wgpu::Buffer::size).sum::<u64>();
        let all = volume.pages().iter().map(Vec::len).sum::<usize>();
        let lower = volume.lower().map_or(0, ResidentVolume::byte_count);
        Ok(Self {
            context: context.clone(),
            dims: volume.dims(),
            voxel_type: volume.voxel_type(),
            kind: volume.kind(),
            coding: volume.coding(),
            pages,
            shape: small("the volume's shape", bytemuck::bytes_of(&volume.shape()), Usage::UNIFORM)?,
            records: upload(context, "the volume's index", bytemuck::cast_slice(records))?,
            tables: upload(
                context,
                "the volume's rank tables",
                bytemuck::cast_slice(&volume.kernel_tables()),
            )?,
            byte_count: (volume.byte_count() - lower - all) as u64 + in_pages,
            pool,
            lower: None,
        })
    }

    /// Returns the voxels along each axis.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Returns the type of the file's voxels.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// Returns the meaning of the voxels.
    pub const fn kind(&self) -> VoxelKind {
        self.kind
    }

    /// Returns the size in bytes of the device's memory that the volume, or its pool of pages, takes.
    pub const fn byte_count(&self) -> u64 {
        self.byte_count
    }

    /// Returns the coding of its bricks.
    pub(crate) const fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns the device.
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// True if 32 lanes are always within one subgroup.
    pub(crate) fn has_wide_subgroups(&self) -> bool {
        self.context.has_subgroups() && self.context.least_subgroup() >= 32
    }

    /// Returns the pool of pages that are loaded on request.
    pub(crate) const fn pool(&self) -> Option<&Pool> {
        self.pool.as_ref()
    }

    /// Returns the buffers of pages.
    pub(crate) fn page_buffers(&self) -> &[wgpu::Buffer] {
        &self.pages
    }

    /// Returns the number of pages of the volume, or of buffers of a pool.
    pub(crate) const fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns the first bindings of every kernel: shape, records, tables.
    pub(crate) const fn index(&self) -> [&wgpu::Buffer; 3] {
        [&self.shape, &self.records, &self.tables]
    }

    /// Returns the number of pages that a kernel binds.
    pub(crate) const fn bound_pages(&self) -> usize {
        bound_pages(self.pages.len())
    }

    /// Returns the groups of `count` pages that are bound one after the other: the first page of each, and
    /// its buffers.
    pub(crate) fn page_groups(&self, count: usize) -> impl Iterator<Item = (u32, Vec<&wgpu::Buffer>)> {
        self.pages.chunks(count).enumerate().map(move |(group, pages)| {
            // The missing pages of the last group repeat its first page; no brick requests them.
            let filled = (0..count).map(|i| pages.get(i).unwrap_or(&pages[0])).collect();
            ((group * count) as u32, filled)
        })
    }
}

/// Refuses volumes that kernels cannot render: numbers of 64 bits, half floats, and bricks except those of 4³
/// of the default profile.
pub(crate) fn check_rendered(voxel_type: VoxelType, coding: Coding) -> Result<(), GpuVolumeError> {
    let reason = if !voxel_type.is_rendered() {
        NotRendered::Numbers(voxel_type)
    } else if coding != Coding::default() {
        NotRendered::OtherBricks
    } else {
        return Ok(());
    };
    Err(GpuVolumeError::NotRendered(reason))
}

/// Returns a storage buffer with these bytes, which are whole words.
fn upload(context: &Context, label: &'static str, bytes: &[u8]) -> Result<wgpu::Buffer, GpuError> {
    let buffer = context.buffer(label, bytes.len() as u64, Usage::STORAGE | Usage::COPY_DST)?;
    copy(context, label, &buffer, 0, bytes)?;
    Ok(buffer)
}

/// Copies bytes to `start` of a buffer, in pieces.
fn copy(
    context: &Context,
    label: &'static str,
    buffer: &wgpu::Buffer,
    start: u64,
    bytes: &[u8],
) -> Result<(), GpuError> {
    for (i, piece) in bytes.chunks(UPLOAD_BYTES).enumerate() {
        context.checked(label, || {
            context.queue().write_buffer(buffer, start + (i * UPLOAD_BYTES) as u64, piece);
            // Handed over now, or wgpu would hold all of it.
            context.queue().submit([]);
        })?;
    }
    Ok(())
}

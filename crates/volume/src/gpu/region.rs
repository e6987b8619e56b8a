//! Regions of a volume decoded by a GPU.

use super::{
    GpuVolumeError, Lanes,
    decoders::{THREADS, with_decode_rows, with_decode_whole},
    pages,
    volume::GpuVolume,
    weights, with_decode_all,
};
use crate::{
    BrickSize, Dims, Region, ShapeError, VoxelType,
    resident::{self, Coding},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, GpuError, Kernel, Pipeline, filled_buffer, wgpu};
use wgpu::BufferUsages as Usage;

/// The region to decode and its format, as WGSL's `Region`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct RegionParams {
    pub first: [u32; 3],
    pub rows: u32,
    pub count: [u32; 3],
    pub row: u32,
    pub slice: u32,
    pub start: u32,
    pub number_bits: u32,
    pub flipped: u32,
    pub is_float: u32,
    pub first_page: u32,
    pub words: u32,
    pub word: u32,
}

/// A region's bricks, decoded, in the GPU's memory.
#[derive(Debug)]
pub struct DecodedRegion {
    /// The numbers, x fastest, packed.
    pub buffer: wgpu::Buffer,
    /// Size of a number in bits: 8, 16, 32 or 64; for 64 bits, the lower word comes first.
    pub number_bits: u32,
    /// Numbers from the start of a row to the start of the next; a multiple of 256 bytes.
    pub row: usize,
    /// Numbers from the start of a slice to the start of the next.
    pub slice: usize,
    /// Position of the region's first voxel in the buffer, in numbers.
    pub first: usize,
    /// The region's voxels along each axis.
    pub dims: Dims,
    /// The device.
    context: brickwork_gpu::Context,
    /// List for the bricks that the first kernel leaves to the second.
    others: Option<wgpu::Buffer>,
}

/// Rows start at multiples of this number of bytes, as copies to textures require.
const ROW_BYTES: usize = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize;

/// Maximum number of bricks that are decoded by a submission, so that no driver takes it for a hang; and by a
/// thread each.
const MAX_BRICKS: u32 = 1 << 18;
const MAX_BRICKS_BY_ROWS: u32 = 1 << 20;

/// Workgroups of the first kernel per workgroup of the second, which decodes the bricks that the first lists.
/// If a quarter of the bricks is not enough, each thread decodes several.
const OTHERS: u32 = 4;

/// True if each thread decodes a brick of this coding, from one page at a time. Searching for bricks of other
/// pages costs little compared with decoding.
pub(super) const fn by_rows(coding: Coding) -> bool {
    matches!(coding, Coding::Bricks(BrickSize::Four))
}

/// The bindings before the pages in kernels that decode regions.
const BINDINGS: [Binding; 5] =
    [Binding::Uniform, Binding::Read, Binding::Read, Binding::Uniform, Binding::Write];

/// Returns the kernels that decode a region of 4³ bricks as numbers, or words of numbers, of `number_bits`
/// bits: whole bricks in Morton order without a dictionary; the others, which the first kernel lists.
pub(super) fn rows_kernels(number_bits: u32) -> [Kernel; 2] {
    let kernel = |name: &str, others, with_decoder: fn(Kernel) -> Kernel, main| {
        let name = if number_bits == 8 { format!("{name}, bytes") } else { name.to_owned() };
        let bindings = [&BINDINGS[..], &[Binding::Read, Binding::Read, others]].concat();
        let kernel = with_resident(Kernel::new(name, &bindings), Coding::Bricks(BrickSize::Four))
            .part(&pages::wgsl(1, BINDINGS.len(), false))
            .part("const BRICK = vec3u(4, 4, 4);");
        let kernel = with_decoder(kernel).file(&WGSL, main);
        match number_bits {
            8 => kernel.file(&WGSL, "gpu/region/put_bytes.wgsl"),
            _ => kernel.file(&WGSL, "gpu/region/put_words.wgsl").with("VALUE_BITS", number_bits.into()),
        }
    };
    [
        kernel("volume region", Binding::Write, with_decode_whole, "gpu/region/region_whole.wgsl"),
        kernel("volume region, other bricks", Binding::Read, with_decode_rows, "gpu/region/region_rows.wgsl"),
    ]
}

/// Returns the kernel that decodes a region as such numbers, with `page_count` pages bound; for bricks of 4³
/// the first of two.
pub(super) fn region_kernel(coding: Coding, number_bits: u32, page_count: usize) -> Kernel {
    let bricks = match coding {
        Coding::Bricks(BrickSize::Four) => {
            let [whole, _] = rows_kernels(number_bits);
            return whole;
        }
        Coding::Bricks(BrickSize::Eight) => "8×8×8",
        Coding::Bricks(BrickSize::Flat) => "16×16×1",
        Coding::Guthe2016 => "guthe2016",
    };
    let name = format!("volume region {bricks}, {}", pages::in_words(page_count));
    let bindings = [&BINDINGS[..], &vec![Binding::Read; page_count]].concat();
    let kernel = with_decode_all(Kernel::new(name, &bindings), coding);
    with_resident(kernel, coding)
        .part(&pages::wgsl(page_count, BINDINGS.len(), false))
        .files(&WGSL, &["gpu/region/region.wgsl", Lanes::Workgroup.entry()])
}

/// Returns the kernel with `find_brick`, for bricks of this coding.
pub(crate) fn with_resident(kernel: Kernel, coding: Coding) -> Kernel {
    kernel.file(&WGSL, "gpu/region/resident.wgsl").constants([
        ("CONSTANT", resident::Record::CONSTANT),
        ("PAGE_SHIFT", resident::Record::PAGE_SHIFT),
        ("PAGE_BITS", resident::Record::PAGE_BITS),
        ("WEIGHT_WORDS", weights(coding.brick_size()).len() as u32 / 4),
    ])
}

impl GpuVolume {
    /// Decodes the bricks of a region. As many numbers as rows of whole bricks have are written, rounded up.
    ///
    /// # Errors
    /// [`GpuVolumeError::Shape`] if the region is not within the volume; [`GpuVolumeError::Gpu`], such as
    /// [`GpuError::Limit`] if the numbers do not fit a buffer.
    pub fn decode(&self, region: &Region) -> Result<DecodedRegion, GpuVolumeError> {
        self.decode_as(region, self.voxel_type.bit_count(), self.voxel_type)
    }

    /// Works like [`decode`](Self::decode), and reuses the buffer of `decoded`, an earlier region, if it is
    /// large enough: no memory is allocated or cleared. Commands submitted earlier still read the earlier
    /// numbers.
    ///
    /// # Errors
    /// Those of [`decode`](Self::decode).
    pub fn decode_again(
        &self,
        region: &Region,
        decoded: DecodedRegion,
    ) -> Result<DecodedRegion, GpuVolumeError> {
        // Buffers belong to their device.
        let is_ours = decoded.context.device() == self.context.device();
        let (buffer, others) = (decoded.buffer, decoded.others);
        let (buffer, others) = if is_ours { (Some(buffer), others) } else { (None, None) };
        self.decode_with(region, self.voxel_type.bit_count(), self.voxel_type, buffer, others)
    }

    /// Returns all ordinals in a 3D texture of unsigned integers of their width.
    pub(crate) fn ordinals_texture(&self) -> Result<wgpu::Texture, GpuVolumeError> {
        let region = Region::all(self.dims);
        let decoded = self.decode_as(&region, self.voxel_type.word_bits(), VoxelType::U32)?;
        Ok(decoded.to_texture()?)
    }

    /// Works like [`decode`](Self::decode), with numbers of this width and type.
    pub(super) fn decode_as(
        &self,
        region: &Region,
        number_bits: u32,
        as_type: VoxelType,
    ) -> Result<DecodedRegion, GpuVolumeError> {
        self.decode_with(region, number_bits, as_type, None, None)
    }

    /// Decodes into `buffer` if there is one and it is large enough, otherwise into a new buffer. The same
    /// applies to `others`.
    fn decode_with(
        &self,
        region: &Region,
        number_bits: u32,
        as_type: VoxelType,
        buffer: Option<wgpu::Buffer>,
        others: Option<wgpu::Buffer>,
    ) -> Result<DecodedRegion, GpuVolumeError> {
        region.check(self.dims)?;
        if let Some(pool) = self.pool() {
            let (needed, limit) = (pool.page_count() as u64, pool.shape.slot_count as u64);
            return Err(GpuError::Limit { what: "pages at a time", needed, limit }.into());
        }
        let brick = self.coding.brick_size().dims();
        let axes = [(&region.x, brick.x), (&region.y, brick.y), (&region.z, brick.z)];
        let first = axes.map(|(range, side)| (range.start / side) as u32);
        let count = axes.map(|(range, side)| (range.end.div_ceil(side) - range.start / side) as u32);
        let bytes = number_bits as usize / 8;
        let row = DecodedRegion::row_bytes(brick.x * count[0] as usize * bytes) / bytes;
        let slice = row * brick.y * count[1] as usize;
        let size = slice as u64 * brick.z as u64 * u64::from(count[2]) * bytes as u64;
        let usage = Usage::STORAGE | Usage::COPY_SRC;
        let buffer = match buffer.filter(|buffer| buffer.size() >= size) {
            Some(buffer) => buffer,
            None => self.context.buffer("a region", size, usage)?,
        };
        let bricks = count.map(u64::from).iter().product::<u64>();
        let params = RegionParams {
            first,
            rows: (brick.y * brick.z) as u32,
            count,
            row: row as u32,
            slice: slice as u32,
            start: 0,
            number_bits: number_bits.min(32),
            flipped: match as_type {
                VoxelType::U8 | VoxelType::U16 | VoxelType::U32 | VoxelType::U64 => 0,
                VoxelType::I8 => 0x80,
                VoxelType::I16 | VoxelType::F16 => 0x8000,
                VoxelType::I32 | VoxelType::F32 | VoxelType::I64 | VoxelType::F64 => 0x8000_0000,
            },
            is_float: u32::from(as_type.is_float()),
            first_page: 0,
            words: 1,
            word: 0,
        };
        let bricks = u32::try_from(bricks).map_err(|_| ShapeError::TooLarge(region.dims()))?;
        let others = match by_rows(self.coding) {
            true => Some(self.list(bricks.min(MAX_BRICKS_BY_ROWS), others)?),
            false => None,
        };
        let list = others.as_ref();
        match &self.lower {
            Some(lower) if number_bits == 64 => {
                // The upper words come first: for floats, they decide if the lower ones are inverted.
                self.submit_all(RegionParams { words: 2, word: 1, ..params }, &buffer, list, bricks)?;
                let is_float = 2 * params.is_float;
                let params = RegionParams { words: 2, flipped: 0, is_float, ..params };
                lower.submit_all(params, &buffer, list, bricks)?;
            }
            _ => self.submit_all(params, &buffer, list, bricks)?,
        }
        let place = |axis: usize| axes[axis].0.start % axes[axis].1;
        Ok(DecodedRegion {
            buffer,
            number_bits,
            row,
            slice,
            first: place(0) + row * place(1) + slice * place(2),
            dims: region.dims(),
            context: self.context.clone(),
            others,
        })
    }

    /// Returns a buffer for a list of so many bricks: `kept` if there is one and it is large enough.
    fn list(&self, bricks: u32, kept: Option<wgpu::Buffer>) -> Result<wgpu::Buffer, GpuError> {
        // Two counts, and the numbers of bricks.
        let size = 8 + 4 * u64::from(bricks);
        match kept.filter(|kept| kept.size() >= size) {
            Some(kept) => Ok(kept),
            None => self.context.buffer("a list of bricks", size, Usage::STORAGE | Usage::COPY_DST),
        }
    }

    /// Decodes with each group of pages. `list` is there for bricks that a thread decodes each.
    fn submit_all(
        &self,
        params: RegionParams,
        numbers: &wgpu::Buffer,
        list: Option<&wgpu::Buffer>,
        bricks: u32,
    ) -> Result<(), GpuError> {
        let (page_count, of_group, most) = match list {
            Some(_) => (1, THREADS, MAX_BRICKS_BY_ROWS),
            None => (self.bound_pages(), 1, MAX_BRICKS),
        };
        let kernels = match list {
            Some(_) => rows_kernels(params.number_bits).to_vec(),
            None => vec![region_kernel(self.coding, params.number_bits, page_count)],
        };
        let pipelines: Vec<_> =
            kernels.iter().map(|kernel| self.context.pipeline(kernel)).collect::<Result<_, _>>()?;
        for (first_page, bound) in self.page_groups(page_count) {
            for start in (0..bricks).step_by(most as usize) {
                let params = RegionParams { first_page, start, ..params };
                let groups = most.min(bricks - start).div_ceil(of_group);
                self.submit(&pipelines, params, numbers, list, &bound, groups)?;
            }
        }
        Ok(())
    }

    fn submit(
        &self,
        pipelines: &[Pipeline],
        params: RegionParams,
        numbers: &wgpu::Buffer,
        list: Option<&wgpu::Buffer>,
        pages: &[&wgpu::Buffer],
        groups: u32,
    ) -> Result<(), GpuError> {
        let device = self.context.device();
        self.context.checked("decoding a region", || {
            let params = filled_buffer(device, "a region", bytemuck::bytes_of(&params), Usage::UNIFORM);
            let mut resources = vec![&self.shape, &self.records, &self.tables, &params, numbers];
            resources.extend(pages);
            let mut commands = device.create_command_encoder(&Default::default());
            if let Some(list) = list {
                resources.extend([&self.tables, list]);
                commands.clear_buffer(list, 0, Some(8));
            }
            let resources: Vec<_> = resources.into_iter().map(|buffer| buffer.as_entire_binding()).collect();
            let mut pass = commands.begin_compute_pass(&Default::default());
            for (pipeline, groups) in pipelines.iter().zip([groups, groups.div_ceil(OTHERS)]) {
                pipeline.dispatch(&mut pass, &pipeline.bind(device, &resources), groups);
            }
            drop(pass);
            self.context.queue().submit([commands.finish()]);
        })
    }
}

impl DecodedRegion {
    /// Returns the size in bytes of a row in the buffer, for `bytes` bytes of numbers.
    pub(super) fn row_bytes(bytes: usize) -> usize {
        bytes.next_multiple_of(ROW_BYTES)
    }

    /// Appends the region's numbers, x fastest, from the bytes of the buffer.
    pub(super) fn append<T: bytemuck::Pod>(&self, all: &[u8], numbers: &mut Vec<T>) {
        let bytes = self.number_bits as usize / 8;
        let Dims { x, y, z } = self.dims;
        numbers.reserve(x * y * z);
        for slice in 0..z {
            for row in 0..y {
                let start = bytes * (self.first + slice * self.slice + row * self.row);
                numbers.extend(bytemuck::pod_collect_to_vec::<u8, T>(&all[start..start + bytes * x]));
            }
        }
    }

    /// Copies the region into a 3D texture of one channel of unsigned integers of the numbers' width
    /// (`R8Uint`, `R16Uint`, `R32Uint`; of 64 bits two channels, `Rg32Uint`, the lower word first; floats
    /// keep their bits), which may be copied from and sampled.
    ///
    /// # Errors
    /// [`GpuError`], such as [`GpuError::Limit`] where the device's 3D textures are smaller.
    pub fn to_texture(&self) -> Result<wgpu::Texture, GpuError> {
        let Dims { x, y, z } = self.dims;
        let device = self.context.device();
        let limit = u64::from(device.limits().max_texture_dimension_3d);
        let longest = x.max(y).max(z) as u64;
        if longest > limit {
            return Err(GpuError::Limit { what: "a side of the 3D texture", needed: longest, limit });
        }
        let size = wgpu::Extent3d { width: x as u32, height: y as u32, depth_or_array_layers: z as u32 };
        self.context.checked("copying into a 3D texture", || {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("a region"),
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D3,
                format: match self.number_bits {
                    8 => wgpu::TextureFormat::R8Uint,
                    16 => wgpu::TextureFormat::R16Uint,
                    64 => wgpu::TextureFormat::Rg32Uint,
                    _ => wgpu::TextureFormat::R32Uint,
                },
                usage: wgpu::TextureUsages::COPY_DST
                    | wgpu::TextureUsages::COPY_SRC
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            let bytes = self.number_bits / 8;
            let source = wgpu::TexelCopyBufferInfo {
                buffer: &self.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: u64::from(bytes) * self.first as u64,
                    bytes_per_row: Some(bytes * self.row as u32),
                    rows_per_image: Some((self.slice / self.row) as u32),
                },
            };
            let mut commands = device.create_command_encoder(&Default::default());
            commands.copy_buffer_to_texture(source, texture.as_image_copy(), size);
            self.context.queue().submit([commands.finish()]);
            texture
        })
    }
}

//! The chunks of a mip level, one at a time, for a volume whose pages are read when rays need them.

use super::{
    ResidentOptions,
    build::{Builder, SUPERBLOCK, encode_voxels},
    superblock::PackedSuperblock,
};
use crate::{
    AnyVoxels, BrickSize, Dims, ErrorKind, ReadAt, Region, Selection, Task, VolumeFile, VolumeReadError,
    VoxelType,
    file::{Body, BrickBody, ChunkBox, ChunkGrid, ChunkPart, ChunkPlace, OpenFile, Position, chunk_dims},
    superblock::BRICKS,
    untyped::UntypedView,
};
use std::ops::Range;

/// The reason why the pages of a file cannot be read when rays need them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The bricks are flat: a superblock in memory would need two chunks.
    #[error("bricks of 16×16×1 voxels cannot be read on demand")]
    Bricks,
    /// The numbers have 64 bits, or are half floats.
    #[error("numbers of 64 bits and half floats cannot be read on demand")]
    Words,
    /// A chunk has NaN or infinities, so that the range of its finite numbers is not known.
    #[error("volumes with NaN or infinities cannot be read on demand")]
    NotFinite,
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] VolumeReadError),
}

impl StreamError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Bricks | Self::Words | Self::NotFinite => ErrorKind::Unsupported,
            Self::Read(error) => error.kind(),
        }
    }
}

/// Most bytes of a superblock in memory besides those of its bricks: the smallest minimum, three fields of 11
/// bytes in all for each brick, and padding.
const FIELDS: usize = 4 + 11 * BRICKS + 4;

/// Most bytes by which a coded brick exceeds its raw values: header, and two bits per value in bit planes.
const CODED_EXCESS: usize = 64;

/// Returns the maximum size in memory of a superblock that is encoded from voxels.
pub(super) fn most_voxel_bytes(voxel_type: VoxelType) -> usize {
    FIELDS + BRICKS * (64 * voxel_type.byte_count() + CODED_EXCESS)
}

/// A chunk of a frame of a channel.
pub(crate) struct ListedChunk {
    /// Its bytes in the file; none if it has one value.
    pub range: Range<u64>,
    /// Its smallest and its largest value, in the form of the superblocks in memory.
    pub values: [u32; 2],
    /// The ordinals of these.
    pub ordinals: [u32; 2],
    /// Upper bound of its bytes in memory.
    pub most_bytes: usize,
    /// The first voxels of its superblocks in memory.
    pub corners: Vec<Position>,
}

impl<S: ReadAt> VolumeFile<S> {
    /// Returns the voxels along each side of a chunk of a mip level, and the chunks along each axis.
    pub(crate) fn chunk_grid(&self, mip_level: usize) -> [Dims; 2] {
        let header = self.header();
        let dims = chunk_dims(header.brick, header.mip_level_dims(mip_level));
        [dims, ChunkGrid::new(header, mip_level).dims]
    }

    /// Returns the chunks of the selection of `options`, x fastest, and gives `builder` the rank tables of
    /// bricks that are kept. The selection was checked.
    pub(crate) fn list_chunks(
        &self,
        options: &ResidentOptions,
        builder: &mut Builder,
    ) -> Result<Vec<ListedChunk>, StreamError> {
        let (file, body) = self.streamed_body()?;
        let grid = ChunkGrid::new(file.header, options.mip_level);
        let mut chunks = Vec::new();
        for layer in 0..grid.dims.z {
            if file.keeps_bricks() {
                file.put_table(body, options, options.channel, layer, builder)?;
            }
            for i in 0..grid.dims.x * grid.dims.y {
                let part = chunk_part(body, grid, options, i + grid.dims.x * grid.dims.y * layer);
                chunks.push(file.listed(body, part)?);
            }
        }
        Ok(chunks)
    }

    /// Returns the superblocks of a chunk of that list, each with its first voxel.
    pub(crate) fn pack_chunk(
        &self,
        options: &ResidentOptions,
        number: usize,
    ) -> Result<Vec<(Position, PackedSuperblock)>, StreamError> {
        let (file, body) = self.streamed_body()?;
        let part = chunk_part(body, ChunkGrid::new(file.header, options.mip_level), options, number);
        if file.keeps_bricks() {
            return Ok(file.packed(body, part, options)?);
        }
        let place = file.place(part);
        let ((x, y, z), dims) = (place.corner(), place.inside());
        let region = Region { x: x..x + dims.x, y: y..y + dims.y, z: z..z + dims.z };
        let frames = Some(options.frame..options.frame + 1);
        let selection = Selection { mip_level: options.mip_level, frames, channel: Some(options.channel) };
        let mut voxels = AnyVoxels::new(file.header.voxel_type);
        self.read_any(&selection, &region, &mut voxels, &Task::new())?;
        let view = UntypedView::new(voxels.bytes(), voxels.voxel_type(), dims, 1);
        let view = view.map_err(VolumeReadError::from)?;
        let packed = |corner: Position| {
            let (right, down, back) = (corner.0 - x, corner.1 - y, corner.2 - z);
            (corner, encode_voxels(view, 0, (right, down, back), options))
        };
        Ok(file.corners(place).into_iter().map(packed).collect())
    }

    /// Returns the byte ranges of the tables of the selection of `options` that are not read yet.
    pub(crate) fn streamed_tables(&self, options: &ResidentOptions) -> Result<Vec<Range<u64>>, StreamError> {
        let (_, body) = self.streamed_body()?;
        let layers = ChunkGrid::new(self.header(), options.mip_level).dims.z;
        let slabs = options.frame * layers..(options.frame + 1) * layers;
        Ok(slabs.flat_map(|slab| body.table_ranges(options.mip_level, slab, options.channel)).collect())
    }

    /// Returns the body of a file whose chunks can become pages.
    fn streamed_body(&self) -> Result<(OpenFile<'_>, &BrickBody), StreamError> {
        let file = self.as_open();
        match file.body {
            Body::Guthe2016(_) => Err(VolumeReadError::Profile.into()),
            Body::Bricks(_) if file.header.brick == BrickSize::Flat => Err(StreamError::Bricks),
            Body::Bricks(_) if !file.header.voxel_type.is_rendered() => Err(StreamError::Words),
            Body::Bricks(body) => Ok((file, body)),
        }
    }
}

/// Returns chunk `number` of the list.
fn chunk_part(body: &BrickBody, grid: ChunkGrid, options: &ResidentOptions, number: usize) -> ChunkPart {
    let (x, y, layer) = grid.dims.position(number);
    let slab = options.frame * grid.dims.z + layer;
    body.chunk_at(grid, options.mip_level, ChunkPlace { x, y, component: options.channel, slab })
}

impl OpenFile<'_> {
    /// True if the file has the bricks of volumes in memory.
    fn keeps_bricks(self) -> bool {
        self.header.brick == BrickSize::Four
    }

    /// Returns the first voxels of the superblocks of bricks of 4³ in a chunk.
    fn corners(self, place: ChunkBox) -> Vec<Position> {
        let (x, y, z) = place.corner();
        let superblocks = place.inside().covered_by(Dims::cube(SUPERBLOCK));
        let count = superblocks.x * superblocks.y * superblocks.z;
        let corner = |i: usize| {
            let (right, down, back) = superblocks.position(i);
            (x + SUPERBLOCK * right, y + SUPERBLOCK * down, z + SUPERBLOCK * back)
        };
        (0..count).map(corner).collect()
    }

    fn listed(self, body: &BrickBody, part: ChunkPart) -> Result<ListedChunk, VolumeReadError> {
        let (least, largest) = part.extremes();
        let mut values = [least, largest];
        let ordinals = match self.table(body, part)? {
            None => values,
            Some(table) => {
                let of = |rank: u32| table.ordinals.get(rank as usize).copied().ok_or_else(|| part.broken());
                [of(least)?, of(largest)?]
            }
        };
        let place = self.place(part);
        let (corners, range) = (self.corners(place), part.range());
        let mut byte_count = (range.end - range.start) as usize;
        // Bytes of a brick in memory that are not among those of the chunk.
        let more = if !self.keeps_bricks() {
            // Bricks are encoded again, from ordinals.
            (values, byte_count) = (ordinals, 0);
            64 * self.header.value_bytes() + CODED_EXCESS
        } else if byte_count == place.raw_bytes() {
            CODED_EXCESS
        } else {
            self.patterns(body, part)?.map_or(0, |patterns| patterns.longest())
        };
        let most_bytes = byte_count.saturating_add(corners.len() * (FIELDS + BRICKS * more));
        Ok(ListedChunk { range, values, ordinals, most_bytes, corners })
    }
}

//! A volume whose pages are read when rays need them. In a file, a page is one chunk, or several if the
//! volume has more chunks than there are numbers of pages. The file's index has the smallest and the largest
//! value of each chunk, by which ray casters skip chunks that are not read. Otherwise, a page is a box of
//! voxels that the caller supplies.

use super::{
    Coding, ResidentOptions, ResidentVolume,
    build::{Builder, SUPERBLOCK, encode_voxels},
    chunks::{ListedChunk, StreamError, most_voxel_bytes},
    pages::TAIL,
    superblock::{PackedSuperblock, Record},
};
use crate::{
    AnyVoxels, Dims, ReadAt, Region, Selection, ShapeError, Task, VolumeFile, VolumeReadError, VoxelKind,
    VoxelType, file::Position, untyped::UntypedView,
};
use std::ops::Range;

/// A frame of a mip level of a channel, whose pages are read when rays need them.
#[derive(Debug)]
pub struct StreamedVolume {
    options: ResidentOptions,
    /// Records and rank tables, without pages. Superblocks of pages that were never read have records without
    /// widths.
    index: ResidentVolume,
    /// Voxels along each side of a chunk.
    chunk_dims: Dims,
    /// Chunks along each axis.
    grid: Dims,
    ordinals: Vec<[u32; 2]>,
    /// Numbers of the chunks with bytes, and these bytes in the file, page by page.
    chunks: Vec<(usize, Range<u64>)>,
    chunks_per_page: usize,
    page_bytes: usize,
    /// Records that changed since they were last taken.
    changed: Option<Range<usize>>,
}

impl StreamedVolume {
    /// Returns the byte ranges of the tables that [`new`](Self::new) reads. Only mip level, frame and channel
    /// of the options count.
    ///
    /// # Errors
    /// [`StreamError`].
    pub fn table_ranges<S: ReadAt>(
        file: &VolumeFile<S>,
        options: &ResidentOptions,
    ) -> Result<Vec<Range<u64>>, StreamError> {
        check(file, options)?;
        file.streamed_tables(options)
    }

    /// Prepares a mip level of one frame and channel of a file. Reads its tables and no chunk. Bricks of 8³
    /// will be decoded and encoded as bricks of 4³.
    ///
    /// # Errors
    /// [`StreamError`].
    pub fn new<S: ReadAt>(
        file: &VolumeFile<S>,
        options: &ResidentOptions,
        task: &Task<'_>,
    ) -> Result<Self, StreamError> {
        check(file, options)?;
        let header = file.header();
        let shape = (header.mip_level_dims(options.mip_level), header.voxel_type, header.kind);
        let mut builder = Builder::new(shape, 0, Coding::default(), options, task)?;
        let listed = file.list_chunks(options, &mut builder)?;
        for ListedChunk { values, corners, .. } in listed.iter().filter(|chunk| has_one_value(chunk)) {
            for corner in corners {
                builder.put(*corner, &PackedSuperblock::Constant(values[0]))?;
            }
        }
        let mut index = builder.finish();
        let stored = || listed.iter().enumerate().filter(|(_, chunk)| !has_one_value(chunk));
        let chunks: Vec<_> = stored().map(|(number, chunk)| (number, chunk.range.clone())).collect();
        let chunks_per_page = chunks.len().div_ceil(Record::MAX_PAGES).max(1);
        let mut sizes = vec![TAIL; chunks.len().div_ceil(chunks_per_page)];
        for (place, (_, chunk)) in stored().enumerate() {
            let page = place / chunks_per_page;
            // A damaged file may claim more than fits in 32 bits.
            sizes[page] = sizes[page].saturating_add(chunk.most_bytes);
            for corner in &chunk.corners {
                let number = superblock_number(&index, *corner);
                index.records[number] = Record { base: 0, info: (page as u32) << Record::PAGE_SHIFT };
            }
        }
        let [chunk_dims, grid] = file.chunk_grid(options.mip_level);
        let largest = sizes.into_iter().max().unwrap_or(TAIL);
        Ok(Self {
            options: options.clone(),
            index,
            chunk_dims,
            grid,
            ordinals: listed.iter().map(|chunk| chunk.ordinals).collect(),
            chunks,
            chunks_per_page,
            page_bytes: largest.checked_next_multiple_of(4).unwrap_or(largest & !3),
            changed: None,
        })
    }

    /// Prepares a volume whose pages are boxes of `side` voxels, cut to the volume and numbered with x
    /// fastest. Their values are not known, so there are no `ordinals` of chunks.
    ///
    /// # Errors
    /// [`StreamError`] if numbers have 64 bits or are half floats, the sides of boxes are no multiples of 16,
    /// there are more boxes than numbers of pages, or memory runs out.
    pub fn of_boxes(shape: (Dims, VoxelType, VoxelKind), side: Dims) -> Result<Self, StreamError> {
        let (dims, voxel_type, _) = shape;
        if !voxel_type.is_rendered() {
            return Err(StreamError::Words);
        }
        let is_whole = |side: usize| side > 0 && side.is_multiple_of(SUPERBLOCK);
        let grid = if [side.x, side.y, side.z].into_iter().all(is_whole) {
            dims.covered_by(side)
        } else {
            return Err(VolumeReadError::from(ShapeError::TooLarge(side)).into());
        };
        let count = grid.voxel_count().map_err(VolumeReadError::from)?;
        if count > Record::MAX_PAGES {
            return Err(VolumeReadError::from(ShapeError::TooLarge(grid)).into());
        }
        let options = ResidentOptions::default();
        let mut index = Builder::new(shape, 0, Coding::default(), &options, &Task::new())?.finish();
        let superblocks = index.superblocks;
        for (number, record) in index.records.iter_mut().enumerate() {
            let (x, y, z) = superblocks.position(number);
            let at = |place: usize, side: usize| place * SUPERBLOCK / side;
            let page = grid.index(at(x, side.x), at(y, side.y), at(z, side.z));
            *record = Record { base: 0, info: (page as u32) << Record::PAGE_SHIFT };
        }
        let superblocks = side.covered_by(Dims::cube(SUPERBLOCK)).voxel_count();
        let superblocks = superblocks.map_err(VolumeReadError::from)?;
        let page_bytes = TAIL.saturating_add(superblocks.saturating_mul(most_voxel_bytes(voxel_type)));
        Ok(Self {
            options,
            index,
            chunk_dims: side,
            grid,
            ordinals: Vec::new(),
            chunks: (0..count).map(|number| (number, 0..0)).collect(),
            chunks_per_page: 1,
            page_bytes: page_bytes.checked_next_multiple_of(4).unwrap_or(page_bytes & !3),
            changed: None,
        })
    }

    /// Returns the voxels of a page that is a box; `None` if there is no such page.
    pub fn page_box(&self, page: usize) -> Option<Region> {
        let (x, y, z) = (page < self.page_count()).then(|| self.grid.position(page))?;
        let along = |place: usize, side: usize, all: usize| place * side..all.min((place + 1) * side);
        let (side, dims) = (self.chunk_dims, self.dims());
        Some(Region { x: along(x, side.x, dims.x), y: along(y, side.y, dims.y), z: along(z, side.z, dims.z) })
    }

    /// Lays out a page that is a box from its voxels, as [`load`](Self::load) does.
    ///
    /// # Errors
    /// [`StreamError`] if there is no such page, or the voxels are not those of the box.
    pub fn put_box(&mut self, page: usize, voxels: &AnyVoxels) -> Result<Vec<u8>, StreamError> {
        let missing = || ShapeError::Selected { what: "page", index: page, count: self.page_count() };
        let region = self.page_box(page).ok_or_else(missing).map_err(VolumeReadError::from)?;
        let dims = region.dims();
        if voxels.voxel_type() != self.voxel_type() {
            let (have, asked) = (self.voxel_type(), voxels.voxel_type());
            return Err(VolumeReadError::Type { have, asked }.into());
        }
        let view = UntypedView::new(voxels.bytes(), self.voxel_type(), dims, 1);
        let view = view.map_err(VolumeReadError::from)?;
        let superblocks = dims.covered_by(Dims::cube(SUPERBLOCK));
        let count = superblocks.x * superblocks.y * superblocks.z;
        let packed = (0..count).map(|i| {
            let (x, y, z) = superblocks.position(i);
            let inside = (SUPERBLOCK * x, SUPERBLOCK * y, SUPERBLOCK * z);
            let corner = (region.x.start + inside.0, region.y.start + inside.1, region.z.start + inside.2);
            (corner, encode_voxels(view, 0, inside, &self.options))
        });
        let packed: Vec<_> = packed.collect();
        self.lay_out(page, packed)
    }

    /// Returns the number of voxels along each axis.
    pub const fn dims(&self) -> Dims {
        self.index.dims
    }

    /// Returns the type of the voxels.
    pub const fn voxel_type(&self) -> VoxelType {
        self.index.voxel_type
    }

    /// Returns the number of pages.
    pub fn page_count(&self) -> usize {
        self.chunks.len().div_ceil(self.chunks_per_page)
    }

    /// Returns the maximum size of a page in bytes.
    pub const fn page_bytes(&self) -> usize {
        self.page_bytes
    }

    /// Returns the size of index and rank tables in bytes.
    pub fn byte_count(&self) -> usize {
        self.index.byte_count()
    }

    /// Returns the byte ranges of a page in the file, in the order of its chunks.
    pub fn ranges(&self, page: usize) -> impl Iterator<Item = Range<u64>> {
        self.chunks_of(page).iter().map(|(_, range)| range.clone())
    }

    /// Lays out a page. Returns its bytes: whole words, of which the last are zeros, and none if there is no
    /// such page. Changes the records of its superblocks.
    ///
    /// # Errors
    /// [`StreamError`] if the file's bytes were not supplied or are damaged, or memory runs out.
    pub fn load<S: ReadAt>(&mut self, file: &VolumeFile<S>, page: usize) -> Result<Vec<u8>, StreamError> {
        if page >= self.page_count() {
            return Ok(Vec::new());
        }
        let mut packed = Vec::new();
        for (number, _) in self.chunks_of(page) {
            packed.extend(file.pack_chunk(&self.options, *number)?);
        }
        self.lay_out(page, packed)
    }

    fn lay_out(
        &mut self,
        page: usize,
        superblocks: Vec<(Position, PackedSuperblock)>,
    ) -> Result<Vec<u8>, StreamError> {
        let mut bytes = Vec::new();
        for (corner, superblock) in superblocks {
            let record = match superblock {
                PackedSuperblock::Constant(value) => Record::constant(value),
                PackedSuperblock::Bricks { widths, bytes: packed } => {
                    let base = (bytes.len() / 4) as u32;
                    bytes.extend_from_slice(&packed);
                    Record { base, info: widths | (page as u32) << Record::PAGE_SHIFT }
                }
            };
            self.put(corner, record);
        }
        bytes.resize(bytes.len() + TAIL, 0);
        // The bounds of its chunks limit it to its slot.
        if bytes.len() > self.page_bytes {
            return Err(VolumeReadError::Memory(bytes.len() as u64).into());
        }
        Ok(bytes)
    }

    /// Returns the records that changed since the last call, with those between them: their first byte in the
    /// index, and their bytes.
    pub fn take_changes(&mut self) -> Option<(usize, &[u8])> {
        let changed = self.changed.take()?;
        let start = changed.start * size_of::<Record>();
        Some((start, bytemuck::cast_slice(&self.index.records[changed])))
    }

    /// Returns records and rank tables, without pages.
    pub(crate) const fn index(&self) -> &ResidentVolume {
        &self.index
    }

    /// Returns the voxels along each side of a chunk, and the chunks along each axis.
    pub(crate) const fn chunk_grid(&self) -> [Dims; 2] {
        [self.chunk_dims, self.grid]
    }

    /// Returns the smallest and the largest ordinal of each chunk.
    pub(crate) fn ordinals(&self) -> &[[u32; 2]] {
        &self.ordinals
    }

    fn chunks_of(&self, page: usize) -> &[(usize, Range<u64>)] {
        self.chunks.chunks(self.chunks_per_page).nth(page).unwrap_or_default()
    }

    fn put(&mut self, corner: (usize, usize, usize), record: Record) {
        let number = superblock_number(&self.index, corner);
        if self.index.records[number] == record {
            return;
        }
        self.index.records[number] = record;
        self.changed = Some(match self.changed.take() {
            None => number..number + 1,
            Some(changed) => changed.start.min(number)..changed.end.max(number + 1),
        });
    }
}

fn check<S: ReadAt>(file: &VolumeFile<S>, options: &ResidentOptions) -> Result<(), VolumeReadError> {
    let &ResidentOptions { mip_level, frame, channel, .. } = options;
    let frames = Some(frame..frame.saturating_add(1));
    file.check(&Selection { mip_level, frames, channel: Some(channel) })?;
    Ok(())
}

const fn has_one_value(chunk: &ListedChunk) -> bool {
    chunk.values[0] == chunk.values[1]
}

/// Returns the number of the superblock whose first voxel is `corner`.
fn superblock_number(index: &ResidentVolume, (x, y, z): (usize, usize, usize)) -> usize {
    index.superblocks.index(x / SUPERBLOCK, y / SUPERBLOCK, z / SUPERBLOCK)
}

#[cfg(test)]
impl StreamedVolume {
    /// Returns the volume with all of its pages.
    pub(super) fn with_pages(self, pages: Vec<Vec<u8>>) -> ResidentVolume {
        ResidentVolume { pages, ..self.index }
    }
}

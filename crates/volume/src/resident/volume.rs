//! A volume compressed in memory.

use super::{Coding, superblock::Record};
use crate::{
    BrickSize, Dims, Region, ShapeError, Stage, Task, VolumeReadError, Voxel, VoxelKind, VoxelType,
    brick::{BrickBox, MAX_VOXELS},
    superblock::SIDE,
};
use std::ops::Range;

/// A frame of a mip level of a channel in bricks, in memory and compressed, where every brick is found in a
/// few reads. Bricks are of 4×4×4 voxels, or the file's own
/// ([`ResidentOptions::with_kept_bricks`](crate::ResidentOptions)). Numbers of 64 bits are two such volumes,
/// of the upper and of the lower 32 bits of their ordinals. Made of a file by [`from_file`](Self::from_file).
///
/// ```
/// # use brickwork_volume::*;
/// # let dims = Dims::new(40, 30, 20);
/// # let voxels: Vec<u16> = (0..40 * 30 * 20).collect();
/// # let mut bytes = Vec::new();
/// # let view = VolumeView::new(&voxels, dims)?;
/// # encode(view, &Header::new(VoxelType::U16, dims), &BwvOptions::default(), &mut bytes, &Task::new())?;
/// let file = VolumeFile::new(bytes)?;
/// let volume = ResidentVolume::from_file(&file, &ResidentOptions::default(), &Task::new())?;
/// let mut brick = [0u16; 64];
/// volume.read_voxels([2, 1, 3], &mut brick)?;
/// assert_eq!(brick[0], voxels[8 + 40 * (4 + 30 * 12)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ResidentVolume {
    pub(super) dims: Dims,
    pub(super) voxel_type: VoxelType,
    pub(super) kind: VoxelKind,
    pub(super) coding: Coding,
    /// Superblocks along each axis.
    pub(super) superblocks: Dims,
    /// Records by superblock, x fastest.
    pub(super) records: Vec<Record>,
    pub(super) pages: Vec<Vec<u8>>,
    /// Rank tables with their numbers in the file: the ordinals of all ranks.
    pub(super) tables: Vec<(usize, Box<[u32]>)>,
    /// Rank table of each layer of superblocks: 0, or one more than its position.
    pub(super) table_of_layer: Vec<u32>,
    /// The lower words of numbers of 64 bits.
    pub(super) lower: Option<Box<ResidentVolume>>,
}

/// The properties of a brick that are known without its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidentBrick {
    /// Smallest ordinal of the voxels, and the largest. (For 64-bit numbers, those of the upper words.)
    pub ordinals: [u32; 2],
    /// Smallest value, and distance to the largest: ordinals, or ranks.
    minimum: u32,
    range: u32,
    page: usize,
    start: usize,
}

impl ResidentBrick {
    /// True if all its voxels are the same.
    pub const fn is_constant(&self) -> bool {
        self.range == 0
    }
}

impl ResidentVolume {
    /// Returns the voxels along each axis.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Returns the bricks along each axis.
    pub const fn bricks(&self) -> Dims {
        self.dims.covered_by(self.brick_size().dims())
    }

    /// Returns the voxels of a brick.
    pub const fn brick_size(&self) -> BrickSize {
        self.coding.brick_size()
    }

    /// Returns the coding of the bricks.
    #[cfg(feature = "gpu")]
    pub(crate) const fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns the type of the file's voxels.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// Returns the meaning of the voxels.
    pub const fn kind(&self) -> VoxelKind {
        self.kind
    }

    /// Returns the same voxels as another kind.
    #[must_use]
    pub fn with_kind(self, kind: VoxelKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the size in memory, in bytes: bricks, index and rank tables. It is the same on a GPU.
    pub fn byte_count(&self) -> usize {
        let tables = self.tables.iter().map(|(_, ordinals)| 4 * ordinals.len()).sum::<usize>();
        let records = size_of_val(&*self.records) + size_of_val(&*self.table_of_layer);
        let lower = self.lower().map_or(0, Self::byte_count);
        self.pages.iter().map(Vec::len).sum::<usize>() + records + tables + lower
    }

    /// Returns the lower words of the ordinals of numbers of 64 bits, as a separate volume. The ordinals of
    /// this volume are then the upper words.
    pub fn lower(&self) -> Option<&Self> {
        self.lower.as_deref()
    }

    /// Returns the superblocks along each axis.
    #[cfg(feature = "kernel-inputs")]
    pub(crate) const fn superblocks(&self) -> Dims {
        self.superblocks
    }

    /// Returns the records of the superblocks, x fastest.
    #[cfg(feature = "kernel-inputs")]
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns the bytes of the superblocks.
    #[cfg(feature = "kernel-inputs")]
    pub(crate) fn pages(&self) -> &[Vec<u8>] {
        &self.pages
    }

    /// Returns the rank tables in the layout for GPUs: for each layer of superblocks the start of its table,
    /// or 0; then the tables, each a count and that many ordinals. `first` is the number of words before
    /// them.
    #[cfg(feature = "kernel-inputs")]
    pub(crate) fn table_words(&self, first: u32) -> Vec<u32> {
        let mut words = vec![0; self.table_of_layer.len()];
        let mut starts = vec![0];
        for (_, ordinals) in &self.tables {
            starts.push(first + words.len() as u32);
            words.push(ordinals.len() as u32);
            words.extend_from_slice(ordinals);
        }
        for (layer, &table) in self.table_of_layer.iter().enumerate() {
            words[layer] = starts[table as usize];
        }
        words
    }

    /// Returns the index's entry of a brick, by its column, row and layer.
    ///
    /// # Errors
    /// [`ShapeError::NoSuchBrick`].
    pub fn brick(&self, place: [usize; 3]) -> Result<ResidentBrick, ShapeError> {
        self.check_brick(place)?;
        Ok(self.brick_unchecked(place))
    }

    /// Works like [`brick`](Self::brick) for an existing brick.
    pub(crate) fn brick_unchecked(&self, place: [usize; 3]) -> ResidentBrick {
        let (minimum, range, page, start) = self.field(place);
        let ordinals = match self.table(place) {
            None => [minimum, minimum.wrapping_add(range)],
            Some(table) => [minimum, minimum.wrapping_add(range)].map(|rank| ordinal(table, rank)),
        };
        ResidentBrick { ordinals, minimum, range, page, start }
    }

    /// Fills `voxels` with those of a brick, x fastest; those outside the volume are unspecified.
    ///
    /// # Errors
    /// [`VolumeReadError`] if there is no such brick, `voxels` has another length than a
    /// [brick](Self::brick_size) has voxels, or the volume's voxels are of another type.
    pub fn read_voxels<T: Voxel>(&self, place: [usize; 3], voxels: &mut [T]) -> Result<(), VolumeReadError> {
        if T::TYPE != self.voxel_type {
            return Err(VolumeReadError::Type { have: self.voxel_type, asked: T::TYPE });
        }
        self.check_brick(place)?;
        self.check_length(voxels.len())?;
        self.read_voxels_unchecked(place, voxels);
        Ok(())
    }

    /// Works like [`read_voxels`](Self::read_voxels), without checks.
    fn read_voxels_unchecked<T: Voxel>(&self, place: [usize; 3], voxels: &mut [T]) {
        let mut ordinals = [0; MAX_VOXELS];
        let ordinals = &mut ordinals[..voxels.len()];
        for (word, volume) in [Some(self), self.lower()].into_iter().flatten().enumerate() {
            volume.read_ordinals(place, ordinals);
            for (voxel, &ordinal) in voxels.iter_mut().zip(&*ordinals) {
                *voxel = voxel.with_word(word, ordinal);
            }
        }
    }

    /// Fills `ordinals` with those of a brick's voxels, x fastest: with the upper words of ordinals of 64
    /// bits. Ordinals of voxels outside the volume are unspecified.
    ///
    /// # Errors
    /// [`ShapeError`] if there is no such brick, or `ordinals` has another length than a
    /// [brick](Self::brick_size) has voxels.
    pub fn brick_ordinals(&self, place: [usize; 3], ordinals: &mut [u32]) -> Result<(), ShapeError> {
        self.check_brick(place)?;
        self.check_length(ordinals.len())?;
        self.read_ordinals(place, ordinals);
        Ok(())
    }

    /// Checks that the brick exists.
    fn check_brick(&self, [x, y, z]: [usize; 3]) -> Result<(), ShapeError> {
        let bricks = self.bricks();
        let has_it = bricks.contains((x, y, z));
        if has_it { Ok(()) } else { Err(ShapeError::NoSuchBrick { place: [x, y, z], bricks }) }
    }

    /// Checks that `count` voxels are a brick.
    const fn check_length(&self, actual: usize) -> Result<(), ShapeError> {
        let (dims, expected) = (self.brick_size().dims(), self.brick_size().voxel_count());
        if actual == expected { Ok(()) } else { Err(ShapeError::Length { dims, expected, actual }) }
    }

    /// Works like [`brick_ordinals`](Self::brick_ordinals), without checks.
    pub(crate) fn read_ordinals(&self, place: [usize; 3], ordinals: &mut [u32]) {
        let (minimum, range, page, start) = self.field(place);
        if range == 0 {
            ordinals.fill(minimum);
        } else {
            // Bytes that no encoder writes may decode to any values; here, the brick then counts as constant.
            let part = self.part(place);
            if self.coding.decode(&self.pages[page], start, range, part, ordinals).is_none() {
                ordinals.fill(0);
            }
            for value in &mut *ordinals {
                *value = value.wrapping_add(minimum);
            }
        }
        if let Some(table) = self.table(place) {
            for value in ordinals {
                *value = ordinal(table, *value);
            }
        }
    }

    /// Decodes the voxels of `region`, x fastest. Works on the calling thread. Reports layers of bricks.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the region is empty or not within the volume, the voxels are of another type,
    /// memory runs out, or the caller cancelled the call.
    pub fn read<T: Voxel>(&self, region: &Region, task: &Task<'_>) -> Result<Vec<T>, VolumeReadError> {
        if T::TYPE != self.voxel_type {
            return Err(VolumeReadError::Type { have: self.voxel_type, asked: T::TYPE });
        }
        region.check(self.dims)?;
        let (dims, side) = (region.dims(), self.brick_size().dims());
        let (count, bytes) = (dims.voxel_count()?, dims.byte_count(size_of::<T>())?);
        let mut voxels = Vec::new();
        voxels.try_reserve_exact(count).map_err(|_| VolumeReadError::Memory(bytes as u64))?;
        voxels.resize(count, T::zeroed());
        let mut brick = [T::zeroed(); MAX_VOXELS];
        let brick = &mut brick[..self.brick_size().voxel_count()];
        let touched = |range: &Range<usize>, side: usize| range.start / side..range.end.div_ceil(side);
        // The part of a brick's side in the region.
        let common = |range: &Range<usize>, place: usize, side: usize| {
            range.start.max(place * side)..range.end.min((place + 1) * side)
        };
        let layers = touched(&region.z, side.z);
        for z in layers.clone() {
            task.report(Stage::Decoding, (z - layers.start) as u64, layers.len() as u64);
            for y in touched(&region.y, side.y) {
                task.check()?;
                for x in touched(&region.x, side.x) {
                    self.read_voxels_unchecked([x, y, z], brick);
                    let columns = common(&region.x, x, side.x);
                    for slice in common(&region.z, z, side.z) {
                        for row in common(&region.y, y, side.y) {
                            let from = side.index(columns.start % side.x, row % side.y, slice % side.z);
                            let to = (columns.start - region.x.start, row - region.y.start);
                            let to = dims.index(to.0, to.1, slice - region.z.start);
                            voxels[to..to + columns.len()]
                                .copy_from_slice(&brick[from..from + columns.len()]);
                        }
                    }
                }
            }
        }
        Ok(voxels)
    }

    /// Writes the ordinals of the 4×4×4 voxels at `4 * place`, for any size of bricks; those outside the
    /// volume are unspecified.
    pub(crate) fn read_four(&self, place: [usize; 3], ordinals: &mut [u32; 64]) {
        if self.brick_size() == BrickSize::Four {
            return self.read_ordinals(place, ordinals);
        }
        let side = self.brick_size().dims();
        let mut brick = [0; MAX_VOXELS];
        let brick = &mut brick[..self.brick_size().voxel_count()];
        let corner = place.map(|place| 4 * place);
        for (slice, ordinals) in ordinals.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let z = corner[2] + slice;
            if z >= self.dims.z {
                break;
            }
            if slice == 0 || z % side.z == 0 {
                self.read_ordinals([corner[0] / side.x, corner[1] / side.y, z / side.z], brick);
            }
            for (row, ordinals) in ordinals.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let from = side.index(corner[0] % side.x, corner[1] % side.y + row, z % side.z);
                ordinals.copy_from_slice(&brick[from..from + 4]);
            }
        }
    }

    /// Works like [`read_four`](Self::read_four), but voxels outside repeat the edge.
    pub(crate) fn read_whole_four(&self, place: [usize; 3], ordinals: &mut [u32; 64]) {
        self.read_four(place, ordinals);
        let corner = (4 * place[0], 4 * place[1], 4 * place[2]);
        BrickBox::at(BrickSize::Four, corner, self.dims).expect("read above").repeat_edge(ordinals);
    }

    /// Returns the smallest and the largest ordinal of the 4×4×4 voxels at `4 * place`, from the index:
    /// bounds of them.
    pub(crate) fn ordinals_of_four(&self, place: [usize; 3]) -> [u32; 2] {
        let side = self.brick_size().dims();
        let last = self.dims.z.min(4 * place[2] + 4).div_ceil(side.z);
        let of = |z| self.brick_unchecked([4 * place[0] / side.x, 4 * place[1] / side.y, z]).ordinals;
        (4 * place[2] / side.z..last)
            .map(of)
            .fold([u32::MAX, 0], |all, of| [all[0].min(of[0]), all[1].max(of[1])])
    }

    /// Changes a byte, for tests: one of the bricks, or any.
    #[cfg(any(all(test, feature = "gpu"), fuzzing))]
    pub fn damage(&mut self, place: u32, byte: u8, anything: bool) {
        if let (Some(lower), 1) = (&mut self.lower, place >> 31) {
            return lower.damage(place << 1, byte, anything);
        }
        let records: Vec<Record> = self.records.iter().filter(|r| !r.is_constant()).copied().collect();
        if records.is_empty() {
            return;
        }
        let record = records[place as usize % records.len()];
        let page = &mut self.pages[record.page()];
        // At most 64 fields, with these numbers of bits.
        let fields = 4 + (record.widths().iter().sum::<u32>() as usize * 64).div_ceil(8);
        let start = record.base as usize * 4 + if anything { 0 } else { fields };
        let at = (start + (place >> 12) as usize % 4000).min(page.len() - 1);
        // The bricks are followed by the fields of the next superblock.
        let is_field = |r: &Record| {
            let bytes = 4 + (r.widths().iter().sum::<u32>() as usize * 64).div_ceil(8);
            r.page() == record.page() && (r.base as usize * 4..r.base as usize * 4 + bytes).contains(&at)
        };
        if anything || !records.iter().any(is_field) {
            page[at] = byte;
        }
    }

    /// Returns the part of a brick in the volume.
    fn part(&self, [x, y, z]: [usize; 3]) -> BrickBox {
        let (size, side) = (self.brick_size(), self.brick_size().dims());
        BrickBox::at(size, (x * side.x, y * side.y, z * side.z), self.dims).expect("a brick of the volume")
    }

    /// Returns a brick's minimum, its range, its page and its start in the page.
    fn field(&self, [x, y, z]: [usize; 3]) -> (u32, u32, usize, usize) {
        let bricks = self.bricks();
        debug_assert!(bricks.contains((x, y, z)), "brick ({x}, {y}, {z}) of {bricks}");
        let corner = [x, y, z].map(|place| place / SIDE * SIDE);
        let record = self.records[self.superblocks.index(x / SIDE, y / SIDE, z / SIDE)];
        if record.is_constant() {
            return (record.base, 0, 0, 0);
        }
        let inside = bricks.clip((corner[0], corner[1], corner[2]), Dims::cube(SIDE)).expect("the brick's");
        let i = inside.index(x - corner[0], y - corner[1], z - corner[2]);
        let (minimum, range, start) = record.field(&self.pages[record.page()], inside, i).unwrap_or_default();
        (minimum, range, record.page(), start)
    }

    /// Returns the rank table of a brick.
    fn table(&self, place: [usize; 3]) -> Option<&[u32]> {
        let number = self.table_of_layer[place[2] / SIDE].checked_sub(1)?;
        Some(&self.tables[number as usize].1)
    }
}

/// Returns the ordinal of a rank; for ranks that do not exist, the last ordinal.
fn ordinal(table: &[u32], rank: u32) -> u32 {
    table.get(rank as usize).or(table.last()).copied().unwrap_or(0)
}

//! Reading a `.bwv` file, any region of it: the typed outside of [`OpenFile`].

use super::{
    contents::{Contents, PartCounts},
    open_file::OpenFile,
    source::ReadAt,
    strided::slab_ranges,
};
use crate::{
    AnyVoxels, BwvError, Dims, Region, ShapeError, Strides, Task, VolumeReadError, Voxel,
    file::{header::Header, index::FileIndex, selection::Selection},
};
use std::{fs::File, ops::Range, path::Path, sync::atomic::Ordering};

/// An open `.bwv` file.
#[derive(Debug)]
pub struct VolumeFile<S = File> {
    source: S,
    contents: Contents,
}

impl VolumeFile<File> {
    /// Opens the file at `path` and reads its header and index.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new), as the reason of a [`VolumeReadError::File`] that names the path.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, VolumeReadError> {
        let path = path.as_ref();
        File::open(path)
            .map_err(VolumeReadError::from)
            .and_then(Self::new)
            .map_err(|reason| VolumeReadError::File { path: path.to_owned(), reason: Box::new(reason) })
    }
}

impl<S: ReadAt> VolumeFile<S> {
    /// Reads header and index. Their memory is bounded by the length of the file, not by the header.
    ///
    /// `source` may also be the bytes of a file, including a memory map; a caller that maps a file must make
    /// sure that nobody shortens it.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the file breaks the format's rules, or from `source`.
    pub fn new(source: S) -> Result<Self, VolumeReadError> {
        let contents = Contents::read(&source)?;
        Ok(Self { source, contents })
    }

    /// Returns the volume in bytes that have this index.
    pub(crate) fn from_index(source: S, header: Header, file_bytes: u64, index: FileIndex) -> Self {
        Self { source, contents: Contents::new(header, file_bytes, index) }
    }

    /// Returns the source of the file's bytes.
    pub const fn source(&self) -> &S {
        &self.source
    }

    /// Returns the source of the file's bytes.
    pub fn into_source(self) -> S {
        self.source
    }

    /// Returns the byte ranges of the file that reading `region` of the selection needs: ascending, and none
    /// touches the next. Without tables that were read before. With the profile guthe2016: whole sections,
    /// each a channel of a frame.
    ///
    /// # Errors
    /// [`ShapeError`] if the file does not have the selection, or the region extends beyond the volume.
    pub fn ranges(&self, selection: &Selection, region: &Region) -> Result<Vec<Range<u64>>, VolumeReadError> {
        self.as_open().ranges(selection, region)
    }

    /// Returns the header.
    pub const fn header(&self) -> &Header {
        &self.contents.header
    }

    /// Returns the number of bytes of the whole file.
    pub const fn file_bytes(&self) -> u64 {
        self.contents.file_bytes
    }

    /// Returns the size of the chunks in bytes: bricks with the index within each superblock. In the profile
    /// guthe2016: the size of the bricks, without the offset volume.
    pub fn chunk_bytes(&self) -> u64 {
        self.contents.chunk_bytes()
    }

    /// Returns the counts of the file's parts.
    pub fn counts(&self) -> PartCounts {
        self.contents.counts()
    }

    /// Returns the number of slices that are stored together: 32 with 4³ bricks, 64 with 8³, 8 with flat
    /// ones; fewer in flat volumes, more in narrow ones. Regions that start and end at multiples read nothing
    /// twice.
    pub fn slab_depth(&self) -> usize {
        self.slab_depth_of(0)
    }

    /// Returns the [`slab_depth`](Self::slab_depth) of a mip level.
    pub(crate) fn slab_depth_of(&self, mip_level: usize) -> usize {
        self.as_open().slab_depth(mip_level)
    }

    /// Returns the number of bricks that were decoded since opening to read regions and windows. Not
    /// counted: bricks of the profile guthe2016, and those in chunks of one value.
    pub fn bricks_decoded(&self) -> u64 {
        self.contents.bricks_decoded.load(Ordering::Relaxed)
    }

    /// Returns the volume's dims.
    pub const fn dims(&self) -> Dims {
        self.contents.header.dims
    }

    /// Returns the voxels of `region` of all frames and channels: channels run fastest, then x, y, z and the
    /// frames. Reports the rows of chunks decoded.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the type is not the file's, the region extends beyond the volume, memory runs
    /// out, or the chunks it touches are damaged.
    pub fn read<T: Voxel>(&self, region: &Region, task: &Task<'_>) -> Result<Vec<T>, VolumeReadError> {
        self.read_selected(&Selection::default(), region, task)
    }

    /// Fills `voxels` with those of `region`, in the order of [`read`](Self::read).
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and an error if the length of `voxels` is not that of the region.
    /// The contents of `voxels` are then unspecified.
    pub fn read_into<T: Voxel>(
        &self,
        region: &Region,
        voxels: &mut [T],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        self.read_selected_into(&Selection::default(), region, voxels, task)
    }

    /// Returns the voxels of `region` of the mip level, frames and channels selected, in the order of
    /// [`read`](Self::read). The region is one of the mip level.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and an error if the file does not have the selection.
    pub fn read_selected<T: Voxel>(
        &self,
        selection: &Selection,
        region: &Region,
        task: &Task<'_>,
    ) -> Result<Vec<T>, VolumeReadError> {
        self.check_type::<T>()?;
        let (count, byte_count) = self.as_open().size(selection, region)?;
        let mut voxels = Vec::new();
        voxels.try_reserve_exact(count).map_err(|_| VolumeReadError::Memory(byte_count as u64))?;
        voxels.resize(count, T::zeroed());
        self.read_selected_into(selection, region, &mut voxels, task)?;
        Ok(voxels)
    }

    /// Fills `voxels` as [`read_selected`](Self::read_selected) does.
    ///
    /// # Errors
    /// The errors of [`read_selected`](Self::read_selected), and an error if the length of `voxels` is not
    /// that of the region. The contents of `voxels` are then unspecified.
    pub fn read_selected_into<T: Voxel>(
        &self,
        selection: &Selection,
        region: &Region,
        voxels: &mut [T],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        self.check_type::<T>()?;
        self.as_open().read_into(selection, region, bytemuck::cast_slice_mut(voxels), task)
    }

    /// Reads as [`read_selected`](Self::read_selected), for any type, into `voxels`. Its previous content is
    /// lost, and its memory is used again.
    ///
    /// ```
    /// # use brickwork_volume::{AnyVoxels, VolumeReadError, Selection, Task, VolumeFile};
    /// # fn bytes(file: &VolumeFile) -> Result<u64, VolumeReadError> {
    /// let mut slab = AnyVoxels::new(file.header().voxel_type);
    /// let mut sum = 0;
    /// for region in file.slabs(0) {
    ///     file.read_any(&Selection::default(), &region, &mut slab, &Task::new())?;
    ///     sum += slab.bytes().iter().map(|&byte| u64::from(byte)).sum::<u64>();
    /// }
    /// # Ok(sum) }
    /// ```
    ///
    /// # Errors
    /// The errors of [`read_selected`](Self::read_selected), except for the type.
    pub fn read_any(
        &self,
        selection: &Selection,
        region: &Region,
        voxels: &mut AnyVoxels,
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        let (_, byte_count) = self.as_open().size(selection, region)?;
        // A buffer of another type's numbers need not be whole numbers of this one.
        voxels.buffer.clear();
        voxels.voxel_type = self.contents.header.voxel_type;
        voxels.buffer.resize(byte_count).map_err(|_| VolumeReadError::Memory(byte_count as u64))?;
        self.as_open().read_into(selection, region, voxels.buffer.bytes_mut(), task)
    }

    /// Copies the voxels of `region` of the mip level, frames and channels selected to their places in
    /// `voxels`, given by `strides`. Other numbers of `voxels` stay. If the strides are dense and `voxels` is
    /// aligned, memory and progress are those of [`read_into`](Self::read_into). Else the memory is the
    /// region's part of a slab of one frame, and the slices read are reported.
    ///
    /// # Errors
    /// The errors of [`read_selected`](Self::read_selected), and [`ShapeError::Strides`] if the strides lead
    /// out of `voxels`. After other errors, some voxels may have been copied.
    pub fn read_strided<T: Voxel>(
        &self,
        selection: &Selection,
        region: &Region,
        voxels: &mut [T],
        strides: &Strides,
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        self.check_type::<T>()?;
        self.as_open().read_strided(selection, region, bytemuck::cast_slice_mut(voxels), strides, task)
    }

    /// Works like [`read_strided`](Self::read_strided) for voxels of the file's type, known at run time.
    /// `voxels` are the numbers in this machine's byte order, with any alignment. Strides count numbers, not
    /// bytes. Bytes at the end of `voxels` that are not a whole number stay unchanged.
    ///
    /// # Errors
    /// The errors of [`read_strided`](Self::read_strided), except for the type.
    pub fn read_bytes_into(
        &self,
        selection: &Selection,
        region: &Region,
        voxels: &mut [u8],
        strides: &Strides,
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        self.as_open().read_strided(selection, region, voxels, strides, task)
    }

    /// Fills `voxels` with many windows: boxes of `dims` voxels, whose first voxels are at `origins` (x, y,
    /// z). Every chunk that they touch is read and verified once. The windows follow each other in the
    /// order of `origins`, each with the selected channels fastest, then x, y, z and the selected frames.
    /// `voxels` are numbers of the file's type in this machine's byte order, with any alignment. Reports the
    /// chunks read. Memory: 32 MiB of windows, or those in one chunk.
    ///
    /// # Errors
    /// [`VolumeReadError`] if the file does not have the selection, a window extends beyond the volume,
    /// `voxels` has another length, or chunks are damaged. [`VolumeReadError::Profile`] in the profile
    /// guthe2016. The contents of `voxels` are then unspecified.
    pub fn read_windows(
        &self,
        selection: &Selection,
        origins: &[(usize, usize, usize)],
        dims: Dims,
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        self.as_open().read_windows(selection, origins, dims, voxels, task)
    }

    /// Copies boxes of the first frame and mip level to windows, as `OpenFile::read_boxes` does.
    pub(crate) fn read_boxes(
        &self,
        boxes: &[(Region, usize)],
        window: Dims,
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        self.as_open().read_boxes(boxes, window, voxels, task)
    }

    /// Returns the slabs of a mip level as regions, from the first slice on. When these are read in turn,
    /// each chunk is read once, and only one slab is in memory. Returns no regions if the file has no such
    /// mip level.
    pub fn slabs(&self, mip_level: usize) -> impl Iterator<Item = Region> + use<S> {
        let has_it = mip_level < self.contents.header.mip_levels;
        let dims = self.contents.header.mip_level_dims(if has_it { mip_level } else { 0 });
        let slices = if has_it { 0..dims.z } else { 0..0 };
        slab_ranges(self.slab_depth_of(mip_level), slices).map(move |z| Region { z, ..Region::all(dims) })
    }

    /// Reads everything, and returns all errors; none for a sound file. Header and index were verified on
    /// opening. Reports the chunks verified, of all mip levels.
    ///
    /// # Errors
    /// [`VolumeReadError::Io`], [`VolumeReadError::Memory`] and [`VolumeReadError::Cancelled`].
    pub fn verify(&self, task: &Task<'_>) -> Result<Vec<BwvError>, VolumeReadError> {
        self.as_open().verify(task)
    }

    /// Returns the selected frames and channels, if the file has them.
    pub(crate) fn check(&self, selection: &Selection) -> Result<(Range<usize>, Range<usize>), ShapeError> {
        self.as_open().check(selection)
    }

    /// Checks that the voxels are `T`.
    pub(in crate::file) fn check_type<T: Voxel>(&self) -> Result<(), VolumeReadError> {
        let have = self.contents.header.voxel_type;
        if T::TYPE == have { Ok(()) } else { Err(VolumeReadError::Type { have, asked: T::TYPE }) }
    }

    /// The file without the type of its source.
    pub(crate) fn as_open(&self) -> OpenFile<'_> {
        let Contents { header, body, bricks_decoded, .. } = &self.contents;
        OpenFile { source: &self.source, header, body, bricks_decoded }
    }
}

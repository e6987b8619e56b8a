//! Reading a `.bwv` file, any region of it: the typed outside of [`OpenFile`].

use super::{
    contents::{Contents, OpenFile, PartCounts},
    header::Header,
    layout::chunk_dims,
    selection::Selection,
    source::ReadAt,
};
use crate::{DecodeError, Dims, ReadError, Region, ShapeError, Voxel, untyped::VoxelBuffer};
use std::{fs::File, ops::Range, path::Path};

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
    /// As [`new`](Self::new).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::new(File::open(path)?)
    }
}

impl<S: ReadAt> VolumeFile<S> {
    /// Reads header and index. Their memory is bounded by the length of the file, whatever the header says.
    ///
    /// `source` may also be the bytes of a file, including a memory map; a caller that maps a file must make
    /// sure that nobody shortens it.
    ///
    /// # Errors
    /// [`ReadError`] if the file breaks the format's rules, or from `source`.
    pub fn new(source: S) -> Result<Self, ReadError> {
        let contents = Contents::read(&source)?;
        Ok(Self { source, contents })
    }

    /// What the volume is.
    pub const fn header(&self) -> &Header {
        &self.contents.header
    }

    /// Bytes of the whole file.
    pub const fn file_bytes(&self) -> u64 {
        self.contents.file_bytes
    }

    /// Bytes of the chunks: bricks with the index within each superblock. With the profile guthe2016: of the
    /// bricks, without the offset volume.
    pub fn chunk_bytes(&self) -> u64 {
        self.contents.chunk_bytes()
    }

    /// What it is made of.
    pub fn counts(&self) -> PartCounts {
        self.contents.counts()
    }

    /// How many slices are stored together: 32 with bricks of 4³, 64 with 8³, 8 with flat ones; fewer in flat
    /// volumes, more in narrow ones. Regions that start and end at multiples read nothing twice.
    pub fn slab_depth(&self) -> usize {
        chunk_dims(self.contents.header.brick, self.dims()).z
    }

    /// The volume's dims.
    pub const fn dims(&self) -> Dims {
        self.contents.header.dims
    }

    /// The voxels of `region` of all frames and channels: channels run fastest, then x, y, z and the frames.
    ///
    /// # Errors
    /// [`ReadError`] if the type is not the file's, the region extends beyond the volume, memory runs out, or
    /// the chunks it touches are damaged.
    pub fn read<T: Voxel>(&self, region: &Region) -> Result<Vec<T>, ReadError> {
        self.read_selected(&Selection::default(), region)
    }

    /// Fills `voxels` with those of `region`, in the order of [`read`](Self::read).
    ///
    /// # Errors
    /// As [`read`](Self::read), and if `voxels` has another length than the region; the contents of
    /// `voxels` are then unspecified.
    pub fn read_into<T: Voxel>(&self, region: &Region, voxels: &mut [T]) -> Result<(), ReadError> {
        self.read_selected_into(&Selection::default(), region, voxels)
    }

    /// The voxels of `region` of the mip level, frames and channels selected, in the order of
    /// [`read`](Self::read). The region is one of the mip level.
    ///
    /// # Errors
    /// As [`read`](Self::read), and if the file does not have what is selected.
    pub fn read_selected<T: Voxel>(
        &self,
        selection: &Selection,
        region: &Region,
    ) -> Result<Vec<T>, ReadError> {
        self.check_type::<T>()?;
        let (count, byte_count) = self.as_open().size(selection, region)?;
        let mut voxels = Vec::new();
        voxels.try_reserve_exact(count).map_err(|_| ReadError::Memory(byte_count as u64))?;
        voxels.resize(count, T::zeroed());
        self.read_selected_into(selection, region, &mut voxels)?;
        Ok(voxels)
    }

    /// Fills `voxels` as [`read_selected`](Self::read_selected) does.
    ///
    /// # Errors
    /// As [`read_selected`](Self::read_selected), and if `voxels` has another length; the contents of
    /// `voxels` are then unspecified.
    pub fn read_selected_into<T: Voxel>(
        &self,
        selection: &Selection,
        region: &Region,
        voxels: &mut [T],
    ) -> Result<(), ReadError> {
        self.check_type::<T>()?;
        self.as_open().read_into(selection, region, bytemuck::cast_slice_mut(voxels))
    }

    /// Makes `voxels` what [`read_selected`](Self::read_selected) gives, whatever the type, as it lies in
    /// memory.
    pub(crate) fn read_untyped(
        &self,
        selection: &Selection,
        region: &Region,
        voxels: &mut VoxelBuffer,
    ) -> Result<(), ReadError> {
        let (_, byte_count) = self.as_open().size(selection, region)?;
        voxels.resize(byte_count).map_err(|_| ReadError::Memory(byte_count as u64))?;
        self.as_open().read_into(selection, region, voxels.bytes_mut())
    }

    /// Reads everything, and returns what is wrong: nothing, for a sound file. Header and index were verified
    /// on opening.
    ///
    /// # Errors
    /// [`ReadError::Io`] and [`ReadError::Memory`].
    pub fn verify(&self) -> Result<Vec<DecodeError>, ReadError> {
        self.as_open().verify()
    }

    /// The frames and channels that are selected, if the file has them.
    pub(crate) fn check(&self, selection: &Selection) -> Result<(Range<usize>, Range<usize>), ShapeError> {
        self.as_open().check(selection)
    }

    /// Checks that the voxels are `T`.
    pub(super) fn check_type<T: Voxel>(&self) -> Result<(), ReadError> {
        let have = self.contents.header.voxel_type;
        if T::TYPE == have { Ok(()) } else { Err(ReadError::Type { have, asked: T::TYPE }) }
    }

    /// The file without the type of its source.
    pub(super) fn as_open(&self) -> OpenFile<'_> {
        OpenFile { source: &self.source, header: &self.contents.header, body: &self.contents.body }
    }
}

//! Borrowed voxels of a type known at run time, dense or not.

use crate::{
    AnyVoxels, Dims, Region, ShapeError, Strides, Task, VolumeView, VolumeWriteError, Voxel, VoxelType,
    strides::RowShape,
    untyped::{UntypedView, VoxelBuffer},
};
use brickwork_base::parallel;
use std::ops::Range;

/// Voxels of a volume in memory whose type is known at run time: of any strides, and of any alignment.
///
/// ```
/// # use brickwork_volume::*;
/// // A volume of 4×3×2 voxels, flipped along z.
/// let voxels: Vec<u16> = (0..24).collect();
/// let dims = Dims::new(4, 3, 2);
/// let strides = Strides { first: 12, z: -12, ..Strides::dense(dims, 1) };
/// let bytes = bytemuck::cast_slice(&voxels);
/// let view = AnyView::with_strides(bytes, VoxelType::U16, dims, 1, strides)?;
/// let mut file = Vec::new();
/// encode_any(&view, &Header::new(VoxelType::U16, dims), &BwvOptions::default(), &mut file, &Task::new())?;
/// let found: Vec<u16> = VolumeFile::new(file)?.read(&Region::all(dims), &Task::new())?;
/// assert_eq!((found[0], found[12]), (12, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AnyView<'a> {
    bytes: &'a [u8],
    voxel_type: VoxelType,
    dims: Dims,
    channels: usize,
    strides: Strides,
}

impl<'a> AnyView<'a> {
    /// Returns a view of dense voxels: channels run fastest, then x, y and z. `bytes` are numbers as in
    /// memory, in this machine's byte order.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero, the channels are none or too many, or `bytes` has another length.
    pub fn new(
        bytes: &'a [u8],
        voxel_type: VoxelType,
        dims: Dims,
        channels: usize,
    ) -> Result<Self, ShapeError> {
        let expected = dims.number_count(channels)?;
        let actual = bytes.len() / voxel_type.byte_count();
        if actual != expected || !bytes.len().is_multiple_of(voxel_type.byte_count()) {
            return Err(ShapeError::Length { dims, expected, actual });
        }
        Self::with_strides(bytes, voxel_type, dims, channels, Strides::dense(dims, channels))
    }

    /// Returns a view of voxels at `strides`; [`Strides::frame`] is ignored.
    ///
    /// # Errors
    /// [`ShapeError`] if a side is zero, the channels are none or too many, or the strides lead out of
    /// `bytes`.
    pub fn with_strides(
        bytes: &'a [u8],
        voxel_type: VoxelType,
        dims: Dims,
        channels: usize,
        strides: Strides,
    ) -> Result<Self, ShapeError> {
        dims.number_count(channels)?;
        let actual = bytes.len() / voxel_type.byte_count();
        strides.check([channels, dims.x, dims.y, dims.z, 1], actual)?;
        Ok(Self { bytes, voxel_type, dims, channels, strides })
    }

    /// Returns the type of the voxels.
    pub const fn voxel_type(&self) -> VoxelType {
        self.voxel_type
    }

    /// Returns the shape.
    pub const fn dims(&self) -> Dims {
        self.dims
    }

    /// Returns the number of channels.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the voxels of a region.
    ///
    /// # Errors
    /// [`ShapeError::Outside`].
    pub(crate) fn part(&self, region: &Region) -> Result<Self, ShapeError> {
        region.check(self.dims)?;
        let first = self.strides.place([0, region.x.start, region.y.start, region.z.start, 0]);
        Ok(Self { dims: region.dims(), strides: Strides { first, ..self.strides }, ..*self })
    }

    /// Returns the same voxels as a view without a copy, if they are dense and aligned.
    pub(crate) fn as_dense(&self) -> Option<UntypedView<'a>> {
        let dense = Strides::dense(self.dims, self.channels);
        let is_dense = Strides { first: 0, frame: 0, ..self.strides } == Strides { frame: 0, ..dense };
        if is_dense { self.stretch(self.strides.first, self.dims) } else { None }
    }

    /// Returns the same voxels in the order of memory, in one row, without a copy, if they fill a stretch of
    /// memory and are aligned.
    pub(crate) fn in_memory_order(&self) -> Option<UntypedView<'a>> {
        let start = self.strides.stretch_start(self.dims, self.channels)?;
        self.stretch(start, Dims::new(self.dims.voxel_count().ok()?, 1, 1))
    }

    /// Returns dense voxels from number `start` on, if they are aligned.
    fn stretch(&self, start: usize, dims: Dims) -> Option<UntypedView<'a>> {
        let number_bytes = self.voxel_type.byte_count();
        let byte_count = dims.number_count(self.channels).ok()? * number_bytes;
        let bytes = self.bytes.get(start * number_bytes..)?.get(..byte_count)?;
        let is_aligned = bytes.as_ptr().align_offset(number_bytes) == 0;
        let view = UntypedView::new(bytes, self.voxel_type, dims, self.channels).ok()?;
        is_aligned.then_some(view)
    }

    /// Makes `slices` the voxels of some slices, dense.
    ///
    /// # Errors
    /// [`VolumeWriteError::Memory`] and [`VolumeWriteError::Cancelled`].
    pub(crate) fn copy_slices(
        &self,
        z: Range<usize>,
        slices: &mut VoxelBuffer,
        task: &Task<'_>,
    ) -> Result<(), VolumeWriteError> {
        let Dims { x: width, y: height, .. } = self.dims;
        let shape = RowShape { channels: self.channels, width, height };
        let number_bytes = self.voxel_type.byte_count();
        let byte_count = self.channels * width * height * number_bytes * z.len();
        slices.resize(byte_count).map_err(|_| VolumeWriteError::Memory(byte_count as u64))?;
        let bands = self.strides.bands(number_bytes, shape, z, slices.bytes_mut());
        parallel::try_map(task, bands, |band| {
            self.strides.gather(number_bytes, self.bytes, shape, band, task)
        })?;
        Ok(())
    }
}

impl<'a, T: Voxel> From<VolumeView<'a, T>> for AnyView<'a> {
    fn from(view: VolumeView<'a, T>) -> Self {
        let (dims, channels) = (view.dims(), view.channels());
        let bytes = bytemuck::cast_slice(view.voxels());
        Self { bytes, voxel_type: T::TYPE, dims, channels, strides: Strides::dense(dims, channels) }
    }
}

impl AnyVoxels {
    /// Returns a view of these numbers as a volume.
    ///
    /// # Errors
    /// The errors of [`AnyView::new`].
    pub fn view(&self, dims: Dims, channels: usize) -> Result<AnyView<'_>, ShapeError> {
        AnyView::new(self.bytes(), self.voxel_type(), dims, channels)
    }
}

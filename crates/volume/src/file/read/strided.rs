//! Reading a region into memory with any strides, slab by slab.

use super::open_file::OpenFile;
use crate::{
    Region, Selection, Stage, Strides, Task, VolumeReadError, file::layout::chunk_dims, steps::Steps,
    strides::RowShape, untyped::VoxelBuffer,
};
use std::ops::Range;

impl OpenFile<'_> {
    /// Copies the voxels of `region` that are selected to their places in `voxels`, numbers of the file's
    /// type of any alignment.
    pub fn read_strided(
        self,
        selection: &Selection,
        region: &Region,
        voxels: &mut [u8],
        strides: &Strides,
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        let (frames, channels) = self.check(selection)?;
        region.check(self.header.mip_level_dims(selection.mip_level))?;
        let dims = region.dims();
        let number_bytes = self.header.voxel_type.byte_count();
        let counts = [channels.len(), dims.x, dims.y, dims.z, frames.len()];
        strides.check(counts, voxels.len() / number_bytes)?;
        let dense = Strides { first: strides.first, ..Strides::dense(dims, channels.len()) };
        let start = strides.first * number_bytes;
        if *strides == dense && voxels[start..].as_ptr().align_offset(number_bytes) == 0 {
            let (_, byte_count) = self.size(selection, region)?;
            return self.read_into(selection, region, &mut voxels[start..start + byte_count], task);
        }
        let shape = RowShape { channels: channels.len(), width: dims.x, height: dims.y };
        let mut slab = VoxelBuffer::default();
        let steps = Steps::new(task, Stage::Decoding, (dims.z * frames.len()) as u64);
        for (frame_number, frame) in frames.enumerate() {
            let one = Selection { frames: Some(frame..frame + 1), ..selection.clone() };
            for slices in slab_ranges(self.slab_depth(selection.mip_level), region.z.clone()) {
                let part = Region { z: slices.clone(), ..region.clone() };
                let (_, byte_count) = self.size(&one, &part)?;
                slab.resize(byte_count).map_err(|_| VolumeReadError::Memory(byte_count as u64))?;
                self.read_into(&one, &part, slab.bytes_mut(), &task.without_progress())?;
                let first = [0, 0, 0, slices.start - region.z.start, frame_number];
                strides.scatter(number_bytes, slab.bytes(), shape, first, voxels, task)?;
                steps.add(slices.len() as u64);
            }
        }
        Ok(())
    }

    /// Returns the number of slices of a slab of a mip level, or of the smallest mip level if there is no
    /// such one.
    pub fn slab_depth(self, mip_level: usize) -> usize {
        let mip_level = mip_level.min(self.header.mip_levels - 1);
        chunk_dims(self.header.brick, self.header.mip_level_dims(mip_level)).z
    }
}

/// Returns the parts of some slices that are in one slab of `depth` slices each.
pub(super) fn slab_ranges(depth: usize, slices: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let Range { start, end } = slices;
    (start / depth..end.div_ceil(depth)).map(move |slab| start.max(slab * depth)..end.min((slab + 1) * depth))
}

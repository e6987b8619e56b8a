//! Physical values of voxels in memory.

use brickwork_base::Task;
use brickwork_volume::{
    AnyVoxels, ByteOrder, Header, VoxelStream, VoxelStreamError, read_frame, rescale_stream,
};
use std::io::Cursor;

/// Returns the physical values of the voxels of one frame, as [`rescale_stream`] does, and their header.
/// `header` is that of the voxels. Reports the stages analysing and reading.
///
/// # Errors
/// [`VoxelStreamError`] if the voxels do not fit the header, memory runs out, or the call is cancelled.
pub fn physical_voxels(
    voxels: AnyVoxels,
    header: Header,
    task: &Task<'_>,
) -> Result<(AnyVoxels, Header), VoxelStreamError> {
    let voxels = VoxelStream::Rewindable(Box::new(Cursor::new(Stored(voxels))));
    let (voxels, order, header) = rescale_stream(voxels, ByteOrder::NATIVE, header, task)?;
    Ok((read_frame(voxels, order, &header, 0, task)?, header))
}

/// Stored numbers as bytes.
struct Stored(AnyVoxels);

impl AsRef<[u8]> for Stored {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

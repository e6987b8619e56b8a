//! Physical values of voxels in memory.

use brickwork_base::Task;
use brickwork_volume::{
    AnyVoxels, ByteOrder, Header, OpenedVolume, VolumeFormat, VoxelStream, VoxelStreamError, read_frame,
    rescale,
};
use std::io::Cursor;

/// Returns the physical values of the voxels of one frame, as [`rescale`] does, and their header. `header` is
/// that of the voxels. Reports the stages analysing and reading.
///
/// # Errors
/// [`VoxelStreamError`] if the voxels do not fit the header, memory runs out, or the call is cancelled.
pub fn physical_voxels(
    voxels: AnyVoxels,
    header: Header,
    task: &Task<'_>,
) -> Result<(AnyVoxels, Header), VoxelStreamError> {
    let volume = OpenedVolume {
        format: VolumeFormat::Raw,
        header,
        order: ByteOrder::NATIVE,
        voxels: VoxelStream::Rewindable(Box::new(Cursor::new(Stored(voxels)))),
        files: Vec::new(),
        notes: Vec::new(),
    };
    let OpenedVolume { header, order, voxels, .. } = rescale(volume, task)?;
    Ok((read_frame(voxels, order, &header, 0, task)?, header))
}

/// Stored numbers as bytes.
struct Stored(AnyVoxels);

impl AsRef<[u8]> for Stored {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

//! A frame of a stream in memory.

use super::{ByteOrder, fill};
use crate::{AnyVoxels, Header, ShapeError, Stage, Task, VoxelStreamError};
use std::io::{self, Read};

/// Bytes read at a time.
const PIECE_BYTES: usize = 1 << 22;

/// Returns the voxels of frame `frame` from raw voxels with `header`: channels fastest, then x, y and z.
/// `source` starts with frame 0; earlier frames are read and dropped. Reports the bytes read.
///
/// # Errors
/// [`VoxelStreamError`] if there is no such frame, `source` fails or ends too soon, or memory runs out.
pub fn read_frame(
    mut source: impl Read,
    order: ByteOrder,
    header: &Header,
    frame: usize,
    task: &Task<'_>,
) -> Result<AnyVoxels, VoxelStreamError> {
    read(&mut source, order, header, frame, task)
}

fn read(
    source: &mut dyn Read,
    order: ByteOrder,
    header: &Header,
    frame: usize,
    task: &Task<'_>,
) -> Result<AnyVoxels, VoxelStreamError> {
    let all = header.raw_bytes()?;
    if frame >= header.frames {
        return Err(ShapeError::Selected { what: "frame", index: frame, count: header.frames }.into());
    }
    let frame_bytes = all / header.frames as u64;
    let [skipped, total] = [frame as u64, frame as u64 + 1].map(|frames| frames * frame_bytes);
    let too_large =
        |_| io::Error::new(io::ErrorKind::OutOfMemory, format!("{frame_bytes} bytes do not fit memory"));
    let mut voxels = AnyVoxels::new(header.voxel_type);
    let byte_count = usize::try_from(frame_bytes).map_err(|_| ShapeError::TooLarge(header.dims))?;
    voxels.buffer.reserve(byte_count).map_err(too_large)?;
    let number_bytes = header.voxel_type.byte_count();
    let swap = if order == ByteOrder::NATIVE { 1 } else { number_bytes };
    let mut done = 0;
    let mut dropped = vec![0; if frame > 0 { PIECE_BYTES } else { 0 }];
    while done < skipped {
        task.check()?;
        let piece = (skipped - done).min(PIECE_BYTES as u64) as usize;
        fill(source, 1, &mut dropped[..piece], done, total)?;
        done += piece as u64;
        task.report(Stage::Reading, done, total);
    }
    // No number is divided between two pieces. A header may state more voxels than there are: memory is only
    // used for those that come.
    for start in (0..byte_count).step_by(PIECE_BYTES) {
        task.check()?;
        voxels.buffer.resize(byte_count.min(start + PIECE_BYTES)).map_err(too_large)?;
        let piece = &mut voxels.buffer.bytes_mut()[start..];
        fill(source, swap, piece, done, total)?;
        done += piece.len() as u64;
        task.report(Stage::Reading, done, total);
    }
    Ok(voxels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VoxelType};

    #[test]
    fn frames_are_read_in_either_order() {
        let header = Header { frames: 2, ..Header::new(VoxelType::U16, Dims::new(2, 1, 1)) };
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        let read = |bytes: &[u8], order, frame| {
            read_frame(bytes, order, &header, frame, &Task::new())
                .map(|voxels| voxels.as_slice::<u16>().expect("u16").to_vec())
        };
        assert_eq!(read(&bytes, ByteOrder::Little, 0).expect("a frame"), [0x0201, 0x0403]);
        assert_eq!(read(&bytes, ByteOrder::Big, 1).expect("a frame"), [0x0506, 0x0708]);
        assert!(matches!(read(&bytes, ByteOrder::Big, 2), Err(VoxelStreamError::Shape(_))));
        let short = read(&bytes[..7], ByteOrder::Big, 1);
        assert!(matches!(short, Err(VoxelStreamError::Length { need: 8, have: 7 })));
    }
}

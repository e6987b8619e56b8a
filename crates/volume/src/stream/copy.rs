//! Raw voxels from one stream to another.

use super::{ByteOrder, at_end, fill};
use crate::{Header, Stage, Task, VolumeWriteError, VoxelStreamError};
use std::io::{Read, Write};

/// Bytes copied at a time.
const PIECE_BYTES: usize = 1 << 20;

/// Copies the raw voxels of `header`, channels fastest, then x, y, z and frames, from `source` to `sink`,
/// where the least significant byte of each number comes first. Memory: 1 MiB. Reports the bytes copied.
///
/// # Errors
/// [`VolumeWriteError::Voxels`] if `source` fails, or has fewer or more bytes than the header requires;
/// [`VolumeWriteError::Io`] from `sink`.
pub fn copy_voxels(
    mut source: impl Read,
    order: ByteOrder,
    header: &Header,
    mut sink: impl Write,
    task: &Task<'_>,
) -> Result<(), VolumeWriteError> {
    copy(&mut source, order, header, &mut sink, task)
}

fn copy(
    source: &mut dyn Read,
    order: ByteOrder,
    header: &Header,
    sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<(), VolumeWriteError> {
    let total = header.raw_bytes().map_err(VoxelStreamError::from)?;
    let swap = if order == ByteOrder::Big { header.voxel_type.byte_count() } else { 1 };
    let mut piece = vec![0; PIECE_BYTES];
    let mut done = 0;
    while done < total {
        task.check()?;
        let piece = &mut piece[..(total - done).min(PIECE_BYTES as u64) as usize];
        fill(source, swap, piece, done, total)?;
        sink.write_all(piece)?;
        done += piece.len() as u64;
        task.report(Stage::Writing, done, total);
    }
    Ok(at_end(source, total)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VoxelType};
    use VoxelStreamError::Length;

    #[test]
    fn voxels_are_copied_and_turned_round() {
        let header = Header::new(VoxelType::I16, Dims::new(2, 1, 1));
        let copy = |bytes: &[u8], order| {
            let mut sink = Vec::new();
            copy_voxels(bytes, order, &header, &mut sink, &Task::new()).map(|()| sink)
        };
        assert_eq!(copy(&[1, 2, 3, 4], ByteOrder::Little).expect("two voxels"), [1, 2, 3, 4]);
        assert_eq!(copy(&[1, 2, 3, 4], ByteOrder::Big).expect("two voxels"), [2, 1, 4, 3]);
        let short = copy(&[1; 3], ByteOrder::Little);
        assert!(matches!(short, Err(VolumeWriteError::Voxels(Length { need: 4, have: 3 }))));
        let long = copy(&[1; 9], ByteOrder::Big);
        assert!(matches!(long, Err(VolumeWriteError::Voxels(Length { need: 4, have: 5 }))));
    }
}

//! Reading raw voxels a piece at a time, exactly as many as there should be.

use super::ByteOrder;
use crate::{Header, Voxel, VoxelStreamError};
use std::io::{self, Read};

/// Bytes read at a time.
const PIECE_BYTES: usize = 1 << 22;

/// Calls `with` for each piece of whole voxels of `source`, with the bytes read so far and the total, as long
/// as it returns true.
pub fn pieces<T: Voxel, E: From<VoxelStreamError>>(
    source: &mut dyn Read,
    order: ByteOrder,
    header: &Header,
    mut with: impl FnMut(&[T], u64, u64) -> Result<bool, E>,
) -> Result<(), E> {
    let total = header.raw_bytes().map_err(VoxelStreamError::from)?;
    let mut done = 0;
    let most = PIECE_BYTES / size_of::<T>() / header.channels * header.channels;
    let mut piece: Vec<T> = vec![T::zeroed(); most];
    while done < total {
        let wanted = (total - done).min((most * size_of::<T>()) as u64) as usize;
        let bytes = &mut bytemuck::cast_slice_mut::<T, u8>(&mut piece)[..wanted];
        fill(source, if order == ByteOrder::NATIVE { 1 } else { size_of::<T>() }, bytes, done, total)?;
        done += wanted as u64;
        if !with(&piece[..wanted / size_of::<T>()], done, total)? {
            return Ok(());
        }
    }
    Ok(at_end(source, total)?)
}

/// Fills `bytes` from `source`, and reverses each `swap` bytes. `done` and `total` are the bytes read before
/// and those in all.
pub fn fill(
    source: &mut dyn Read,
    swap: usize,
    bytes: &mut [u8],
    done: u64,
    total: u64,
) -> Result<(), VoxelStreamError> {
    let mut count = 0;
    while count < bytes.len() {
        match source.read(&mut bytes[count..]) {
            Ok(0) => return Err(VoxelStreamError::Length { need: total, have: done + count as u64 }),
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    if swap > 1 {
        bytes.chunks_exact_mut(swap).for_each(<[u8]>::reverse);
    }
    Ok(())
}

/// Checks that `source` is at its end: one byte more shows that the dims or the type are wrong.
pub fn at_end(source: &mut dyn Read, total: u64) -> Result<(), VoxelStreamError> {
    if source.take(1).read_to_end(&mut Vec::new())? > 0 {
        return Err(VoxelStreamError::Length { need: total, have: total + 1 });
    }
    Ok(())
}

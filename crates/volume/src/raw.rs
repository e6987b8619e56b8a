//! Raw voxels from one stream to another.

use crate::{ByteOrder, Header, WriteError};
use std::io::{self, Read, Write};

/// Bytes read at a time.
pub(crate) const PIECE_BYTES: usize = 1 << 20;

/// The order of bytes of this machine.
pub(crate) const NATIVE: ByteOrder =
    if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

/// Copies the raw voxels of `header`, channels fastest, then x, y, z and frames, from `source` to `sink`, where the least significant byte of each comes first.
/// Memory: 1 MiB. `progress` is called with the bytes copied and the bytes in all.
///
/// # Errors
/// [`WriteError`] if `source` has fewer or more bytes than the header says, or from source and sink.
pub fn copy_voxels(
    mut source: impl Read,
    order: ByteOrder,
    header: &Header,
    mut sink: impl Write,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), WriteError> {
    let voxel_bytes = header.voxel_type.byte_count();
    let total = header.raw_bytes()?;
    let swap = if order == ByteOrder::Big { voxel_bytes } else { 1 };
    let mut piece = vec![0; PIECE_BYTES];
    let mut done = 0;
    while done < total {
        let piece = &mut piece[..(total - done).min(PIECE_BYTES as u64) as usize];
        fill(&mut source, swap, piece, done, total)?;
        sink.write_all(piece)?;
        done += piece.len() as u64;
        progress(done, total);
    }
    at_end(&mut source, total)
}

/// Fills `bytes` from `source`, and turns round each `swap` bytes. `done` and `total` are the bytes read before and those in all.
pub(crate) fn fill(
    source: &mut impl Read,
    swap: usize,
    bytes: &mut [u8],
    done: u64,
    total: u64,
) -> Result<(), WriteError> {
    let mut count = 0;
    while count < bytes.len() {
        match source.read(&mut bytes[count..]) {
            Ok(0) => return Err(WriteError::Count { need: total, have: done + count as u64 }),
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

/// One byte more shows that the dims or the type are wrong.
pub(crate) fn at_end(source: &mut impl Read, total: u64) -> Result<(), WriteError> {
    if source.take(1).read_to_end(&mut Vec::new())? > 0 {
        return Err(WriteError::Count { need: total, have: total + 1 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VoxelType};

    #[test]
    fn voxels_are_copied_and_turned_round() {
        let header = Header::new(VoxelType::I16, Dims::new(2, 1, 1));
        let copy = |bytes: &[u8], order| {
            let mut sink = Vec::new();
            copy_voxels(bytes, order, &header, &mut sink, &mut |_, _| {}).map(|()| sink)
        };
        assert_eq!(copy(&[1, 2, 3, 4], ByteOrder::Little).expect("two voxels"), [1, 2, 3, 4]);
        assert_eq!(copy(&[1, 2, 3, 4], ByteOrder::Big).expect("two voxels"), [2, 1, 4, 3]);
        assert!(matches!(copy(&[1; 3], ByteOrder::Little), Err(WriteError::Count { need: 4, have: 3 })));
        assert!(matches!(copy(&[1; 9], ByteOrder::Big), Err(WriteError::Count { need: 4, have: 5 })));
    }
}

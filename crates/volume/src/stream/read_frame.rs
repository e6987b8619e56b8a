//! A frame of a stream in memory.

use super::{ByteOrder, fill};
use crate::{AnyVoxels, Header, ShapeError, Stage, Task, VoxelStreamError};
use std::io::{self, Read};

/// Bytes read at a time. No number is divided between two pieces. A header may state more voxels than there
/// are: memory is only used for those that come.
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

/// Returns the voxels of some channels of frame `frame`, as [`read_frame`] does: a list for each of
/// `channels`. Other channels are not kept in memory.
///
/// # Errors
/// As [`read_frame`], and if there is no such channel.
pub fn read_channels(
    mut source: impl Read,
    order: ByteOrder,
    header: &Header,
    frame: usize,
    channels: &[usize],
    task: &Task<'_>,
) -> Result<Vec<AnyVoxels>, VoxelStreamError> {
    read_some(&mut source, order, header, frame, channels, task)
}

/// Bytes of a frame in a stream.
struct Frame {
    /// Bytes before it.
    skipped: u64,
    byte_count: usize,
    /// Bytes of a number in another byte order, or 1.
    swap: usize,
}

impl Frame {
    /// Reads and drops the frames before this one.
    fn start(
        source: &mut dyn Read,
        order: ByteOrder,
        header: &Header,
        frame: usize,
        task: &Task<'_>,
    ) -> Result<Self, VoxelStreamError> {
        let all = header.raw_bytes()?;
        if frame >= header.frames {
            return Err(ShapeError::Selected { what: "frame", index: frame, count: header.frames }.into());
        }
        let frame_bytes = all / header.frames as u64;
        let byte_count = usize::try_from(frame_bytes).map_err(|_| ShapeError::TooLarge(header.dims))?;
        let swap = if order == ByteOrder::NATIVE { 1 } else { header.voxel_type.byte_count() };
        let this = Self { skipped: frame as u64 * frame_bytes, byte_count, swap };
        let mut done = 0;
        let mut dropped = vec![0; if frame > 0 { PIECE_BYTES } else { 0 }];
        while done < this.skipped {
            task.check()?;
            let piece = (this.skipped - done).min(PIECE_BYTES as u64) as usize;
            fill(source, 1, &mut dropped[..piece], done, this.total())?;
            done += piece as u64;
            task.report(Stage::Reading, done, this.total());
        }
        Ok(this)
    }

    /// Bytes up to the end of the frame.
    const fn total(&self) -> u64 {
        self.skipped + self.byte_count as u64
    }

    /// Reads the bytes of the frame from `start` on.
    fn fill(
        &self,
        source: &mut dyn Read,
        start: usize,
        piece: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VoxelStreamError> {
        let done = self.skipped + start as u64;
        fill(source, self.swap, piece, done, self.total())?;
        task.report(Stage::Reading, done + piece.len() as u64, self.total());
        Ok(())
    }
}

fn too_large(byte_count: usize) -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, format!("{byte_count} bytes do not fit memory"))
}

fn read(
    source: &mut dyn Read,
    order: ByteOrder,
    header: &Header,
    frame: usize,
    task: &Task<'_>,
) -> Result<AnyVoxels, VoxelStreamError> {
    let frame = Frame::start(source, order, header, frame, task)?;
    let byte_count = frame.byte_count;
    let mut voxels = AnyVoxels::new(header.voxel_type);
    voxels.buffer.reserve(byte_count).map_err(|_| too_large(byte_count))?;
    for start in (0..byte_count).step_by(PIECE_BYTES) {
        task.check()?;
        let resized = voxels.buffer.resize(byte_count.min(start + PIECE_BYTES));
        resized.map_err(|_| too_large(byte_count))?;
        frame.fill(source, start, &mut voxels.buffer.bytes_mut()[start..], task)?;
    }
    Ok(voxels)
}

fn read_some(
    source: &mut dyn Read,
    order: ByteOrder,
    header: &Header,
    frame: usize,
    channels: &[usize],
    task: &Task<'_>,
) -> Result<Vec<AnyVoxels>, VoxelStreamError> {
    let count = header.channels;
    if let Some(&index) = channels.iter().find(|&&channel| channel >= count) {
        return Err(ShapeError::Selected { what: "channel", index, count }.into());
    }
    if let (1, [_]) = (count, channels) {
        return Ok(vec![read(source, order, header, frame, task)?]);
    }
    let frame = Frame::start(source, order, header, frame, task)?;
    let byte_count = frame.byte_count;
    let number_bytes = header.voxel_type.byte_count();
    let voxel_bytes = number_bytes * count;
    let piece_bytes = PIECE_BYTES / voxel_bytes * voxel_bytes;
    let mut all: Vec<AnyVoxels> = channels.iter().map(|_| AnyVoxels::new(header.voxel_type)).collect();
    for voxels in &mut all {
        voxels.buffer.reserve(byte_count / count).map_err(|_| too_large(byte_count / count))?;
    }
    let mut piece = vec![0; piece_bytes.min(byte_count)];
    for start in (0..byte_count).step_by(piece_bytes) {
        task.check()?;
        let piece = &mut piece[..piece_bytes.min(byte_count - start)];
        frame.fill(source, start, piece, task)?;
        for (voxels, &channel) in all.iter_mut().zip(channels) {
            let [from, to] = [start, start + piece.len()].map(|end| end / count);
            voxels.buffer.resize(to).map_err(|_| too_large(byte_count / count))?;
            let numbers = voxels.buffer.bytes_mut()[from..].chunks_exact_mut(number_bytes);
            for (number, voxel) in numbers.zip(piece.chunks_exact(voxel_bytes)) {
                number.copy_from_slice(&voxel[channel * number_bytes..][..number_bytes]);
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VoxelType, bytemuck};

    /// There are more voxels than a piece has.
    #[test]
    fn only_the_chosen_channels_are_kept() {
        let dims = Dims::new(101, 100, 60);
        let header = Header::new(VoxelType::U16, dims).with(|header| {
            (header.channels, header.frames) = (5, 2);
        });
        let count = 101 * 100 * 60;
        let number = |frame: usize, voxel: usize, channel: usize| {
            (((frame * count + voxel) * 5 + channel) as u32).wrapping_mul(40503) as u16
        };
        let numbers = (0..2 * 5 * count).map(|i| number(0, i / 5, i % 5));
        let bytes: Vec<u8> = numbers.flat_map(u16::to_be_bytes).collect();
        let read = |channels: &[usize]| {
            read_channels(&bytes[..], ByteOrder::Big, &header, 1, channels, &Task::new())
        };
        assert!(5 * count * 2 > PIECE_BYTES);
        let found = read(&[3, 0]).expect("voxels");
        assert_eq!(found.len(), 2);
        for (voxels, channel) in found.iter().zip([3, 0]) {
            let want: Vec<u16> = (0..count).map(|voxel| number(1, voxel, channel)).collect();
            assert!(voxels.bytes() == bytemuck::cast_slice::<_, u8>(&want), "{channel}");
        }
        let said = read(&[1, 5]).expect_err("no channel 5").to_string();
        assert!(said.contains("channel 5"), "{said}");
        let cut = &bytes[..bytes.len() - 1];
        assert!(read_channels(cut, ByteOrder::Big, &header, 1, &[0], &Task::new()).is_err());
    }
}

//! Writes any volume as a `.bwv` file, with bricks of a suitable size.

use brickwork_volume::{
    BrickChoice, BrickSize, BwvOptions, ByteOrder, Header, Profile, Task, VolumeWriteError, VoxelStream,
    VoxelStreamError, choose_brick, encode_seekable, encode_stream,
};
use std::io::{Cursor, Read as _, Seek as _, Write};

/// Maximum number of slices of a pipe that are held as a sample: those of a slab of 4×4×4 bricks.
const SAMPLED_SLICES: u64 = 32;

/// Policy for the size of a `.bwv` file's bricks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrickPolicy {
    /// The size that compresses a sample best, among those whose slabs fit the memory limit. For a pipe, the
    /// sample is the first 32 slices, or as many as fit the limit.
    #[default]
    Auto,
    /// This size.
    Fixed(BrickSize),
}

/// The result of [`write_volume`](crate::write_volume).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct WrittenVolume {
    /// Size of the bricks; `None` for other formats than `.bwv`.
    pub brick: Option<BrickSize>,
    /// Sample that decided the size; `None` if there was no choice.
    pub sample: Option<BrickChoice>,
}

/// Writes a `.bwv` file; ignores the header's size of bricks.
pub(crate) fn write_bwv(
    (voxels, order): (VoxelStream, ByteOrder),
    mut header: Header,
    (policy, options): (BrickPolicy, &BwvOptions),
    sink: &mut dyn Write,
    task: &Task<'_>,
) -> Result<WrittenVolume, VolumeWriteError> {
    let (mut voxels, mut sample) = (voxels, None);
    match policy {
        BrickPolicy::Fixed(size) => header.brick = size,
        // The paper's scheme has only one size.
        BrickPolicy::Auto if header.profile != Profile::Bricks => header.brick = BrickSize::Four,
        BrickPolicy::Auto => (voxels, sample) = choose(voxels, order, &mut header, options.max_memory, task)?,
    }
    let brick = Some(header.brick);
    match voxels {
        VoxelStream::Rewindable(file) => encode_seekable(file, order, &header, options, sink, task)?,
        VoxelStream::Once(pipe) => encode_stream(pipe, order, &header, options, sink, task)?,
    };
    Ok(WrittenVolume { brick, sample })
}

/// Sets the header's size of bricks from a sample. Returns all voxels and the sample that decided.
fn choose(
    voxels: VoxelStream,
    order: ByteOrder,
    header: &mut Header,
    max_memory: Option<u64>,
    task: &Task<'_>,
) -> Result<(VoxelStream, Option<BrickChoice>), VolumeWriteError> {
    header.raw_bytes()?;
    let shape = header.clone();
    let fits = |brick: BrickSize| {
        let slab_bytes = shape.clone().with(|header| header.brick = brick).slab_bytes();
        max_memory.is_none_or(|limit| slab_bytes.is_ok_and(|bytes| bytes <= limit))
    };
    if !fits(BrickSize::Four) && !fits(BrickSize::Eight) {
        header.brick = BrickSize::Flat;
        return Ok((voxels, None));
    }
    let (voxels, sampled) = match voxels {
        VoxelStream::Rewindable(mut file) => {
            let sampled = choose_brick(&mut file, order, header, task);
            (VoxelStream::Rewindable(file), sampled)
        }
        VoxelStream::Once(mut pipe) => {
            let slice_bytes = header.raw_bytes()? / (header.frames * header.dims.z) as u64;
            let most = max_memory.map_or(u64::MAX, |limit| limit / slice_bytes.max(1));
            let depth = SAMPLED_SLICES.min(most).clamp(1, header.dims.z as u64);
            // The memory grows with the bytes read.
            let mut start = Vec::new();
            pipe.by_ref()
                .take(depth * slice_bytes)
                .read_to_end(&mut start)
                .map_err(VoxelStreamError::from)?;
            let mut part = header.clone().with(|header| {
                header.frames = 1;
                header.mip_levels = 1;
            });
            part.dims.z = depth as usize;
            let mut start = Cursor::new(start);
            let sampled = choose_brick(&mut start, order, &part, task);
            start.rewind()?;
            (VoxelStream::Once(Box::new(start.chain(pipe))), sampled)
        }
    };
    let choice = match sampled {
        Ok(choice) => choice,
        Err(VoxelStreamError::Cancelled(cancelled)) => return Err(cancelled.into()),
        // Errors in the voxels are reported when all of them are read.
        Err(_) => {
            header.brick = BrickSize::Four;
            return Ok((voxels, None));
        }
    };
    // The best size whose slabs fit: the chosen one, or else 4×4×4, the smaller one.
    header.brick = if fits(choice.size) { choice.size } else { BrickSize::Four };
    Ok((voxels, Some(choice).filter(|choice| choice.size == header.brick)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OpenedVolume, VolumeFormat, VolumeWriteOptions, write_volume};
    use brickwork_volume::{Dims, Region, VolumeFile, VoxelType};

    const DIMS: Dims = Dims::new(130, 70, 40);

    /// Returns the same noise in all slices; bricks of 8×8×8 give the smallest file.
    fn alike() -> Vec<u8> {
        let noise = |i: u32| {
            let i = (i ^ i >> 16).wrapping_mul(0x85eb_ca6b);
            ((i ^ i >> 13).wrapping_mul(0xc2b2_ae35) >> 26) as u8
        };
        (0..DIMS.x * DIMS.y * DIMS.z).map(|i| noise((i % (DIMS.x * DIMS.y)) as u32)).collect()
    }

    fn volume(bytes: Vec<u8>, once: bool) -> OpenedVolume {
        let bytes = Cursor::new(bytes);
        let voxels =
            if once { VoxelStream::Once(Box::new(bytes)) } else { VoxelStream::Rewindable(Box::new(bytes)) };
        let header = Header::new(VoxelType::U8, DIMS);
        let (format, order) = (VolumeFormat::Raw, ByteOrder::Little);
        OpenedVolume { format, header, order, voxels, files: Vec::new(), notes: Vec::new() }
    }

    fn written(once: bool, options: &VolumeWriteOptions) -> (WrittenVolume, BrickSize) {
        let (mut bytes, voxels) = (Vec::new(), alike());
        let volume = volume(voxels.clone(), once);
        let written = write_volume(volume, VolumeFormat::Bwv, options, &mut bytes, &Task::new());
        let file = VolumeFile::new(bytes).expect("our own file");
        let back: Vec<u8> = file.read(&Region::all(DIMS), &Task::new()).expect("our own file");
        assert!(back == voxels);
        (written.expect("memory"), file.header().brick)
    }

    #[test]
    fn bricks_suit_the_volume_also_from_a_pipe() {
        for once in [false, true] {
            let (chosen, brick) = written(once, &VolumeWriteOptions::default());
            assert_eq!((chosen.brick, brick), (Some(BrickSize::Eight), BrickSize::Eight), "once: {once}");
            assert_eq!(chosen.sample.map(|sample| sample.size), Some(BrickSize::Eight));
            let fixed = VolumeWriteOptions::default().with(|o| o.brick = BrickPolicy::Fixed(BrickSize::Flat));
            let (chosen, brick) = written(once, &fixed);
            assert_eq!((chosen.brick, chosen.sample, brick), (Some(BrickSize::Flat), None, BrickSize::Flat));
            // A slab of 8×8×8 bricks has all 40 slices, one of 4×4×4 has 32, one of flat bricks 8.
            for (slices, brick) in [(39, BrickSize::Four), (31, BrickSize::Flat)] {
                let limit = VolumeWriteOptions::default().with(|o| o.max_memory = Some(slices * 130 * 70));
                assert_eq!(written(once, &limit).1, brick, "once: {once}");
            }
        }
    }

    #[test]
    fn voxels_that_end_too_soon_are_an_error_after_the_sample_too() {
        for once in [false, true] {
            let short = volume(alike()[..130 * 70 * 3].to_vec(), once);
            let options = VolumeWriteOptions::default();
            let error = write_volume(short, VolumeFormat::Bwv, &options, Vec::new(), &Task::new());
            let error = error.expect_err("37 slices too few").to_string();
            assert_eq!(error, "expected 364000 bytes of voxels, but there are 27300");
        }
    }
}

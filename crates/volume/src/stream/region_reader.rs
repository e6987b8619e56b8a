//! A region of a `.bwv` file as raw voxels to read.

use crate::{
    AnyVoxels, CancelToken, ReadAt, Region, Selection, ShapeError, Task, VolumeFile, VolumeReadError,
};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

/// Reads the voxels of a region of a `.bwv` file as little-endian bytes: channels fastest, then x, y, z and
/// frames, as other formats give them. Memory: the region's part of a slab.
///
/// It can be rewound to the start, but not sought elsewhere. An error in the file is returned as an
/// [`io::Error`] of kind [`InvalidData`](io::ErrorKind::InvalidData) that wraps a [`VolumeReadError`],
/// cancellation as one that wraps [`Cancelled`](crate::Cancelled).
#[derive(Debug)]
pub struct RegionReader<S = File> {
    file: VolumeFile<S>,
    selection: Selection,
    region: Region,
    /// First frame that is not in `slab` yet, and end of the frames.
    frame: usize,
    frame_end: usize,
    /// The first slice of that frame that is not in `slab` yet.
    z: usize,
    slab: AnyVoxels,
    /// Bytes of `slab` that were read.
    at: usize,
    position: u64,
    cancel: Option<CancelToken>,
}

impl<S: ReadAt> RegionReader<S> {
    /// Reads the voxels of `region` that are selected from the first on. The reader stops when the task's
    /// token is cancelled; it reports no progress.
    ///
    /// # Errors
    /// [`ShapeError`] if the region is empty or extends beyond the volume, or the file does not have the
    /// selection.
    pub fn new(
        file: VolumeFile<S>,
        selection: Selection,
        region: Region,
        task: &Task<'_>,
    ) -> Result<Self, ShapeError> {
        let (frames, _) = file.check(&selection)?;
        region.check(file.header().mip_level_dims(selection.mip_level))?;
        let (z, frame, frame_end) = (region.z.start, frames.start, frames.end);
        let slab = AnyVoxels::new(file.header().voxel_type);
        Ok(Self {
            file,
            selection,
            region,
            frame,
            frame_end,
            z,
            slab,
            at: 0,
            position: 0,
            cancel: task.cancel_token().cloned(),
        })
    }

    /// Decodes the next slab; leaves none at the end.
    fn next_slab(&mut self) -> io::Result<()> {
        let depth = self.file.slab_depth_of(self.selection.mip_level);
        self.slab.buffer.clear();
        self.at = 0;
        if self.z == self.region.z.end {
            (self.z, self.frame) = (self.region.z.start, self.frame + 1);
        }
        if self.frame == self.frame_end {
            return Ok(());
        }
        let end = self.region.z.end.min((self.z / depth + 1) * depth);
        let slab = Region { z: self.z..end, ..self.region.clone() };
        let selection = Selection { frames: Some(self.frame..self.frame + 1), ..self.selection.clone() };
        let mut task = Task::new();
        if let Some(token) = &self.cancel {
            task = task.with_cancel(token);
        }
        if let Err(error) = self.file.read_any(&selection, &slab, &mut self.slab, &task) {
            self.slab.buffer.clear();
            return Err(into_io(error));
        }
        if cfg!(target_endian = "big") {
            let number_bytes = self.file.header().voxel_type.byte_count();
            self.slab.buffer.bytes_mut().chunks_exact_mut(number_bytes).for_each(<[u8]>::reverse);
        }
        self.z = end;
        Ok(())
    }
}

fn into_io(error: VolumeReadError) -> io::Error {
    match error {
        VolumeReadError::Io(error) => error,
        VolumeReadError::Cancelled(cancelled) => io::Error::other(cancelled),
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    }
}

impl<S: ReadAt> Read for RegionReader<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.slab.bytes().len() {
            self.next_slab()?;
        }
        let rest = &self.slab.bytes()[self.at..];
        let count = buffer.len().min(rest.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        self.position += count as u64;
        Ok(count)
    }
}

impl<S: ReadAt> Seek for RegionReader<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(0) => {
                let frames = self.selection.frames.as_ref();
                self.frame = frames.map_or(0, |frames| frames.start);
                (self.z, self.at, self.position) = (self.region.z.start, 0, 0);
                self.slab.buffer.clear();
            }
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BwvOptions, Dims, Header, VolumeView, VolumeWriter, VoxelType, encode};

    fn file(voxels: &[u16], dims: Dims) -> Vec<u8> {
        let mut file = Vec::new();
        let header = Header::new(VoxelType::U16, dims);
        let view = VolumeView::new(voxels, dims).expect("dims that fit");
        encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
        file
    }

    fn reader(file: Vec<u8>) -> RegionReader<Vec<u8>> {
        let file = VolumeFile::new(file).expect("a sound index");
        let region = Region::all(file.dims());
        RegionReader::new(file, Selection::default(), region, &Task::new()).expect("the whole volume")
    }

    #[test]
    fn voxels_come_slab_by_slab_and_again() {
        let dims = Dims::new(5, 3, 70);
        let voxels: Vec<u16> = (0..5 * 3 * 70).map(|i| i * 7).collect();
        let want: Vec<u8> = voxels.iter().flat_map(|voxel| voxel.to_le_bytes()).collect();
        let mut all = reader(file(&voxels, dims));
        for _ in 0..2 {
            let mut bytes = Vec::new();
            all.read_to_end(&mut bytes).expect("a sound file");
            assert!(bytes == want);
            assert_eq!(all.stream_position().expect("a place"), want.len() as u64);
            all.rewind().expect("the start");
        }
        // Rewinds also from the middle of a slab.
        all.read_exact(&mut [0; 11]).expect("eleven bytes");
        all.rewind().expect("the start");
        let mut first = [0; 4];
        all.read_exact(&mut first).expect("four bytes");
        assert_eq!(first, want[..4]);
        assert!(all.seek(SeekFrom::Start(1)).is_err());
    }

    #[test]
    fn a_region_is_its_voxels() {
        let dims = Dims::new(5, 3, 70);
        let voxels: Vec<u16> = (0..5 * 3 * 70).collect();
        let open = || VolumeFile::new(file(&voxels, dims)).expect("our own file");
        let region = Region { x: 2..4, y: 1..2, z: 30..66 };
        let mut bytes = Vec::new();
        let mut part = RegionReader::new(open(), Selection::default(), region, &Task::new()).expect("inside");
        part.read_to_end(&mut bytes).expect("a sound file");
        let want: Vec<u8> =
            (30..66).flat_map(|z| [7 + 15 * z, 8 + 15 * z]).flat_map(u16::to_le_bytes).collect();
        assert_eq!(bytes, want);
        let outside = Region { x: 0..6, y: 0..1, z: 0..1 };
        assert!(RegionReader::new(open(), Selection::default(), outside, &Task::new()).is_err());
    }

    #[test]
    fn frames_follow_each_other() {
        let header = Header { frames: 3, channels: 2, ..Header::new(VoxelType::U16, Dims::new(3, 2, 40)) };
        let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).expect("memory");
        let voxels: Vec<u16> = (0..3 * 2 * 3 * 2 * 40).collect();
        writer.write_voxels(&voxels, &Task::new()).expect("memory");
        let file = VolumeFile::new(writer.finish().expect("all").0).expect("our own file");
        let selection = Selection { frames: Some(1..3), ..Selection::default() };
        let mut reader =
            RegionReader::new(file, selection, Region::all(header.dims), &Task::new()).expect("the volume");
        let want: Vec<u8> = voxels[480..].iter().flat_map(|voxel| voxel.to_le_bytes()).collect();
        for _ in 0..2 {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).expect("a sound file");
            assert!(bytes == want);
            reader.rewind().expect("the start");
        }
    }

    #[test]
    fn damage_is_invalid_data() {
        let dims = Dims::new(5, 3, 2);
        let mut bytes = file(&(0..30).map(|i| i * i).collect::<Vec<_>>(), dims);
        assert_eq!(reader(bytes.clone()).read(&mut [0; 99]).expect("a sound file"), 60);
        // The only chunk starts right after the header of 184 bytes.
        bytes[190] ^= 1;
        let error = reader(bytes).read(&mut [0]).expect_err("a damaged chunk");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}

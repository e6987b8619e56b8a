//! Writing a `.bwv` file from the first slice to the last, in the memory of a slab of groups.

use super::{
    GROUP_SIDE,
    group::{self, Scratch},
    header::{Header, Kind, MAX_METADATA, Profile},
    index::{Index, Slab, groups},
    level::halve,
    paper,
    parts::{self, Part},
    table::{Scans, Table},
};
use crate::{Dims, ShapeError, VolumeView, Voxel, WriteError, superblock};
use std::io::Write;

/// Choices that do not change the voxels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// Whether values are replaced by their rank where they leave gaps. Default: true.
    pub remap: bool,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self { remap: true }
    }
}

/// Takes voxels in order and writes a file. Memory: one slab of 32 slices (64 with bricks of 8³), less than half as much again
/// with smaller levels, and 16 bytes a group; with the profile guthe2016 a frame and its bytes.
///
/// The bytes do not depend on how many threads work.
pub struct VolumeWriter<W, T> {
    sink: W,
    header: Header,
    /// Whether slabs are looked at for tables of their own.
    own_tables: bool,
    header_crc: [u8; 4],
    index: Index,
    sections: paper::Sections,
    /// Where the next byte goes.
    offset: u64,
    levels: Vec<Level<T>>,
    /// By component: the table of the whole volume.
    shared_tables: Vec<Option<Table>>,
    /// By component: the table written last, and one more than its number.
    written_tables: Vec<(Option<Table>, u32)>,
}

/// What a level waits for.
struct Level<T> {
    dims: Dims,
    /// Voxels of the slab that is not full yet.
    slab: Vec<T>,
    /// Slices done of the frame.
    slices_done: usize,
    frames_done: usize,
}

/// Writes the file of one frame in memory to `sink`. One rank table serves the whole volume.
///
/// # Errors
/// [`WriteError`], also if the header asks for other dims, channels or frames than `volume` has.
pub fn encode<T: Voxel>(
    volume: VolumeView<T>,
    header: &Header,
    options: &EncodeOptions,
    sink: impl Write,
) -> Result<(), WriteError> {
    let expected = header.raw_bytes()? / size_of::<T>() as u64;
    if header.dims != volume.dims() || expected != volume.voxels().len() as u64 {
        let (dims, expected) = (header.dims, usize::try_from(expected).unwrap_or(usize::MAX));
        return Err(ShapeError::Length { dims, expected, actual: volume.voxels().len() }.into());
    }
    let mut writer = VolumeWriter::<_, T>::new(sink, header, options)?;
    if options.remap {
        writer.share_tables(Scans::tables(volume.voxels(), header.channels));
    }
    writer.write_voxels(volume.voxels())?;
    writer.finish().map(drop)
}

impl<W: Write, T: Voxel> VolumeWriter<W, T> {
    /// Writes the header. Without a whole volume to look at, values are ranked slab by slab.
    ///
    /// # Errors
    /// [`WriteError`] if the header's type is not `T`, it asks for what the format does not have, its dims cannot be addressed
    /// or its metadata is too long, or from `sink`.
    pub fn new(mut sink: W, header: &Header, options: &EncodeOptions) -> Result<Self, WriteError> {
        if header.voxel_type != T::TYPE {
            return Err(WriteError::Type { have: header.voxel_type, given: T::TYPE });
        }
        header.check()?;
        if header.metadata.len() > MAX_METADATA as usize {
            return Err(WriteError::Metadata(header.metadata.len()));
        }
        let bytes = header.to_bytes();
        sink.write_all(&bytes)?;
        let components = header.component_count();
        let level = |level| Level {
            dims: header.level_dims(level),
            slab: Vec::new(),
            slices_done: 0,
            frames_done: 0,
        };
        Ok(Self {
            sink,
            header: header.clone(),
            own_tables: options.remap,
            header_crc: Header::crc(&bytes),
            index: Index { tables: Vec::new(), levels: vec![Default::default(); header.levels] },
            sections: paper::Sections::default(),
            offset: bytes.len() as u64,
            levels: (0..header.levels).map(level).collect(),
            shared_tables: (0..components).map(|_| None).collect(),
            written_tables: (0..components).map(|_| (None, 0)).collect(),
        })
    }

    /// Uses these tables, or none, for all slabs whose values are the volume's. They must have every ordinal that comes.
    pub(crate) fn share_tables(&mut self, tables: Vec<Option<Table>>) {
        self.shared_tables = tables;
        self.own_tables = false;
    }

    /// Numbers of the slab that `level` waits for; 0 after the last frame.
    fn slab_numbers(&self, level: usize) -> usize {
        let Level { dims, slices_done, frames_done, .. } = self.levels[level];
        if frames_done == self.header.frames {
            return 0;
        }
        let depth = match self.header.profile {
            Profile::Bricks => self.header.brick.side() * superblock::SIDE * GROUP_SIDE,
            Profile::Guthe2016 { .. } => dims.z,
        };
        dims.x * dims.y * self.header.channels * depth.min(dims.z - slices_done)
    }

    /// Takes the next numbers of voxels, as many as there are: channels run fastest, then x, y, z and the frames.
    ///
    /// # Errors
    /// [`WriteError`] if there are more than the header says, or from the sink.
    pub fn write_voxels(&mut self, voxels: &[T]) -> Result<(), WriteError> {
        self.take(0, voxels)
    }

    /// Takes the next numbers of a level.
    fn take(&mut self, level: usize, mut voxels: &[T]) -> Result<(), WriteError> {
        while !voxels.is_empty() {
            let wanted = self.slab_numbers(level);
            if wanted == 0 {
                let need = self.header.raw_bytes()?;
                let have = need.saturating_add(size_of_val(voxels) as u64);
                return Err(WriteError::Count { need, have });
            }
            let slab = &mut self.levels[level].slab;
            if slab.is_empty() && voxels.len() >= wanted {
                let (whole, rest) = voxels.split_at(wanted);
                self.write_slab(level, whole)?;
                voxels = rest;
            } else {
                let (some, rest) = voxels.split_at(voxels.len().min(wanted - slab.len()));
                slab.extend_from_slice(some);
                voxels = rest;
                if slab.len() == wanted {
                    let slab = std::mem::take(slab);
                    self.write_slab(level, &slab)?;
                    self.levels[level].slab = slab;
                    self.levels[level].slab.clear();
                }
            }
        }
        Ok(())
    }

    /// Writes a whole slab of a level, and hands its half to the next.
    fn write_slab(&mut self, level: usize, voxels: &[T]) -> Result<(), WriteError> {
        let Dims { x, y, z } = self.levels[level].dims;
        let channels = self.header.channels;
        let dims = Dims::new(x, y, voxels.len() / (x * y * channels));
        let volume = VolumeView::interleaved(voxels, dims, channels)?;
        match self.header.profile {
            Profile::Bricks => self.write_groups(level, volume)?,
            Profile::Guthe2016 { second_level } => {
                let (sections, offset) = (&mut self.sections, &mut self.offset);
                sections.write(level, volume, second_level, &mut self.sink, offset)?;
            }
        }
        let state = &mut self.levels[level];
        state.slices_done += dims.z;
        if state.slices_done == z {
            (state.slices_done, state.frames_done) = (0, state.frames_done + 1);
        }
        if level + 1 < self.levels.len() {
            let smaller = halve(volume, self.header.kind);
            self.take(level + 1, &smaller)?;
        }
        Ok(())
    }

    /// Writes the groups of a slab, after its tables where they are new.
    fn write_groups(&mut self, level: usize, volume: VolumeView<T>) -> Result<(), WriteError> {
        // Means are other values than those that the volume's tables have.
        let has_other_values = level > 0 && self.header.kind == Kind::Intensity;
        let own_tables =
            if self.own_tables || (has_other_values && self.shared_tables.iter().any(Option::is_some)) {
                Scans::tables(volume.voxels(), volume.channels())
            } else {
                (0..volume.component_count()).map(|_| None).collect()
            };
        let mut numbers = Vec::with_capacity(own_tables.len());
        for (component, own) in own_tables.iter().enumerate() {
            let shared = self.shared_tables[component].as_ref().filter(|_| !has_other_values);
            let Some(table) = own.as_ref().or(shared) else {
                numbers.push(0);
                continue;
            };
            let (last, number) = &mut self.written_tables[component];
            if last.as_ref() != Some(table) {
                let bytes = table.to_bytes(T::TYPE);
                self.sink.write_all(&bytes)?;
                self.index.tables.push(Part::of(self.offset, &bytes));
                self.offset += bytes.len() as u64;
                (*last, *number) = (Some(table.clone()), self.index.tables.len() as u32);
            }
            numbers.push(*number);
        }
        let tables: Vec<Option<&Table>> = (0..numbers.len())
            .map(|i| self.written_tables[i].0.as_ref().filter(|_| numbers[i] > 0))
            .collect();
        self.index.levels[level].slabs.push(Slab { offset: self.offset, tables: numbers });

        let side = self.header.brick.side();
        let count = groups(&self.header, level);
        // A group is a job; as many at a time as keep every thread busy.
        let encode = |scratch: &mut Scratch, i: usize| -> Vec<u8> {
            let (x, y, component) = (i % count.x, i / count.x % count.y, i / count.x / count.y);
            group::encode(volume, component, side, (x, y, 0), tables[component], scratch)
        };
        #[cfg(feature = "rayon")]
        let groups_at_once = 128 * rayon::current_num_threads();
        #[cfg(not(feature = "rayon"))]
        let groups_at_once = 128;
        let group_count = count.x * count.y * tables.len();
        for first in (0..group_count).step_by(groups_at_once) {
            let groups = first..group_count.min(first + groups_at_once);
            #[cfg(feature = "rayon")]
            let encoded: Vec<_> = {
                use rayon::prelude::*;
                groups.into_par_iter().map_init(Scratch::default, encode).collect()
            };
            #[cfg(not(feature = "rayon"))]
            let encoded: Vec<_> = {
                let mut scratch = Scratch::default();
                groups.map(|group| encode(&mut scratch, group)).collect()
            };
            for bytes in encoded {
                self.sink.write_all(&bytes)?;
                self.index.levels[level].groups.push(Part::of(self.offset, &bytes));
                self.offset += bytes.len() as u64;
            }
        }
        Ok(())
    }

    /// Writes the index, and returns the sink and how many bytes were written to it.
    ///
    /// # Errors
    /// [`WriteError::Count`] if voxels are missing, or from the sink.
    pub fn finish(mut self) -> Result<(W, u64), WriteError> {
        let Level { dims, slab, slices_done, frames_done } = &self.levels[0];
        if *frames_done < self.header.frames {
            let slices = (*frames_done as u64) * dims.z as u64 + *slices_done as u64;
            let numbers = slices * (dims.x * dims.y * self.header.channels) as u64 + slab.len() as u64;
            let need = self.header.raw_bytes()?;
            return Err(WriteError::Count { need, have: numbers * size_of::<T>() as u64 });
        }
        let mut bytes = match self.header.profile {
            Profile::Bricks => self.index.to_bytes(),
            Profile::Guthe2016 { .. } => self.sections.to_bytes(),
        };
        parts::append_footer(&mut bytes, self.offset, self.header_crc);
        self.sink.write_all(&bytes)?;
        self.sink.flush()?;
        Ok((self.sink, self.offset + bytes.len() as u64))
    }
}

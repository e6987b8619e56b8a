//! The work of [`VolumeWriter`](super::VolumeWriter) on voxels as bytes: slabs of chunks, their tables, the
//! index.

use super::{
    encode_slab::{EncodedChunk, SlabEncoder},
    halve::halve,
    options::BwvOptions,
    scan::Scans,
};
use crate::{
    AnyView, BrickEffort, Dims, ShapeError, Stage, Task, VolumeWriteError, VoxelType,
    file::{
        guthe2016::Sections,
        header::{Header, MAX_METADATA, Profile, VoxelKind},
        index::{ChunkEntry, FileIndex, SlabParts},
        layout::chunk_dims,
        parts::{self, PartSink, aligned},
        table::Table,
    },
    patterns::Patterns,
    untyped::{UntypedView, VoxelBuffer},
};
use brickwork_base::parallel;
use std::io::Write;

/// A file that is being written. Every method is given the same sink.
pub(super) struct UntypedWriter {
    header: Header,
    effort: BrickEffort,
    /// True if slabs are scanned for their own tables.
    own_tables: bool,
    header_crc: [u8; 4],
    index: FileIndex,
    sections: Sections,
    /// Offset of the next byte.
    offset: u64,
    mip_levels: Vec<MipLevelState>,
    /// Table of the whole volume, for each component.
    shared_tables: Vec<Option<Table>>,
    /// Table written last, and one more than its number, for each component.
    written_tables: Vec<(Option<Table>, u32)>,
    written_patterns: Vec<(Option<Patterns>, u32)>,
}

/// State of a mip level that waits for more slices.
struct MipLevelState {
    dims: Dims,
    /// Voxels of the slab that is not full yet.
    slab: VoxelBuffer,
    /// Slices done of the frame.
    slices_done: usize,
    frames_done: usize,
}

impl UntypedWriter {
    /// Works like [`encode_any`](super::encode_any).
    pub fn encode(
        volume: AnyView,
        header: &Header,
        options: &BwvOptions,
        sink: &mut dyn Write,
        task: &Task<'_>,
    ) -> Result<(), VolumeWriteError> {
        Self::encode_slabs(volume, header, options, sink, task)?.finish(sink).map(drop)
    }

    /// Works like [`encode_parts`](super::encode_parts).
    pub fn encode_parts(
        volume: AnyView,
        header: &Header,
        task: &Task<'_>,
    ) -> Result<(Vec<u8>, FileIndex), VolumeWriteError> {
        let mut bytes = Vec::new();
        let writer = Self::encode_slabs(volume, header, &BwvOptions::default(), &mut bytes, task)?;
        Ok((bytes, writer.index))
    }

    /// Writes the file of one frame in memory up to its index.
    fn encode_slabs(
        volume: AnyView,
        header: &Header,
        options: &BwvOptions,
        sink: &mut dyn Write,
        task: &Task<'_>,
    ) -> Result<Self, VolumeWriteError> {
        let expected = header.raw_bytes()? / header.voxel_type.byte_count() as u64;
        let actual = volume.dims().number_count(volume.channels())?;
        if header.voxel_type == volume.voxel_type()
            && (header.dims != volume.dims() || expected != actual as u64)
        {
            let (dims, expected) = (header.dims, usize::try_from(expected).unwrap_or(usize::MAX));
            return Err(ShapeError::Length { dims, expected, actual }.into());
        }
        // As many numbers, but two channels are not two frames.
        if header.channels != volume.channels() && header.voxel_type == volume.voxel_type() {
            let (channels, frames, actual) = (header.channels, header.frames, volume.channels());
            return Err(ShapeError::Parts { channels, frames, actual }.into());
        }
        let mut writer = Self::new(sink, header, volume.voxel_type(), options)?;
        if let Some(volume) = volume.as_dense() {
            if options.remap {
                writer.share_tables(Scans::tables(volume, task)?);
            }
            writer.write_voxels(sink, volume.bytes(), task)?;
        } else {
            let (depth, mut slab) = (writer.slab_depth(0), VoxelBuffer::default());
            let slabs = || (0..header.dims.z).step_by(depth).map(|z| z..header.dims.z.min(z + depth));
            if options.remap {
                // Tables do not depend on the order of the voxels.
                writer.share_tables(match volume.in_memory_order() {
                    Some(voxels) => Scans::tables(voxels, task)?,
                    None => Scans::tables_of_slabs(volume, slabs(), &mut slab, task)?,
                });
            }
            for slices in slabs() {
                volume.copy_slices(slices, &mut slab, task)?;
                writer.write_voxels(sink, slab.bytes(), task)?;
            }
        }
        Ok(writer)
    }

    /// Writes the header.
    pub fn new(
        sink: &mut dyn Write,
        header: &Header,
        given: VoxelType,
        options: &BwvOptions,
    ) -> Result<Self, VolumeWriteError> {
        if header.voxel_type != given {
            return Err(VolumeWriteError::Type { have: header.voxel_type, given });
        }
        header.check()?;
        if header.has_mixed_level(header.mip_levels - 1) {
            return Err(VolumeWriteError::MixedLevels);
        }
        let need = header.slab_bytes()?;
        if let Some(limit) = options.max_memory.filter(|&limit| need > limit) {
            return Err(VolumeWriteError::OverLimit { need, limit });
        }
        if header.metadata.len() > MAX_METADATA as usize {
            return Err(VolumeWriteError::Metadata(header.metadata.len()));
        }
        let bytes = header.to_bytes();
        sink.write_all(&bytes)?;
        let components = header.component_count();
        let state = |mip_level| MipLevelState {
            dims: header.mip_level_dims(mip_level),
            slab: VoxelBuffer::default(),
            slices_done: 0,
            frames_done: 0,
        };
        Ok(Self {
            header: header.clone(),
            own_tables: options.remap,
            effort: options.effort,
            header_crc: Header::crc(&bytes),
            index: FileIndex {
                mip_levels: vec![Default::default(); header.mip_levels],
                ..FileIndex::default()
            },
            sections: Sections::default(),
            offset: bytes.len() as u64,
            mip_levels: (0..header.mip_levels).map(state).collect(),
            shared_tables: (0..components).map(|_| None).collect(),
            written_tables: (0..components).map(|_| (None, 0)).collect(),
            written_patterns: (0..components).map(|_| (None, 0)).collect(),
        })
    }

    /// Uses these tables, or none, for all slabs with the volume's values. They must contain every ordinal of
    /// the volume.
    pub fn share_tables(&mut self, tables: Vec<Option<Table>>) {
        self.shared_tables = tables;
        self.own_tables = false;
    }

    /// Returns the number of bytes of a slice of a mip level.
    fn slice_bytes(&self, mip_level: usize) -> usize {
        let dims = self.mip_levels[mip_level].dims;
        dims.x * dims.y * self.header.channels * self.header.voxel_type.byte_count()
    }

    /// Returns the size in bytes of the slab that a mip level waits for; 0 after the last frame.
    fn slab_bytes(&self, mip_level: usize) -> usize {
        let MipLevelState { dims, slices_done, frames_done, .. } = self.mip_levels[mip_level];
        if frames_done == self.header.frames {
            return 0;
        }
        self.slice_bytes(mip_level) * self.slab_depth(mip_level).min(dims.z - slices_done)
    }

    /// Returns the number of slices of a slab of a mip level.
    fn slab_depth(&self, mip_level: usize) -> usize {
        let dims = self.mip_levels[mip_level].dims;
        match self.header.profile {
            Profile::Bricks => chunk_dims(self.header.brick, dims).z,
            Profile::Guthe2016 { .. } => dims.z,
        }
    }

    /// Returns the size in bytes of the volume's voxels in written slabs.
    fn bytes_done(&self) -> u64 {
        let MipLevelState { dims, slices_done, frames_done, .. } = &self.mip_levels[0];
        ((*frames_done as u64) * dims.z as u64 + *slices_done as u64) * self.slice_bytes(0) as u64
    }

    /// Takes the next numbers of voxels in the order of memory, aligned for their type.
    pub fn write_voxels(
        &mut self,
        sink: &mut dyn Write,
        voxels: &[u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeWriteError> {
        self.take(sink, 0, voxels, task)
    }

    /// Takes the next numbers of a mip level.
    fn take(
        &mut self,
        sink: &mut dyn Write,
        mip_level: usize,
        mut voxels: &[u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeWriteError> {
        while !voxels.is_empty() {
            let wanted = self.slab_bytes(mip_level);
            if wanted == 0 {
                let need = self.header.raw_bytes()?;
                return Err(VolumeWriteError::Count { need, have: need.saturating_add(voxels.len() as u64) });
            }
            let slab = &mut self.mip_levels[mip_level].slab;
            let waiting = slab.bytes().len();
            if waiting == 0 && voxels.len() >= wanted {
                let (whole, rest) = voxels.split_at(wanted);
                self.write_slab(sink, mip_level, whole, task)?;
                voxels = rest;
            } else {
                let (some, rest) = voxels.split_at(voxels.len().min(wanted - waiting));
                slab.try_extend(some, wanted).map_err(|_| VolumeWriteError::Memory(wanted as u64))?;
                voxels = rest;
                if waiting + some.len() == wanted {
                    let mut slab = std::mem::take(slab);
                    self.write_slab(sink, mip_level, slab.bytes(), task)?;
                    slab.clear();
                    self.mip_levels[mip_level].slab = slab;
                }
            }
        }
        Ok(())
    }

    /// Writes a whole slab of a mip level, and hands its half to the next.
    fn write_slab(
        &mut self,
        sink: &mut dyn Write,
        mip_level: usize,
        voxels: &[u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeWriteError> {
        let Dims { x, y, z } = self.mip_levels[mip_level].dims;
        let dims = Dims::new(x, y, voxels.len() / self.slice_bytes(mip_level));
        let volume = UntypedView::new(voxels, self.header.voxel_type, dims, self.header.channels)?;
        match self.header.profile {
            Profile::Bricks => self.write_chunks(sink, mip_level, volume, task)?,
            Profile::Guthe2016 { second_level } => {
                let (before, total) = (self.bytes_done(), self.header.raw_bytes()?);
                let report = |share: f64| {
                    let done = before + (share * volume.bytes().len() as f64) as u64;
                    if mip_level == 0 {
                        task.report(Stage::Encoding, done, total);
                    }
                };
                let frame = (volume, second_level);
                self.sections.write(mip_level, frame, sink, &mut self.offset, (&report, task))?;
            }
        }
        let state = &mut self.mip_levels[mip_level];
        state.slices_done += dims.z;
        if state.slices_done == z {
            (state.slices_done, state.frames_done) = (0, state.frames_done + 1);
        }
        if mip_level + 1 < self.mip_levels.len() {
            let smaller = halve(volume, [true; 3], self.header.kind, task)?;
            self.take(sink, mip_level + 1, smaller.bytes(), task)?;
        }
        Ok(())
    }

    /// Writes the chunks of a slab, after its tables where they are new.
    fn write_chunks(
        &mut self,
        sink: &mut dyn Write,
        mip_level: usize,
        volume: UntypedView,
        task: &Task<'_>,
    ) -> Result<(), VolumeWriteError> {
        let numbers = self.write_tables(sink, mip_level, volume, task)?;
        let (before, total) = (self.bytes_done(), self.header.raw_bytes()?);
        let tables = self.written_tables.iter().zip(&numbers);
        let tables = tables.map(|(written, &number)| written.0.as_ref().filter(|_| number > 0)).collect();
        let first_slice = self.mip_levels[mip_level].slices_done;
        let mut slab = SlabEncoder::new((&self.header, self.effort), mip_level, volume, first_slice, tables);
        let mut out = PartSink { sink, offset: &mut self.offset };
        for (component, (last, number)) in self.written_patterns.iter_mut().enumerate() {
            if let Some(patterns) = slab.patterns(component, last.as_ref(), task)? {
                self.index.patterns.push(out.write(&aligned(patterns.to_bytes()))?);
                (*last, *number) = (Some(patterns), self.index.patterns.len() as u32);
            }
        }
        let patterns: Vec<_> = self.written_patterns.iter().map(|(last, _)| last.as_ref()).collect();
        let parts = &mut self.index.mip_levels[mip_level];
        parts.slabs.push(SlabParts {
            offset: *out.offset,
            tables: numbers,
            patterns: self.written_patterns.iter().map(|&(_, number)| number).collect(),
        });
        // As many at a time as keep every thread busy.
        let chunks_at_once = 128 * parallel::thread_count(task);
        let numbers: Vec<usize> = (0..slab.chunk_count()).collect();
        let (slab_bytes, chunk_count) = (volume.bytes().len() as u64, numbers.len() as u64);
        let mut chunks_done = 0;
        for numbers in numbers.chunks(chunks_at_once) {
            for EncodedChunk { bytes, min, max } in slab.chunks(numbers, &patterns, task)? {
                parts.chunks.push(ChunkEntry { part: out.write(&bytes)?, min, max });
            }
            chunks_done += numbers.len() as u64;
            if mip_level == 0 {
                let done =
                    (u128::from(slab_bytes) * u128::from(chunks_done) / u128::from(chunk_count)) as u64;
                task.report(Stage::Encoding, before + done, total);
            }
        }
        Ok(())
    }

    /// Writes those tables of a slab that are new, and returns by component one more than the table's number,
    /// or 0.
    fn write_tables(
        &mut self,
        sink: &mut dyn Write,
        mip_level: usize,
        volume: UntypedView,
        task: &Task<'_>,
    ) -> Result<Vec<u32>, VolumeWriteError> {
        // Means are other values than those that the volume's tables have.
        let has_other_values = mip_level > 0 && self.header.kind == VoxelKind::Intensity;
        let own_tables =
            if self.own_tables || (has_other_values && self.shared_tables.iter().any(Option::is_some)) {
                Scans::tables(volume, task)?
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
                let mut out = PartSink { sink, offset: &mut self.offset };
                self.index.tables.push(out.write(&aligned(table.to_bytes(self.header.voxel_type)))?);
                (*last, *number) = (Some(table.clone()), self.index.tables.len() as u32);
            }
            numbers.push(*number);
        }
        Ok(numbers)
    }

    /// Writes the index, and returns how many bytes were written in all.
    pub fn finish(self, sink: &mut dyn Write) -> Result<u64, VolumeWriteError> {
        let MipLevelState { slab, frames_done, .. } = &self.mip_levels[0];
        if *frames_done < self.header.frames {
            let have = self.bytes_done() + slab.bytes().len() as u64;
            return Err(VolumeWriteError::Count { need: self.header.raw_bytes()?, have });
        }
        let mut bytes = match self.header.profile {
            Profile::Bricks => self.index.to_bytes(&self.header),
            Profile::Guthe2016 { .. } => self.sections.to_bytes(),
        };
        parts::append_footer(&mut bytes, self.offset, self.header_crc);
        sink.write_all(&bytes)?;
        sink.flush()?;
        Ok(self.offset + bytes.len() as u64)
    }
}

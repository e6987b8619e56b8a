//! Writing a `.bwv` file from the first slice to the last, in the memory of a slab of groups.

use super::{
    GROUP_SIDE,
    group::{self, Scratch},
    header::{Header, MAX_METADATA},
    index::{Index, Part, groups},
    table::Table,
};
use crate::{Dims, VolumeView, Voxel, WriteError, superblock};
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

/// Takes voxels in order and writes a file. Memory: one slab of 32 slices (64 with bricks of 8³), and 8 bytes a group.
///
/// The bytes do not depend on how many threads work.
pub struct VolumeWriter<W, T> {
    sink: W,
    header: Header,
    options: EncodeOptions,
    header_crc: [u8; 4],
    index: Index,
    /// Where the next byte goes.
    offset: u64,
    /// Voxels of the slab that is not full yet.
    slab: Vec<T>,
    slices_done: usize,
    shared_table: Option<Table>,
}

/// Writes the file of a volume in memory to `sink`. One rank table serves the whole volume.
///
/// # Errors
/// [`WriteError`].
pub fn encode<T: Voxel>(
    volume: VolumeView<T>,
    header: &Header,
    options: &EncodeOptions,
    sink: impl Write,
) -> Result<(), WriteError> {
    if header.dims != volume.dims() {
        return Err(crate::ShapeError::Length {
            dims: header.dims,
            expected: header.dims.voxel_count()?,
            actual: volume.voxels().len(),
        }
        .into());
    }
    let mut writer = VolumeWriter::<_, T>::new(sink, header, options)?;
    if options.remap {
        writer.share_table(Table::of(volume.voxels()));
    }
    writer.write_voxels(volume.voxels())?;
    writer.finish().map(drop)
}

impl<W: Write, T: Voxel> VolumeWriter<W, T> {
    /// Writes the header. Without a whole volume to look at, values are ranked slab by slab.
    ///
    /// # Errors
    /// [`WriteError`] if the header's type is not `T`, its dims cannot be addressed or its metadata is too long, or from
    /// `sink`.
    pub fn new(mut sink: W, header: &Header, options: &EncodeOptions) -> Result<Self, WriteError> {
        if header.voxel_type != T::TYPE {
            return Err(WriteError::Type { have: header.voxel_type, given: T::TYPE });
        }
        header.dims.byte_count(size_of::<T>())?;
        if header.metadata.len() > MAX_METADATA as usize {
            return Err(WriteError::Metadata(header.metadata.len()));
        }
        let bytes = header.to_bytes();
        sink.write_all(&bytes)?;
        Ok(Self {
            sink,
            header: header.clone(),
            options: options.clone(),
            header_crc: bytes[164..168].try_into().expect("four bytes"),
            index: Index::default(),
            offset: bytes.len() as u64,
            slab: Vec::new(),
            slices_done: 0,
            shared_table: None,
        })
    }

    /// Uses this table, or none, for all slabs. It must have every ordinal that comes.
    pub(crate) fn share_table(&mut self, table: Option<Table>) {
        self.shared_table = table;
        self.options.remap = false;
    }

    /// Voxels of a whole slab.
    fn slab_voxels(&self) -> usize {
        let depth = self.header.brick.side() * superblock::SIDE * GROUP_SIDE;
        let slices = depth.min(self.header.dims.z - self.slices_done);
        self.header.dims.x * self.header.dims.y * slices
    }

    /// Takes the next voxels, as many as there are.
    ///
    /// # Errors
    /// [`WriteError`] if there are more than the dims say, or from the sink.
    pub fn write_voxels(&mut self, mut voxels: &[T]) -> Result<(), WriteError> {
        while !voxels.is_empty() {
            let wanted = self.slab_voxels();
            if wanted == 0 {
                let need = self.header.dims.byte_count(size_of::<T>())? as u64;
                let have = need.saturating_add(size_of_val(voxels) as u64);
                return Err(WriteError::Count { need, have });
            }
            if self.slab.is_empty() && voxels.len() >= wanted {
                let (slab, rest) = voxels.split_at(wanted);
                self.encode_slab(slab)?;
                voxels = rest;
            } else {
                let (some, rest) = voxels.split_at(voxels.len().min(wanted - self.slab.len()));
                self.slab.extend_from_slice(some);
                voxels = rest;
                if self.slab.len() == wanted {
                    let slab = std::mem::take(&mut self.slab);
                    self.encode_slab(&slab)?;
                    self.slab = slab;
                    self.slab.clear();
                }
            }
        }
        Ok(())
    }

    fn encode_slab(&mut self, voxels: &[T]) -> Result<(), WriteError> {
        let Dims { x, y, .. } = self.header.dims;
        let dims = Dims::new(x, y, voxels.len() / x / y);
        let volume = VolumeView::new(voxels, dims)?;
        let own_table = if self.options.remap { Table::of(voxels) } else { None };
        let table = own_table.as_ref().or(self.shared_table.as_ref());
        let is_new = own_table.is_some() || (table.is_some() && self.index.tables.is_empty());
        if let (Some(table), true) = (table, is_new) {
            let bytes = table.to_bytes();
            self.sink.write_all(&bytes)?;
            self.index.tables.push(part(self.offset, &bytes));
            self.offset += bytes.len() as u64;
        }
        let number = if table.is_some() { self.index.tables.len() as u32 } else { 0 };
        self.index.slabs.push(number);

        let side = self.header.brick.side();
        let count = groups(&self.header);
        let encode = |scratch: &mut Scratch, row: usize| -> Vec<Vec<u8>> {
            (0..count.x).map(|x| group::encode(volume, side, (x, row, 0), table, scratch)).collect()
        };
        // A row of groups is a job; as many rows at a time as keep every thread busy.
        #[cfg(feature = "rayon")]
        let rows_at_once = 4 * rayon::current_num_threads();
        #[cfg(not(feature = "rayon"))]
        let rows_at_once = 1;
        for first in (0..count.y).step_by(rows_at_once) {
            let rows = first..count.y.min(first + rows_at_once);
            #[cfg(feature = "rayon")]
            let encoded: Vec<_> = {
                use rayon::prelude::*;
                rows.into_par_iter().map_init(Scratch::default, encode).collect()
            };
            #[cfg(not(feature = "rayon"))]
            let encoded: Vec<_> = {
                let mut scratch = Scratch::default();
                rows.map(|row| encode(&mut scratch, row)).collect()
            };
            for bytes in encoded.into_iter().flatten() {
                self.sink.write_all(&bytes)?;
                self.index.groups.push(part(self.offset, &bytes));
                self.offset += bytes.len() as u64;
            }
        }
        self.slices_done += dims.z;
        Ok(())
    }

    /// Writes the index, and returns the sink and how many bytes were written to it.
    ///
    /// # Errors
    /// [`WriteError::Count`] if voxels are missing, or from the sink.
    pub fn finish(mut self) -> Result<(W, u64), WriteError> {
        if self.slices_done < self.header.dims.z {
            let slice = self.header.dims.x * self.header.dims.y;
            let have = (self.slices_done * slice + self.slab.len()) * size_of::<T>();
            let need = self.header.dims.byte_count(size_of::<T>())? as u64;
            return Err(WriteError::Count { need, have: have as u64 });
        }
        let bytes = self.index.to_bytes(self.offset, self.header_crc);
        self.sink.write_all(&bytes)?;
        self.sink.flush()?;
        Ok((self.sink, self.offset + bytes.len() as u64))
    }
}

fn part(offset: u64, bytes: &[u8]) -> Part {
    Part { offset, byte_count: bytes.len() as u32, crc: crc32c::crc32c(bytes) }
}

//! The files of all mip levels, made from the voxels of the volume in order.

use super::{
    ZarrOptions,
    array::MAX_CHUNK_BYTES,
    layout::{along, builder},
    shards::MAX_CHUNKS,
    sink::{Sink, put_file},
};
use brickwork_base::Task;
use brickwork_volume::{AnyView, BrickSize, Dims, Header, ShapeError, VolumeWriteError, halve_axes};
use rayon::prelude::*;
use serde_json::Value;
use std::{
    io::{self, Write},
    num::NonZeroU64,
};
use zarrs::array::{
    Array, ArrayBytes, ArrayToBytesCodecTraits as _, CodecOptions, CodecSpecificOptions,
    codec::array_to_bytes::sharding::{ShardingCodecOptions, SubchunkWriteOrder},
};

/// A mip level, and those of its slices that are in memory.
pub struct Level {
    index: usize,
    header: Header,
    array: Array<()>,
    /// `zarr.json` of the array.
    pub metadata: Value,
    sizes: Sizes,
    /// Maximum number of files in memory, at least 1.
    at_once: usize,
    /// Voxels of slices, in the machine's byte order.
    slab: Vec<u8>,
    frame: usize,
    /// First slice of the slab.
    z: usize,
}

/// Sizes of the parts of a level.
#[derive(Clone, Copy)]
struct Sizes {
    chunk: Dims,
    /// Dims of a file: a chunk, or a shard.
    file: Dims,
    /// Number of slices in memory: as deep as a file, or as two files if half of that is no whole slice.
    depth: usize,
    slice_bytes: usize,
    /// Axes that are halved to make the next level; `None` for the last one.
    halved: Option<[bool; 3]>,
}

impl Sizes {
    fn new(
        header: &Header,
        halved: Option<[bool; 3]>,
        options: &ZarrOptions,
    ) -> Result<Self, VolumeWriteError> {
        let (chunk, file) = files(options, header)?;
        let slice_bytes = header.raw_bytes()? / (header.frames * header.dims.z) as u64;
        let needs_pairs = halved.is_some_and(|[.., z]| z) && !file.z.is_multiple_of(2);
        let depth = if needs_pairs { 2 * file.z } else { file.z };
        Ok(Self { chunk, file, depth: depth.min(header.dims.z), slice_bytes: slice_bytes as usize, halved })
    }

    /// Returns the bytes of the slices in memory.
    fn slab_bytes(&self) -> u64 {
        self.slice_bytes as u64 * self.depth as u64
    }

    /// Returns the bytes of the voxels of a file, and of these compressed.
    fn file_bytes(&self, header: &Header) -> u64 {
        let sides = [self.file.x as u64, self.file.y as u64, self.file.z as u64];
        sides.into_iter().fold(2 * header.voxel_type.byte_count() as u64, u64::saturating_mul)
    }
}

impl Level {
    /// Returns the levels with these headers, whose axes are halved so many times each.
    ///
    /// # Errors
    /// [`VolumeWriteError`] for chunks and shards that cannot be, and if the limit of memory is too small.
    pub fn all(
        headers: &[Header],
        halvings: &[[u32; 3]],
        brick: BrickSize,
        options: &ZarrOptions,
    ) -> Result<Vec<Self>, VolumeWriteError> {
        let halved = |index: usize| {
            let [of_this, of_next] = [halvings[index], *halvings.get(index + 1)?];
            Some([0, 1, 2].map(|axis| of_next[axis] > of_this[axis]))
        };
        let sizes =
            headers.iter().enumerate().map(|(index, header)| Sizes::new(header, halved(index), options));
        let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
        // Slices of all levels, and the halves that the next level takes.
        let halves = sizes.windows(2).map(|pair| {
            let is_z = pair[0].halved.is_some_and(|[.., z]| z);
            let depth = if is_z { pair[0].depth.div_ceil(2) } else { pair[0].depth };
            (pair[1].slice_bytes as u64).saturating_mul(depth as u64)
        });
        let slabs = sizes.iter().map(Sizes::slab_bytes).chain(halves).fold(0, u64::saturating_add);
        let file_bytes = |(sizes, header): (&Sizes, &Header)| sizes.file_bytes(header);
        let largest = sizes.iter().zip(headers).map(file_bytes).max().unwrap_or(0);
        let need = slabs.saturating_add(largest);
        if let Some(limit) = options.max_memory.filter(|&limit| need > limit) {
            return Err(VolumeWriteError::OverLimit { need, limit });
        }
        // By default, chunks are in the order in which threads end, and the bytes of a shard differ.
        let order = ShardingCodecOptions::default().with_subchunk_write_order(SubchunkWriteOrder::C);
        let order = CodecSpecificOptions::default().with_option(order);
        let level = |(index, (&sizes, header)): (usize, (&Sizes, &Header))| {
            let at_once =
                options.max_memory.map_or(u64::MAX, |limit| (limit - slabs) / sizes.file_bytes(header));
            let builder = builder(header, sizes.chunk, sizes.file, brick);
            let failed = |error| VolumeWriteError::Io(io::Error::other(error));
            let metadata = builder.build_metadata().map_err(failed)?;
            Ok(Self {
                index,
                header: header.clone(),
                array: builder.build(().into(), "/").map_err(failed)?.with_codec_specific_options(&order),
                metadata: serde_json::to_value(&metadata).map_err(io::Error::other)?,
                sizes,
                at_once: usize::try_from(at_once).unwrap_or(usize::MAX),
                slab: Vec::new(),
                frame: 0,
                z: 0,
            })
        };
        sizes.iter().zip(headers).enumerate().map(level).collect()
    }

    /// Returns the number of slices that the slab is made of when it is full.
    fn full_depth(&self) -> usize {
        self.sizes.depth.min(self.header.dims.z - self.z)
    }

    /// Appends bytes to the slab until it is full. Returns the number of bytes.
    fn fill(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.full_depth() * self.sizes.slice_bytes - self.slab.len());
        self.slab.extend_from_slice(&bytes[..count]);
        count
    }

    fn is_full(&self) -> bool {
        self.slab.len() == self.full_depth() * self.sizes.slice_bytes
    }

    /// Starts the next slab.
    fn advance(&mut self) {
        self.z += self.full_depth();
        self.slab.clear();
        if self.z == self.header.dims.z {
            (self.frame, self.z) = (self.frame + 1, 0);
        }
    }

    /// Returns the key and the bytes of the file of a channel in this column and row of files, whose first
    /// slice is `z`; `None` if its voxels are zero.
    fn encode(&self, [column, row, channel]: [usize; 3], z: usize) -> io::Result<Option<(String, Vec<u8>)>> {
        let Header { dims, channels, voxel_type, .. } = self.header;
        let (number_bytes, file) = (voxel_type.byte_count(), self.sizes.file);
        let start = (column * file.x, row * file.y);
        let (width, height) = (file.x.min(dims.x - start.0), file.y.min(dims.y - start.1));
        // Voxels beyond the volume are zero, the fill value.
        let byte_count = file.x * file.y * file.z * number_bytes;
        let mut voxels = Vec::<u8>::new();
        voxels.try_reserve_exact(byte_count).map_err(|_| {
            let reason = format!("{byte_count} bytes of memory are not available");
            io::Error::new(io::ErrorKind::OutOfMemory, reason)
        })?;
        voxels.resize(byte_count, 0);
        for slice in 0..file.z.min(dims.z - z) {
            for y in 0..height {
                let from = dims.index(start.0, start.1 + y, z - self.z + slice) * channels;
                let from = &self.slab[from * number_bytes..][..width * channels * number_bytes];
                let to = &mut voxels[file.index(0, y, slice) * number_bytes..][..width * number_bytes];
                if channels == 1 {
                    to.copy_from_slice(from);
                    continue;
                }
                let numbers = from.chunks_exact(number_bytes).skip(channel).step_by(channels);
                to.chunks_exact_mut(number_bytes)
                    .zip(numbers)
                    .for_each(|(to, from)| to.copy_from_slice(from));
            }
        }
        let voxels = ArrayBytes::new_flen(voxels);
        let (fill, data_type) = (self.array.fill_value(), self.array.data_type());
        if voxels.is_fill_value(fill) {
            return Ok(None);
        }
        let one = |side: usize| NonZeroU64::new(side as u64).unwrap_or(NonZeroU64::MIN);
        let shape = along(&self.header, one(1), one(1), [one(file.x), one(file.y), one(file.z)]);
        let options = CodecOptions::default();
        let bytes = self.array.codecs().encode(voxels, &shape, data_type, fill, &options);
        let bytes = bytes.map_err(|error| io::Error::other(error.to_string()))?;
        let indices = along(&self.header, self.frame, channel, [column, row, z / file.z]);
        let key = indices.iter().fold(format!("{}/c", self.index), |key, index| format!("{key}/{index}"));
        Ok(Some((key, bytes.into_owned())))
    }
}

/// Returns the dims of a chunk and of a file: a shard, or else a chunk. Both are cut to the volume.
///
/// # Errors
/// [`ShapeError`] for shards that do not consist of whole chunks, and for sizes that readers refuse.
fn files(options: &ZarrOptions, header: &Header) -> Result<(Dims, Dims), ShapeError> {
    let (dims, ZarrOptions { chunk, shard, .. }) = (header.dims, *options);
    chunk.voxel_count()?;
    let shard = shard.unwrap_or(chunk);
    let is_whole = |(shard, chunk): (usize, usize)| shard > 0 && shard.is_multiple_of(chunk);
    if ![(shard.x, chunk.x), (shard.y, chunk.y), (shard.z, chunk.z)].into_iter().all(is_whole) {
        return Err(ShapeError::Shards { shard, chunk });
    }
    let chunks_of = |shard: usize, chunk: usize, side: usize| (shard / chunk).min(side.div_ceil(chunk));
    let count = Dims::new(
        chunks_of(shard.x, chunk.x, dims.x),
        chunks_of(shard.y, chunk.y, dims.y),
        chunks_of(shard.z, chunk.z, dims.z),
    );
    let chunk = Dims::new(chunk.x.min(dims.x), chunk.y.min(dims.y), chunk.z.min(dims.z));
    let bytes = (chunk.voxel_count()? as u64).saturating_mul(header.voxel_type.byte_count() as u64);
    if u128::from(bytes) > MAX_CHUNK_BYTES {
        let (what, unit, most) = ("chunks", "bytes", MAX_CHUNK_BYTES as u64);
        return Err(ShapeError::ZarrSize { what, dims: chunk, count: bytes, unit, most });
    }
    let chunks = count.voxel_count()? as u64;
    if chunks > MAX_CHUNKS {
        let (what, unit, most) = ("shards", "chunks", MAX_CHUNKS);
        return Err(ShapeError::ZarrSize { what, dims: shard, count: chunks, unit, most });
    }
    Ok((chunk, Dims::new(count.x * chunk.x, count.y * chunk.y, count.z * chunk.z)))
}

/// Writer of the voxels of a volume, the least significant byte of each number first, to the files of its
/// levels.
pub struct PyramidWriter<'a, 'b> {
    levels: Vec<Level>,
    sink: &'a mut Sink<'b>,
    task: &'a Task<'a>,
    /// Bytes of files in a folder.
    file_bytes: u64,
    failure: Option<VolumeWriteError>,
}

impl<'a, 'b> PyramidWriter<'a, 'b> {
    /// Returns the writer. Reserves the memory for slices.
    ///
    /// # Errors
    /// [`VolumeWriteError::Memory`].
    pub fn new(
        mut levels: Vec<Level>,
        sink: &'a mut Sink<'b>,
        task: &'a Task<'a>,
    ) -> Result<Self, VolumeWriteError> {
        for level in &mut levels {
            let byte_count = level.sizes.slab_bytes();
            let reserved = level.slab.try_reserve_exact(usize::try_from(byte_count).unwrap_or(usize::MAX));
            reserved.map_err(|_| VolumeWriteError::Memory(byte_count))?;
        }
        Ok(Self { levels, sink, task, file_bytes: 0, failure: None })
    }

    /// Returns the bytes of files in a folder, if all voxels were `copied`.
    ///
    /// # Errors
    /// The writer's own, or that of `copied`.
    pub fn finish(self, copied: Result<(), VolumeWriteError>) -> Result<u64, VolumeWriteError> {
        match self.failure {
            Some(failure) => Err(failure),
            None => copied.map(|()| self.file_bytes),
        }
    }

    /// Takes the next voxels of a level, in the machine's byte order.
    fn take(&mut self, index: usize, mut bytes: &[u8]) -> Result<(), VolumeWriteError> {
        while !bytes.is_empty() {
            let level = &mut self.levels[index];
            let count = level.fill(bytes);
            bytes = &bytes[count..];
            if !level.is_full() {
                continue;
            }
            self.write_slab(index)?;
            let level = &self.levels[index];
            if let Some(axes) = level.sizes.halved {
                let Header { voxel_type, channels, kind, dims, .. } = level.header;
                let dims = Dims { z: level.full_depth(), ..dims };
                let slab = AnyView::new(&level.slab, voxel_type, dims, channels)?;
                let smaller = halve_axes(&slab, axes, kind, self.task)?;
                self.take(index + 1, smaller.bytes())?;
            }
            self.levels[index].advance();
        }
        Ok(())
    }

    /// Writes the files of the slices in memory.
    fn write_slab(&mut self, index: usize) -> io::Result<()> {
        let level = &self.levels[index];
        let Dims { x, y, .. } = level.header.dims.covered_by(level.sizes.file);
        let places =
            (0..x * y * level.header.channels).map(|index| [index % x, index / x % y, index / x / y]);
        let places: Vec<[usize; 3]> = places.collect();
        for z in (level.z..level.z + level.full_depth()).step_by(level.sizes.file.z) {
            match &mut *self.sink {
                Sink::Folder(folder) => {
                    for places in places.chunks(level.at_once) {
                        let written = places.par_iter().map(|&place| {
                            let Some((key, bytes)) = level.encode(place, z)? else { return Ok(0) };
                            put_file(folder, &key, &bytes)?;
                            Ok(bytes.len() as u64)
                        });
                        self.file_bytes += written.try_reduce(|| 0, |a, b| io::Result::Ok(a + b))?;
                    }
                }
                // The order of entries does not depend on the threads.
                archive @ Sink::Archive { .. } => {
                    let at_once = (4 * rayon::current_num_threads()).min(level.at_once);
                    for places in places.chunks(at_once) {
                        let encoded = places.par_iter().map(|&place| level.encode(place, z));
                        for (key, bytes) in encoded.collect::<io::Result<Vec<_>>>()?.into_iter().flatten() {
                            archive.put_chunk(index, key, &bytes)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Write for PyramidWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = if cfg!(target_endian = "big") {
            let mut turned = bytes.to_vec();
            let number_bytes = self.levels[0].header.voxel_type.byte_count();
            turned.chunks_exact_mut(number_bytes).for_each(<[u8]>::reverse);
            self.take(0, &turned)
        } else {
            self.take(0, bytes)
        };
        match taken {
            Ok(()) => Ok(bytes.len()),
            Err(failure) => {
                let reason = failure.to_string();
                self.failure = Some(failure);
                Err(io::Error::other(reason))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Writes a volume as a group of OME-Zarr 0.5: an array for each mip level, with the codec `brickwork`.

use super::{
    WrittenZarr, ZarrOptions,
    array::MAX_CHUNK_BYTES,
    group::MAX_METADATA,
    shards::MAX_CHUNKS,
    sink::{Sink, put_file},
};
use crate::{BrickPolicy, OpenedVolume, VolumeFormat, VolumeWriteOptions, WriteError, write_volume};
use brickwork_base::Task;
use brickwork_volume::{
    BrickSize, Dims, Header, Profile, Region, Selection, ShapeError, VolumeFile, VolumeWriteError, VoxelKind,
    VoxelStream, VoxelStreamError, choose_brick, copy_voxels,
};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::{
    io::{self, BufWriter, Write},
    num::NonZeroU64,
    path::Path,
    sync::Arc,
};
use zarrs::{
    array::{Array, ArrayBuilder, ArrayBytes, ArrayToBytesCodecTraits as _, CodecOptions, FillValue},
    metadata::v3::MetadataV3,
};
use zarrs_brickwork::BrickworkCodec;

/// Writes `volume` to `folder`, which must be empty: `zarr.json` of the group, and an array `0`, `1`, … for
/// each of the header's mip levels. Fields that OME-Zarr has no place for are in the attribute `brickwork`.
/// Chunks of zeros are not stored. Memory: slices as deep as a chunk or a shard, and for each thread the
/// voxels and the compressed bytes of a file; with a limit, fewer files are compressed at a time. Several
/// levels need space on disk for a `.bwv` file, which is removed. Reports the bytes of voxels done, once for
/// each level.
///
/// # Errors
/// [`WriteError`]. The folder is then incomplete.
pub fn write_zarr(
    volume: OpenedVolume,
    folder: &Path,
    options: &ZarrOptions,
    task: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    write_group(volume, Sink::Folder(folder), folder, options, task)
}

/// Writes `volume` as [`write_zarr`] does, to a ZIP archive: `.ozx` by OME-Zarr's RFC-9. Entries are not
/// compressed, and the metadata of all arrays comes first. `scratch` is a folder for the `.bwv` file of
/// several levels. Memory: for each thread also the compressed bytes of three more files.
///
/// # Errors
/// [`WriteError`]. The archive is then incomplete.
pub fn write_zarr_archive(
    volume: OpenedVolume,
    mut sink: impl Write,
    scratch: &Path,
    options: &ZarrOptions,
    task: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    write_group(volume, Sink::archive(&mut sink), scratch, options, task)
}

fn write_group(
    mut volume: OpenedVolume,
    mut sink: Sink<'_>,
    scratch: &Path,
    options: &ZarrOptions,
    task: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    // Fails before any voxel is read. The levels take a few kilobytes.
    json_text(&group(&volume.header, &[]))?;
    let brick = choose(&mut volume, options.brick, task)?;
    let header = volume.header.clone();
    let levels = if header.mip_levels == 1 {
        vec![volume]
    } else {
        let bwv = tempfile::tempfile_in(scratch)?;
        volume.header.profile = Profile::Bricks;
        let write = VolumeWriteOptions::default().with(|o| {
            o.brick = BrickPolicy::Fixed(brick);
            o.max_memory = options.max_memory;
        });
        write_volume(volume, VolumeFormat::Bwv, &write, BufWriter::new(&bwv), task)?;
        let level = |mip_level| -> Result<OpenedVolume, WriteError> {
            let file = VolumeFile::new(bwv.try_clone()?).map_err(VoxelStreamError::Bwv)?;
            let region = Region::all(header.mip_level_dims(mip_level));
            let selection = Selection { mip_level, ..Selection::default() };
            Ok(OpenedVolume::from_region(file, selection, region, task)?)
        };
        (0..header.mip_levels).map(level).collect::<Result<Vec<_>, WriteError>>()?
    };
    let headers: Vec<Header> = levels.iter().map(|level| level.header.clone()).collect();
    let mut file_bytes = put_json(&mut sink, "zarr.json", &group(&header, &headers))?;
    let mut plans = Vec::new();
    for (index, header) in headers.iter().enumerate() {
        let plan = LevelPlan::new(header, brick, options)?;
        file_bytes += put_json(&mut sink, &format!("{index}/zarr.json"), &plan.metadata)?;
        plans.push(plan);
    }
    for (index, (level, plan)) in levels.into_iter().zip(plans).enumerate() {
        file_bytes += write_level(level, index, plan, &mut sink, task)?;
    }
    let is_folder = matches!(sink, Sink::Folder(_));
    let archive_bytes = sink.finish()?;
    Ok(WrittenZarr { brick, file_bytes: if is_folder { file_bytes } else { archive_bytes } })
}

/// Returns the size of bricks. Errors in the voxels are reported when all of them are read.
fn choose(
    volume: &mut OpenedVolume,
    policy: BrickPolicy,
    task: &Task<'_>,
) -> Result<BrickSize, VolumeWriteError> {
    if let BrickPolicy::Fixed(size) = policy {
        return Ok(size);
    }
    let VoxelStream::Rewindable(file) = &mut volume.voxels else { return Ok(BrickSize::Eight) };
    match choose_brick(file, volume.order, &volume.header, task) {
        Ok(choice) => Ok(choice.size),
        Err(VoxelStreamError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(_) => Ok(BrickSize::Eight),
    }
}

/// An array without voxels, and the sizes of its files.
struct LevelPlan {
    array: Array<()>,
    metadata: Value,
    /// Dims of a file: a chunk, or a shard.
    file: Dims,
    slice_bytes: u64,
    slab_bytes: u64,
    /// Maximum number of files in memory, at least 1.
    at_once: usize,
}

impl LevelPlan {
    fn new(header: &Header, brick: BrickSize, options: &ZarrOptions) -> Result<Self, VolumeWriteError> {
        let (dims, (chunk, file)) = (header.dims, files(options, header)?);
        let slice_bytes = header.raw_bytes()? / (header.frames * dims.z) as u64;
        let slab_bytes = slice_bytes * file.z.min(dims.z) as u64;
        // Voxels of a file, and these compressed.
        let number_bytes = header.voxel_type.byte_count() as u64;
        let sides = [file.x as u64, file.y as u64, file.z as u64];
        let file_memory = sides.into_iter().fold(2 * number_bytes, u64::saturating_mul);
        let need = slab_bytes.saturating_add(file_memory);
        if let Some(limit) = options.max_memory.filter(|&limit| need > limit) {
            return Err(VolumeWriteError::OverLimit { need, limit });
        }
        let at_once = options.max_memory.map_or(u64::MAX, |limit| (limit - slab_bytes) / file_memory);
        let builder = builder(header, chunk, file, brick);
        let failed = |error| VolumeWriteError::Io(io::Error::other(error));
        let array = builder.build(Arc::new(()), "/").map_err(failed)?;
        let metadata = builder.build_metadata().map_err(failed)?;
        let metadata = serde_json::to_value(&metadata).map_err(io::Error::other)?;
        let at_once = usize::try_from(at_once).unwrap_or(usize::MAX);
        Ok(Self { array, metadata, file, slice_bytes, slab_bytes, at_once })
    }
}

/// Writes the chunks of the array with this index. Returns the bytes of its files.
fn write_level(
    volume: OpenedVolume,
    index: usize,
    plan: LevelPlan,
    sink: &mut Sink<'_>,
    task: &Task<'_>,
) -> Result<u64, VolumeWriteError> {
    let OpenedVolume { header, order, voxels, .. } = volume;
    let mut slab = Vec::new();
    slab.try_reserve_exact(plan.slab_bytes as usize)
        .map_err(|_| VolumeWriteError::Memory(plan.slab_bytes))?;
    let files = LevelFiles { index, plan, header: &header, slab, frame: 0, z: 0 };
    let mut writer = LevelWriter { files, sink, file_bytes: 0 };
    copy_voxels(voxels, order, &header, &mut writer, task)?;
    Ok(writer.file_bytes)
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

/// Returns the names of the axes.
fn axis_names(header: &Header) -> Vec<&'static str> {
    let first = [("t", header.frames > 1), ("c", header.channels > 1)];
    let first = first.into_iter().filter_map(|(name, is_there)| is_there.then_some(name));
    first.chain(["z", "y", "x"]).collect()
}

/// Returns a number for each axis.
fn along<T>(header: &Header, frames: T, channels: T, [x, y, z]: [T; 3]) -> Vec<T> {
    let first = [(frames, header.frames > 1), (channels, header.channels > 1)];
    let first = first.into_iter().filter_map(|(number, is_there)| is_there.then_some(number));
    first.chain([z, y, x]).collect()
}

fn builder(header: &Header, chunk: Dims, file: Dims, brick: BrickSize) -> ArrayBuilder {
    let sides = |dims: Dims| [dims.x as u64, dims.y as u64, dims.z as u64];
    let shape = along(header, header.frames as u64, header.channels as u64, sides(header.dims));
    let data_type = MetadataV3::new(header.voxel_type.numpy_name());
    let fill = FillValue::new(vec![0; header.voxel_type.byte_count()]);
    let mut builder = ArrayBuilder::new(shape, along(header, 1, 1, sides(file)), data_type, fill);
    builder.array_to_bytes_codec(Arc::new(BrickworkCodec::new(brick)));
    if file != chunk {
        builder.subchunk_shape(Some(along(header, 1, 1, sides(chunk))));
    }
    builder.dimension_names(Some(axis_names(header)));
    builder
}

/// Returns the metadata of the group with the given levels.
fn group(header: &Header, levels: &[Header]) -> Value {
    let axes: Vec<Value> = axis_names(header)
        .into_iter()
        .map(|name| match name {
            "t" if header.frame_spacing > 0.0 => json!({ "name": name, "type": "time", "unit": "second" }),
            "t" => json!({ "name": name, "type": "time" }),
            "c" => json!({ "name": name, "type": "channel" }),
            _ => json!({ "name": name, "type": "space", "unit": "millimeter" }),
        })
        .collect();
    let frame_spacing = if header.frame_spacing > 0.0 { header.frame_spacing } else { 1.0 };
    let dataset = |(index, level): (usize, &Header)| {
        let spacing = [level.spacing.x, level.spacing.y, level.spacing.z];
        json!({ "path": index.to_string(), "coordinateTransformations": [
            { "type": "scale", "scale": along(header, frame_spacing, 1.0, spacing) },
            { "type": "translation", "translation": along(header, 0.0, 0.0, level.origin) },
        ] })
    };
    let datasets: Vec<Value> = levels.iter().enumerate().map(dataset).collect();
    // The description of a Zarr input is not that of this group.
    let mut metadata: Map<String, Value> = serde_json::from_str(&header.metadata).unwrap_or_default();
    metadata.remove("zarr");
    let kind = if header.kind == VoxelKind::Labels { "labels" } else { "intensities" };
    json!({
        "zarr_format": 3,
        "node_type": "group",
        "attributes": {
            "ome": { "version": "0.5", "multiscales": [{ "axes": axes, "datasets": datasets }] },
            "brickwork": { "kind": kind, "orientation": header.orientation, "metadata": metadata },
        },
    })
}

/// Writes a `zarr.json`. Returns its size in bytes.
fn put_json(sink: &mut Sink<'_>, key: &str, json: &Value) -> Result<u64, VolumeWriteError> {
    let text = json_text(json)?;
    sink.put(key, text.as_bytes())?;
    Ok(text.len() as u64)
}

/// Returns the text of a `zarr.json`, with sorted names.
///
/// # Errors
/// [`VolumeWriteError::Metadata`] if it is larger than the reader allows.
fn json_text(json: &Value) -> Result<String, VolumeWriteError> {
    let mut json = json.clone();
    json.sort_all_objects();
    let text = serde_json::to_string_pretty(&json).map_err(io::Error::from)? + "\n";
    if text.len() as u64 > MAX_METADATA {
        return Err(VolumeWriteError::Metadata(text.len()));
    }
    Ok(text)
}

/// Writer of voxels, the least significant byte of each number first, to the chunk files of an array.
struct LevelWriter<'a, 'b> {
    files: LevelFiles<'a>,
    sink: &'a mut Sink<'b>,
    file_bytes: u64,
}

/// Files of the slices that are in memory.
struct LevelFiles<'a> {
    /// Index of the level.
    index: usize,
    plan: LevelPlan,
    header: &'a Header,
    /// Voxels of slices, up to the depth of a file.
    slab: Vec<u8>,
    frame: usize,
    /// First slice of the slab.
    z: usize,
}

impl Write for LevelWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let LevelFiles { plan, header, slab, z, .. } = &mut self.files;
        let (slice_bytes, end) = (plan.slice_bytes as usize, header.dims.z);
        let depth = plan.file.z.min(end - *z);
        let count = bytes.len().min(depth * slice_bytes - slab.len());
        slab.extend_from_slice(&bytes[..count]);
        if slab.len() == depth * slice_bytes {
            self.write_slab(depth)?;
            let LevelFiles { slab, frame, z, .. } = &mut self.files;
            slab.clear();
            *z += depth;
            if *z == end {
                (*frame, *z) = (*frame + 1, 0);
            }
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LevelWriter<'_, '_> {
    fn write_slab(&mut self, depth: usize) -> io::Result<()> {
        let LevelFiles { plan, header, slab, .. } = &mut self.files;
        if cfg!(target_endian = "big") {
            let number_bytes = header.voxel_type.byte_count();
            slab.chunks_exact_mut(number_bytes).for_each(<[u8]>::reverse);
        }
        let Dims { x, y, .. } = header.dims.covered_by(plan.file);
        let channels = header.channels;
        let places = (0..x * y * channels).map(|index| (index % x, index / x % y, index / x / y));
        let places: Vec<(usize, usize, usize)> = places.collect();
        let files = &self.files;
        match &mut *self.sink {
            Sink::Folder(folder) => {
                for places in places.chunks(files.plan.at_once) {
                    let written = places.par_iter().map(|&(x, y, channel)| {
                        let Some((key, bytes)) = files.encode(x, y, channel, depth)? else { return Ok(0) };
                        put_file(folder, &key, &bytes)?;
                        Ok(bytes.len() as u64)
                    });
                    self.file_bytes += written.try_reduce(|| 0, |a, b| io::Result::Ok(a + b))?;
                }
            }
            // The order of entries does not depend on the threads.
            archive @ Sink::Archive(_) => {
                let at_once = (4 * rayon::current_num_threads()).min(files.plan.at_once);
                for places in places.chunks(at_once) {
                    let encoded =
                        places.par_iter().map(|&(x, y, channel)| files.encode(x, y, channel, depth));
                    for (key, bytes) in encoded.collect::<io::Result<Vec<_>>>()?.into_iter().flatten() {
                        archive.put(&key, &bytes)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl LevelFiles<'_> {
    /// Returns the key and the bytes of the file of a channel in this column and row of files; `None` if its
    /// voxels are zero.
    fn encode(
        &self,
        column: usize,
        row: usize,
        channel: usize,
        depth: usize,
    ) -> io::Result<Option<(String, Vec<u8>)>> {
        let Header { dims, channels, voxel_type, .. } = self.header;
        let number_bytes = voxel_type.byte_count();
        let LevelPlan { array, file, .. } = &self.plan;
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
        for z in 0..depth {
            for y in 0..height {
                let from = dims.index(start.0, start.1 + y, z) * channels;
                let from = &self.slab[from * number_bytes..][..width * channels * number_bytes];
                let to = &mut voxels[file.index(0, y, z) * number_bytes..][..width * number_bytes];
                if *channels == 1 {
                    to.copy_from_slice(from);
                    continue;
                }
                let numbers = from.chunks_exact(number_bytes).skip(channel).step_by(*channels);
                to.chunks_exact_mut(number_bytes)
                    .zip(numbers)
                    .for_each(|(to, from)| to.copy_from_slice(from));
            }
        }
        let voxels = ArrayBytes::new_flen(voxels);
        let (fill, data_type) = (array.fill_value(), array.data_type());
        if voxels.is_fill_value(fill) {
            return Ok(None);
        }
        let one = |side: usize| NonZeroU64::new(side as u64).unwrap_or(NonZeroU64::MIN);
        let shape = along(self.header, one(1), one(1), [one(file.x), one(file.y), one(file.z)]);
        let options = CodecOptions::default();
        let bytes = array.codecs().encode(voxels, &shape, data_type, fill, &options);
        let bytes = bytes.map_err(|error| io::Error::other(error.to_string()))?;
        let indices = along(self.header, self.frame, channel, [column, row, self.z / file.z]);
        let key = indices.iter().fold(format!("{}/c", self.index), |key, index| format!("{key}/{index}"));
        Ok(Some((key, bytes.into_owned())))
    }
}

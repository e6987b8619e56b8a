//! Writes a volume as a group of OME-Zarr 0.5: an array for each mip level, with the codec `brickwork`.

use super::{WrittenZarr, ZarrOptions, array::MAX_CHUNK_BYTES, group::MAX_METADATA, shards::MAX_CHUNKS};
use crate::{BrickPolicy, OpenedVolume, VolumeFormat, VolumeWriteOptions, WriteError, write_volume};
use brickwork_base::Task;
use brickwork_volume::{
    BrickSize, Dims, Header, Profile, Region, Selection, ShapeError, VolumeFile, VolumeWriteError, VoxelKind,
    VoxelStream, VoxelStreamError, choose_brick, copy_voxels,
};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    num::NonZeroU64,
    path::{Path, PathBuf},
    sync::Arc,
};
use zarrs::{
    array::{Array, ArrayBuilder, ArrayBytes, ArrayToBytesCodecTraits as _, CodecOptions, FillValue},
    metadata::v3::MetadataV3,
};
use zarrs_brickwork::BrickworkCodec;

/// Temporary `.bwv` file in the folder, whose mip levels are copied to arrays.
const LEVELS_FILE: &str = ".levels.bwv";

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
    mut volume: OpenedVolume,
    folder: &Path,
    options: &ZarrOptions,
    task: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    // Fails before any voxel is read. The levels take a few kilobytes.
    json_text(&group(&volume.header, &[]))?;
    let brick = choose(&mut volume, options.brick, task)?;
    let header = volume.header.clone();
    let mut levels = Vec::new();
    let mut file_bytes = 0;
    if header.mip_levels == 1 {
        file_bytes += write_level(volume, &folder.join("0"), brick, options, task)?;
        levels.push(header.clone());
    } else {
        let path = folder.join(LEVELS_FILE);
        volume.header.profile = Profile::Bricks;
        let bwv = VolumeWriteOptions::default().with(|o| {
            o.brick = BrickPolicy::Fixed(brick);
            o.max_memory = options.max_memory;
        });
        write_volume(volume, VolumeFormat::Bwv, &bwv, BufWriter::new(File::create_new(&path)?), task)?;
        for mip_level in 0..header.mip_levels {
            let file = VolumeFile::new(File::open(&path)?).map_err(VoxelStreamError::Bwv)?;
            let region = Region::all(header.mip_level_dims(mip_level));
            let selection = Selection { mip_level, ..Selection::default() };
            let level = OpenedVolume::from_region(file, selection, region, task)?;
            levels.push(level.header.clone());
            file_bytes += write_level(level, &folder.join(mip_level.to_string()), brick, options, task)?;
        }
        fs::remove_file(&path)?;
    }
    file_bytes += write_json(folder, &group(&header, &levels))?;
    Ok(WrittenZarr { brick, file_bytes })
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

/// Writes an array to a new folder. Returns the bytes of its files.
fn write_level(
    volume: OpenedVolume,
    folder: &Path,
    brick: BrickSize,
    options: &ZarrOptions,
    task: &Task<'_>,
) -> Result<u64, VolumeWriteError> {
    let OpenedVolume { header, order, voxels, .. } = volume;
    let (dims, (chunk, file)) = (header.dims, files(options, &header)?);
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
    let mut slab = Vec::new();
    slab.try_reserve_exact(slab_bytes as usize).map_err(|_| VolumeWriteError::Memory(slab_bytes))?;
    let builder = builder(&header, chunk, file, brick);
    let failed = |error| VolumeWriteError::Io(io::Error::other(error));
    let array = builder.build(Arc::new(()), "/").map_err(failed)?;
    let metadata = builder.build_metadata().map_err(failed)?;
    fs::create_dir(folder)?;
    let json = serde_json::to_value(&metadata).map_err(io::Error::other)?;
    let file_bytes = write_json(folder, &json)?;
    let mut writer = LevelWriter {
        folder: folder.to_owned(),
        array,
        header: &header,
        file,
        slice_bytes: slice_bytes as usize,
        at_once: usize::try_from(at_once).unwrap_or(usize::MAX),
        slab,
        frame: 0,
        z: 0,
        file_bytes,
    };
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

/// Writes `zarr.json`. Returns its size in bytes.
fn write_json(folder: &Path, json: &Value) -> Result<u64, VolumeWriteError> {
    let text = json_text(json)?;
    fs::write(folder.join("zarr.json"), &text)?;
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
struct LevelWriter<'a> {
    folder: PathBuf,
    array: Array<()>,
    header: &'a Header,
    /// Dims of a file: a chunk, or a shard.
    file: Dims,
    slice_bytes: usize,
    /// Maximum number of files in memory, at least 1.
    at_once: usize,
    /// Voxels of slices, up to the depth of a file.
    slab: Vec<u8>,
    frame: usize,
    /// First slice of the slab.
    z: usize,
    file_bytes: u64,
}

impl Write for LevelWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let depth = self.file.z.min(self.header.dims.z - self.z);
        let count = bytes.len().min(depth * self.slice_bytes - self.slab.len());
        self.slab.extend_from_slice(&bytes[..count]);
        if self.slab.len() == depth * self.slice_bytes {
            self.write_slab(depth)?;
            self.slab.clear();
            self.z += depth;
            if self.z == self.header.dims.z {
                (self.frame, self.z) = (self.frame + 1, 0);
            }
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LevelWriter<'_> {
    fn write_slab(&mut self, depth: usize) -> io::Result<()> {
        if cfg!(target_endian = "big") {
            let number_bytes = self.header.voxel_type.byte_count();
            self.slab.chunks_exact_mut(number_bytes).for_each(<[u8]>::reverse);
        }
        let Dims { x, y, .. } = self.header.dims.covered_by(self.file);
        let channels = self.header.channels;
        let places = (0..x * y * channels).map(|index| (index % x, index / x % y, index / x / y));
        let places: Vec<(usize, usize, usize)> = places.collect();
        for places in places.chunks(self.at_once) {
            let written = places.par_iter().map(|&(x, y, channel)| self.write_file(x, y, channel, depth));
            let file_bytes = written.try_reduce(|| 0, |a, b| Ok(a + b))?;
            self.file_bytes += file_bytes;
        }
        Ok(())
    }

    /// Writes the file of a channel in this column and row of files. Returns its size in bytes.
    fn write_file(&self, column: usize, row: usize, channel: usize, depth: usize) -> io::Result<u64> {
        let Header { dims, channels, voxel_type, .. } = self.header;
        let number_bytes = voxel_type.byte_count();
        let (file, start) = (self.file, (column * self.file.x, row * self.file.y));
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
        let (fill, data_type) = (self.array.fill_value(), self.array.data_type());
        if voxels.is_fill_value(fill) {
            return Ok(0);
        }
        let one = |side: usize| NonZeroU64::new(side as u64).unwrap_or(NonZeroU64::MIN);
        let shape = along(self.header, one(1), one(1), [one(file.x), one(file.y), one(file.z)]);
        let options = CodecOptions::default();
        let bytes = self.array.codecs().encode(voxels, &shape, data_type, fill, &options);
        let bytes = bytes.map_err(|error| io::Error::other(error.to_string()))?;
        let indices = along(self.header, self.frame, channel, [column, row, self.z / file.z]);
        let path = indices.iter().fold(self.folder.join("c"), |path, index| path.join(index.to_string()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        File::create_new(&path)?.write_all(&bytes)?;
        Ok(bytes.len() as u64)
    }
}

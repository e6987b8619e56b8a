//! Writes a volume as a group of OME-Zarr 0.5: an array for each mip level, with the codec `brickwork`.

use super::{
    WrittenZarr, ZarrOptions,
    layout::{along, axis_names},
    levels::halvings,
    node::MAX_METADATA,
    pyramid::{Level, PyramidWriter},
    sink::Sink,
};
use crate::{BrickPolicy, OpenedVolume, WriteError, header::channel_names::channel_names};
use brickwork_base::Task;
use brickwork_volume::{
    BrickSize, Header, ShapeError, StatisticsError, ValueStatisticsOptions, VolumeWriteError, VoxelKind,
    VoxelSource, VoxelStream, VoxelStreamError, VoxelType, choose_brick, copy_voxels, value_statistics,
};
use serde_json::{Map, Value, json};
use std::{
    io::{self, Seek as _, SeekFrom, Write},
    path::Path,
};

/// Writes `volume` to `folder`, which must be empty: `zarr.json` of the group, and an array `0`, `1`, … for
/// each of the header's mip levels. From one level to the next, the axes with the finest spacing are halved:
/// those below √2 times the smallest spacing of an axis with several voxels. Fields that OME-Zarr has no
/// place for are in the attribute `brickwork`. Chunks of zeros are not stored. Reads the voxels once. Memory:
/// for each level, slices as deep as a chunk or a shard, and their halves; for each thread the voxels and the
/// compressed bytes of a file. With a limit, fewer files are compressed at a time. Reports the bytes of
/// voxels done.
///
/// # Errors
/// [`WriteError`]. The folder is then incomplete.
pub fn write_zarr(
    volume: OpenedVolume,
    folder: &Path,
    options: &ZarrOptions,
    task: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    write_group(volume, Sink::Folder(folder), options, task)
}

/// Writes `volume` as [`write_zarr`] does, to a ZIP archive: `.ozx` by OME-Zarr's RFC-9. Entries are not
/// compressed, the metadata of all arrays comes first, and then one level after the other. `scratch` is a
/// folder for a file with the chunks of smaller levels, which is removed. Memory: for each thread also the
/// compressed bytes of three more files.
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
    write_group(volume, Sink::archive(&mut sink, scratch), options, task)
}

fn write_group(
    mut volume: OpenedVolume,
    mut sink: Sink<'_>,
    options: &ZarrOptions,
    task: &Task<'_>,
) -> Result<WrittenZarr, WriteError> {
    let header = volume.header.clone();
    let (levels, most) = (header.mip_levels, header.most_mip_levels());
    if levels == 0 || levels > most {
        return Err(VolumeWriteError::from(ShapeError::MipLevels { levels, dims: header.dims, most }).into());
    }
    let halvings = halvings(&header);
    if header.has_mixed_level(halvings[levels - 1][2] as usize) {
        return Err(VolumeWriteError::MixedLevels.into());
    }
    let smaller = halvings[1..].iter().map(|&counts| header.halved(counts));
    let headers: Vec<Header> = std::iter::once(header.clone()).chain(smaller).collect();
    // Fails before any voxel is read.
    let omero = omero(&mut volume, task)?;
    let group = json_text(&group(&header, &headers, omero))?;
    let brick = choose(&mut volume, options.brick, task)?;
    let levels = Level::all(&headers, &halvings, brick, options)?;
    let mut texts = vec![("zarr.json".to_owned(), group)];
    for (index, level) in levels.iter().enumerate() {
        texts.push((format!("{index}/zarr.json"), json_text(&level.metadata)?));
    }
    let mut file_bytes = 0;
    for (key, text) in texts {
        sink.put(&key, text.as_bytes()).map_err(VolumeWriteError::from)?;
        file_bytes += text.len() as u64;
    }
    let OpenedVolume { order, voxels, .. } = volume;
    let mut writer = PyramidWriter::new(levels, &mut sink, task)?;
    let copied = copy_voxels(voxels, order, &header, &mut writer, task);
    file_bytes += writer.finish(copied)?;
    let is_folder = matches!(sink, Sink::Folder(_));
    let archive_bytes = sink.finish(task)?;
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

/// Returns the metadata of the group with the given levels.
fn group(header: &Header, levels: &[Header], omero: Option<Value>) -> Value {
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
    let mut ome = json!({ "version": "0.5", "multiscales": [{ "axes": axes, "datasets": datasets }] });
    if let Some(omero) = omero {
        ome["omero"] = omero;
    }
    json!({
        "zarr_format": 3,
        "node_type": "group",
        "attributes": {
            "ome": ome,
            "brickwork": { "kind": kind, "orientation": header.orientation, "metadata": metadata },
        },
    })
}

/// Colours of the channels: white for one, else distinct ones.
const COLORS: [&str; 5] = ["FFFFFF", "00FF00", "FF00FF", "00FFFF", "FFFF00"];

/// Returns OME-Zarr's `omero` with the names of channels, and the colour and window that it requires. The
/// window is the range of the values, or of the type if they can be read only once. Returns none without
/// names.
fn omero(volume: &mut OpenedVolume, task: &Task<'_>) -> Result<Option<Value>, WriteError> {
    let names = channel_names(&volume.header);
    if names.is_empty() || volume.header.kind == VoxelKind::Labels {
        return Ok(None);
    }
    let ranges = ranges(volume, task)?;
    let of_type = type_range(volume.header.voxel_type);
    let channels: Vec<Value> = (0..names.len())
        .map(|channel| {
            let [start, end] = ranges.get(channel).copied().flatten().or(of_type).unwrap_or([0.0, 1.0]);
            let [min, max] = of_type.unwrap_or([start, end]);
            let color = COLORS[if names.len() == 1 { 0 } else { 1 + channel % (COLORS.len() - 1) }];
            let window = json!({ "min": min, "max": max, "start": start, "end": end });
            json!({ "active": true, "color": color, "label": names[channel], "window": window })
        })
        .collect();
    Ok(Some(json!({ "channels": channels })))
}

/// Returns the range of integers of at most 16 bits.
const fn type_range(voxel_type: VoxelType) -> Option<[f64; 2]> {
    match voxel_type {
        VoxelType::U8 => Some([0.0, 255.0]),
        VoxelType::I8 => Some([-128.0, 127.0]),
        VoxelType::U16 => Some([0.0, 65535.0]),
        VoxelType::I16 => Some([-32768.0, 32767.0]),
        _ => None,
    }
}

/// Returns the smallest and the largest finite stored number of each channel. Nothing is known of streams
/// that can be read only once. Errors in the voxels are reported when all of them are written.
fn ranges(volume: &mut OpenedVolume, task: &Task<'_>) -> Result<Vec<Option<[f64; 2]>>, VolumeWriteError> {
    let OpenedVolume { header, order, voxels: VoxelStream::Rewindable(file), .. } = volume else {
        return Ok(Vec::new());
    };
    let start = file.stream_position()?;
    let options = ValueStatisticsOptions::default().with(|o| {
        o.percentiles.clear();
        o.stored_values = true;
    });
    let found = value_statistics(VoxelSource::new(file, *order, header), None, &options, task);
    file.seek(SeekFrom::Start(start))?;
    let parts = match found {
        Ok(parts) => parts,
        Err(StatisticsError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(_) => return Ok(Vec::new()),
    };
    let mut ranges: Vec<Option<[f64; 2]>> = vec![None; header.channels];
    for part in parts {
        let Some([low, high]) = part.values.extent() else { continue };
        let range = &mut ranges[part.channel];
        *range = Some(range.map_or([low, high], |[a, b]: [f64; 2]| [a.min(low), b.max(high)]));
    }
    Ok(ranges)
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

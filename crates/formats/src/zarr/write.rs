//! Writes a volume as a group of OME-Zarr 0.5: an array for each mip level, with the codec `brickwork`.

use super::{
    WrittenZarr, ZarrOptions,
    layout::{along, axis_names},
    levels::halvings,
    node::MAX_METADATA,
    omero::omero,
    pyramid::{Level, PyramidWriter},
    sink::Sink,
};
use crate::{BrickPolicy, OpenedVolume, WriteError};
use brickwork_base::Task;
use brickwork_volume::{
    BrickSize, Header, ShapeError, VolumeWriteError, VoxelKind, VoxelStream, VoxelStreamError, choose_brick,
    copy_voxels,
};
use serde_json::{Map, Value, json};
use std::{
    io::{self, Write},
    path::Path,
};

/// Writes `volume` to `folder`, which must be empty: `zarr.json` of the group, and an array `0`, `1`, … for
/// each of the header's mip levels. From one level to the next, the axes with the finest spacing are halved:
/// those below √2 times the smallest spacing of an axis with several voxels. Fields that OME-Zarr has no
/// place for are in the attribute `brickwork`. Chunks of zeros are not stored. Reads the voxels once, and
/// before that for windows of channels that have names or colours, but no window. Memory: for each level,
/// slices as deep as a chunk or a shard, and their halves; for each thread the voxels and the compressed
/// bytes of a file. With a limit, fewer files are compressed at a time. Reports the bytes of voxels done.
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
fn group(header: &Header, levels: &[Header], omero: Option<[Value; 2]>) -> Value {
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
    let mut own = json!({ "kind": kind, "orientation": header.orientation, "metadata": metadata });
    if let Some([omero, added]) = omero {
        ome["omero"] = omero;
        own["omero_added"] = added;
    }
    // Programs show the channels of `omero` as intensities.
    let names = header.channel_names();
    if header.kind == VoxelKind::Labels && !names.is_empty() {
        own["channel_names"] = json!(names);
    }
    json!({
        "zarr_format": 3,
        "node_type": "group",
        "attributes": {
            "ome": ome,
            "brickwork": own,
        },
    })
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

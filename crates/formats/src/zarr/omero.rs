//! OME-Zarr's `omero`: names and looks of channels.

use crate::{OpenedVolume, WriteError};
use brickwork_base::Task;
use brickwork_volume::{
    ChannelLook, StatisticsError, ValueStatisticsOptions, VolumeWriteError, VoxelKind, VoxelSource,
    VoxelStream, VoxelType, value_statistics,
};
use serde_json::{Map, Value, json};
use std::io::{Seek as _, SeekFrom};

/// Names and looks of channels, one for each.
#[derive(Clone, Debug, Default)]
pub struct OmeroChannels {
    pub names: Vec<String>,
    pub looks: Vec<ChannelLook>,
}

/// Returns the channels that `omero` describes, and adds the members that are not kept or not understood to
/// `fields`. Windows keep only `start` and `end`.
pub fn channels_of(omero: &Value, fields: &mut Vec<String>) -> OmeroChannels {
    let mut found = OmeroChannels::default();
    let Value::Object(members) = omero else {
        fields.push("omero".to_owned());
        return found;
    };
    let known = ["channels", "version", "rdefs"];
    fields.extend(
        members.keys().filter(|key| !known.contains(&key.as_str())).map(|key| format!("omero.{key}")),
    );
    let of_rdefs = omero["rdefs"].as_object().into_iter().flatten();
    let of_rdefs = of_rdefs.filter(|(key, value)| *key != "model" || *value != "color");
    fields.extend(of_rdefs.map(|(key, _)| format!("omero.rdefs.{key}")));
    let channels = omero["channels"].as_array();
    if channels.is_none() && !omero["channels"].is_null() {
        fields.push("omero.channels".to_owned());
    }
    for channel in channels.into_iter().flatten() {
        let mut left_out = |member: &str| fields.push(format!("omero.channels.{member}"));
        // Members that are there, but are not understood, are left out.
        let mut member = |key: &str, is_understood: &dyn Fn(&Value) -> bool| {
            let value = &channel[key];
            if value.is_null() || is_understood(value) {
                return;
            }
            left_out(key);
        };
        let flag =
            |value: &Value| value.as_bool().or(value.as_u64().filter(|&bit| bit < 2).map(|bit| bit == 1));
        let color = channel["color"].as_str().and_then(ChannelLook::parse_color);
        let [start, end] = ["start", "end"].map(|end| channel["window"][end].as_f64());
        let window = start.zip(end).filter(|(start, end)| start < end && (end - start).is_finite());
        member("label", &Value::is_string);
        member("color", &|_| color.is_some());
        member("window", &|_| window.is_some());
        member("active", &|value| flag(value).is_some());
        member("inverted", &|value| flag(value).is_some());
        member("family", &|value| value == "linear");
        member("coefficient", &|value| value.as_f64() == Some(1.0));
        if !channel.is_object() {
            fields.push("omero.channels".to_owned());
        }
        let known = ["label", "color", "window", "active", "inverted", "family", "coefficient"];
        let members = channel.as_object().into_iter().flat_map(Map::keys);
        let others = members.filter(|key| !known.contains(&key.as_str()));
        fields.extend(others.map(|key| format!("omero.channels.{key}")));
        found.names.push(channel["label"].as_str().unwrap_or_default().to_owned());
        found.looks.push(ChannelLook::default().with(|look| {
            (look.color, look.window) = (color, window.map(|(start, end)| [start, end]));
            look.is_active = flag(&channel["active"]).unwrap_or(true);
            look.is_inverted = flag(&channel["inverted"]).unwrap_or(false);
        }));
    }
    found
}

impl OmeroChannels {
    /// Takes back what [`omero`] added, as `added` says, unless another program has changed it.
    pub fn take_back(&mut self, added: &Value) {
        let Some(added) = added.as_array().filter(|added| added.len() == self.looks.len()) else { return };
        let mut is_any = false;
        for (look, added) in self.looks.iter_mut().zip(added) {
            look.color = look.color.filter(|color| added["color"] != hex(*color));
            look.window = look.window.filter(|window| added["window"] != json!(window));
            is_any |= added["active"] != json!(true) || *look != ChannelLook::default();
        }
        if !is_any {
            self.looks.clear();
        }
    }
}

/// Returns a colour as OMERO writes it.
fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("{red:02X}{green:02X}{blue:02X}")
}

/// Returns `omero` with the names and looks of channels, and the colour and window that it requires. Without
/// a stated window, it is the range of the values, for which they are read, or of the type if they can be
/// read only once. The second value has, for each channel, the members that the volume does not state.
/// Returns none without names and looks, and for labels.
pub fn omero(volume: &mut OpenedVolume, task: &Task<'_>) -> Result<Option<[Value; 2]>, WriteError> {
    let (names, looks) = (volume.header.channel_names(), volume.header.channel_looks());
    let is_any = !names.is_empty() || !looks.is_empty();
    if !is_any || volume.header.kind == VoxelKind::Labels {
        return Ok(None);
    }
    let count = volume.header.channels;
    let has_windows = looks.len() == count && looks.iter().all(|look| look.window.is_some());
    let ranges = if has_windows { Vec::new() } else { ranges(volume, task)? };
    let of_type = type_range(volume.header.voxel_type);
    let channel = |index: usize| {
        let look = looks.get(index).copied().unwrap_or_default();
        let range = look.window.or_else(|| ranges.get(index).copied().flatten()).or(of_type);
        let [start, end] = range.unwrap_or([0.0, 1.0]);
        // Readers refuse empty windows.
        let end = if start < end { end } else { start + start.abs().max(1.0) };
        let [min, max] = of_type.unwrap_or([start, end]);
        let color = hex(look.color.unwrap_or_else(|| ChannelLook::default_color(index, count)));
        let mut added = json!({});
        if look.color.is_none() {
            added["color"] = json!(color);
        }
        if look.window.is_none() {
            added["window"] = json!([start, end]);
        }
        if looks.is_empty() {
            added["active"] = json!(true);
        }
        let mut channel = json!({
            "active": look.is_active,
            "color": color,
            "label": names.get(index).map_or("", String::as_str),
            "window": { "min": min, "max": max, "start": start, "end": end },
        });
        if look.is_inverted {
            channel["inverted"] = json!(true);
        }
        (channel, added)
    };
    let (channels, added): (Vec<_>, Vec<_>) = (0..count).map(channel).unzip();
    Ok(Some([json!({ "channels": channels }), Value::Array(added)]))
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

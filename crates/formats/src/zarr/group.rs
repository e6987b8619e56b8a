//! The volume of a Zarr folder or archive: an array, or the mip levels of an OME-Zarr group (0.1 to 0.5).

use super::{
    archive::Archive,
    array::ZarrArray,
    axes::{AxisText, Scale, axes_of, side_of},
    chunk_files::Entry,
    fault::fault,
    node::{Node, read_node},
    omero::{OmeroChannels, channels_of},
    reader::{ZarrReader, check_memory},
    store::Store,
};
use crate::{
    Axis, FormatError, GeometryFault, Note, OpenError, OpenedVolume, PartsNote, UnsupportedFeature,
    VolumeFormat, VolumeOpenOptions, ZarrFeature, check_orientation, header::parts_note::missing_units,
    millimetres, seconds,
};
use brickwork_base::Task;
use brickwork_volume::{
    ByteOrder, Dims, Header, ReadAt, Region, Selection, ShapeError, VoxelKind, VoxelStream,
};
use serde_json::{Map, Value, json};
use std::{
    cmp::Reverse,
    path::{Component, Path},
    sync::Arc,
};

/// Maximum number of mip levels: 2⁶⁴ voxels halve to one.
const MAX_LEVELS: usize = 64;

/// Maximum number of entries of an array's folder that are searched for a chunk.
const MAX_ENTRIES: usize = 1 << 20;

/// Names of the axes of OME-Zarr 0.1 and 0.2, which do not state them.
const OLD_AXES: [&str; 5] = ["t", "c", "z", "y", "x"];

/// Properties that a group states for all of its levels.
#[derive(Default)]
pub struct Described {
    /// Texts of the axes; `None` for an array without a group.
    axes: Option<Vec<AxisText>>,
    /// Transformations after those of a level.
    transformations: Value,
    kind: VoxelKind,
    /// Metadata of the volume, as this program writes them.
    metadata: Map<String, Value>,
    orientation: Option<[f64; 9]>,
    name: Option<String>,
    channels: OmeroChannels,
    notes: Vec<Note>,
}

/// Opens the array or the levels of the group at `path`: the volume itself, and smaller mip levels. Reads
/// metadata only, and uses no threads. Chunks of other channels than the chosen one are not read.
///
/// # Errors
/// [`OpenError`].
pub fn open_zarr_levels(
    path: &Path,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<(OpenedVolume, Vec<OpenedVolume>), OpenError> {
    open_store(&Store::open(path, options.max_memory, task)?, path, options, task)
}

/// Opens the array or the levels of the group in an archive that came from a pipe.
///
/// # Errors
/// [`OpenError`].
pub fn open_levels_of_bytes(
    bytes: impl ReadAt + 'static,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<(OpenedVolume, Vec<OpenedVolume>), OpenError> {
    let archive = Archive::open(Box::new(bytes), options.max_memory, task)?;
    let (mut first, mut smaller) =
        open_store(&Store::Archive(Arc::new(archive)), Path::new(""), options, task)?;
    first.files.clear();
    smaller.iter_mut().for_each(|level| level.files.clear());
    Ok((first, smaller))
}

fn open_store(
    store: &Store,
    path: &Path,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<(OpenedVolume, Vec<OpenedVolume>), OpenError> {
    let (arrays, described) = read_levels(store)?;
    let mut volumes = Vec::new();
    let sides: Vec<Vec<u64>> = arrays.iter().map(|(array, _)| array.shape.clone()).collect();
    for (level, (array, transformations)) in arrays.into_iter().enumerate() {
        // The chunks of other levels may be larger. Reading them checks this.
        if level == options.mip_level {
            check_memory(&array, options.max_memory)?;
        }
        let volume = volume(path, Arc::new(array), &transformations, &described, &sides, options, task)?;
        volumes.push(volume);
    }
    let smaller = volumes.split_off(1.min(volumes.len()));
    let Some(mut first) = volumes.pop() else {
        return Err(fault("zarr.json", "multiscales has no datasets").into());
    };
    let shape = |header: &Header| (header.voxel_type, header.channels, header.frames);
    if let Some(level) = smaller.iter().position(|level| shape(&level.header) != shape(&first.header)) {
        let reason = format!("level {} differs from level 0 in type, channels or frames", level + 1);
        return Err(fault("multiscales", reason).into());
    }
    let of_smaller = smaller.iter().flat_map(|level| &level.notes);
    first.notes.extend(of_smaller.filter(|note| matches!(note, Note::NoChunks { .. })).cloned());
    Ok((first, smaller))
}

/// Returns the arrays of a store with their transformations, the volume itself first, and what the store
/// states about all of them.
///
/// # Errors
/// [`FormatError`].
pub fn read_levels(store: &Store) -> Result<(Vec<(ZarrArray, Value)>, Described), FormatError> {
    let attributes = match read_node(store, "")? {
        None => return Err(fault("zarr.json", "is missing; there is no .zarray or .zgroup either")),
        Some(Node::Array(array)) => return Ok((vec![(*array, Value::Null)], Described::default())),
        Some(Node::Group(attributes)) => attributes,
    };
    let ome = attributes.get("ome").and_then(Value::as_object).unwrap_or(&attributes);
    let scales = ome.get("multiscales").and_then(Value::as_array).filter(|scales| !scales.is_empty());
    let Some(scales) = scales else {
        let members = store.folders()?.join(", ");
        return Err(ZarrFeature::Group(super::array::short(&members)).into());
    };
    let scale = &scales[0];
    let mut fields = Vec::new();
    let channels = ome.get("omero").map(|omero| channels_of(omero, &mut fields)).unwrap_or_default();
    let mut described = Described {
        axes: Some(match &scale["axes"] {
            Value::Array(axes) => axes.iter().map(AxisText::of_json).collect(),
            Value::Null => OLD_AXES.iter().map(|name| AxisText::named(Some((*name).to_owned()))).collect(),
            _ => return Err(fault("multiscales", "axes is not a list")),
        }),
        transformations: scale["coordinateTransformations"].clone(),
        name: scale["name"].as_str().map(str::to_owned),
        channels,
        notes: notes(&attributes, ome, scales, fields),
        ..Described::default()
    };
    if ome.contains_key("image-label") {
        described.kind = VoxelKind::Labels;
    }
    described.add_own(&attributes)?;
    let datasets = scale["datasets"].as_array().map_or(&[][..], Vec::as_slice);
    if datasets.len() > MAX_LEVELS {
        return Err(fault("multiscales", format!("{} datasets, more than {MAX_LEVELS}", datasets.len())));
    }
    let mut arrays = Vec::new();
    for dataset in datasets {
        let path = dataset["path"].as_str().unwrap_or_default();
        let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if path.is_empty() || !is_inside {
            let reason = format!("the path {:?} of a dataset is not allowed", super::array::short(path));
            return Err(fault("multiscales", reason));
        }
        let prefix = format!("{}/", path.trim_end_matches('/'));
        let node = read_node(store, &prefix).map_err(|error| of_array(&prefix, error))?;
        let Some(Node::Array(array)) = node else {
            return Err(fault(path, "is a dataset of multiscales, but not an array"));
        };
        arrays.push((*array, dataset["coordinateTransformations"].clone()));
    }
    let voxels = |(array, _): &(ZarrArray, Value)| {
        Reverse(array.shape.iter().fold(1, |count: u128, &side| count.saturating_mul(side.into())))
    };
    if !arrays.is_sorted_by_key(voxels) {
        arrays.sort_by_key(voxels);
        described.notes.push(Note::Parts(PartsNote::LevelOrder));
    }
    Ok((arrays, described))
}

/// Returns the error with the path of an array of a group, if it is about a property of it.
fn of_array(prefix: &str, error: FormatError) -> FormatError {
    match error {
        FormatError::Unsupported(UnsupportedFeature::Zarr(feature)) if !prefix.is_empty() => {
            let array = super::array::short(prefix.trim_end_matches('/'));
            ZarrFeature::Array { array, feature: Box::new(feature) }.into()
        }
        error => error,
    }
}

/// Returns the notes on members of the attributes that are not read. `of_omero` are those of `omero`.
fn notes(
    attributes: &Map<String, Value>,
    ome: &Map<String, Value>,
    scales: &[Value],
    of_omero: Vec<String>,
) -> Vec<Note> {
    let known = ["ome", "brickwork", "multiscales", "image-label", "omero", "version", "_creator"];
    let known_of_scale = ["axes", "coordinateTransformations", "datasets", "name", "type", "version"];
    let is_known = |key: &&String| known.contains(&key.as_str());
    // Beside `ome`, only members of this program count.
    let is_beside =
        |key: &&String| !attributes.contains_key("ome") || !matches!(&***key, "omero" | "image-label");
    let own = attributes.keys().filter(|key| !(is_known(key) && is_beside(key)));
    let own = own.chain(ome.keys().filter(|key| !is_known(key)));
    let of_scale = scales[0].as_object().into_iter().flat_map(Map::keys);
    let of_scale = of_scale.filter(|key| !known_of_scale.contains(&key.as_str()));
    let mut fields: Vec<String> = own.chain(of_scale).cloned().chain(of_omero).collect();
    // Colours and properties of labels are not kept.
    let label = ome.get("image-label").and_then(Value::as_object);
    if label.is_some_and(|label| label.keys().any(|key| key != "version")) {
        fields.push("image-label".to_owned());
    }
    if scales.len() > 1 {
        fields.push(format!("multiscales after the first of {}", scales.len()));
    }
    fields.sort();
    fields.dedup();
    if fields.is_empty() { Vec::new() } else { vec![Note::FieldsNotKept { source: "OME-Zarr", fields }] }
}

impl Described {
    /// Adds what this program writes beside OME's metadata.
    fn add_own(&mut self, attributes: &Map<String, Value>) -> Result<(), FormatError> {
        let Some(own) = attributes.get("brickwork") else { return Ok(()) };
        let invalid = |text: &str| fault("zarr.json", format!("brickwork.{text}"));
        match own["kind"].as_str() {
            Some("labels") => self.kind = VoxelKind::Labels,
            Some("intensities") => {}
            None if own["kind"].is_null() => {}
            _ => return Err(invalid("kind is neither \"intensities\" nor \"labels\"")),
        }
        self.metadata = match &own["metadata"] {
            Value::Object(metadata) => metadata.clone(),
            Value::Null => Map::new(),
            _ => return Err(invalid("metadata is not an object")),
        };
        self.channels.take_back(&own["omero_added"]);
        if let Some(names) = own["channel_names"].as_array() {
            let name = |name: &Value| name.as_str().unwrap_or_default().to_owned();
            self.channels.names = names.iter().map(name).collect();
        }
        if !own["orientation"].is_null() {
            let numbers = own["orientation"].as_array().into_iter().flatten();
            let numbers: Option<Vec<f64>> = numbers.map(Value::as_f64).collect();
            let orientation = numbers.and_then(|numbers| <[f64; 9]>::try_from(numbers).ok());
            let orientation =
                orientation.ok_or_else(|| invalid("orientation has other values than 9 numbers"))?;
            check_orientation("brickwork.orientation", &orientation)?;
            self.orientation = Some(orientation);
        }
        Ok(())
    }
}

/// Returns the volume of an array. `levels` are the shapes of all levels.
fn volume(
    path: &Path,
    array: Arc<ZarrArray>,
    transformations: &Value,
    described: &Described,
    levels: &[Vec<u64>],
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let count = array.shape.len();
    let is_named = described.axes.is_some() || array.names.iter().any(Option::is_some);
    let texts = match (&described.axes, options.axes) {
        (_, Some(_)) if is_named => return Err(FormatError::NamedAxes),
        (Some(texts), _) => texts.clone(),
        (None, Some(order)) if order.axes().len() == count => {
            order.axes().iter().map(|axis| AxisText::named(Some(axis.letter().to_string()))).collect()
        }
        (None, Some(order)) => {
            let shape = array.shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(FormatError::AxisCount { order, shape: super::array::short(&shape) });
        }
        (None, None) => array.names.iter().cloned().map(AxisText::named).collect(),
    };
    if texts.len() != count {
        return Err(fault("multiscales", format!("{} axes for an array of {count}", texts.len())));
    }
    let axes = axes_of(&texts, &array.shape).map_err(|feature| of_array(&array.prefix, feature.into()))?;
    let side = |axis| usize::try_from(side_of(&axes, &array.shape, axis)).unwrap_or(usize::MAX);
    let mut header = Header::new(array.voxel_type, Dims::new(side(Axis::X), side(Axis::Y), side(Axis::Z)));
    (header.channels, header.frames) = (side(Axis::Channel), side(Axis::Frame));
    header.raw_bytes()?;
    let mut notes = described.notes.clone();
    if !array.attributes.is_empty() {
        notes.push(Note::FieldsNotKept { source: "Zarr", fields: array.attributes.clone() });
    }
    if !has_chunks(&array, task)? {
        notes.push(Note::NoChunks { array: array.metadata_key() });
    }
    let mut scale = Scale::identity(count);
    scale.apply("multiscales", transformations)?;
    scale.apply("multiscales", &described.transformations)?;
    place(&mut header, &axes, &texts, &scale, &mut notes)?;
    header.kind = described.kind;
    header.orientation = described.orientation.unwrap_or(header.orientation);
    header.metadata = metadata(&array, &texts, described, levels);
    let OmeroChannels { names, looks } = &described.channels;
    if [names.len(), looks.len()].iter().all(|&count| count == header.channels || count == 0) {
        header = header.with_channels("zarr", names, looks);
    } else {
        let count = if looks.len() == header.channels { names.len() } else { looks.len() };
        let field = format!("omero.channels (of {count} channels, not {})", header.channels);
        notes.push(Note::FieldsNotKept { source: "OME-Zarr", fields: vec![field] });
    }
    let mut channels = 0..header.channels as u64;
    if let Some(index) = options.channel {
        if index >= header.channels {
            return Err(ShapeError::Selected { what: "channel", index, count: header.channels }.into());
        }
        channels = index as u64..index as u64 + 1;
        let selection = Selection { channel: Some(index), ..Selection::default() };
        header = header.of_part(&selection, &Region::all(header.dims));
    }
    let reader = ZarrReader::new(Arc::clone(&array), (axes, channels), &header, options.max_memory, task);
    Ok(OpenedVolume {
        format: VolumeFormat::Zarr,
        header,
        order: ByteOrder::NATIVE,
        voxels: VoxelStream::Rewindable(Box::new(reader)),
        files: vec![path.to_owned()],
        notes,
    })
}

/// True if the file of a chunk exists, or if the search for one has no result.
fn has_chunks(array: &ZarrArray, task: &Task<'_>) -> Result<bool, FormatError> {
    // Folders that cannot be listed may have files that can be read.
    let Ok(files) = array.files() else { return Ok(true) };
    for (count, entry) in files.enumerate() {
        task.check()?;
        if count == MAX_ENTRIES || !matches!(entry, Ok(Entry::Other(_))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sets spacing, origin and the time between frames.
fn place(
    header: &mut Header,
    axes: &[Axis],
    texts: &[AxisText],
    scale: &Scale,
    notes: &mut Vec<Note>,
) -> Result<(), FormatError> {
    let refused = |number: f64, fault| FormatError::Geometry {
        field: "coordinateTransformations".to_owned(),
        value: number.to_string(),
        fault,
    };
    let of_space = axes.iter().zip(texts).filter(|(axis, _)| matches!(axis, Axis::X | Axis::Y | Axis::Z));
    let names = of_space.map(|(_, text)| (text.name.as_deref().unwrap_or("?"), text.unit.as_str()));
    notes.extend(missing_units("axes", &names.collect::<Vec<_>>()).map(Note::Parts));
    for (index, axis) in axes.iter().enumerate() {
        let (text, number) = (&texts[index], scale.scale[index]);
        let mut leave_out = |name: &str| {
            let fields = vec![format!("coordinateTransformations of {name}")];
            notes.push(Note::FieldsNotKept { source: "OME-Zarr", fields });
        };
        let is_moved = scale.translation[index] != 0.0;
        let (spacing, origin) = match axis {
            Axis::X => (&mut header.spacing.x, &mut header.origin[0]),
            Axis::Y => (&mut header.spacing.y, &mut header.origin[1]),
            Axis::Z => (&mut header.spacing.z, &mut header.origin[2]),
            Axis::Channel => {
                if is_moved || number != 1.0 {
                    leave_out("c");
                }
                continue;
            }
            Axis::Frame => {
                if is_moved || text.unit.is_empty() && number != 1.0 {
                    leave_out("t");
                }
                // Without a unit, the distance of frames is not known.
                match seconds(number, &text.unit) {
                    Some(_) if text.unit.is_empty() => {}
                    Some(time) if time >= 0.0 && time.is_finite() => header.frame_spacing = time,
                    Some(_) => return Err(refused(number, GeometryFault::Negative)),
                    None => notes.push(Note::UnknownUnit { field: "axes", unit: text.unit.clone() }),
                }
                continue;
            }
        };
        let length = |number| millimetres(number, &text.unit).unwrap_or(number);
        (*spacing, *origin) = (length(number), length(scale.translation[index]));
        if !(*spacing > 0.0 && spacing.is_normal()) {
            return Err(refused(number, GeometryFault::NotPositive));
        }
        if !origin.is_finite() {
            return Err(refused(scale.translation[index], GeometryFault::NotFinite));
        }
        let note = Note::UnknownUnit { field: "axes", unit: text.unit.clone() };
        if millimetres(number, &text.unit).is_none() && !notes.contains(&note) {
            notes.push(note);
        }
    }
    Ok(())
}

/// Returns the metadata of a volume as text, with a description of the array.
fn metadata(array: &ZarrArray, texts: &[AxisText], described: &Described, levels: &[Vec<u64>]) -> String {
    let axes: Vec<&str> = texts.iter().map(|axis| axis.name.as_deref().unwrap_or("?")).collect();
    let mut own = json!({
        "version": array.version,
        "axes": axes,
        "levels": levels,
        "chunk": array.chunk,
        "codecs": array.codecs,
        "sharded": array.shards.is_some(),
    });
    if let Some(name) = &described.name {
        own["name"] = json!(name);
    }
    let mut metadata = described.metadata.clone();
    metadata.insert("zarr".to_owned(), own);
    let mut metadata = Value::Object(metadata);
    metadata.sort_all_objects();
    metadata.to_string()
}

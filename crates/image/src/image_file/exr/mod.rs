//! OpenEXR, by the `exr` crate, block by block: the largest level of the part whose channels are most like a
//! picture.
//!
//! The picture is the display window. Texels outside the data window are black. Samples become half floats,
//! or single floats if these are to be kept; colours with other chromaticities are converted to Rec. 709.

mod channels;
#[cfg(test)]
mod tests;

use super::{
    ImageReadOptions,
    budget::{Budget, Layout},
    decoded::Decoded,
    failure::Failure,
    fault::ImageFault,
    feature::ImageFeature,
    halves::{Float, Halves},
    primaries::Primaries,
    tracked_reader::{BufReadSeek, TrackedReader},
    words::{one_line, plain},
};
use crate::AlphaProduct;
use crate::{ChannelType, ColorSpace};
use ::exr::{
    block::{
        UncompressedBlock,
        reader::{ChunksReader, Reader},
    },
    error::Error,
    math::Vec2,
    meta::{
        BlockDescription, MetaData,
        attribute::{EnvironmentMap, LevelMode, SampleType, TileDescription},
        compute_level_count,
        header::Header,
    },
};
use channels::{Selection, layer_names};
use half::f16;
use image::metadata::Orientation;
use std::{
    collections::HashSet,
    io::{self, Seek, SeekFrom},
};

/// Maximum number of texels per byte of the file. Uniform blocks compress to almost nothing.
const RATIO: u64 = 1 << 16;

/// Placement of the data window in the picture, which is the display window.
struct Window {
    /// Width and height of the picture.
    size: [u32; 2],
    /// Position of the data window's first texel in the picture.
    data_start: [i64; 2],
}

pub(super) fn decode(
    mut source: TrackedReader<'_>,
    options: &ImageReadOptions,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let reader = match ::exr::block::read(&mut source as &mut dyn BufReadSeek, false) {
        Ok(reader) => reader,
        Err(error @ Error::NotSupported(_)) => {
            return Err(subsampled(&mut source).unwrap_or_else(|| error.into()));
        }
        Err(error) => return Err(error.into()),
    };
    let headers = reader.headers();
    let (part, selection) = select(headers, options.exr_layer.as_deref())?;
    let header = headers[part].clone();
    let window = window(&header)?;
    let has_singles = !selection.is_of_halves(&header.channels);
    let is_single = options.single_floats && has_singles;
    let (layout, count) = match (selection.alpha.is_some(), is_single) {
        (false, false) => (Layout::RgbF16, 3),
        (true, false) => (Layout::RgbaF16, 4),
        (false, true) => (Layout::RgbF32, 3),
        (true, true) => (Layout::RgbaF32, 4),
    };
    check_memory(headers, &header, &window, layout, budget)?;
    let mut halves = Halves::default();
    let texels = budget.texels(window.size, layout, |bytes| {
        let targets = selection.targets(header.channels.list.len());
        for block in blocks(reader, part)? {
            let block = block?;
            if is_single {
                let texels = bytemuck::cast_slice_mut::<_, f32>(bytes);
                write_block(&block, &header, &targets, &window, texels, count, &mut halves)?;
            } else {
                let texels = bytemuck::cast_slice_mut::<_, f16>(bytes);
                write_block(&block, &header, &targets, &window, texels, count, &mut halves)?;
            }
        }
        Ok(())
    })?;
    let mut notes = [selection.notes, window.notes(&header)].concat();
    let mut decoded = Decoded::new(
        window.size,
        texels,
        layout.has_alpha(),
        Orientation::NoTransforms,
        (ColorSpace::Linear, "EXR is linear".to_owned()),
    );
    decoded.halves = halves;
    if has_singles {
        decoded.stored_type = ChannelType::F32;
    }
    if let Some(stated) = header.shared_attributes.chromaticities {
        let point = |v: Vec2<f32>| [v.0, v.1].map(f64::from);
        let primaries = Primaries {
            red: point(stated.red),
            green: point(stated.green),
            blue: point(stated.blue),
            white: point(stated.white),
        };
        if selection.is_color {
            notes.extend(decoded.convert(&primaries));
        }
    }
    if header.own_attributes.environment_map == Some(EnvironmentMap::Cube) {
        notes.push("the cube map is read as one picture of six faces, one above another".to_owned());
    }
    // OpenEXR's colours are products of alpha.
    let premultiplied = layout.has_alpha().then_some(AlphaProduct::Stored);
    Ok(Decoded { premultiplied, notes, ..decoded })
}

/// Returns a short description of the part and level that are read; `None` if the file has only one.
pub(super) fn part(source: &mut dyn BufReadSeek, layer: Option<&str>) -> io::Result<Option<String>> {
    let meta = MetaData::read_from_buffered(source, false).map_err(io::Error::other)?;
    let (part, _) = select(&meta.headers, layer).map_err(|_| io::ErrorKind::InvalidData)?;
    let header = &meta.headers[part];
    let count = |tiles: TileDescription, side| compute_level_count(tiles.rounding_mode, side) as u64;
    let [width, height] = [header.layer_size.width(), header.layer_size.height()];
    let levels = match header.blocks {
        BlockDescription::Tiles(tiles) => match tiles.level_mode {
            LevelMode::Singular => None,
            LevelMode::MipMap => Some((count(tiles, width.max(height)), "mip levels")),
            LevelMode::RipMap => Some((count(tiles, width) * count(tiles, height), "ripmap levels")),
        },
        BlockDescription::ScanLines => None,
    };
    let part = (part as u64 + 1, meta.headers.len() as u64);
    Ok(in_words(part, levels.filter(|&(count, _)| count > 1)))
}

/// Returns the words for a part, counted from 1, of a number of parts, and its levels.
fn in_words((part, part_count): (u64, u64), levels: Option<(u64, &str)>) -> Option<String> {
    let levels = levels.map(|(count, noun)| format!("{count} {noun}"));
    match (part_count, part, levels) {
        (..=1, _, levels) => levels.map(|levels| format!("the first of {levels}")),
        (_, 1, None) => Some(format!("the first of {part_count} parts")),
        (_, 1, Some(levels)) => Some(format!("the first of {part_count} parts, {levels}")),
        (_, _, None) => Some(format!("part {part} of {part_count}")),
        (_, _, Some(levels)) => Some(format!("part {part} of {part_count}, the first of {levels}")),
    }
}

/// Returns the failure for a file with subsampled channels, which the crate refuses without their names;
/// `None` if there are none.
fn subsampled(source: &mut TrackedReader<'_>) -> Option<Failure> {
    source.seek(SeekFrom::Start(0)).ok()?;
    let meta = MetaData::read_from_buffered(source as &mut dyn BufReadSeek, false).ok()?;
    let channels = meta.headers.iter().flat_map(|header| &header.channels.list);
    let channels: Vec<_> = channels
        .filter(|channel| channel.sampling != Vec2(1, 1))
        .map(|channel| (channel.name.to_string(), [channel.sampling.0, channel.sampling.1]))
        .collect();
    (!channels.is_empty()).then_some(Failure::Unsupported(ImageFeature::Subsampled { channels }))
}

/// Returns the part whose channels have the highest rank, the first of several, with these channels. Only
/// those with the wanted name count.
fn select(headers: &[Header], wanted: Option<&str>) -> Result<(usize, Selection), Failure> {
    let mut first_failure = None;
    let mut best: Option<(usize, Selection)> = None;
    let has_parts = headers.len() > 1;
    for (part, header) in headers.iter().enumerate() {
        let name = part_name(header);
        let selected = match Selection::of(&header.channels, has_parts.then_some(&name), wanted) {
            Ok(None) => continue,
            Ok(Some(_)) | Err(_) if header.deep => Err(Failure::Unsupported(ImageFeature::Deep)),
            Ok(Some(selection)) => Ok(selection),
            Err(failure) => Err(failure),
        };
        match selected {
            Ok(mut selection) => {
                if has_parts && !name.is_empty() {
                    selection.notes.insert(0, format!("the part {} is read", one_line(&name)));
                }
                if best.as_ref().is_none_or(|(_, other)| selection.rank > other.rank) {
                    best = Some((part, selection));
                }
            }
            Err(failure) => first_failure = first_failure.or(Some(failure)),
        }
    }
    let none = || match wanted {
        None => Failure::Malformed(ImageFault::NoPart),
        Some(wanted) => no_layer(headers, wanted),
    };
    best.ok_or_else(|| first_failure.unwrap_or_else(none))
}

/// Returns a part's name; empty if it has none.
fn part_name(header: &Header) -> String {
    header.own_attributes.layer_name.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// Returns the failure for a layer that no part has.
fn no_layer(headers: &[Header], wanted: &str) -> Failure {
    let parts = headers.iter().map(|header| one_line(&part_name(header)));
    let parts = parts.filter(|name| headers.len() > 1 && !name.is_empty());
    let mut found: Vec<_> =
        parts.chain(headers.iter().flat_map(|header| layer_names(&header.channels))).collect();
    let mut known = HashSet::new();
    found.retain(|name| known.insert(name.clone()));
    Failure::Unsupported(ImageFeature::Layer { name: wanted.to_owned(), found })
}

/// Returns the picture's size and the data window's place.
fn window(header: &Header) -> Result<Window, Failure> {
    let display = header.shared_attributes.display_window;
    let side = |side: usize| u32::try_from(side).map_err(|_| Failure::Malformed(ImageFault::Side(side)));
    let size = [side(display.size.0)?, side(display.size.1)?];
    let data = header.own_attributes.layer_position;
    let start = |data: i32, display: i32| i64::from(data) - i64::from(display);
    Ok(Window { size, data_start: [start(data.0, display.position.0), start(data.1, display.position.1)] })
}

impl Window {
    /// Returns a note if the data window is not the display window.
    fn notes(&self, header: &Header) -> Vec<String> {
        let [width, height] = [header.layer_size.0, header.layer_size.1];
        let [x, y] = self.data_start;
        if [x, y] == [0, 0] && [width, height] == self.size.map(|side| side as usize) {
            return Vec::new();
        }
        vec![format!(
            "the data window has {width}×{height} texels from {x}, {y} on; the display window is read"
        )]
    }
}

/// Checks the memory limit and the length of the file.
fn check_memory(
    headers: &[Header],
    header: &Header,
    window: &Window,
    layout: Layout,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    let chunks = headers.iter().fold(0u64, |sum, header| sum.saturating_add(header.chunk_count as u64));
    if chunks.saturating_mul(8) > budget.file_bytes {
        return Err(Failure::Malformed(ImageFault::ChunkTable));
    }
    let texel_bytes = header.channels.bytes_per_pixel as u64;
    let data_texels = (header.layer_size.0 as u64).saturating_mul(header.layer_size.1 as u64);
    let data_bytes = data_texels.saturating_mul(texel_bytes);
    // A compressed block, its bytes, and the decoder's copy.
    let block_bytes = (header.max_block_byte_size() as u64).min(data_bytes).saturating_mul(3);
    let bytes = budget.texel_bytes(window.size, layout, block_bytes.saturating_add(chunks * 16))?;
    // A display window may be far larger than the data.
    budget.check_plausible(window.size, bytes, bytes, RATIO)?;
    let [width, height] = [header.layer_size.0, header.layer_size.1].map(|side| side as u32);
    budget.check_plausible([width, height], bytes.max(data_bytes), data_bytes, RATIO)
}

/// Returns the blocks of the largest level of a part.
fn blocks(
    reader: Reader<&mut dyn BufReadSeek>,
    part: usize,
) -> Result<impl Iterator<Item = Result<UncompressedBlock, Error>>, Failure> {
    let chunks = reader
        .filter_chunks(false, |_, tile, block| block.layer == part && tile.level_index == Vec2(0, 0))?;
    Ok(chunks.sequential_decompressor(false))
}

/// Writes the samples of a block to the texels of the picture. `targets` has for each channel the places in a
/// texel, and `count` is the number of places.
fn write_block<C: Float>(
    block: &UncompressedBlock,
    header: &Header,
    targets: &[Vec<usize>],
    window: &Window,
    texels: &mut [C],
    count: usize,
    halves: &mut Halves,
) -> Result<(), Failure> {
    let [width, height] = window.size.map(i64::from);
    let mut samples = Vec::new();
    for line in block.lines(&header.channels) {
        let place = line.location;
        let places = &targets[place.channel];
        let y = place.position.1 as i64 + window.data_start[1];
        if places.is_empty() || !(0..height).contains(&y) {
            continue;
        }
        samples.clear();
        match header.channels.list[place.channel].sample_type {
            SampleType::F16 => {
                let values = line.value.as_chunks().0.iter().map(|&bytes| f16::from_ne_bytes(bytes));
                samples.extend(values.map(C::of_half));
            }
            SampleType::F32 => {
                let values = line.value.as_chunks().0.iter().map(|&bytes| f32::from_ne_bytes(bytes));
                samples.extend(values.map(|value| C::of_single(value, halves)));
            }
            SampleType::U32 => {
                let values = line.value.as_chunks().0.iter().map(|&bytes| u32::from_ne_bytes(bytes));
                samples.extend(values.map(|value| C::of_single(value as f32, halves)));
            }
        }
        let start = place.position.0 as i64 + window.data_start[0];
        for (i, &sample) in samples.iter().enumerate() {
            let x = start + i as i64;
            if (0..width).contains(&x) {
                let texel = (y * width + x) as usize * count;
                places.iter().for_each(|&target| texels[texel + target] = sample);
            }
        }
    }
    Ok(())
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => Self::Io(error),
            Error::NotSupported(reason) => Self::Unsupported(ImageFeature::Other(plain(&reason))),
            Error::Invalid(reason) => {
                Self::Malformed(ImageFault::Decoder(format!("invalid {}", plain(&reason))))
            }
            Error::Aborted => Self::Malformed(ImageFault::Decoder("the decoder stopped".to_owned())),
        }
    }
}

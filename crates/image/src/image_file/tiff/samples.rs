//! Texels that the `image` crate refuses, decoded strip by strip or tile by tile. They are grey and colours
//! of any depth up to 16 bits, grey with alpha, floating-point numbers, YCbCr, tiles of planes, tiles of LZW
//! that end outside the picture, grey and RGB beside other channels, and reversed bits.
//!
//! The `tiff` crate decodes grey of 1, 2, 4, 8 and 16 bits, and colours of 8 and 16 bits. It receives other
//! depths as rows of bytes. For this, the file is [`Patched`] to state grey of 8 bits, and as many texels as
//! a row has bytes.

use super::{
    super::{
        budget::{Budget, Layout},
        decoded::Decoded,
        failure::Failure,
        fault::ImageFault,
        feature::ImageFeature,
        halves::{Float, Halves},
        patched::{Patched, Reversal},
        tracked_reader::TrackedReader,
    },
    RATIO, Source, color_of,
    color_tags::YCbCr,
    directory::Directory,
    limits_of, open, unbuffered,
};
use crate::AlphaProduct;
use crate::ChannelType;
use ::tiff::{ColorType, decoder::Decoder};
use half::f16;

/// Storage and layout of samples.
struct Samples {
    size: [usize; 2],
    /// Texels in a row of a strip or tile.
    chunk_width: usize,
    /// Channels of a texel in the result.
    channels: usize,
    /// Channels of a texel in a row.
    row_channels: usize,
    /// Channels between the colours and alpha.
    channels_before_alpha: usize,
    bits: usize,
    is_planar: bool,
    /// True if 0 is white, and the decoder does not know it.
    is_inverted: bool,
    /// True if the decoder reads rows of bytes.
    is_as_bytes: bool,
}

pub(super) fn decode(
    source: TrackedReader<'_>,
    directory: &Directory,
    value_bytes: u64,
    keeps_singles: bool,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let (bits, spare_channels) = (directory.bits(), directory.spare_channels());
    let (packed, fields) = match directory.packed()? {
        Some(packed) => (Some(packed.color), packed.fields),
        None => {
            let patches = [directory.whole_width_patch(), directory.all_channels_patch()];
            (None, patches.into_iter().flatten().collect())
        }
    };
    let (Some(width), Some(height)) = (directory.width, directory.height) else {
        return Err(Failure::Malformed(ImageFault::NoSize));
    };
    let [width, height] = [width.value, height.value];
    let no_size = |_| Failure::Malformed(ImageFault::Size([width, height]));
    let size = [u32::try_from(width).map_err(no_size)?, u32::try_from(height).map_err(no_size)?];
    let source = Patched::new(source, fields);
    let reversal = source.reversal();
    let mut source = unbuffered(source);
    let mut decoder = open(&mut source, directory)?;
    let color = match packed {
        Some(color) => color,
        None if spare_channels > 0 => match (directory.is_grey(), directory.has_alpha()) {
            (false, false) => ColorType::RGB(bits as u8),
            (false, true) => ColorType::RGBA(bits as u8),
            (true, false) => ColorType::Gray(bits as u8),
            (true, true) => ColorType::Multiband { bit_depth: bits as u8, num_samples: 2 },
        },
        None => decoder.colortype()?,
    };
    let is_deep = bits > 8;
    let has_singles = directory.is_float() && bits > 16;
    let is_single = keeps_singles && has_singles;
    let [grey, grey_alpha, rgb_float, rgba_float] = match is_single {
        true => [Layout::GreyF32, Layout::GreyAlphaF32, Layout::RgbF32, Layout::RgbaF32],
        false => [Layout::GreyF16, Layout::GreyAlphaF16, Layout::RgbF16, Layout::RgbaF16],
    };
    let layout = match (color, is_deep) {
        (ColorType::Gray(_), _) if directory.is_float() => grey,
        (ColorType::Multiband { num_samples: 2, .. }, _) if directory.is_float() => grey_alpha,
        (ColorType::RGB(_), _) if directory.is_float() => rgb_float,
        (ColorType::RGBA(_), _) if directory.is_float() => rgba_float,
        (ColorType::Gray(_), false) => Layout::Grey8,
        (ColorType::Gray(_), true) => Layout::Grey16,
        (ColorType::Multiband { num_samples: 2, .. }, false) => Layout::GreyAlpha8,
        (ColorType::Multiband { num_samples: 2, .. }, true) => Layout::GreyAlpha16,
        (ColorType::RGB(_) | ColorType::YCbCr(_), false) => Layout::Rgb8,
        (ColorType::RGB(_), true) => Layout::Rgb16,
        (ColorType::RGBA(_), false) => Layout::Rgba8,
        (ColorType::RGBA(_), true) => Layout::Rgba16,
        _ => return Err(Failure::Unsupported(ImageFeature::OtherTexels)),
    };
    let channels = match layout {
        Layout::Grey8 | Layout::Grey16 | Layout::GreyF16 | Layout::GreyF32 => 1,
        Layout::GreyAlpha8 | Layout::GreyAlpha16 | Layout::GreyAlphaF16 | Layout::GreyAlphaF32 => 2,
        Layout::Rgb8 | Layout::Rgb16 | Layout::RgbF16 | Layout::RgbF32 => 3,
        Layout::Rgba8 | Layout::Rgba16 | Layout::RgbaF16 | Layout::RgbaF32 => 4,
    };
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    // Size of a strip or tile as it is stored, and as the JPEG decoder yields it.
    let stored_channels = channels as u64 + spare_channels;
    let unit_bytes = if packed.is_some() { 1 } else { stored_channels * bits.div_ceil(8).max(1) };
    let chunk_bytes =
        u64::from(chunk_width).saturating_mul(u64::from(chunk_height).min(height)).saturating_mul(unit_bytes);
    let extra = value_bytes.saturating_add(chunk_bytes.saturating_mul(2));
    let texel_bytes = budget.texel_bytes(size, layout, extra)?;
    let raw_bytes = width.saturating_mul(height).saturating_mul(bits * stored_channels) / 8;
    budget.check_plausible(size, texel_bytes, raw_bytes, RATIO)?;
    let mut decoder = decoder.with_limits(limits_of(budget.limit - texel_bytes));
    if directory.has_reversed_bits() {
        reverse_bits(&mut decoder, &reversal)?;
    }
    let file_color = color_of(&mut decoder, directory);
    if directory.tile_width.is_some_and(|tile| tile.value == 0) {
        return Err(Failure::Malformed(ImageFault::NoTileWidth));
    }
    let samples = Samples {
        size: [width as usize, height as usize],
        chunk_width: directory.tile_width.map_or(width, |tile| tile.value) as usize,
        channels,
        row_channels: if directory.is_planar() { 1 } else { stored_channels as usize },
        channels_before_alpha: directory.channels_before_alpha() as usize,
        bits: bits as usize,
        is_planar: directory.is_planar(),
        is_inverted: directory.is_inverted(),
        is_as_bytes: packed.is_some(),
    };
    // JPEG has its own coefficients, which the range of the tag does not change.
    let (ycbcr, ycbcr_note) = match (color, directory.is_jpeg()) {
        (ColorType::YCbCr(_), false) => directory.color_tags.ycbcr(),
        _ => (YCbCr::JPEG, None),
    };
    let mut halves = Halves::default();
    let texels = budget.texels(size, layout, |bytes| {
        if is_single {
            let single = |row: &[u8], i| samples.float::<f32>(row, i, &mut halves);
            samples.decode(&mut decoder, bytemuck::cast_slice_mut(bytes), single)?;
        } else if directory.is_float() {
            let half = |row: &[u8], i| samples.float::<f16>(row, i, &mut halves);
            samples.decode(&mut decoder, bytemuck::cast_slice_mut(bytes), half)?;
        } else if is_deep {
            samples.decode(&mut decoder, bytemuck::cast_slice_mut(bytes), |row, i| {
                samples.number(row, i, u16::MAX.into()) as u16
            })?;
        } else {
            samples.decode(&mut decoder, bytes, |row, i| samples.number(row, i, u8::MAX.into()) as u8)?;
            if matches!(color, ColorType::YCbCr(_)) {
                bytes.as_chunks_mut::<3>().0.iter_mut().for_each(|texel| *texel = ycbcr.rgb(*texel));
            }
        }
        Ok(())
    })?;
    let premultiplied = directory.is_premultiplied().then_some(AlphaProduct::Stored);
    let decoded = Decoded::new(size, texels, layout.has_alpha(), directory.orientation(), file_color);
    let stored_type = if has_singles { ChannelType::F32 } else { decoded.stored_type };
    let mut notes = match spare_channels {
        0 => Vec::new(),
        1 => vec!["a channel that is neither colour nor alpha is left out".to_owned()],
        count => vec![format!("{count} channels that are neither colour nor alpha are left out")],
    };
    notes.extend(ycbcr_note);
    Ok(Decoded { premultiplied, halves, stored_type, notes, ..decoded })
}

/// Reverses the bits of all strips or tiles.
pub(super) fn reverse_bits(decoder: &mut Decoder<Source<'_>>, reversal: &Reversal) -> Result<(), Failure> {
    use ::tiff::tags::Tag;
    let mut of = |tags: [Tag; 2]| -> Result<Vec<u64>, Failure> {
        for tag in tags {
            if let Some(values) = decoder.find_tag_unsigned_vec::<u64>(tag)? {
                return Ok(values);
            }
        }
        Err(Failure::Malformed(ImageFault::NoPlaces))
    };
    let starts = of([Tag::StripOffsets, Tag::TileOffsets])?;
    let lengths = of([Tag::StripByteCounts, Tag::TileByteCounts])?;
    let ranges = starts.into_iter().zip(lengths).map(|(start, length)| start..start.saturating_add(length));
    reversal.set(ranges.collect());
    Ok(())
}

impl Samples {
    /// Decodes all strips or tiles. `sample` returns a sample from a row and its place there.
    fn decode<C>(
        &self,
        decoder: &mut Decoder<Source<'_>>,
        target: &mut [C],
        mut sample: impl FnMut(&[u8], usize) -> C,
    ) -> Result<(), Failure> {
        let [width, height] = self.size;
        let chunk_height = decoder.chunk_dimensions().1 as usize;
        let across = width.div_ceil(self.chunk_width);
        let down = height.div_ceil(chunk_height);
        let planes = if self.is_planar { self.channels } else { 1 };
        let per_chunk = if self.is_planar { 1 } else { self.channels };
        let last_is_alpha = self.channels_before_alpha > 0;
        for chunk in 0..planes * across * down {
            let (plane, place) = (chunk / (across * down), chunk % (across * down));
            let is_alpha = last_is_alpha && self.is_planar && plane + 1 == planes;
            let spare_planes = if is_alpha { self.channels_before_alpha } else { 0 };
            let index = (plane + spare_planes) * across * down + place;
            let [left, top] = [place % across * self.chunk_width, place / across * chunk_height];
            let [columns, rows] = [self.chunk_width.min(width - left), chunk_height.min(height - top)];
            // `tiff` 0.11 treats tiles of the second and later planes as tiles inside the picture. Tiles at
            // the borders are therefore whole.
            let (stored_width, _) = decoder.chunk_data_dimensions(index as u32);
            let mut chunk = decoder.read_chunk(index as u32)?;
            let chunk = chunk.as_buffer(0);
            let texel_bits = self.bits * self.row_channels;
            let row_bits = stored_width as usize * if self.is_as_bytes { 8 } else { texel_bits };
            if row_bits < columns * texel_bits {
                return Err(Failure::Malformed(ImageFault::ShortChunk(index)));
            }
            let stored_rows = chunk.as_bytes().chunks_exact(row_bits.div_ceil(8));
            for (y, row) in stored_rows.take(rows).enumerate() {
                let start = ((top + y) * width + left) * self.channels + plane;
                let count = columns * per_chunk;
                let step = self.channels / per_chunk;
                for i in 0..count {
                    let mut spare = i / per_chunk * (self.row_channels - per_chunk);
                    if last_is_alpha && i % per_chunk + 1 == self.channels {
                        spare += self.channels_before_alpha;
                    }
                    target[start + i * step] = sample(row, i + spare);
                }
            }
        }
        Ok(())
    }

    /// Returns sample `i` of a row of floats.
    fn float<C: Float>(&self, row: &[u8], i: usize, halves: &mut Halves) -> C {
        if self.bits == 16 {
            return C::of_half(f16::from_ne_bytes([row[2 * i], row[2 * i + 1]]));
        }
        let at = 4 * i;
        C::of_single(f32::from_ne_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]), halves)
    }

    /// Returns sample `i` of a row of integers, scaled to 0 to `max`.
    fn number(&self, row: &[u8], i: usize, max: u32) -> u32 {
        let (value, stored_max) = match self.bits {
            8 => (row[i].into(), 255),
            16 => (u16::from_ne_bytes([row[2 * i], row[2 * i + 1]]).into(), 65535),
            bits => {
                let first = i * bits;
                let bit = |at: usize| u32::from(row[at / 8] >> (7 - at % 8) & 1);
                ((first..first + bits).fold(0, |value, at| value << 1 | bit(at)), (1 << bits) - 1)
            }
        };
        // Grey comes before alpha and other channels.
        let is_inverted = self.is_inverted && i.is_multiple_of(self.row_channels);
        let value = if is_inverted { stored_max - value } else { value };
        (value * max + stored_max / 2) / stored_max
    }
}

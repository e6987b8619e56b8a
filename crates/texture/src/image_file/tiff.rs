//! TIFF, through the `image` crate, after a look at the directory.
//!
//! The decoder keeps each value of a tag in 32 bytes and allocates for the count that the file claims, before
//! limits can be set. So the first directory is walked first (TIFF 6.0, section 2; BigTIFF widens its
//! fields).
//!
//! Neither the `image` crate nor the `tiff` crate beneath it supports palettes, but the latter decodes grey
//! of any depth, which is stored in the same way. So it is given a file that says grey ([`AsGrey`]), and the
//! indices it yields are looked up here.

use super::{
    budget::{Budget, Layout},
    color,
    decoded::Decoded,
    error::plain,
    failure::Failure,
    through_image,
    tracked_reader::TrackedReader,
};
use ::tiff::{
    ColorType, TiffError,
    decoder::Decoder,
    tags::{CompressionMethod, Tag},
};
use image::{ImageDecoder, Limits, codecs::tiff::TiffDecoder, metadata::Orientation};
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that a value of a tag may take: the decoder's 32, and its copy as a number.
const VALUE_BYTES: u64 = 64;

/// Texels that a byte may stand for: deflate makes up to 1032 bytes of one, Zstandard and fax codes more.
const RATIO: u64 = 1 << 16;

const BITS_PER_SAMPLE: u64 = 258;
const PHOTOMETRIC_INTERPRETATION: u64 = 262;
const SAMPLES_PER_PIXEL: u64 = 277;
const SAMPLE_FORMAT: u64 = 339;
const BLACK_IS_ZERO: u8 = 1;
const PALETTE: u64 = 3;

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let directory = Directory::scan(&mut source)?;
    let value_bytes = directory.greatest_value_count.saturating_mul(VALUE_BYTES);
    budget.check(value_bytes)?;
    source.seek(SeekFrom::Start(0))?;
    if let Some(at) = directory.palette_at {
        return decode_palette(AsGrey { source, at }, value_bytes, budget);
    }
    directory.check_texels()?;
    let mut decoder = TiffDecoder::new(source)?;
    let size = <[u32; 2]>::from(decoder.dimensions());
    let texel_bytes = u64::from(decoder.color_type().bytes_per_pixel());
    // The crate decodes into a buffer of its own before it copies; CMYK has one more channel there.
    let texel_count = u64::from(size[0]) * u64::from(size[1]);
    let own_bytes = texel_count.saturating_mul(texel_bytes + texel_bytes.div_ceil(3));
    let extra = own_bytes.saturating_add(value_bytes).saturating_add(through_image::rows(&decoder));
    through_image::check_plausible(&decoder, texel_bytes, RATIO, budget)?;
    let layout = through_image::layout(decoder.color_type())?;
    let texel_bytes = budget.texel_bytes(size, layout, extra)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(budget.limit - texel_bytes);
    decoder.set_limits(limits)?;
    through_image::decode_any(decoder, "TIFF", extra, budget, color::assumed("TIFF without ICC profile"))
}

/// Decodes indices of 1 to 16 bits into the last bytes of the texels and looks them up from the front, so
/// that no second copy is needed: a texel takes three bytes and its index at most two, so the front never
/// passes what is still to be read. (A row of indices that ends in unused bits takes at most one byte per
/// texel.)
fn decode_palette(source: AsGrey<'_>, value_bytes: u64, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let mut decoder = Decoder::new(source)?;
    let (width, height) = decoder.dimensions()?;
    let size = [width, height];
    let bits = match decoder.colortype()? {
        ColorType::Gray(bits @ (1 | 2 | 4 | 8 | 16)) => usize::from(bits),
        ColorType::Gray(bits) => {
            return Err(Failure::Unsupported(format!("palette indices of {bits} bits are not supported")));
        }
        _ => {
            return Err(Failure::Unsupported(
                "a palette with channels beside it is not supported".to_owned(),
            ));
        }
    };
    // Lossy indices would give wrong colours, and a JPEG stream has a size of its own.
    if decoder.find_tag_unsigned(Tag::Compression)? == Some(CompressionMethod::ModernJPEG.to_u16()) {
        return Err(Failure::Unsupported("a palette with JPEG compression is not supported".to_owned()));
    }
    let entry_count = 1 << bits;
    let map_bytes = 3 * entry_count as u64;
    let extra =
        value_bytes.saturating_add(map_bytes).saturating_add(u64::from(width) * through_image::ROW_BYTES);
    let texel_bytes = budget.texel_bytes(size, Layout::Rgb8, extra)?;
    let row_bytes = (u64::from(width) * bits as u64).div_ceil(8);
    budget.check_plausible(size, texel_bytes, row_bytes.saturating_mul(height.into()), RATIO)?;

    let left = usize::try_from(budget.limit - texel_bytes - map_bytes).unwrap_or(usize::MAX);
    let mut limits = ::tiff::decoder::Limits::default();
    (limits.decoding_buffer_size, limits.intermediate_buffer_size, limits.ifd_value_size) =
        (left, left, left);
    let mut decoder = decoder.with_limits(limits);
    let color = decoder
        .get_tag_u8_vec(Tag::IccProfile)
        .ok()
        .and_then(|profile| color::of_icc_profile("TIFF", &profile))
        .unwrap_or_else(|| color::assumed("TIFF without ICC profile"));
    // A damaged tag is no reason to refuse the picture.
    let orientation = decoder.find_tag(Tag::Orientation).ok().flatten();
    let orientation = orientation
        .and_then(|value| Orientation::from_exif(u8::try_from(value.into_u16().ok()?).ok()?))
        .unwrap_or(Orientation::NoTransforms);
    let map = color_map(&mut decoder, entry_count)?;

    let texels = budget.texels(size, Layout::Rgb8, |bytes| {
        let row_bytes = row_bytes as usize;
        let start = bytes.len() - row_bytes * height as usize;
        decoder.read_image_bytes(&mut bytes[start..])?;
        for y in 0..height as usize {
            let row = start + y * row_bytes;
            for x in 0..width as usize {
                let index = match bits {
                    16 => u16::from_ne_bytes([bytes[row + 2 * x], bytes[row + 2 * x + 1]]).into(),
                    _ => {
                        let bit = x * bits;
                        usize::from(bytes[row + bit / 8]) >> (8 - bits - bit % 8) & (entry_count - 1)
                    }
                };
                let at = 3 * (y * width as usize + x);
                bytes[at..at + 3].copy_from_slice(&map[index]);
            }
        }
        Ok(())
    })?;
    Ok(Decoded::new(size, texels, false, orientation, color))
}

/// The colours of the palette in 8 bits: the upper byte of each 16-bit value, because programs write 8-bit
/// values times 256 (Pillow) or times 257 (libtiff's tools), and rounding would darken what Pillow wrote. A
/// map in which no value takes more than 8 bits holds 8-bit values unscaled, as in libtiff (`checkcmap` in
/// `tif_getimage.c`).
fn color_map<R: Read + Seek>(decoder: &mut Decoder<R>, entry_count: usize) -> Result<Vec<[u8; 3]>, Failure> {
    let Some(values) = decoder.find_tag_unsigned_vec::<u16>(Tag::ColorMap)? else {
        return Err(Failure::Malformed("a palette without a colour map".to_owned()));
    };
    let (count, needed) = (values.len(), 3 * entry_count);
    if count != needed {
        let reason = format!("a colour map of {count} values where {needed} are needed");
        return Err(Failure::Malformed(reason));
    }
    let shift = if values.iter().all(|&value| value < 256) { 0 } else { 8 };
    let color = |i| [0, 1, 2].map(|channel| (values[channel * entry_count + i] >> shift) as u8);
    Ok((0..entry_count).map(color).collect())
}

/// What must be known about the first directory before it is decoded.
struct Directory {
    /// The largest number of values of any tag.
    greatest_value_count: u64,
    /// The offset of the byte that says palette, if there is one.
    palette_at: Option<u64>,
    /// Of the first channel.
    bits: u64,
    channels: u64,
    /// Of the first channel: 1 unsigned, 2 signed, 3 floating point, 5 and 6 complex.
    sample_format: u64,
}

impl Directory {
    /// Walks the directory; fails if the values of a tag cannot fit in the file.
    fn scan(source: &mut TrackedReader<'_>) -> Result<Self, Failure> {
        let header = bytes::<16>(source)?;
        let is_little = header[0] == b'I';
        let number = |bytes: &[u8]| {
            let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
            if is_little { bytes.iter().rev().fold(0, shift) } else { bytes.iter().fold(0, shift) }
        };
        let is_big = number(&header[2..4]) == 43;
        let directory = number(if is_big { &header[8..16] } else { &header[4..8] });
        let seek_error = |_| Failure::Malformed("the directory lies outside the file".to_owned());
        source.seek(SeekFrom::Start(directory)).map_err(seek_error)?;
        let entry_count = if is_big { number(&bytes::<8>(source)?) } else { number(&bytes::<2>(source)?) };
        let file_bytes = source.length();
        let outside = || Failure::Malformed("a tag has more values than the file has bytes".to_owned());
        if entry_count > file_bytes / 12 {
            return Err(outside());
        }
        let (bits, channels, sample_format) = (1, 1, 1);
        let mut found =
            Self { greatest_value_count: entry_count, palette_at: None, bits, channels, sample_format };
        for _ in 0..entry_count {
            // Tag, type, count, value.
            let mut entry = [0; 20];
            let (entry, value_at) = if is_big { (&mut entry[..], 12) } else { (&mut entry[..12], 8) };
            let entry_at = source.position();
            source.read_exact(entry)?;
            let (kind, count) = (number(&entry[2..4]), number(&entry[4..value_at]));
            let value_bytes = match kind {
                3 | 8 => 2,
                4 | 9 | 11 | 13 => 4,
                5 | 10 | 12 | 16..=18 => 8,
                _ => 1,
            };
            if count.saturating_mul(value_bytes) > file_bytes {
                return Err(outside());
            }
            found.greatest_value_count = found.greatest_value_count.max(count);
            // Values that fit their field are stored in it, at the front; else it says where they are.
            let field = &entry[value_at..];
            let Some(value) = field.get(..value_bytes as usize) else { continue };
            let mut first = number(value);
            if count * value_bytes > field.len() as u64 && number(&entry[..2]) != PHOTOMETRIC_INTERPRETATION {
                let after = source.position();
                source.seek(SeekFrom::Start(number(field)))?;
                // What lies outside the file is found by whoever needs it.
                first = bytes::<2>(source).map_or(0, |value| number(&value));
                source.seek(SeekFrom::Start(after))?;
            }
            match number(&entry[..2]) {
                BITS_PER_SAMPLE => found.bits = first,
                SAMPLES_PER_PIXEL => found.channels = first,
                SAMPLE_FORMAT => found.sample_format = first,
                _ => {}
            }
            if number(&entry[..2]) == PHOTOMETRIC_INTERPRETATION && count == 1 && number(value) == PALETTE {
                let last = if is_little { 0 } else { value_bytes - 1 };
                found.palette_at = Some(entry_at + value_at as u64 + last);
            }
        }
        Ok(found)
    }

    /// Refuses, in words, what the decoder would refuse by the names of its types.
    fn check_texels(&self) -> Result<(), Failure> {
        let kind = match self.sample_format {
            2 => "signed integers",
            3 => "floating-point numbers",
            5 | 6 => "complex numbers",
            _ if self.bits > 16 => "integers",
            _ if matches!(self.channels, 2 | 6..) => {
                return Err(Failure::Unsupported(format!("{} channels are not supported", self.channels)));
            }
            _ => return Ok(()),
        };
        Err(Failure::Unsupported(format!("texels of {}-bit {kind} are not supported", self.bits)))
    }
}

/// A file in which the byte at `at`, which says palette, says grey.
struct AsGrey<'a> {
    source: TrackedReader<'a>,
    at: u64,
}

impl Read for AsGrey<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = self.source.position();
        let count = self.source.read(buffer)?;
        if (start..start + count as u64).contains(&self.at) {
            buffer[(self.at - start) as usize] = BLACK_IS_ZERO;
        }
        Ok(count)
    }
}

impl Seek for AsGrey<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}

impl From<TiffError> for Failure {
    fn from(error: TiffError) -> Self {
        match error {
            TiffError::IoError(error) => Self::Io(error),
            TiffError::LimitsExceeded => Self::Limit(None),
            TiffError::UnsupportedError(error) => Self::Unsupported(plain(&error.to_string())),
            other => Self::Malformed(plain(&other.to_string())),
        }
    }
}

fn bytes<const N: usize>(source: &mut TrackedReader<'_>) -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

//! Tags of a directory that must be known before its texels are decoded.

use super::super::patched::Patch;
use super::super::{
    exif, failure::Failure, fault::ImageFault, feature::ImageFeature, tracked_reader::TrackedReader,
};
use super::{
    color_tags::ColorTags,
    numbers::{bytes, number, numbers_at},
};
use image::metadata::Orientation;
use std::io::{Read, Seek, SeekFrom};

/// Maximum number of directories that are searched for one that is not a thumbnail.
const MAX_DIRECTORIES: usize = 64;

/// Maximum number of channels of a texel that is read.
const MAX_CHANNELS: u64 = 4;

/// Maximum number of channels of a texel of which only grey, and possibly alpha, is read.
const MAX_GREY_CHANNELS: u64 = 5;

const BITS_PER_SAMPLE: u64 = 258;
pub(super) const WHITE_IS_ZERO: u64 = 0;
pub(super) const BLACK_IS_ZERO: u64 = 1;
pub(super) const RGB: u64 = 2;
pub(super) const PALETTE: u64 = 3;
/// Separated inks: cyan, magenta, yellow and black, unless `InkSet` states others.
const CMYK: u64 = 5;
/// `InkSet` of other inks than those of CMYK.
const OTHER_INKS: u64 = 2;
const EXTRA_SAMPLES: u64 = 338;
/// `Compression` by LZW.
const LZW: u64 = 5;
pub(super) const YCBCR: u64 = 6;
pub(super) const JPEG: u64 = 7;
const ICC_PROFILE: u64 = 34_675;
/// `SampleFormat` of floating-point numbers.
pub(super) const FLOAT: u64 = 3;

/// Value of a tag, and position of its field.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub value: u64,
    at: u64,
    /// Size of a value in bytes.
    bytes: usize,
    /// Position and size of the number of values. The value follows, or its position.
    count: (u64, usize),
}

/// The first directory that is not a thumbnail, else the first one.
#[derive(Default)]
pub(super) struct Directory {
    /// The largest number of values of any tag.
    pub greatest_value_count: u64,
    /// Index of the directory in the file.
    pub index: usize,
    is_little: bool,
    /// True if there is an ICC profile.
    pub has_profile: bool,
    /// True if the channels differ in their bits per sample.
    pub has_mixed_bits: bool,
    pub width: Option<Field>,
    pub height: Option<Field>,
    pub tile_width: Option<Field>,
    /// Bits per sample of the first channel.
    pub bits: Option<Field>,
    pub photometric: Option<Field>,
    pub channels: Option<Field>,
    sample_format: Option<Field>,
    compression: Option<Field>,
    fill_order: Option<Field>,
    planes: Option<Field>,
    predictor: Option<Field>,
    /// The first kind of alpha among the extra samples, else the first sample's kind.
    pub extra_samples: Option<Field>,
    /// Number of extra samples before alpha.
    alpha_index: u64,
    ink_set: Option<Field>,
    /// Tags of colours.
    pub color_tags: ColorTags,
    orientation: Option<Field>,
    subfile_type: Option<Field>,
}

impl Directory {
    /// Walks the directories up to the first that is not a thumbnail. Fails if the values of a tag cannot fit
    /// in the file.
    pub fn scan(source: &mut TrackedReader<'_>) -> Result<Self, Failure> {
        let header = bytes::<16>(source)?;
        let is_little = header[0] == b'I';
        let is_big = number(is_little, &header[2..4]) == 43;
        let mut at = number(is_little, if is_big { &header[8..16] } else { &header[4..8] });
        let mut first = None;
        let mut greatest_value_count = 0;
        for index in 0..MAX_DIRECTORIES {
            let (mut directory, next) = Self::read(source, at, is_little, is_big)?;
            directory.index = index;
            greatest_value_count = directory.greatest_value_count.max(greatest_value_count);
            directory.greatest_value_count = greatest_value_count;
            if !directory.is_thumbnail() {
                return Ok(directory);
            }
            first.get_or_insert(directory);
            if next == 0 {
                break;
            }
            at = next;
        }
        first.ok_or(Failure::Malformed(ImageFault::NoDirectory))
    }

    /// Reads the directory at `at`. Also returns the position of the next one.
    fn read(
        source: &mut TrackedReader<'_>,
        at: u64,
        is_little: bool,
        is_big: bool,
    ) -> Result<(Self, u64), Failure> {
        let number = |bytes: &[u8]| number(is_little, bytes);
        let seek_error = |_| Failure::Malformed(ImageFault::DirectoryOutside);
        source.seek(SeekFrom::Start(at)).map_err(seek_error)?;
        let entry_count = if is_big { number(&bytes::<8>(source)?) } else { number(&bytes::<2>(source)?) };
        let file_bytes = source.length();
        let outside = || Failure::Malformed(ImageFault::ManyValues);
        if entry_count > file_bytes / 12 {
            return Err(outside());
        }
        let mut found = Self { greatest_value_count: entry_count, is_little, ..Self::default() };
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
            let tag = number(&entry[..2]);
            found.has_profile |= tag == ICC_PROFILE;
            if let Some(needed) = ColorTags::value_count(tag) {
                let after = source.position();
                let field = &entry[value_at..];
                let is_inside = count * value_bytes <= field.len() as u64;
                let at = if is_inside { entry_at + value_at as u64 } else { number(field) };
                let values = (count == needed).then(|| numbers_at(source, is_little, at, kind, count));
                found.color_tags.set(tag, &values.flatten().unwrap_or_default());
                source.seek(SeekFrom::Start(after))?;
            }
            if found.target(tag).is_none() {
                continue;
            }
            // Values that fit into their field are stored at its front. Otherwise, the field contains their
            // position.
            let field = &entry[value_at..];
            let Some(value) = field.get(..value_bytes as usize) else { continue };
            let (mut value, mut at) = (number(value), entry_at + value_at as u64);
            let after = source.position();
            if count * value_bytes > field.len() as u64 {
                at = number(field);
                source.seek(SeekFrom::Start(at))?;
                // The user of the value detects a position outside the file.
                value = bytes::<2>(source).map_or(0, |value| number(&value));
            }
            if tag == BITS_PER_SAMPLE && count > 1 {
                source.seek(SeekFrom::Start(at))?;
                let is_like_first = |_| bytes::<2>(source).is_ok_and(|bits| number(&bits) == value);
                let is_read = value_bytes == 2 && count <= MAX_CHANNELS;
                found.has_mixed_bits = !is_read || !(0..count).all(is_like_first);
            }
            if tag == EXTRA_SAMPLES && count > 1 {
                // Texels with more channels are refused.
                let count = count.min(MAX_GREY_CHANNELS);
                let samples = numbers_at(source, is_little, at, kind, count).unwrap_or_default();
                let alpha = samples.iter().position(|&sample| sample == 1.0 || sample == 2.0);
                if let Some(index) = alpha {
                    (value, found.alpha_index) = (samples[index] as u64, index as u64);
                }
            }
            source.seek(SeekFrom::Start(after))?;
            let count = (entry_at + 4, value_at - 4);
            let field = Field { value, at, bytes: value_bytes as usize, count };
            found.target(tag).into_iter().for_each(|target| *target = Some(field));
        }
        let next = if is_big {
            bytes::<8>(source).map_or(0, |next| number(&next))
        } else {
            bytes::<4>(source).map_or(0, |next| number(&next))
        };
        Ok((found, next))
    }

    /// Returns the field for a tag.
    fn target(&mut self, tag: u64) -> Option<&mut Option<Field>> {
        Some(match tag {
            254 => &mut self.subfile_type,
            256 => &mut self.width,
            257 => &mut self.height,
            BITS_PER_SAMPLE => &mut self.bits,
            259 => &mut self.compression,
            262 => &mut self.photometric,
            266 => &mut self.fill_order,
            exif::ORIENTATION => &mut self.orientation,
            277 => &mut self.channels,
            284 => &mut self.planes,
            317 => &mut self.predictor,
            322 => &mut self.tile_width,
            332 => &mut self.ink_set,
            EXTRA_SAMPLES => &mut self.extra_samples,
            339 => &mut self.sample_format,
            _ => return None,
        })
    }

    /// Returns the bytes of a row of a tile; 0 without tiles.
    pub fn tile_row_bytes(&self) -> u64 {
        let width = value(self.tile_width, 0);
        width.saturating_mul(self.bits()).saturating_mul(value(self.channels, 1)).div_ceil(8)
    }

    /// Returns the width of whole tiles of LZW, if the last ones end outside the picture; else `None`.
    ///
    /// The `tiff` crate (0.11) reads tiles that end outside row by row, others at once. At the end of LZW
    /// data, a short read of weezl (0.1) yields bytes, but reports that it made no progress. The `tiff` crate
    /// takes this for the end of the file. It therefore receives this width.
    pub fn whole_width(&self) -> Option<Field> {
        let (width, tile_width) = (self.width?, self.tile_width?);
        let whole = Field { value: width.value.checked_next_multiple_of(tile_width.value)?, ..width };
        self.patch(whole, whole.value)?;
        (value(self.compression, 1) == LZW && whole.value > width.value).then_some(whole)
    }

    /// True if the texels are in tiles of LZW. They are decoded tile by tile. If a row has several tiles, the
    /// `tiff` crate (0.11) reads each row by row, with the fault that `whole_width` describes.
    fn has_lzw_tiles(&self) -> bool {
        self.tile_width.is_some() && value(self.compression, 1) == LZW
    }

    /// Returns the patch for [`whole_width`](Self::whole_width).
    pub fn whole_width_patch(&self) -> Option<Patch> {
        let whole = self.whole_width()?;
        self.patch(whole, whole.value)
    }

    /// Returns the orientation. Its type may be any integer.
    pub fn orientation(&self) -> Orientation {
        exif::of_number(value(self.orientation, 0))
    }

    pub fn bits(&self) -> u64 {
        value(self.bits, 1)
    }

    /// True if the texels are indices of a palette.
    pub fn has_palette(&self) -> bool {
        value(self.photometric, 0) == PALETTE
    }

    /// True if the picture is a smaller version of another one.
    pub fn is_thumbnail(&self) -> bool {
        value(self.subfile_type, 0) & 1 == 1
    }

    /// True if the numbers of no ink and of full ink are not 0 and the maximum.
    pub fn has_dot_range(&self) -> bool {
        let full = ((1u64 << self.bits().min(16)) - 1) as f64;
        self.color_tags.dot_range.is_some_and(|range| range != [0.0, full])
    }

    pub fn is_cmyk(&self) -> bool {
        value(self.photometric, 0) == CMYK
    }

    pub fn is_jpeg(&self) -> bool {
        value(self.compression, 1) == JPEG
    }

    pub fn is_float(&self) -> bool {
        value(self.sample_format, 1) == FLOAT
    }

    pub fn is_planar(&self) -> bool {
        value(self.planes, 1) == 2
    }

    pub fn has_predictor(&self) -> bool {
        value(self.predictor, 1) != 1
    }

    /// True if the lowest bit of a byte comes first.
    pub fn has_reversed_bits(&self) -> bool {
        // JPEG has its own bit order.
        value(self.fill_order, 1) == 2 && !self.is_jpeg()
    }

    pub fn has_alpha(&self) -> bool {
        matches!(value(self.extra_samples, 0), 1 | 2)
    }

    /// True if colours are multiplied by alpha.
    pub fn is_premultiplied(&self) -> bool {
        value(self.extra_samples, 0) == 1
    }

    /// True if [`samples`](super::samples) decodes the texels because the `image` crate refuses them.
    pub fn is_unusual(&self) -> bool {
        self.index > 0
            || self.has_reversed_bits()
            || self.is_planar() && self.tile_width.is_some()
            || self.is_float()
            || value(self.photometric, 0) == YCBCR
            || !matches!((self.bits(), value(self.channels, 1)), (8 | 16, _) | (1, 1))
            || value(self.channels, 1) == 2
            || self.spare_channels() > 0
            || self.has_lzw_tiles() && !self.is_cmyk()
    }

    /// True if the texels are grey, possibly beside other channels.
    pub fn is_grey(&self) -> bool {
        self.photometric.is_some_and(|field| matches!(field.value, WHITE_IS_ZERO | BLACK_IS_ZERO))
    }

    /// True if [`all_channels_patch`](Self::all_channels_patch) hides that 0 is white.
    pub fn is_inverted(&self) -> bool {
        self.photometric.is_some_and(|field| field.value == WHITE_IS_ZERO) && value(self.channels, 1) > 1
    }

    /// Returns the number of channels beside grey or RGB that are neither colour nor alpha. In JPEG, they are
    /// not counted.
    ///
    /// `tiff` 0.11 leaves such channels out before it applies the predictor for all channels, and writes
    /// whole rows of tiles into narrower ones. It has no grey beside other channels.
    pub fn spare_channels(&self) -> u64 {
        let color_channels = match value(self.photometric, WHITE_IS_ZERO) {
            _ if self.extra_samples.is_none() || self.is_jpeg() => return 0,
            WHITE_IS_ZERO | BLACK_IS_ZERO => 1,
            RGB => 3,
            _ => return 0,
        };
        value(self.channels, 1).saturating_sub(color_channels + u64::from(self.has_alpha()))
    }

    /// Returns the number of spare channels between the colours and alpha.
    pub fn channels_before_alpha(&self) -> u64 {
        if self.has_alpha() && self.spare_channels() > 0 { self.alpha_index } else { 0 }
    }

    /// Returns the patch by which the decoder yields all channels, if there are spare ones beside the others,
    /// or if it does not support alpha beside grey whose 0 is white.
    pub fn all_channels_patch(&self) -> Option<Patch> {
        let needs_all = (self.spare_channels() > 0 && !self.is_planar()) || self.is_inverted();
        let photometric = self.photometric.filter(|_| needs_all)?;
        self.patch(photometric, BLACK_IS_ZERO)
    }

    /// Returns the bytes of a field with a new value.
    pub fn patch(&self, field: Field, value: u64) -> Option<Patch> {
        let bytes = value.to_le_bytes();
        let (low, high) = bytes.split_at(field.bytes);
        let mut bytes = low.to_vec();
        if !self.is_little {
            bytes.reverse();
        }
        high.iter().all(|&byte| byte == 0).then_some((field.at, bytes))
    }

    /// Returns the bytes of a field with one new value.
    pub fn patch_only(&self, field: Field, value: u64) -> Option<Patch> {
        let (at, count_bytes) = field.count;
        let mut count = 1u64.to_le_bytes()[..count_bytes].to_vec();
        if !self.is_little {
            count.reverse();
        }
        let (_, value) = self.patch(field, value)?;
        Some((at, [count, value].concat()))
    }

    /// Refuses texels that the decoder does not support. Its own messages would contain names of its types.
    pub fn check_texels(&self) -> Result<(), Failure> {
        let (bits, channels) = (self.bits(), value(self.channels, 1));
        if self.is_cmyk() && value(self.ink_set, 1) == OTHER_INKS {
            return Err(Failure::Unsupported(ImageFeature::Inks));
        }
        let has_spare = self.has_alpha() && self.spare_channels() > 0;
        if has_spare && self.alpha_index > self.spare_channels() {
            return Err(Failure::Unsupported(ImageFeature::Channels { channels }));
        }
        // Only integers of all channels together are inverted.
        if self.is_inverted() && (self.is_float() || self.is_planar()) {
            return Err(Failure::Unsupported(ImageFeature::Channels { channels }));
        }
        let kind = match value(self.sample_format, 1) {
            2 => "signed integers",
            FLOAT if matches!(bits, 16 | 32) => return Ok(()),
            FLOAT => "floating-point numbers",
            5 | 6 => "complex numbers",
            _ if bits > 16 => "integers",
            _ if channels == 2 && self.has_alpha() => return Ok(()),
            _ if channels <= MAX_GREY_CHANNELS && self.is_grey() && self.spare_channels() > 0 => {
                return Ok(());
            }
            // The decoder would mix up channels, as described for `spare_channels`, or refuses alpha.
            _ if self.is_cmyk()
                && channels > 4
                && (self.has_predictor() || self.tile_width.is_some() || self.has_alpha()) =>
            {
                return Err(Failure::Unsupported(ImageFeature::Channels { channels }));
            }
            _ if matches!(channels, 2 | 6..) => {
                return Err(Failure::Unsupported(ImageFeature::Channels { channels }));
            }
            _ => return Ok(()),
        };
        Err(Failure::Unsupported(ImageFeature::Numbers { bits, kind }))
    }
}

/// Returns the value of a field, or the default of one that is missing.
pub(super) fn value(field: Option<Field>, default: u64) -> u64 {
    field.map_or(default, |field| field.value)
}

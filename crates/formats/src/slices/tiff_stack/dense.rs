//! Numbers that are packed without gaps within a row: grey of 3, 5 to 7 and 9 to 15 bits, and several
//! channels of 1 to 7 and 9 to 15 bits. The `tiff` crate does not read them. It receives a file of bytes:
//! fields that state grey of 8 bits, and as many pixels as a row has bytes. Channels in planes stay in
//! planes.

use brickwork_volume::VoxelType;

/// Rows of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseRows {
    /// Voxels in a row.
    pub width: usize,
    /// Bits of a number.
    pub bits: usize,
    /// Numbers of a voxel.
    pub channels: usize,
    /// True if a row has the numbers of one channel.
    is_planar: bool,
}

/// A field of a directory.
#[derive(Clone, Copy)]
pub struct DenseField {
    /// Value; of several values, the first.
    pub value: u64,
    /// Position of the field.
    pub at: u64,
    /// Bytes of the number of values, which follows a tag and a type.
    pub count_bytes: usize,
    /// Bytes of the value; 0 if it is no integer.
    pub byte_count: usize,
    /// Number of values. For BitsPerSample, 0 if they differ.
    pub count: u64,
}

const IMAGE_WIDTH: u64 = 256;
pub const BITS_PER_SAMPLE: u64 = 258;
const COMPRESSION: u64 = 259;
const PHOTOMETRIC_INTERPRETATION: u64 = 262;
const SAMPLES_PER_PIXEL: u64 = 277;
const PLANAR_CONFIGURATION: u64 = 284;
const PREDICTOR: u64 = 317;
const TILE_WIDTH: u64 = 322;
const EXTRA_SAMPLES: u64 = 338;

const RGB: u64 = 2;
const BLACK_IS_ZERO: u64 = 1;
/// Compressions by JPEG. The JPEG stream states the bits of a number.
const JPEG: [u64; 2] = [6, 7];
/// Compression by LZW.
const LZW: u64 = 5;

/// The fields on which the layout of a row depends.
#[derive(Default)]
pub struct DenseFields {
    width: Option<DenseField>,
    tile_width: Option<DenseField>,
    bits: Option<DenseField>,
    channels: Option<DenseField>,
    photometric: Option<DenseField>,
    /// The first sample that is no colour: 1 and 2 for alpha.
    extra_sample: Option<DenseField>,
    is_planar: bool,
    has_predictor: bool,
    is_jpeg: bool,
    is_lzw: bool,
}

impl DenseFields {
    /// Adds a field, which may be any.
    pub fn add(&mut self, tag: u64, field: DenseField) {
        let target = match tag {
            IMAGE_WIDTH => &mut self.width,
            TILE_WIDTH => &mut self.tile_width,
            BITS_PER_SAMPLE => &mut self.bits,
            SAMPLES_PER_PIXEL => &mut self.channels,
            PHOTOMETRIC_INTERPRETATION => &mut self.photometric,
            EXTRA_SAMPLES => return self.extra_sample = Some(field),
            PLANAR_CONFIGURATION => return self.is_planar = field.value == 2,
            PREDICTOR => return self.has_predictor = field.value > 1,
            COMPRESSION => {
                self.is_jpeg = JPEG.contains(&field.value);
                return self.is_lzw = field.value == LZW;
            }
            _ => return,
        };
        let is_read = field.byte_count > 0 && (field.count == 1 || tag == BITS_PER_SAMPLE);
        *target = Some(field).filter(|_| is_read);
    }

    /// Returns the rows, if the numbers are packed and each row starts at a byte.
    pub fn rows(&self) -> Option<DenseRows> {
        let (width, bits) = (self.width?, self.bits?);
        let channels = self.channels.map_or(1, |channels| channels.value);
        let is_packed = match bits.value {
            // The crate reads these, but only of one channel.
            1 | 2 | 4 => channels > 1,
            3 | 5..=7 | 9..=15 => true,
            _ => false,
        };
        // One depth counts for all channels.
        let is_of_one_depth = bits.count == 1 || bits.count == channels;
        let alpha_or_more = self.extra_sample.map(|sample| (sample.count, sample.value));
        let is_read = match (self.photometric.map_or(0, |photometric| photometric.value), channels) {
            (RGB, 3) => alpha_or_more.is_none(),
            (RGB, 4) => matches!(alpha_or_more, None | Some((1, 1 | 2))),
            (0 | BLACK_IS_ZERO, 1..=4) => alpha_or_more.is_none_or(|(count, _)| count == 1),
            _ => channels == 1,
        };
        let row_bits = if self.is_planar { bits.value } else { bits.value * channels };
        let starts_at_bytes =
            |tile: DenseField| tile.value.checked_mul(row_bits).is_some_and(|bits| bits.is_multiple_of(8));
        let is_read = is_read
            && is_packed
            && is_of_one_depth
            && !self.has_predictor
            && !self.is_jpeg
            && self.tile_width.is_none_or(starts_at_bytes);
        let width = usize::try_from(width.value).ok().filter(|_| is_read)?;
        let (bits, channels) = (bits.value as usize, channels as usize);
        Some(DenseRows { width, bits, channels, is_planar: self.is_planar })
    }

    /// Returns the bytes with which the file states rows of bytes. Returns `None` if they do not fit the
    /// fields.
    pub fn patches(&self, rows: DenseRows, is_little: bool) -> Option<Vec<(u64, u8)>> {
        let row_bits = rows.bits * rows.row_channels();
        let in_bytes =
            |field: DenseField| one(field, field.value.checked_mul(row_bits as u64)?.div_ceil(8), is_little);
        let width = self.whole_width().or(self.width)?;
        let mut patches = [one(self.bits?, 8, is_little)?, in_bytes(width)?].concat();
        if let Some(tile_width) = self.tile_width {
            patches.extend(in_bytes(tile_width)?);
        }
        if rows.row_channels() > 1 {
            patches.extend(one(self.channels?, 1, is_little)?);
            // Values other than that of RGB stay or are replaced by the caller.
            let photometric = self.photometric?;
            if photometric.value == RGB {
                patches.extend(one(photometric, BLACK_IS_ZERO, is_little)?);
            }
        }
        Some(patches)
    }

    /// Returns the width of the page, and the bytes with which the file states that of whole tiles, if tiles
    /// of LZW end outside the page; else `None`.
    ///
    /// The `tiff` crate (0.11) reads tiles that end outside row by row, others at once. At the end of LZW
    /// data, a short read of weezl (0.1) yields bytes, but reports that it made no progress. The `tiff` crate
    /// takes this for the end of the data.
    pub fn whole_tiles(&self, is_little: bool) -> Option<(usize, Vec<(u64, u8)>)> {
        let (width, whole) = (self.width?, self.whole_width()?);
        Some((usize::try_from(width.value).ok()?, one(whole, whole.value, is_little)?))
    }

    /// Returns the field of the width, with that of whole tiles, if tiles of LZW end outside the page.
    fn whole_width(&self) -> Option<DenseField> {
        let (width, tile_width) = (self.width?, self.tile_width?);
        let value = width.value.checked_next_multiple_of(tile_width.value)?;
        (self.is_lzw && value > width.value).then_some(DenseField { value, ..width })
    }
}

/// Returns the bytes of a number at a position; `None` if it does not fit.
fn placed(at: u64, byte_count: usize, value: u64, is_little: bool) -> Option<Vec<(u64, u8)>> {
    let bytes = &value.to_le_bytes();
    let (used, rest) = bytes.split_at(byte_count);
    let place = |i: usize| if is_little { i } else { used.len() - 1 - i };
    let placed = (0..).zip(used).map(|(i, &byte)| (at + place(i) as u64, byte));
    rest.iter().all(|&byte| byte == 0).then(|| placed.collect())
}

/// Returns the bytes of a field with one value; `None` if it does not fit. The tag and the type have two
/// bytes each.
fn one(field: DenseField, value: u64, is_little: bool) -> Option<Vec<(u64, u8)>> {
    let count = placed(field.at + 4, field.count_bytes, 1, is_little)?;
    let at = field.at + 4 + field.count_bytes as u64;
    Some([count, placed(at, field.byte_count, value, is_little)?].concat())
}

impl DenseRows {
    /// Channels of a row.
    fn row_channels(self) -> usize {
        if self.is_planar { 1 } else { self.channels }
    }

    /// Returns the bytes of a row.
    fn row_bytes(self) -> usize {
        (self.width * self.row_channels() * self.bits).div_ceil(8)
    }

    /// Returns the bytes of all rows of an image; `None` beyond all numbers.
    pub fn byte_count(self, height: usize) -> Option<usize> {
        self.row_bytes().checked_mul(height)?.checked_mul(self.channels / self.row_channels())
    }

    /// Returns the type of the unpacked numbers.
    pub fn voxel_type(self) -> VoxelType {
        if self.bits < 8 { VoxelType::U8 } else { VoxelType::U16 }
    }

    /// Unpacks rows to numbers in the byte order of the machine. The highest bit is the first.
    pub fn unpack(self, packed: &[u8], numbers: &mut [u8]) {
        let number_bytes = self.voxel_type().byte_count();
        let row_numbers = self.width * self.row_channels();
        let rows = packed.chunks_exact(self.row_bytes());
        for (row, numbers) in rows.zip(numbers.chunks_exact_mut(number_bytes * row_numbers)) {
            for (x, target) in numbers.chunks_exact_mut(number_bytes).enumerate() {
                let (first, after) = (x * self.bits, (x + 1) * self.bits);
                let bytes = &row[first / 8..after.div_ceil(8)];
                let all = bytes.iter().fold(0u32, |all, &byte| all << 8 | u32::from(byte));
                let number = all >> (after.div_ceil(8) * 8 - after) & ((1 << self.bits) - 1);
                match target {
                    [byte] => *byte = number as u8,
                    word => word.copy_from_slice(&(number as u16).to_ne_bytes()),
                }
            }
        }
    }
}

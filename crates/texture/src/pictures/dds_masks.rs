//! DDS files from before DX10 headers whose texels are described by bit masks. A channel has up to 16 bits,
//! and a texel has 8, 16, 24 or 32 bits.

use super::dds_rows::Rows;
use crate::container::dds_header::RawHeader;
use brickwork_image::image_file::{
    DdsTenBitMasks, ImageFeature, Texels,
    decoder::{Budget, Failure, Layout, zeroed},
};
use std::io::Read;

/// Size of the header in bytes, and position of the texels.
pub(super) const HEADER_BYTES: usize = 128;

/// Flags in `DDS_PIXELFORMAT::dwFlags` (Microsoft's "DDS_PIXELFORMAT structure").
const ALPHA_PIXELS: u32 = 1;
const FOUR_CC: u32 = 4;
const RGB: u32 = 0x40;
const LUMINANCE: u32 = 0x2_0000;

/// Masks of red, green and blue with 10 bits each.
const TEN_BITS: [u32; 3] = [0x3ff, 0x3ff << 10, 0x3ff << 20];
const TEN_BITS_REVERSED: [u32; 3] = [0x3ff << 20, 0x3ff << 10, 0x3ff];

/// A picture whose texels are described by masks.
pub(super) struct Masked {
    pub size: [u32; 2],
    /// Size of a texel in bytes.
    bytes: usize,
    is_grey: bool,
    /// Red or grey, green, blue, alpha; `None` for a missing channel.
    channels: [Option<Channel>; 4],
}

/// The bits of a channel.
#[derive(Clone, Copy)]
struct Channel {
    shift: u32,
    greatest: u32,
}

impl Channel {
    fn new(mask: u32) -> Option<Self> {
        let (shift, greatest) = (mask.trailing_zeros(), mask >> (mask.trailing_zeros() & 31));
        (greatest & greatest.wrapping_add(1) == 0 && greatest <= 0xffff).then_some(Self { shift, greatest })
    }
}

fn unsupported(bits: u32, masks: [u32; 4]) -> Failure {
    let [red, green, blue, alpha] = masks;
    Failure::Unsupported(ImageFeature::Other(format!(
        "texels of {bits} bits with the masks {red:08x}, {green:08x}, {blue:08x}, {alpha:08x}"
    )))
}

impl Masked {
    /// Returns the picture that the header describes, or `None` if the header has no masks.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the masks make no sense.
    pub fn of_header(
        header: &[u8; HEADER_BYTES],
        ten_bit_masks: DdsTenBitMasks,
    ) -> Result<Option<Self>, Failure> {
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let flags = word(80);
        if flags & FOUR_CC != 0 || flags & (RGB | LUMINANCE) == 0 {
            return Ok(None);
        }
        let (bits, mut masks) = (word(88), [word(92), word(96), word(100), word(104)]);
        // Some writers set both flags for grey.
        let has_one_mask = [masks[1], masks[2]].iter().all(|&mask| mask == 0 || mask == masks[0]);
        let is_grey = flags & LUMINANCE != 0 && (flags & RGB == 0 || has_one_mask);
        let colors = [masks[0], masks[1], masks[2]];
        if ten_bit_masks == DdsTenBitMasks::Swapped && (colors == TEN_BITS || colors == TEN_BITS_REVERSED) {
            masks.swap(0, 2);
        }
        // Pillow writes 8-bit grey with a mask of the highest 8 of 32 bits.
        if is_grey && bits == 8 && flags & ALPHA_PIXELS == 0 {
            masks[0] = 0xff;
        }
        let used = [true, !is_grey, !is_grey, flags & ALPHA_PIXELS != 0];
        let refused = || unsupported(bits, masks);
        let mut channels = [None; 4];
        for ((channel, mask), used) in channels.iter_mut().zip(masks).zip(used) {
            if used && mask != 0 {
                let is_outside = bits < 32 && mask >> bits != 0;
                *channel = Some(Channel::new(mask).filter(|_| !is_outside).ok_or_else(refused)?);
            }
        }
        if !matches!(bits, 8 | 16 | 24 | 32) || channels[..3].iter().all(Option::is_none) {
            return Err(refused());
        }
        Ok(Some(Self { size: [word(16), word(12)], bytes: bits as usize / 8, is_grey, channels }))
    }

    /// Returns the failure of a header for which `of_header` returned `None` and that is otherwise
    /// unsupported, too. Returns `None` if the header names its format.
    pub fn refused(header: &[u8; HEADER_BYTES]) -> Option<Failure> {
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        (word(80) & FOUR_CC == 0).then(|| unsupported(word(88), [word(92), word(96), word(100), word(104)]))
    }

    /// True if there is an alpha channel.
    pub fn has_alpha(&self) -> bool {
        self.channels[3].is_some()
    }

    /// True if no version of Direct3D converts the texels from sRGB: channels of 16 bits, or vectors in red
    /// and green.
    pub fn is_linear(&self) -> bool {
        let [_, _, blue, _] = &self.channels;
        let is_wide = self.channels.iter().flatten().any(|channel| channel.greatest == 0xffff);
        is_wide || !self.is_grey && blue.is_none()
    }

    fn layout(&self) -> Layout {
        let is_deep = self.channels.iter().flatten().any(|channel| channel.greatest > 255);
        match (self.has_alpha(), self.is_grey, is_deep) {
            (true, _, false) => Layout::Rgba8,
            (true, _, true) => Layout::Rgba16,
            (false, true, false) => Layout::Grey8,
            (false, true, true) => Layout::Grey16,
            (false, false, false) => Layout::Rgb8,
            (false, false, true) => Layout::Rgb16,
        }
    }

    /// Decodes the texels that `reader` yields, without the padding of rows. `data_bytes` is the length of
    /// all data. Channels are scaled to 8 or 16 bits and rounded. Missing channels are 0.
    ///
    /// # Errors
    /// [`Failure`] if the memory limit is exceeded or the reader fails.
    pub fn decode(
        &self,
        header: &RawHeader,
        reader: impl Read,
        data_bytes: u64,
        budget: &Budget<'_>,
    ) -> Result<Texels, Failure> {
        let [width, height] = self.size.map(u64::from);
        let row_bytes = width * self.bytes as u64;
        if row_bytes.saturating_mul(height) > budget.file_bytes {
            return Err(budget.too_few_bytes(self.size));
        }
        let rows = Rows::of(header, self.bytes as u64, data_bytes);
        let mut reader = rows.reader(reader);
        let layout = self.layout();
        let table_bytes: u64 =
            self.channels.iter().flatten().map(|channel| 2 * u64::from(channel.greatest)).sum();
        budget.texel_bytes(self.size, layout, row_bytes + table_bytes)?;
        let out_of_memory = || Failure::OutOfMemory(row_bytes);
        let mut row = zeroed::<u8>(usize::try_from(row_bytes).map_err(|_| out_of_memory())?)
            .ok_or_else(out_of_memory)?;
        let (is_deep, counts) = match layout {
            Layout::Grey8 => (false, 1),
            Layout::Rgb8 => (false, 3),
            Layout::Grey16 => (true, 1),
            Layout::Rgb16 => (true, 3),
            Layout::Rgba16 => (true, 4),
            _ => (false, 4),
        };
        let scaled = |channel: Channel, full: u32| -> Vec<u16> {
            let value = |v: u32| ((v * full + channel.greatest / 2) / channel.greatest) as u16;
            (0..=channel.greatest).map(value).collect()
        };
        let full = if is_deep { 0xffff } else { 0xff };
        let tables = self.channels.map(|channel| channel.map(|channel| (channel, scaled(channel, full))));
        // Source of each channel of the result.
        let sources = [0, if self.is_grey { 0 } else { 1 }, if self.is_grey { 0 } else { 2 }, 3];
        let value = |word: u32, source: usize| match &tables[source] {
            Some((channel, table)) => table[(word >> channel.shift & channel.greatest) as usize],
            None => 0,
        };
        budget.texels(self.size, layout, |bytes| {
            let size = if is_deep { 2 } else { 1 };
            for texels in bytes.chunks_exact_mut(counts * size * width.max(1) as usize) {
                reader.read_exact(&mut row)?;
                for (texel, stored) in
                    texels.chunks_exact_mut(counts * size).zip(row.chunks_exact(self.bytes))
                {
                    let mut word = [0; 4];
                    word[..self.bytes].copy_from_slice(stored);
                    let word = u32::from_le_bytes(word);
                    for (target, &source) in texel.chunks_exact_mut(size).zip(&sources) {
                        let value = value(word, source);
                        if is_deep {
                            target.copy_from_slice(&value.to_ne_bytes());
                        } else {
                            target[0] = value as u8;
                        }
                    }
                }
            }
            Ok(())
        })
    }
}

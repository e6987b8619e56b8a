//! Palettes.
//!
//! The `tiff` crate does not support palettes, but it decodes grey of any depth, which is stored in the same
//! way. It receives a file that states grey, and the indices that it yields are looked up here.

use super::{
    super::{
        budget::{Budget, Layout, zeroed},
        decoded::Decoded,
        failure::Failure,
        fault::ImageFault,
        feature::ImageFeature,
        patched::Patched,
        through_image,
    },
    RATIO, Source, color_of,
    directory::Directory,
    limits_of, open,
    samples::reverse_bits,
    unbuffered,
};
use ::tiff::{
    ColorType,
    decoder::Decoder,
    tags::{CompressionMethod, Tag},
};

/// Decodes indices of 1 to 16 bits into the last bytes of the texels, then looks them up from the front. This
/// needs no second copy, except for the whole tiles of LZW. A texel takes three bytes and its index at most
/// two, so writing never passes reading. (A row of indices that ends in unused bits takes at most one byte
/// per texel.)
pub(super) fn decode(
    source: Patched<'_>,
    directory: &Directory,
    value_bytes: u64,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let reversal = source.reversal();
    let mut source = unbuffered(source);
    let mut decoder = open(&mut source, directory)?;
    let (stored_width, height) = decoder.dimensions()?;
    let has_whole_tiles = directory.whole_width().is_some();
    let width = directory.width.filter(|_| has_whole_tiles).map_or(stored_width, |width| width.value as u32);
    let size = [width, height];
    let bits = match decoder.colortype()? {
        ColorType::Gray(bits @ (1 | 2 | 4 | 8 | 16)) => usize::from(bits),
        ColorType::Gray(bits) => {
            return Err(Failure::Unsupported(ImageFeature::PaletteBits { bits }));
        }
        _ => {
            return Err(Failure::Unsupported(ImageFeature::PaletteChannels));
        }
    };
    // Lossy indices would give wrong colours, and a JPEG stream has its own size.
    if decoder.find_tag_unsigned(Tag::Compression)? == Some(CompressionMethod::ModernJPEG.to_u16()) {
        return Err(Failure::Unsupported(ImageFeature::PaletteJpeg));
    }
    let entry_count = 1 << bits;
    let map_bytes = 3 * entry_count as u64;
    let row_bytes = (u64::from(stored_width) * bits as u64).div_ceil(8);
    // Rows of whole tiles are longer than those of the picture, and are therefore decoded elsewhere.
    let apart_bytes = if has_whole_tiles { row_bytes.saturating_mul(height.into()) } else { 0 };
    let extra = value_bytes
        .saturating_add(map_bytes)
        .saturating_add(apart_bytes)
        .saturating_add(u64::from(width) * through_image::ROW_BYTES);
    let texel_bytes = budget.texel_bytes(size, Layout::Rgb8, extra)?;
    budget.check_plausible(size, texel_bytes, row_bytes.saturating_mul(height.into()), RATIO)?;

    let left = budget.limit - texel_bytes - map_bytes - apart_bytes;
    let mut decoder = decoder.with_limits(limits_of(left));
    if directory.has_reversed_bits() {
        reverse_bits(&mut decoder, &reversal)?;
    }
    let color = color_of(&mut decoder, directory);
    let map = color_map(&mut decoder, entry_count)?;

    let texels = budget.texels(size, Layout::Rgb8, |bytes| {
        let row_bytes = row_bytes as usize;
        let mut apart = zeroed::<u8>(apart_bytes as usize).ok_or(Failure::OutOfMemory(apart_bytes))?;
        let start = if has_whole_tiles { 0 } else { bytes.len() - row_bytes * height as usize };
        decoder.read_image_bytes(if has_whole_tiles { &mut apart[..] } else { &mut bytes[start..] })?;
        for y in 0..height as usize {
            let row = start + y * row_bytes;
            for x in 0..width as usize {
                let rows = if has_whole_tiles { &apart[..] } else { &*bytes };
                let index = match bits {
                    16 => u16::from_ne_bytes([rows[row + 2 * x], rows[row + 2 * x + 1]]).into(),
                    _ => {
                        let bit = x * bits;
                        usize::from(rows[row + bit / 8]) >> (8 - bits - bit % 8) & (entry_count - 1)
                    }
                };
                let at = 3 * (y * width as usize + x);
                bytes[at..at + 3].copy_from_slice(&map[index]);
            }
        }
        Ok(())
    })?;
    Ok(Decoded::new(size, texels, false, directory.orientation(), color))
}

/// Returns the colours of the palette in 8 bits: the upper byte of each 16-bit value. Programs write 8-bit
/// values times 256 (Pillow) or times 257 (libtiff's tools). Rounding would darken what Pillow wrote.
///
/// If no value takes more than 8 bits, the map contains 8-bit values unscaled, as in libtiff (`checkcmap` in
/// `tif_getimage.c`).
fn color_map(decoder: &mut Decoder<Source<'_>>, entry_count: usize) -> Result<Vec<[u8; 3]>, Failure> {
    let Some(values) = decoder.find_tag_unsigned_vec::<u16>(Tag::ColorMap)? else {
        return Err(Failure::Malformed(ImageFault::NoColorMap));
    };
    let (count, needed) = (values.len(), 3 * entry_count);
    if count != needed {
        return Err(Failure::Malformed(ImageFault::ColorMap { count, needed }));
    }
    let shift = if values.iter().all(|&value| value < 256) { 0 } else { 8 };
    let color = |i| [0, 1, 2].map(|channel| (values[channel * entry_count + i] >> shift) as u8);
    Ok((0..entry_count).map(color).collect())
}

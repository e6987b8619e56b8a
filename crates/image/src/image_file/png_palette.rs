//! Colours of the indices of an indexed PNG. Indices beyond the palette, which the `png` crate silently makes
//! black, are counted.

use super::{failure::Failure, fault::ImageFault};

/// Maximum number of colours.
const MAX_COLORS: usize = 256;

/// Colours of an indexed PNG; none of other files.
pub(super) struct Palette {
    /// Colours with alpha, for every index.
    rgba: [[u8; 4]; MAX_COLORS],
    /// Colours that the file has.
    color_count: usize,
    has_alpha: bool,
    index_bits: usize,
}

impl Palette {
    /// Returns the colours of an image.
    ///
    /// # Errors
    /// [`Failure::MalformedWhole`] if an indexed file has no palette, or one with a part of a colour.
    pub fn of(info: &png::Info<'_>) -> Result<Self, Failure> {
        let (mut rgba, index_bits) = ([[0, 0, 0, 255]; MAX_COLORS], info.bit_depth as usize);
        if info.color_type != png::ColorType::Indexed {
            return Ok(Self { rgba, color_count: 0, has_alpha: false, index_bits });
        }
        let Some(palette) = info.palette.as_deref() else {
            return Err(Failure::MalformedWhole(ImageFault::NoColorMap));
        };
        let (colors, []) = palette.as_chunks::<3>() else {
            let (count, needed) = (palette.len(), palette.len().next_multiple_of(3));
            return Err(Failure::MalformedWhole(ImageFault::ColorMap { count, needed }));
        };
        let alphas = info.trns.as_deref();
        for (texel, &[red, green, blue]) in rgba.iter_mut().zip(colors) {
            *texel = [red, green, blue, 255];
        }
        for (texel, &alpha) in rgba.iter_mut().zip(alphas.unwrap_or_default()) {
            texel[3] = alpha;
        }
        Ok(Self { rgba, color_count: colors.len(), has_alpha: alphas.is_some(), index_bits })
    }

    /// True if the texels have alpha.
    pub fn has_alpha(&self) -> bool {
        self.has_alpha
    }

    /// Returns the bytes of all rows of indices. Each row starts at a byte.
    pub fn index_bytes(&self, [width, height]: [u32; 2]) -> usize {
        (width as usize * self.index_bits).div_ceil(8) * height as usize
    }

    /// Replaces the rows of indices at the end of `texels` by colours of 3 or 4 bytes. Texel i is written
    /// before the byte of the next index, because each remaining byte has at least one index. Returns a note
    /// if indices are beyond the palette.
    pub fn expand(&self, [width, height]: [u32; 2], texels: &mut [u8]) -> Option<String> {
        let row_bytes = self.index_bytes([width, 1]);
        let texel_bytes = if self.has_alpha { 4 } else { 3 };
        let start = texels.len() - self.index_bytes([width, height]);
        let mask = (MAX_COLORS - 1) >> (8 - self.index_bits);
        let (mut outside, mut largest, mut at) = (0u64, 0, 0);
        for row in 0..height as usize {
            for x in 0..width as usize {
                let bit = x * self.index_bits;
                let byte = usize::from(texels[start + row * row_bytes + bit / 8]);
                // The first index of a byte has its highest bits.
                let index = byte >> (8 - self.index_bits - bit % 8) & mask;
                if index >= self.color_count {
                    (outside, largest) = (outside + 1, index.max(largest));
                }
                texels[at..at + texel_bytes].copy_from_slice(&self.rgba[index][..texel_bytes]);
                at += texel_bytes;
            }
        }
        let count = self.color_count;
        let [texels, they] = match outside {
            0 => return None,
            1 => ["1 texel has an index".to_owned(), "it is".to_owned()],
            _ => [format!("{outside} texels have indices"), "they are".to_owned()],
        };
        Some(format!("{texels} beyond the palette of {count} colours (up to {largest}); {they} black"))
    }
}

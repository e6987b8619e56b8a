//! Endpoints of blocks: an image of them.

use crate::commands::info::BlockPicture;
use brickwork_base::{Stage, Task};
use brickwork_texture::{
    BlockFormat, DecodeOptions, ImageIndex, Texture, TextureDesc, ToneMap,
    bc::{bc6h, bc7},
    half::f16,
};
use brickwork_toolkit::texture::{OptionsError, TextureJobError};
use std::sync::Arc;

/// Indices of a block of colours: the first endpoint in the left half, the second one in the right half.
const COLOR_INDICES: [u8; 4] = [0b0101_0000; 4];
/// The same for a block of one channel, whose indices have three bits.
const CHANNEL_INDICES: [u8; 6] = [0x40, 0x02, 0x24, 0x40, 0x02, 0x24];

/// The endpoints of the blocks of a texture.
#[derive(Clone, Debug)]
pub struct BlockEndpoints {
    texture: Arc<Texture>,
    format: BlockFormat,
}

impl BlockEndpoints {
    /// Returns the endpoints of a texture, or `None` if its format is not one of BC1 to BC7.
    pub fn of_texture(texture: impl Into<Arc<Texture>>) -> Option<Self> {
        let texture = texture.into();
        let format = texture.desc().format.block().filter(|format| !format.is_mobile())?;
        Some(Self { texture, format })
    }

    /// Returns the texture's first image with the colours of endpoints: the left half of each block has the
    /// first endpoint, the right half the second one. Blocks with several subsets show the first subset.
    /// Alpha is not shown. BC4 is grey, BC6H is clamped to 0 to 1 and converted to sRGB, and blocks without a
    /// valid mode are black. The task reports [`Stage::Rendering`] in rows of texels for BC6H and BC7.
    ///
    /// # Errors
    /// [`TextureJobError`], in which the input is called `name`.
    pub fn picture(&self, name: &str, task: &Task<'_>) -> Result<BlockPicture, TextureJobError> {
        let desc = self.texture.desc();
        let (width, height) = (desc.width, desc.height);
        let byte_count = self.format.image_bytes(width, height) as usize;
        let blocks = &self.texture.data()[..byte_count.min(self.texture.data().len())];
        let map = ToneMap::default();
        let light = |[red, green, blue]: [f16; 3]| {
            let [red, green, blue, _] = map.map([red, green, blue, f16::ONE]);
            [red, green, blue]
        };
        let texels = match self.format {
            BlockFormat::Bc7 => self.halves(blocks, name, task, |block| {
                Some(bc7::block_endpoints(block)?.map(|[red, green, blue, _]| [red, green, blue]))
            })?,
            BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat => {
                let is_signed = self.format == BlockFormat::Bc6hSfloat;
                let ends = |block: &[u8; 16]| Some(bc6h::block_endpoints(block, is_signed)?.map(light));
                self.halves(blocks, name, task, ends)?
            }
            format => decoded(format, [width, height], blocks, name, task)?,
        };
        Ok(BlockPicture { width, height, texels })
    }

    /// Returns the texels of blocks of 16 bytes with these endpoints.
    fn halves(
        &self,
        blocks: &[u8],
        name: &str,
        task: &Task<'_>,
        endpoints: impl Fn(&[u8; 16]) -> Option<[[u8; 3]; 2]>,
    ) -> Result<Vec<[u8; 3]>, TextureJobError> {
        let desc = self.texture.desc();
        let (width, height) = (desc.width as usize, desc.height as usize);
        let mut texels = Vec::new();
        let needed = (width as u64).saturating_mul(height as u64).saturating_mul(3);
        texels
            .try_reserve_exact(width.saturating_mul(height))
            .map_err(|_| TextureJobError::OutOfMemory { input: name.to_owned(), needed })?;
        let rows = blocks.as_chunks::<16>().0.chunks(width.div_ceil(4));
        for (y, row) in rows.enumerate() {
            task.check()?;
            task.report(Stage::Rendering, 4 * y as u64, height as u64);
            let ends: Vec<_> = row.iter().map(|block| endpoints(block).unwrap_or_default()).collect();
            for _ in 4 * y..height.min(4 * y + 4) {
                texels.extend((0..width).map(|x| ends[x / 4][x / 2 % 2]));
            }
        }
        Ok(texels)
    }
}

/// Returns the colours of blocks whose indices are replaced by those of endpoints.
fn decoded(
    format: BlockFormat,
    [width, height]: [u32; 2],
    blocks: &[u8],
    name: &str,
    task: &Task<'_>,
) -> Result<Vec<[u8; 3]>, TextureJobError> {
    let mut blocks = blocks.to_vec();
    for block in blocks.chunks_exact_mut(format.block_bytes()) {
        match format.channels().len() {
            // BC4, and both halves of BC5.
            1 | 2 => block.chunks_exact_mut(8).for_each(|half| half[2..].copy_from_slice(&CHANNEL_INDICES)),
            _ => {
                let first = block.len() - COLOR_INDICES.len();
                block[first..].copy_from_slice(&COLOR_INDICES);
            }
        }
    }
    let desc = TextureDesc::new_2d(format, width, height);
    let texture = Texture::new(desc, blocks).map_err(|error| TextureJobError::Options {
        file: name.to_owned(),
        error: OptionsError::Texture(error),
    })?;
    let image = texture
        .decode(ImageIndex::default(), &DecodeOptions::default(), task)
        .map_err(|error| TextureJobError::Decode { input: name.to_owned(), error })?;
    let is_grey = format.channels().len() == 1;
    let shown = |&[red, green, blue, _]: &[u8; 4]| if is_grey { [red; 3] } else { [red, green, blue] };
    Ok(image.texels().as_rgba8().unwrap_or_default().iter().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the endpoints that are drawn for one block of 6×2 texels, of which the second block is alike.
    fn drawn(format: BlockFormat, block: &[u8]) -> [[u8; 3]; 2] {
        let texture = Texture::new(TextureDesc::new_2d(format, 6, 2), [block, block].concat()).unwrap();
        let picture = BlockEndpoints::of_texture(texture).unwrap().picture("a.dds", &Task::new()).unwrap();
        assert_eq!((picture.width, picture.height, picture.texels.len()), (6, 2, 12));
        let [first, second] = [picture.texels[0], picture.texels[2]];
        let row = [first, first, second, second, first, first];
        assert_eq!(picture.texels, [row, row].concat());
        [first, second]
    }

    #[test]
    fn each_half_of_a_block_has_an_endpoint() {
        // Red and green in 5-6-5, in both orders, and with indices of other colours.
        let color = [0x00, 0xf8, 0xe0, 0x07, 0xff, 0xff, 0xff, 0xff];
        let red_green = [[255, 0, 0], [0, 255, 0]];
        assert_eq!(drawn(BlockFormat::Bc1, &color), red_green);
        let swapped = [0xe0, 0x07, 0x00, 0xf8, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(drawn(BlockFormat::Bc1, &swapped), [[0, 255, 0], [255, 0, 0]]);
        let alpha = [9, 80, 1, 2, 3, 4, 5, 6];
        for format in [BlockFormat::Bc2, BlockFormat::Bc3] {
            assert_eq!(drawn(format, &[alpha, color].concat()), red_green, "{format}");
        }
        assert_eq!(drawn(BlockFormat::Bc4Unorm, &alpha), [[9; 3], [80; 3]]);
        assert_eq!(drawn(BlockFormat::Bc4Snorm, &[127, 129, 0, 0, 0, 0, 0, 0]), [[255; 3], [0; 3]]);
        let both = [alpha, [200, 7, 0, 0, 0, 0, 0, 0]].concat();
        assert_eq!(drawn(BlockFormat::Bc5Unorm, &both), [[9, 200, 0], [80, 7, 0]]);
    }

    #[test]
    fn bc7_and_bc6h_show_the_first_subset() {
        // Mode 6: seven bits and a p-bit. Red is 127 and 0, green 0 and 127, blue and alpha 0, both p-bits 1.
        let bits = 1u128 << 6 | 127 << 7 | 127 << 28 | 1 << 63 | 1 << 64;
        assert_eq!(drawn(BlockFormat::Bc7, &bits.to_le_bytes()), [[255, 1, 1], [1, 255, 1]]);
        // Mode 5 with rotation 1: red is exchanged with alpha, whose endpoints are 9 and 80.
        let bits = 1u128 << 5 | 1 << 6 | 9 << 50 | 80 << 58;
        assert_eq!(drawn(BlockFormat::Bc7, &bits.to_le_bytes()), [[9, 0, 0], [80, 0, 0]]);
        assert_eq!(drawn(BlockFormat::Bc7, &[0; 16]), [[0; 3]; 2]);
        // Mode 11 of BC6H: ten bits for each channel, red 1023 and 0.
        let bits = 3u128 | 1023 << 5;
        assert_eq!(drawn(BlockFormat::Bc6hUfloat, &bits.to_le_bytes()), [[255, 0, 0], [0; 3]]);
    }
}

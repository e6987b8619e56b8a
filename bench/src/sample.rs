//! Blocks from all parts of some images.

use crate::picture::Picture;
use anyhow::Result;
use brickwork_texture::{BlockFormat, CpuEncoder, EncodeOptions, ImageView, Task};

/// Red, green, blue and alpha of a block's texels.
pub type Block = [[u8; 4]; 16];

/// Returns this number of blocks of more than one colour, from all images; fewer if there are not enough.
pub fn blocks(pictures: &[Picture], count: usize) -> Vec<Block> {
    let mut places = Vec::new();
    for (picture, Picture { width, height, .. }) in pictures.iter().enumerate() {
        places.extend((0..width / 4 * (height / 4)).map(|block| (picture, block)));
    }
    // In an order that looks random.
    places.sort_by_cached_key(|&(picture, block)| {
        let mut h = (picture as u64) << 32 | u64::from(block);
        for _ in 0..3 {
            h = (h ^ h >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        h
    });
    let texels = |(picture, block): (usize, u32)| -> Block {
        let picture: &Picture = &pictures[picture];
        let columns = picture.width / 4;
        let (x, y) = (block % columns * 4, block / columns * 4);
        std::array::from_fn(|t| {
            let t = t as u32;
            picture.texels[((y + t / 4) * picture.width + x + t % 4) as usize]
        })
    };
    let is_mixed = |texels: &Block| texels.iter().any(|&texel| texel != texels[0]);
    places.into_iter().map(texels).filter(is_mixed).take(count).collect()
}

/// Returns the bytes of these blocks as `options` encode them, one after another.
pub fn encoded(blocks: &[Block], format: BlockFormat, options: &EncodeOptions) -> Result<Vec<u8>> {
    // One row of blocks; lanes do not know each other.
    let width = 4 * blocks.len();
    let mut texels = vec![[0; 4]; 4 * width];
    for (block, of_block) in blocks.iter().enumerate() {
        for (t, &texel) in of_block.iter().enumerate() {
            texels[t / 4 * width + 4 * block + t % 4] = texel;
        }
    }
    let image = ImageView::new(&texels, width as u32, 4)?;
    let mut bytes = vec![0; format.block_bytes() * blocks.len()];
    CpuEncoder::new().encode_into(&image, format, options, &mut bytes, &Task::new())?;
    Ok(bytes)
}

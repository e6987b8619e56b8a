//! tbc: the brightest and the darkest texel as endpoints, in Rust.
//!
//! The module uses the pixel type with alpha. With the one without, texels of blocks with equal endpoints may
//! become transparent (on Kodak 1, in 51 blocks).

use super::{Contestant, Role, package};
use crate::picture::Picture;
use tbc::{color::Rgba8, encode_image_bc1};

pub fn contestant(pictures: &[Picture]) -> Contestant<'_> {
    let pixels: Vec<Vec<Rgba8>> = pictures
        .iter()
        .map(|picture| picture.texels.iter().map(|&[r, g, b, a]| Rgba8::new(r, g, b, a)).collect())
        .collect();
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let picture = &pictures[index];
        let encoded = encode_image_bc1(&pixels[index], picture.width as usize, picture.height as usize);
        // Its own conversion to bytes frees memory with another alignment than it was allocated with.
        for (bytes, block) in blocks.as_chunks_mut::<8>().0.iter_mut().zip(encoded) {
            bytes[..2].copy_from_slice(&block.max.to_le_bytes());
            bytes[2..4].copy_from_slice(&block.min.to_le_bytes());
            bytes[4..].copy_from_slice(&block.color_table.to_le_bytes());
        }
        Ok(())
    });
    Contestant { name: package("tbc"), role: Role::Peer, encode }
}

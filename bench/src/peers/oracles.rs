//! Compares our decoders of the formats for phones, which all encoders are measured with, with the peers' on
//! random blocks.

use super::{astc, etc, package};
use crate::random::hash;
use anyhow::{Result, ensure};
use brickwork_texture::{AstcFootprint, BlockFormat, ImageViewMut, RoundingRule, Task, decode_into};

/// Number of batches. About 4.5 % of random ASTC blocks are legal, those of high dynamic range included.
const BATCHES: u32 = 48;
/// Blocks of a batch in each direction.
const SIDE: u32 = 256;

/// Decodes blocks of an image of this size to RGBA.
type Decode = fn(BlockFormat, &[u8], u32, u32) -> Result<Vec<u8>>;

/// Compares decoders. Returns a sentence about them, or `None` if the peers have no exact decoder.
///
/// # Errors
/// An error if a texel differs.
pub fn check(format: BlockFormat) -> Result<Option<String>> {
    let (peer, decode): (_, Decode) = match format {
        BlockFormat::Astc(AstcFootprint::B4x4) => (package(astc::PACKAGE), astc::decode),
        format if etc::FORMATS.contains(&format) => (package(etc::PACKAGE), etc::decode),
        _ => return Ok(None),
    };
    (0..BATCHES).try_for_each(|batch| compare(format, batch, decode))?;
    let of = if format.has_srgb() { "linear" } else { "upper 8 of 11 bits" };
    let blocks = BATCHES * SIDE * SIDE;
    Ok(Some(format!("Decoder: Brickwork's ({of}), equal to that of {peer} in {blocks} random blocks")))
}

fn compare(format: BlockFormat, batch: u32, decode: Decode) -> Result<()> {
    let word = |i: u32| u64::from(hash(i, batch, 0)) << 32 | u64::from(hash(i, batch, 1));
    let words: Vec<_> = (0..SIDE * SIDE * format.block_bytes() as u32 / 8).map(word).collect();
    let blocks: &[u8] = bytemuck::cast_slice(&words);
    let side = 4 * SIDE;
    // The upper halves of 16 bits are the bytes of ETC2 and ASTC, and the upper 8 of EAC's 11 bits.
    let mut ours = vec![[0u16; 4]; side as usize * side as usize];
    let mut image = ImageViewMut::new(&mut ours[..], side, side)?;
    decode_into(format, blocks, RoundingRule::Real, &mut image, &Task::new())?;
    let theirs = decode(format, blocks, side, side)?;
    for (i, (ours, theirs)) in (0..).zip(ours.iter().zip(theirs.as_chunks::<4>().0)) {
        let ours = ours.map(|value| (value >> 8) as u8);
        let block = (i / side / 4 * SIDE + i % side / 4) as usize * format.block_bytes();
        let bytes = &blocks[block..][..format.block_bytes()];
        ensure!(ours == *theirs, "{format}, {bytes:02x?}: {ours:?}, but the peer decodes {theirs:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoders_agree_and_a_difference_is_found() {
        compare(BlockFormat::Astc(AstcFootprint::B4x4), 0, astc::decode).unwrap();
        etc::FORMATS.iter().for_each(|&format| compare(format, 0, etc::decode).unwrap());
        let wrong: Decode =
            |_, blocks, width, height| etc::decode(BlockFormat::EacR11Unorm, blocks, width, height);
        assert!(compare(BlockFormat::Etc2Rgb, 0, wrong).is_err());
        assert!(check(BlockFormat::Bc7).unwrap().is_none());
    }
}

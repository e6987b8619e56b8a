//! Blocks of one channel to values.

use super::ValueRule;

/// The 16 values of a block, row by row.
#[inline]
pub(crate) fn decode_channel(block: &[u8; 8], rule: &ValueRule) -> [u8; 16] {
    let palette = rule.palette(block[0], block[1]);
    let indices = u64::from_le_bytes(*block) >> 16;
    std::array::from_fn(|t| palette[(indices >> (3 * t)) as usize & 7])
}

/// A decoder of blocks that are `CHANNELS` blocks of one channel: red, then green; blue is 0, alpha 255.
pub(crate) fn decode_with<const CHANNELS: usize>(rule: ValueRule) -> crate::bc::codec::BlockDecoder {
    Box::new(move |block| {
        let blocks = block.as_chunks::<8>().0;
        let channels: [_; CHANNELS] = std::array::from_fn(|c| decode_channel(&blocks[c], &rule));
        std::array::from_fn(|t| {
            let mut texel = [0, 0, 0, 255];
            for (value, channel) in texel.iter_mut().zip(&channels) {
                *value = channel[t];
            }
            texel
        })
    })
}

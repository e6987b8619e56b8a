//! Batches of blocks: sources as values, and blocks of 16-bit sources.

use super::{encode::encode_batch, kind::Kind, pack::BatchBlocks};
use crate::{
    bc::{
        batch::{BATCH, BatchTexels},
        codec::RowEncoder,
    },
    etc::effort::Effort,
    simd::{AvailableLevel, Float, Int, Simd, dispatch},
};

/// Encodes the channel that starts at bit `bit` of the texels, for [`BATCH`] blocks.
#[inline(always)]
pub(crate) fn encode_bytes<S: Simd>(
    s: S,
    kind: &Kind,
    effort: Effort,
    texels: &BatchTexels,
    bit: u32,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    let mut targets = [[0; BATCH]; 16];
    let [scale, offset] = target_numbers(kind);
    let (scale, offset) = (s.f(scale), s.f(offset));
    for (texels, targets) in texels.iter().zip(&mut targets) {
        for first in (0..BATCH).step_by(S::LANES) {
            let source = s.load_i(&texels[first..]).shr_by(s.i(bit as i32)) & s.i(255);
            (source.to_f() * scale + offset).floor().to_i().store(&mut targets[first..]);
        }
    }
    encode_batch(s, kind, effort, &targets, visible, blocks);
}

/// Returns the scale and the offset of the sum that is `Kind::target` of a byte, rounded down. It is never as
/// close to an integer as the rounding of floats.
pub(super) fn target_numbers(kind: &Kind) -> [f32; 2] {
    let [least, greatest] = kind.range;
    [(greatest - least) as f32 / 255.0, least as f32 + 0.5]
}

/// Returns the function that encodes rows of 16-bit texels to blocks of `CHANNELS` channels.
pub(crate) fn deep<const CHANNELS: usize>(simd: AvailableLevel, kind: Kind, effort: Effort) -> RowEncoder {
    RowEncoder::Rgba16(Box::new(move |rows, blocks, task| {
        let blocks = blocks.as_chunks_mut::<8>().0.as_chunks_mut::<CHANNELS>().0;
        for (batch, blocks) in blocks.chunks_mut(BATCH).enumerate() {
            task.check()?;
            for channel in 0..CHANNELS {
                let (mut targets, mut visible) = ([[0; BATCH]; 16], [0xffff; BATCH]);
                for lane in 0..blocks.len() {
                    let column = batch * BATCH + lane;
                    visible[lane] = rows.visible_texels(column).into();
                    for (targets, texel) in targets.iter_mut().zip(rows.block(column)) {
                        targets[lane] = kind.target(texel[channel].into(), 65535);
                    }
                }
                let mut words = BatchBlocks::default();
                encode(simd, &kind, effort, &targets, &visible, &mut words);
                for (lane, block) in blocks.iter_mut().enumerate() {
                    block[channel] = bytes(&words, lane);
                }
            }
        }
        Ok(())
    }))
}

/// Returns the bytes of the block in this lane.
pub(crate) fn bytes(words: &BatchBlocks, lane: usize) -> [u8; 8] {
    (u64::from(words[0][lane] as u32) << 32 | u64::from(words[1][lane] as u32)).to_be_bytes()
}

#[allow(unsafe_code)]
pub(super) fn encode(
    level: AvailableLevel,
    kind: &Kind,
    effort: Effort,
    targets: &BatchTexels,
    visible: &[i32; BATCH],
    blocks: &mut BatchBlocks,
) {
    dispatch!(
        encoder level,
        encode_batch(
            kind: &Kind,
            effort: Effort,
            targets: &BatchTexels,
            visible: &[i32; BATCH],
            blocks: &mut BatchBlocks
        )
    );
}

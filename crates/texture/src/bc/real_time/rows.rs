//! Rows of blocks of an image: gathered into batches, encoded in lanes and scattered.

use super::{Format, Part, channel, colors};
use crate::{
    RealTime,
    bc::{
        batch::{BATCH, BatchTexels, Tile, tile, transposed},
        codec::RowEncoder,
    },
    simd::{AvailableLevel, Float, Int, Simd, dispatch},
};

/// Words of the halves of [`BATCH`] blocks.
type Halves = [[[i32; BATCH]; 2]; 2];

/// Settings that all blocks of an image share.
#[derive(Clone, Copy, Debug)]
struct Settings {
    parts: &'static [Part],
    level: RealTime,
    /// Texels with a lower alpha are transparent in BC1; 0 if there are none.
    alpha_threshold: u8,
}

/// Returns the encoder of a format.
pub(crate) fn rows(simd: AvailableLevel, format: Format, level: RealTime, alpha_threshold: u8) -> RowEncoder {
    let settings = Settings { parts: format.parts, level, alpha_threshold };
    RowEncoder::Rgba8(Box::new(move |rows, blocks, task| {
        let block_bytes = format.block_bytes();
        let columns = blocks.len() / block_bytes;
        let mut copied = [[[0; 4]; 4 * BATCH]; 4];
        for (first, blocks) in (0..columns).step_by(BATCH).zip(blocks.chunks_mut(BATCH * block_bytes)) {
            task.check()?;
            let count = blocks.len() / block_bytes;
            let mut halves = Halves::default();
            encode(simd, &settings, &tile(rows, first, count, &mut copied), &mut halves);
            match settings.parts.len() {
                1 => scatter::<1>(&halves, blocks),
                _ => scatter::<2>(&halves, blocks),
            }
        }
        Ok(())
    }))
}

/// Writes blocks of this number of halves.
fn scatter<const HALVES: usize>(halves: &Halves, blocks: &mut [u8]) {
    let blocks = blocks.as_chunks_mut::<4>().0.as_chunks_mut::<2>().0.as_chunks_mut::<HALVES>().0;
    for (lane, block) in blocks.iter_mut().enumerate() {
        for (words, half) in block.iter_mut().zip(halves) {
            *words = half.map(|words| words[lane].to_le_bytes());
        }
    }
}

#[inline(always)]
fn encode_tile<S: Simd>(s: S, settings: &Settings, tile: &Tile<'_>, halves: &mut Halves) {
    let texels = &transposed(s, tile);
    let &Settings { parts, level, alpha_threshold } = settings;
    for (part, half) in parts.iter().zip(halves) {
        match *part {
            Part::Colors => colors::encode_batch(s, level, 0, texels, half),
            Part::PunchedColors => colors::encode_batch(s, level, alpha_threshold, texels, half),
            Part::FourBits => encode_four_bits(s, texels, half),
            Part::Channel(kind, number) => {
                channel::encode_batch(s, level, kind, texels, 8 * number, half);
            }
        }
    }
}

/// Encodes alpha as the nearest 15ths.
#[inline(always)]
fn encode_four_bits<S: Simd>(s: S, texels: &BatchTexels, half: &mut [[i32; BATCH]; 2]) {
    for first in (0..BATCH).step_by(S::LANES) {
        for (texels, words) in texels.chunks_exact(8).zip(&mut *half) {
            let mut bits = s.i(0);
            for texels in texels.iter().rev() {
                let alpha = s.load_i(&texels[first..]).shr::<24>().to_f();
                // Half a step past the sum keeps the quotient away from integers.
                let nearest = ((alpha + s.f(8.5)) * s.f(1.0 / 17.0)).floor().to_i();
                bits = bits.shl::<4>() | nearest;
            }
            bits.store(&mut words[first..]);
        }
    }
}

#[allow(unsafe_code)]
fn encode(level: AvailableLevel, settings: &Settings, tile: &Tile<'_>, halves: &mut Halves) {
    dispatch!(encoder level, encode_tile(settings: &Settings, tile: &Tile<'_>, halves: &mut Halves));
}

//! Rows of blocks, encoded in lanes.

use super::{Format, Part, channel, colors};
use crate::{
    RealTime,
    bc::{
        batch::{BATCH, BatchTexels, BatchWords, Tile, encode_tiles, transposed},
        codec::RowEncoder,
    },
    simd::{AvailableLevel, Float, Int, Simd, dispatch},
};

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
        let encode = |tile: &Tile<'_>, _: &[i32; BATCH], words: &mut BatchWords| {
            encode(simd, &settings, tile, words);
        };
        match settings.parts.len() {
            1 => encode_tiles::<8>(rows, blocks, task, encode),
            _ => encode_tiles::<16>(rows, blocks, task, encode),
        }
    }))
}

#[inline(always)]
fn encode_tile<S: Simd>(s: S, settings: &Settings, tile: &Tile<'_>, words: &mut BatchWords) {
    let texels = &transposed(s, tile);
    let &Settings { parts, level, alpha_threshold } = settings;
    for (part, half) in parts.iter().zip(words.as_chunks_mut().0) {
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
fn encode(level: AvailableLevel, settings: &Settings, tile: &Tile<'_>, words: &mut BatchWords) {
    dispatch!(encoder level, encode_tile(settings: &Settings, tile: &Tile<'_>, words: &mut BatchWords));
}

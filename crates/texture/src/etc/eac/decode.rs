//! Decoding of channels to texels.
//!
//! To bytes, a value of 11 bits is rounded once, to the nearest byte. Other targets get the value itself.

use super::kind::Kind;
use crate::bc::codec::{RowDecoder, byte_rows, decode_row};

/// Opaque alpha.
const OPAQUE: u32 = 0xff00_0000;

/// Returns a function from a texel's index, row by row, to its index among the eight values.
#[inline(always)]
pub(crate) fn indices(block: u64) -> impl Fn(usize) -> usize {
    move |t| (block >> (45 - 3 * (t % 4 * 4 + t / 4))) as usize & 7
}

/// Returns the decoder of blocks of one or two channels, in 8 or 16 `BYTES`.
pub(crate) fn decoder<const BYTES: usize>(kind: Kind) -> RowDecoder {
    let bytes = byte_rows(move |block: &[u8; BYTES]| {
        let [red, green] = channels(block).map(|block| {
            let bytes = kind.palette(block).map(|value| u32::from(kind.byte(value)));
            let index = indices(block);
            move |t: usize| bytes[index(t)]
        });
        move |t| red(t) | if BYTES == 16 { green(t) << 8 } else { 0 } | OPAQUE
    });
    let floats = decode_row(move |block: &[u8; BYTES]| {
        let [red, green] = channels(block).map(|block| {
            let floats = kind.palette(block).map(|value| kind.float(value));
            let index = indices(block);
            move |t: usize| floats[index(t)]
        });
        move |t| [red(t), if BYTES == 16 { green(t) } else { 0.0 }, 0.0, 1.0]
    });
    RowDecoder::Real { bytes, floats }
}

/// Returns the channels of a block, the second one 0 if there is none.
#[inline(always)]
fn channels<const BYTES: usize>(block: &[u8; BYTES]) -> [u64; 2] {
    let channels = block.as_chunks().0;
    [0, 1].map(|c| channels.get(c).map_or(0, |&channel| u64::from_be_bytes(channel)))
}

//! Blocks of one colour, which mode 5 stores exactly.
//!
//! Endpoints of 7 bits widen to about every other value. Each remaining value is a third of the way between
//! two of them. Alpha has endpoints of 8 bits.

use super::{
    modes::weights,
    pack::{Choice, PackedPart, pack},
};

/// Index of every texel's colour.
const INDEX: u64 = 1;

/// Pair of 7-bit endpoints for each value, which is between them at [`INDEX`].
pub(crate) struct SingleColor([[u8; 2]; 256]);

impl SingleColor {
    pub fn new() -> Self {
        let mut ends = [[0; 2]; 256];
        let weight = u32::from(weights(2)[INDEX as usize]);
        let widened = |code: u8| u32::from(code << 1 | code >> 6);
        for a in 0..128 {
            for b in 0..128 {
                let value = (widened(a) * (64 - weight) + widened(b) * weight + 32) >> 6;
                ends[value as usize & 255] = [a, b];
            }
        }
        Self(ends)
    }

    /// Returns the endpoints for each value.
    #[cfg(feature = "gpu")]
    pub fn ends(&self) -> [[u8; 2]; 256] {
        self.0
    }

    /// Returns the block of a texel, red in the lowest byte.
    pub fn block(&self, texel: u32) -> [u8; 16] {
        let [r, g, b, alpha] = texel.to_le_bytes();
        let ends = [r, g, b].map(|value| self.0[usize::from(value)]);
        let color = PackedPart {
            ends: [0, 1].map(|end| u32::from_le_bytes([ends[0][end], ends[1][end], ends[2][end], 0])),
            indices: 0x1111_1111_1111_1111 * INDEX,
        };
        let alpha = PackedPart { ends: [u32::from(alpha); 2], indices: 0 };
        pack(Choice { mode: 5, ..Choice::default() }, &[color, alpha, PackedPart::default()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bc::bc7::decode_block;

    #[test]
    fn every_value_is_exact() {
        let single_color = SingleColor::new();
        for value in 0..=255u8 {
            let texel = [value, 255 - value, value ^ 0x55, value.wrapping_mul(7)];
            let block = single_color.block(u32::from_le_bytes(texel));
            assert_eq!(decode_block(&block), [texel; 16]);
        }
    }
}

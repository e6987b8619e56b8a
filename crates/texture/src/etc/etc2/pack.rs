//! Packing of modes and codes into the 8 bytes of a block.
//!
//! T, H and planar blocks are differential ones whose red, green or blue overflows. The bits that their codes
//! leave free are set so that exactly this channel overflows, and none before it.

/// Codes of a block, without its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codes {
    /// 4 bits per channel of each half. Tests only: lanes make such blocks.
    #[cfg(test)]
    Individual { colors: [[i32; 3]; 2], tables: [i32; 2], is_flipped: bool },
    /// 5 bits per channel; the second half is −4 to 3 from the first. Tests only.
    #[cfg(test)]
    Differential { colors: [[i32; 3]; 2], tables: [i32; 2], is_flipped: bool },
    /// 4 bits per channel.
    T { colors: [[i32; 3]; 2], distance: i32 },
    /// 4 bits per channel. The order of the colours is the lowest bit of `distance`.
    H { colors: [[i32; 3]; 2], distance: i32 },
    /// Origin, right and below, of 6, 7 and 6 bits.
    Planar { colors: [[i32; 3]; 3] },
}

/// True if the order of the colours of an H block means a distance with this lowest bit.
#[cfg(test)]
pub(crate) fn is_ordered(colors: [[i32; 3]; 2], distance: i32) -> bool {
    (colors[0] >= colors[1]) == (distance & 1 == 1)
}

impl Codes {
    /// Returns the block. The lower 32 bits are `indices`, which planar blocks do not have. If the format has
    /// 1-bit alpha, `is_opaque` becomes the bit of the individual mode, which it does not have.
    pub fn pack(&self, indices: u32, is_opaque: bool) -> u64 {
        let mode = u64::from(is_opaque) << 33;
        match *self {
            #[cfg(test)]
            Self::Individual { colors: [first, second], tables, is_flipped } => {
                let mut block = halves(tables, is_flipped) | u64::from(indices);
                for c in 0..3 {
                    block |= bits(first[c], 60 - 8 * c) | bits(second[c], 56 - 8 * c);
                }
                block
            }
            #[cfg(test)]
            Self::Differential { colors: [first, second], tables, is_flipped } => {
                let mut block = halves(tables, is_flipped) | mode | u64::from(indices);
                for c in 0..3 {
                    block |= bits(first[c], 59 - 8 * c) | bits((second[c] - first[c]) & 7, 56 - 8 * c);
                }
                block
            }
            Self::T { colors: [first, second], distance } => {
                let [red, green, blue] = first;
                let block = bits(red >> 2, 59) | bits(red & 3, 56) | bits(green, 52) | bits(blue, 48);
                let block = block | bits(second[0], 44) | bits(second[1], 40) | bits(second[2], 36);
                let block = block | bits(distance >> 1, 34) | bits(distance & 1, 32);
                overflowing(block, 56) | mode | u64::from(indices)
            }
            Self::H { colors: [first, second], distance } => {
                let [red, green, blue] = first;
                let block = bits(red, 59) | bits(green >> 1, 56) | bits(green & 1, 52);
                let block = block | bits(blue >> 3, 51) | bits(blue & 7, 47);
                let block = block | bits(second[0], 43) | bits(second[1], 39) | bits(second[2], 35);
                let block = block | bits(distance >> 2, 34) | bits(distance >> 1 & 1, 32);
                let block = overflowing(block, 48);
                staying(block, 56) | mode | u64::from(indices)
            }
            Self::Planar { colors: [origin, right, below] } => {
                let block = bits(origin[0], 57) | bits(origin[1] >> 6, 56) | bits(origin[1] & 63, 49);
                let block = block | bits(origin[2] >> 5, 48) | bits(origin[2] >> 3 & 3, 43);
                let block =
                    block | bits(origin[2] & 7, 39) | bits(right[0] >> 1, 34) | bits(right[0] & 1, 32);
                let block = block | bits(right[1], 25) | bits(right[2], 19);
                let block = block | bits(below[0], 13) | bits(below[1], 6) | bits(below[2], 0);
                let block = overflowing(block, 40);
                staying(staying(block, 56), 48) | 1 << 33
            }
        }
    }
}

fn bits(code: i32, shift: usize) -> u64 {
    (code as u64) << shift
}

/// Returns the bits of halves: tables and direction.
#[cfg(test)]
fn halves(tables: [i32; 2], is_flipped: bool) -> u64 {
    bits(tables[0], 37) | bits(tables[1], 34) | u64::from(is_flipped) << 32
}

/// Returns the block with the byte at `shift` completed so that its channel overflows. The byte is a code of
/// 5 bits and a signed difference of 3. Bits 7, 6, 5 and 2 are free.
fn overflowing(block: u64, shift: u32) -> u64 {
    let (code, difference) = (block >> (shift + 3) & 3, block >> shift & 3);
    // Either the code is at most 3 and the difference negative, or the code is at least 28.
    let free = if code + difference < 4 { 0b0000_0100 } else { 0b1110_0000 };
    block | free << shift
}

/// Returns the block with the free bit 7 of the byte at `shift` set so that its channel does not overflow.
fn staying(block: u64, shift: u32) -> u64 {
    // A negative difference needs a large code, another one a small code.
    block | (block >> (shift + 2) & 1) << (shift + 7)
}

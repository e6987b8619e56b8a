//! RBUC with eight children per node (section 3.4): 64 values to bytes and back.
//!
//! Layout: one byte whose low four bits are c2 (the upper four are the caller's); c2 bytes with eight widths
//! c1 of c2 bits; eight groups of c1 bytes with eight values of c1 bits. Every part starts at a byte.
//!
//! The paper prints c1 = ⌈log2(max)⌉, which cannot hold powers of two; it is ⌈log2(max + 1)⌉ here.

use crate::bits::get;

/// Most bits of a code that are read. No encoder writes more than 36: 32-bit voxels, three bits for the Haar
/// transform and one for the sign.
pub const MOST_WIDTH: u32 = 40;

/// Most bits of such a width.
pub const MOST_OF_WIDTH: u32 = 6;

/// Values in Morton order: eight groups of eight.
pub type Codes = [u64; 64];

/// Returns the widths of the groups, and the width of the widths, from the start of `bytes`; `None` if the
/// bytes end too soon or no encoder writes them.
fn read_widths(bytes: &[u8]) -> Option<([u32; 8], u32)> {
    let (&first, rest) = bytes.split_first()?;
    let c2 = u32::from(first & 15);
    if c2 > MOST_OF_WIDTH {
        return None;
    }
    let widths: [u32; 8] = std::array::from_fn(|i| get(rest, i as u64 * u64::from(c2), c2));
    let sum: u32 = widths.iter().sum();
    (widths.iter().all(|&c1| c1 <= MOST_WIDTH) && rest.len() >= (c2 + sum) as usize).then_some((widths, c2))
}

/// Returns the number of `bytes` that [`decode`] reads; `None` in the same cases.
pub fn coded_bytes(bytes: &[u8]) -> Option<usize> {
    let (widths, c2) = read_widths(bytes)?;
    Some((1 + c2 + widths.iter().sum::<u32>()) as usize)
}

/// Reads the output of `encode` from the start of `bytes`; `None` if it ends too soon or no encoder writes
/// it.
pub fn decode(bytes: &[u8]) -> Option<(Codes, u8)> {
    let (widths, c2) = read_widths(bytes)?;
    let (first, rest) = bytes.split_first()?;
    let mut values = [0; 64];
    let mut position = u64::from(8 * c2);
    for (c1, group) in widths.iter().zip(values.as_chunks_mut::<8>().0) {
        for value in group {
            let low = (*c1).min(32);
            *value = u64::from(get(rest, position, low));
            *value |= u64::from(get(rest, position + u64::from(low), c1 - low)) << low;
            position += u64::from(*c1);
        }
    }
    Some((values, first >> 4))
}

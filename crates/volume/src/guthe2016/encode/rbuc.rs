//! Values to RBUC: see [`super::super::rbuc`] for its layout.

use super::super::rbuc::Codes;
use crate::bits::{BitWriter, width};

/// Returns the number of bytes that [`encode`] writes.
pub fn byte_count(values: &Codes) -> usize {
    let (widths, c2) = widths(values);
    1 + c2 as usize + widths.iter().sum::<u32>() as usize
}

/// Returns the widths of the groups, and the width of the widths.
fn widths(values: &Codes) -> ([u32; 8], u32) {
    let mut widths = [0; 8];
    for (c1, group) in widths.iter_mut().zip(values.as_chunks::<8>().0) {
        let union = group.iter().fold(0, |union, value| union | value);
        *c1 = u64::BITS - union.leading_zeros();
    }
    let c2 = width(widths.iter().fold(0, |union, c1| union | c1));
    (widths, c2)
}

/// Appends `values` to `out`, with `tag` (below 16) in the first byte's upper bits.
pub fn encode(values: &Codes, tag: u8, out: &mut Vec<u8>) {
    let (widths, c2) = widths(values);
    out.push(tag << 4 | c2 as u8);
    let mut writer = BitWriter::append(out);
    for c1 in widths {
        writer.put(c1, c2);
    }
    for (c1, group) in widths.iter().zip(values.as_chunks::<8>().0) {
        for value in group {
            let low = (*c1).min(32);
            writer.put((value & ((1 << low) - 1)) as u32, low);
            writer.put(value.checked_shr(low).unwrap_or(0) as u32, c1 - low);
        }
    }
    writer.align();
}

#[cfg(test)]
mod tests {
    use super::{super::super::rbuc::decode, *};

    #[test]
    fn powers_of_two_come_back() {
        for max in [0, 1, 2, 7, 8, 255, 256, u64::from(u32::MAX), 1 << 35] {
            let mut values = [0; 64];
            values[9] = max;
            values[63] = max / 3;
            let mut bytes = Vec::new();
            encode(&values, 3, &mut bytes);
            assert_eq!(bytes.len(), byte_count(&values));
            assert_eq!(decode(&bytes), Some((values, 3)));
            assert!(decode(&bytes[..bytes.len() - 1]).is_none());
        }
    }
}

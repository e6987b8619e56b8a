//! Numbers of fewer than 8 bits, several in a byte.

/// Unpacks rows of `width` numbers of 1, 2 or 4 bits, the highest bits of a byte first. Each row starts
/// at a new byte.
pub fn unpack_bits(packed: &[u8], bits: u8, width: usize, numbers: &mut [u8]) {
    let (bits, mask) = (usize::from(bits), (1u8 << bits) - 1);
    let rows = packed.chunks_exact((width * bits).div_ceil(8));
    for (row, numbers) in rows.zip(numbers.chunks_exact_mut(width)) {
        for (x, number) in numbers.iter_mut().enumerate() {
            *number = row[x * bits / 8] >> (8 - bits - x * bits % 8) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unpack_bits;

    #[test]
    fn rows_start_at_bytes() {
        let mut numbers = [9; 10];
        unpack_bits(&[0b1010_0110, 0b1111_1111, 0b0101_1001, 0], 2, 5, &mut numbers);
        assert_eq!(numbers, [2, 2, 1, 2, 3, 1, 1, 2, 1, 0]);
        let mut numbers = [9; 3];
        unpack_bits(&[0x1e, 0x70], 4, 3, &mut numbers);
        assert_eq!(numbers, [1, 14, 7]);
    }
}

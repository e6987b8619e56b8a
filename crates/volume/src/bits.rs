//! Bits in bytes, least significant first.

/// Writes numbers of 0 to 64 bits one after the other, the least significant bit first.
pub(crate) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    pending: u64,
    pending_bits: u32,
}

impl<'a> BitWriter<'a> {
    /// Appends to `bytes`. A last partial byte is lost unless [`align`](Self::align) is called at the end.
    pub fn append(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, pending: 0, pending_bits: 0 }
    }

    /// Appends the `bits` (0 to 64) low bits of `value`, whose other bits must be zero.
    #[inline(always)]
    pub fn put(&mut self, value: impl Into<u64>, bits: u32) {
        let value = value.into();
        debug_assert!(bits >= 64 || value < 1 << bits);
        self.pending |= value << self.pending_bits;
        let sum = self.pending_bits + bits;
        if sum >= 64 {
            self.bytes.extend_from_slice(&self.pending.to_le_bytes());
            // The bits that did not fit; all of them fit if nothing was pending.
            self.pending = value.checked_shr(64 - self.pending_bits).unwrap_or(0);
            self.pending_bits = sum - 64;
        } else {
            self.pending_bits = sum;
        }
    }

    /// Pads the last byte with zeros and writes all pending bits.
    pub fn align(&mut self) {
        let count = self.pending_bits.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..count]);
        self.pending = 0;
        self.pending_bits = 0;
    }
}

/// Returns `bits` (0 to 32) bits from bit `position` on. Bits past the end are zero.
pub(crate) fn get(bytes: &[u8], position: u64, bits: u32) -> u32 {
    debug_assert!(bits <= 32);
    let start = usize::try_from(position / 8).unwrap_or(usize::MAX).min(bytes.len());
    let mut window = [0; 8];
    let count = (bytes.len() - start).min(8);
    window[..count].copy_from_slice(&bytes[start..start + count]);
    let word = u64::from_le_bytes(window) >> (position % 8);
    (word & ((1u64 << bits) - 1)) as u32
}

/// Returns the number of bits needed for `value`: 0 for 0, 32 for `u32::MAX`.
pub(crate) const fn width(value: u32) -> u32 {
    u32::BITS - value.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let values: [(u32, u32); 7] =
            [(0, 0), (1, 1), (0x1234_5678, 32), (5, 3), (0, 7), (u32::MAX, 32), (1023, 10)];
        let mut bytes = Vec::new();
        let mut writer = BitWriter::append(&mut bytes);
        for (value, bits) in values {
            writer.put(value, bits);
        }
        writer.align();
        let mut position = 0;
        for (value, bits) in values {
            assert_eq!(get(&bytes, position, bits), value);
            position += u64::from(bits);
        }
        assert_eq!(bytes.len() as u64, position.div_ceil(8));
        assert_eq!(get(&bytes, 10_000, 32), 0);
    }

    #[test]
    fn widths() {
        assert_eq!([0, 1, 2, 3, 4, 255, 256, u32::MAX].map(width), [0, 1, 2, 2, 3, 8, 9, 32]);
    }
}

//! Random numbers for tests.

/// Generator xorshift64*. The seed is not 0.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below 2^`bits`.
    pub fn bits(&mut self, bits: u32) -> i32 {
        (self.next() >> (64 - bits)) as i32
    }
}

//! The bits of a scan: a byte after 0xff has seven (A.1).

use crate::{FormatError, JpegFault};

pub struct Bits<'a> {
    data: &'a [u8],
    /// The next bits, in the lowest `count`.
    cache: u64,
    count: u32,
    is_after_ff: bool,
}

impl<'a> Bits<'a> {
    /// Reads `data`, which has no marker.
    pub const fn new(data: &'a [u8]) -> Self {
        Self { data, cache: 0, count: 0, is_after_ff: false }
    }

    fn fill(&mut self) {
        while self.count <= 56
            && let Some((&byte, rest)) = self.data.split_first()
        {
            let bits = if self.is_after_ff { 7 } else { 8 };
            self.cache = self.cache << bits | u64::from(byte);
            self.count += bits;
            self.is_after_ff = byte == 0xff;
            self.data = rest;
        }
    }

    /// Returns the next `count` bits, at most 32.
    pub fn take(&mut self, count: u32) -> Result<i32, FormatError> {
        if self.count < count {
            self.fill();
        }
        if self.count < count {
            return Err(JpegFault::DataEnd.into());
        }
        self.count -= count;
        Ok((self.cache >> self.count & ((1 << count) - 1)) as i32)
    }

    /// Reads zeros and the one after them, or `most` zeros. Returns the number of zeros.
    pub fn zeros(&mut self, most: u32) -> Result<u32, FormatError> {
        let mut zeros = 0;
        while zeros < most {
            if self.count == 0 {
                self.fill();
            }
            if self.count == 0 {
                return Err(JpegFault::DataEnd.into());
            }
            let present = self.count.min(most - zeros);
            let next = (self.cache << (64 - self.count)).leading_zeros().min(present);
            zeros += next;
            self.count -= next;
            if next < present {
                self.count -= 1;
                return Ok(zeros);
            }
        }
        Ok(zeros)
    }
}

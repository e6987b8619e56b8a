//! Huffman codes, and the bits that contain them.

use crate::{FormatError, JpegFault};

/// Symbol at the start of each 16-bit sequence, and the symbol's length in bits; 0 if there is none.
pub struct Table(Vec<(u8, u8)>);

impl Table {
    /// Builds the table (Annex C).
    pub fn new(counts: &[u8; 16], symbols: &[u8]) -> Result<Self, FormatError> {
        let mut entries = Vec::with_capacity(1 << 16);
        let mut symbols = symbols.iter();
        for (length, &count) in (1u8..).zip(counts) {
            for &symbol in symbols.by_ref().take(count.into()) {
                if symbol > 16 {
                    return Err(JpegFault::Table.into());
                }
                entries.resize(entries.len() + (1 << (16 - length)), (symbol, length));
            }
            if entries.len() > 1 << 16 {
                return Err(JpegFault::Table.into());
            }
        }
        entries.resize(1 << 16, (0, 0));
        Ok(Self(entries))
    }
}

/// Reader of a scan's bits, the most significant bit of a byte first.
pub struct Bits<'a> {
    data: &'a [u8],
    at: usize,
    /// Bits taken from the data but not yet used, at the top; zeros below them.
    word: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub const fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0, word: 0, count: 0 }
    }

    /// Takes bytes while they fit, up to the next marker.
    fn fill(&mut self) {
        while self.count <= 56 {
            let byte = match self.data.get(self.at) {
                Some(0xff) if self.data.get(self.at + 1) == Some(&0) => {
                    self.at += 1;
                    0xff
                }
                None | Some(0xff) => return,
                Some(&byte) => byte,
            };
            self.at += 1;
            self.word |= u64::from(byte) << (56 - self.count);
            self.count += 8;
        }
    }

    fn skip(&mut self, count: u32) -> Result<(), FormatError> {
        if count > self.count {
            return Err(JpegFault::DataEnd.into());
        }
        self.word <<= count;
        self.count -= count;
        Ok(())
    }

    /// Reads the next difference (H.1.2.2).
    pub fn difference(&mut self, table: &Table) -> Result<i32, FormatError> {
        if self.count < 32 {
            self.fill();
        }
        let (width, length) = table.0[(self.word >> 48) as usize];
        if length == 0 {
            return Err(JpegFault::Code.into());
        }
        self.skip(length.into())?;
        let width = u32::from(width);
        match width {
            0 => Ok(0),
            16 => Ok(1 << 15),
            _ => {
                let value = (self.word >> (64 - width)) as i32;
                self.skip(width)?;
                // A first bit of 0 denotes a negative number.
                Ok(if value >> (width - 1) == 0 { value + 1 - (1 << width) } else { value })
            }
        }
    }

    /// Skips a restart marker.
    pub fn restart(&mut self) -> Result<(), FormatError> {
        let at = self.end();
        let Some(&[0xff, 0xd0..=0xd7]) = self.data.get(at..at + 2) else {
            return Err(JpegFault::NoRestart.into());
        };
        (self.at, self.word, self.count) = (at + 2, 0, 0);
        Ok(())
    }

    /// Returns the position of the next marker.
    pub fn end(&self) -> usize {
        let rest = &self.data[self.at..];
        let marker = rest.windows(2).position(|pair| pair[0] == 0xff && !matches!(pair[1], 0 | 0xff));
        self.at + marker.unwrap_or(rest.len())
    }
}

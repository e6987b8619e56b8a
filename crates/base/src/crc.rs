//! CRCs by tables, eight bytes at a time, for WebAssembly, which has no instructions for them. The tables are
//! made when they are first needed: those of other crates would be 24 KB of a module, which no compression
//! makes smaller.

use std::sync::LazyLock;

/// The CRC of each byte, followed by 0 to 7 zero bytes.
type Tables = [[u32; 256]; 8];

static CASTAGNOLI: LazyLock<Tables> = LazyLock::new(|| tables(0x82f6_3b78));
static GZIP: LazyLock<Tables> = LazyLock::new(|| tables(0xedb8_8320));

/// Returns the tables of a polynomial. Its highest power is the lowest bit.
fn tables(polynomial: u32) -> Tables {
    let mut tables = [[0; 256]; 8];
    for (crc, byte) in tables[0].iter_mut().zip(0u32..) {
        *crc = (0..8).fold(byte, |crc, _| (crc >> 1) ^ (polynomial & (crc & 1).wrapping_neg()));
    }
    for zeros in 1..8 {
        tables[zeros] = tables[zeros - 1].map(|crc| (crc >> 8) ^ tables[0][crc as usize & 0xff]);
    }
    tables
}

/// Returns the CRC of bytes that follow others with the CRC `crc`.
fn append(tables: &Tables, crc: u32, bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut crc = !crc;
    for word in words {
        let word = u64::from_le_bytes(*word) ^ u64::from(crc);
        crc = (0..8).fold(0, |crc, i| crc ^ tables[7 - i][(word >> (8 * i)) as usize & 0xff]);
    }
    for &byte in rest {
        crc = (crc >> 8) ^ tables[0][(crc as usize & 0xff) ^ usize::from(byte)];
    }
    !crc
}

/// Returns the CRC-32C of bytes.
pub fn crc32c(bytes: &[u8]) -> u32 {
    crc32c_append(0, bytes)
}

/// Returns the CRC-32C of bytes that follow others with the CRC `crc`.
pub fn crc32c_append(crc: u32, bytes: &[u8]) -> u32 {
    append(&CASTAGNOLI, crc, bytes)
}

/// CRC-32, as of gzip, of bytes that come in pieces. It has the functions of flate2's `Crc`.
#[derive(Debug, Default)]
pub struct Crc {
    crc: u32,
    byte_count: u32,
}

impl Crc {
    /// Returns the CRC of no bytes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.crc = append(&GZIP, self.crc, bytes);
        self.byte_count = self.byte_count.wrapping_add(bytes.len() as u32);
    }

    /// Returns the CRC.
    pub fn sum(&self) -> u32 {
        self.crc
    }

    /// Returns the number of bytes, modulo 2³².
    pub fn amount(&self) -> u32 {
        self.byte_count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_other_crates() {
        let bytes: Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        for (start, end) in [(0, 0), (0, 1), (3, 10), (3, 11), (0, 1000), (7, 998)] {
            let part = &bytes[start..end];
            assert_eq!(crc32c(part), ::crc32c::crc32c(part), "{start}..{end}");
            let after = crc32c_append(crc32c(&bytes[..start]), part);
            assert_eq!(after, ::crc32c::crc32c(&bytes[..end]), "{start}..{end}");
        }
        let (mut crc, mut expected) = (Crc::new(), flate2::Crc::new());
        for piece in bytes.chunks(77) {
            crc.update(piece);
            expected.update(piece);
            assert_eq!((crc.sum(), crc.amount()), (expected.sum(), expected.amount()));
        }
    }
}

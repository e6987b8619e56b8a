//! Entropy-coded bits and Huffman codes of JPEG files (ITU-T T.81, annexes C and F).

use super::super::tracked_reader::TrackedReader;
use std::io::{self, Read};

pub(super) enum Fault {
    Damage,
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Damage,
            _ => Self::Io(error),
        }
    }
}

/// Bytes of the file.
pub(super) struct Bytes<'a, 'b> {
    source: &'a mut TrackedReader<'b>,
    buffer: Vec<u8>,
    at: usize,
}

impl<'a, 'b> Bytes<'a, 'b> {
    pub fn new(source: &'a mut TrackedReader<'b>) -> Self {
        Self { source, buffer: Vec::new(), at: 0 }
    }

    fn position(&self) -> u64 {
        self.source.position() - (self.buffer.len() - self.at) as u64
    }

    fn peek(&mut self) -> io::Result<u8> {
        if self.at == self.buffer.len() {
            // The last byte stays: callers may step back by one.
            let last = self.buffer.last().copied();
            self.buffer.clear();
            self.buffer.extend(last);
            self.at = self.buffer.len();
            self.source.by_ref().take(1 << 16).read_to_end(&mut self.buffer)?;
        }
        self.buffer.get(self.at).copied().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Returns the next byte; `None` at the end of the file.
    fn peek_if_any(&mut self) -> io::Result<Option<u8>> {
        match self.peek() {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            byte => byte.map(Some),
        }
    }

    fn next(&mut self) -> io::Result<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    /// Skips all bytes up to and including the next marker, and returns that marker.
    pub fn marker(&mut self) -> io::Result<u8> {
        loop {
            while self.next()? != 0xff {}
            let mut marker = self.next()?;
            while marker == 0xff {
                marker = self.next()?;
            }
            if marker != 0 {
                return Ok(marker);
            }
        }
    }

    /// Reads the segment of a marker, without its length.
    pub fn segment(&mut self) -> io::Result<Vec<u8>> {
        let length = u16::from_be_bytes([self.next()?, self.next()?]);
        (2..length).map(|_| self.next()).collect()
    }
}

/// Entropy-coded bits.
pub(super) struct Data<'a, 'b> {
    pub bytes: Bytes<'a, 'b>,
    /// Bits that are read next, from the highest on. The lower ones are 0.
    bits: u64,
    bit_count: u32,
}

impl<'a, 'b> Data<'a, 'b> {
    pub fn new(bytes: Bytes<'a, 'b>) -> Self {
        Self { bytes, bits: 0, bit_count: 0 }
    }

    /// Returns the position of the next bit in bytes. Zeros stuffed after 0xff count only if they are behind
    /// the bits that were read ahead.
    pub fn position(&self) -> u64 {
        self.bytes.position() - u64::from(self.bit_count / 8)
    }

    /// Leaves out the bits that were read ahead. The next bits start at a byte.
    pub fn forget_bits(&mut self) {
        (self.bits, self.bit_count) = (0, 0);
    }

    /// Reads bytes until at least 57 bits are there, or a marker or the end of the file follows.
    fn fill(&mut self) -> Result<(), Fault> {
        while self.bit_count <= 56 {
            let byte = match self.bytes.peek() {
                Ok(byte) => byte,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            self.bytes.at += 1;
            if byte == 0xff {
                match self.bytes.peek() {
                    Ok(0) => self.bytes.at += 1,
                    Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
                    _ => {
                        self.bytes.at -= 1;
                        return Ok(());
                    }
                }
            }
            self.bits |= u64::from(byte) << (56 - self.bit_count);
            self.bit_count += 8;
        }
        Ok(())
    }

    /// Reads up to 16 bits.
    pub fn number(&mut self, bit_count: u32) -> Result<u32, Fault> {
        if self.bit_count < bit_count {
            self.fill()?;
        }
        self.bit_count = self.bit_count.checked_sub(bit_count).ok_or(Fault::Damage)?;
        let value = (self.bits >> 48) as u32 >> (16 - bit_count);
        self.bits <<= bit_count;
        Ok(value)
    }

    pub fn bit(&mut self) -> Result<u32, Fault> {
        self.number(1)
    }

    pub fn symbol(&mut self, code: &Code) -> Result<u8, Fault> {
        if self.bit_count < 16 {
            self.fill()?;
        }
        let next = (self.bits >> 48) as u32;
        let [length, symbol] = match code.short.get((next >> (16 - SHORT_BITS)) as usize) {
            Some(&entry) if entry[0] > 0 => entry,
            _ => code.long(next).ok_or(Fault::Damage)?,
        };
        self.number(length.into())?;
        Ok(symbol)
    }

    /// Returns the number of bytes from here to the next marker or the end of the file, and forgets the bits.
    pub fn extra_bytes(&mut self) -> io::Result<u64> {
        let mut count = u64::from(self.bit_count / 8);
        self.forget_bits();
        loop {
            let Some(byte) = self.bytes.peek_if_any()? else { return Ok(count) };
            if byte == 0xff {
                self.bytes.at += 1;
                if self.bytes.peek_if_any()? != Some(0) {
                    self.bytes.at -= 1;
                    return Ok(count);
                }
            }
            self.bytes.at += 1;
            count += 1;
        }
    }
}

/// Maximum length of the codes that are looked up in one table. It holds most symbols of a file.
const SHORT_BITS: u32 = 9;

/// A Huffman code.
#[derive(Clone, Default)]
pub(super) struct Code {
    /// For each length: first code, number of codes, and index of the first symbol.
    lengths: [(u32, u32, u32); 16],
    symbols: Vec<u8>,
    /// Length and symbol of the code with which [`SHORT_BITS`] bits start; length 0 if it is longer.
    short: Vec<[u8; 2]>,
}

impl Code {
    pub fn new(counts: &[u8; 16], symbols: &[u8]) -> Self {
        let mut code = Self { lengths: [(0, 0, 0); 16], symbols: symbols.to_vec(), short: Vec::new() };
        let (mut first, mut index) = (0, 0);
        for (length, &count) in code.lengths.iter_mut().zip(counts) {
            *length = (first, count.into(), index);
            first = (first + u32::from(count)) << 1;
            index += u32::from(count);
        }
        let entry = |bits: u32| {
            code.long(bits << (16 - SHORT_BITS)).filter(|[length, _]| u32::from(*length) <= SHORT_BITS)
        };
        code.short = (0..1 << SHORT_BITS).map(|bits| entry(bits).unwrap_or_default()).collect();
        code
    }

    /// Returns length and symbol of the code with which 16 bits start.
    fn long(&self, bits: u32) -> Option<[u8; 2]> {
        for (length, &(first, count, index)) in (1..).zip(&self.lengths) {
            let value = bits >> (16 - length);
            if value >= first && value - first < count {
                return Some([length as u8, self.symbols[(index + value - first) as usize]]);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes of annex K.3.3.1, table K.3, and a code of 16 bits.
    #[test]
    fn short_and_long_codes_are_found() {
        let counts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        let symbols: Vec<u8> = (0..19).collect();
        let code = Code::new(&counts, &symbols);
        for (bits, length, symbol) in [
            (0, 2, 0),
            (0b010, 3, 1),
            (0b110, 3, 5),
            (0b1110, 4, 6),
            (0b1_1111_1110, 9, 11),
            (0xfffe, 16, 18),
        ] {
            let next = bits << (16 - length);
            assert_eq!(code.long(next), Some([length as u8, symbol]));
            let expected = if length <= SHORT_BITS { [length as u8, symbol] } else { [0, 0] };
            assert_eq!(code.short[(next >> (16 - SHORT_BITS)) as usize], expected);
        }
        assert_eq!(code.long(0xffff), None);
    }
}

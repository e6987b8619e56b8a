//! Rows of DDS files with padding at their ends.

use crate::container::dds_header::RawHeader;
use std::io::{self, Read};

/// Lengths of rows, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// Bytes of texels in a row.
    pub row_bytes: u64,
    /// Bytes of padding after each row.
    pub padding_bytes: u64,
}

impl Rows {
    /// Returns the rows of the largest mip level. `data_bytes` is the length of the file after the header.
    pub fn of(header: &RawHeader, texel_bytes: u64, data_bytes: u64) -> Self {
        let level = |level: u32| {
            let side = |side: u32| u64::from((side >> level).max(1));
            side(header.width).saturating_mul(side(header.height)).saturating_mul(texel_bytes)
        };
        let tight_bytes = (0..header.mip_levels.clamp(1, 32)).map(level).fold(0u64, u64::saturating_add);
        let row_bytes = u64::from(header.width) * texel_bytes;
        Self { row_bytes, padding_bytes: header.padding_bytes(row_bytes, tight_bytes, data_bytes) }
    }

    /// Returns a reader that yields only the texels.
    pub fn reader<R: Read>(self, inner: R) -> RowReader<R> {
        RowReader { inner, rows: self, left: self.row_bytes }
    }
}

/// A reader that skips the padding of rows.
pub(super) struct RowReader<R> {
    inner: R,
    rows: Rows,
    /// Number of unread bytes in the current row.
    left: u64,
}

impl<R: Read> Read for RowReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rows.padding_bytes == 0 || buffer.is_empty() {
            return self.inner.read(buffer);
        }
        if self.left == 0 {
            let padding = io::copy(&mut self.inner.by_ref().take(self.rows.padding_bytes), &mut io::sink())?;
            if padding < self.rows.padding_bytes {
                return Ok(0);
            }
            self.left = self.rows.row_bytes;
        }
        let count = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.inner.read(&mut buffer[..count])?;
        self.left -= count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::dds_header::flags;

    #[test]
    fn padding_is_left_out() {
        let rows = Rows { row_bytes: 3, padding_bytes: 2 };
        let mut texels = Vec::new();
        rows.reader(&b"abc..def..gh"[..]).read_to_end(&mut texels).unwrap();
        assert_eq!(texels, b"abcdefgh");
    }

    #[test]
    fn a_pitch_counts_if_the_file_is_as_long() {
        let mut words = [0u32; 31];
        [words[1], words[2], words[3], words[4], words[6]] = [flags::PITCH, 8, 11, 36, 2];
        let padding = |words: &[u32; 31], data| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            Rows::of(&RawHeader::read(&bytes).unwrap(), 3, data).padding_bytes
        };
        assert_eq!(padding(&words, 288), 3);
        // Two mip levels without padding are as long as the first one with padding.
        assert_eq!(padding(&words, 264 + 60), 0);
        assert_eq!(padding(&words, 6 * (264 + 60)), 0);
        assert_eq!(padding(&words, 287), 0);
        words[1] = 0;
        assert_eq!(padding(&words, 288), 0);
    }
}

//! Rows of DDS files with padding at their ends.
//!
//! The header's pitch is the length of a row, but many writers set it wrong. It applies only if the file is
//! long enough for such rows, and if it is not exactly as long as whole layers without padding.

use std::io::{self, Read};

/// Maximum padding of a row that is accepted, in bytes.
const MAX_PADDING_BYTES: u64 = 4096;

/// `DDSD_PITCH`, in `dwFlags` at byte 8.
const PITCH: u32 = 8;

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
    pub fn of(
        header: &[u8; 128],
        row_bytes: u64,
        texel_bytes: u64,
        [width, height]: [u64; 2],
        data_bytes: u64,
    ) -> Self {
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let level = |level: u32| {
            let side = |side: u64| (side >> level).max(1);
            side(width).saturating_mul(side(height)).saturating_mul(texel_bytes)
        };
        let tight_bytes = (0..word(28).clamp(1, 32)).map(level).fold(0u64, u64::saturating_add);
        let pitch = u64::from(word(20));
        let padding_bytes = pitch.saturating_sub(row_bytes);
        let is_padded = word(8) & PITCH != 0
            && padding_bytes <= MAX_PADDING_BYTES
            && !data_bytes.is_multiple_of(tight_bytes)
            && pitch.saturating_mul(height) <= data_bytes;
        Self { row_bytes, padding_bytes: if is_padded { padding_bytes } else { 0 } }
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

    #[test]
    fn padding_is_left_out() {
        let rows = Rows { row_bytes: 3, padding_bytes: 2 };
        let mut texels = Vec::new();
        rows.reader(&b"abc..def..gh"[..]).read_to_end(&mut texels).unwrap();
        assert_eq!(texels, b"abcdefgh");
    }

    #[test]
    fn a_pitch_counts_if_the_file_is_as_long() {
        let mut header = [0; 128];
        header[8] = 8;
        header[20] = 36;
        header[28] = 2;
        let padding = |header: &[u8; 128], data| Rows::of(header, 33, 3, [11, 8], data).padding_bytes;
        assert_eq!(padding(&header, 288), 3);
        // Two mip levels without padding are as long as the first one with padding.
        assert_eq!(padding(&header, 264 + 60), 0);
        assert_eq!(padding(&header, 6 * (264 + 60)), 0);
        assert_eq!(padding(&header, 287), 0);
        header[8] = 0;
        assert_eq!(padding(&header, 288), 0);
    }
}

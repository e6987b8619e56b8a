//! Superblocks in sequence, in pieces that a GPU can bind.

use super::superblock::{PackedSuperblock, Record};
use crate::{VolumeReadError, brick::PADDING};

/// The bytes of a volume's superblocks.
#[derive(Debug)]
pub(super) struct Pages {
    /// Each is whole words, of which the last are zeros for readers that read ahead.
    pub pages: Vec<Vec<u8>>,
    most_bytes: usize,
}

/// Minimum size of a page. (One superblock always fits: if it takes more, its page is larger.)
pub(super) const MIN_PAGE_BYTES: usize = 4 << 10;

/// Zeros at the end of a page.
pub(super) const TAIL: usize = PADDING.next_multiple_of(4);

impl Pages {
    /// Creates an empty list, for pages of at most `most_bytes`, but not less than [`MIN_PAGE_BYTES`].
    pub fn new(most_bytes: usize) -> Self {
        // A record's base is a 32-bit number of words, a place within a page one of bytes.
        let most_bytes = most_bytes.clamp(MIN_PAGE_BYTES, u32::MAX as usize) / 4 * 4;
        Self { pages: Vec::new(), most_bytes }
    }

    /// Appends a superblock and returns where it is.
    pub fn push(&mut self, superblock: &PackedSuperblock) -> Result<Record, VolumeReadError> {
        let (widths, bytes) = match superblock {
            PackedSuperblock::Constant(value) => return Ok(Record::constant(*value)),
            PackedSuperblock::Bricks { widths, bytes } => (*widths, bytes),
        };
        let is_full = |page: &Vec<u8>| page.len() + bytes.len() + TAIL > self.most_bytes;
        if self.pages.last().is_none_or(is_full) {
            if let Some(last) = self.pages.last_mut() {
                last.resize(last.len() + TAIL, 0);
            }
            if self.pages.len() == Record::MAX_PAGES {
                return Err(VolumeReadError::Memory(self.byte_count() as u64));
            }
            self.pages.push(Vec::new());
        }
        let number = self.pages.len() - 1;
        let page = &mut self.pages[number];
        page.try_reserve(bytes.len() + TAIL).map_err(|_| VolumeReadError::Memory(page.len() as u64))?;
        let base = (page.len() / 4) as u32;
        page.extend_from_slice(bytes);
        Ok(Record { base, info: widths | (number as u32) << Record::PAGE_SHIFT })
    }

    /// Ends the last page.
    pub fn finish(&mut self) {
        if let Some(last) = self.pages.last_mut() {
            last.resize(last.len() + TAIL, 0);
            last.shrink_to_fit();
        }
    }

    /// Returns the number of bytes of all pages.
    pub fn byte_count(&self) -> usize {
        self.pages.iter().map(Vec::len).sum()
    }
}

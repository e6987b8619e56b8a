//! Blocks of ASTC that decode to the error colour: illegal ones, and those of a high dynamic range.

use super::{ContainerError, byte_source::ByteSource};
use crate::{
    BlockFormat, TextureDesc, TextureFormat,
    astc::{BlockKind, block_kind},
};
use std::ops::Range;

/// Bytes of blocks that are read at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// Numbers of blocks that decode to magenta, wholly or in part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AstcFaults {
    /// Number of all blocks.
    pub blocks: u64,
    /// Number of illegal blocks.
    pub illegal: u64,
    /// Number of blocks with a high dynamic range.
    pub hdr: u64,
}

impl AstcFaults {
    /// True if a texture may have such blocks.
    pub fn has_any(desc: &TextureDesc) -> bool {
        matches!(desc.format, TextureFormat::Block(BlockFormat::Astc(_)))
    }

    /// Adds blocks of 16 bytes.
    pub fn add(&mut self, [width, height]: [u32; 2], blocks: &[u8]) {
        for block in blocks.as_chunks::<16>().0 {
            self.blocks += 1;
            match block_kind((width, height), block) {
                BlockKind::Ldr => {}
                BlockKind::Illegal => self.illegal += 1,
                BlockKind::Hdr => self.hdr += 1,
            }
        }
    }

    /// Counts the blocks of a texture; none if its format is another.
    pub fn of_texture(desc: &TextureDesc, data: &[u8]) -> Self {
        let mut faults = Self::default();
        if Self::has_any(desc) {
            faults.add(desc.format.block_extent(), data);
        }
        faults
    }

    /// Counts the blocks of ASTC in these ranges of a file, without keeping them.
    ///
    /// # Errors
    /// [`ContainerError`] of the reader.
    pub fn in_file(
        extent: [u32; 2],
        source: &mut ByteSource<'_>,
        ranges: impl IntoIterator<Item = Range<u64>>,
    ) -> Result<Self, ContainerError> {
        let mut faults = Self::default();
        let mut chunk = vec![0; CHUNK_BYTES];
        for range in ranges {
            let mut at = range.start;
            while at < range.end {
                let count = (range.end - at).min(CHUNK_BYTES as u64);
                let blocks = &mut chunk[..count as usize];
                source.fill(at, blocks)?;
                faults.add(extent, blocks);
                at += count;
            }
        }
        Ok(faults)
    }

    /// Returns a note, if there are such blocks.
    pub fn note(self) -> Option<String> {
        let Self { blocks, illegal, hdr } = self;
        let what = match (illegal, hdr) {
            (0, 0) => return None,
            (_, 0) => format!("{illegal} of {blocks} ASTC blocks are illegal"),
            (0, _) => format!("{hdr} of {blocks} ASTC blocks have a high dynamic range"),
            _ => {
                format!("{illegal} of {blocks} ASTC blocks are illegal, and {hdr} have a high dynamic range")
            }
        };
        Some(format!("{what}; their texels are magenta"))
    }
}

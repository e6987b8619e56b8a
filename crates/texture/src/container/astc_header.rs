//! Header of `.astc` files.

use super::{ContainerError, byte_source::ByteSource};
use crate::AstcFootprint;

/// First bytes of a file.
pub(super) const MAGIC: [u8; 4] = [0x13, 0xab, 0xa1, 0x5c];

pub(super) const HEADER_BYTES: u64 = 16;

/// Offsets of fields from the start of the file.
pub(super) mod offset {
    pub const BLOCK: u64 = 4;
    pub const SIZE: u64 = 7;
}

/// Numbers of the header.
pub(super) struct Header {
    /// Width, height and depth of a block in texels.
    pub block: [u8; 3],
    /// Width, height and depth of the image in texels.
    pub size: [u32; 3],
}

impl Header {
    /// Reads the header of a file whose magic was checked.
    ///
    /// # Errors
    /// [`ContainerError`] if the stream is shorter.
    pub fn read(source: &mut ByteSource<'_>) -> Result<Self, ContainerError> {
        let bytes = source.array::<{ HEADER_BYTES as usize }>(0)?;
        let side = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], 0]);
        Ok(Self { block: [bytes[4], bytes[5], bytes[6]], size: [7, 10, 13].map(side) })
    }

    /// Returns the footprint, if it is one of the specification's 2D footprints.
    pub fn footprint(&self) -> Option<AstcFootprint> {
        let [width, height, depth] = self.block.map(u32::from);
        AstcFootprint::of_extent([width, height]).filter(|_| depth == 1)
    }

    /// Returns the footprint, and the width and height of the image.
    ///
    /// # Errors
    /// [`ContainerError`] if the file has 3D blocks or several slices, or a number is impossible.
    pub fn image(&self) -> Result<(AstcFootprint, [u32; 2]), ContainerError> {
        let [x, y, z] = self.block;
        if z > 1 {
            return Err(ContainerError::unsupported(format!(".astc with 3D blocks of {x}×{y}×{z} texels")));
        }
        let Some(footprint) = self.footprint() else {
            let (offset, found) = (offset::BLOCK, u32::from_le_bytes([x, y, z, 0]).into());
            let reason = "the three bytes of the block size are no footprint of ASTC";
            return Err(ContainerError::Header { offset, reason, found });
        };
        let [width, height, depth] = self.size;
        if let Some(place) = self.size.iter().position(|&side| side == 0) {
            let offset = offset::SIZE + 3 * place as u64;
            return Err(ContainerError::Header { offset, reason: "a side of the image is 0", found: 0 });
        }
        if depth > 1 {
            return Err(ContainerError::unsupported(format!(".astc with a 3D image of {depth} slices")));
        }
        Ok((footprint, [width, height]))
    }
}

//! From blocks to texels.

use crate::{BlockFormat, Decoder, ErrorKind, NoSuchImage, bc::codec_of};
use brickwork_base::ByteCount;

/// The reason why blocks were not decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The blocks are not as long as the image needs.
    #[error("the image needs {needed} bytes of blocks, {given} are there")]
    BlocksLength {
        /// Bytes needed.
        needed: u64,
        /// Bytes given.
        given: usize,
    },
    /// The slice for the texels does not hold `width · height` of them.
    #[error("the image has {needed} texels, the slice has {given}")]
    TexelsLength {
        /// Texels needed.
        needed: u64,
        /// Texels given.
        given: usize,
    },
    /// The texture has no such image.
    #[error(transparent)]
    NoSuchImage(#[from] NoSuchImage),
    /// More memory is needed than is allowed or available.
    #[error(
        "blocks and texels need {} of memory, above the limit of {}",
        ByteCount(*needed),
        ByteCount(*limit)
    )]
    TooLarge {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed, or as many as this machine can address or provide.
        limit: u64,
    },
    /// There is no decoder for the format yet.
    #[error("there is no decoder for {0} yet")]
    Unsupported(BlockFormat),
}

impl DecodeError {
    /// Who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::BlocksLength { .. } | Self::TexelsLength { .. } => ErrorKind::Argument,
            Self::NoSuchImage(error) => error.kind(),
            Self::TooLarge { .. } => ErrorKind::Limit,
            Self::Unsupported(_) => ErrorKind::Unsupported,
        }
    }
}

/// Decodes the blocks of one image of `width` × `height` texels to 8-bit RGBA in `texels`, row by row,
/// rounding as `decoder` does.
///
/// # Errors
/// [`DecodeError`] if a slice has the wrong length or the format has no decoder yet.
pub fn decode_into(
    format: BlockFormat,
    blocks: &[u8],
    width: u32,
    height: u32,
    decoder: Decoder,
    texels: &mut [[u8; 4]],
) -> Result<(), DecodeError> {
    let needed = format.image_bytes(width, height);
    if needed != blocks.len() as u64 {
        return Err(DecodeError::BlocksLength { needed, given: blocks.len() });
    }
    let needed = u64::from(width) * u64::from(height);
    if needed != texels.len() as u64 {
        return Err(DecodeError::TexelsLength { needed, given: texels.len() });
    }
    let codec = codec_of(format).ok_or(DecodeError::Unsupported(format))?;
    let decode = (codec.decoder)(decoder);
    let width = width as usize;
    let row_bytes = width.div_ceil(4) * codec.block_bytes;
    let decode_row = |(blocks, texels): (&[u8], &mut [[u8; 4]])| decode(blocks, width, texels);
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        blocks.par_chunks_exact(row_bytes).zip(texels.par_chunks_mut(width * 4)).for_each(decode_row);
    }
    #[cfg(not(feature = "rayon"))]
    blocks.chunks_exact(row_bytes).zip(texels.chunks_mut(width * 4)).for_each(decode_row);
    Ok(())
}

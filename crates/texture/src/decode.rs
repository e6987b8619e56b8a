//! Decoding of blocks and plain formats to texels.

use crate::{
    BlockFormat, Cancelled, ChannelType, ColorSpace, ErrorKind, ImageViewMut, NoSuchImage, PlainFormat,
    RoundingRule, Stage, Task, Texel, TexelsMut, TextureFormat,
    bc::{Codec, DecodeRow, RowDecoder},
    codecs::codec_of,
    plain::{ReadRow, RowReader, native_channels, row_reader},
};
use brickwork_base::ByteCount;
use brickwork_base::parallel;
use half::f16;
use std::{
    any::TypeId,
    sync::atomic::{AtomicU64, Ordering},
};

/// The reason why an image was not decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The number of bytes is not the number that the image needs.
    #[error("the image needs {needed} bytes, {given} are there")]
    BlocksLength {
        /// Bytes needed.
        needed: u64,
        /// Bytes given.
        given: usize,
    },
    /// The image in the texture and the image for the texels differ in size.
    #[error("the image is {}×{} texels, the target {}×{}", image[0], image[1], given[0], given[1])]
    Size {
        /// Width and height of the image in the texture.
        image: [u32; 2],
        /// Width and height of the image for the texels.
        given: [u32; 2],
    },
    /// The texture lacks the image.
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
        /// Bytes allowed, or the maximum that this machine can address or provide.
        limit: u64,
    },
    /// The caller cancelled the [`Task`].
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl DecodeError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::BlocksLength { .. } | Self::Size { .. } => ErrorKind::Argument,
            Self::NoSuchImage(error) => error.kind(),
            Self::TooLarge { .. } => ErrorKind::Limit,
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}

/// Decodes the blocks of one image to `image`, rounding by `rule`.
///
/// BC6H decodes to half floats, the other formats to 8 bits per channel. Values of BC4 and BC5 that are
/// [unrounded](RoundingRule::is_unrounded) are rounded only if `image` has integers. [`Texel`] converts
/// texels of other types: it clamps half floats to 0..=1 for 8 or 16 bits. ASTC decodes as in linear
/// textures; [`Texture::decode_into`](crate::Texture::decode_into) decodes sRGB ones, whose bytes differ by
/// at most 1. Progress is reported in blocks.
///
/// # Errors
/// [`DecodeError`] if the number of blocks is not the number that the image needs, or the task is cancelled.
pub fn decode_into(
    format: BlockFormat,
    blocks: &[u8],
    rule: RoundingRule,
    image: &mut ImageViewMut<'_>,
    task: &Task<'_>,
) -> Result<(), DecodeError> {
    decode_by(codec_of(format), blocks, rule, ColorSpace::Linear, image, task)
}

/// Decodes the texels of one image in a plain format to `image`.
///
/// [`Texel`] converts numbers of other types: it clamps floats to 0..=1 for 8 or 16 bits. Signed numbers of
/// −1..=1 become texels of 0..=1, and their 0 becomes 128 of 255 or 32768 of 65535. Progress is reported in
/// texels.
///
/// ```
/// use brickwork_texture::{ImageViewMut, PlainFormat, Task, decode_plain_into};
///
/// let mut texels = [[0u8; 4]; 2];
/// let mut image = ImageViewMut::new(&mut texels[..], 2, 1)?;
/// decode_plain_into(PlainFormat::Rg8Unorm, &[1, 2, 3, 4], &mut image, &Task::new())?;
/// assert_eq!(texels, [[1, 2, 0, 255], [3, 4, 0, 255]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DecodeError`] if the number of bytes is not the number that the image needs, or the task is cancelled.
pub fn decode_plain_into(
    format: PlainFormat,
    data: &[u8],
    image: &mut ImageViewMut<'_>,
    task: &Task<'_>,
) -> Result<(), DecodeError> {
    let needed = format.image_bytes(image.width(), image.height());
    if needed != data.len() as u64 {
        return Err(DecodeError::BlocksLength { needed, given: data.len() });
    }
    let total = u64::from(image.width()) * u64::from(image.height());
    let blocks = Blocks { blocks: data, block_bytes: format.texel_bytes(), extent: [1, 1], total };
    match row_reader(format) {
        RowReader::Rgba8(read) => blocks.decode(&one_row(read), image, task),
        RowReader::Rgba16(read) => blocks.decode(&one_row(read), image, task),
        RowReader::RgbaF16(read) => blocks.decode(&one_row(read), image, task),
        RowReader::RgbaF32(read) => blocks.decode(&one_row(read), image, task),
    }
}

/// Returns the decoder of rows of one texel's height.
fn one_row<T: 'static>(read: ReadRow<T>) -> DecodeRow<T> {
    Box::new(move |data, width, _, texels| read(data, &mut texels[..width]))
}

/// Decodes one image in any format: blocks rounded by `rule`, plain texels as they are.
pub(crate) fn decode_any_into(
    format: TextureFormat,
    data: &[u8],
    rule: RoundingRule,
    color_space: ColorSpace,
    image: &mut ImageViewMut<'_>,
    task: &Task<'_>,
) -> Result<(), DecodeError> {
    match format {
        TextureFormat::Block(format) => decode_by(codec_of(format), data, rule, color_space, image, task),
        TextureFormat::Plain(format) => decode_plain_into(format, data, image, task),
    }
}

/// Returns the type of channels to which a format decodes by default: half floats for BC6H, 8 bits for other
/// blocks, and the type of plain texels. Those of RGB9E5 and R11G11B10 are half floats.
pub fn decoded_channels(format: TextureFormat) -> ChannelType {
    match format {
        TextureFormat::Block(format) => codec_of(format).texels.channel_type(),
        TextureFormat::Plain(format) => native_channels(format),
    }
}

/// Decodes with the codec of any format.
pub(crate) fn decode_by(
    codec: &Codec,
    blocks: &[u8],
    rule: RoundingRule,
    color_space: ColorSpace,
    image: &mut ImageViewMut<'_>,
    task: &Task<'_>,
) -> Result<(), DecodeError> {
    let columns = u64::from(image.width().div_ceil(codec.extent[0]));
    let rows = u64::from(image.height().div_ceil(codec.extent[1]));
    let needed = (columns * rows).saturating_mul(codec.block_bytes as u64);
    if needed != blocks.len() as u64 {
        return Err(DecodeError::BlocksLength { needed, given: blocks.len() });
    }
    let extent = codec.extent.map(|side| side as usize);
    let blocks = Blocks { blocks, block_bytes: codec.block_bytes, extent, total: columns * rows };
    match (codec.decoder)(rule) {
        RowDecoder::Rgba8(decode) => blocks.decode(&decode, image, task),
        RowDecoder::Rgba16(decode) => blocks.decode(&decode, image, task),
        RowDecoder::RgbaF16(decode) => blocks.decode(&decode, image, task),
        RowDecoder::Real { bytes, floats } => {
            if matches!(image.texels_mut(), TexelsMut::Rgba8(_)) {
                blocks.decode(&bytes, image, task)
            } else {
                blocks.decode(&floats, image, task)
            }
        }
        RowDecoder::ByColorSpace(decode) => blocks.decode(&decode(color_space), image, task),
    }
}

/// The blocks of an image, which may be single texels.
struct Blocks<'a> {
    blocks: &'a [u8],
    block_bytes: usize,
    /// Width and height of a block in texels.
    extent: [usize; 2],
    /// Number of blocks.
    total: u64,
}

impl Blocks<'_> {
    /// Decodes to an image of any texel type.
    fn decode<N: Texel>(
        &self,
        decode: &DecodeRow<N>,
        image: &mut ImageViewMut<'_>,
        task: &Task<'_>,
    ) -> Result<(), DecodeError> {
        let size = [image.width() as usize, image.height() as usize];
        let stride = image.stride();
        match image.texels_mut() {
            TexelsMut::Rgba8(texels) => self.decode_to(decode, texels, size, stride, task),
            TexelsMut::Rgba16(texels) => self.decode_to(decode, texels, size, stride, task),
            TexelsMut::RgbaF16(texels) => self.decode_to(decode, texels, size, stride, task),
            TexelsMut::RgbaF32(texels) => self.decode_to(decode, texels, size, stride, task),
        }
    }

    fn decode_to<N: Texel, T: Target>(
        &self,
        decode: &DecodeRow<N>,
        texels: &mut [T],
        [width, height]: [usize; 2],
        stride: usize,
        task: &Task<'_>,
    ) -> Result<(), DecodeError> {
        let columns = width.div_ceil(self.extent[0]);
        let done = AtomicU64::new(0);
        let row = |(blocks, texels): (&[u8], &mut [T])| {
            task.check()?;
            if TypeId::of::<N>() == TypeId::of::<T>() {
                decode(blocks, width, stride, bytemuck::cast_slice_mut(texels));
            } else {
                let rows = texels.len().div_ceil(stride).min(self.extent[1]);
                let mut decoded = vec![N::zeroed(); width * rows];
                decode(blocks, width, width, &mut decoded);
                for (row, decoded) in texels.chunks_mut(stride).zip(decoded.chunks_exact(width)) {
                    for (texel, &decoded) in row.iter_mut().zip(decoded) {
                        *texel = T::of(decoded);
                    }
                }
            }
            let done = done.fetch_add(columns as u64, Ordering::Relaxed) + columns as u64;
            task.report(Stage::Decoding, done, self.total);
            Ok(())
        };
        let texels = &mut texels[..(height - 1) * stride + width];
        let row_bytes = columns * self.block_bytes;
        // A view of one row may have any stride.
        let row_texels = stride.saturating_mul(self.extent[1]);
        let rows = self.blocks.chunks_exact(row_bytes).zip(texels.chunks_mut(row_texels));
        parallel::try_for_each(task, rows, row)
    }
}

/// A texel to which any other is converted.
trait Target: bytemuck::Pod + Send {
    fn of(texel: impl Texel) -> Self;
}

impl Target for [u8; 4] {
    fn of(texel: impl Texel) -> Self {
        texel.to_rgba8()
    }
}

impl Target for [u16; 4] {
    fn of(texel: impl Texel) -> Self {
        texel.to_rgba16()
    }
}

impl Target for [f16; 4] {
    fn of(texel: impl Texel) -> Self {
        texel.to_rgba_f16()
    }
}

impl Target for [f32; 4] {
    fn of(texel: impl Texel) -> Self {
        texel.to_rgba_f32()
    }
}

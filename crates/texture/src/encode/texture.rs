//! One call from an image to a texture with its mip levels.

use crate::{
    EncodeError, EncodeOptions, Encoder, Image, Progress, Task, Texture, TextureDesc, TextureKind,
    bc::Codec,
    encode::{codec, passes},
    mips::{MipLevel, MipOptions},
};

/// Encodes `image`, and mip levels made from it, to the texture that `desc` describes.
///
/// Each mip level is half the size of the one above, filtered in linear light if the texture is sRGB, with
/// colours weighted by alpha if that is straight ([`mips`](crate::mips)). The encoder's device makes them;
/// the bytes are the same on every device.
///
/// ```
/// use brickwork_texture::{
///     BlockFormat, ColorSpace, EncodeOptions, Encoder, ImageView, Quality, Task, TextureDesc,
///     encode_texture,
/// };
///
/// let texels: Vec<[u8; 3]> = (0..20 * 12).map(|i| [i as u8, 80, (i / 20) as u8]).collect();
/// let image = ImageView::new(&texels, 20, 12)?;
/// let desc = TextureDesc::of_image(&image, BlockFormat::Bc1)
///     .with_color_space(ColorSpace::Srgb)
///     .with_full_mips();
/// let options = EncodeOptions::new().with_quality(Quality::Fast);
/// let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new())?;
/// assert_eq!(texture.data().len(), 8 * (5 * 3 + 3 * 2 + 2 + 1 + 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Progress is reported in blocks of all mip levels, twice where [`EncodeOptions::rdo`] or
/// [`EncodeOptions::weigh_by_alpha`] goes over the blocks again. Besides the blocks, two mip levels are in
/// memory at a time, in the texel format that the block format takes.
///
/// # Errors
/// [`EncodeError`] if the shape is impossible or not a 2D image, the image has another size, the format has
/// no encoder yet, mip levels are asked for of an image of more than 2⁴⁰ texels, threads cannot be started,
/// the GPU fails, or the task is cancelled.
pub fn encode_texture(
    encoder: &Encoder,
    image: &dyn Image,
    desc: &TextureDesc,
    options: &EncodeOptions,
    task: &Task<'_>,
) -> Result<Texture, EncodeError> {
    encode_texture_by(encoder, image, desc, codec(desc.format)?, options, task)
}

/// Encodes with the codec of any format whose blocks have the size of those of `desc`.
pub(crate) fn encode_texture_by(
    encoder: &Encoder,
    image: &dyn Image,
    desc: &TextureDesc,
    codec: &'static Codec,
    options: &EncodeOptions,
    task: &Task<'_>,
) -> Result<Texture, EncodeError> {
    desc.check()?;
    match desc.kind {
        TextureKind::D2 if desc.layers == 1 => {}
        TextureKind::D2 => return Err(EncodeError::Shape("an array")),
        TextureKind::Cube => return Err(EncodeError::Shape("a cube")),
        TextureKind::D3 => return Err(EncodeError::Shape("a 3D texture")),
    }
    if image.size() != [desc.width, desc.height] {
        return Err(EncodeError::Size { texture: [desc.width, desc.height], image: image.size() });
    }
    let mips = MipOptions::new(desc.color_space, desc.alpha_mode);
    let block_bytes = codec.block_bytes as u64;
    let passes = passes::count(codec, options);
    let needed = desc.data_bytes();
    let too_large = |_| EncodeError::BlocksLength { needed, given: usize::MAX };
    let mut blocks = vec![0; usize::try_from(needed).map_err(too_large)?];
    let mut rest = &mut *blocks;
    let mut above: Option<MipLevel> = None;
    for level in 0..desc.mip_levels {
        let done_before = passes * (needed - rest.len() as u64) / block_bytes;
        let (blocks, after) = std::mem::take(&mut rest).split_at_mut(desc.mip_level_bytes(level) as usize);
        rest = after;
        let report = |progress: Progress| {
            task.report(progress.stage, done_before + progress.done, passes * needed / block_bytes);
        };
        let task = task.with_progress(&report);
        let image = above.as_ref().map_or(image, |level| level as &dyn Image);
        let mips = (level + 1 < desc.mip_levels).then_some(mips);
        above = encoder.encode_level(image, codec, options, mips, blocks, &task)?;
    }
    Ok(Texture::new(*desc, blocks)?)
}

//! Decoding of all mip levels to one picture: level 0, and the others in a column right of it.

use super::{DecodedPicture, TextureDecodeOptions, decode_image, png_image::PngImage};
use brickwork_base::Task;
use brickwork_image::image_file::PngTexels;
use brickwork_texture::{ImageIndex, Texel, Texture, TexturePart, pictures::AnyImage};
use brickwork_toolkit::texture::{OptionsError, TextureJobError};

/// Decodes the mip levels of one layer, face and slice to a picture in 8-bit RGBA, which is transparent
/// beside them. `name` is the input's name, for errors.
///
/// # Errors
/// [`TextureJobError`] as for [`decode_image`], also if the image is a picture, or half floats are to be
/// kept.
pub(super) fn decode_strip(
    image: AnyImage,
    name: &str,
    options: &TextureDecodeOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<DecodedPicture, TextureJobError> {
    let AnyImage::Texture(texture) = image else {
        return Err(TextureJobError::FirstImageOnly { input: name.to_owned() });
    };
    if options.half_floats {
        let error = OptionsError::SeveralImages { output: "an EXR file".to_owned() };
        return Err(TextureJobError::Options { file: name.to_owned(), error });
    }
    let desc = *texture.desc();
    let sizes: Vec<_> = (0..desc.mip_levels).map(|level| desc.mip_level_size(level)).collect();
    let column: u32 = sizes.iter().skip(1).map(|size| size[1]).sum();
    let width = sizes[0][0] + sizes.get(1).map_or(0, |size| size[0]);
    let height = sizes[0][1].max(column);
    // The strip, a decoded level, and its part of the texture.
    let level_bytes = u64::from(sizes[0][0]) * u64::from(sizes[0][1]) * 4;
    let needed = 4 * u64::from(width) * u64::from(height) + level_bytes + 2 * desc.data_bytes();
    if needed > max_memory {
        return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
    }
    let mut texels = vec![[0u8; 4]; width as usize * height as usize];
    let (mut top, mut first) = (0, None);
    for level in 0..desc.mip_levels {
        let picture = level_of(&texture, level, name, options, max_memory, &task.without_progress())?;
        let left = if level == 0 { 0 } else { sizes[0][0] };
        let rgba = rgba8(picture.texels());
        for (y, row) in (top as usize..).zip(rgba.chunks_exact(picture.width() as usize)) {
            texels[y * width as usize + left as usize..][..row.len()].copy_from_slice(row);
        }
        top += if level == 0 { 0 } else { picture.height() };
        first.get_or_insert(picture);
    }
    let first = first.ok_or_else(|| TextureJobError::NotATexture { input: name.to_owned() })?;
    Ok(DecodedPicture {
        image: PngImage::Blocks(texels.into_flattened(), 4),
        width,
        height,
        mip_levels: desc.mip_levels,
        data_bytes: desc.data_bytes(),
        ..first
    })
}

/// Decodes one mip level of the selected layer, face and slice.
fn level_of(
    texture: &Texture,
    level: u32,
    name: &str,
    options: &TextureDecodeOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<DecodedPicture, TextureJobError> {
    let index = options.index;
    let one = |number: u32| number..number.saturating_add(1);
    let mut part = TexturePart::default().with(|o| {
        o.mip_levels = Some(one(level));
        o.layers = Some(one(index.layer));
    });
    if texture.desc().faces() > 1 || index.face > 0 {
        part.face = Some(index.face);
    }
    if texture.desc().depth > 1 || index.slice > 0 {
        // Slices of smaller levels are the means of two.
        part.slice = Some(index.slice >> level.min(31));
    }
    let part = texture.part(&part).map_err(|error| TextureJobError::Options {
        file: name.to_owned(),
        error: OptionsError::Part(error),
    })?;
    let options = TextureDecodeOptions { index: ImageIndex::default(), ..options.clone() };
    decode_image(AnyImage::Texture(part), name, &options, max_memory, task)
}

/// Returns texels as RGBA of 8 bits.
fn rgba8(texels: Option<PngTexels<'_>>) -> Vec<[u8; 4]> {
    fn converted<T: Texel>(texels: &[T]) -> Vec<[u8; 4]> {
        texels.iter().map(|texel| texel.to_rgba8()).collect()
    }
    match texels {
        Some(PngTexels::Grey8(texels)) => converted(texels),
        Some(PngTexels::Rgb8(texels)) => converted(texels),
        Some(PngTexels::Rgba8(texels)) => texels.to_vec(),
        Some(PngTexels::Grey16(texels)) => converted(texels),
        Some(PngTexels::Rgb16(texels)) => converted(texels),
        Some(PngTexels::Rgba16(texels)) => converted(texels),
        None => Vec::new(),
    }
}

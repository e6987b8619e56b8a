//! All images of a texture file as pictures, to be encoded again.

use super::{
    OptionsError, TextureJobError, TextureLayout, TextureOptions, read_picture, read_texture, texture_info,
};
use crate::batch::Input;
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadError, ImageReadOptions, Picture};
use brickwork_texture::{
    Texture, TextureDesc, TextureKind, TexturePart,
    container::{ContainerFormat, TextureWriteOptions},
    pictures,
};
use std::io::Cursor;

/// Pictures of all images of a texture, in the order of its blocks.
pub(super) struct WholeTexture {
    /// The options, with the places of the pictures.
    pub options: TextureOptions,
    pub pictures: Vec<Picture>,
    /// The name of the input, for each picture.
    pub names: Vec<String>,
}

impl WholeTexture {
    /// Reads all images of an input; `None` if it has only one, or a format of which the reader of textures
    /// knows nothing. The task reports the bytes read.
    ///
    /// # Errors
    /// [`TextureJobError`] if the input is not readable, can be read only once, or needs more than
    /// `max_memory` bytes with the texels of all images, or if the options do not fit several images.
    pub fn read(
        input: &Input,
        options: &TextureOptions,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Option<Self>, TextureJobError> {
        if input.path().is_none_or(|path| path.exists() && !path.is_file()) {
            return Err(TextureJobError::ReadOnce { input: input.name() });
        }
        if texture_info(input, max_memory, task)?.is_none() {
            return Ok(None);
        }
        let (texture, _) = read_texture(input, max_memory, task)?;
        let desc = *texture.desc();
        let parts = parts(&desc);
        if parts.len() == 1 {
            return Ok(None);
        }
        let layout = match desc.kind {
            TextureKind::Cube => TextureLayout::Faces,
            TextureKind::D3 => TextureLayout::Slices,
            _ => TextureLayout::Layers,
        };
        let options = TextureOptions { layout, given_mip_levels: desc.mip_levels, ..options.clone() };
        let misfit = |error| TextureJobError::Options { file: input.name(), error };
        options.check().map_err(|error| misfit(of_all_images(error)))?;
        let read = options.read_options(max_memory);
        // The reader of pictures knows the source of the colour space.
        let first = read_picture(input, &read, &task.without_progress())?;
        let all_texels = desc.texel_count().saturating_mul(first.texels.texel_type().bytes().into());
        let needed = desc.data_bytes().saturating_add(all_texels);
        if needed > max_memory {
            return Err(TextureJobError::Memory { input: input.name(), needed, limit: max_memory });
        }
        let mut pictures = Vec::with_capacity(parts.len());
        for part in parts {
            let part = texture.part(&part).map_err(|error| misfit(error.into()))?;
            let picture = picture_of(&part, &read, task);
            let mut picture =
                picture.map_err(|error| TextureJobError::Read { input: input.name(), error })?;
            picture.color_space = first.color_space;
            picture.color_space_origin = first.color_space_origin;
            picture.color_space_reason.clone_from(&first.color_space_reason);
            if pictures.is_empty() {
                picture.notes.clone_from(&first.notes);
            }
            pictures.push(picture);
        }
        let names = vec![input.name(); pictures.len()];
        Ok(Some(Self { options, pictures, names }))
    }
}

/// Returns an error about given mip levels as one about all images.
fn of_all_images(error: OptionsError) -> OptionsError {
    match error {
        OptionsError::Exclusive { options: ["level", other] } => {
            OptionsError::Exclusive { options: ["all-images", other] }
        }
        other => other,
    }
}

/// Returns the images of a texture: layer by layer, face by face, mip level by mip level, slice by slice.
fn parts(desc: &TextureDesc) -> Vec<TexturePart> {
    let mut parts = Vec::new();
    for layer in 0..desc.layers {
        for face in 0..desc.faces() {
            for level in 0..desc.mip_levels {
                let [.., depth] = desc.mip_level_size(level);
                let part = TexturePart::default().with(|o| {
                    o.layers = Some(layer..layer + 1);
                    o.mip_levels = Some(level..level + 1);
                });
                parts.extend((0..depth).map(|slice| {
                    part.clone().with(|o| {
                        o.face = Some(face);
                        o.slice = Some(slice);
                    })
                }));
            }
        }
    }
    parts
}

/// Returns the picture of a texture of one image, by the reader of files: upright, with straight alpha and
/// the swizzle of the file.
fn picture_of(
    texture: &Texture,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<Picture, ImageReadError> {
    let mut file = Vec::new();
    let write = TextureWriteOptions::default();
    let written = texture.write(&mut file, ContainerFormat::Ktx2, &write, &task.without_progress());
    written.map_err(ImageReadError::from)?;
    pictures::read(Cursor::new(file), None, options, &task.without_progress())
}

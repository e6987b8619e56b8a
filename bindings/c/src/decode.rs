//! Decoding to the caller's memory.

use crate::{
    names::{self, FORMATS, ROUNDING_RULES},
    pointer::{Bytes, In},
    status::{Failure, Status, guarded},
    structs::{ImageMut, Index},
    task::{self, Task},
    texture::Texture,
};
use brickwork_texture::{ImageIndex, TextureFormat, decode_into, decode_plain_into};

/// Decodes one image of a texture.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_decode(
    texture: In<Texture>,
    index: In<Index>,
    rounding_rule: u32,
    image: In<ImageMut>,
    task: In<Task>,
) -> Status {
    guarded(|| {
        let texture = texture.required("texture")?.texture();
        let index = index.get("index")?.copied().map_or(ImageIndex::default(), ImageIndex::from);
        let rule = names::value(ROUNDING_RULES, rounding_rule, "rounding_rule")?;
        let mut image = *image.required("image")?;
        let mut view = image.view().map_err(in_image)?;
        task::run(&task, |task| Ok(texture.decode_into(index, rule, &mut view, task)?))
    })
}

/// Decodes blocks or plain texels.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_decode_blocks(
    format: u32,
    blocks: Bytes,
    blocks_bytes: usize,
    rounding_rule: u32,
    image: In<ImageMut>,
    task: In<Task>,
) -> Status {
    guarded(|| {
        let format = names::value(FORMATS, format, "format")?;
        let blocks = blocks.get(blocks_bytes, "blocks")?;
        let rule = names::value(ROUNDING_RULES, rounding_rule, "rounding_rule")?;
        let mut image = *image.required("image")?;
        let mut view = image.view().map_err(in_image)?;
        task::run(&task, |task| match format {
            TextureFormat::Block(format) => Ok(decode_into(format, blocks, rule, &mut view, task)?),
            TextureFormat::Plain(format) => Ok(decode_plain_into(format, blocks, &mut view, task)?),
        })
    })
}

fn in_image(failure: Failure) -> Failure {
    failure.within("image")
}

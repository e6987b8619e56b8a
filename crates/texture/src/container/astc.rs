//! `.astc`: a header of 16 bytes, then the blocks of one 2D image, row by row.
//!
//! | bytes | field |
//! |---|---|
//! | 0 to 3 | 13 AB A1 5C |
//! | 4, 5, 6 | width, height and depth of a block in texels |
//! | 7, 10, 13 | width, height and depth of the image in texels, 3 bytes each, lowest first |
//!
//! There are no mip levels, no layers, no colour space and no alpha mode.
//!
//! Source: Arm, *The .astc File Format*, in the documentation of astcenc.

use super::{
    ContainerError, ContainerFormat, HeaderKind, Info,
    astc_faults::AstcFaults,
    astc_header::{HEADER_BYTES, Header, MAGIC},
    byte_source::ByteSource,
};
use crate::{
    BlockFormat, Swizzle, Task, Texture, TextureDesc, TextureFormat, TextureKind, TextureOrientation,
};
use brickwork_base::task_io::TaskWriter;
use std::{io::Write, iter::once};

/// Largest side that the header can state.
const MAX_SIDE: u32 = (1 << 24) - 1;

/// Contents of the header, and what the reader tolerated.
fn parse(source: &mut ByteSource<'_>) -> Result<(TextureDesc, Vec<String>), ContainerError> {
    let (footprint, [width, height]) = Header::read(source)?.image()?;
    let desc = TextureDesc::new_2d(BlockFormat::Astc(footprint), width, height);
    source.check_range(HEADER_BYTES, desc.data_bytes())?;
    let rest = source.len() - HEADER_BYTES - desc.data_bytes();
    let mut notes = Vec::new();
    if rest > 0 {
        notes.push(format!("{rest} bytes after the blocks are ignored"));
    }
    Ok((desc, notes))
}

pub(super) fn read(source: &mut ByteSource<'_>) -> Result<Texture, ContainerError> {
    let (desc, mut notes) = parse(source)?;
    let data = source.bytes(HEADER_BYTES, desc.data_bytes())?;
    notes.extend(AstcFaults::of_texture(&desc, &data).note());
    Ok(Texture::new(desc, data)?.with_notes(notes))
}

pub(super) fn info(source: &mut ByteSource<'_>, reads_blocks: bool) -> Result<Info, ContainerError> {
    let (desc, mut notes) = parse(source)?;
    let extent @ [width, height] = desc.format.block_extent();
    if reads_blocks {
        let blocks = HEADER_BYTES..HEADER_BYTES + desc.data_bytes();
        notes.extend(AstcFaults::in_file(extent, source, once(blocks))?.note());
    }
    let name = format!("ASTC {width}×{height}");
    Ok(Info { notes, ..Info::new(ContainerFormat::Astc, desc, name, HeaderKind::Astc) })
}

/// Returns the format and the size of the image, and the start of its blocks.
#[cfg(feature = "io")]
pub(crate) fn shape(source: &mut ByteSource<'_>) -> Result<(BlockFormat, [u32; 2], u64), ContainerError> {
    let (footprint, size) = Header::read(source)?.image()?;
    Ok((BlockFormat::Astc(footprint), size, HEADER_BYTES))
}

pub(super) fn write(
    writer: &mut dyn Write,
    texture: &Texture,
    task: &Task<'_>,
) -> Result<(), ContainerError> {
    let desc = texture.desc();
    let refused = |what: String| Err(ContainerError::NoAstcFile { what });
    let TextureFormat::Block(BlockFormat::Astc(footprint)) = desc.format else {
        return refused(desc.format.to_string());
    };
    for (is_usual, what) in [
        (desc.kind != TextureKind::Cube, "a cube"),
        (desc.kind != TextureKind::D3, "a 3D texture"),
        (desc.layers == 1, "an array"),
        (desc.mip_levels == 1, "mip levels"),
        (desc.orientation == TextureOrientation::default(), "an orientation"),
        (desc.swizzle == Swizzle::IDENTITY, "a swizzle"),
        (desc.width.max(desc.height) <= MAX_SIDE, "a side of 2^24 texels"),
    ] {
        if !is_usual {
            return refused(what.to_owned());
        }
    }
    let mut header = MAGIC.to_vec();
    header.extend(footprint.extent().map(|side| side as u8));
    header.push(1);
    for side in [desc.width, desc.height, 1] {
        header.extend(&side.to_le_bytes()[..3]);
    }
    let total = HEADER_BYTES + texture.data().len() as u64;
    let mut writer = TaskWriter::new(writer, total, task);
    writer.write_all(&header)?;
    writer.write_all(texture.data())?;
    Ok(())
}

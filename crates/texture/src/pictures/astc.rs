//! `.astc` files as pictures.

use super::surface::{Storage, Surface};
use crate::container::{astc::shape, byte_source::ByteSource};
use brickwork_image::image_file::decoder::{Budget, Decoded, Failure, TrackedReader, assumed};
use std::io::{Seek, SeekFrom};

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    let (format, size, start) = shape(&mut ByteSource::new(&mut source, budget.limit)?)?;
    let color = assumed("an .astc file");
    source.seek(SeekFrom::Start(start))?;
    let surface = Surface { storage: Storage::Blocks(format, color.space), size, keeps_singles: false };
    let (texels, has_alpha, _) = surface.decode(source, budget)?;
    Ok(Decoded::upright(size, texels, has_alpha, color))
}

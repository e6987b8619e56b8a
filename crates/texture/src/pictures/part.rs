//! The part of a DDS or KTX2 file that is read as its picture. Files may contain further images.

use crate::container::{
    byte_source::ByteSource,
    dds::texture_shape,
    dds_header::{DX10_BYTES, MAGIC, RawHeader, caps2, flags, misc_flag},
};
use brickwork_image::image_file::decoder::BufReadSeek;
use std::io::{self, SeekFrom};

/// Maximum number of bytes that are allocated for the header of a DDS.
const HEAD_LIMIT: u64 = 1 << 10;

/// Returns the numbers of slices, layers, faces and mip levels of a DDS. For blocks and plain formats, these
/// are the ones in the file, which may be fewer than its header states.
pub(super) fn dds_images(mut source: &mut dyn BufReadSeek) -> io::Result<[(u64, &'static str); 4]> {
    let shape = ByteSource::new(&mut source, HEAD_LIMIT).and_then(|mut bytes| texture_shape(&mut bytes));
    if let Ok((desc, _)) = shape {
        let [slices, layers, faces, levels] =
            [desc.depth, desc.layers, desc.faces(), desc.mip_levels].map(u64::from);
        return Ok([(slices, "slices"), (layers, "layers"), (faces, "faces"), (levels, "mip levels")]);
    }
    source.seek(SeekFrom::Start(MAGIC.len() as u64))?;
    let mut head = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(&mut *source, DX10_BYTES - MAGIC.len() as u64), &mut head)?;
    let raw = RawHeader::read(&head).ok_or(io::ErrorKind::UnexpectedEof)?;
    let counted = |flag, count: u32| if raw.flags & flag == 0 { 1 } else { u64::from(count) };
    let (layers, is_cube) = match &raw.dx10 {
        Some(dx10) => (dx10.array_size.into(), dx10.misc_flag & misc_flag::CUBE != 0),
        None => (1, raw.caps2 & caps2::CUBE != 0),
    };
    let slices = counted(flags::DEPTH, raw.depth);
    let levels = counted(flags::MIP_LEVELS, raw.mip_levels);
    let faces = if is_cube { 6 } else { 1 };
    Ok([(slices, "slices"), (layers, "layers"), (faces, "faces"), (levels, "mip levels")])
}

/// Returns the numbers of slices, layers, faces and mip levels from the header of a KTX2.
pub(super) fn ktx2_images(source: &mut dyn BufReadSeek) -> io::Result<[(u64, &'static str); 4]> {
    let [slices, layers, faces, levels] = [28, 32, 36, 40].map(|at| u32_at(source, at));
    Ok([(slices?, "slices"), (layers?, "layers"), (faces?, "faces"), (levels?, "mip levels")])
}

fn u32_at(source: &mut dyn BufReadSeek, position: u64) -> io::Result<u64> {
    source.seek(SeekFrom::Start(position))?;
    let mut bytes = [0; 4];
    source.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes).into())
}

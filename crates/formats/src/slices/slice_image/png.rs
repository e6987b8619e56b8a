//! Slices in PNG files. Numbers of less than 8 bits become bytes, and indices of a palette stay indices.

use crate::{
    FormatError, SliceShape,
    slices::{
        image_head::{ImageHead, SliceText},
        packed_bits::unpack_bits,
        palette::Palette,
        slice::resize,
        tiff_stack::exif_note,
    },
};
use brickwork_volume::VoxelType;
use std::{fs::File, io::BufReader, path::Path};

pub fn read(path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<ImageHead, FormatError> {
    let file = File::open(path)?;
    let file_bytes = file.metadata()?.len();
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info()?;
    let info = reader.info();
    let (color, depth) = (info.color_type, info.bit_depth);
    let voxel_type = if depth == png::BitDepth::Sixteen { VoxelType::U16 } else { VoxelType::U8 };
    let (width, height) = (info.width as usize, info.height as usize);
    let shape = SliceShape { width, height, voxel_type, channels: color.samples() };
    let palette = match (color, &info.palette) {
        (png::ColorType::Indexed, Some(colors)) => Some(Palette(colors.as_chunks::<3>().0.to_vec())),
        (png::ColorType::Indexed, None) => return Err(FormatError::Missing("PLTE")),
        _ => None,
    };
    let notes = info.exif_metadata.as_deref().filter(|_| bytes.is_none()).and_then(exif_note);
    let text = SliceText { notes: notes.into_iter().collect(), ..SliceText::default() };
    if let Some(bytes) = bytes {
        let byte_count = shape.byte_count(file_bytes)?;
        let bits = depth as u8;
        if bits < 8 {
            let mut packed = Vec::new();
            resize(&mut packed, (width * usize::from(bits)).div_ceil(8) * height)?;
            reader.next_frame(&mut packed)?;
            resize(bytes, byte_count)?;
            unpack_bits(&packed, bits, width, bytes);
        } else {
            resize(bytes, byte_count)?;
            reader.next_frame(bytes)?;
        }
    }
    Ok(ImageHead { shape, palette, text })
}

impl From<png::DecodingError> for FormatError {
    fn from(error: png::DecodingError) -> Self {
        match error {
            png::DecodingError::IoError(error) => Self::Io(error),
            error => Self::Decoder(error.into()),
        }
    }
}

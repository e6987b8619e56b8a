//! Slices in JPEG files, grey or colour. Damaged data are an error.

use crate::{
    FormatError, ImageFeature, SliceShape,
    slices::{
        image_head::{ImageHead, SliceText},
        slice::resize,
        tiff_stack::exif_note,
    },
};
use brickwork_volume::VoxelType;
use std::{fs::File, io::BufReader, path::Path};
use zune_jpeg::{
    JpegDecoder,
    errors::DecodeErrors,
    zune_core::{colorspace::ColorSpace, options::DecoderOptions},
};

/// Greatest side that the format allows.
const MAX_SIDE: usize = 65_535;

pub fn read(path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<ImageHead, FormatError> {
    let file = File::open(path)?;
    let file_bytes = file.metadata()?.len();
    let options = DecoderOptions::new_safe().set_strict_mode(true);
    let options = options.set_max_width(MAX_SIDE).set_max_height(MAX_SIDE);
    let mut decoder = JpegDecoder::new_with_options(BufReader::new(file), options);
    decoder.decode_headers()?;
    let (channels, color) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (1, ColorSpace::Luma),
        Some(ColorSpace::YCbCr | ColorSpace::RGB) => (3, ColorSpace::RGB),
        other => {
            let name = other.map_or_else(|| "unknown".to_owned(), |color| format!("{color:?}"));
            return Err(ImageFeature::JpegColors(name).into());
        }
    };
    let Some((width, height)) = decoder.dimensions() else { return Err(FormatError::Missing("SOF")) };
    let shape = SliceShape { width, height, voxel_type: VoxelType::U8, channels };
    let notes = decoder.exif().filter(|_| bytes.is_none()).and_then(|exif| exif_note(exif));
    let text = SliceText { notes: notes.into_iter().collect(), ..SliceText::default() };
    if let Some(bytes) = bytes {
        resize(bytes, shape.byte_count(file_bytes)?)?;
        decoder.set_options(options.jpeg_set_out_colorspace(color));
        decoder.decode_into(bytes)?;
    }
    Ok(ImageHead { shape, palette: None, text })
}

impl From<DecodeErrors> for FormatError {
    fn from(error: DecodeErrors) -> Self {
        Self::Decoder(error.into())
    }
}

//! DDS as a picture: BC1 through our own decoder, all else through the `dds` crate.

use super::{
    Budget, Texels,
    budget::{Layout, zeroed},
    color,
    source::{Decode, Failure, Source},
};
use crate::{BlockFormat, ColorSpace, Decoder, decode_into};
use dds::{Channels, ColorFormat, DecodingError, Format, Precision, header::ParseOptions};
use image::metadata::Orientation;
use std::io::{BufRead, Read, Seek};

pub(super) fn decode<R: BufRead + Seek>(mut source: Source<R>, budget: &Budget) -> Result<Decode, Failure> {
    let options = ParseOptions::new_permissive(Some(budget.file_bytes));
    let header = dds::header::Header::read(&mut source, &options).map_err(DecodingError::from)?;
    let mut decoder = dds::Decoder::from_header(source, header)?;
    let format = decoder.format();
    let color = color_space(decoder.header(), format);
    let size = [decoder.main_size().width, decoder.main_size().height];
    let surface_bytes = dds::PixelInfo::from(format).surface_bytes(decoder.main_size());
    if surface_bytes.is_none_or(|bytes| bytes > budget.file_bytes) {
        let (length, [width, height]) = (budget.file_bytes, size);
        return Err(Failure::Malformed(format!("{length} bytes are too few for {width}×{height} texels")));
    }
    let native = decoder.native_color();
    let (texels, has_alpha);
    if format == Format::BC1_UNORM {
        texels = decode_bc1(decoder.into_reader(), size, budget)?;
        has_alpha = !texels.is_opaque();
    } else {
        let layout = match (native.channels, native.precision) {
            (Channels::Grayscale, Precision::U8) => Layout::Grey8,
            (Channels::Grayscale, Precision::U16 | Precision::F32) => Layout::Grey16,
            (Channels::Rgb, Precision::U8) => Layout::Rgb8,
            (Channels::Rgb, Precision::U16 | Precision::F32) => Layout::Rgb16,
            (Channels::Alpha | Channels::Rgba, Precision::U8) => Layout::Rgba8,
            (Channels::Alpha | Channels::Rgba, Precision::U16 | Precision::F32) => Layout::Rgba16,
        };
        has_alpha = layout.has_alpha();
        let rows = u64::from(size[0]) * 16 * 16;
        let texel_bytes = budget.texel_bytes(size, layout, rows)?;
        decoder.options.memory_limit = usize::try_from(budget.limit - texel_bytes).unwrap_or(usize::MAX);
        texels = budget.texels(size, layout, |bytes| {
            let channels = match native.channels {
                Channels::Alpha => Channels::Rgba,
                other => other,
            };
            let precision = if native.precision == Precision::U8 { Precision::U8 } else { Precision::U16 };
            let color = ColorFormat::new(channels, precision);
            let view = dds::ImageViewMut::new(bytes, decoder.main_size(), color)
                .ok_or_else(|| Failure::Malformed("an impossible size".to_owned()))?;
            Ok(decoder.read_surface(view)?)
        })?;
    }
    Ok(Decode { size, texels, has_alpha, orientation: Orientation::NoTransforms, color })
}

fn decode_bc1(mut reader: impl Read, size: [u32; 2], budget: &Budget) -> Result<Texels, Failure> {
    let [width, height] = size;
    let block_bytes = BlockFormat::Bc1.image_bytes(width, height);
    budget.texel_bytes(size, Layout::Rgba8, block_bytes)?;
    let out_of_memory = || Failure::OutOfMemory(block_bytes);
    let count = usize::try_from(block_bytes).map_err(|_| out_of_memory())?;
    let mut blocks = zeroed::<u8>(count).ok_or_else(out_of_memory)?;
    reader.read_exact(&mut blocks)?;
    let count = usize::try_from(u64::from(width) * u64::from(height)).map_err(|_| out_of_memory())?;
    let mut texels = zeroed(count).ok_or_else(out_of_memory)?;
    decode_into(BlockFormat::Bc1, &blocks, width, height, Decoder::Exact, &mut texels)
        .map_err(|error| Failure::Malformed(error.to_string()))?;
    Ok(Texels::Rgba8(texels))
}

/// DX10 headers name a DXGI format, which is sRGB or not; older ones do not say.
fn color_space(header: &dds::header::Header, format: Format) -> (ColorSpace, String) {
    if header.is_srgb() {
        (ColorSpace::Srgb, format!("DDS format {format:?} with sRGB"))
    } else if header.dx10().is_some() || format.precision() == Precision::F32 {
        (ColorSpace::Linear, format!("DDS format {format:?} is linear"))
    } else {
        color::assumed("DDS without a DX10 header")
    }
}

impl From<DecodingError> for Failure {
    fn from(error: DecodingError) -> Self {
        match error {
            DecodingError::Io(error) => Self::Io(error),
            DecodingError::MemoryLimitExceeded => Self::Limit(None),
            DecodingError::Format(error) => Self::Unsupported(error.to_string()),
            other => Self::Malformed(other.to_string()),
        }
    }
}

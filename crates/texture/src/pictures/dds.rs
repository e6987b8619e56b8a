//! DDS files as pictures.

use super::{
    dds_masks::{HEADER_BYTES, Masked},
    dds_rows::Rows,
    dds_texels,
    surface::{Storage, Surface, failure_of},
};
use crate::{
    ColorSpace,
    container::{
        byte_source::ByteSource,
        dds::{X_IN_ALPHA_NOTE, texture_shape},
        dds_header::{RawHeader, pixel_flags},
    },
};
use brickwork_image::AlphaProduct;
use brickwork_image::image_file::{
    DdsTenBitMasks, Texels,
    decoder::{Budget, Decoded, Failure, FileColor, TrackedReader, assumed},
};
use dds::{DecodingError, Format, PixelInfo, Precision, header::ParseOptions};
use std::io::{Cursor, Read, Seek, SeekFrom};

/// Note about four-CC RXGB.
const RXGB_NOTE: &str = "the header says RXGB, a normal map: red is in alpha";

pub(super) fn decode(
    mut source: TrackedReader<'_>,
    ten_bit_masks: DdsTenBitMasks,
    keeps_singles: bool,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let shape = ByteSource::new(&mut source, budget.limit).and_then(|mut bytes| texture_shape(&mut bytes));
    source.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    source.by_ref().take(HEADER_BYTES as u64 + 20).read_to_end(&mut head)?;
    let raw = head.get(4..).and_then(RawHeader::read);
    let mut raw = raw.ok_or_else(|| Failure::Io(std::io::ErrorKind::UnexpectedEof.into()))?;
    let mut repaired = raw.repair();
    if raw.has_x_in_alpha() {
        repaired.push(X_IN_ALPHA_NOTE.to_owned());
    }
    if let Some(texels) = raw.gimp_texels {
        repaired.push(format!("the header says {}: converted to colours", texels.name()));
    }
    // The notes also report mip levels that the file lacks.
    let mut notes = shape.map_or(repaired, |(_, notes)| notes);
    if let Some(order) = raw.channel_order() {
        notes.push(format!("the header says {}: its channels are put in order", order.letters));
    }
    let head = raw.to_bytes();
    let first = *head.first_chunk().ok_or(Failure::Io(std::io::ErrorKind::UnexpectedEof.into()))?;
    let data_bytes = budget.file_bytes.saturating_sub(head.len() as u64);
    source.seek(SeekFrom::Start(head.len() as u64))?;
    let is_normal_map = raw.pixel_flags & pixel_flags::NORMALS != 0;
    if let Some(masked) = Masked::of_header(&first, ten_bit_masks)? {
        let (size, has_alpha) = (masked.size, masked.has_alpha());
        let texels = masked.decode(&raw, source, data_bytes, budget)?;
        let (texels, has_alpha) = dds_texels::decoded(&raw, texels, has_alpha, budget.task)?;
        let color = if is_normal_map {
            normals("flag")
        } else if masked.is_linear() {
            (ColorSpace::Linear, "DDS with masks of linear numbers".to_owned()).into()
        } else {
            assumed("DDS without a DX10 header")
        };
        let mut decoded = Decoded::upright(size, texels, has_alpha, color);
        decoded.notes = notes;
        return Ok(decoded);
    }
    let options = ParseOptions::new_permissive(Some(budget.file_bytes));
    let header = dds::header::Header::read(&mut Cursor::new(&head), &options)
        .map_err(|error| failure_of(error.into()))?;
    let decoder = dds::Decoder::from_header(source, header).map_err(|error| {
        let is_unknown = matches!(error, DecodingError::Format(_));
        is_unknown.then(|| Masked::refused(&first)).flatten().unwrap_or_else(|| failure_of(error))
    })?;
    let (header, format) = (decoder.header(), decoder.format());
    let premultiplied = premultiplied(header, format);
    let size = [decoder.main_size().width, decoder.main_size().height];
    // RXGB is BC3 with red in alpha, and a normal map. (The crate decodes its colours as those of BC1.)
    let has_red_in_alpha = format == Format::BC3_UNORM_RXGB;
    let color = match (is_normal_map, has_red_in_alpha) {
        (true, _) => match raw.x_in_alpha_letters() {
            Some(letters) => normals(&format!("code {letters}")),
            None => normals("flag"),
        },
        (false, true) => normals("four-CC RXGB"),
        (false, false) => color_space(header, format),
    };
    let storage = Storage::Dds(if has_red_in_alpha { Format::BC3_UNORM } else { format });
    let surface = Surface { storage, size, keeps_singles };
    if surface.byte_count() > budget.file_bytes {
        return Err(budget.too_few_bytes(size));
    }
    let rows = match PixelInfo::from(format) {
        PixelInfo::Fixed { bytes_per_pixel } => Rows::of(&raw, bytes_per_pixel.into(), data_bytes),
        _ => Rows { row_bytes: 0, padding_bytes: 0 },
    };
    let (mut texels, mut has_alpha, halves) = surface.decode(rows.reader(decoder.into_reader()), budget)?;
    if let (true, Texels::Rgba8(texels)) = (has_red_in_alpha, &mut texels) {
        texels.iter_mut().for_each(|[red, _, _, alpha]| *red = std::mem::replace(alpha, u8::MAX));
        has_alpha = false;
    }
    let (texels, has_alpha) = dds_texels::decoded(&raw, texels, has_alpha, budget.task)?;
    let stored_type = surface.stored_type(&texels);
    let mut decoded = Decoded::upright(size, texels, has_alpha, color);
    (decoded.premultiplied, decoded.notes) = (premultiplied, notes);
    if has_red_in_alpha {
        decoded.notes.push(RXGB_NOTE.to_owned());
    }
    (decoded.halves, decoded.stored_type) = (halves, stored_type);
    Ok(decoded)
}

/// Returns the colour space of a file whose header says normal map, by this field.
fn normals(field: &str) -> FileColor {
    (ColorSpace::Linear, format!("DDS {field} of normal maps")).into()
}

/// True for formats that no version of Direct3D converts from sRGB: channels that are signed, alone or
/// paired, or have more than 8 bits.
fn is_never_srgb(format: Format) -> bool {
    use Format::{
        BC4_SNORM, BC4_UNORM, BC5_SNORM, BC5_UNORM, R8_SNORM, R8G8_SNORM, R8G8_UNORM, R8G8B8A8_SNORM,
    };
    let is_named = matches!(
        format,
        BC4_UNORM | BC4_SNORM | BC5_UNORM | BC5_SNORM | R8_SNORM | R8G8_UNORM | R8G8_SNORM | R8G8B8A8_SNORM
    );
    is_named || format.precision() != Precision::U8
}

/// Returns the colour space and its reason. DX10 headers name a DXGI format, which is sRGB or not. Older
/// headers do not state it for formats that have an sRGB form.
fn color_space(header: &dds::header::Header, format: Format) -> FileColor {
    if header.is_srgb() {
        (ColorSpace::Srgb, format!("DDS format {format:?} with sRGB")).into()
    } else if header.dx10().is_some() || is_never_srgb(format) {
        (ColorSpace::Linear, format!("DDS format {format:?} is linear")).into()
    } else {
        assumed("DDS without a DX10 header")
    }
}

/// Returns the kind of product of colour and alpha. DX10 headers state an alpha mode; older ones name
/// premultiplied formats (`DXT2`, `DXT4`).
fn premultiplied(header: &dds::header::Header, format: Format) -> Option<AlphaProduct> {
    let is_named =
        matches!(format, Format::BC2_UNORM_PREMULTIPLIED_ALPHA | Format::BC3_UNORM_PREMULTIPLIED_ALPHA);
    let is_stated =
        header.dx10().is_some_and(|dx10| dx10.alpha_mode == dds::header::AlphaMode::Premultiplied);
    (is_named || is_stated).then(|| AlphaProduct::of(header.is_srgb()))
}

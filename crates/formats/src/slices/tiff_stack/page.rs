//! One page of a TIFF file: its shape, and its stored numbers as voxels.

use super::{
    chunk_guard,
    dense::DenseRows,
    directories::Directories,
    tiff_file::{File, JPEG, LZW, OTHERS, UNCOMPRESSED, compression},
};
use crate::{
    FormatError, SliceShape, TiffColor, TiffFeature,
    slices::{
        packed_bits::unpack_bits,
        slice::{interleave, resize},
        ycbcr,
    },
};
use brickwork_volume::{MAX_CHANNELS, VoxelType};
use tiff::{ColorType, decoder::ChunkType, tags::Tag};

/// `SampleFormat` of floating-point numbers.
const FLOAT: u16 = 3;

/// Returns the shape of the voxels of the page with this index.
///
/// # Errors
/// [`FormatError`], also of pages that are not supported.
pub fn shape(pages: &mut File, directories: &Directories, index: usize) -> Result<SliceShape, FormatError> {
    let (has_palette, dense) = (directories.has_palette, directories.dense(index));
    let (width, height) = pages.dimensions()?;
    let color = pages.colortype()?;
    let unsupported = |feature: TiffFeature| Err(feature.into());
    let compression = compression(pages)?;
    if ![UNCOMPRESSED, LZW, JPEG].contains(&compression) && !OTHERS.contains(&compression) {
        return unsupported(TiffFeature::Compression { number: compression });
    }
    let (bits, channels) = match (color, dense) {
        (_, Some(rows)) => (rows.bits as u8, rows.channels),
        (ColorType::Gray(bits), None) => (bits, 1),
        (ColorType::RGB(bits), None) => (bits, 3),
        // Becomes red, green and blue.
        (ColorType::YCbCr(8), None) => (8, 3),
        (ColorType::RGBA(bits), None) => (bits, 4),
        (ColorType::Multiband { bit_depth, num_samples }, None) => (bit_depth, usize::from(num_samples)),
        _ => return unsupported(TiffFeature::Color(unsupported_color(color))),
    };
    // The reader leaves samples out that are neither colour nor alpha.
    let samples = pages.find_tag_unsigned::<u16>(Tag::SamplesPerPixel)?.unwrap_or(1);
    if dense.is_none() && usize::from(samples) != channels || channels > MAX_CHANNELS {
        return unsupported(TiffFeature::Samples { samples, colors: channels });
    }
    let formats = pages.find_tag_unsigned_vec::<u16>(Tag::SampleFormat)?.unwrap_or_default();
    let format = formats.first().copied().unwrap_or(1);
    if formats.iter().any(|&other| other != format) {
        return unsupported(TiffFeature::MixedFormats);
    }
    let voxel_type = match (dense, format, bits) {
        (Some(rows), 1, _) => rows.voxel_type(),
        (None, 1, 1 | 2 | 4) if channels == 1 => VoxelType::U8,
        (None, 1, 8) => VoxelType::U8,
        (None, 2, 8) => VoxelType::I8,
        (None, 1, 16) => VoxelType::U16,
        (None, 2, 16) => VoxelType::I16,
        (None, 1, 32) => VoxelType::U32,
        (None, 2, 32) => VoxelType::I32,
        (None, FLOAT, 16) => VoxelType::F16,
        (None, FLOAT, 32) => VoxelType::F32,
        (None, 1, 64) => VoxelType::U64,
        (None, 2, 64) => VoxelType::I64,
        (None, FLOAT, 64) => VoxelType::F64,
        _ => return unsupported(TiffFeature::Type { bits, format }),
    };
    // The reader takes tiles of the second plane for rows below the first, and panics.
    let in_planes = pages.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
    if in_planes && channels > 1 && pages.find_tag(Tag::TileWidth)?.is_some() {
        return unsupported(TiffFeature::PlanarTiles);
    }
    if has_palette && compression == JPEG {
        return unsupported(TiffFeature::Color(TiffColor::Palette));
    }
    let width = dense.map(|rows| rows.width).or(directories.width(index)).unwrap_or(width as usize);
    Ok(SliceShape { width, height: height as usize, voxel_type, channels })
}

/// True if the lowest bit of a byte is the first. JPEG has a separate order.
fn has_reversed_bits(pages: &mut File) -> Result<bool, FormatError> {
    let is_reversed = pages.find_tag_unsigned::<u16>(Tag::FillOrder)? == Some(2);
    Ok(is_reversed && compression(pages)? != JPEG)
}

/// Reads the page's voxels into `bytes`, in the byte order of the machine. `dense` has the rows of packed
/// numbers.
///
/// # Errors
/// [`FormatError`].
pub fn read_page(
    pages: &mut File,
    (shape, dense): (SliceShape, Option<DenseRows>),
    file_bytes: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let byte_count = shape.byte_count(file_bytes)?;
    chunk_guard::check(pages, shape, file_bytes)?;
    let color = pages.colortype()?;
    let (bits, is_ycbcr) = (color.bit_depth(), matches!(color, ColorType::YCbCr(_)));
    reverse_bits(pages)?;
    let stored_width = pages.dimensions()?.0 as usize;
    let stored_channels = if dense.is_some() { 1 } else { shape.channels };
    let stored_row_bytes = (stored_width * usize::from(bits) * stored_channels).div_ceil(8);
    let mut read = |bytes: &mut [u8]| -> Result<(), FormatError> {
        let row_bytes = (bytes.len() / shape.height.max(1)).max(1);
        if stored_row_bytes > row_bytes {
            // The rows of whole tiles are longer.
            SliceShape { width: stored_width, ..shape }.byte_count(file_bytes)?;
            let mut whole = Vec::new();
            resize(&mut whole, stored_row_bytes.saturating_mul(shape.height))?;
            read_image(pages, &mut whole)?;
            for (row, whole) in bytes.chunks_exact_mut(row_bytes).zip(whole.chunks_exact(stored_row_bytes)) {
                row.copy_from_slice(&whole[..row_bytes]);
            }
        } else {
            read_image(pages, bytes)?;
        }
        Ok(())
    };
    let mut packed = Vec::new();
    if let Some(rows) = dense {
        resize(&mut packed, rows.byte_count(shape.height).unwrap_or(usize::MAX))?;
        read(&mut packed)?;
        resize(bytes, byte_count)?;
        rows.unpack(&packed, bytes);
    } else if bits < 8 {
        resize(&mut packed, (shape.width * usize::from(bits)).div_ceil(8) * shape.height)?;
        read(&mut packed)?;
        resize(bytes, byte_count)?;
        unpack_bits(&packed, bits, shape.width, bytes);
    } else {
        resize(bytes, byte_count)?;
        read(bytes)?;
    }
    let in_planes = pages.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)? == Some(2);
    if in_planes && shape.channels > 1 {
        interleave(bytes, shape)?;
    }
    if is_ycbcr {
        ycbcr::to_rgb(bytes);
    }
    Ok(())
}

/// Reverses the bits of all strips or tiles of the page if the file states that order. They are reversed
/// before they are decompressed, as in libtiff.
fn reverse_bits(pages: &mut File) -> Result<(), FormatError> {
    let mut ranges = Vec::new();
    if has_reversed_bits(pages)? {
        let mut of = |tags: [Tag; 2]| -> Result<Vec<u64>, FormatError> {
            for tag in tags {
                if let Some(values) = pages.find_tag_unsigned_vec(tag)? {
                    return Ok(values);
                }
            }
            Ok(Vec::new())
        };
        let starts = of([Tag::StripOffsets, Tag::TileOffsets])?;
        let lengths = of([Tag::StripByteCounts, Tag::TileByteCounts])?;
        ranges = starts.iter().zip(lengths).map(|(&at, length)| at..at.saturating_add(length)).collect();
    }
    pages.inner().get_mut().reverse_bits(ranges);
    Ok(())
}

/// Reads the stored numbers of a page.
///
/// The `tiff` crate (0.11) reads tiles row by row if a row of the page has several. At the end of LZW data, a
/// short read of weezl (0.1) yields bytes, but reports that it made no progress, which the crate takes for
/// the end of the data. Tiles of LZW are therefore read at once, each into its own memory.
fn read_image(pages: &mut File, bytes: &mut [u8]) -> Result<(), FormatError> {
    let (width, height) = pages.dimensions()?;
    let (tile_width, tile_height) = pages.chunk_dimensions();
    let samples = pages.find_tag_unsigned::<u16>(Tag::SamplesPerPixel)?.unwrap_or(1);
    let voxel_bits = usize::from(pages.colortype()?.bit_depth()) * usize::from(samples);
    let across = width.div_ceil(tile_width);
    let starts_at_bytes = (tile_width as usize * voxel_bits).is_multiple_of(8);
    let is_tiled = pages.get_chunk_type() == ChunkType::Tile;
    if !is_tiled || across == 1 || !starts_at_bytes || compression(pages)? != LZW {
        return Ok(pages.read_image_bytes(bytes)?);
    }
    let page_row_bytes = (width as usize * voxel_bits).div_ceil(8);
    let mut tile = Vec::new();
    for index in 0..across * height.div_ceil(tile_height) {
        let (width, height) = pages.chunk_data_dimensions(index);
        let row_bytes = (width as usize * voxel_bits).div_ceil(8);
        resize(&mut tile, row_bytes * height as usize)?;
        pages.read_chunk_bytes(index, &mut tile)?;
        let (x, y) = (index % across * tile_width, index / across * tile_height);
        let first = y as usize * page_row_bytes + x as usize * voxel_bits / 8;
        for (row, target) in tile.chunks_exact(row_bytes).zip(bytes[first..].chunks_mut(page_row_bytes)) {
            target[..row_bytes].copy_from_slice(row);
        }
    }
    Ok(())
}

/// Returns the name of a colour type that is not read.
fn unsupported_color(color: ColorType) -> TiffColor {
    match color {
        ColorType::Palette(_) => TiffColor::Palette,
        ColorType::GrayA(_) => TiffColor::GreyAlpha,
        ColorType::CMYK(_) => TiffColor::Cmyk,
        ColorType::CMYKA(_) => TiffColor::CmykAlpha,
        ColorType::YCbCr(_) => TiffColor::YCbCr,
        ColorType::Lab(_) => TiffColor::Lab,
        _ => TiffColor::Other,
    }
}

//! Pixels of a slice, and their PNG file.

use brickwork_base::Task;
use brickwork_image::image_file::{ImageWriteError, PngTexels, write_png};
use brickwork_texture::ColorSpace;
use std::io::Write;

/// Pixels of a slice, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum SlicePixels {
    /// Grey.
    Grey(Vec<u8>),
    /// Red, green and blue of labels.
    Colors(Vec<[u8; 3]>),
}

/// Encodes the pixels of a slice as a PNG file in sRGB, which also states their width and height in
/// millimetres, if they are given.
///
/// # Errors
/// [`ImageWriteError`] of `sink`, if the number of pixels is not `width · height`, if there are too many for
/// PNG, or if the task is cancelled.
pub fn encode_slice(
    sink: &mut dyn Write,
    size: [usize; 2],
    pixels: &SlicePixels,
    millimetres: Option<[f64; 2]>,
    task: &Task<'_>,
) -> Result<(), ImageWriteError> {
    let [width, height] = size.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let texels = match pixels {
        SlicePixels::Grey(pixels) => PngTexels::Grey8(pixels),
        SlicePixels::Colors(pixels) => PngTexels::Rgb8(pixels),
    };
    let mut png = Vec::new();
    write_png(&mut png, width, height, texels, ColorSpace::Srgb, task)?;
    if let Some(millimetres) = millimetres {
        png = with_physical_size(&png, millimetres);
    }
    Ok(sink.write_all(&png)?)
}

/// Returns a PNG file that also states the width and height of a pixel in millimetres (chunk pHYs; PNG
/// 11.3.4.3).
fn with_physical_size(png: &[u8], millimetres: [f64; 2]) -> Vec<u8> {
    // The chunk follows the header, which always has this length.
    let (head, rest) = png.split_at(33.min(png.len()));
    let mut chunk = b"pHYs".to_vec();
    for side in millimetres {
        chunk.extend(((1000.0 / side).round() as u32).to_be_bytes());
    }
    // The unit is the metre.
    chunk.push(1);
    let mut crc = flate2::Crc::new();
    crc.update(&chunk);
    let length = (chunk.len() as u32 - 4).to_be_bytes();
    [head, &length, &chunk, &crc.sum().to_be_bytes(), rest].concat()
}

//! BMP with the `image` crate, which does not read the colour fields of the header (`BITMAPV4HEADER`,
//! `BITMAPV5HEADER`).

use super::{
    Texels,
    budget::{Budget, no_texel},
    color::{self, FileColor},
    decoded::Decoded,
    failure::Failure,
    gamma::of_displays,
    patched::{Patch, Patched},
    primaries::Primaries,
    through_image::{check_plausible, decode_any, rows},
    tracked_reader::{BufReadSeek, TrackedReader},
};
use crate::ColorSpace;
use image::codecs::bmp::BmpDecoder;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Bytes of the header of the file, before that of the picture.
const FILE_HEADER_BYTES: usize = 14;
/// Bytes of the headers of versions 4 and 5.
const V4_BYTES: u64 = 108;
const V5_BYTES: u64 = 124;

/// Colour spaces (`bV4CSType`).
const CALIBRATED: u32 = 0;
const DEVICE: u32 = 1;
const SRGB: u32 = u32::from_be_bytes(*b"sRGB");
const WINDOWS: u32 = u32::from_be_bytes(*b"Win ");
const LINKED: u32 = u32::from_be_bytes(*b"LINK");
const EMBEDDED: u32 = u32::from_be_bytes(*b"MBED");

pub(super) fn decode(mut source: TrackedReader<'_>, budget: &Budget<'_>) -> Result<Decoded, Failure> {
    // In the oldest header, of 12 bytes, width and height have 16 bits each. Others have 32 bits each.
    let mut header = [0; 26];
    source.read_exact(&mut header)?;
    source.seek(SeekFrom::Start(0))?;
    let [sides @ .., a, b, c, d, e, f, g, h] = header;
    let is_oldest = sides.ends_with(&[12, 0, 0, 0]);
    let [width, height] = if is_oldest { [[a, b, 0, 0], [c, d, 0, 0]] } else { [[a, b, c, d], [e, f, g, h]] }
        .map(u32::from_le_bytes);
    if width == 0 || height == 0 {
        return Err(no_texel([width, height]));
    }
    let (color, profile_bytes) = color_of(&mut source, budget)?;
    let (patches, notes) = offset_patch(&mut source)?;
    source.seek(SeekFrom::Start(0))?;
    if patches.is_empty() {
        let mut decoded = decode_from(&mut source, color, profile_bytes, budget)?;
        if let Texels::Rgb8(texels) = &mut decoded.texels {
            fill_skipped(&mut source, texels, decoded.size[0] as usize)?;
        }
        return Ok(decoded);
    }
    let mut patched = BufReader::new(Patched::new(source, patches));
    let decoded = decode_from(&mut patched, color, profile_bytes, budget)?;
    Ok(Decoded { notes, ..decoded })
}

/// Gives the first colour of the palette to texels that run-length encoding skips. The `image` crate (0.25)
/// leaves them black.
fn fill_skipped(source: &mut TrackedReader<'_>, texels: &mut [[u8; 3]], width: usize) -> io::Result<()> {
    const RUNS: [u8; 2] = [1, 2];
    source.rewind()?;
    let mut header = Vec::new();
    source.by_ref().take(34).read_to_end(&mut header)?;
    if header.len() < 34 {
        // Older headers are shorter, and have no runs.
        return Ok(());
    }
    let word =
        |at: usize| header[at..].first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
    let [compression, 0, 0, 0] = header[30..] else { return Ok(()) };
    if word(14) < 40 || !RUNS.contains(&compression) {
        return Ok(());
    }
    source.seek(SeekFrom::Start(FILE_HEADER_BYTES as u64 + word(14)))?;
    let mut color = [0; 3];
    source.read_exact(&mut color)?;
    color.reverse();
    if color == [0; 3] {
        return Ok(());
    }
    source.seek(SeekFrom::Start(word(10)))?;
    // Rows are from the lowest to the highest.
    let rows = texels.len() / width;
    let mut fill = |from: usize, to: usize| {
        for place in from..to.min(rows * width) {
            texels[(rows - 1 - place / width) * width + place % width] = color;
        }
    };
    let [mut next, mut x, mut y] = [0; 3];
    loop {
        let mut pair = [0; 2];
        if y >= rows || source.read_exact(&mut pair).is_err() {
            break;
        }
        let count = match pair {
            [0, 0] => {
                (x, y) = (0, y + 1);
                continue;
            }
            [0, 1] => break,
            [0, 2] => {
                let mut distance = [0; 2];
                source.read_exact(&mut distance)?;
                (x, y) = (x + usize::from(distance[0]), y + usize::from(distance[1]));
                continue;
            }
            // Indices, padded to two bytes.
            [0, count] => {
                let bytes = u16::from(if compression == 1 { count } else { count.div_ceil(2) });
                source.seek(SeekFrom::Current(bytes.next_multiple_of(2).into()))?;
                count
            }
            [count, _] => count,
        };
        let start = y * width + x.min(width);
        fill(next, start);
        x += usize::from(count);
        next = y * width + x.min(width);
    }
    fill(next, rows * width);
    Ok(())
}

fn decode_from(
    source: &mut dyn BufReadSeek,
    color: FileColor,
    profile_bytes: u64,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let decoder = BmpDecoder::new(source)?;
    // Runs of 255 texels take two bytes, but a run-length-encoded file may end early and leave the rest
    // black.
    check_plausible(&decoder, 1, 4096, budget)?;
    let extra = rows(&decoder) + profile_bytes;
    decode_any(Box::new(decoder), "BMP", extra, budget, color)
}

/// Returns the patch for a header by which the texels begin at the palette, and a note. Some writers forget
/// the palette.
fn offset_patch(source: &mut TrackedReader<'_>) -> io::Result<(Vec<Patch>, Vec<String>)> {
    source.seek(SeekFrom::Start(0))?;
    let mut header = Vec::new();
    source.by_ref().take(54).read_to_end(&mut header)?;
    let word =
        |at: usize| header[at..].first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
    let none = (Vec::new(), Vec::new());
    if header.len() < 54 {
        return Ok(none);
    }
    let (start, header_end, bits, compression) = (word(10), 14 + word(14), word(28) & 0xffff, word(30));
    if start != header_end || header_end < 54 || bits > 8 || compression != 0 {
        return Ok(none);
    }
    let colors = if word(46) == 0 { 1 << bits } else { word(46).min(1 << bits) };
    let texels = header_end + 4 * colors;
    let note = format!("by the header, the texels begin at the palette; they are read from byte {texels}");
    Ok((vec![(10, (texels as u32).to_le_bytes().to_vec())], vec![note]))
}

/// Returns the colour space of the header, and the bytes of the profile that was read.
fn color_of(source: &mut TrackedReader<'_>, budget: &Budget<'_>) -> Result<(FileColor, u64), Failure> {
    source.seek(SeekFrom::Start(0))?;
    let mut header = Vec::new();
    source.by_ref().take(FILE_HEADER_BYTES as u64 + V5_BYTES).read_to_end(&mut header)?;
    let header = header.get(FILE_HEADER_BYTES..).unwrap_or_default();
    let word =
        |at: usize| header.get(at..).and_then(<[u8]>::first_chunk).map(|word| u32::from_le_bytes(*word));
    let version_bytes = u64::from(word(0).unwrap_or(0));
    let Some(space) = word(56).filter(|_| version_bytes >= V4_BYTES) else {
        return Ok((color::assumed("BMP"), 0));
    };
    let noted = |note: String| FileColor { ignored: vec![note], ..color::assumed("BMP") };
    let color = match space {
        CALIBRATED => calibrated(header),
        DEVICE => color::assumed("BMP"),
        SRGB => (ColorSpace::Srgb, "BMP LCS_sRGB".to_owned()).into(),
        WINDOWS => (ColorSpace::Srgb, "BMP LCS_WINDOWS_COLOR_SPACE".to_owned()).into(),
        LINKED => noted("the ICC profile that the BMP file links is not read; sRGB is assumed".to_owned()),
        EMBEDDED => {
            let place =
                [112, 116].map(|at| u64::from(word(at).filter(|_| version_bytes >= V5_BYTES).unwrap_or(0)));
            let [start, length] = [FILE_HEADER_BYTES as u64 + place[0], place[1]];
            let mut profile = Vec::new();
            if start + length <= source.length() {
                budget.check(length)?;
                source.seek(SeekFrom::Start(start))?;
                source.by_ref().take(length).read_to_end(&mut profile)?;
            }
            return Ok((color::of_profile("BMP", &profile), profile.len() as u64));
        }
        other => {
            noted(format!("the colour space of the BMP header, {other:#010x}, is not known; sRGB is assumed"))
        }
    };
    Ok((color, 0))
}

/// Returns the colour space of end points and gammas (`bV4Endpoints`, `bV4GammaRed` and so on), if the header
/// states some. Points are XYZ, whose sum is white, in units of 2⁻³⁰. Some writers state chromaticities, each
/// with a sum of 1. Light is the number raised to the gamma, in units of 2⁻¹⁶.
fn calibrated(header: &[u8]) -> FileColor {
    let words = |at: usize| {
        let words = header.get(at..).unwrap_or_default().as_chunks::<4>().0.iter();
        words.map(|word| u32::from_le_bytes(*word))
    };
    let numbers: Vec<f64> =
        words(60).take(9).map(|word| f64::from(word.cast_signed()) / 2f64.powi(30)).collect();
    let points: Vec<[f64; 3]> = numbers.as_chunks::<3>().0.to_vec();
    let primaries = <[[f64; 3]; 3]>::try_from(points).ok().filter(|points| *points != [[0.0; 3]; 3]);
    let primaries = primaries.map(|points| (primaries_of(points), "BMP end points"));
    let mut gammas: Vec<f64> = words(96).take(3).map(|word| f64::from(word) / 65536.0).collect();
    if gammas.iter().all(|gamma| *gamma == 0.0) {
        let mut color = color::assumed("BMP");
        if let Some((points, source)) = primaries {
            color.set_primaries(points, source);
        }
        return color;
    }
    if gammas.iter().all(|gamma| *gamma == gammas[0]) {
        gammas.truncate(1);
    }
    let texts: Vec<String> = gammas.iter().map(|gamma| format!("{gamma:.2}")).collect();
    let source = format!("BMP gamma {}", texts.join(", "));
    of_displays(source, &gammas, primaries)
}

/// Returns the primaries of end points.
fn primaries_of(points: [[f64; 3]; 3]) -> Primaries {
    let chromaticity = |[x, y, z]: [f64; 3]| [x, y].map(|value| value / (x + y + z));
    let are_chromaticities = points.iter().all(|point| (point.iter().sum::<f64>() - 1.0).abs() < 0.01);
    let white = [0, 1, 2].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>());
    let white = if are_chromaticities { Primaries::REC709.white } else { chromaticity(white) };
    let [red, green, blue] = points.map(chromaticity);
    Primaries { red, green, blue, white }
}

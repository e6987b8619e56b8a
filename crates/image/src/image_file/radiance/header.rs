//! The header of a Radiance picture.

use super::super::{failure::Failure, fault::ImageFault, feature::ImageFeature, primaries::Primaries};
use image::metadata::Orientation;
use std::io::BufRead;

/// Maximum length of the header in bytes.
const MAX_BYTES: usize = 1 << 16;

/// Properties that the header states.
pub(super) struct Header {
    /// Texels of a scanline, and number of scanlines.
    pub stored_size: [u32; 2],
    /// Turn of the scanlines to rows from top to bottom.
    pub orientation: Orientation,
    /// Factors of red, green and blue.
    pub scale: [f64; 3],
    pub primaries: Primaries,
    pub notes: Vec<String>,
}

impl Header {
    /// Reads the header; the scanlines follow.
    pub fn read(source: &mut impl BufRead) -> Result<Self, Failure> {
        let mut left = MAX_BYTES;
        let field = |name: &'static str, value: &str, expected: &'static str| {
            Failure::Malformed(ImageFault::Field { name, value: value.to_owned(), expected })
        };
        if !line(source, &mut left)?.starts_with("#?") {
            return Err(Failure::Malformed(ImageFault::RadianceStart));
        }
        let mut header = Self {
            stored_size: [0; 2],
            orientation: Orientation::NoTransforms,
            scale: [1.0; 3],
            primaries: Primaries::REC709,
            notes: Vec::new(),
        };
        let mut exposure = 1.0;
        let mut is_xyz = false;
        loop {
            let line = line(source, &mut left)?;
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once('=') else { continue };
            let value = value.trim();
            let numbers = || -> Vec<f64> { value.split_whitespace().map_while(|n| n.parse().ok()).collect() };
            match name.trim() {
                "FORMAT" if value.eq_ignore_ascii_case("32-bit_rle_rgbe") => is_xyz = false,
                "FORMAT" if value.eq_ignore_ascii_case("32-bit_rle_xyze") => is_xyz = true,
                "FORMAT" => {
                    return Err(Failure::Unsupported(ImageFeature::Format {
                        name: format!("the format {value}"),
                    }));
                }
                "EXPOSURE" => match numbers()[..] {
                    [factor] if factor.is_finite() && factor > 0.0 => exposure *= factor,
                    _ => return Err(field("EXPOSURE", value, "a number above 0")),
                },
                "COLORCORR" => match numbers()[..] {
                    [r, g, b] if [r, g, b].iter().all(|v| v.is_finite() && *v > 0.0) => {
                        header.scale = [0, 1, 2].map(|c| header.scale[c] / [r, g, b][c]);
                    }
                    _ => return Err(field("COLORCORR", value, "three numbers above 0")),
                },
                "PRIMARIES" => match numbers()[..] {
                    [rx, ry, gx, gy, bx, by, wx, wy] => {
                        header.primaries =
                            Primaries { red: [rx, ry], green: [gx, gy], blue: [bx, by], white: [wx, wy] };
                    }
                    _ => return Err(field("PRIMARIES", value, "eight numbers")),
                },
                _ => {}
            }
        }
        if is_xyz {
            header.primaries = Primaries::XYZ;
        }
        if exposure != 1.0 {
            header.scale = header.scale.map(|scale| scale / exposure);
            header.notes.push(format!("numbers are divided by the stated exposure of {exposure}"));
        }
        if header.scale.iter().any(|scale| !scale.is_finite() || *scale == 0.0) {
            return Err(Failure::Malformed(ImageFault::Exposure(exposure)));
        }
        let resolution = line(source, &mut left)?;
        (header.stored_size, header.orientation) = of_resolution(&resolution)
            .ok_or_else(|| field("the resolution line", &format!("{resolution:?}"), "-Y H +X W"))?;
        Ok(header)
    }
}

/// Reads a line without its end.
fn line(source: &mut impl BufRead, left: &mut usize) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::Read::take(&mut *source, *left as u64).read_until(b'\n', &mut bytes)?;
    *left -= bytes.len();
    if bytes.pop() != Some(b'\n') {
        let fault = if *left == 0 { ImageFault::LongHeader } else { ImageFault::EndsInHeader };
        return Err(Failure::Malformed(fault));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the stored size and the orientation that a resolution line states.
fn of_resolution(line: &str) -> Option<([u32; 2], Orientation)> {
    let [slow, count, fast, length] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    // The first axis counts scanlines. -Y and +X are the usual directions: from the top, from the left.
    let orientation = match (slow, fast) {
        ("-Y", "+X") => Orientation::NoTransforms,
        ("-Y", "-X") => Orientation::FlipHorizontal,
        ("+Y", "+X") => Orientation::FlipVertical,
        ("+Y", "-X") => Orientation::Rotate180,
        ("+X", "-Y") => Orientation::Rotate90FlipH,
        ("+X", "+Y") => Orientation::Rotate270,
        ("-X", "-Y") => Orientation::Rotate90,
        ("-X", "+Y") => Orientation::Rotate270FlipH,
        _ => return None,
    };
    let [length, count] = [length.parse().ok()?, count.parse().ok()?];
    (length > 0 && count > 0).then_some(([length, count], orientation))
}

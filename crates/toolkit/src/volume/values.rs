//! Syntax of the values of options about renderings and slices. Errors state what is expected.

use brickwork_volume::Spacing;

/// Maximum width of an outline in pixels.
const MAX_OUTLINE: usize = 64;

/// Parses `1920x1080`.
///
/// # Errors
/// The expected syntax.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let sides =
        text.split_once('x').and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    sides.ok_or_else(|| "expected two sizes, such as 1920x1080".to_owned())
}

/// Position of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a position has these numbers")]
pub struct CameraPosition {
    /// Azimuth in degrees.
    pub azimuth: f64,
    /// Elevation in degrees.
    pub elevation: f64,
    /// Zoom: 1 shows everything.
    pub zoom: f64,
}

/// Parses `30,15` or `30,15,2`.
///
/// # Errors
/// The expected syntax.
pub fn camera(text: &str) -> Result<CameraPosition, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[azimuth, elevation]) => Ok(CameraPosition { azimuth, elevation, zoom: 1.0 }),
        Some(&[azimuth, elevation, zoom]) => Ok(CameraPosition { azimuth, elevation, zoom }),
        _ => Err("expected azimuth,elevation or azimuth,elevation,zoom, such as 30,15 or 30,15,2".to_owned()),
    }
}

/// Units of lengths, and their number per millimetre. The first letter of `µm` is one of two of Unicode.
const LENGTH_UNITS: [(&str, f64); 5] = [("mm", 1.0), ("um", 1e3), ("µm", 1e3), ("μm", 1e3), ("nm", 1e6)];

/// Parses `0.34,0.34,0.5`, in millimetres, or with a unit, `mm`, `um`, `µm` or `nm`: after each number, or
/// after the last one, for all.
///
/// # Errors
/// The expected syntax.
pub fn spacing(text: &str) -> Result<Spacing, String> {
    let side = |part: &str| -> Option<(f64, Option<f64>)> {
        let part = part.trim();
        let unit = LENGTH_UNITS.iter().find_map(|&(unit, per)| Some((part.strip_suffix(unit)?, per)));
        let (number, per) = unit.map_or((part, None), |(number, per)| (number, Some(per)));
        Some((number.trim_end().parse().ok()?, per))
    };
    let sides: Option<Vec<_>> = text.split(['x', ',']).map(side).collect();
    let Some(&[x, y, z]) = sides.as_deref() else {
        return Err("expected three numbers, such as 0.34,0.34,0.5 or 0.2,0.2,1um".to_owned());
    };
    let per = match [x.1, y.1, z.1] {
        [None, None, last] => [last.unwrap_or(1.0); 3],
        [Some(x), Some(y), Some(z)] => [x, y, z],
        _ => return Err("expected a unit after each number, or after the last one, for all".to_owned()),
    };
    // A quotient is the float nearest to the decimal number of millimetres.
    let [x, y, z] = [x.0 / per[0], y.0 / per[1], z.0 / per[2]];
    if [x, y, z].iter().any(|side: &f64| !side.is_normal() || *side < 0.0) {
        return Err("expected three finite numbers above 0, such as 0.34,0.34,0.5".to_owned());
    }
    Ok(Spacing { x, y, z })
}

/// Parses `-200..1500` or `-200,1500`.
///
/// # Errors
/// The expected syntax.
pub fn window(text: &str) -> Result<[f64; 2], String> {
    let ends = text.split_once("..").or_else(|| text.split_once(','));
    let ends = ends.and_then(|(a, b)| Some([a.trim().parse::<f64>().ok()?, b.trim().parse().ok()?]));
    match ends {
        Some([low, high]) if low < high && low.is_finite() && high.is_finite() => Ok([low, high]),
        _ => Err("expected two finite numbers, the lower one first, such as -200..1500".to_owned()),
    }
}

/// Red, green, blue and alpha from 0 to 1.
pub type Color = [f32; 4];

/// Parses `black`, `white`, `transparent`, `#1a2b3c` or `#1a2b3c80`.
///
/// # Errors
/// The expected syntax.
pub fn color(text: &str) -> Result<Color, String> {
    match text {
        "black" => return Ok([0.0, 0.0, 0.0, 1.0]),
        "white" => return Ok([1.0; 4]),
        "transparent" => return Ok([0.0; 4]),
        _ => {}
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let byte = |i: usize| u8::from_str_radix(digits.get(2 * i..2 * i + 2)?, 16).ok();
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let bytes = match digits.len() {
        6 if is_hex => [byte(0), byte(1), byte(2), Some(255)],
        8 if is_hex => [byte(0), byte(1), byte(2), byte(3)],
        _ => [None; 4],
    };
    match bytes {
        [Some(red), Some(green), Some(blue), Some(alpha)] => {
            Ok([red, green, blue, alpha].map(|byte| f32::from(byte) / 255.0))
        }
        _ => Err("expected black, white, transparent or a colour such as #1a2b3c".to_owned()),
    }
}

/// Parses an opacity.
///
/// # Errors
/// The expected syntax.
pub fn opacity(text: &str) -> Result<f64, String> {
    let found = text.trim().parse().ok().filter(|opacity| (0.0..=1.0).contains(opacity));
    found.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Parses the width of an outline.
///
/// # Errors
/// The expected syntax.
pub fn outline(text: &str) -> Result<usize, String> {
    let found = text.trim().parse().ok().filter(|width| (1..=MAX_OUTLINE).contains(width));
    found.ok_or_else(|| format!("expected a number of pixels from 1 to {MAX_OUTLINE}"))
}

/// Choice of a mip level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum LevelChoice {
    /// The level whose voxels are as large as pixels.
    Auto,
    /// The given level.
    Of(usize),
}

/// Parses `auto` or a number.
///
/// # Errors
/// The expected syntax.
pub fn level(text: &str) -> Result<LevelChoice, String> {
    if text == "auto" {
        return Ok(LevelChoice::Auto);
    }
    text.parse()
        .map(LevelChoice::Of)
        .map_err(|_| "expected auto or a level, 0 for the volume itself".to_owned())
}

/// Parses the number of renderings of an orbit. It is limited, so that a typing mistake does not fill the
/// disk.
///
/// # Errors
/// The expected syntax.
pub fn orbit(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| (1..=10_000).contains(count));
    count.ok_or_else(|| "expected a number of pictures from 1 to 10000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_has_units() {
        let of = |x, y, z| Ok(Spacing { x, y, z });
        assert_eq!(spacing("0.34, 0.5,2"), of(0.34, 0.5, 2.0));
        assert_eq!(spacing("0.34x0.5x2mm"), of(0.34, 0.5, 2.0));
        for text in
            ["0.2,0.2,1um", "0.2um,0.2um,1um", "0.2,0.2,1 µm", "0.2,0.2,1\u{3bc}m", "200nm,0.2um,1e3nm"]
        {
            assert_eq!(spacing(text), of(0.0002, 0.0002, 0.001), "{text}");
        }
        for bad in ["0.2um,0.2,1", "0.2,0.2um,1um", "0.2,0.2,1cm", "um,um,um", "0.2,0.2,m", "0,0,0um"] {
            assert!(spacing(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn values_are_read() {
        assert_eq!(size("64x48"), Ok([64, 48]));
        assert_eq!(camera("1,-2"), Ok(CameraPosition { azimuth: 1.0, elevation: -2.0, zoom: 1.0 }));
        assert_eq!(camera("1,2,3").map(|angles| angles.zoom), Ok(3.0));
        assert_eq!(color("#ff0000"), Ok([1.0, 0.0, 0.0, 1.0]));
        assert_eq!(color("00000000"), Ok([0.0; 4]));
        assert_eq!((level("auto"), level("2")), (Ok(LevelChoice::Auto), Ok(LevelChoice::Of(2))));
        assert!(size("64").is_err());
        assert!(camera("1").is_err() && camera("1,2,3,4").is_err() && color("#ffää").is_err());
        assert!(level("-1").is_err() && orbit("0").is_err() && orbit("10001").is_err());
    }
}

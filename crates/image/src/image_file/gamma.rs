//! Colours of fields that state a power: `gAMA` of PNG, and the headers of BMP and TGA.

use super::{
    color::{FileColor, assumed},
    primaries::Primaries,
    tone_curve::ToneCurve,
};
use crate::ColorSpace;

/// Largest difference between the inverses of gammas that are the same.
const TOLERANCE: f64 = 0.005;

/// Returns the colour space of numbers that become light if they are raised to these powers: one for all
/// channels, or one each. `source` states them. Primaries come with their source.
///
/// A power of about 2.2 means sRGB by custom: programs write it beside the colours of sRGB. With other
/// primaries, only exactly 2.2 does; beside those of Adobe RGB, not even this: their curve is a power.
pub(super) fn of_gammas(source: String, gammas: &[f64], primaries: Option<(Primaries, &str)>) -> FileColor {
    let all_are =
        |inverse: f64, tolerance| gammas.iter().all(|gamma| (1.0 / gamma - inverse).abs() < tolerance);
    let tolerance = match primaries.filter(|(points, _)| points.to_rec709().is_some()) {
        Some((points, _)) if points.is_near(&Primaries::ADOBE_RGB) => 0.0,
        Some((points, _)) if !points.is_near(&Primaries::REC709) => 2e-5,
        _ => TOLERANCE,
    };
    let mut color: FileColor = if all_are(1.0, TOLERANCE) {
        (ColorSpace::Linear, source).into()
    } else if all_are(0.45455, tolerance) {
        (ColorSpace::Srgb, source).into()
    } else {
        let curves: Option<Vec<_>> = gammas.iter().map(|&gamma| ToneCurve::of_gamma(gamma)).collect();
        match curves {
            Some(curves) => FileColor::with_curves(source, curves),
            None => impossible(&source),
        }
    };
    if let Some((points, source)) = primaries {
        color.set_primaries(points, source);
    }
    color
}

/// Returns the colour space of numbers that a display with these gammas shows. None makes light of small
/// numbers brighter: a program that states less than 0.9 may mean the inverse.
pub(super) fn of_displays(source: String, gammas: &[f64], primaries: Option<(Primaries, &str)>) -> FileColor {
    if gammas.iter().any(|gamma| *gamma < 0.9) {
        impossible(&source)
    } else {
        of_gammas(source, gammas, primaries)
    }
}

/// Returns the colour space of a file whose gamma is impossible, and a note.
fn impossible(source: &str) -> FileColor {
    let ignored = vec![format!("{source} is impossible; sRGB is assumed")];
    FileColor { ignored, ..assumed(&format!("{source} is impossible")) }
}

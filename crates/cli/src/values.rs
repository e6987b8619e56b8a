//! Syntax of the values of options.

use crate::commands::{
    assemble::face_of_word,
    compare::{Measure, MeasureLimit},
};
use brickwork_texture::{RoundingRule, ToneCurve, container::ContainerFormat};
pub use brickwork_toolkit::texture::values::{memory_size, swizzle};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Returns a parser of the names of values.
fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(move |&value| name(value)))
        .try_map(move |text| all.iter().copied().find(|&value| name(value) == text).ok_or("unknown"))
}

/// Returns a parser of the names of decoders.
pub fn decoder_parser() -> impl TypedValueParser<Value = RoundingRule> {
    named(RoundingRule::ALL, RoundingRule::name)
}

/// Returns a parser of the names of tone curves.
pub fn tone_curve_parser() -> impl TypedValueParser<Value = ToneCurve> {
    named(ToneCurve::ALL, ToneCurve::name)
}

/// Returns a parser of the extensions of containers.
pub fn container_parser() -> impl TypedValueParser<Value = ContainerFormat> {
    let known = ContainerFormat::ALL.iter().map(|format| format.extension());
    PossibleValuesParser::new(known).try_map(|name| ContainerFormat::of_extension(&name).ok_or("unknown"))
}

/// Parses an exposure in stops.
pub fn exposure(text: &str) -> Result<f32, String> {
    let stops = text.parse().ok().filter(|stops: &f32| stops.abs() <= 40.0);
    stops.ok_or_else(|| "expected a number of stops from -40 to 40".to_owned())
}

/// Parses a number of threads, limited so that a typing mistake does not overload the machine.
pub fn threads(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1024).contains(count));
    count.ok_or_else(|| "expected a whole number from 1 to 1024".to_owned())
}

/// Parses a face of a cube, given by index, direction, or a word of file names such as `px` or `top`.
pub fn face(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|face| *face < 6);
    number
        .or_else(|| face_of_word(text))
        .ok_or_else(|| "expected 0 to 5; +x, -x, +y, -y, +z, -z; or a name such as px or top".to_owned())
}

/// Parses a limit of `--fail-under`.
pub fn lower_limit(text: &str) -> Result<MeasureLimit, String> {
    measure_limit(text, false)
}

/// Parses a limit of `--fail-over`.
pub fn upper_limit(text: &str) -> Result<MeasureLimit, String> {
    measure_limit(text, true)
}

fn measure_limit(text: &str, is_upper: bool) -> Result<MeasureLimit, String> {
    let example = if is_upper { "flip=0.1 or max-error=8" } else { "psnr=40 or ssim=0.98" };
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("expected MEASURE=VALUE, such as {example}"))?;
    let mut known = Measure::ALL.iter().copied().filter(|measure| measure.is_error() == is_upper);
    let names = known.clone().map(Measure::name).collect::<Vec<_>>().join(", ");
    let measure = known
        .find(|measure| measure.name() == name)
        .ok_or_else(|| format!("\"{name}\" is not a measure of this option; expected one of {names}"))?;
    let limit: f64 = value.parse().map_err(|_| format!("\"{value}\" is not a number"))?;
    if !limit.is_finite() {
        return Err(format!("\"{value}\" is not a finite number"));
    }
    Ok(MeasureLimit { measure, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_and_limits() {
        assert_eq!((face("-Z"), face("2")), (Ok(5), Ok(2)));
        assert_eq!((face("Top"), face("px"), face("bk")), (Ok(2), Ok(0), Ok(5)));
        assert!(face("6").is_err() && face("x").is_err());
        assert_eq!(lower_limit("ssim=0.98").unwrap().measure, Measure::Ssim);
        assert_eq!(upper_limit("flip=0.1").unwrap().measure, Measure::Flip);
        for bad in ["psnr", "psnr=nan", "mse=1", "flip=0.1"] {
            assert!(lower_limit(bad).is_err(), "{bad}");
        }
        assert!(upper_limit("psnr=40").is_err());
    }
}

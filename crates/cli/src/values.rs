//! Syntax of the values of options.

use crate::face_names::face_of_word;
use brickwork_texture::{RoundingRule, ToneCurve, container::ContainerFormat};
pub use brickwork_toolkit::texture::values::{memory_size, swizzle};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Returns a parser of the names of values.
pub fn named<T: Copy + Send + Sync + 'static>(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_by_number_and_name() {
        assert_eq!((face("-Z"), face("2")), (Ok(5), Ok(2)));
        assert_eq!((face("Top"), face("px"), face("bk")), (Ok(2), Ok(0), Ok(5)));
        assert!(face("6").is_err() && face("x").is_err());
    }
}

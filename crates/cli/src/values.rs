//! Syntax of the values of options.

use crate::face_names::face_of_word;
use brickwork_texture::{
    MipFilter, Quality, RoundingRule, ToneCurve,
    bc::{bc1::Method, bc6h::Bc6hMetric, bc7::RealTime},
    container::ContainerFormat,
};
use brickwork_toolkit::texture::PowerOfTwo;
pub use brickwork_toolkit::texture::values::{
    alpha_reference, channel_file, color_space, height_scale, level_file, max_value, memory_size, mip_levels,
    mip_wrap, picture_size, roughness_channel, swizzle, target_psnr, target_size, transfer_function, weights,
};
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

/// Returns a parser of the names of qualities.
pub fn quality_parser() -> impl TypedValueParser<Value = Quality> {
    named(Quality::ALL, Quality::name)
}

/// Returns a parser of the names of BC7's levels for real time.
pub fn real_time_parser() -> impl TypedValueParser<Value = RealTime> {
    named(RealTime::ALL, RealTime::name)
}

/// Returns a parser of the names of BC6H's metrics.
pub fn metric_parser() -> impl TypedValueParser<Value = Bc6hMetric> {
    named(Bc6hMetric::ALL, Bc6hMetric::name)
}

/// Returns a parser of the names of BC1's methods.
pub fn method_parser() -> impl TypedValueParser<Value = Method> {
    named(Method::ALL, Method::name)
}

/// Returns a parser of the names of tone curves.
pub fn tone_curve_parser() -> impl TypedValueParser<Value = ToneCurve> {
    named(ToneCurve::ALL, ToneCurve::name)
}

/// Returns a parser of the names of filters of mip levels.
pub fn mip_filter_parser() -> impl TypedValueParser<Value = MipFilter> {
    named(MipFilter::ALL, MipFilter::name)
}

/// Returns a parser of the rules that round to powers of two.
pub fn power_of_two_parser() -> impl TypedValueParser<Value = PowerOfTwo> {
    named(PowerOfTwo::ALL, PowerOfTwo::name)
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

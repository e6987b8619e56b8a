//! Syntax of the values of options.

use brickwork_texture::{
    ChannelWeights, MipFilter, MipWrap, RoundingRule, Swizzle, ToneCurve, container::ContainerFormat,
};
use brickwork_toolkit::texture::{Measure, MeasureLimit, MipLevels, PictureSize, PowerOfTwo};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::num::NonZeroU8;

/// Parses `uniform`, `luma` or `R,G,B`.
pub fn weights(text: &str) -> Result<ChannelWeights, String> {
    match text {
        "uniform" => return Ok(ChannelWeights::UNIFORM),
        "luma" => return Ok(ChannelWeights::LUMA),
        _ => {}
    }
    let numbers: Vec<u8> = text.split(',').map_while(|number| number.trim().parse::<u8>().ok()).collect();
    match numbers[..] {
        [red, green, blue] if text.split(',').count() == 3 => ChannelWeights::new(red, green, blue),
        _ => None,
    }
    .ok_or_else(|| {
        format!(
            "expected \"uniform\", \"luma\", or three whole numbers R,G,B, each at least 1, with a sum of at \
             most {}",
            ChannelWeights::MAX_SUM
        )
    })
}

/// Returns a parser of the names of decoders.
pub fn decoder_parser() -> impl TypedValueParser<Value = RoundingRule> {
    PossibleValuesParser::new(RoundingRule::ALL.iter().map(|decoder| decoder.name()))
        .try_map(|name| name.parse::<RoundingRule>())
}

/// Returns a parser of the names of tone curves.
pub fn tone_curve_parser() -> impl TypedValueParser<Value = ToneCurve> {
    PossibleValuesParser::new(ToneCurve::ALL.iter().map(|curve| curve.name()))
        .try_map(|name| name.parse::<ToneCurve>())
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

/// Parses a number of bytes with an optional unit K, M, G, T (or KiB, MiB, …; all are powers of 1024).
pub fn memory_size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size, such as 512MiB, 4G or 1000000 (bytes)".to_owned();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| expected())?;
    let shift = match text[digits..].trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(expected()),
    };
    number.checked_mul(1 << shift).ok_or_else(|| "more memory than any machine has".to_owned())
}

/// Parses a number of threads. It is limited, so that a typing mistake does not overload the machine.
pub fn threads(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1024).contains(count));
    count.ok_or_else(|| "expected a whole number from 1 to 1024".to_owned())
}

/// Parses `all`, `none` or a number of levels.
pub fn mip_levels(text: &str) -> Result<MipLevels, String> {
    match text.parse() {
        _ if text == "all" => Ok(MipLevels::Full),
        _ if text == "none" => Ok(MipLevels::AtMost(1)),
        Ok(count) if count > 0 => Ok(MipLevels::AtMost(count)),
        _ => Err("expected \"all\", \"none\", or a number of levels (1 is the image alone)".to_owned()),
    }
}

/// Returns a parser of the names of filters of mip levels.
pub fn mip_filter_parser() -> impl TypedValueParser<Value = MipFilter> {
    PossibleValuesParser::new(MipFilter::ALL.iter().map(|filter| filter.name()))
        .try_map(|name| name.parse::<MipFilter>())
}

/// Parses `repeat`, for both axes, or `repeat,clamp`, for x and y.
pub fn mip_wrap(text: &str) -> Result<[MipWrap; 2], String> {
    let (x, y) = text.split_once(',').unwrap_or((text, text));
    let wrap = |name: &str| name.trim().parse::<MipWrap>().map_err(|error| error.to_string());
    Ok([wrap(x)?, wrap(y)?])
}

/// Parses the number of texels of a height of 1.
pub fn height_scale(text: &str) -> Result<f32, String> {
    let scale = text.parse().ok().filter(|scale: &f32| scale.abs() <= 65_536.0);
    scale.ok_or_else(|| "expected a number of texels from -65536 to 65536".to_owned())
}

/// Parses `512x256` or `50%`.
pub fn picture_size(text: &str) -> Result<PictureSize, String> {
    let expected =
        || "expected a size such as 512x256, each side from 1 to 65536, or 50%, up to 10000%".to_owned();
    if let Some(percent) = text.strip_suffix('%') {
        let percent = percent.parse().ok().filter(|percent| *percent > 0.0 && *percent <= 10_000.0);
        return percent.map(PictureSize::Percent).ok_or_else(expected);
    }
    let side = |text: &str| text.parse().ok().filter(|side| (1..=65_536).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.map(|(width, height)| PictureSize::Texels(width, height)).ok_or_else(expected)
}

/// Returns a parser of the rules that round to powers of two.
pub fn power_of_two_parser() -> impl TypedValueParser<Value = PowerOfTwo> {
    PossibleValuesParser::new(PowerOfTwo::ALL.iter().map(|rule| rule.name()))
        .try_map(|name| PowerOfTwo::ALL.iter().copied().find(|rule| rule.name() == name).ok_or("unknown"))
}

/// Parses the reference of an alpha test, above 0 and at most 1. Returns the minimum alpha that passes.
pub fn alpha_reference(text: &str) -> Result<NonZeroU8, String> {
    let reference = text.parse().ok().filter(|reference: &f64| *reference > 0.0 && *reference <= 1.0);
    // A float that is above 0 and at most 1 times 255 rounds up to 1 to 255.
    let alpha = reference.and_then(|reference| NonZeroU8::new((reference * 255.0).ceil() as u8));
    alpha.ok_or_else(|| "expected a number above 0 and at most 1, such as 0.5".to_owned())
}

/// Parses a face of a cube, given by index or direction.
pub fn face(text: &str) -> Result<u32, String> {
    const DIRECTIONS: [&str; 6] = ["+x", "-x", "+y", "-y", "+z", "-z"];
    let lower = text.to_ascii_lowercase();
    if let Some(index) = DIRECTIONS.iter().position(|direction| *direction == lower) {
        return Ok(index as u32);
    }
    text.parse()
        .ok()
        .filter(|face| *face < 6)
        .ok_or_else(|| "expected 0 to 5 or +x, -x, +y, -y, +z, -z".to_owned())
}

/// Parses a swizzle such as `rrr1`.
pub fn swizzle(text: &str) -> Result<Swizzle, String> {
    Swizzle::parse(text).ok_or_else(|| "expected four of r, g, b, a, 0 and 1, such as rrr1".to_owned())
}

/// Parses `psnr=40`, `ssim=0.98`, …
pub fn measure_limit(text: &str) -> Result<MeasureLimit, String> {
    let (name, value) = text.split_once('=').ok_or("expected MEASURE=VALUE, such as psnr=40 or ssim=0.98")?;
    let measure = Measure::ALL.iter().copied().find(|measure| measure.name() == name).ok_or_else(|| {
        let names = Measure::ALL.iter().map(|measure| measure.name()).collect::<Vec<_>>().join(", ");
        format!("\"{name}\" is not a measure; expected one of {names}")
    })?;
    let min: f64 = value.parse().map_err(|_| format!("\"{value}\" is not a number"))?;
    if !min.is_finite() {
        return Err(format!("\"{value}\" is not a finite number"));
    }
    Ok(MeasureLimit { measure, min })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_take_units() {
        assert_eq!(memory_size("0"), Ok(0));
        assert_eq!(memory_size("4GiB"), Ok(4 << 30));
        assert_eq!(memory_size("512 m"), Ok(512 << 20));
        assert_eq!(memory_size("3k"), Ok(3072));
        for bad in ["", "G", "-1", "1.5G", "4GiBs", "99999999999T"] {
            assert!(memory_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_are_sides_or_a_share() {
        assert_eq!(picture_size("512x256"), Ok(PictureSize::Texels(512, 256)));
        assert_eq!(picture_size("12.5%"), Ok(PictureSize::Percent(12.5)));
        for bad in ["", "512", "0x5", "5x", "65537x1", "-5%", "0%", "nan%", "%", "5x5x5"] {
            assert!(picture_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn references_of_alpha_tests_become_alphas() {
        for (text, alpha) in [("0.5", 128), ("1", 255), ("0.001", 1), ("0.2", 51)] {
            assert_eq!(alpha_reference(text), Ok(NonZeroU8::new(alpha).unwrap()), "{text}");
        }
        for bad in ["0", "-1", "1.01", "nan", "128", ""] {
            assert!(alpha_reference(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn weights_are_three_numbers_or_a_name() {
        assert_eq!(weights("1,2,3"), Ok(ChannelWeights::new(1, 2, 3).unwrap()));
        assert_eq!(weights("luma"), Ok(ChannelWeights::LUMA));
        for bad in ["", "1,2", "1,2,3,4", "0,1,1", "200,100,1", "1,x,3", "1,2,3,x"] {
            assert!(weights(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn mips_faces_and_limits() {
        assert_eq!(mip_levels("all"), Ok(MipLevels::Full));
        assert_eq!(mip_levels("3"), Ok(MipLevels::AtMost(3)));
        assert_eq!(mip_levels("none"), Ok(MipLevels::AtMost(1)));
        assert!(mip_levels("0").is_err() && mip_levels("full").is_err());
        assert_eq!(mip_wrap("repeat"), Ok([MipWrap::Repeat; 2]));
        assert_eq!(mip_wrap("clamp, mirror"), Ok([MipWrap::Clamp, MipWrap::Mirror]));
        assert!(mip_wrap("repeat,").is_err() && mip_wrap("clamp,clamp,clamp").is_err());
        assert_eq!((face("-Z"), face("2")), (Ok(5), Ok(2)));
        assert!(face("6").is_err());
        assert_eq!(measure_limit("ssim=0.98").unwrap().measure, Measure::Ssim);
        assert!(
            measure_limit("psnr").is_err()
                && measure_limit("psnr=nan").is_err()
                && measure_limit("mse=1").is_err()
        );
    }
}

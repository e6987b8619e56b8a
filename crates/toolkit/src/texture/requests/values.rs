//! Syntax of the values of options, for the command line and for rule files.

use super::{
    ChannelFile, ChannelPacking, ChannelScale, ChannelTerm, LevelFile, MipLevels, PictureChannel,
    PictureSize, PowerOfTwo, RdoTarget,
};
use brickwork_image::image_file::TransferFunction;
use brickwork_texture::{
    ChannelWeights, ColorSpace, MipWrap, Swizzle, container::ContainerFormat, half::f16,
};
use std::num::NonZeroU8;

/// Parses `uniform`, `luma` or `R,G,B`.
///
/// # Errors
/// The expected syntax.
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

/// Parses the sources of red, green, blue and alpha, such as `rgb1`.
///
/// # Errors
/// The expected syntax.
pub fn swizzle(text: &str) -> Result<Swizzle, String> {
    Swizzle::parse(text).ok_or_else(|| "expected four of r, g, b, a, 0 and 1, such as rrr1".to_owned())
}

/// Parses the sources of red, green, blue and alpha, such as `rgb1`, or four terms with commas between them,
/// such as `r,g,b,1-a`. Returns them and the changes of their numbers.
///
/// # Errors
/// The expected syntax.
pub fn swizzle_terms(text: &str) -> Result<(Swizzle, [ChannelScale; 4]), String> {
    if let Some(swizzle) = Swizzle::parse(text) {
        return Ok((swizzle, [ChannelScale::IDENTITY; 4]));
    }
    let terms: Option<Vec<_>> = text.split(',').map(|term| ChannelTerm::parse(term.trim())).collect();
    let terms = terms.and_then(|terms| <[ChannelTerm; 4]>::try_from(terms).ok());
    let terms = terms.ok_or_else(|| {
        "expected four of r, g, b, a, 0 and 1, such as rrr1, or four terms such as r,g,b,1-a".to_owned()
    })?;
    Ok((Swizzle(terms.map(|term| term.source)), terms.map(|term| term.change)))
}

/// Parses a channel of another picture, and the change of its numbers, such as `a` or `1-a`.
fn source(text: &str) -> Option<(PictureChannel, ChannelScale)> {
    let term = ChannelTerm::parse(text)?;
    Some((term.channel()?, term.change))
}

/// Parses the channel of a roughness: `r`, `g`, `b` or `a`.
///
/// # Errors
/// The expected syntax.
pub fn roughness_channel(text: &str) -> Result<PictureChannel, String> {
    let channel = PictureChannel::ALL.iter().copied().find(|channel| channel.name() == text);
    channel.ok_or_else(|| "expected r, g, b or a".to_owned())
}

/// Parses a channel and its file, such as `g=rough.png`, `b=metal.png:a` for the alpha of the file, or
/// `g=gloss.png:1-r` for changed numbers. The default channel of the file is red.
///
/// # Errors
/// The expected syntax.
pub fn channel_file(text: &str) -> Result<ChannelFile, String> {
    let parsed = || {
        let (channel, file) = text.split_once('=')?;
        let channel = roughness_channel(channel).ok()?;
        let with_source = file.rsplit_once(':').and_then(|(path, text)| Some((path, source(text)?)));
        let (path, (source, change)) =
            with_source.unwrap_or((file, (PictureChannel::Red, ChannelScale::IDENTITY)));
        (!path.is_empty()).then(|| ChannelFile { change, ..ChannelFile::new(channel, source, path) })
    };
    parsed().ok_or_else(|| {
        "expected a channel and a file, such as g=rough.png, b=metal.png:a or g=gloss.png:1-r".to_owned()
    })
}

/// Parses channels that are packed, such as `g,a:b`: each comes from red of its image, or from the channel
/// after the colon.
///
/// # Errors
/// The expected syntax.
pub fn packed_channels(text: &str) -> Result<ChannelPacking, String> {
    text.split(',').try_fold(ChannelPacking::new(), |packing, part| {
        let (channel, text) = part.split_once(':').unwrap_or((part, "r"));
        let (Ok(channel), Some((source, change))) = (roughness_channel(channel), source(text)) else {
            return Err("expected channels, such as g or g,a:b".to_owned());
        };
        if packing.channels().any(|(known, _)| known == channel) {
            return Err(format!("channel {} is stated twice", channel.name()));
        }
        Ok(packing.with_channel(channel, source).with_change(channel, change))
    })
}

/// Parses a mip level and its file, such as `1=half.png`.
///
/// # Errors
/// The expected syntax.
pub fn level_file(text: &str) -> Result<LevelFile, String> {
    let parsed = || {
        let (level, path) = text.split_once('=')?;
        let level = level.parse::<u32>().ok().filter(|&level| level > 0)?;
        (!path.is_empty()).then(|| LevelFile::new(level, path))
    };
    parsed().ok_or_else(|| "expected a mip level from 1 and a file, such as 1=half.png".to_owned())
}

/// Parses a transfer function: `srgb`, `linear`, or `gamma:2.2`.
///
/// # Errors
/// The expected syntax.
pub fn transfer_function(text: &str) -> Result<TransferFunction, String> {
    match text {
        "srgb" => return Ok(TransferFunction::Srgb),
        "linear" => return Ok(TransferFunction::Linear),
        _ => {}
    }
    let gamma = text.strip_prefix("gamma:").and_then(|gamma| gamma.parse::<f64>().ok());
    let gamma = gamma.filter(|gamma| (0.1..=10.0).contains(gamma));
    let expected = "expected \"srgb\", \"linear\", or gamma:G with a number G from 0.1 to 10";
    gamma.map(TransferFunction::Gamma).ok_or_else(|| expected.to_owned())
}

/// Parses a colour space: `srgb` or `linear`.
///
/// # Errors
/// The expected syntax.
pub fn color_space(text: &str) -> Result<ColorSpace, String> {
    match text {
        "srgb" => Ok(ColorSpace::Srgb),
        "linear" => Ok(ColorSpace::Linear),
        _ => Err("expected \"srgb\" or \"linear\"".to_owned()),
    }
}

/// Parses the extension of a container.
///
/// # Errors
/// The expected syntax.
pub fn container(text: &str) -> Result<ContainerFormat, String> {
    ContainerFormat::of_extension(text).ok_or_else(|| "expected \"dds\", \"ktx2\" or \"astc\"".to_owned())
}

/// Parses the largest magnitude of colours.
///
/// # Errors
/// The expected range.
pub fn max_value(text: &str) -> Result<f16, String> {
    let value =
        text.parse::<f32>().ok().filter(|value| (f16::MIN_POSITIVE.to_f32()..=65504.0).contains(value));
    let value = value.ok_or_else(|| format!("\"{text}\" is not a number from 0.00007 to 65504"))?;
    Ok(f16::from_f32(value))
}

/// Parses `all`, `none` or a number of levels.
///
/// # Errors
/// The expected syntax.
pub fn mip_levels(text: &str) -> Result<MipLevels, String> {
    match text.parse() {
        _ if text == "all" => Ok(MipLevels::Full),
        _ if text == "none" => Ok(MipLevels::AtMost(1)),
        Ok(count) if count > 0 => Ok(MipLevels::AtMost(count)),
        _ => Err("expected \"all\", \"none\", or a number of levels (1 is the image alone)".to_owned()),
    }
}

/// Parses `repeat`, for both axes, or `repeat,clamp`, for x and y.
///
/// # Errors
/// The known names.
pub fn mip_wrap(text: &str) -> Result<[MipWrap; 2], String> {
    let (x, y) = text.split_once(',').unwrap_or((text, text));
    let wrap = |name: &str| name.trim().parse::<MipWrap>().map_err(|error| error.to_string());
    Ok([wrap(x)?, wrap(y)?])
}

/// Parses the number of texels of a height of 1.
///
/// # Errors
/// The expected range.
pub fn height_scale(text: &str) -> Result<f32, String> {
    let scale = text.parse().ok().filter(|scale: &f32| scale.abs() <= 65_536.0);
    scale.ok_or_else(|| "expected a number of texels from -65536 to 65536".to_owned())
}

/// Parses `512x256` or `50%`.
///
/// # Errors
/// The expected syntax.
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

/// Parses the name of a rule that rounds to powers of two.
///
/// # Errors
/// The known names.
pub fn power_of_two(text: &str) -> Result<PowerOfTwo, String> {
    let named = PowerOfTwo::ALL.iter().copied().find(|rule| rule.name() == text);
    named.ok_or_else(|| "expected \"nearest\", \"up\" or \"down\"".to_owned())
}

/// Parses the reference of an alpha test, above 0 and at most 1. Returns the minimum alpha that passes.
///
/// # Errors
/// The expected range.
pub fn alpha_reference(text: &str) -> Result<NonZeroU8, String> {
    let reference = text.parse().ok().filter(|reference: &f64| *reference > 0.0 && *reference <= 1.0);
    // A float that is above 0 and at most 1 times 255 rounds up to 1 to 255.
    let alpha = reference.and_then(|reference| NonZeroU8::new((reference * 255.0).ceil() as u8));
    alpha.ok_or_else(|| "expected a number above 0 and at most 1, such as 0.5".to_owned())
}

/// Parses a number of bytes with an optional unit K, M, G, T (or KiB, MiB, …; all are powers of 1024).
///
/// # Errors
/// The expected syntax.
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

/// Parses a target PSNR in decibels.
///
/// # Errors
/// The expected range.
pub fn target_psnr(text: &str) -> Result<f64, String> {
    let decibels = text.parse().ok().filter(|decibels: &f64| *decibels > 0.0 && *decibels <= 100.0);
    decibels.ok_or_else(|| "expected a number of decibels, above 0 and at most 100".to_owned())
}

/// Parses a target size, such as `300K`, or `70%` of the size without optimisation.
///
/// # Errors
/// The expected syntax.
pub fn target_size(text: &str) -> Result<RdoTarget, String> {
    let Some(percent) = text.strip_suffix('%') else {
        return memory_size(text).map(RdoTarget::Bytes).map_err(|_| {
            "expected a size, such as 300K or 1000000 (bytes), or a share, such as 70%".to_owned()
        });
    };
    let share = percent.trim().parse().ok().filter(|percent: &f64| *percent > 0.0 && *percent <= 100.0);
    share
        .map(|percent| RdoTarget::Share(percent / 100.0))
        .ok_or_else(|| "expected a share above 0 and at most 100 %, such as 70%".to_owned())
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
    fn weights_may_be_those_of_other_standards() {
        assert_eq!(weights("luma"), Ok(ChannelWeights::LUMA));
        assert_eq!(weights("77,150,29").map(ChannelWeights::rgb), Ok([77, 150, 29]));
        for text in ["78,150,29", "1,2", "1,2,3,4", "0,1,1", "perceptual"] {
            assert!(weights(text).is_err(), "{text}");
        }
    }

    #[test]
    fn transfer_functions_have_names_that_lead_back() {
        let functions = [TransferFunction::Srgb, TransferFunction::Linear, TransferFunction::Gamma(2.2)];
        for function in functions {
            assert_eq!(transfer_function(&function.to_string()), Ok(function));
        }
        for text in ["sRGB", "gamma", "gamma:", "gamma:0", "gamma:nan", "gamma:11", "2.2", ""] {
            assert!(transfer_function(text).is_err(), "{text}");
        }
        assert_eq!(color_space("linear"), Ok(ColorSpace::Linear));
        assert!(color_space("gamma:2.2").is_err());
        for &channel in PictureChannel::ALL {
            assert_eq!(roughness_channel(channel.name()), Ok(channel));
        }
        assert!(roughness_channel("rg").is_err());
    }

    #[test]
    fn targets_are_decibels_sizes_or_shares() {
        assert_eq!(target_size("300K"), Ok(RdoTarget::Bytes(300 << 10)));
        assert_eq!(target_size("70%"), Ok(RdoTarget::Share(0.7)));
        for text in ["0%", "101%", "x%", "-5", "5:1", ""] {
            assert!(target_size(text).is_err(), "{text}");
        }
        assert_eq!(target_psnr("38.5"), Ok(38.5));
        for text in ["0", "-1", "nan", "inf", "x"] {
            assert!(target_psnr(text).is_err(), "{text}");
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
    fn swizzles_have_four_sources() {
        assert_eq!(swizzle("bg1a").map(Swizzle::letters).as_deref(), Ok("bg1a"));
        assert_eq!(swizzle_terms("bg1a").map(|(swizzle, _)| swizzle.letters()).as_deref(), Ok("bg1a"));
        for bad in ["", "rgb", "rgbaa", "rgbx", "RGBA", "r,g,b", "r,g,b,x"] {
            assert!(swizzle(bad).unwrap_err().starts_with("expected four of"), "{bad}");
            assert!(swizzle_terms(bad).unwrap_err().starts_with("expected four of"), "{bad}");
        }
        // Only `encode` changes numbers.
        assert!(swizzle("r,g,b,a").is_err() && swizzle_terms("r,g,b,a").is_ok());
    }

    #[test]
    fn mip_levels_and_edges() {
        assert_eq!(mip_levels("all"), Ok(MipLevels::Full));
        assert_eq!(mip_levels("3"), Ok(MipLevels::AtMost(3)));
        assert_eq!(mip_levels("none"), Ok(MipLevels::AtMost(1)));
        assert!(mip_levels("0").is_err() && mip_levels("full").is_err());
        assert_eq!(mip_wrap("repeat"), Ok([MipWrap::Repeat; 2]));
        assert_eq!(mip_wrap("clamp, mirror"), Ok([MipWrap::Clamp, MipWrap::Mirror]));
        assert!(mip_wrap("repeat,").is_err() && mip_wrap("clamp,clamp,clamp").is_err());
    }
}

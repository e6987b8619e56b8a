//! Keys of options, which targets and rules can have.

use super::value::Value;
use crate::texture::{FormatChoice, NormalOptions, TextureOptions, values};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions,
    bc::bc1::{Bc1Options, Method},
    bc::bc7::RealTime,
    container::DdsHeader,
    image_file::PictureUse,
};
use std::{fmt, str::FromStr};

/// A key of an option.
pub(super) struct Key {
    /// The name, which is that of the program's option.
    pub name: &'static str,
    /// Returns the options with the value.
    pub set: fn(TextureOptions, &Value) -> Result<TextureOptions, String>,
}

/// The key that is applied before the others of its table, because it sets the defaults of some.
pub(super) const FIRST: &str = "kind";

/// All keys.
pub(super) const KEYS: &[Key] = &[
    Key { name: FIRST, set: |options, value| kind(options, value.text()?) },
    Key { name: "format", set: |options, value| Ok(options.with_format(parsed(value)?)) },
    Key { name: "color-space", set: color_space },
    Key { name: "quality", set: |options, value| encode(options, value, EncodeOptions::with_quality) },
    Key { name: "decoder", set: |options, value| encode(options, value, EncodeOptions::with_rounding_rule) },
    Key { name: "rdo", set: |options, value| encode(options, value, EncodeOptions::with_rdo) },
    Key {
        name: "method",
        set: |options, value| {
            let method: Method = parsed(value)?;
            Ok(bc1(options, |bc1| bc1.with_method(method)))
        },
    },
    Key {
        name: "weights",
        set: |options, value| {
            let weights = values::weights(value.text()?)?;
            Ok(options.with_encode_options(options.encode_options().with_weights(weights)))
        },
    },
    Key {
        name: "metric",
        set: |options, value| {
            let encode = options.encode_options();
            let bc6h = encode.bc6h().with_metric(Some(parsed(value)?));
            Ok(options.with_encode_options(encode.with_bc6h(bc6h)))
        },
    },
    Key {
        name: "max-value",
        set: |options, value| Ok(options.with_max_value(Some(values::max_value(value.text()?)?))),
    },
    Key {
        name: "modes",
        set: |options, value| {
            let encode = options.encode_options();
            Ok(options.with_encode_options(encode.with_bc7(encode.bc7().with_modes(parsed(value)?))))
        },
    },
    Key {
        name: "real-time",
        set: |options, value| {
            let level: RealTime = parsed(value)?;
            let encode = options.encode_options();
            Ok(options.with_encode_options(encode.with_bc7(encode.bc7().with_real_time(Some(level)))))
        },
    },
    Key {
        name: "no-three-color",
        set: |options, value| {
            let is_without = value.flag()?;
            Ok(bc1(options, |bc1| bc1.with_three_color(!is_without)))
        },
    },
    Key {
        name: "transparent-black",
        set: |options, value| {
            let flag = value.flag()?;
            Ok(bc1(options, |bc1| bc1.with_transparent_black(flag)))
        },
    },
    Key {
        name: "alpha-threshold",
        set: |options, value| {
            let threshold = parsed(value).map_err(|_| "expected a whole number from 0 to 255".to_owned())?;
            Ok(bc1(options, |bc1| bc1.with_alpha_threshold(threshold)))
        },
    },
    Key {
        name: "opaque",
        set: |options, value| {
            let threshold = if value.flag()? { 0 } else { Bc1Options::new().alpha_threshold() };
            Ok(bc1(options, |bc1| bc1.with_alpha_threshold(threshold)))
        },
    },
    Key {
        name: "weigh-by-alpha",
        set: |options, value| {
            let encode = options.encode_options().with_weigh_by_alpha(value.flag()?);
            Ok(options.with_encode_options(encode))
        },
    },
    Key {
        name: "normal-flip-y",
        set: |options, value| {
            let flag = value.flag()?;
            Ok(normals(options, |normals| normals.with_flip_y(flag)))
        },
    },
    Key {
        name: "from-height",
        set: |options, value| {
            let scale = values::height_scale(value.text()?)?;
            Ok(normals(options, |normals| normals.with_height_scale(Some(scale))))
        },
    },
    Key {
        name: "resize",
        set: |options, value| {
            let size = values::picture_size(value.text()?)?;
            Ok(options.with_size_rules(options.size_rules().with_size(Some(size))))
        },
    },
    Key {
        name: "max-size",
        set: |options, value| {
            let max = value.text()?.parse().ok().filter(|max| *max > 0);
            let max = max.ok_or_else(|| "expected a number of texels, at least 1".to_owned())?;
            Ok(options.with_size_rules(options.size_rules().with_max(Some(max))))
        },
    },
    Key {
        name: "power-of-two",
        set: |options, value| {
            let rule = values::power_of_two(value.text()?)?;
            Ok(options.with_size_rules(options.size_rules().with_power_of_two(Some(rule))))
        },
    },
    Key {
        name: "multiple-of-4",
        set: |options, value| {
            Ok(options.with_size_rules(options.size_rules().with_multiple_of_4(value.flag()?)))
        },
    },
    Key {
        name: "mips",
        set: |options, value| {
            let levels = value.text_or("all")?.unwrap_or("none");
            Ok(options.with_mip_levels(values::mip_levels(levels)?))
        },
    },
    Key {
        name: "mip-filter",
        set: |options, value| {
            let filter = Some(parsed(value)?);
            Ok(options.with_encode_options(options.encode_options().with_mip_filter(filter)))
        },
    },
    Key {
        name: "mip-wrap",
        set: |options, value| {
            let wrap = values::mip_wrap(value.text()?)?;
            Ok(options.with_encode_options(options.encode_options().with_mip_wrap(wrap)))
        },
    },
    Key {
        name: "keep-coverage",
        set: |options, value| {
            let reference = value.text_or("0.5")?.map(values::alpha_reference).transpose()?;
            Ok(options.with_encode_options(options.encode_options().with_keep_coverage(reference)))
        },
    },
    Key {
        name: "container",
        set: |options, value| Ok(options.with_container(Some(values::container(value.text()?)?))),
    },
    Key { name: "dds-header", set: dds_header },
    Key {
        name: "zstd",
        set: |options, value| {
            let level = value.text_or("9")?.map(|level| {
                let level = level.parse().ok().filter(|level| (1..=22).contains(level));
                level.ok_or_else(|| "expected a level from 1 to 22, true or false".to_owned())
            });
            Ok(options.with_zstd(level.transpose()?))
        },
    },
];

/// Parses a value.
fn parsed<T: FromStr<Err: fmt::Display>>(value: &Value) -> Result<T, String> {
    value.text()?.parse::<T>().map_err(|error| error.to_string())
}

fn encode<T: FromStr<Err: fmt::Display>>(
    options: TextureOptions,
    value: &Value,
    with: impl FnOnce(EncodeOptions, T) -> EncodeOptions,
) -> Result<TextureOptions, String> {
    Ok(options.with_encode_options(with(options.encode_options(), parsed(value)?)))
}

fn bc1(options: TextureOptions, change: impl FnOnce(Bc1Options) -> Bc1Options) -> TextureOptions {
    let encode = options.encode_options();
    options.with_encode_options(encode.with_bc1(change(encode.bc1())))
}

/// Options of normal maps state that the pictures are normal maps.
fn normals(options: TextureOptions, change: impl FnOnce(NormalOptions) -> NormalOptions) -> TextureOptions {
    options.with_usage(PictureUse::Normals).with_color_space(None).with_normals(change(*options.normals()))
}

fn color_space(options: TextureOptions, value: &Value) -> Result<TextureOptions, String> {
    let color_space = match value.text()? {
        "auto" => None,
        "srgb" => Some(ColorSpace::Srgb),
        "linear" => Some(ColorSpace::Linear),
        _ => return Err("expected \"auto\", \"srgb\" or \"linear\"".to_owned()),
    };
    Ok(options.with_color_space(color_space))
}

fn dds_header(options: TextureOptions, value: &Value) -> Result<TextureOptions, String> {
    let header = match value.text()? {
        "auto" => DdsHeader::Auto,
        "dx10" => DdsHeader::Dx10,
        "legacy" => DdsHeader::Legacy,
        _ => return Err("expected \"auto\", \"dx10\" or \"legacy\"".to_owned()),
    };
    Ok(options.with_dds_header(header))
}

fn kind(options: TextureOptions, name: &str) -> Result<TextureOptions, String> {
    let linear = Some(ColorSpace::Linear);
    let (usage, color_space) = match name {
        "auto" => (PictureUse::Unknown, None),
        "color" => (PictureUse::Color, None),
        "normal" => (PictureUse::Normals, None),
        "data" | "mask" => (PictureUse::Data, linear),
        "one-channel" => (PictureUse::OneChannel, linear),
        "hdr" => (PictureUse::Color, linear),
        _ => {
            let known = "\"auto\", \"color\", \"normal\", \"data\", \"mask\", \"one-channel\" or \"hdr\"";
            return Err(format!("expected {known}"));
        }
    };
    let options = options.with_usage(usage).with_color_space(color_space);
    let is_hdr = name == "hdr";
    Ok(if is_hdr { options.with_format(FormatChoice::of(BlockFormat::Bc6hUfloat)) } else { options })
}

/// Returns options in which a stated format overrides the choice of a format for data.
pub(super) fn finished(options: TextureOptions) -> TextureOptions {
    let is_given = options.format().format().is_some();
    match options.usage() {
        PictureUse::Data | PictureUse::OneChannel if is_given => options.with_usage(PictureUse::Unknown),
        _ => options,
    }
}

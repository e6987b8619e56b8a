//! Keys of options, which targets and rules can have.

use super::value::Value;
use crate::texture::{FormatChoice, NormalOptions, RdoTarget, TextureOptions, values};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, RdoLambda,
    bc::bc1::{Bc1Options, Method},
    bc::bc7::RealTime,
    container::DdsHeader,
};
use std::{fmt, str::FromStr};

/// A key of an option.
pub(super) struct Key {
    /// The name, which is that of the program's option.
    pub name: &'static str,
    /// True if its numbers are numbers of TOML, not texts.
    pub is_number: bool,
    /// Returns the options with the value.
    pub set: Set,
}

/// Function that returns options with the value of a key, or the reason why it is no value.
type Set = fn(TextureOptions, &Value) -> Result<TextureOptions, String>;

impl Key {
    const fn new(name: &'static str, set: Set) -> Self {
        Self { name, is_number: false, set }
    }

    const fn number(name: &'static str, set: Set) -> Self {
        Self { name, is_number: true, set }
    }
}

/// The key that is applied before the others of its table, because it sets the defaults of some.
pub(super) const FIRST: &str = "kind";

/// All keys.
pub(super) const KEYS: &[Key] = &[
    Key::new(FIRST, |options, value| kind(options, value.text()?)),
    Key::new("format", |options, value| Ok(options.with_format(parsed(value)?))),
    Key::new("color-space", color_space),
    Key::new("assign-oetf", |options, value| {
        Ok(options.with_assigned_transfer(optional(value, values::transfer_function)?))
    }),
    Key::new("convert-oetf", |options, value| {
        Ok(options.with_converted_color_space(optional(value, values::color_space)?))
    }),
    Key::new("quality", |options, value| encode(options, value, EncodeOptions::with_quality)),
    Key::new("decoder", |options, value| encode(options, value, EncodeOptions::with_rounding_rule)),
    Key::number("rdo", |options, value| {
        encode(options.with_rdo_target(None), value, EncodeOptions::with_rdo)
    }),
    Key::number("target-psnr", |options, value| {
        let target = optional(value, values::target_psnr)?.map(RdoTarget::Psnr);
        Ok(searching(options, target, |target| matches!(target, RdoTarget::Psnr(_))))
    }),
    Key::new("target-size", |options, value| {
        let target = optional(value, values::target_size)?;
        Ok(searching(options, target, |target| !matches!(target, RdoTarget::Psnr(_))))
    }),
    Key::new("method", |options, value| {
        let method: Method = parsed(value)?;
        Ok(bc1(options, |bc1| bc1.with_method(method)))
    }),
    Key::new("weights", |options, value| {
        let weights = values::weights(&value.joined()?)?;
        Ok(options.with_encode_options(options.encode_options().with_weights(weights)))
    }),
    Key::new("metric", |options, value| {
        let encode = options.encode_options();
        let bc6h = encode.bc6h().with_metric(optional(value, of_text)?);
        Ok(options.with_encode_options(encode.with_bc6h(bc6h)))
    }),
    Key::number(
        "max-value",
        |options, value| Ok(options.with_max_value(optional(value, values::max_value)?)),
    ),
    Key::new("modes", |options, value| {
        let encode = options.encode_options();
        let modes = of_text(&value.joined()?)?;
        Ok(options.with_encode_options(encode.with_bc7(encode.bc7().with_modes(modes))))
    }),
    Key::new("real-time", |options, value| {
        let level: Option<RealTime> = optional(value, of_text)?;
        let encode = options.encode_options();
        Ok(options.with_encode_options(encode.with_bc7(encode.bc7().with_real_time(level))))
    }),
    Key::new("no-three-color", |options, value| {
        let is_without = value.flag()?;
        Ok(bc1(options, |bc1| bc1.with_three_color(!is_without)))
    }),
    Key::new("transparent-black", |options, value| {
        let flag = value.flag()?;
        Ok(bc1(options, |bc1| bc1.with_transparent_black(flag)))
    }),
    Key::number("alpha-threshold", |options, value| {
        let threshold = parsed(value).map_err(|_| "expected a whole number from 0 to 255".to_owned())?;
        Ok(bc1(options, |bc1| bc1.with_alpha_threshold(threshold)))
    }),
    Key::new("opaque", |options, value| {
        let is_opaque = value.flag()?;
        Ok(bc1(options, |bc1| match (is_opaque, bc1.alpha_threshold()) {
            (true, _) => bc1.with_alpha_threshold(0),
            (false, 0) => bc1.with_alpha_threshold(Bc1Options::new().alpha_threshold()),
            (false, _) => bc1,
        }))
    }),
    Key::new("weigh-by-alpha", |options, value| {
        let encode = options.encode_options().with_weigh_by_alpha(value.flag()?);
        Ok(options.with_encode_options(encode))
    }),
    Key::new("premultiply", |options, value| Ok(options.with_premultiply(value.flag()?))),
    Key::new("dither", |options, value| {
        Ok(options.with_encode_options(options.encode_options().with_dither(value.flag()?)))
    }),
    Key::new("normal-flip-y", |options, value| {
        let flag = value.flag()?;
        Ok(normals(options, flag, |normals| normals.with_flip_y(flag)))
    }),
    Key::number("from-height", |options, value| {
        let scale = optional(value, values::height_scale)?;
        Ok(normals(options, scale.is_some(), |normals| normals.with_height_scale(scale)))
    }),
    Key::new("roughness-channel", |options, value| {
        Ok(options.with_roughness_channel(values::roughness_channel(value.text()?)?))
    }),
    Key::new("swizzle", |options, value| {
        Ok(options.with_swizzle(optional(value, values::swizzle)?.unwrap_or_default()))
    }),
    Key::new("resize", |options, value| {
        let size = optional(value, values::picture_size)?;
        Ok(options.with_size_rules(options.size_rules().with_size(size)))
    }),
    Key::number("max-size", |options, value| {
        let max = optional(value, |text| {
            let max = text.parse().ok().filter(|max| *max > 0);
            max.ok_or_else(|| "expected a number of texels, at least 1".to_owned())
        });
        Ok(options.with_size_rules(options.size_rules().with_max(max?)))
    }),
    Key::new("power-of-two", |options, value| {
        let rule = optional(value, values::power_of_two)?;
        Ok(options.with_size_rules(options.size_rules().with_power_of_two(rule)))
    }),
    Key::new("multiple-of-4", |options, value| {
        Ok(options.with_size_rules(options.size_rules().with_multiple_of_4(value.flag()?)))
    }),
    Key::number("mips", |options, value| {
        let levels = value.text_or("all")?.unwrap_or("none");
        Ok(options.with_mip_levels(values::mip_levels(levels)?))
    }),
    Key::new("mip-filter", |options, value| {
        let filter = optional(value, of_text)?;
        Ok(options.with_encode_options(options.encode_options().with_mip_filter(filter)))
    }),
    Key::new("mip-wrap", |options, value| {
        let wrap = values::mip_wrap(&value.joined()?)?;
        Ok(options.with_encode_options(options.encode_options().with_mip_wrap(wrap)))
    }),
    Key::number("keep-coverage", |options, value| {
        let reference = value.text_or("0.5")?.map(values::alpha_reference).transpose()?;
        Ok(options.with_encode_options(options.encode_options().with_keep_coverage(reference)))
    }),
    Key::new("container", |options, value| Ok(options.with_container(optional(value, values::container)?))),
    Key::new("dds-header", dds_header),
    Key::number("zstd", |options, value| {
        let level = value.text_or("9")?.map(|level| {
            let level = level.parse().ok().filter(|level| (1..=22).contains(level));
            level.ok_or_else(|| "expected a level from 1 to 22, true or false".to_owned())
        });
        Ok(options.with_zstd(level.transpose()?))
    }),
];

/// Parses a value.
fn parsed<T: FromStr<Err: fmt::Display>>(value: &Value) -> Result<T, String> {
    of_text(value.text()?)
}

fn of_text<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse::<T>().map_err(|error| error.to_string())
}

/// Parses the value of an option that is not used by default. `false` is `None`.
fn optional<T>(value: &Value, parse: impl FnOnce(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    match value {
        Value::Flag(false) => Ok(None),
        value => {
            let text = value.text().map_err(|reason| format!("{reason}, or false for none"))?;
            parse(text).map(Some)
        }
    }
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

/// Changes options of normal maps. Used ones override the colour space; [`finished`] sets the use.
fn normals(
    options: TextureOptions,
    is_used: bool,
    change: impl FnOnce(NormalOptions) -> NormalOptions,
) -> TextureOptions {
    let options = options.with_normals(change(*options.normals()));
    if is_used { options.with_color_space(None) } else { options }
}

/// Returns options with a target of rate–distortion optimisation in place of a chosen λ. Without a target,
/// one that `is_same` is left out.
fn searching(
    options: TextureOptions,
    target: Option<RdoTarget>,
    is_same: impl FnOnce(RdoTarget) -> bool,
) -> TextureOptions {
    match target {
        Some(_) => {
            let encode = options.encode_options().with_rdo(RdoLambda::default());
            options.with_encode_options(encode).with_rdo_target(target)
        }
        None if options.rdo_target().is_some_and(is_same) => options.with_rdo_target(None),
        None => options,
    }
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
    // Earlier options of normal maps would state that these are normal maps again.
    let is_normal = usage == PictureUse::Normals;
    let options = if is_normal { options } else { options.with_normals(NormalOptions::new()) };
    let is_hdr = name == "hdr";
    Ok(if is_hdr { options.with_format(FormatChoice::of(BlockFormat::Bc6hUfloat)) } else { options })
}

/// Returns options whose use follows from the others: options of normal maps state that the pictures are
/// normal maps, and sRGB or a transfer function that they are colours. A stated format overrides the kind of
/// one channel, unless `keeps_kind`; [`TextureOptions::check`] then refuses both.
pub(super) fn finished(options: TextureOptions, keeps_kind: bool) -> TextureOptions {
    let normals = options.normals();
    if normals.flip_y() || normals.height_scale().is_some() {
        return options.with_usage(PictureUse::Normals);
    }
    let is_given = options.format().format().is_some();
    match options.usage() {
        PictureUse::OneChannel if is_given && !keeps_kind => options.with_usage(PictureUse::Unknown),
        PictureUse::Unknown if options.color_space() == Some(ColorSpace::Srgb) || options.has_transfer() => {
            options.with_usage(PictureUse::Color)
        }
        _ => options,
    }
}

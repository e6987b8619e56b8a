//! Options of blocks.

use super::{
    BOOLEAN, STRING, STRING_OR_NULL, choice, flag_value, json_single, names, of_text, optional, parsed,
};
use crate::texture::{
    RdoTarget, TextureOptions,
    options::{Exclusion, JsonSetting, Need, OptionRow, SettingText, Stage, Syntax, Value, Values},
    values,
};
use brickwork_texture::{
    AstcFootprint, BlockFormat, ChannelWeights, Quality, RdoLambda, RealTime, RoundingRule, TextureFormat,
    bc::{bc1::Method, bc6h::Bc6hMetric, bc7::ModeSet},
};

const BLOCKS: &str = "Blocks";

/// Options of blocks.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "quality",
        short: Some('q'),
        syntax: Syntax::Value("LEVEL", Values::Names(|| names(Quality::ALL, Quality::name))),
        default: Some("normal"),
        heading: BLOCKS,
        help: "Trade encoding time for quality",
        set: Some(|options, value| {
            options.encode.quality = parsed(value)?;
            Ok(())
        }),
        get: |options| choice(options.encode.quality, Quality::default(), Quality::name),
        json: Some(JsonSetting::new("quality", "The quality that was requested.", STRING, |file| {
            file.plan.options.quality.name().into()
        })),
        text: Some(SettingText::Blocks(|file| {
            let encode = &file.plan.options;
            let is_used = encode.real_time.is_none() && file.plan.desc.format.block().is_some();
            is_used.then(|| encode.quality.name().to_owned())
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "method",
        syntax: Syntax::Value("NAME", Values::Names(|| names(Method::ALL, Method::name))),
        default: Some("auto"),
        heading: BLOCKS,
        help: "BC1 to BC3: algorithm that searches for endpoints of colours; auto is cluster-fit",
        formats: Some(|format| {
            matches!(format.block(), Some(BlockFormat::Bc1 | BlockFormat::Bc2 | BlockFormat::Bc3))
        }),
        set: Some(|options, value| {
            let method = parsed(value)?;
            options.encode.bc1.method = method;
            Ok(())
        }),
        get: |options| choice(options.encode.bc1.method, Method::Auto, Method::name),
        json: Some(JsonSetting::new(
            "method",
            "The method that was requested: `auto` (cluster fit), `cluster-fit` or `lsdxt`.",
            STRING,
            |file| file.plan.options.bc1.method.name().into(),
        )),
        text: Some(SettingText::Blocks(|file| match file.plan.options.bc1.method {
            Method::Auto => None,
            method => Some(method.name().to_owned()),
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "decoder",
        syntax: Syntax::Value("NAME", Values::Names(|| names(RoundingRule::ALL, RoundingRule::name))),
        default: Some("real"),
        heading: BLOCKS,
        help: "Decoder whose rounding the blocks are optimised for and errors are measured with. real and \
               exact differ only for BC4 and BC5: real does not round to 8 bits. nvidia has its own weights \
               for BC4, BC5 and the alpha of BC3; blocks in real time are not optimised for them",
        set: Some(|options, value| {
            options.encode.rounding_rule = parsed(value)?;
            Ok(())
        }),
        get: |options| choice(options.encode.rounding_rule, RoundingRule::Real, RoundingRule::name),
        json: Some(JsonSetting::new(
            "decoder",
            "The decoder whose rounding was requested.",
            STRING,
            |file| file.plan.options.rounding_rule.for_format(file.plan.desc.format).name().into(),
        )),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "weights",
        syntax: Syntax::Value("R,G,B", Values::ListOr(&["uniform", "luma"])),
        default: Some("uniform"),
        heading: BLOCKS,
        help: "BC1 to BC3, BC7, ETC2, ASTC: weights of errors in red, green and blue: uniform, luma (BT.709: \
               54,183,19), or whole numbers R,G,B",
        formats: Some(|format| {
            use BlockFormat::{Astc, Bc1, Bc2, Bc3, Bc7, Etc2Rgb, Etc2RgbA1, Etc2Rgba};
            matches!(
                format.block(),
                Some(Bc1 | Bc2 | Bc3 | Bc7 | Etc2Rgb | Etc2RgbA1 | Etc2Rgba | Astc(AstcFootprint::B4x4))
            )
        }),
        set: Some(|options, value| {
            options.encode.weights = values::weights(&value.joined()?)?;
            Ok(())
        }),
        get: |options| {
            let weights = options.encode.weights;
            (weights != ChannelWeights::UNIFORM)
                .then(|| Value::List(weights.rgb().map(Value::of_number).into()))
        },
        json: Some(JsonSetting::new(
            "weights",
            "The weights of red, green and blue that were requested.",
            concat!(
                r#"{"type":"array","items":{"type":"integer","format":"uint8","minimum":0,"maximum":255},"#,
                r#""minItems":3,"maxItems":3}"#
            ),
            |file| file.plan.options.weights.rgb().to_vec().into(),
        )),
        text: Some(SettingText::Blocks(|file| match file.plan.options.weights {
            ChannelWeights::UNIFORM => None,
            ChannelWeights::LUMA => Some("luma weights".to_owned()),
            weights => Some(format!("weights {}", weights.rgb().map(|weight| weight.to_string()).join(","))),
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "metric",
        syntax: Syntax::Value("NAME", Values::Names(|| names(Bc6hMetric::ALL, Bc6hMetric::name))),
        heading: BLOCKS,
        help: "BC6H: error that is minimised: that of bit patterns, or of log2(1 + |x|) [default: pattern \
               for bc6h, log for bc6hs]",
        more: "pattern weights relative errors alike at every brightness. log gives less weight to numbers \
               far below 1. Only the CPU encodes with another metric than the default.",
        formats: Some(|format| format.block().is_some() && format.is_float()),
        set: Some(|options, value| {
            let metric = optional(value, of_text)?;
            options.encode.bc6h.metric = metric;
            Ok(())
        }),
        get: |options| Some(Value::of_text(options.encode.bc6h.metric?.name())),
        json: Some(JsonSetting::new(
            "metric",
            "Error that BC6H's encoder minimised: `pattern` or `log`; `null` for other formats.",
            STRING_OR_NULL,
            |file| {
                let is_signed = file.plan.desc.format == BlockFormat::Bc6hSfloat;
                let is_bc6h = is_signed || file.plan.desc.format == BlockFormat::Bc6hUfloat;
                is_bc6h.then(|| file.plan.options.bc6h.metric_of(is_signed).name()).into()
            },
        )),
        text: Some(SettingText::Blocks(|file| {
            Some(format!("metric {}", file.plan.options.bc6h.metric?.name()))
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "max-value",
        syntax: Syntax::Value("X", Values::Number),
        heading: BLOCKS,
        help: "BC6H and plain floats: clamp brighter colours to X, above 0 and at most 65504, before the \
               image is resized and mip levels are made",
        stage: Stage::Picture,
        formats: Some(TextureFormat::is_float),
        set: Some(|options, value| {
            options.max_value = optional(value, values::max_value)?;
            Ok(())
        }),
        get: |options| Some(Value::of_number(options.max_value?)),
        json: Some(JsonSetting::new(
            "max_value",
            "The value of `--max-value`, or `null`.",
            r#"{"type":["number","null"],"format":"float"}"#,
            |file| file.options.max_value.map(|max| json_single(max.to_f32())).into(),
        )),
        text: Some(SettingText::Blocks(|file| Some(format!("at most {}", file.options.max_value?)))),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "modes",
        syntax: Syntax::Value("LIST", Values::ListOr(&[])),
        heading: BLOCKS,
        help: "BC7: modes that blocks may have, as a list such as 1,6 [default: all, 0 to 7]",
        formats: Some(|format| format == BlockFormat::Bc7),
        set: Some(|options, value| {
            let modes = of_text(&value.joined()?)?;
            options.encode.bc7.modes = modes;
            Ok(())
        }),
        get: |options| {
            let modes = options.encode.bc7.modes;
            (modes != ModeSet::ALL).then(|| Value::of_text(&modes.to_string()))
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "real-time",
        syntax: Syntax::Value("LEVEL", Values::Names(|| names(RealTime::ALL, RealTime::name))),
        heading: BLOCKS,
        help: "Blocks: encode in real time, at level 1, 2 or 3; BC7 with modes 1 and 6",
        more: "In ETC2, EAC and ASTC, level 3 equals level 2. BC1 to BC5 are encoded for --decoder real, BC4 \
               and BC5 of 16-bit images from 8 bits. With photographs, level 1 of BC1 is 0.1 dB below the \
               quality ultrafast, and level 2 equals it; of BC7, they are 1.9 and 0.3 dB below it. Level 1 \
               of bc6h equals ultrafast in a third of the time; levels 2 and 3 have 1.4 and 1.7 dB more, \
               and take longer than ultrafast on a CPU: a tenth and three quarters. Errors of bc6hs are \
               larger than those of ultrafast at each level. On a GPU, each level is one small kernel.",
        formats: Some(|format| format.block().is_some_and(BlockFormat::has_real_time)),
        exclusions: &[
            Exclusion::Always("quality"),
            Exclusion::Always("modes"),
            Exclusion::Always("weights"),
            Exclusion::Always("method"),
            Exclusion::Always("transparent-black"),
            Exclusion::Always("weigh-by-alpha"),
            Exclusion::Always("metric"),
        ],
        set: Some(|options, value| {
            let level = optional(value, of_text)?;
            options.encode.real_time = level;
            Ok(())
        }),
        get: |options| Some(Value::of_text(options.encode.real_time?.name())),
        json: Some(JsonSetting::new(
            "real_time",
            "1, 2 or 3 with `--real-time`, which ignores the quality; else `null`.",
            r#"{"type":["integer","null"],"format":"uint8","minimum":0,"maximum":255}"#,
            |file| file.plan.options.real_time.map(|level| level as u8 + 1).into(),
        )),
        text: Some(SettingText::Blocks(|file| {
            Some(format!("real time, level {}", file.plan.options.real_time?.name()))
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "rdo",
        syntax: Syntax::Value("LAMBDA", Values::Signed),
        default: Some("0"),
        heading: BLOCKS,
        help: "BC1, BC3, BC4, BC5, BC7: make blocks more compressible; LAMBDA is the squared error that one \
               bit is worth, 0 to 100",
        more: "This is rate–distortion optimisation, for textures that are compressed again by --zstd or in \
               an archive. 0 changes nothing. 2 is a good start for bc7, 8 for bc1 and bc3. \
               docs/performance.md lists sizes and errors.",
        formats: Some(is_optimised),
        set: Some(|options, value| {
            options.encode.rdo = parsed(value)?;
            options.rdo_target = None;
            Ok(())
        }),
        get: |options| {
            let lambda = options.encode.rdo;
            (!lambda.is_off()).then(|| Value::of_number(lambda))
        },
        json: Some(JsonSetting::new(
            "rdo",
            "λ of the rate–distortion optimisation that was requested or found.",
            r#"{"type":"number","format":"float"}"#,
            |file| json_single(file.plan.options.rdo.get()),
        )),
        text: Some(SettingText::Blocks(|file| {
            let lambda = file.plan.options.rdo;
            (!lambda.is_off()).then(|| format!("RDO λ {lambda}"))
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "min-psnr",
        syntax: Syntax::Value("DB", Values::Number),
        heading: BLOCKS,
        help: "Fail images whose PSNR is below DB; before, -f auto tries bc7 in place of bc1, and blocks get \
               the qualities high and best",
        more: "The PSNR is that of --target-psnr and of compare --fail-under psnr=DB. But compare measures \
               colours that are not multiplied by alpha, and 16-bit images in plain formats as 8 bits. An \
               image that fails is not written, and the exit code is 7. The report names the format that had \
               a lower PSNR.",
        formats: Some(|format| !format.is_float()),
        exclusions: &[Exclusion::Used("target-psnr"), Exclusion::Used("target-size")],
        set: Some(|options, value| {
            options.min_psnr = optional(value, values::target_psnr)?;
            Ok(())
        }),
        get: |options| Some(Value::of_number(options.min_psnr?)),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "target-psnr",
        syntax: Syntax::Value("DB", Values::Number),
        heading: BLOCKS,
        help: "BC1, BC3, BC4, BC5, BC7: search for the largest λ of --rdo with a PSNR of at least DB",
        more: "The PSNR is that of the stored colours of the first mip level, or of alpha if it is lower. If \
               alpha has one bit (BC1, ETC2), it is that of the colours of visible texels. In other sRGB \
               textures, and premultiplied ones, colours do not count where the image has alpha 0. The image \
               is encoded up to nine times.",
        stage: Stage::Picture,
        formats: Some(is_optimised),
        exclusions: &[Exclusion::Always("rdo"), Exclusion::Always("target-size")],
        set: Some(|options, value| {
            let target = optional(value, values::target_psnr)?.map(RdoTarget::Psnr);
            search(options, target, |target| matches!(target, RdoTarget::Psnr(_)));
            Ok(())
        }),
        get: |options| match options.rdo_target? {
            RdoTarget::Psnr(psnr) => Some(Value::of_number(psnr)),
            RdoTarget::Bytes(_) | RdoTarget::Share(_) => None,
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "target-size",
        syntax: Syntax::Value("SIZE|P%", Values::NumberOrText),
        heading: BLOCKS,
        help: "BC1, BC3, BC4, BC5, BC7: search for a small λ of --rdo with at most SIZE, such as 300K, or P% \
               of the size without --rdo",
        more: "With --zstd, the size is that of the file, else that of the blocks after Deflate, as in an \
               archive. A sample of the blocks predicts λ, unless there are fewer than 4096: then the image \
               is optimised up to eight times.",
        stage: Stage::Picture,
        formats: Some(is_optimised),
        exclusions: &[Exclusion::Always("rdo")],
        set: Some(|options, value| {
            let target = optional(value, values::target_size)?;
            search(options, target, |target| !matches!(target, RdoTarget::Psnr(_)));
            Ok(())
        }),
        get: |options| match options.rdo_target? {
            RdoTarget::Psnr(_) => None,
            RdoTarget::Bytes(bytes) => Some(Value::of_number(bytes)),
            RdoTarget::Share(share) => Some(Value::of_text(&format!("{}%", 100.0 * share))),
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "no-three-color",
        heading: BLOCKS,
        help: "BC1: never use the three-colour mode, which some old decoders decode wrongly",
        formats: Some(|format| format == BlockFormat::Bc1),
        set: Some(|options, value| {
            let is_allowed = !value.flag()?;
            options.encode.bc1.three_color = is_allowed;
            Ok(())
        }),
        get: |options| flag_value(!options.encode.bc1.three_color),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "transparent-black",
        heading: BLOCKS,
        help: "BC1: let dark texels use transparent black; such texels decode with alpha 0",
        more: "The error becomes smaller, but such texels decode with alpha 0. Use it only if the shader \
               ignores alpha and nothing else (blending, alpha test, a later tool) reads it.",
        formats: Some(|format| format == BlockFormat::Bc1),
        exclusions: &[Exclusion::Always("no-three-color")],
        needs: &[Need::Alpha],
        set: Some(|options, value| {
            let is_allowed = value.flag()?;
            options.encode.bc1.transparent_black = is_allowed;
            Ok(())
        }),
        get: |options| flag_value(options.encode.bc1.transparent_black),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "dither",
        heading: BLOCKS,
        help: "Dither colours to the 5, 6 and 5 bits of endpoints (BC1 to BC3), else 16-bit images to 8 \
               bits, against bands in gradients",
        more: "The error becomes larger: PSNR is that of the image before. Smooth gradients lose most, and \
               the noise is visible where they had no bands. Alpha is not dithered. bc6h, etc2, eac, \
               astc and plain formats have no such option. The CPU dithers, and makes the mip levels.",
        formats: Some(|format| {
            format.block().is_some_and(|format| !format.is_mobile()) && !format.is_float()
        }),
        set: Some(|options, value| {
            options.encode.dither = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.encode.dither),
        json: Some(JsonSetting::new(
            "dither",
            "True if colours were dithered before they were encoded. Differences are those from the image \
             before.",
            BOOLEAN,
            |file| file.plan.options.dither.into(),
        )),
        text: Some(SettingText::Blocks(|file| file.plan.options.dither.then(|| "dithered".to_owned()))),
        ..OptionRow::NONE
    },
];

/// True for formats with rate–distortion optimisation: BC1, BC3, BC4, BC5 and BC7.
pub fn is_optimised(format: TextureFormat) -> bool {
    let has_optimiser = |format: BlockFormat| format != BlockFormat::Bc2 && !format.is_mobile();
    !format.is_float() && format.block().is_some_and(has_optimiser)
}

/// Sets a target of rate–distortion optimisation in place of a chosen λ. No target removes one that
/// `is_same`.
fn search(options: &mut TextureOptions, target: Option<RdoTarget>, is_same: impl FnOnce(RdoTarget) -> bool) {
    match target {
        Some(_) => {
            options.encode.rdo = RdoLambda::default();
            options.rdo_target = target;
        }
        None if options.rdo_target.is_some_and(is_same) => options.rdo_target = None,
        None => {}
    }
}

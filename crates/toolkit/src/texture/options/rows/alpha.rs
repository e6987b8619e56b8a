//! Options of alpha.

use super::{BOOLEAN, SWITCH, flag_value, parsed, switch};
use crate::texture::{
    options::{Doors, Exclusion, JsonSetting, Need, OptionRow, SettingText, Stage, Syntax, Value, Values},
    psnr_scope::has_one_bit_alpha,
};
use brickwork_texture::{AlphaMode, BlockFormat, PlainFormat, TextureFormat, bc::bc1::Bc1Options};

const ALPHA: &str = "Alpha";

/// Options of alpha.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "alpha-threshold",
        syntax: Syntax::Value("N", Values::Integer(0, 255)),
        heading: ALPHA,
        help: "BC1: texels with alpha below N become transparent, the others opaque [default: 128]",
        formats: Some(|format| format == BlockFormat::Bc1),
        needs: &[Need::Alpha],
        set: Some(|options, value| {
            let threshold = parsed(value).map_err(|_| "expected a whole number from 0 to 255".to_owned())?;
            options.encode.bc1.alpha_threshold = threshold;
            Ok(())
        }),
        get: |options| {
            let threshold = options.encode.bc1.alpha_threshold;
            (threshold != 0 && threshold != default_threshold()).then(|| Value::of_number(threshold))
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "opaque",
        heading: ALPHA,
        help: "BC1: ignore alpha; every texel becomes opaque (--alpha-threshold 0)",
        formats: Some(|format| format == BlockFormat::Bc1),
        exclusions: &[Exclusion::Given("alpha-threshold")],
        set: Some(|options, value| {
            let threshold = &mut options.encode.bc1.alpha_threshold;
            *threshold = match (value.flag()?, *threshold) {
                (true, _) => 0,
                (false, 0) => default_threshold(),
                (false, threshold) => threshold,
            };
            Ok(())
        }),
        get: |options| flag_value(options.encode.bc1.alpha_threshold == 0),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "weigh-by-alpha",
        heading: ALPHA,
        help: "BC2, BC3, BC7: weight errors of colours by alpha, in favour of the more visible texels",
        more: "For straight alpha that is blended. A texel with alpha 0 counts as much as one with alpha 1. \
               The pass always runs on the CPU; in BC7, it takes much longer than encoding.",
        is_transparency: true,
        formats: Some(|format| {
            matches!(format.block(), Some(BlockFormat::Bc2 | BlockFormat::Bc3 | BlockFormat::Bc7))
        }),
        exclusions: &[Exclusion::Used("rdo"), Exclusion::Used("target-psnr"), Exclusion::Used("target-size")],
        set: Some(|options, value| {
            options.encode.weigh_by_alpha = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.encode.weigh_by_alpha),
        json: Some(JsonSetting::new(
            "weigh_by_alpha",
            "True if errors of colours were weighted by alpha.",
            BOOLEAN,
            |file| file.plan.options.weigh_by_alpha.into(),
        )),
        text: Some(SettingText::Blocks(|file| {
            file.plan.options.weigh_by_alpha.then(|| "weighed by alpha".to_owned())
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "dilate",
        syntax: Syntax::Optional("yes|no|auto", Values::Known(SWITCH), "yes"),
        heading: ALPHA,
        help: "Give transparent texels (alpha 0) the colours of the nearest others: yes, no, or auto, with \
               which -f auto does so for cut-outs [default: auto]",
        more: "Otherwise, samples at the edges of leaves contain the background on which they were drawn. \
               The whole image is filled, after new sizes and before mip levels; --mip-wrap states its \
               edges. auto means images of which at least 97 % of the texels are opaque or transparent, and \
               both occur. bc1 and etc2-a1 store black in place of all such colours.",
        stage: Stage::Picture,
        is_transparency: true,
        formats: Some(|format| format.has_alpha()),
        exclusions: &[
            Exclusion::Used("opaque"),
            Exclusion::Used("premultiply"),
            Exclusion::Used("premultiplied"),
            Exclusion::Used("alpha-is-data"),
        ],
        needs: &[Need::Colors, Need::Alpha],
        set: Some(|options, value| {
            options.dilate = switch(value)?;
            Ok(())
        }),
        get: |options| Some(Value::Flag(options.dilate?)),
        text: Some(SettingText::Picture(|file| {
            (file.options.dilate == Some(true)).then(|| "dilated".to_owned())
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "premultiply",
        heading: ALPHA,
        help: "Multiply colours by alpha: bc2, bc3, bc7, etc2-a8, astc and plain formats with alpha",
        more: "Light is multiplied if the texture is sRGB, after new sizes and before mip levels. The file \
               states it: KTX2 and the Direct3D 10 header of DDS; with --legacy, bc2 and bc3 become DXT2 and \
               DXT4. decode, compare and report divide the colours by alpha. The measured error is that of \
               the multiplied colours.",
        stage: Stage::Picture,
        is_transparency: true,
        formats: Some(stores_products),
        exclusions: &[
            Exclusion::Always("weigh-by-alpha"),
            Exclusion::Always("keep-coverage"),
            Exclusion::Used("alpha-is-data"),
        ],
        needs: &[Need::Colors],
        set: Some(|options, value| {
            options.premultiply = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.premultiply),
        text: Some(SettingText::Picture(|file| {
            let is_premultiplied = file.plan.desc.alpha_mode == AlphaMode::Premultiplied;
            is_premultiplied.then(|| "premultiplied".to_owned())
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "premultiplied",
        heading: ALPHA,
        help: "Colours of the images are multiplied by alpha already, and stay so; the texture states it",
        doors: Doors::Bindings,
        is_transparency: true,
        formats: Some(stores_products),
        exclusions: &[
            Exclusion::Used("premultiply"),
            Exclusion::Used("weigh-by-alpha"),
            Exclusion::Used("keep-coverage"),
            Exclusion::Used("alpha-is-data"),
            Exclusion::Used("assign-oetf"),
            Exclusion::Used("convert-oetf"),
        ],
        needs: &[Need::Colors],
        set: Some(|options, value| {
            options.premultiplied = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.premultiplied),
        ..OptionRow::NONE
    },
];

fn default_threshold() -> u8 {
    Bc1Options::default().alpha_threshold
}

/// True for formats of colours that are multiplied by alpha, which has at least 4 bits.
fn stores_products(format: TextureFormat) -> bool {
    match format {
        TextureFormat::Block(format) => format.has_alpha() && !has_one_bit_alpha(format),
        TextureFormat::Plain(format) => {
            let is_signed = matches!(format, PlainFormat::Rgba8Snorm | PlainFormat::Rgba16Snorm);
            format.has_alpha() && !is_signed
        }
    }
}

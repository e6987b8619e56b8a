//! Options of colour spaces and transfer functions.

use super::{STRING_OR_NULL, optional};
use crate::texture::{
    options::{Doors, Exclusion, JsonSetting, OptionRow, Stage, Syntax, Value, Values},
    values,
};
use brickwork_texture::ColorSpace;

const COLOR_SPACE: &str = "Colour space";

/// Options of colour spaces and transfer functions.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "color-space",
        syntax: Syntax::Value("NAME", Values::Names(|| vec!["auto", "srgb", "linear"])),
        heading: COLOR_SPACE,
        help: "Colour space of the image and of the texture: auto (as the file states), srgb or linear",
        doors: Doors::Keys,
        stage: Stage::Encoder,
        set: Some(|options, value| {
            options.color_space = match value.text()? {
                "auto" => None,
                "srgb" => Some(ColorSpace::Srgb),
                "linear" => Some(ColorSpace::Linear),
                _ => return Err("expected \"auto\", \"srgb\" or \"linear\"".to_owned()),
            };
            Ok(())
        }),
        get: |options| Some(Value::of_text(oetf_name(options.color_space?))),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "srgb",
        heading: COLOR_SPACE,
        help: "The image contains sRGB colours [default: as the file states; the report gives the reason]",
        doors: Doors::Program,
        exclusions: &[Exclusion::Given("linear")],
        means: Some(("color-space", "srgb")),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "linear",
        heading: COLOR_SPACE,
        help: "The image contains linear data: normals, roughness, masks; --data if alpha is one of the \
               channels",
        doors: Doors::Program,
        means: Some(("color-space", "linear")),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "assign-oetf",
        syntax: Syntax::Value("FUNCTION", Values::Text),
        heading: COLOR_SPACE,
        help: "Transfer function of the image's numbers, in place of the one that the file states: srgb, \
               linear, or gamma:G, where light is the number raised to the power G, from 0.1 to 10",
        more: "With srgb and linear, the numbers stay unless --convert-oetf changes them. gamma:2.2 is \
               converted to sRGB, or to linear light for floats and for formats without sRGB, such as bc4, \
               bc6h and rgba16. --srgb and --linear state the colour space of the texture, and never change \
               numbers.",
        stage: Stage::Picture,
        exclusions: &[Exclusion::Given("color-space")],
        set: Some(|options, value| {
            options.assign_oetf = optional(value, values::transfer_function)?;
            Ok(())
        }),
        get: |options| Some(Value::of_text(&options.assign_oetf?.to_string())),
        json: Some(JsonSetting::new(
            "assigned_oetf",
            "The value of `--assign-oetf`, such as `gamma:2.2`; else `null`.",
            STRING_OR_NULL,
            |file| file.options.assign_oetf.map(|transfer| transfer.to_string()).into(),
        )),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "convert-oetf",
        syntax: Syntax::Value("FUNCTION", Values::Known(&["srgb", "linear"])),
        heading: COLOR_SPACE,
        help: "Convert the image's numbers to this transfer function: srgb or linear",
        more: "The numbers have the function that the file states, or that of --assign-oetf. The texture \
               gets the new one. Results have 16 bits. All block formats except bc6h, and plain formats of 8 \
               bits, round them to 8. Eight bits are few for linear light: use bc6h, a plain format of 16 \
               bits or floats, or --dither. Alpha does not change.",
        stage: Stage::Picture,
        exclusions: &[Exclusion::Given("color-space")],
        set: Some(|options, value| {
            options.convert_oetf = optional(value, values::color_space)?;
            Ok(())
        }),
        get: |options| Some(Value::of_text(oetf_name(options.convert_oetf?))),
        json: Some(JsonSetting::new(
            "converted_oetf",
            "The value of `--convert-oetf`: `srgb` or `linear`; else `null`.",
            STRING_OR_NULL,
            |file| file.options.convert_oetf.map(oetf_name).into(),
        )),
        ..OptionRow::NONE
    },
];

/// Returns a colour space as a value of options.
fn oetf_name(color_space: ColorSpace) -> &'static str {
    match color_space {
        ColorSpace::Srgb => "srgb",
        _ => "linear",
    }
}

//! Options of the size and of the order of rows.

use super::{flag_value, names, optional};
use crate::texture::{
    PictureSize, PowerOfTwo,
    options::{OptionRow, SettingText, Stage, Syntax, Value, Values},
    values,
};
use brickwork_texture::container::ContainerFormat;

const SIZE: &str = "Size";

/// Options of the size and of the order of rows.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "resize",
        syntax: Syntax::Value("WxH|P%", Values::Size),
        heading: SIZE,
        help: "Resize the image, in texels or percent, such as 512x256 or 50%",
        stage: Stage::Picture,
        set: Some(|options, value| {
            options.size_rules.size = optional(value, values::picture_size)?;
            Ok(())
        }),
        get: |options| match options.size_rules.size? {
            PictureSize::Texels(width, height) => Some(Value::of_text(&format!("{width}x{height}"))),
            PictureSize::Percent(percent) => Some(Value::of_text(&format!("{percent}%"))),
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "max-size",
        syntax: Syntax::Value("N", Values::Integer(1, u32::MAX as i64)),
        heading: SIZE,
        help: "Shrink larger images until no side has more than N texels",
        stage: Stage::Picture,
        set: Some(|options, value| {
            options.size_rules.max = optional(value, |text| {
                let max = text.parse().ok().filter(|max| *max > 0);
                max.ok_or_else(|| "expected a number of texels, at least 1".to_owned())
            })?;
            Ok(())
        }),
        get: |options| Some(Value::of_number(options.size_rules.max?)),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "power-of-two",
        syntax: Syntax::Value("RULE", Values::Names(|| names(PowerOfTwo::ALL, PowerOfTwo::name))),
        heading: SIZE,
        help: "Round each side to a power of two: nearest (in ratio), up or down",
        stage: Stage::Picture,
        set: Some(|options, value| {
            options.size_rules.power_of_two = optional(value, values::power_of_two)?;
            Ok(())
        }),
        get: |options| Some(Value::of_text(options.size_rules.power_of_two?.name())),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "multiple-of-4",
        heading: SIZE,
        help: "Round each side up to a multiple of 4, or down if it would exceed --max-size, but to 4 at \
               least; Direct3D requires multiples of 4 of block-compressed textures",
        stage: Stage::Picture,
        set: Some(|options, value| {
            options.size_rules.multiple_of_4 = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.size_rules.multiple_of_4),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "flip",
        syntax: Syntax::Value("AXES", Values::Known(&["x", "y", "xy"])),
        heading: SIZE,
        help: "Mirror the image: x (left and right), y (top and bottom) or xy; vectors of normal maps stay \
               as they are",
        stage: Stage::Picture,
        set: Some(|options, value| {
            let axes = optional(value, |text| match text {
                "x" => Ok([true, false]),
                "y" => Ok([false, true]),
                "xy" => Ok([true; 2]),
                _ => Err("expected x, y or xy".to_owned()),
            });
            options.flip = axes?.unwrap_or_default();
            Ok(())
        }),
        get: |options| match options.flip {
            [false, false] => None,
            [true, false] => Some(Value::of_text("x")),
            [false, true] => Some(Value::of_text("y")),
            [true, true] => Some(Value::of_text("xy")),
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "flip-y",
        heading: SIZE,
        help: "KTX2: store rows from the bottom to the top, as OpenGL and three.js expect them; the file \
               states it",
        more: "three.js's TextureLoader flips images, and its KTX2Loader cannot. Textures of glTF are not \
               flipped. The key KTXorientation is ru, so readers that heed it show the image upright. It \
               changes no normals: unlike --normal-flip-y, it moves texels.",
        stage: Stage::Picture,
        container: Some(ContainerFormat::Ktx2),
        set: Some(|options, value| {
            options.flip_y = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.flip_y),
        text: Some(SettingText::Picture(|file| {
            file.options.flip_y.then(|| "rows from the bottom".to_owned())
        })),
        ..OptionRow::NONE
    },
];

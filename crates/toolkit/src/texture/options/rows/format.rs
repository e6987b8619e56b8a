//! Options of the format.

use super::{STRING_OR_NULL, names, of_text, optional, parsed};
use crate::texture::{
    FormatFamily, TextureOptions,
    options::{JsonSetting, OptionRow, Syntax, Value, Values},
};

/// Options of the format.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "format",
        short: Some('f'),
        syntax: Syntax::Value("NAME", Values::Text),
        heading: "Blocks",
        help: "Format: bc1, bc2, bc3, bc4, bc4s, bc5, bc5s, bc6h, bc6hs, bc7, etc2, etc2-a1, etc2-a8, \
               eac-r11, eac-r11s, eac-rg11, eac-rg11s, astc, auto, a plain format such as rgba8, or a \
               DXGI_FORMAT_ or VK_FORMAT_ name",
        more: "bc1 is RGB with 1-bit alpha. bc2, bc3 and bc7 are RGBA, and bc7 is by far the closest. bc4 \
               stores only red (grey), bc5 red and green (normal maps). bc4s and bc5s are signed: 0 in the \
               image is -1, 255 is 1. bc6h is RGB half floats in linear light, bc6hs signed ones.\n\n\
               Phones have other formats, which DDS lacks. The CPU encodes them; in real time, GPUs do, \
               too. etc2 is RGB, etc2-a1 has 1-bit alpha, etc2-a8 8-bit alpha. eac-r11 stores only red, \
               eac-rg11 red and green; eac-r11s and eac-rg11s are signed. astc (astc-4x4) is RGBA, and the \
               closest. Other sizes of its blocks are only decoded.\n\n\
               Plain formats store each texel by itself. r8, rg8, rgba8, bgra8, r16, rg16 and rgba16 have 8 \
               or 16 bits per channel. r8s, rg8s, rgba8s, r16s, rg16s and rgba16s are signed. r16f, rg16f, \
               rgba16f, r32f, rg32f and rgba32f have floats. rgb9e5 has three floats of 9 bits with a shared \
               exponent, rg11b10f three small floats; both take 32 bits per texel and have no numbers below \
               0. Floats are linear; an sRGB image needs --convert-oetf linear, or --linear or --data, which \
               keep its numbers.\n\n\
               auto chooses a block format for each image: bc6h for floats (bc6hs if texels below 0 matter), \
               bc5 for a normal map (bc7 if normals face away or have alpha), bc4 for grey, bc7 for art with \
               several hues in a block, bc7 (bc3 with --legacy) for soft alpha, else bc1. File names such as \
               rock_n, rock_orm and rock_albedo count, and the report names them as the reason. Without such \
               a name, texels show normals, masks and lookup tables, and a note reports it. --family chooses \
               formats for phones. A format's name that states a colour space, such as \
               DXGI_FORMAT_BC1_UNORM_SRGB, sets it. Old names, such as DXT5 and ATI2, also count. With a \
               rule file, the default is auto. [default: bc1]",
        set: Some(|options, value| {
            options.format = parsed(value)?;
            Ok(())
        }),
        get: |options| {
            let is_default = options.format == TextureOptions::default().format;
            let name = options.format.format().map_or("auto", |format| format.name());
            (!is_default).then(|| Value::of_text(name))
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "family",
        syntax: Syntax::Value("NAME", Values::Names(|| names(FormatFamily::ALL, FormatFamily::name))),
        heading: "Blocks",
        help: "Formats among which -f auto chooses: bc for desktop computers, astc for phones, or etc2 for \
               phones without astc [default: bc]",
        more: "It implies -f auto, unless -f states a format. astc is astc-4x4 for every image. Normal maps \
               keep x, y and z in red, green and blue, because readers apply no swizzle to formats of three \
               channels. etc2 is etc2 for opaque images, etc2-a1 for cut-outs, etc2-a8 for other alpha, \
               eac-r11 for grey and masks, and eac-rg11 for normal maps. Names and texels count as with bc, \
               and the colour space is the same. Neither family has a format for HDR, and neither is for \
               DDS: without a name that decides it, the container is KTX2. Block formats of another family \
               are refused, and plain formats are not.",
        set: Some(|options, value| {
            options.family = optional(value, of_text::<FormatFamily>)?;
            Ok(())
        }),
        get: |options| Some(Value::of_text(options.family?.name())),
        json: Some(JsonSetting::new(
            "family",
            "The family among whose formats `--format auto` chose: `bc`, `astc` or `etc2`; `null` with any \
             other `--format`.",
            STRING_OR_NULL,
            |used| {
                let is_auto = used.options.format.format().is_none();
                is_auto.then(|| used.options.auto_family().name()).into()
            },
        )),
        ..OptionRow::NONE
    },
];

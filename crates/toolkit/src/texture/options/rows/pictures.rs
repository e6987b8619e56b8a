//! Options of channels, of normal maps, and of files beside the image.

use super::{SWITCH, flag_value, optional, switch};
use crate::texture::{
    FormatChoice, NormalOptions, PictureChannel, TextureOptions,
    options::{Doors, Exclusion, Need, OptionRow, SettingText, Stage, Syntax, Value, Values},
    values,
};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{BlockFormat, ColorSpace, TextureFormat};

const CHANNELS: &str = "Channels";
const NORMAL_MAPS: &str = "Normal maps";
const MIP_LEVELS: &str = "Mip levels";

/// Options of channels, of normal maps, and of files beside the image.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "kind",
        syntax: Syntax::Value("KIND", Values::Names(|| KINDS.to_vec())),
        heading: CHANNELS,
        help: "Use of the images: auto, color, normal, data or mask (linear, and alpha is a channel like the \
               others), one-channel, or hdr (linear colours, in bc6h)",
        doors: Doors::Keys,
        set: Some(|options, value| kind(options, value.text()?)),
        get: stated_kind,
        ..OptionRow::NONE
    },
    OptionRow {
        name: "swizzle",
        syntax: Syntax::Value("RGBA", Values::Text),
        heading: CHANNELS,
        help: "Channels of the image that become red, green, blue and alpha: four of r, g, b, a, 0 and 1, \
               such as bgra, or four terms with commas, such as r,g,b,1-a or r*0.5+0.5,g,b,1 [default: rgba]",
        more: "The swizzle applies to the image as read: upright, with straight alpha unless --data is \
               given, in the primaries of sRGB, and after the swizzle of a KTX2 file. The choice of a \
               format, new sizes, mip levels, --normal and --from-height use the new channels. 1 is the \
               maximum of the texel type (1.0 for floats). 0 is black, which bc4s and bc5s store as -1. Grey \
               is red, green and blue. A missing alpha is 1, and a note reports colours that are made of it. \
               If alpha becomes a colour, file names no longer state the use. Numbers are moved unchanged: \
               between sRGB colours and alpha, no transfer function is converted, and a note reports this. \
               convert --swizzle is different: it writes a key that tells readers of a KTX2 file how to \
               order the channels, and moves no channel.\n\n\
               A term is a number from 0 to 1, or a channel that may be multiplied by a number (*), to which \
               one is added (+) or subtracted from (-), or which is subtracted from one: 1-a inverts alpha. \
               Numbers count from 0 to 1; results of integers are rounded, and clamped.",
        stage: Stage::Picture,
        set: Some(|options, value| {
            (options.swizzle, options.channel_scales) =
                optional(value, values::swizzle_terms)?.unwrap_or_default();
            Ok(())
        }),
        get: |options| Some(Value::of_text(&options.swizzle_text()?)),
        text: Some(SettingText::Picture(|file| Some(format!("swizzle {}", file.options.swizzle_text()?)))),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "channel",
        syntax: Syntax::Repeated("C=FILE[:C]", Values::Text),
        heading: CHANNELS,
        help: "Replace channel C of the image (r, g, b or a) by red of FILE, or by the channel or term of \
               --swizzle after the colon, such as 1-r for gloss. The option may be repeated",
        more: "Channels are packed as the image is read, before --swizzle. FILE has the size of the image. \
               Numbers are moved in the wider type of both, unchanged without a term. With r, g or b, the \
               option implies --data, unless the use of the image is stated, such as by --srgb. With a \
               alone, the image keeps its colours and its colour space. Files of several channels are stated \
               for each. In rules, the key channel is a list, and files are paths from the folder of the \
               image, such as g={base}_rough.png.",
        doors: Doors::Program,
        stage: Stage::Picture,
        set: Some(|_, value| values::channel_file(value.text()?).map(drop)),
        get: |options| {
            let channels = options.packing.channels().map(|(channel, _)| Value::of_text(channel.name()));
            Some(Value::List(channels.collect())).filter(|channels| *channels != Value::List(Vec::new()))
        },
        text: Some(SettingText::Picture(|file| {
            let packed = file.packed_channels.iter().map(|packed| {
                format!("{} from {} of {}", packed.channel.name(), packed.source_text(), packed.path)
            });
            Some(packed.collect::<Vec<_>>().join(" · ")).filter(|text| !text.is_empty())
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "normal",
        heading: NORMAL_MAPS,
        help: "The images are normal maps: bc5 with -f auto (astc or eac-rg11 with --family), else bc5, \
               bc5s, bc7, eac-rg11, eac-rg11s or astc; mip levels have normals of length 1",
        doors: Doors::Program,
        stage: Stage::Picture,
        exclusions: &[Exclusion::Given("one-channel"), Exclusion::Given("data")],
        means: Some(("kind", "normal")),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "normal-flip-y",
        heading: NORMAL_MAPS,
        help: "Invert green of normal maps, between the conventions of OpenGL (y up) and Direct3D",
        stage: Stage::Picture,
        exclusions: NOT_NORMALS,
        set: Some(|options, value| {
            options.normals.flip_y = value.flag()?;
            state_normals(options, options.normals.flip_y);
            Ok(())
        }),
        get: |options| flag_value(options.normals.flip_y),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "normal-flip-x",
        heading: NORMAL_MAPS,
        help: "Invert red of normal maps: x to the left instead of to the right",
        stage: Stage::Picture,
        exclusions: NOT_NORMALS,
        set: Some(|options, value| {
            options.normals.flip_x = value.flag()?;
            state_normals(options, options.normals.flip_x);
            Ok(())
        }),
        get: |options| flag_value(options.normals.flip_x),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "normalize",
        syntax: Syntax::Optional("yes|no|auto", Values::Known(SWITCH), "yes"),
        heading: NORMAL_MAPS,
        help: "Scale the vectors of normal maps to length 1, in the image and in mip levels: yes, no, or \
               auto [default: auto]",
        more: "no keeps the image, and mip levels are means. auto decides by the image: if more than 0.1 % \
               of the vectors are shorter than 0.96 or longer than 1.04, all that are not rounded from 1 are \
               scaled, and a note gives their share; black becomes (0, 0, 1). Images of which less than 80 % \
               may be normals, such as those with a mask in blue, are kept, and their mip levels are \
               means.",
        stage: Stage::Picture,
        exclusions: NOT_NORMALS,
        set: Some(|options, value| {
            options.normals.normalize = switch(value)?;
            state_normals(options, options.normals.normalize == Some(true));
            Ok(())
        }),
        get: |options| Some(Value::Flag(options.normals.normalize?)),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "from-height",
        syntax: Syntax::Value("SCALE", Values::Signed),
        heading: NORMAL_MAPS,
        help: "Make normal maps of heights, which are red or grey; a height of 1 (white) is SCALE texels \
               high",
        more: "Y points upward, as in OpenGL. --mip-wrap also states the texels past the edges of the \
               heights. --swizzle aaa1 takes the heights from alpha.",
        stage: Stage::Picture,
        exclusions: NOT_NORMALS,
        set: Some(|options, value| {
            options.normals.height_scale = optional(value, values::height_scale)?;
            state_normals(options, options.normals.height_scale.is_some());
            Ok(())
        }),
        get: |options| Some(Value::of_number(options.normals.height_scale?)),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "one-channel",
        heading: CHANNELS,
        help: "With -f auto: only one channel of the images is used (bc4; astc or eac-r11 with --family)",
        doors: Doors::Program,
        stage: Stage::Picture,
        exclusions: &[Exclusion::Given("data")],
        means: Some(("kind", "one-channel")),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "data",
        heading: CHANNELS,
        help: "The images are data, such as packed masks: linear, and alpha is a channel like the others",
        more: "Alpha then does not weight the other channels in mip levels and new sizes, and -f auto does \
               not choose bc1 for images with alpha. -f bc1, the default, stores no colours where alpha is \
               below the threshold, and a note reports this; bc7 and bc3 do. If a file's colours are \
               multiplied by alpha, as in EXR, they are not divided by it.",
        doors: Doors::Program,
        stage: Stage::Picture,
        means: Some(("kind", "data")),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "level",
        syntax: Syntax::Repeated("N=FILE", Values::Text),
        heading: MIP_LEVELS,
        help: "Take mip level N, from 1, from FILE instead of making it; may be repeated, from 1 without \
               gaps",
        more: "FILE has the size of the level: sides are halved and rounded down, but at least 1. It is read \
               with the same options as the image, so that --swizzle and --data apply to each level. --mips \
               makes the levels below; without it, the texture has the given levels only. The measured error \
               is that of the image. In rules, the key level is a list, and files are paths from the folder \
               of the image, such as 1={stem}_mip1.png.",
        doors: Doors::Program,
        exclusions: &[
            Exclusion::Used("resize"),
            Exclusion::Used("max-size"),
            Exclusion::Used("power-of-two"),
            Exclusion::Used("multiple-of-4"),
            Exclusion::Used("from-height"),
            Exclusion::Used("roughness-from"),
            Exclusion::Used("channel"),
        ],
        set: Some(|_, value| values::level_file(value.text()?).map(drop)),
        get: |options| {
            Some(Value::of_number(options.given_mip_levels)).filter(|_| options.given_levels() > 1)
        },
        text: Some(SettingText::Picture(|file| {
            let count = file.level_files.len();
            let plural = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{count} level{plural} from files"))
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "roughness-from",
        syntax: Syntax::Value("FILE", Values::Path),
        heading: MIP_LEVELS,
        help: "The images are roughness maps: add the spread of the normals in FILE, a normal map, to the \
               roughness of mip levels",
        more: "The mean of normals that differ is shorter than 1. The mip levels of a normal map lose this, \
               and bumps become a smooth mirror in the distance. This option makes the roughness higher \
               instead, by Toksvig's formula (docs/textures.md). FILE is the normal map of the same surface, \
               of any size. The option implies --data, unless --one-channel is given, and needs mip levels, \
               which the CPU makes. In rules, the key roughness-from is a path from the folder of the image, \
               such as {base}_n.png.",
        doors: Doors::Program,
        stage: Stage::Picture,
        formats: Some(|format| match format {
            // Mip levels are made in 8 bits.
            TextureFormat::Block(_) => !format.is_float(),
            TextureFormat::Plain(format) => format.texel_bytes() == format.channels().len(),
        }),
        exclusions: &[
            Exclusion::Given("normal"),
            Exclusion::Given("normal-flip-y"),
            Exclusion::Given("normal-flip-x"),
            Exclusion::Given("from-height"),
        ],
        needs: &[Need::Data, Need::MipLevels],
        means: Some(("kind", "data")),
        get: |options| flag_value(options.roughness_from_normals),
        text: Some(SettingText::Picture(|file| {
            let normals = file.roughness_from.as_ref()?;
            let channel = file.options.roughness_channel.name();
            Some(format!("roughness {channel} with the spread of {normals}"))
        })),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "roughness-channel",
        syntax: Syntax::Value("CHANNEL", Values::Known(&["r", "g", "b", "a"])),
        heading: MIP_LEVELS,
        help: "Channel of the roughness for --roughness-from: r, g, b or a; grey images have one roughness \
               [default: r]",
        stage: Stage::Picture,
        needs: &[Need::Option("roughness-from")],
        set: Some(|options, value| {
            options.roughness_channel = values::roughness_channel(value.text()?)?;
            Ok(())
        }),
        get: |options| match options.roughness_channel {
            PictureChannel::Red => None,
            channel => Some(Value::of_text(channel.name())),
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "alpha-is-data",
        heading: CHANNELS,
        help: "Alpha is a channel like the others, beside colours: it does not weight colours of mip levels, \
               and pictures whose colours are multiplied by alpha are not divided by it",
        doors: Doors::Bindings,
        set: Some(|options, value| {
            options.encode.alpha_is_data = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.encode.alpha_is_data),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "channels",
        syntax: Syntax::Value("C[:C],…", Values::Text),
        heading: CHANNELS,
        help: "Channels of the image (r, g, b or a) that red of other images replaces, or the channel or \
               term after a colon, such as g,b or g:1-r,a:b. The other images follow in the order r, g, b, \
               a. With r, g or b, the result is data unless its use is stated",
        doors: Doors::Bindings,
        stage: Stage::Picture,
        set: Some(|options, value| {
            options.packing = optional(value, values::packed_channels)?.unwrap_or_default();
            Ok(())
        }),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "roughness-from-normals",
        heading: MIP_LEVELS,
        help: "The last image is a normal map, of any size: the spread of its normals is added to the \
               roughness of mip levels. The result is data unless its use is stated",
        doors: Doors::Bindings,
        stage: Stage::Picture,
        set: Some(|options, value| {
            options.roughness_from_normals = value.flag()?;
            Ok(())
        }),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "normals",
        heading: NORMAL_MAPS,
        help: "The images are normal maps, in any format: linear, with mip levels of vectors of length 1",
        doors: Doors::Bindings,
        set: Some(|options, value| {
            options.encode.normals = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.encode.normals),
        ..OptionRow::NONE
    },
];

/// Options that make or change normal maps exclude other kinds.
const NOT_NORMALS: &[Exclusion] = &[Exclusion::GivenUnless("kind", &["auto", "normal"])];

const KINDS: &[&str] = &["auto", "color", "normal", "data", "mask", "one-channel", "hdr"];

fn kind(options: &mut TextureOptions, name: &str) -> Result<(), String> {
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
    (options.usage, options.color_space) = (usage, color_space);
    // Earlier options of normal maps would state that these are normal maps again.
    if usage != PictureUse::Normals {
        options.normals = NormalOptions::default();
    }
    if name == "hdr" {
        options.format = FormatChoice::of(BlockFormat::Bc6hUfloat);
    }
    Ok(())
}

/// Returns the kind, unless it follows from other options ([`TextureOptions::with_derived_use`]).
fn stated_kind(options: &TextureOptions) -> Option<Value> {
    let is_normal_map = options.normals.state_normals();
    let is_packed = options.packing.picture_count() > 0 || options.roughness_from_normals;
    let is_color = options.color_space == Some(ColorSpace::Srgb) || options.has_transfer();
    let name = match options.usage {
        PictureUse::Color if !is_color => "color",
        PictureUse::Normals if !is_normal_map => "normal",
        PictureUse::Data if !is_packed => "data",
        PictureUse::OneChannel => "one-channel",
        _ => return None,
    };
    Some(Value::of_text(name))
}

/// Options of normal maps override the colour space. The use follows from them.
fn state_normals(options: &mut TextureOptions, is_used: bool) {
    if is_used {
        options.color_space = None;
    }
}

//! Options of the reading of images.

use super::{choice, flag_value, names, optional};
use crate::texture::{
    TextureLayout,
    options::{Doors, Exclusion, OptionRow, Stage, Syntax, Value, Values},
};
use brickwork_image::image_file::DdsTenBitMasks;

const INPUT: &str = "Input";

/// Options of the reading of images.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "stated-dds-masks",
        heading: INPUT,
        help: "Use 10-bit masks of legacy DDS files as stated",
        more: "By default, red and blue of such files are swapped, because D3DX and texconv write the masks \
               that way. Files with a DX10 header have no masks.",
        doors: Doors::Program,
        stage: Stage::File,
        set: Some(|options, value| {
            let are_stated = value.flag()?;
            options.reading.dds_ten_bit_masks =
                if are_stated { DdsTenBitMasks::Stated } else { DdsTenBitMasks::Swapped };
            Ok(())
        }),
        get: |options| flag_value(options.reading.dds_ten_bit_masks == DdsTenBitMasks::Stated),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "exr-layer",
        syntax: Syntax::Value("NAME", Values::Text),
        heading: INPUT,
        help: "Layer, part or channel of EXR files, by its name or the end of it: diffuse reads \
               RenderLayer.diffuse [default: the layer most like a picture]",
        more: "A channel, such as depth.Z, is read as grey. info lists the channels that are not read.",
        stage: Stage::Picture,
        set: Some(|options, value| {
            options.reading.exr_layer = optional(value, |text| Ok(text.to_owned()))?;
            Ok(())
        }),
        get: |options| Some(Value::of_text(options.reading.exr_layer.as_deref()?)),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "all-images",
        heading: INPUT,
        help: "Encode all images of textures: mip levels, layers, faces and slices",
        more: "The new texture has the same shape. Without this option, only the first image is encoded, and \
               a note reports this. --mips adds levels below those of the file. All images are in memory \
               together. Sizes cannot be changed if there are mip levels.",
        doors: Doors::Program,
        stage: Stage::File,
        exclusions: &[
            Exclusion::Given("level"),
            Exclusion::Given("channel"),
            Exclusion::Given("roughness-from"),
        ],
        set: Some(|options, value| {
            options.all_images = value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(options.all_images),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "layout",
        syntax: Syntax::Value("NAME", Values::Names(|| names(TextureLayout::ALL, TextureLayout::name))),
        heading: INPUT,
        help: "Images of the texture: layers of an array, faces of cubes (six for each, in the order +X, -X, \
               +Y, -Y, +Z, -Z), or slices of a 3D texture [default: layers]",
        doors: Doors::Bindings,
        set: Some(|options, value| {
            let known = TextureLayout::ALL.iter().find(|layout| value.text() == Ok(layout.name()));
            options.layout = *known.ok_or("expected \"layers\", \"faces\" or \"slices\"")?;
            Ok(())
        }),
        get: |options| choice(options.layout, TextureLayout::Layers, TextureLayout::name),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "levels",
        syntax: Syntax::Value("N", Values::Integer(1, 32)),
        heading: INPUT,
        help: "Number of mip levels among the images, including the largest, which follow each other; --mips \
               makes the levels below [default: 1]",
        doors: Doors::Bindings,
        set: Some(|options, value| {
            let levels = value.text()?.parse().ok().filter(|levels| (1..=32).contains(levels));
            options.given_mip_levels = levels.ok_or("expected a whole number from 1 to 32")?;
            Ok(())
        }),
        ..OptionRow::NONE
    },
];

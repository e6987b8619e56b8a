//! Use of pictures according to the names of their files.

use super::{
    ColorSpaceReason, FormatChoice, MipLevels, TextureOptions, TexturePlan,
    alpha_use::is_alpha_a_color,
    facts::has_colors,
    texture_plan::LOOKUP_TABLE,
    use_names::{NamedUse, is_lookup_table, named_use, words},
};
use brickwork_image::image_file::{Picture, PictureUse};
use brickwork_texture::{AlphaMode, BlockFormat, ColorSpace};

/// Options for pictures, with the use that the names of their files state.
#[derive(Clone)]
pub(super) struct Hinted {
    /// The options.
    pub options: TextureOptions,
    named: Option<NamedUse>,
    is_lookup_table: bool,
}

impl Hinted {
    /// Returns the options for pictures with these file names. The names count if the options leave the
    /// format, the use, the colour space and the transfer function open, and all names state the same use.
    /// Names state the use of colours: they do not count if the swizzle makes alpha a colour. Among given mip
    /// levels, only the first name counts. Lookup tables get no mip levels.
    pub fn new(options: &TextureOptions, names: &[String]) -> Self {
        let is_open = options.format == FormatChoice::AUTO
            && options.usage == PictureUse::Unknown
            && !is_alpha_a_color(options.swizzle)
            && options.color_space.is_none()
            && !options.has_transfer();
        let count = if options.given_levels() > 1 { 1 } else { names.len() };
        let names = &names[..count.min(names.len())];
        let is_lookup_table = is_open && !names.is_empty() && names.iter().all(|name| is_lookup_table(name));
        let use_of = |name: &String| match is_lookup_table {
            true => Some(NamedUse::of(PictureUse::Data)),
            false => named_use(name),
        };
        let first = names.first().filter(|_| is_open).and_then(use_of);
        let named = first.filter(|_| names.iter().all(|name| use_of(name) == first));
        let usage = named.map(|named| named.usage);
        let options = TextureOptions { usage: usage.unwrap_or(options.usage), ..options.clone() };
        let color_space =
            if usage == Some(PictureUse::Data) { Some(ColorSpace::Linear) } else { options.color_space };
        let options = TextureOptions { color_space, ..options };
        let has_data_in_alpha =
            named.is_some_and(|named| named.has_data_in_alpha) && !options.states_transparency();
        let options = if has_data_in_alpha {
            TextureOptions { encode: options.encode.with(|o| o.alpha_is_data = true), ..options }
        } else {
            options
        };
        let has_mips = is_lookup_table && !options.roughness_from_normals;
        let options =
            if has_mips { TextureOptions { mip_levels: MipLevels::AtMost(1), ..options } } else { options };
        Self { options, named, is_lookup_table }
    }

    /// Returns the options for these pictures. Names of materials, such as metal, do not count for pictures
    /// with colours.
    pub fn of_pictures(options: &TextureOptions, names: &[String], pictures: &[Picture]) -> Self {
        let hinted = Self::new(options, names);
        if hinted.is_material() && pictures.iter().any(|picture| has_colors(&picture.texels)) {
            return Self::new(options, &[]);
        }
        hinted
    }

    /// True if the names count only for pictures without colours.
    pub fn is_material(&self) -> bool {
        self.named.is_some_and(|named| named.is_material)
    }

    /// Returns the same options with a chosen format.
    pub fn in_format(&self, format: BlockFormat) -> Self {
        let mut hinted = self.clone();
        hinted.options.format = FormatChoice::of(format);
        hinted
    }

    /// Adds to the plan's reasons and decisions that the names counted.
    pub fn explain(&self, plan: &mut TexturePlan) {
        let Some(named) = self.named else { return };
        if self.is_lookup_table {
            plan.decisions.push(LOOKUP_TABLE.to_owned());
        }
        if named.is_guess {
            let decision = "the file's name seems to say packed channels: it is encoded as linear data";
            plan.decisions.push(decision.to_owned());
        }
        let keeps_alpha = plan.desc.alpha_mode != AlphaMode::Opaque;
        if named.has_data_in_alpha && keeps_alpha && plan.options.alpha_is_data {
            let decision = "the file's name says that alpha is data: it does not weight colours";
            plan.decisions.push(decision.to_owned());
        }
        let Some(words) = words(named.usage) else { return };
        // The name says it, too.
        let reason = plan.format_reason.take().filter(|reason| reason != "normals");
        let reason = reason.map_or_else(String::new, |reason| format!("{reason}; "));
        plan.format_reason = Some(format!("{reason}the file's name says {words}"));
        if plan.color_space_reason == ColorSpaceReason::Chosen {
            plan.color_space_reason = ColorSpaceReason::FileName;
        }
    }
}

impl TextureOptions {
    /// Describes the options that change the texture of pictures with these file names, for records of
    /// batches. Options about reports are left out.
    pub fn recipe(&self, names: &[String]) -> String {
        format!("{:?}", TextureOptions { metrics: true, ..Hinted::new(self, names).options })
    }
}

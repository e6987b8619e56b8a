//! Use of pictures according to the names of their files.

use super::{ColorSpaceReason, FormatChoice, TextureOptions, TexturePlan, prepare::is_alpha_a_color};
use brickwork_texture::{BlockFormat, ColorSpace, image_file::PictureUse};
use std::path::Path;

/// Characters between the words of a name.
const SEPARATORS: [char; 4] = ['_', '-', '.', ' '];

/// Last words of the names of normal maps.
const NORMALS: [&str; 12] = [
    "n",
    "nor",
    "nrm",
    "nml",
    "norm",
    "normal",
    "normals",
    "normalmap",
    "normalgl",
    "normaldx",
    "ddn",
    "nmap",
];

/// Last words of the names of pictures whose channels are numbers, such as roughness.
const DATA: [&str; 32] = [
    "orm",
    "arm",
    "rma",
    "mra",
    "rmo",
    "mro",
    "mask",
    "masks",
    "maskmap",
    "ao",
    "occlusion",
    "ambientocclusion",
    "occlusionroughnessmetallic",
    "cavity",
    "curvature",
    "opacity",
    "rgh",
    "rough",
    "roughness",
    "gloss",
    "glossiness",
    "smoothness",
    "met",
    "metal",
    "metallic",
    "metalness",
    "metallicroughness",
    "disp",
    "displacement",
    "height",
    "heightmap",
    "bump",
];

/// Last words of the names of colours.
const COLORS: [&str; 10] =
    ["albedo", "alb", "basecolor", "basecolour", "col", "color", "colour", "diff", "diffuse", "emissive"];

/// Words after the use: the axis of green in normal maps, and the longer side of the image.
const DETAILS: [&str; 9] = ["gl", "dx", "opengl", "directx", "1k", "2k", "4k", "8k", "16k"];

/// Options for pictures, with the use that the names of their files state.
#[derive(Clone, Copy)]
pub(super) struct Hinted {
    /// The options.
    pub options: TextureOptions,
    named: Option<PictureUse>,
}

impl Hinted {
    /// Returns the options for pictures with these file names. The names count if the options leave the
    /// format, the use, the colour space and the transfer function open, and all names state the same use.
    /// Names state the use of colours: they do not count if the swizzle makes alpha a colour. Among given mip
    /// levels, only the first name counts.
    pub fn new(options: &TextureOptions, names: &[String]) -> Self {
        let is_open = *options.format() == FormatChoice::AUTO
            && options.usage() == PictureUse::Unknown
            && !is_alpha_a_color(options.swizzle())
            && options.color_space().is_none()
            && !options.has_transfer();
        let count = if options.given_mip_levels() > 1 { 1 } else { names.len() };
        let names = &names[..count.min(names.len())];
        let first = names.first().filter(|_| is_open).and_then(|name| use_of_name(name));
        let named = first.filter(|_| names.iter().all(|name| use_of_name(name) == first));
        let options = options.with_usage(named.unwrap_or(options.usage()));
        let is_data = named == Some(PictureUse::Data);
        let color_space = if is_data { Some(ColorSpace::Linear) } else { options.color_space() };
        Self { options: options.with_color_space(color_space), named }
    }

    /// Returns the same options with a chosen format.
    pub fn in_format(&self, format: BlockFormat) -> Self {
        Self { options: self.options.with_format(FormatChoice::of(format)), named: self.named }
    }

    /// Adds to the plan's reasons that the names counted.
    pub fn explain(&self, plan: &mut TexturePlan) {
        let Some(words) = self.named.and_then(words) else { return };
        let reason = plan.format_reason.take().filter(|_| self.named != Some(PictureUse::Normals));
        let reason = reason.map_or_else(String::new, |reason| format!("{reason}; "));
        plan.format_reason = Some(format!("{reason}the file's name says {words}"));
        if plan.color_space_reason == ColorSpaceReason::Chosen {
            plan.color_space_reason = ColorSpaceReason::FileName;
        }
    }
}

impl TextureOptions {
    /// Describes the options that change the texture of pictures with these file names, for
    /// [`Job::recipe`](crate::batch::Job::recipe). Options about reports are left out.
    pub fn recipe(&self, names: &[String]) -> String {
        format!("{:?}", Hinted::new(self, names).options.with_metrics(true))
    }
}

/// Returns the use that the last word of a file's name states, ignoring case, digits at the end and details
/// such as sizes: `Rock_Normal.png`, `rock-orm2.png`, `rock_rough_4k.png`.
pub(super) fn use_of_name(name: &str) -> Option<PictureUse> {
    let (_, word) = words_of(Path::new(name).file_stem()?.to_str()?)?;
    let word = word.to_ascii_lowercase();
    let is_among = |words: &[&str]| words.contains(&word.as_str());
    match () {
        () if is_among(&NORMALS) => Some(PictureUse::Normals),
        () if is_among(&DATA) => Some(PictureUse::Data),
        () if is_among(&COLORS) => Some(PictureUse::Color),
        () => None,
    }
}

/// Returns the stem of a file's name without its last word, which states the use, and without details after
/// it: `rock` of `rock_rough_02` and `rock_rough_4k`. A stem of one word stays as it is.
pub(super) fn base_of(stem: &str) -> &str {
    words_of(stem).or_else(|| last_word(stem)).map_or(stem, |(base, _)| base)
}

/// Returns the last word of a stem that is no detail, and the text before it.
fn words_of(stem: &str) -> Option<(&str, &str)> {
    let (base, word) = last_word(stem)?;
    let is_detail = DETAILS.iter().any(|detail| detail.eq_ignore_ascii_case(word));
    if is_detail { words_of(base) } else { Some((base, word)) }
}

/// Returns the last word of a stem, without digits at the end, and the text before it.
fn last_word(stem: &str) -> Option<(&str, &str)> {
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(SEPARATORS);
    stem.rsplit_once(SEPARATORS)
}

/// Returns the use in one word.
pub(super) fn words(usage: PictureUse) -> Option<&'static str> {
    match usage {
        PictureUse::Normals => Some("normals"),
        PictureUse::Data => Some("data"),
        PictureUse::Color => Some("colours"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_counts() {
        for name in [
            "rock_n.png",
            "a/b/Wall_Normal.tga",
            "door-nrm.png",
            "x.y_NormalGL.jpg",
            "rock_n_02.png",
            "rock_nor_gl_4k.png",
            "Rock_4K_Normal-DX.png",
        ] {
            assert_eq!(use_of_name(name), Some(PictureUse::Normals), "{name}");
        }
        for name in [
            "rock_orm.png",
            "helmet_metallicRoughness.png",
            "ao/wall_ao.png",
            "rock_mask1.png",
            "rock_arm_2k.png",
            "Rock_1K-JPG_AmbientOcclusion.jpg",
        ] {
            assert_eq!(use_of_name(name), Some(PictureUse::Data), "{name}");
        }
        for name in ["rock_albedo.png", "rock_normal_albedo.png", "Rock BaseColor.png"] {
            assert_eq!(use_of_name(name), Some(PictureUse::Color), "{name}");
        }
        assert_eq!(
            ["rock_rough", "a-b_Rough_02", "rough", "x 1", "a_rough_4k", "a_2k", "2k"].map(base_of),
            ["rock", "a-b", "rough", "x 1", "a", "a", "2k"]
        );
        for name in
            ["n.png", "normal.png", "man.png", "_n/a.png", "-", "rock_north.png", "n_1.png", "n_2k.png"]
        {
            assert_eq!(use_of_name(name), None, "{name}");
        }
    }
}

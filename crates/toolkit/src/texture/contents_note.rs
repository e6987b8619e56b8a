//! Notes about uses of a picture that its name or its texels contradict.

use super::{
    PictureFacts, TextureNote, TextureOptions, TexturePlan,
    alpha_use::is_alpha_a_color,
    use_names::{is_lookup_table, named_use, words},
};
use brickwork_image::image_file::{PictureContents, PictureUse};
use brickwork_texture::{AlphaMode, ColorSpace};

/// Minimum share of normals that face away for a note.
const AWAY_SHARE: f64 = 0.01;
/// Share of texels that may be normals below which a picture does not look like a normal map.
const FACING_SHARE: f64 = 0.8;

/// Returns the notes about a use of the picture that its name or its texels contradict.
pub(super) fn of_contents(
    options: &TextureOptions,
    plan: &TexturePlan,
    picture: &PictureFacts,
    name: &str,
) -> Vec<TextureNote> {
    let format = plan.desc.format;
    let is_srgb = plan.desc.color_space == ColorSpace::Srgb;
    let input = || name.to_owned();
    let looks_like =
        |contents: &str| TextureNote::LooksLike { input: input(), contents: contents.to_owned() };
    let named = || {
        let is_open = is_srgb && !is_alpha_a_color(options.swizzle) && !options.states_color();
        let named = named_use(name).filter(|named| !(named.is_material && picture.has_colors));
        let usage = named.map(|named| named.usage).filter(|&usage| usage != PictureUse::Color);
        let usage = usage.and_then(words);
        let usage = if is_lookup_table(name) { Some("lookup table") } else { usage };
        usage.filter(|_| is_open).map(|usage| TextureNote::NotColors { input: input(), usage })
    };
    let of_texels = match picture.contents {
        PictureContents::Normals { share, .. } if is_srgb => {
            Some(TextureNote::NormalMap { input: input(), share })
        }
        PictureContents::ObjectNormals { .. } if is_srgb => {
            Some(looks_like("normals in the space of an object"))
        }
        PictureContents::LookupTable if is_srgb => Some(looks_like("a lookup table")),
        PictureContents::Packed { reason, .. } if is_srgb => {
            Some(looks_like(&format!("packed data ({reason})")))
        }
        PictureContents::MaybePacked if is_srgb => {
            Some(looks_like("packed data (red, green and blue are hardly related)"))
        }
        _ => None,
    };
    let of_normals = match picture.facing_share {
        _ if format.channels().len() != 2 => None,
        _ if picture.away_share >= AWAY_SHARE => {
            Some(TextureNote::FacingAway { input: input(), share: picture.away_share, format })
        }
        Some(share) if share < FACING_SHARE => {
            Some(TextureNote::NotNormals { input: input(), share: Some(share) })
        }
        _ => None,
    };
    let mips = plan.mips.filter(|_| picture.contents == PictureContents::DenseAlpha);
    let is_weighted = mips.is_some_and(|mips| mips.alpha_mode == AlphaMode::Straight);
    let of_alpha = is_weighted.then(|| TextureNote::DenseAlpha { input: input() });
    of_texels.or_else(named).into_iter().chain(of_alpha).chain(of_normals).collect()
}

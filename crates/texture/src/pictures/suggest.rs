//! The block format that suits a picture.

use crate::{BlockFormat, Cancelled, Task};
use brickwork_image::image_file::{Picture, PictureContents, PictureUse, Texels, decoder::Float};
use half::f16;

/// A suggested format and the reason for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Suggestion {
    /// The format.
    pub format: BlockFormat,
    /// The reason, in a few words: `every texel is opaque`.
    pub reason: String,
    /// Contents of the picture, if its use is [`PictureUse::Unknown`]; else [`PictureContents::Colors`].
    pub contents: PictureContents,
}

/// Minimum share of blocks with several hues that BC1 stores badly. In photographs it is at most 0.017.
const MANY_HUED_SHARE: f64 = 0.03;
/// Minimum share of texels below 0 for which half floats keep their sign, and of texels outside of 0 to 1 for
/// which they do not keep their alpha. Resampling and conversions of primaries make few.
const BEYOND_SHARE: f64 = 0.01;
/// Minimum share of the numbers below 0 in the energy of all numbers, for which half floats keep their sign.
/// Energy is the sum of squares, in which a magnitude above 1 counts as 1. Signed BC6H costs several dB.
const NEGATIVE_ENERGY: f64 = 1e-4;
/// Minimum share of normals that face away for which z is kept.
const AWAY_SHARE: f64 = 0.01;

/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 20;

/// Returns the block format that suits the picture: BC5 for a normal map, BC4 for grey. Normals of which
/// at least 1 % face away, and those with alpha, keep their channels: they get BC7, else BC1 or BC3.
/// Otherwise, alpha and hues decide. BC1 is for pictures whose texels are opaque or transparent, and no
/// data; BC7 for other alpha, for opaque data whose channels are unrelated, and for opaque pictures with many
/// blocks of three or more hues. If `allow_bc7` is false, BC3 replaces BC7 for alpha, and BC1 for data, hues
/// and BC6H. The task reports no progress.
///
/// BC6H is returned for floats, except those with alpha of which fewer than 1 % have a colour below 0 or
/// above 1. It is signed if at least 1 % of the texels have a colour below 0, and these numbers matter:
/// they have at least 1/10,000 of the energy. Otherwise, encoders make them 0.
///
/// If the use is unknown, [`Picture::contents`] decides it.
///
/// A normal map is recognised by its texels. On average they face the viewer, and nearly all have length
/// 1; or most have, and nearly all others are only somewhat shorter or longer. A picture is also grey if
/// red, green and blue are equal and every texel is opaque.
///
/// # Errors
/// [`Cancelled`] if the caller cancelled the call.
pub fn suggest_format(
    picture: &Picture,
    usage: PictureUse,
    allow_bc7: bool,
    task: &Task<'_>,
) -> Result<Suggestion, Cancelled> {
    task.check()?;
    let contents = match usage {
        PictureUse::Unknown => picture.contents(task)?,
        _ => PictureContents::Colors,
    };
    let usage = match contents.usage() {
        PictureUse::Unknown => usage,
        found => found,
    };
    let suggestion = |format, reason: String| Ok(Suggestion { format, reason, contents });
    match usage {
        PictureUse::Normals => {
            let name = match contents {
                PictureContents::Normals { share, .. } => {
                    format!("a normal map: {:.1} % of texels have length 1", 100.0 * share)
                }
                _ => "normals".to_owned(),
            };
            let away = picture.away_share(task)?.filter(|&away| away >= AWAY_SHARE);
            let format = match (picture.is_opaque, away, allow_bc7) {
                (true, None, _) => return suggestion(BlockFormat::Bc5Unorm, name),
                (_, _, true) => BlockFormat::Bc7,
                (true, Some(_), false) => BlockFormat::Bc1,
                (false, _, false) => BlockFormat::Bc3,
            };
            let reason = match away {
                Some(away) => format!("{name}, {:.1} % of which face away", 100.0 * away),
                None => format!("{name}, with data in alpha"),
            };
            return suggestion(format, reason);
        }
        PictureUse::OneChannel => return suggestion(BlockFormat::Bc4Unorm, "one channel".to_owned()),
        PictureUse::Color => {}
        _ => {
            if matches!(picture.texels, Texels::Grey8(_) | Texels::Grey16(_)) {
                return suggestion(BlockFormat::Bc4Unorm, "the file is grey".to_owned());
            }
            if picture.is_opaque && picture.is_grey(task)? {
                let reason = "red, green and blue are equal".to_owned();
                return suggestion(BlockFormat::Bc4Unorm, reason);
            }
        }
    }
    if allow_bc7 && let Some((format, reason)) = suggest_bc6h(picture, task)? {
        return suggestion(format, reason);
    }
    if contents == PictureContents::LookupTable && allow_bc7 {
        return suggestion(BlockFormat::Bc7, "a lookup table".to_owned());
    }
    if picture.is_opaque {
        if usage == PictureUse::Data && allow_bc7 && picture.has_unrelated_channels(task)? {
            return suggestion(BlockFormat::Bc7, "channels are unrelated".to_owned());
        }
        let share = if allow_bc7 { picture.many_hued_share() } else { 0.0 };
        task.check()?;
        if share >= MANY_HUED_SHARE {
            let reason = format!("{:.1} % of varied blocks have several hues", 100.0 * share);
            return suggestion(BlockFormat::Bc7, reason);
        }
        return suggestion(BlockFormat::Bc1, "every texel is opaque".to_owned());
    }
    // BC1 has no colours where it is transparent, and data has.
    if usage != PictureUse::Data && picture.is_cut_out(task)? {
        return suggestion(BlockFormat::Bc1, "every texel is opaque or transparent".to_owned());
    }
    let format = if allow_bc7 { BlockFormat::Bc7 } else { BlockFormat::Bc3 };
    let reason = match usage {
        PictureUse::Data => "alpha is data",
        _ => "alpha has values between opaque and transparent",
    };
    suggestion(format, reason.to_owned())
}

/// Returns signed or unsigned BC6H for floats; `None` if there are none, or if there is alpha and nearly
/// all colours are from 0 to 1.
fn suggest_bc6h(picture: &Picture, task: &Task<'_>) -> Result<Option<(BlockFormat, String)>, Cancelled> {
    let outside = |max: f16| match &picture.texels {
        Texels::RgbF16(texels) => outside_count(texels, max, task).map(Some),
        Texels::RgbaF16(texels) => outside_count(texels, max, task).map(Some),
        Texels::RgbF32(texels) => outside_count(texels, max, task).map(Some),
        Texels::RgbaF32(texels) => outside_count(texels, max, task).map(Some),
        _ => Ok(None),
    };
    let Some(negative) = outside(f16::INFINITY)? else { return Ok(None) };
    let texel_count = picture.texels.texel_count() as f64;
    if !picture.is_opaque {
        let beyond = outside(f16::ONE)?.unwrap_or(0);
        if (beyond as f64) < BEYOND_SHARE * texel_count {
            return Ok(None);
        }
    }
    let share = negative as f64 / texel_count;
    let is_single = matches!(picture.texels, Texels::RgbF32(_) | Texels::RgbaF32(_));
    let floats = if is_single { "single floats" } else { "half floats" };
    let below = || format!("{floats}, {:.1} % of texels below 0", 100.0 * share);
    Ok(Some(match share >= BEYOND_SHARE {
        true if picture_energy(picture, task)? >= NEGATIVE_ENERGY => (BlockFormat::Bc6hSfloat, below()),
        true => (BlockFormat::Bc6hUfloat, format!("{}, which hardly matter", below())),
        false => (BlockFormat::Bc6hUfloat, floats.to_owned()),
    }))
}

/// Returns the share of the numbers below 0 in the energy of all numbers; 0 for integers.
fn picture_energy(picture: &Picture, task: &Task<'_>) -> Result<f64, Cancelled> {
    match &picture.texels {
        Texels::RgbF16(texels) => negative_energy(texels, f16::to_f32, task),
        Texels::RgbaF16(texels) => negative_energy(texels, f16::to_f32, task),
        Texels::RgbF32(texels) => negative_energy(texels, |color| color, task),
        Texels::RgbaF32(texels) => negative_energy(texels, |color| color, task),
        _ => Ok(0.0),
    }
}

/// Returns the number of texels with a colour below 0 or above `max`.
fn outside_count<C: Float, const CHANNELS: usize>(
    texels: &[[C; CHANNELS]],
    max: f16,
    task: &Task<'_>,
) -> Result<usize, Cancelled> {
    let [zero, max] = [f16::ZERO, max].map(C::of_half);
    count(texels, task, |texel| texel[..3].iter().any(|color| *color < zero || *color > max))
}

/// Returns the share of the colours below 0 in the energy of all colours. NaN does not count.
fn negative_energy<C: Copy, const CHANNELS: usize>(
    texels: &[[C; CHANNELS]],
    number: impl Fn(C) -> f32,
    task: &Task<'_>,
) -> Result<f64, Cancelled> {
    let (mut negative, mut all) = (0.0, 0.0);
    for part in texels.chunks(TEXELS_AT_A_TIME) {
        task.check()?;
        for color in part.iter().flat_map(|texel| &texel[..3]).map(|&color| f64::from(number(color))) {
            let energy = color.clamp(-1.0, 1.0).powi(2);
            negative += if color < 0.0 { energy } else { 0.0 };
            all += if color.is_nan() { 0.0 } else { energy };
        }
    }
    Ok(if negative > 0.0 { negative / all } else { 0.0 })
}

/// Returns the number of texels for which `holds` is true.
fn count<T>(texels: &[T], task: &Task<'_>, holds: impl Fn(&T) -> bool) -> Result<usize, Cancelled> {
    let mut count = 0;
    for part in texels.chunks(TEXELS_AT_A_TIME) {
        task.check()?;
        count += part.iter().filter(|texel| holds(texel)).count();
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ColorSpace;
    use brickwork_image::image_file::ImageReadOptions;

    /// Saturated colours outside Rec. 709 have a channel below 0 and one above 1.
    #[test]
    fn alpha_is_kept_unless_one_percent_of_the_colors_need_half_floats() {
        let format = |outside: usize| {
            let texel = |i| if i < outside { [1.3, -0.1, 0.2, 0.5] } else { [0.3, 0.4, 0.2, 0.5] };
            let texels: Vec<_> = (0..1000).map(|i| texel(i).map(f16::from_f32)).collect();
            suggested(Texels::RgbaF16(texels)).format
        };
        assert_eq!([0, 6, 9].map(format), [BlockFormat::Bc7; 3]);
        assert_eq!(format(10), BlockFormat::Bc6hSfloat);
    }

    /// Filters leave some small numbers below 0 beside bright texels.
    #[test]
    fn a_sign_is_kept_if_numbers_below_0_matter() {
        let format = |below: f32, count: usize| {
            let texel = |i| if i < count { [below, 0.4, 0.2] } else { [0.3, 0.4, 0.2] };
            let texels: Vec<_> = (0..1000).map(|i| texel(i).map(f16::from_f32)).collect();
            suggested(Texels::RgbF16(texels))
        };
        let small = format(-0.012, 17);
        assert_eq!(small.format, BlockFormat::Bc6hUfloat);
        assert_eq!(small.reason, "half floats, 1.7 % of texels below 0, which hardly matter");
        let dark = |i: usize| [if i < 17 { -0.012 } else { 0.01 }, 0.01, 0.02f32];
        let dark = suggested(Texels::RgbF32((0..1000).map(dark).collect()));
        assert_eq!(
            (dark.format, format(-0.3, 17).format),
            (BlockFormat::Bc6hSfloat, BlockFormat::Bc6hSfloat)
        );
        assert_eq!(
            [format(-0.3, 9), format(0.3, 17)].map(|found| found.format),
            [BlockFormat::Bc6hUfloat; 2]
        );
        // Vectors of motion.
        assert_eq!(format(-0.012, 500).format, BlockFormat::Bc6hSfloat);
    }

    fn suggested(texels: Texels) -> Suggestion {
        let image = texels.view(texels.texel_count() as u32, 1).unwrap();
        let options = ImageReadOptions::default().with(|o| o.single_floats = true);
        let picture = Picture::of_image(&*image, ColorSpace::Linear, &options, &Task::new()).unwrap();
        suggest_format(&picture, PictureUse::default(), true, &Task::new()).unwrap()
    }
}

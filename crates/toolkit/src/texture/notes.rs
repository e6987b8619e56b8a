//! The notes about the texture of some pictures.

use super::{
    PictureFacts, TextureNote, TextureOptions, TexturePlan, alpha_use::AlphaUse, contents_note::of_contents,
};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{
    AlphaMode, BlockFormat, ChannelType, ColorSpace, RoundingRule, Swizzle, TextureFormat,
    container::DdsHeader,
};

/// Returns the notes about the swizzle of an input: that the texture is sRGB and numbers moved between its
/// colours and its alpha, or that there is no alpha.
pub(super) fn of_swizzle(
    swizzle: Swizzle,
    alpha_use: AlphaUse,
    plan: &TexturePlan,
    input: &str,
) -> Vec<TextureNote> {
    let is_srgb = plan.desc.color_space == ColorSpace::Srgb;
    let keeps_alpha = plan.desc.alpha_mode != AlphaMode::Opaque;
    let is_crossed = alpha_use.alpha_to_color || alpha_use.color_to_alpha && keeps_alpha;
    let input = || input.to_owned();
    let moved = (is_srgb && is_crossed).then(|| TextureNote::SwizzledAlpha { input: input(), swizzle });
    let missing = alpha_use.is_missing.then(|| TextureNote::MissingAlpha { input: input(), swizzle });
    moved.into_iter().chain(missing).collect()
}

/// Returns the numbers that a plain format stores less precisely, in words; `None` if there are none. The
/// error of blocks is measured.
fn narrowed(channels: ChannelType, format: TextureFormat) -> Option<&'static str> {
    let format = format.plain()?;
    let precision_bits = format.precision_bits();
    match channels {
        ChannelType::U8 if precision_bits < 8 => Some("8-bit channels"),
        ChannelType::U16 if precision_bits < 16 => Some("16-bit channels"),
        ChannelType::F16 if !format.is_float() || precision_bits < 11 => Some("half floats"),
        _ => None,
    }
}

/// Returns the notes about the texture of pictures with the given facts and input names.
pub(super) fn notes_of(
    options: &TextureOptions,
    plan: &TexturePlan,
    pictures: &[PictureFacts],
    names: &[String],
) -> Vec<TextureNote> {
    let is_srgb = plan.desc.color_space == ColorSpace::Srgb;
    let keeps_alpha = plan.desc.alpha_mode != AlphaMode::Opaque;
    let mut notes = Vec::new();
    for (index, (picture, name)) in pictures.iter().zip(names).enumerate() {
        let input = || name.clone();
        if let Some(part) = picture.part.clone() {
            notes.push(TextureNote::Part { input: input(), part });
        }
        for note in &picture.notes {
            notes.push(TextureNote::Fault { input: input(), note: note.clone() });
        }
        for decision in plan.decisions.iter().filter(|_| index == 0) {
            notes.push(TextureNote::Decision { input: input(), decision: decision.clone() });
        }
        notes.extend(of_contents(options, plan, picture, name));
        notes.extend(of_swizzle(options.swizzle, picture.alpha_use, plan, name));
        if picture.alpha_use.divides_colors && options.usage == PictureUse::Data {
            notes.push(TextureNote::DividedData { input: input() });
        }
        let threshold = plan.alpha_threshold();
        let (is_punched, format) = (threshold.is_some(), plan.desc.format);
        let needs_hidden_colors = plan.options.alpha_is_data || picture.changes.dilated > 0;
        if is_punched && !picture.is_opaque && needs_hidden_colors {
            notes.push(TextureNote::DataInBc1 { input: input(), format });
        }
        if is_punched && is_srgb && !picture.is_opaque && picture.is_cut_out && !needs_hidden_colors {
            notes.push(TextureNote::BlackEdges { input: input(), format });
        }
        if is_punched && !picture.is_cut_out {
            notes.push(TextureNote::SoftAlpha { input: input(), format });
        }
        let are_levels_made = plan.desc.mip_levels > options.given_levels();
        let ignores_coverage = plan.options.keep_coverage.is_some() || plan.options.alpha_is_data;
        if picture.changes.dilated > 0 && options.dilate.is_none() {
            notes.push(TextureNote::Dilated { input: input(), count: picture.changes.dilated });
        }
        if picture.changes.normalized > 0 {
            let texel_count = f64::from(picture.width) * f64::from(picture.height);
            let share = picture.changes.normalized as f64 / texel_count;
            notes.push(TextureNote::Normalized { input: input(), share });
        }
        let has_products = plan.desc.alpha_mode == AlphaMode::Premultiplied && !picture.is_cut_out;
        if has_products && is_srgb && format.block().is_some() {
            notes.push(TextureNote::PremultipliedSrgb { input: input() });
        }
        let is_cut_out = !picture.is_opaque && (picture.is_cut_out || picture.looks_cut_out);
        if are_levels_made && !ignores_coverage && keeps_alpha && is_cut_out {
            notes.push(TextureNote::Coverage { input: input() });
        }
        if let Some(threshold) = threshold.filter(|_| !picture.is_opaque)
            && let Some(reference) = plan.options.keep_coverage.map(|reference| reference.get())
            && reference != threshold
        {
            notes.push(TextureNote::CoverageThreshold { input: input(), reference, threshold, format });
        }
        let is_kept = picture.channels == ChannelType::U16 && plan.options.keeps_16_bits(format);
        let is_precise = picture.has_more_than_8_bits && format.block().is_some() && !is_srgb && !is_kept;
        let numbers = match is_precise {
            true => Some("16-bit channels"),
            false => narrowed(picture.channels, format),
        };
        notes.extend(numbers.map(|numbers| TextureNote::Narrowed { input: input(), numbers, format }));
        if format.is_float() {
            let changes = picture.special_values.changes(format, options.max_value);
            notes.extend(changes.map(|changes| TextureNote::SpecialValues { input: input(), changes }));
        } else if picture.has_wide_range {
            notes.push(TextureNote::Clamped { input: input(), format });
        }
        if options.format.is_without_alpha() && !picture.is_opaque {
            notes.push(TextureNote::AlphaDropped { input: input() });
        }
    }
    let (format, decoder) = (plan.desc.format, plan.options.rounding_rule);
    let is_other = decoder.for_format(format) != RoundingRule::Real.for_format(format);
    if plan.options.real_time.is_some() && is_other {
        notes.push(TextureNote::OtherDecoder { format, decoder });
    }
    if is_srgb && options.dds_header == DdsHeader::Legacy {
        notes.push(TextureNote::LegacyHeader);
    }
    let has_name = [BlockFormat::Bc2, BlockFormat::Bc3].into_iter().any(|named| format == named);
    let is_premultiplied = plan.desc.alpha_mode == AlphaMode::Premultiplied;
    if is_premultiplied && !has_name && options.dds_header == DdsHeader::Legacy {
        notes.push(TextureNote::LegacyAlpha);
    }
    notes
}

//! The plan of a texture, from its options and the facts about its pictures.

use super::{
    ColorSpaceReason, MipLevels, OptionsError, PictureFacts, SpecialValues, TextureLayout, TextureOptions,
    TexturePlan, color_space,
    format::{self, ChosenFormat},
    packing,
    texture_plan::LOOKUP_TABLE,
};
use brickwork_image::image_file::{PictureContents, PictureUse};
use brickwork_texture::{
    AlphaMode, BlockFormat, ChannelType, TextureDesc, TextureFormat, TextureKind, mips::MipOptions,
};

impl TexturePlan {
    /// Returns the plan for pictures with the given facts, in the order of the options'
    /// [layout](super::TextureLayout).
    ///
    /// # Errors
    /// [`OptionsError`] if the options do not fit the pictures.
    pub fn of(options: &TextureOptions, pictures: &[PictureFacts]) -> Result<Self, OptionsError> {
        let first = pictures.first().ok_or(OptionsError::NoPicture)?;
        let found = PictureFacts::found_use(options, pictures);
        let chosen = format::choose(options, pictures)?;
        let decisions = decisions(options, found, first.contents, &chosen);
        let format = chosen.format;
        let options = &TextureOptions { usage: found.unwrap_or(options.usage), ..options.clone() };
        let (color_space, mut color_space_reason) = color_space::choose(options, &chosen, pictures)?;
        if found.is_some() && options.color_space.is_none() && color_space_reason == ColorSpaceReason::Chosen
        {
            color_space_reason = ColorSpaceReason::Texels;
        }
        let is_lookup_table = found.is_some() && first.contents == PictureContents::LookupTable;
        let options = &match is_lookup_table {
            true => TextureOptions { mip_levels: MipLevels::AtMost(1), ..options.clone() },
            false => options.clone(),
        };
        let channel = options.roughness_channel;
        if options.roughness_from_normals && !format.channels().contains(channel.letter()) {
            return Err(OptionsError::RoughnessChannel { channel, format });
        }
        packing::check_format(options, format)?;
        // The names of files may state the use.
        options.check_use()?;
        let is_normal_map =
            options.usage == PictureUse::Normals || chosen.suggested == Some(BlockFormat::Bc5Unorm);
        let mut encode = options.effective_encode_options();
        encode.normals |= is_normal_map && pictures.iter().all(|picture| picture.normalizes_levels(options));
        let desc = shape(options, format, [first.width, first.height], pictures.len())?;
        let keeps_alpha = match format {
            TextureFormat::Block(BlockFormat::Bc1) => encode.bc1.alpha_threshold > 0,
            _ => format.has_alpha(),
        };
        let is_opaque = pictures.iter().all(|picture| picture.is_opaque);
        let only_mode_7 = encode.bc7.modes.contains(7) && (0..7).all(|mode| !encode.bc7.modes.contains(mode));
        if format == BlockFormat::Bc7 && is_opaque && only_mode_7 && encode.real_time.is_none() {
            return Err(OptionsError::OpaqueModes);
        }
        let mut special_values = SpecialValues::default();
        pictures.iter().for_each(|picture| special_values.add(&picture.special_values));
        let alpha_mode = match options.premultiply || options.premultiplied {
            _ if is_opaque || !keeps_alpha => AlphaMode::Opaque,
            true => AlphaMode::Premultiplied,
            false => AlphaMode::Straight,
        };
        let mut desc = desc.with_color_space(color_space).with_alpha_mode(alpha_mode);
        desc.orientation.up = options.flip_y;
        let makes_mips = desc.mip_levels > options.given_levels();
        // The alpha of normals is no transparency.
        let is_data = matches!(options.usage, PictureUse::Data | PictureUse::Normals) || encode.alpha_is_data;
        encode.alpha_is_data = is_data;
        let has_coverage =
            makes_mips && alpha_mode != AlphaMode::Opaque && !is_data && desc.kind != TextureKind::D3;
        encode.keep_coverage = encode.keep_coverage.filter(|_| has_coverage);
        Ok(Self {
            desc,
            options: encode,
            resized_from: first.resized_from,
            mips: makes_mips.then(|| MipOptions::of_texture(&desc, &encode)),
            format_reason: chosen.reason,
            color_space_reason,
            decisions,
            is_alpha_dropped: !is_opaque && alpha_mode == AlphaMode::Opaque,
            has_8_bits: pictures.iter().all(|picture| picture.channels == ChannelType::U8),
            special_values,
            texel_bytes: pictures.iter().map(|picture| picture.texel_bytes).sum(),
        })
    }
}

/// Returns the texture whose mip level 0 has `count` images of this size.
fn desc_of(
    layout: TextureLayout,
    format: TextureFormat,
    [width, height]: [u32; 2],
    count: usize,
) -> Result<TextureDesc, OptionsError> {
    let too_many = |_| OptionsError::Count { layout, given: count };
    let count = u32::try_from(count).map_err(too_many)?;
    match layout {
        _ if count == 0 => Err(OptionsError::NoPicture),
        TextureLayout::Layers => Ok(TextureDesc::new_2d(format, width, height).with_layers(count)),
        TextureLayout::Slices => Ok(TextureDesc::new_3d(format, width, height, count)),
        TextureLayout::Faces if width != height => Err(OptionsError::OblongFace { width, height }),
        TextureLayout::Faces if count.is_multiple_of(6) => {
            Ok(TextureDesc::new_cube(format, width).with_layers(count / 6))
        }
        TextureLayout::Faces => Err(OptionsError::Count { layout, given: count as usize }),
    }
}

/// Returns the decisions about pictures like one with these contents, whose use was found, in words.
fn decisions(
    options: &TextureOptions,
    found: Option<PictureUse>,
    contents: PictureContents,
    chosen: &ChosenFormat,
) -> Vec<String> {
    let is_open = options.usage == PictureUse::Unknown && options.format.format().is_none();
    let decision = match contents {
        _ if !is_open => None,
        PictureContents::LookupTable if found.is_some() => Some(LOOKUP_TABLE.to_owned()),
        _ if options.color_space.is_some() => None,
        PictureContents::Grey if chosen.suggested == Some(BlockFormat::Bc4Unorm) => {
            let is_one = chosen.format.channels().len() == 1;
            let way = if is_one { "one linear channel" } else { "linear data" };
            Some(format!("grey of unknown use is encoded as {way}, not as colours"))
        }
        _ if found.is_none() => None,
        PictureContents::ObjectNormals { .. } => {
            Some("looks like normals in the space of an object: encoded as linear data".to_owned())
        }
        PictureContents::Packed { reason, .. } => {
            Some(format!("looks like packed data ({reason}): encoded as linear data, not as colours"))
        }
        _ => None,
    };
    decision.into_iter().collect()
}

impl TextureOptions {
    /// Returns the texture in `format` of `count` inputs of this size, in the order of
    /// [`encode_sources`](super::encode_sources): its shape and mip levels. Colour space and alpha mode are
    /// the defaults of the format.
    ///
    /// # Errors
    /// [`OptionsError`] if no such texture exists.
    pub fn shape(
        &self,
        format: TextureFormat,
        size: [u32; 2],
        count: usize,
    ) -> Result<TextureDesc, OptionsError> {
        let size = if size.contains(&0) { size } else { self.size_rules.of(size) };
        let given = count.checked_sub(self.other_count());
        let given = given.ok_or(OptionsError::Count { layout: self.layout, given: count })?;
        let desc = shape(self, format, size, given)?;
        desc.check()?;
        Ok(desc)
    }
}

/// Returns the shape and mip levels of a texture of `given` pictures, of which the first has this size.
fn shape(
    options: &TextureOptions,
    format: TextureFormat,
    size: [u32; 2],
    given: usize,
) -> Result<TextureDesc, OptionsError> {
    let layout = options.layout;
    let desc = desc_of(layout, format, size, images_of_level_0(options, given)?)?;
    if options.given_levels() > desc.full_mip_levels() {
        return Err(OptionsError::Count { layout, given });
    }
    Ok(desc.with_mip_levels(options.mip_level_count(&desc)))
}

/// Returns the number of pictures that are images of mip level 0.
///
/// # Errors
/// [`OptionsError::Count`] if no texture with the given mip levels has this number of images.
fn images_of_level_0(options: &TextureOptions, given: usize) -> Result<usize, OptionsError> {
    let layout = options.layout;
    let levels = options.given_levels() as usize;
    if levels > given {
        return Err(OptionsError::Count { layout, given });
    }
    let count = match layout {
        TextureLayout::Layers | TextureLayout::Faces => Some(given / levels).filter(|n| n * levels == given),
        TextureLayout::Slices => {
            let of_level = |depth: usize, level| depth.checked_shr(level).unwrap_or(0).max(1);
            let slices = |depth| {
                let levels = (0..options.given_levels()).map(|level| of_level(depth, level));
                levels.fold(0, usize::saturating_add)
            };
            // The largest depth with at most this number of slices, bit by bit.
            let bits = (0..usize::BITS).rev().map(|bit| 1 << bit);
            let depth =
                bits.fold(0, |depth, bit| if slices(depth | bit) <= given { depth | bit } else { depth });
            Some(depth).filter(|&depth| depth > 0 && slices(depth) == given)
        }
    };
    count.ok_or(OptionsError::Count { layout, given })
}

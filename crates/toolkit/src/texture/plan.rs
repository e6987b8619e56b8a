//! Decisions about one texture.

use super::{
    ColorSpaceReason, MipLevels, OptionsError, PictureFacts, SpecialValues, TextureLayout, TextureOptions,
    color_space, format, hint::LOOKUP_TABLE, packing,
};
use brickwork_image::image_file::{PictureContents, PictureUse};
use brickwork_texture::{
    AlphaMode, BlockFormat, EncodeOptions, TextureDesc, TextureFormat, TextureKind, encode_memory_bytes,
    mips::MipOptions,
};

/// Decisions about one texture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TexturePlan {
    /// Format, shape, mip levels, colour space and alpha.
    pub desc: TextureDesc,
    /// The encoder's options.
    pub options: EncodeOptions,
    /// Width and height of the first picture, if it was resized.
    pub resized_from: Option<[u32; 2]>,
    /// Options of the mip levels that are made; none if none is made.
    pub mips: Option<MipOptions>,
    /// Reason for the format, if the options did not state it.
    pub format_reason: Option<String>,
    /// The source of the colour space.
    pub color_space_reason: ColorSpaceReason,
    /// Decisions about a use that nothing states, in words, for notes.
    pub(super) decisions: Vec<String>,
    /// True if transparent texels become opaque.
    pub is_alpha_dropped: bool,
    /// Colours of all pictures that formats of floats may not store as they are.
    pub special_values: SpecialValues,
    /// Bytes of the texels of all pictures.
    pub texel_bytes: u64,
}

impl TexturePlan {
    /// Returns the plan for pictures with the given facts, in the order of the options'
    /// [layout](super::TextureLayout).
    ///
    /// # Errors
    /// [`OptionsError`] if the options do not fit the pictures.
    pub fn of(options: &TextureOptions, pictures: &[PictureFacts]) -> Result<Self, OptionsError> {
        let first = pictures.first().ok_or(OptionsError::NoPicture)?;
        let found = PictureFacts::found_use(options, pictures);
        let (format, format_reason) = format::choose(options, pictures)?;
        let decisions = decisions(options, found, first.contents, format);
        let options = &TextureOptions { usage: found.unwrap_or(options.usage), ..*options };
        let (color_space, mut color_space_reason) = color_space::choose(options, format, pictures)?;
        if found.is_some() && options.color_space.is_none() && color_space_reason == ColorSpaceReason::Chosen
        {
            color_space_reason = ColorSpaceReason::Texels;
        }
        let is_lookup_table = found.is_some() && first.contents == PictureContents::LookupTable;
        let options = &match is_lookup_table {
            true => TextureOptions { mip_levels: MipLevels::AtMost(1), ..*options },
            false => *options,
        };
        let channel = options.roughness_channel;
        if options.roughness_from_normals && !format.channels().contains(channel.letter()) {
            return Err(OptionsError::RoughnessChannel { channel, format });
        }
        packing::check_format(options, format)?;
        // The names of files may state the use.
        options.check_use()?;
        let is_automatic = options.format.format().is_none();
        let is_normal_map =
            options.usage == PictureUse::Normals || (is_automatic && format == BlockFormat::Bc5Unorm);
        let encode = options.effective_encode_options();
        let encode = encode.with_normals(encode.normals() || is_normal_map);
        let desc = shape(options, format, [first.width, first.height], pictures.len())?;
        let keeps_alpha = match format {
            TextureFormat::Block(BlockFormat::Bc1) => encode.bc1().alpha_threshold() > 0,
            _ => format.has_alpha(),
        };
        let is_opaque = pictures.iter().all(|picture| picture.is_opaque);
        let only_mode_7 =
            encode.bc7().modes().contains(7) && (0..7).all(|mode| !encode.bc7().modes().contains(mode));
        if format == BlockFormat::Bc7 && is_opaque && only_mode_7 && encode.bc7().real_time().is_none() {
            return Err(OptionsError::OpaqueModes);
        }
        let mut special_values = SpecialValues::default();
        pictures.iter().for_each(|picture| special_values.add(&picture.special_values));
        let alpha_mode = match options.premultiply || options.premultiplied {
            _ if is_opaque || !keeps_alpha => AlphaMode::Opaque,
            true => AlphaMode::Premultiplied,
            false => AlphaMode::Straight,
        };
        let desc = desc.with_color_space(color_space).with_alpha_mode(alpha_mode);
        let makes_mips = desc.mip_levels > options.given_levels();
        // The alpha of normals is no transparency.
        let is_data =
            matches!(options.usage, PictureUse::Data | PictureUse::Normals) || encode.alpha_is_data();
        let encode = encode.with_alpha_is_data(is_data);
        let has_coverage =
            makes_mips && alpha_mode != AlphaMode::Opaque && !is_data && desc.kind != TextureKind::D3;
        let encode = encode.with_keep_coverage(encode.keep_coverage().filter(|_| has_coverage));
        Ok(Self {
            desc,
            options: encode,
            resized_from: first.resized_from,
            mips: makes_mips.then(|| MipOptions::of_texture(&desc, &encode)),
            format_reason,
            color_space_reason,
            decisions,
            is_alpha_dropped: !is_opaque && alpha_mode == AlphaMode::Opaque,
            special_values,
            texel_bytes: pictures.iter().map(|picture| picture.texel_bytes).sum(),
        })
    }

    /// Returns the bytes of memory that encoding needs besides the pictures.
    pub fn memory_bytes(&self) -> u64 {
        encode_memory_bytes(&self.desc, &self.options)
    }

    /// Returns the number of texels of mip level 0.
    pub fn texel_count(&self) -> u64 {
        self.desc.with_mip_levels(1).texel_count()
    }
}

/// Returns the decisions about pictures like one with these contents, whose use was found, in words.
fn decisions(
    options: &TextureOptions,
    found: Option<PictureUse>,
    contents: PictureContents,
    format: TextureFormat,
) -> Vec<String> {
    let is_open = options.usage == PictureUse::Unknown && options.format.format().is_none();
    let decision = match contents {
        _ if !is_open => None,
        PictureContents::LookupTable if found.is_some() => Some(LOOKUP_TABLE.to_owned()),
        _ if options.color_space.is_some() => None,
        PictureContents::Grey if format == BlockFormat::Bc4Unorm => {
            Some("grey of unknown use is encoded as one linear channel, not as colours".to_owned())
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
        let others = self.packing.picture_count() + usize::from(self.roughness_from_normals);
        let desc = shape(self, format, size, count.saturating_sub(others))?;
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
    let desc = layout.desc(format, size, images_of_level_0(options, given)?)?;
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

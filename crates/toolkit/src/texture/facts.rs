//! Properties of a picture that determine its texture.

use super::{
    FormatFamily, SpecialValues, TextureOptions, alpha_use::AlphaUse, changes::Changes,
    psnr_scope::has_one_bit_alpha,
};
use brickwork_base::{Cancelled, Task};
use brickwork_image::image_file::{Picture, PictureContents, PictureUse, Texels};
use brickwork_texture::{
    BlockFormat, ChannelType, ColorSpace, Image, TextureFormat,
    container::DdsHeader,
    half::f16,
    pictures::{Suggestion, suggest_format},
};

/// Properties of a picture on which the decisions about its texture depend. They outlive its texels.
#[derive(Clone, Debug)]
pub struct PictureFacts {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Width and height of the file's picture, if it was resized.
    pub resized_from: Option<[u32; 2]>,
    /// The colour space.
    pub color_space: ColorSpace,
    /// The source of the colour space, in a few words.
    pub color_space_reason: String,
    /// True if every texel is opaque.
    pub is_opaque: bool,
    /// True if each texel is opaque or transparent.
    pub is_cut_out: bool,
    /// True if the picture [looks cut out](Picture::looks_cut_out), also with antialiased edges.
    pub looks_cut_out: bool,
    /// Texels that the preparation changed.
    pub changes: Changes,
    /// Part of the file that was read, if the file contains more, such as `the first of 12 frames`.
    pub part: Option<String>,
    /// Facts about the reading of the file that the user may not expect.
    pub notes: Vec<String>,
    /// True if a colour is below 0 or above 1, which only formats of floats store.
    pub has_wide_range: bool,
    /// Colours that formats of floats may not store as they are.
    pub special_values: SpecialValues,
    /// Bytes of the texels in memory.
    pub texel_bytes: u64,
    /// Type of the texels' channels.
    pub channels: ChannelType,
    /// Formats of BC that suit the picture, first for the use in the options, then as colours; none if a
    /// format is chosen.
    pub suggestions: Option<[Suggestion; 2]>,
    /// Contents of the picture according to its texels, if the options do not state its use.
    pub contents: PictureContents,
    /// True if red, green and blue differ in many texels of a sample.
    pub has_colors: bool,
    /// Share of the texels that may be normals, if the picture is used as a normal map with z.
    pub facing_share: Option<f64>,
    /// Share of the texels that are normals facing away, if the picture is, or looks like, a normal map.
    pub away_share: f64,
    /// Share of the texels of length 1, if the picture is, or looks like, a normal map.
    pub unit_share: Option<f64>,
    /// Share of the texels that are black, if the picture is, or looks like, a normal map.
    pub black_share: f64,
    /// True if the file's channels have 16 bits that are not 8 bits twice.
    pub has_more_than_8_bits: bool,
    /// Use of the alpha of the file's picture.
    pub alpha_use: AlphaUse,
}

impl PictureFacts {
    /// Examines a swizzled picture for a texture with these options. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn of(picture: &Picture, options: &TextureOptions, task: &Task<'_>) -> Result<Self, Cancelled> {
        // Hues decide between BC1 and BC7 alone. HDR, which is of floats, is refused where no format has it.
        let is_float =
            matches!(picture.texels.texel_type().channel_type(), ChannelType::F16 | ChannelType::F32);
        let is_bc = options.auto_family() == FormatFamily::Bc;
        let allows_bc7 = if is_bc { options.dds_header != DdsHeader::Legacy } else { is_float };
        let suggest = |usage| suggest_format(picture, usage, allows_bc7, task);
        let format = options.format.format();
        let may_be_srgb = format.is_none_or(TextureFormat::has_srgb)
            && options.stated_color_space() != Some(ColorSpace::Linear);
        let usage = match options.usage {
            PictureUse::Unknown if options.stated_color_space() == Some(ColorSpace::Srgb) => {
                PictureUse::Color
            }
            usage => usage,
        };
        let suggestions = match format {
            Some(_) => None,
            None => Some([suggest(usage)?, suggest(PictureUse::Color)?].map(|mut suggestion| {
                let (is_bc1, has_alpha) = (suggestion.format == BlockFormat::Bc1, !picture.is_opaque);
                if is_bc1 && has_alpha && options.encode.alpha_is_data {
                    suggestion.format = if allows_bc7 { BlockFormat::Bc7 } else { BlockFormat::Bc3 };
                    "alpha is data".clone_into(&mut suggestion.reason);
                }
                suggestion
            })),
        };
        let has_two_channels = format.is_some_and(|format| format.channels().len() == 2);
        let contents = match &suggestions {
            Some([suggestion, _]) => suggestion.contents,
            None if usage == PictureUse::Unknown
                && !options.states_color()
                && (may_be_srgb || has_two_channels) =>
            {
                picture.contents(task)?
            }
            None => PictureContents::Colors,
        };
        let stated_away_share = match usage {
            PictureUse::Normals => picture.away_share(task)?,
            _ => None,
        };
        let facing_share = match stated_away_share {
            Some(_) => picture.facing_share(task)?,
            None => None,
        };
        let are_normals = [usage, contents.usage()].contains(&PictureUse::Normals);
        let unit_share = if are_normals { picture.unit_share(task)? } else { None };
        let black_share = if are_normals { black_share(&picture.texels, task)? } else { 0.0 };
        let away_share = match contents {
            PictureContents::ObjectNormals { away, .. } => away,
            _ => stated_away_share.unwrap_or(0.0),
        };
        Ok(Self {
            width: picture.width,
            height: picture.height,
            resized_from: None,
            color_space: picture.color_space,
            color_space_reason: picture.color_space_reason.to_string(),
            is_opaque: picture.is_opaque,
            is_cut_out: picture.is_cut_out(task)?,
            looks_cut_out: picture.looks_cut_out(task)?,
            changes: Changes::default(),
            part: picture.part.clone(),
            notes: picture.notes.clone(),
            has_wide_range: has_wide_range(&picture.texels, task)?,
            special_values: SpecialValues {
                overflow: picture.overflow_count,
                ..SpecialValues::of(&picture.texels, options.max_value, task)?
            },
            texel_bytes: picture.texels.byte_count() as u64,
            channels: picture.texels.texel_type().channel_type(),
            suggestions,
            contents,
            has_colors: has_colors(&picture.texels),
            facing_share,
            away_share,
            unit_share,
            black_share,
            has_more_than_8_bits: picture.stored_channel_type == ChannelType::U16
                && has_more_than_8_bits(&picture.texels, task)?,
            alpha_use: AlphaUse::default(),
        })
    }

    /// Returns the use that the texels of all pictures show, if the options leave it open.
    pub fn found_use(options: &TextureOptions, pictures: &[Self]) -> Option<PictureUse> {
        let is_open = options.format.format().is_none()
            && options.usage == PictureUse::Unknown
            && !options.states_color()
            && !options.states_transparency();
        let first = pictures.first().filter(|_| is_open)?.contents.usage();
        let is_found = first != PictureUse::Unknown;
        (is_found && pictures.iter().all(|picture| picture.contents.usage() == first)).then_some(first)
    }
}

impl PictureFacts {
    /// True if [`FormatChoice::AUTO`](super::FormatChoice::AUTO) chooses a format for the picture that stores
    /// the colours of transparent texels.
    pub(super) fn keeps_hidden_colors(&self, options: &TextureOptions) -> bool {
        let counterpart = |[suggestion, _]: &[Suggestion; 2]| {
            options.auto_family().counterpart(suggestion.format, self.is_opaque)
        };
        let format = self.suggestions.as_ref().and_then(counterpart);
        format.is_some_and(|format| format.has_alpha() && !has_one_bit_alpha(format))
    }

    /// True if mip levels of the picture, which is a normal map, have vectors of length 1.
    pub(super) fn normalizes_levels(&self, options: &TextureOptions) -> bool {
        /// Minimum share of the texels that may be normals, without a black background.
        const SHARE: f64 = 0.8;
        let share = || self.facing_share.unwrap_or(1.0) + self.away_share;
        let may_be_normals = || share() >= SHARE * (1.0 - self.black_share);
        options.normals.normalize.unwrap_or_else(may_be_normals)
    }

    /// True if the vectors of the picture itself, which is a normal map, are scaled to length 1.
    pub(super) fn normalizes_picture(&self, options: &TextureOptions) -> bool {
        /// Minimum share of the texels of length 1, of a map that is kept.
        const SHARE: f64 = 0.999;
        let is_off = || self.unit_share.is_some_and(|share| share < SHARE);
        options.normals.normalize == Some(true) || self.normalizes_levels(options) && is_off()
    }

    /// Returns what is known of an image in memory without an examination of its texels. Texels with alpha
    /// count as transparent.
    pub fn of_image(image: &dyn Image, color_space: ColorSpace) -> Self {
        let [width, height] = image.size();
        Self {
            width,
            height,
            resized_from: None,
            color_space,
            color_space_reason: "texels in memory".to_owned(),
            is_opaque: !image.has_alpha(),
            is_cut_out: false,
            looks_cut_out: false,
            changes: Changes::default(),
            part: None,
            notes: Vec::new(),
            has_wide_range: false,
            special_values: SpecialValues::default(),
            texel_bytes: image.texel_bytes(),
            channels: image.channel_type(),
            suggestions: None,
            contents: PictureContents::Colors,
            has_colors: false,
            facing_share: None,
            away_share: 0.0,
            unit_share: None,
            black_share: 0.0,
            has_more_than_8_bits: false,
            alpha_use: AlphaUse::default(),
        }
    }

    /// Returns the facts about the prepared picture. Suggestions, cut-outs and special values stay those of
    /// the file's picture, unless normals were made of it.
    pub fn after(
        self,
        prepared: &Picture,
        changes: Changes,
        options: &TextureOptions,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        let (width, height) = (prepared.width, prepared.height);
        let is_resized = [width, height] != [self.width, self.height];
        let resized_from = is_resized.then_some([self.width, self.height]);
        let is_from_height = options.normals.height_scale.is_some();
        if is_from_height && options.usage == PictureUse::Normals {
            return Ok(Self { resized_from, changes, ..Self::of(prepared, options, task)? });
        }
        let texel_bytes = prepared.texels.byte_count() as u64;
        let is_opaque = prepared.is_opaque;
        Ok(Self { width, height, resized_from, changes, is_opaque, texel_bytes, ..self })
    }
}

/// Returns true if any colour is below 0 or above 1, or not a number.
fn has_wide_range(texels: &Texels, task: &Task<'_>) -> Result<bool, Cancelled> {
    let is_wide = |color: &f16| !(f16::ZERO..=f16::ONE).contains(color);
    let is_single_wide = |color: &f32| !(0.0..=1.0).contains(color);
    match texels {
        Texels::RgbF16(texels) => any(texels, |texel| texel.iter().any(is_wide), task),
        Texels::RgbaF16(texels) => any(texels, |texel| texel[..3].iter().any(is_wide), task),
        Texels::RgbF32(texels) => any(texels, |texel| texel.iter().any(is_single_wide), task),
        Texels::RgbaF32(texels) => any(texels, |texel| texel[..3].iter().any(is_single_wide), task),
        _ => Ok(false),
    }
}

/// True if red, green and blue differ in many texels of a sample. Compression of grey makes small
/// differences. Floats have no colours.
pub(super) fn has_colors(texels: &Texels) -> bool {
    /// Difference between two channels, of 255.
    const MIN_DIFFERENCE: u8 = 16;
    /// One in this number of texels.
    const MANY: usize = 20;
    /// Texels of a sample, at least, of larger pictures.
    const SAMPLE: usize = 1 << 16;
    fn differ<T>(texels: &[T], range: impl Fn(&T) -> u8) -> bool {
        // (An odd step, as most widths are even.)
        let sample = || texels.iter().step_by((texels.len() / SAMPLE).saturating_sub(1) | 1);
        sample().filter(|texel| range(texel) >= MIN_DIFFERENCE).count() * MANY > sample().len()
    }
    let range = |r: u8, g: u8, b: u8| r.max(g).max(b) - r.min(g).min(b);
    let high = |word: u16| (word >> 8) as u8;
    match texels {
        Texels::Rgb8(texels) => differ(texels, |&[r, g, b]| range(r, g, b)),
        Texels::Rgba8(texels) => differ(texels, |&[r, g, b, _]| range(r, g, b)),
        Texels::Rgb16(texels) => differ(texels, |&[r, g, b]| range(high(r), high(g), high(b))),
        Texels::Rgba16(texels) => differ(texels, |&[r, g, b, _]| range(high(r), high(g), high(b))),
        _ => false,
    }
}

/// Returns the share of texels whose red, green and blue are 0; 0 for floats.
fn black_share(texels: &Texels, task: &Task<'_>) -> Result<f64, Cancelled> {
    fn count<T>(texels: &[T], task: &Task<'_>, is_black: impl Fn(&T) -> bool) -> Result<usize, Cancelled> {
        let mut count = 0;
        for texels in texels.chunks(1 << 16) {
            task.check()?;
            count += texels.iter().filter(|texel| is_black(texel)).count();
        }
        Ok(count)
    }
    let count = match texels {
        Texels::Rgb8(texels) => count(texels, task, |texel| *texel == [0; 3])?,
        Texels::Rgba8(texels) => count(texels, task, |texel| texel[..3] == [0; 3])?,
        Texels::Rgb16(texels) => count(texels, task, |texel| *texel == [0; 3])?,
        Texels::Rgba16(texels) => count(texels, task, |texel| texel[..3] == [0; 3])?,
        _ => 0,
    };
    Ok(count as f64 / texels.texel_count().max(1) as f64)
}

/// True if a channel has 16 bits that are not the same 8 bits twice.
fn has_more_than_8_bits(texels: &Texels, task: &Task<'_>) -> Result<bool, Cancelled> {
    let is_more = |channels: &[u16]| channels.iter().any(|channel| channel % 257 != 0);
    match texels {
        Texels::Grey16(texels) => any(texels, |texel| is_more(&[*texel]), task),
        Texels::Rgb16(texels) => any(texels, |texel| is_more(texel), task),
        Texels::Rgba16(texels) => any(texels, |texel| is_more(texel), task),
        _ => Ok(false),
    }
}

/// Returns true if any texel passes, unless the task is cancelled.
fn any<T>(texels: &[T], passes: impl Fn(&T) -> bool, task: &Task<'_>) -> Result<bool, Cancelled> {
    for texels in texels.chunks(1 << 16) {
        task.check()?;
        if texels.iter().any(&passes) {
            return Ok(true);
        }
    }
    Ok(false)
}

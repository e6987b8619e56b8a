//! Images to compare.

use super::{
    CompareNote, CompareOptions,
    displayed::displayed_texels,
    images::{Conversion, Images},
};
use crate::{half_floats::beyond_count, report::ComparedImage};
use brickwork_base::Task;
use brickwork_image::image_file::{Picture, Texels};
use brickwork_texture::{
    ChannelType, ColorSpace, DecodeError, Image, RoundingRule, Swizzle, Texture, TextureFormat, ToneMap,
    pictures::AnyImage,
};
use brickwork_toolkit::{
    batch::Input,
    report::color_space_name,
    texture::{MeasureError, PsnrScope, TextureJobError, channel_type, read_any},
};
use std::{borrow::Cow, sync::Arc};

/// An image to compare: a picture, or the images of a mip level of a texture. Images of a texture are decoded
/// one at a time, whenever they are needed. Their order is layer by layer; in a layer, face by face; in a
/// face, slice by slice.
#[derive(Clone, Debug)]
pub struct CompareInput {
    name: String,
    format: String,
    /// Size of one image.
    size: [u32; 2],
    /// Number of images: layers, faces and slices.
    image_count: u32,
    images: Images,
    channel_type: ChannelType,
    color_space: ColorSpace,
    is_color_space_assumed: bool,
    scope: PsnrScope,
    /// True for a texture of floats of 0 or more.
    is_unsigned_hdr: bool,
    /// Number of channels that the format stores, starting with red.
    channel_count: usize,
    /// Rule of the values, if it does not round to 8 bits.
    unrounded: Option<RoundingRule>,
    notes: Vec<CompareNote>,
}

impl CompareInput {
    /// Reads a picture or a texture. The task reports the bytes read.
    ///
    /// # Errors
    /// [`TextureJobError`], which names the input.
    pub fn read(
        input: &Input,
        options: &CompareOptions,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        match read_any(input, &options.read_options(max_memory), task)? {
            AnyImage::Picture(_) if options.level > 0 => {
                Err(TextureJobError::NoMipLevels { input: input.name() })
            }
            AnyImage::Picture(picture) => Ok(Self::of_picture(input.name(), picture)),
            AnyImage::Texture(texture) => {
                Self::of_texture(input.name(), Arc::new(texture), options, max_memory)
            }
        }
    }

    /// Returns a picture.
    pub fn of_picture(name: String, picture: Picture) -> Self {
        let mut notes = faults(&name, &picture.notes);
        notes.extend(beyond_half_floats(&name, beyond_count(&picture.texels)));
        let is_color_space_assumed = picture.is_color_space_assumed();
        Self {
            name,
            format: picture.format_name().to_lowercase(),
            size: [picture.width, picture.height],
            image_count: 1,
            channel_type: picture.texels.texel_type().channel_type(),
            images: Images::Picture(Arc::new(picture.texels)),
            color_space: picture.color_space,
            is_color_space_assumed,
            scope: PsnrScope::ALL,
            is_unsigned_hdr: false,
            channel_count: 4,
            unrounded: None,
            notes,
        }
    }

    /// Returns the images of the options' mip level. Both images of a comparison need at most `max_memory`
    /// bytes.
    ///
    /// # Errors
    /// [`TextureJobError::Decode`] if there is no such mip level.
    pub fn of_texture(
        name: String,
        texture: Arc<Texture>,
        options: &CompareOptions,
        max_memory: u64,
    ) -> Result<Self, TextureJobError> {
        let (desc, level) = (*texture.desc(), options.level);
        if let Err(error) = texture.image(0, 0, level) {
            return Err(TextureJobError::Decode { input: name, error: DecodeError::from(error) });
        }
        let channels = desc.format.channels();
        let rounding_rule = options.decoder().for_format(desc.format);
        let is_real = rounding_rule.is_unrounded(desc.format);
        let mut notes = faults(&name, texture.notes());
        let is_partial = channels.len() < 3 && desc.swizzle == Swizzle::IDENTITY;
        if is_partial {
            let rounding_rule = desc.format.block().map(|_| rounding_rule);
            notes.push(CompareNote::StoredChannels { input: name.clone(), channels, rounding_rule });
        }
        let [width, height, depth] = desc.mip_level_size(level);
        Ok(Self {
            name,
            format: desc.format.name().to_owned(),
            size: [width, height],
            image_count: desc.layers.saturating_mul(desc.faces()).saturating_mul(depth),
            channel_type: match desc.format {
                TextureFormat::Plain(format) => channel_type(format),
                _ if is_real => ChannelType::U16,
                format if format.is_float() => ChannelType::F16,
                _ => ChannelType::U8,
            },
            images: Images::Texture { texture, level, rounding_rule, max_memory },
            color_space: desc.color_space,
            is_color_space_assumed: false,
            scope: PsnrScope::of(&desc, options.threshold(desc.format)),
            is_unsigned_hdr: desc.format.is_unsigned_float(),
            channel_count: if is_partial { channels.len() } else { 4 },
            unrounded: is_real.then_some(rounding_rule),
            notes,
        })
    }

    /// Returns the name for reports and messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the width in texels.
    pub const fn width(&self) -> u32 {
        self.size[0]
    }

    /// Returns the height of all images, one below the other, in texels.
    pub const fn height(&self) -> u32 {
        self.size[1].saturating_mul(self.image_count)
    }

    /// Returns the number of images.
    pub const fn image_count(&self) -> u32 {
        self.image_count
    }

    /// Returns the height of one image in texels.
    pub const fn image_height(&self) -> u32 {
        self.size[1]
    }

    /// Removes all images but the first, and notes it.
    pub fn keep_first_image(&mut self) {
        if self.image_count > 1 {
            self.image_count = 1;
            self.notes.push(CompareNote::FirstImage { input: self.name.clone() });
        }
    }

    /// Returns the colour space.
    pub const fn color_space(&self) -> ColorSpace {
        self.color_space
    }

    /// True if the file of a picture does not state its colour space, and the reader assumed sRGB.
    pub const fn is_color_space_assumed(&self) -> bool {
        self.is_color_space_assumed
    }

    /// Returns the texels and channels that count in the PSNR.
    pub(super) const fn scope(&self) -> PsnrScope {
        self.scope
    }

    /// Returns facts that the user may not expect. A comparison adds those about the texels of a texture.
    pub fn notes(&self) -> &[CompareNote] {
        &self.notes
    }

    /// Adds the note about texels of a texture with numbers beyond half floats.
    pub(super) fn note_beyond_half_floats(&mut self, texel_count: usize) {
        self.notes.extend(beyond_half_floats(&self.name, texel_count));
    }

    /// Returns the number of channels that the format stores, starting with red; 4 for pictures.
    pub const fn channel_count(&self) -> usize {
        self.channel_count
    }

    /// Returns the rule of the values, if it does not round to 8 bits.
    pub(super) const fn unrounded(&self) -> Option<RoundingRule> {
        self.unrounded
    }

    /// Returns the type of the channels.
    pub(super) const fn channel_type(&self) -> ChannelType {
        self.channel_type
    }

    /// True if the texels are half floats or single floats.
    pub const fn is_float(&self) -> bool {
        matches!(self.channel_type, ChannelType::F16 | ChannelType::F32)
    }

    /// True if the texels are single floats.
    pub const fn is_single(&self) -> bool {
        matches!(self.channel_type, ChannelType::F32)
    }

    /// True for a texture of floats of 0 or more.
    pub(super) const fn is_unsigned_hdr(&self) -> bool {
        self.is_unsigned_hdr
    }

    /// Returns the texels of an image, as stored. The task reports the blocks decoded.
    ///
    /// # Errors
    /// [`TextureJobError::Decode`], which names the input.
    pub fn image(&self, number: u32, task: &Task<'_>) -> Result<Cow<'_, Texels>, TextureJobError> {
        let decoded = self.images.get(number, task);
        decoded.map_err(|error| TextureJobError::Decode { input: self.name.clone(), error })
    }

    /// Returns the size of an image in texels.
    pub(super) const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the texels of an image as an [`Image`].
    ///
    /// # Errors
    /// [`MeasureError::Image`] if there are too few texels.
    pub fn view<'a>(&self, texels: &'a Texels) -> Result<Box<dyn Image + 'a>, MeasureError> {
        Ok(texels.view(self.size[0], self.size[1])?)
    }

    /// True for a texture, whose images are decoded.
    pub(super) const fn is_texture(&self) -> bool {
        matches!(self.images, Images::Texture { .. })
    }

    /// Returns the bytes of memory for a comparison, with one image decoded and converted, and their limit,
    /// if there is one.
    pub(super) fn memory_bytes(&self, conversion: Conversion) -> (u64, Option<u64>) {
        let texels = u64::from(self.size[0]) * u64::from(self.size[1]);
        let decoded = texels.saturating_mul(4 * u64::from(self.channel_type.bytes()));
        let (needed, limit) = self.images.memory_bytes(decoded);
        (needed.saturating_add(texels.saturating_mul(conversion.copied_bytes(self.channel_type))), limit)
    }

    /// Returns the bytes of the values of all images, one below the other, while those of one are added.
    pub(super) fn stacked_bytes<T>(&self) -> u64 {
        let rows = u64::from(self.height()) + u64::from(self.size[1]);
        (u64::from(self.size[0]) * rows).saturating_mul(size_of::<T>() as u64)
    }

    /// Returns the texels of all images in 8 bits as a comparison of the first channels displays them. Floats
    /// are those that `tone_map` displays, if there is one.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded or the task is cancelled.
    pub fn displayed(
        &self,
        channel_count: usize,
        tone_map: Option<&ToneMap>,
        task: &Task<'_>,
    ) -> Result<Vec<[u8; 4]>, TextureJobError> {
        let conversion = Conversion::new(channel_count, true);
        let (bytes, limit) = self.memory_bytes(conversion);
        let needed = bytes.saturating_add(self.stacked_bytes::<[u8; 4]>());
        if let Some(limit) = limit.filter(|limit| needed > *limit) {
            return Err(TextureJobError::Memory { input: self.name.clone(), needed, limit });
        }
        let mut all = Vec::with_capacity(self.width() as usize * self.height() as usize);
        for number in 0..self.image_count {
            let stored = self.image(number, task)?;
            let displayed = || -> Result<_, MeasureError> {
                let texels = conversion.apply(self.size, stored, None)?;
                displayed_texels(&*self.view(&texels)?, tone_map, task)
            };
            let measure = |error| TextureJobError::Measure { input: self.name.clone(), error };
            all.append(&mut displayed().map_err(measure)?);
        }
        Ok(all)
    }

    /// Returns the report.
    pub fn report(&self) -> ComparedImage {
        ComparedImage {
            file: self.name.clone(),
            format: self.format.clone(),
            width: self.width(),
            height: self.image_height(),
            images: self.image_count,
            color_space: color_space_name(self.color_space),
        }
    }

    /// True if the format is BC1, or ETC2 with 1-bit alpha, and may make texels transparent.
    pub fn is_punched(&self) -> bool {
        self.scope.is_punched()
    }
}

/// Returns the note about single floats that are too large for the measures, if there are any.
fn beyond_half_floats(input: &str, texel_count: usize) -> Option<CompareNote> {
    let note = match texel_count {
        0 => return None,
        1 => "1 texel has numbers beyond half floats, which count as ±65504".to_owned(),
        count => format!("{count} texels have numbers beyond half floats, which count as ±65504"),
    };
    Some(CompareNote::Fault { input: input.to_owned(), note })
}

fn faults(input: &str, notes: &[String]) -> Vec<CompareNote> {
    let fault = |note: &String| CompareNote::Fault { input: input.to_owned(), note: note.clone() };
    notes.iter().map(fault).collect()
}

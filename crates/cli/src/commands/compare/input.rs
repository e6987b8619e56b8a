//! Images to compare.

use super::{CompareNote, CompareOptions, displayed::displayed_texels};
use crate::{
    commands::decode::{as_displayed, plain::PlainImage},
    half_floats::{beyond_count, with_half_floats},
    report::ComparedImage,
};
use brickwork_base::Task;
use brickwork_image::image_file::{Picture, Texels};
use brickwork_texture::{
    AlphaMode, BlockFormat, ChannelType, ColorSpace, DecodeError, DecodedTexels, Image, ImageError,
    ImageIndex, RoundingRule, Swizzle, Texture, TextureDesc, ToneMap, half::f16, pictures::AnyImage,
};
use brickwork_toolkit::{
    batch::Input,
    report::color_space_name,
    texture::{MeasureError, TextureJobError, read_any},
};

/// An image to compare: a picture, or all images of a mip level of a texture, one below the other.
#[derive(Clone, Debug)]
pub struct CompareInput {
    name: String,
    format: String,
    width: u32,
    /// Height of all images.
    height: u32,
    /// Number of images: layers, faces and slices.
    image_count: u32,
    texels: Texels,
    color_space: ColorSpace,
    is_color_space_assumed: bool,
    is_punched: bool,
    /// True for an sRGB texture with alpha, or one of premultiplied colours, whose transparent texels may
    /// have any colours.
    hides_colors: bool,
    /// True for a texture of floats of 0 or more.
    is_unsigned_hdr: bool,
    /// Number of channels that the format stores, starting with red.
    channel_count: usize,
    /// Rule of the values, if it does not round to 8 bits.
    unrounded: Option<RoundingRule>,
    notes: Vec<CompareNote>,
}

impl CompareInput {
    /// Reads an image, and decodes a texture's mip level. The task reports the bytes read,
    /// then the blocks decoded.
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
            AnyImage::Texture(texture) => Self::of_texture(input.name(), &texture, options, max_memory, task),
        }
    }

    /// Returns a picture.
    pub fn of_picture(name: String, picture: Picture) -> Self {
        let mut notes = faults(&name, &picture.notes);
        notes.extend(beyond_half_floats(&name, &picture.texels));
        let is_color_space_assumed = picture.is_color_space_assumed();
        Self {
            name,
            format: picture.format_name().to_lowercase(),
            width: picture.width,
            height: picture.height,
            image_count: 1,
            texels: picture.texels,
            color_space: picture.color_space,
            is_color_space_assumed,
            is_punched: false,
            hides_colors: false,
            is_unsigned_hdr: false,
            channel_count: 4,
            unrounded: None,
            notes,
        }
    }

    /// Decodes the images of the options' mip level.
    ///
    /// # Errors
    /// [`TextureJobError`], which names the input.
    pub fn of_texture(
        name: String,
        texture: &Texture,
        options: &CompareOptions,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        let desc = *texture.desc();
        let channels = desc.format.channels();
        let rounding_rule = options.rounding_rule.for_format(desc.format);
        let is_real = rounding_rule.is_unrounded(desc.format);
        let mut notes = faults(&name, texture.notes());
        let is_partial = channels.len() < 3 && desc.swizzle == Swizzle::IDENTITY;
        if is_partial {
            let rounding_rule = desc.format.block().map(|_| rounding_rule);
            notes.push(CompareNote::StoredChannels { input: name.clone(), channels, rounding_rule });
        }
        let decode = |index| -> Result<_, DecodeError> {
            if let Some(format) = desc.format.plain() {
                let PlainImage { width, height, texels } =
                    PlainImage::of(texture, format, index, max_memory, task)?;
                return Ok((width, height, texels));
            }
            let mut options = as_displayed(desc.format, rounding_rule, max_memory);
            if is_real {
                options.channel_type = Some(ChannelType::U16);
            }
            let image = texture.decode(index, &options, task)?;
            let (width, height) = (image.width(), image.height());
            let texels = match image.into_texels() {
                DecodedTexels::Rgba16(texels) => Texels::Rgba16(texels),
                DecodedTexels::RgbaF16(texels) => Texels::RgbaF16(texels),
                texels => Texels::Rgba8(texels.into_rgba8().unwrap_or_default()),
            };
            Ok((width, height, texels))
        };
        let indices = image_indices(&desc, options.level);
        let image_count = indices.len() as u32;
        let decode_all = || -> Result<_, DecodeError> {
            let mut indices = indices.into_iter();
            let (width, height, mut texels) = decode(indices.next().unwrap_or_default())?;
            let needed = (texels.byte_count() as u64).saturating_mul(u64::from(image_count));
            if image_count > 1 && needed > max_memory {
                return Err(DecodeError::TooLarge { needed, limit: max_memory });
            }
            for index in indices {
                append(&mut texels, decode(index)?.2);
            }
            Ok((width, height.saturating_mul(image_count), texels))
        };
        let (width, height, texels) = match decode_all() {
            Ok(decoded) => decoded,
            Err(error) => return Err(TextureJobError::Decode { input: name, error }),
        };
        notes.extend(beyond_half_floats(&name, &texels));
        Ok(Self {
            name,
            format: desc.format.name().to_owned(),
            width,
            height,
            image_count,
            texels,
            color_space: desc.color_space,
            is_color_space_assumed: false,
            is_punched: desc.format == BlockFormat::Bc1 && desc.alpha_mode != AlphaMode::Opaque,
            hides_colors: desc.format != BlockFormat::Bc1
                && match desc.alpha_mode {
                    AlphaMode::Straight => desc.color_space == ColorSpace::Srgb,
                    mode => mode == AlphaMode::Premultiplied,
                },
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
        self.width
    }

    /// Returns the height of all images in texels.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of images, one below the other: layers, then faces, then slices.
    pub const fn image_count(&self) -> u32 {
        self.image_count
    }

    /// Returns the height of one image in texels.
    pub const fn image_height(&self) -> u32 {
        self.height / self.image_count
    }

    /// Removes all images but the first, and notes it.
    pub fn keep_first_image(&mut self) {
        if self.image_count > 1 {
            (self.height, self.image_count) = (self.image_height(), 1);
            self.notes.push(CompareNote::FirstImage { input: self.name.clone() });
            truncate(&mut self.texels, self.width as usize * self.height as usize);
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

    /// True if BC1 may make texels transparent.
    pub const fn is_punched(&self) -> bool {
        self.is_punched
    }

    /// True for an sRGB texture with alpha, or one of premultiplied colours, whose transparent texels may
    /// have any colours.
    pub(super) const fn hides_colors(&self) -> bool {
        self.hides_colors
    }

    /// Returns facts that the user may not expect.
    pub fn notes(&self) -> &[CompareNote] {
        &self.notes
    }

    /// Returns the number of channels that the format stores, starting with red; 4 for pictures.
    pub const fn channel_count(&self) -> usize {
        self.channel_count
    }

    /// Returns the rule of the values, if it does not round to 8 bits.
    pub(super) const fn unrounded(&self) -> Option<RoundingRule> {
        self.unrounded
    }

    /// True if the texels are half floats or single floats.
    pub const fn is_float(&self) -> bool {
        self.texels.is_float()
    }

    /// True if the channels have 16 bits.
    pub(super) const fn is_16_bit(&self) -> bool {
        matches!(self.texels.texel_type().channel_type(), ChannelType::U16)
    }

    /// True if the texels are single floats.
    pub const fn is_single(&self) -> bool {
        matches!(self.texels.texel_type().channel_type(), ChannelType::F32)
    }

    /// Makes half floats of single floats, as readers do.
    pub(super) fn round_to_half_floats(&mut self) {
        let texels = std::mem::replace(&mut self.texels, Texels::Grey8(Vec::new()));
        self.texels = with_half_floats(texels);
    }

    /// True for a texture of floats of 0 or more.
    pub(super) const fn is_unsigned_hdr(&self) -> bool {
        self.is_unsigned_hdr
    }

    /// Returns the alpha of each texel.
    pub(super) fn alphas(&self) -> Result<Vec<u8>, ImageError> {
        let view = self.view()?;
        let mut row = vec![[0; 4]; self.width as usize];
        let mut alphas = Vec::with_capacity(self.width as usize * self.height as usize);
        for y in 0..self.height {
            alphas.extend(view.row_rgba8(y, &mut row).iter().map(|texel| texel[3]));
        }
        Ok(alphas)
    }

    /// Keeps only the first channels, of 16 bits or floats: red as grey, or red and green without blue. The
    /// alpha of texels is taken from `alphas`, or is opaque.
    pub(super) fn keep_channels(
        &mut self,
        channel_count: usize,
        alphas: Option<&[u8]>,
    ) -> Result<(), ImageError> {
        let first = FirstChannels { count: channel_count, alphas };
        let number = |alpha: u8| f32::from(alpha) / 255.0;
        self.texels = match self.texels.texel_type().channel_type() {
            ChannelType::F16 => {
                let of_alpha = |alpha: u8| f16::from_f32(number(alpha));
                Texels::RgbaF16(first.of(self, |image, y, row| image.row_rgba_f16(y, row), of_alpha)?)
            }
            ChannelType::F32 => {
                Texels::RgbaF32(first.of(self, |image, y, row| image.row_rgba_f32(y, row), number)?)
            }
            _ => {
                let of_alpha = |alpha: u8| 257 * u16::from(alpha);
                Texels::Rgba16(first.of(self, |image, y, row| image.row_rgba16(y, row), of_alpha)?)
            }
        };
        Ok(())
    }

    /// Returns the texels in 8 bits as a comparison of the first channels displays them. Floats are those
    /// that `tone_map` displays, if there is one.
    ///
    /// # Errors
    /// [`TextureJobError::Measure`] if the task is cancelled.
    pub fn into_displayed(
        mut self,
        channel_count: usize,
        tone_map: Option<&ToneMap>,
        task: &Task<'_>,
    ) -> Result<Vec<[u8; 4]>, TextureJobError> {
        let mut displayed = || -> Result<_, MeasureError> {
            if channel_count < 3 {
                self.keep_channels(channel_count, None)?;
            }
            displayed_texels(&*self.view()?, tone_map, task)
        };
        let texels = displayed();
        texels.map_err(|error| TextureJobError::Measure { input: self.name, error })
    }

    /// Returns the texels.
    pub fn view(&self) -> Result<Box<dyn Image + '_>, ImageError> {
        self.texels.view(self.width, self.height)
    }

    /// Returns the report.
    pub fn report(&self) -> ComparedImage {
        ComparedImage {
            file: self.name.clone(),
            format: self.format.clone(),
            width: self.width,
            height: self.image_height(),
            images: self.image_count,
            color_space: color_space_name(self.color_space),
        }
    }
}

/// Returns the indices of a mip level's images: layers, then faces, then slices.
fn image_indices(desc: &TextureDesc, mip_level: u32) -> Vec<ImageIndex> {
    let [.., depth] = desc.mip_level_size(mip_level);
    let faces = move |layer| (0..desc.faces()).map(move |face| (layer, face));
    let slices =
        move |(layer, face)| (0..depth).map(move |slice| ImageIndex { mip_level, layer, face, slice });
    (0..desc.layers).flat_map(faces).flat_map(slices).collect()
}

/// Keeps the first texels.
fn truncate(texels: &mut Texels, count: usize) {
    match texels {
        Texels::Grey8(texels) => texels.truncate(count),
        Texels::Rgb8(texels) => texels.truncate(count),
        Texels::Rgba8(texels) => texels.truncate(count),
        Texels::Grey16(texels) => texels.truncate(count),
        Texels::Rgb16(texels) => texels.truncate(count),
        Texels::Rgba16(texels) => texels.truncate(count),
        Texels::RgbF16(texels) => texels.truncate(count),
        Texels::RgbaF16(texels) => texels.truncate(count),
        Texels::RgbF32(texels) => texels.truncate(count),
        Texels::RgbaF32(texels) => texels.truncate(count),
        _ => {}
    }
}

/// Appends texels of the same type.
fn append(texels: &mut Texels, mut more: Texels) {
    match (texels, &mut more) {
        (Texels::Grey8(texels), Texels::Grey8(more)) => texels.append(more),
        (Texels::Rgb8(texels), Texels::Rgb8(more)) => texels.append(more),
        (Texels::Rgba8(texels), Texels::Rgba8(more)) => texels.append(more),
        (Texels::Grey16(texels), Texels::Grey16(more)) => texels.append(more),
        (Texels::Rgb16(texels), Texels::Rgb16(more)) => texels.append(more),
        (Texels::Rgba16(texels), Texels::Rgba16(more)) => texels.append(more),
        (Texels::RgbF16(texels), Texels::RgbF16(more)) => texels.append(more),
        (Texels::RgbaF16(texels), Texels::RgbaF16(more)) => texels.append(more),
        (Texels::RgbF32(texels), Texels::RgbF32(more)) => texels.append(more),
        (Texels::RgbaF32(texels), Texels::RgbaF32(more)) => texels.append(more),
        // Images of one texture have one type. (Too few texels would be an error later.)
        _ => {}
    }
}

/// Function that returns a row of an image, in the buffer if the image has texels of another form.
pub(super) type Row<C> = for<'a> fn(&'a dyn Image, u32, &'a mut [[C; 4]]) -> &'a [[C; 4]];

/// Channels to keep, and the alpha of the texels.
struct FirstChannels<'a> {
    count: usize,
    alphas: Option<&'a [u8]>,
}

impl FirstChannels<'_> {
    /// Returns the texels of an input. Channels that are not kept are 0.
    fn of<C: Copy + Default>(
        &self,
        input: &CompareInput,
        row: Row<C>,
        of_alpha: impl Fn(u8) -> C,
    ) -> Result<Vec<[C; 4]>, ImageError> {
        let view = input.view()?;
        let mut buffer = vec![[C::default(); 4]; input.width as usize];
        let mut texels = Vec::with_capacity(input.width as usize * input.height as usize);
        for y in 0..input.height {
            for &[r, g, ..] in row(&*view, y, &mut buffer) {
                let [r, g, b] = if self.count == 1 { [r; 3] } else { [r, g, C::default()] };
                // Images of different sizes are refused when they are measured.
                let alpha = self.alphas.and_then(|alphas| alphas.get(texels.len()));
                texels.push([r, g, b, of_alpha(alpha.copied().unwrap_or(255))]);
            }
        }
        Ok(texels)
    }
}

/// Returns the note about single floats that are too large for the measures, if there are any.
fn beyond_half_floats(input: &str, texels: &Texels) -> Option<CompareNote> {
    let note = match beyond_count(texels) {
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

//! Texels of the images of an input, and their conversion for a comparison.

use crate::{
    commands::decode::{as_displayed, plain::PlainImage},
    half_floats::half_floats_of,
};
use brickwork_base::Task;
use brickwork_image::image_file::Texels;
use brickwork_texture::{
    ChannelType, DecodeError, DecodedTexels, Image, ImageError, ImageIndex, RoundingRule, Texture, half::f16,
};
use std::{borrow::Cow, sync::Arc};

/// The images of an input.
#[derive(Clone, Debug)]
pub(super) enum Images {
    /// The only image.
    Picture(Arc<Texels>),
    /// Those of a mip level.
    Texture { texture: Arc<Texture>, level: u32, rounding_rule: RoundingRule, max_memory: u64 },
}

impl Images {
    /// Returns the texels of an image, which is decoded. The number is below that of the input's images.
    pub fn get(&self, number: u32, task: &Task<'_>) -> Result<Cow<'_, Texels>, DecodeError> {
        let (texture, level, rounding_rule, max_memory) = match self {
            Self::Picture(texels) => return Ok(Cow::Borrowed(texels)),
            Self::Texture { texture, level, rounding_rule, max_memory } => {
                (texture, *level, *rounding_rule, *max_memory)
            }
        };
        let desc = texture.desc();
        let [.., depth] = desc.mip_level_size(level);
        let (face, slice) = (number / depth, number % depth);
        let (layer, face) = (face / desc.faces(), face % desc.faces());
        let index = ImageIndex { layer, face, mip_level: level, slice };
        if let Some(format) = desc.format.plain() {
            return Ok(Cow::Owned(PlainImage::of(texture, format, index, max_memory, task)?.texels));
        }
        let mut options = as_displayed(desc.format, rounding_rule, max_memory);
        if rounding_rule.is_unrounded(desc.format) {
            options.channel_type = Some(ChannelType::U16);
        }
        Ok(Cow::Owned(match texture.decode(index, &options, task)?.into_texels() {
            DecodedTexels::Rgba16(texels) => Texels::Rgba16(texels),
            DecodedTexels::RgbaF16(texels) => Texels::RgbaF16(texels),
            texels => Texels::Rgba8(texels.into_rgba8().unwrap_or_default()),
        }))
    }

    /// Returns the bytes of memory of the input and of one image, which has `decoded_bytes`, and their limit,
    /// if there is one.
    pub fn memory_bytes(&self, decoded_bytes: u64) -> (u64, Option<u64>) {
        match self {
            Self::Picture(texels) => (texels.byte_count() as u64, None),
            Self::Texture { texture, max_memory, .. } => {
                ((texture.data().len() as u64).saturating_add(decoded_bytes), Some(*max_memory))
            }
        }
    }
}

/// Conversion of stored texels to those that are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversion {
    /// Channels that are compared, starting with red.
    channel_count: usize,
    /// False if single floats become half floats.
    keeps_singles: bool,
}

/// Function that returns a row of an image, in the buffer if the image has texels of another form.
pub(super) type Row<C> = for<'a> fn(&'a dyn Image, u32, &'a mut [[C; 4]]) -> &'a [[C; 4]];

impl Conversion {
    pub const fn new(channel_count: usize, keeps_singles: bool) -> Self {
        Self { channel_count, keeps_singles }
    }

    /// Returns the channels that are compared, starting with red.
    pub const fn channel_count(self) -> usize {
        self.channel_count
    }

    /// Returns the bytes per texel of the copies that [`apply`](Self::apply) makes of texels of this type.
    pub fn copied_bytes(self, channel_type: ChannelType) -> u64 {
        let is_single = channel_type == ChannelType::F32;
        match self.channel_count < 3 {
            // With alpha of 8 bits.
            true => 1 + if is_single && self.keeps_singles { 16 } else { 8 },
            false if is_single && !self.keeps_singles => 8,
            false => 0,
        }
    }

    /// Returns the texels of an image of this size. If fewer than three channels are compared, only these are
    /// kept, with 16 bits or floats: red as grey, or red and green without blue. Their alpha is taken from
    /// `alphas`, or is opaque.
    pub fn apply<'a>(
        self,
        [width, height]: [u32; 2],
        stored: Cow<'a, Texels>,
        alphas: Option<&[u8]>,
    ) -> Result<Cow<'a, Texels>, ImageError> {
        let halves = if self.keeps_singles { None } else { half_floats_of(&stored) };
        let texels = halves.map_or(stored, Cow::Owned);
        if self.channel_count >= 3 {
            return Ok(texels);
        }
        let view = texels.view(width, height)?;
        let (view, number) = (&*view, |alpha: u8| f32::from(alpha) / 255.0);
        let first = match texels.texel_type().channel_type() {
            ChannelType::F16 => {
                let of_alpha = |alpha| f16::from_f32(number(alpha));
                let row: Row<f16> = |image, y, row| image.row_rgba_f16(y, row);
                Texels::RgbaF16(self.first_channels(view, alphas, row, of_alpha))
            }
            ChannelType::F32 => {
                let row: Row<f32> = |image, y, row| image.row_rgba_f32(y, row);
                Texels::RgbaF32(self.first_channels(view, alphas, row, number))
            }
            _ => {
                let row: Row<u16> = |image, y, row| image.row_rgba16(y, row);
                Texels::Rgba16(self.first_channels(view, alphas, row, |alpha| 257 * u16::from(alpha)))
            }
        };
        Ok(Cow::Owned(first))
    }

    /// Returns the first channels. Others are 0.
    fn first_channels<C: Copy + Default>(
        self,
        view: &dyn Image,
        alphas: Option<&[u8]>,
        row: Row<C>,
        of_alpha: impl Fn(u8) -> C,
    ) -> Vec<[C; 4]> {
        let [width, height] = view.size();
        let mut buffer = vec![[C::default(); 4]; width as usize];
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for &[r, g, ..] in row(view, y, &mut buffer) {
                let [r, g, b] = if self.channel_count == 1 { [r; 3] } else { [r, g, C::default()] };
                // Images of different sizes are refused when they are measured.
                let alpha = alphas.and_then(|alphas| alphas.get(texels.len()));
                texels.push([r, g, b, of_alpha(alpha.copied().unwrap_or(255))]);
            }
        }
        texels
    }
}

/// Returns the alpha of each texel.
pub(super) fn alphas(view: &dyn Image) -> Vec<u8> {
    let [width, height] = view.size();
    let mut row = vec![[0; 4]; width as usize];
    let mut alphas = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        alphas.extend(view.row_rgba8(y, &mut row).iter().map(|texel| texel[3]));
    }
    alphas
}

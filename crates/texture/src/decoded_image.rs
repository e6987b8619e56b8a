//! Decoding of one image of a texture to texels.

use crate::{
    ChannelType, DecodeError, Image, ImageIndex, ImageView, ImageViewMut, RoundingRule, Task, Texel,
    TexelsMut, Texture,
    decode::{decode_any_into, decoded_channels},
    display,
};
use half::f16;

/// Options of [`Texture::decode`].
///
/// ```
/// use brickwork_texture::{DecodeOptions, RoundingRule};
///
/// let mut options = DecodeOptions::default();
/// options.rounding_rule = RoundingRule::Nvidia;
/// options.max_memory = 64 << 20;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeOptions {
    /// Rule by which values are rounded. Default: [`RoundingRule::Real`].
    pub rounding_rule: RoundingRule,
    /// Maximum number of bytes that texels and all blocks may take together. Default: 4 GiB.
    pub max_memory: u64,
    /// Type of the channels; as 8 or 16 bits, floats are clamped to 0..=1. Default: the type to which the
    /// format decodes, half floats for BC6H, 8 bits for other blocks, and the type of plain texels; those of
    /// RGB9E5 and R11G11B10 are half floats.
    pub channel_type: Option<ChannelType>,
    /// True to decode the texels as displayed: swizzled, upright and with straight alpha, as the texture's
    /// [`TextureDesc`](crate::TextureDesc) states. Slices are counted as stored. Default: false, which means
    /// the stored texels, which GPUs sample.
    pub display: bool,
}

impl DecodeOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self { rounding_rule: RoundingRule::Real, max_memory: 4 << 30, channel_type: None, display: false }
    }
}

/// Decoded RGBA texels, row by row from top to bottom without gaps.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DecodedTexels {
    /// 8 bits per channel.
    Rgba8(Vec<[u8; 4]>),
    /// 16 bits per channel.
    Rgba16(Vec<[u16; 4]>),
    /// Half floats.
    RgbaF16(Vec<[f16; 4]>),
    /// Single floats.
    RgbaF32(Vec<[f32; 4]>),
}

impl DecodedTexels {
    /// Returns `count` texels of zeros; `None` if there is no memory.
    fn zeroed(channel_type: ChannelType, count: usize) -> Option<Self> {
        fn zeros<T: Texel>(count: usize) -> Option<Vec<T>> {
            bytemuck::allocation::try_zeroed_vec(count).ok()
        }
        Some(match channel_type {
            ChannelType::U8 => Self::Rgba8(zeros(count)?),
            ChannelType::U16 => Self::Rgba16(zeros(count)?),
            ChannelType::F16 => Self::RgbaF16(zeros(count)?),
            ChannelType::F32 => Self::RgbaF32(zeros(count)?),
        })
    }

    fn as_mut(&mut self) -> TexelsMut<'_> {
        match self {
            Self::Rgba8(texels) => TexelsMut::Rgba8(texels),
            Self::Rgba16(texels) => TexelsMut::Rgba16(texels),
            Self::RgbaF16(texels) => TexelsMut::RgbaF16(texels),
            Self::RgbaF32(texels) => TexelsMut::RgbaF32(texels),
        }
    }

    /// Returns the texels if they have 8 bits per channel.
    pub fn as_rgba8(&self) -> Option<&[[u8; 4]]> {
        if let Self::Rgba8(texels) = self { Some(texels) } else { None }
    }

    /// Returns the texels if they have 8 bits per channel.
    pub fn into_rgba8(self) -> Option<Vec<[u8; 4]>> {
        if let Self::Rgba8(texels) = self { Some(texels) } else { None }
    }

    /// Returns the texels as bytes. Channels have the machine's byte order.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Rgba8(texels) => bytemuck::cast_slice(texels),
            Self::Rgba16(texels) => bytemuck::cast_slice(texels),
            Self::RgbaF16(texels) => bytemuck::cast_slice(texels),
            Self::RgbaF32(texels) => bytemuck::cast_slice(texels),
        }
    }
}

/// One image of a texture, decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedImage {
    width: u32,
    height: u32,
    texels: DecodedTexels,
}

impl DecodedImage {
    /// Returns the width in texels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in texels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the texels.
    pub fn texels(&self) -> &DecodedTexels {
        &self.texels
    }

    /// Returns the texels.
    pub fn into_texels(self) -> DecodedTexels {
        self.texels
    }

    /// Returns the image for encoders and metrics without copying it.
    pub fn view(&self) -> Box<dyn Image + '_> {
        fn view<T: Texel>(texels: &[T], width: u32, height: u32) -> Box<dyn Image + '_> {
            Box::new(ImageView::new(texels, width, height).expect("an image has its texels"))
        }
        let Self { width, height, texels } = self;
        match texels {
            DecodedTexels::Rgba8(texels) => view(texels, *width, *height),
            DecodedTexels::Rgba16(texels) => view(texels, *width, *height),
            DecodedTexels::RgbaF16(texels) => view(texels, *width, *height),
            DecodedTexels::RgbaF32(texels) => view(texels, *width, *height),
        }
    }
}

impl Texture {
    /// Decodes one image.
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, DecodeOptions, ImageIndex, Task, Texture, TextureDesc};
    ///
    /// let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 8).with_full_mips();
    /// let texture = Texture::new(desc, vec![0; desc.data_bytes() as usize])?;
    /// let index = ImageIndex { mip_level: 1, ..ImageIndex::default() };
    /// let image = texture.decode(index, &DecodeOptions::default(), &Task::new())?;
    /// assert_eq!((image.width(), image.height()), (4, 4));
    /// assert_eq!(image.texels().as_rgba8(), Some(&[[0, 0, 0, 255]; 16][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DecodeError`] if the image does not exist, there is too little memory, or the task is cancelled.
    pub fn decode(
        &self,
        index: ImageIndex,
        options: &DecodeOptions,
        task: &Task<'_>,
    ) -> Result<DecodedImage, DecodeError> {
        let desc = self.desc();
        desc.check_image(index)?;
        let channel_type = options.channel_type.unwrap_or_else(|| decoded_channels(desc.format));
        let [width, height, _] = desc.mip_level_size(index.mip_level);
        let texel_count = u64::from(width) * u64::from(height);
        let texel_bytes = texel_count.saturating_mul(4 * u64::from(channel_type.bytes()));
        let needed = texel_bytes.saturating_add(self.data().len() as u64);
        let too_large = |limit| DecodeError::TooLarge { needed, limit };
        if needed > options.max_memory {
            return Err(too_large(options.max_memory));
        }
        let texel_count = usize::try_from(texel_count).map_err(|_| too_large(usize::MAX as u64))?;
        let mut texels =
            DecodedTexels::zeroed(channel_type, texel_count).ok_or_else(|| too_large(isize::MAX as u64))?;
        let mut image = ImageViewMut::new(texels.as_mut(), width, height).expect("there is a texel");
        self.decode_into(index, options.rounding_rule, &mut image, task)?;
        if options.display {
            let row = width as usize;
            match &mut texels {
                DecodedTexels::Rgba8(texels) => display::apply(texels, row, desc, task),
                DecodedTexels::Rgba16(texels) => display::apply(texels, row, desc, task),
                DecodedTexels::RgbaF16(texels) => display::apply(texels, row, desc, task),
                DecodedTexels::RgbaF32(texels) => display::apply(texels, row, desc, task),
            }?;
        }
        Ok(DecodedImage { width, height, texels })
    }

    /// Decodes one image to `image`, rounding blocks by `rule`.
    ///
    /// # Errors
    /// [`DecodeError`] if the image does not exist, `image` has another size, or the task is cancelled.
    pub fn decode_into(
        &self,
        index: ImageIndex,
        rule: RoundingRule,
        image: &mut ImageViewMut<'_>,
        task: &Task<'_>,
    ) -> Result<(), DecodeError> {
        let desc = self.desc();
        let slices = self.image(index.layer, index.face, index.mip_level)?;
        desc.check_image(index)?;
        let [width, height, _] = desc.mip_level_size(index.mip_level);
        let given = [image.width(), image.height()];
        if given != [width, height] {
            return Err(DecodeError::Size { image: [width, height], given });
        }
        let slice_bytes = desc.format.image_bytes(width, height) as usize;
        let data = &slices[index.slice as usize * slice_bytes..][..slice_bytes];
        decode_any_into(desc.format, data, rule, desc.color_space, image, task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockFormat, TextureDesc};

    #[test]
    fn images_that_are_not_there_are_named() {
        let desc = TextureDesc::new_3d(BlockFormat::Bc1, 4, 4, 8).with_mip_levels(2);
        // Each slice has a different colour.
        let data = (0..desc.data_bytes() / 8).flat_map(|slice| [slice as u8, 0, 0, 0, 0, 0, 0, 0]).collect();
        let texture = Texture::new(desc, data).unwrap();
        let decode = |mip_level, slice, max_memory| {
            let index = ImageIndex { mip_level, slice, ..ImageIndex::default() };
            let options = DecodeOptions::default().with(|o| o.max_memory = max_memory);
            texture
                .decode(index, &options, &Task::new())
                .map(|image| image.into_texels().into_rgba8().unwrap())
        };
        let blue = |slice: u32| (slice * 255 + 15) / 31;
        assert_eq!(decode(0, 5, 160).unwrap(), [[0, 0, blue(5) as u8, 255]; 16]);
        assert_eq!(decode(1, 3, 160).unwrap(), [[0, 0, blue(8 + 3) as u8, 255]; 4]);
        let error = |mip_level, slice| decode(mip_level, slice, 160).unwrap_err().to_string();
        assert_eq!(error(1, 4), "there is no slice 4, only 0 to 3");
        assert_eq!(error(2, 0), "there is no mip level 2, only 0 to 1");
        let index = ImageIndex { layer: 1, ..ImageIndex::default() };
        let error = texture.decode(index, &DecodeOptions::default(), &Task::new()).unwrap_err();
        assert_eq!(error.to_string(), "there is no layer 1, only layer 0");
        let error = decode(0, 0, 159).unwrap_err();
        assert_eq!(
            error.to_string(),
            "blocks and texels need 160 bytes of memory, above the limit of 159 bytes"
        );
    }

    #[test]
    fn channels_may_have_any_type() {
        let desc = TextureDesc::new_2d(BlockFormat::Bc1, 4, 4);
        let texture = Texture::new(desc, vec![0, 0xf8, 0, 0xf8, 0, 0, 0, 0]).unwrap();
        let decode = |channel_type| {
            let options = DecodeOptions::default().with(|o| o.channel_type = Some(channel_type));
            texture.decode(ImageIndex::default(), &options, &Task::new()).unwrap()
        };
        let red = |image: &DecodedImage| {
            let view = image.view();
            view.row_rgba8(1, &mut [[0; 4]; 4])[3]
        };
        for (&channel_type, bytes) in ChannelType::ALL.iter().zip([64, 128, 128, 256]) {
            let image = decode(channel_type);
            assert_eq!((red(&image), image.texels().as_bytes().len()), ([255, 0, 0, 255], bytes));
        }
        assert_eq!(
            decode(ChannelType::F32).into_texels(),
            DecodedTexels::RgbaF32(vec![[1.0, 0.0, 0.0, 1.0]; 16])
        );
        let mut texels = [[7u8; 4]; 20];
        let mut image = ImageViewMut::with_stride(&mut texels[..], 4, 4, 5).unwrap();
        let (index, task) = (ImageIndex::default(), Task::new());
        texture.decode_into(index, RoundingRule::Exact, &mut image, &task).unwrap();
        assert_eq!(texels[3..7], [[255, 0, 0, 255], [7; 4], [255, 0, 0, 255], [255, 0, 0, 255]]);
        let mut image = ImageViewMut::new(&mut texels[..], 4, 3).unwrap();
        let error = texture.decode_into(index, RoundingRule::Exact, &mut image, &task).unwrap_err();
        assert_eq!(error.to_string(), "the image is 4×4 texels, the target 4×3");
    }
}

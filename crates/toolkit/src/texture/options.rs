//! Options of texture jobs.

mod check;
mod reading;

use super::{
    ChannelPacking, FormatChoice, NormalOptions, PictureChannel, RdoTarget, SizeRules, TextureLayout,
};
use brickwork_image::image_file::{DdsTenBitMasks, PictureUse, TransferFunction};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, PlainFormat, Swizzle, TextureDesc, TextureFormat,
    container::{ContainerFormat, DdsHeader, TextureWriteOptions},
    half::f16,
};

/// Requests for a texture. Properties that they do not state depend on the pictures.
#[derive(Clone, Copy, Debug)]
pub struct TextureOptions {
    format: FormatChoice,
    usage: PictureUse,
    color_space: Option<ColorSpace>,
    assigned_transfer: Option<TransferFunction>,
    converted_color_space: Option<ColorSpace>,
    layout: TextureLayout,
    mip_levels: MipLevels,
    given_mip_levels: u32,
    all_images: bool,
    packing: ChannelPacking,
    swizzle: Swizzle,
    size_rules: SizeRules,
    premultiply: bool,
    normals: NormalOptions,
    roughness_from_normals: bool,
    roughness_channel: PictureChannel,
    encode: EncodeOptions,
    container: Option<ContainerFormat>,
    dds_header: DdsHeader,
    zstd: Option<i32>,
    metrics: bool,
    dds_ten_bit_masks: DdsTenBitMasks,
    max_value: Option<f16>,
    rdo_target: Option<RdoTarget>,
}

/// A number of mip levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MipLevels {
    /// Down to 1×1.
    Full,
    /// At most this many, including mip level 0. 0 counts as 1.
    AtMost(u32),
}

impl MipLevels {
    fn of(self, desc: &TextureDesc) -> u32 {
        match self {
            Self::Full => desc.full_mip_levels(),
            Self::AtMost(count) => count.clamp(1, desc.full_mip_levels()),
        }
    }
}

impl TextureOptions {
    /// Returns the defaults: BC1, the colour space of the file, no mip levels, and the container of the
    /// output's extension.
    pub fn new() -> Self {
        Self {
            format: FormatChoice::of(BlockFormat::Bc1),
            usage: PictureUse::Unknown,
            color_space: None,
            assigned_transfer: None,
            converted_color_space: None,
            layout: TextureLayout::Layers,
            mip_levels: MipLevels::AtMost(1),
            given_mip_levels: 1,
            all_images: false,
            packing: ChannelPacking::new(),
            swizzle: Swizzle::IDENTITY,
            size_rules: SizeRules::new(),
            premultiply: false,
            normals: NormalOptions::new(),
            roughness_from_normals: false,
            roughness_channel: PictureChannel::Red,
            encode: EncodeOptions::new(),
            container: None,
            dds_header: DdsHeader::Auto,
            zstd: None,
            metrics: true,
            dds_ten_bit_masks: DdsTenBitMasks::Swapped,
            max_value: None,
            rdo_target: None,
        }
    }

    /// Sets the format. Default: BC1.
    #[must_use]
    pub const fn with_format(self, format: FormatChoice) -> Self {
        Self { format, ..self }
    }

    /// Sets the use of the pictures, for [`FormatChoice::AUTO`]. Default: [`PictureUse::Unknown`].
    #[must_use]
    pub const fn with_usage(self, usage: PictureUse) -> Self {
        Self { usage, ..self }
    }

    /// Sets the colour space. Default: none, which means that of the file.
    #[must_use]
    pub const fn with_color_space(self, color_space: Option<ColorSpace>) -> Self {
        Self { color_space, ..self }
    }

    /// Sets the transfer function of the pictures' numbers, in place of that of the files. Numbers of sRGB
    /// and linear light stay unless [`with_converted_color_space`](Self::with_converted_color_space) states
    /// another. A power is converted to the colour space of the options or of the format's name; without one,
    /// to linear light for floats and for formats without an sRGB form, else to sRGB. The pictures are
    /// colours. Default: none, which means that of the file.
    #[must_use]
    pub const fn with_assigned_transfer(self, transfer: Option<TransferFunction>) -> Self {
        Self { assigned_transfer: transfer, ..self }
    }

    /// Converts the numbers of colours to a colour space, after the swizzle and before all other changes
    /// ([`Picture::converted`](brickwork_image::image_file::Picture::converted)). The texture has this
    /// colour space, unless its format has no sRGB form. Default: none, which keeps the numbers.
    #[must_use]
    pub const fn with_converted_color_space(self, color_space: Option<ColorSpace>) -> Self {
        Self { converted_color_space: color_space, ..self }
    }

    /// Sets the images that the inputs contain. Default: [`TextureLayout::Layers`].
    #[must_use]
    pub const fn with_layout(self, layout: TextureLayout) -> Self {
        Self { layout, ..self }
    }

    /// Sets the number of mip levels. Levels that are not among the inputs are computed. Default: 1.
    #[must_use]
    pub const fn with_mip_levels(self, mip_levels: MipLevels) -> Self {
        Self { mip_levels, ..self }
    }

    /// Sets the number of mip levels among the inputs, including the largest. Each picture has the size of
    /// its mip level. Default: 1.
    #[must_use]
    pub const fn with_given_mip_levels(self, given_mip_levels: u32) -> Self {
        Self { given_mip_levels, ..self }
    }

    /// Sets if all images of a texture file are encoded: mip levels, layers, faces and slices, if the file is
    /// the only input. Default: `false`, which encodes the first one.
    #[must_use]
    pub const fn with_all_images(self, all_images: bool) -> Self {
        Self { all_images, ..self }
    }

    /// Replaces channels of the picture as it is read by those of other pictures of the same size, before the
    /// swizzle. These pictures follow the others, in the order of [`ChannelPacking::channels`]. Numbers are
    /// moved unchanged, without a transfer function. Colours that are packed do not make the picture
    /// [data](PictureUse::Data): set the use, too. Default: [`ChannelPacking::new`], no channel.
    #[must_use]
    pub const fn with_packing(self, packing: ChannelPacking) -> Self {
        Self { packing, ..self }
    }

    /// Sets the sources of red, green, blue and alpha, as channels of the pictures. A swizzle comes before
    /// all other changes: its result is clamped, resized and made a normal map, and formats are suggested for
    /// it. If alpha becomes a colour, names of files do not state the use of the pictures. Numbers stay as
    /// they are, without a transfer function. 1 is the maximum of integers, and 1.0 for floats. Grey is red,
    /// green and blue; a missing alpha is 1. Default: [`Swizzle::IDENTITY`].
    #[must_use]
    pub const fn with_swizzle(self, swizzle: Swizzle) -> Self {
        Self { swizzle, ..self }
    }

    /// Sets the rules for the size of the texture. Pictures are resized by the filter of the mip levels. If
    /// none is chosen, this is the box filter for floats, else Kaiser's. Formats are suggested for the
    /// texels before. Coverage is that of the resized picture. Default: the size of the pictures.
    #[must_use]
    pub const fn with_size_rules(self, size_rules: SizeRules) -> Self {
        Self { size_rules, ..self }
    }

    /// Multiplies colours by alpha, after all other changes. The texture states this, as far as its container
    /// can. It is for colours and for formats with alpha of at least 4 bits. Default: false.
    #[must_use]
    pub const fn with_premultiply(self, premultiply: bool) -> Self {
        Self { premultiply, ..self }
    }

    /// Sets the options of normal maps. They matter if the use is [`PictureUse::Normals`]. Default:
    /// [`NormalOptions::new`].
    #[must_use]
    pub const fn with_normals(self, normals: NormalOptions) -> Self {
        Self { normals, ..self }
    }

    /// Adds the spread of normals to the roughness of mip levels
    /// ([`roughened`](brickwork_texture::mips::roughened)). The last picture, or the last input of a job, is
    /// then the normal map, of any size. Mip level 0 changes only if the normal map has more texels. There is
    /// one picture besides it, which is [data](PictureUse::Data) or has [one
    /// channel](PictureUse::OneChannel). Default: false.
    #[must_use]
    pub const fn with_roughness_from_normals(self, roughness_from_normals: bool) -> Self {
        Self { roughness_from_normals, ..self }
    }

    /// Sets the channel of the roughness, after the swizzle. It matters with
    /// [`with_roughness_from_normals`](Self::with_roughness_from_normals). Default:
    /// [`PictureChannel::Red`].
    #[must_use]
    pub const fn with_roughness_channel(self, roughness_channel: PictureChannel) -> Self {
        Self { roughness_channel, ..self }
    }

    /// Sets the encoder's options. Default: [`EncodeOptions::new`].
    #[must_use]
    pub const fn with_encode_options(self, encode: EncodeOptions) -> Self {
        Self { encode, ..self }
    }

    /// Sets the container. Default: none, which means that of the output's extension, or DDS on standard
    /// output.
    #[must_use]
    pub const fn with_container(self, container: Option<ContainerFormat>) -> Self {
        Self { container, ..self }
    }

    /// Sets the header of DDS files. Default: [`DdsHeader::Auto`].
    #[must_use]
    pub const fn with_dds_header(self, dds_header: DdsHeader) -> Self {
        Self { dds_header, ..self }
    }

    /// Sets the level of KTX2's Zstandard compression, 1 to 22. Default: none, no compression.
    #[must_use]
    pub const fn with_zstd(self, level: Option<i32>) -> Self {
        Self { zstd: level, ..self }
    }

    /// Enables the measurement of the blocks' error. Default: true.
    #[must_use]
    pub const fn with_metrics(self, metrics: bool) -> Self {
        Self { metrics, ..self }
    }

    /// Sets the meaning of 10-bit masks in DDS files of plain texels. Default: [`DdsTenBitMasks::Swapped`].
    #[must_use]
    pub const fn with_dds_ten_bit_masks(self, dds_ten_bit_masks: DdsTenBitMasks) -> Self {
        Self { dds_ten_bit_masks, ..self }
    }

    /// Sets the largest magnitude of colours, for BC6H and plain formats of floats. Brighter floats are
    /// clamped before pictures are resized, mip levels made and blocks encoded, so that single bright texels
    /// (fireflies) do not spread. The sign of `max_value` is ignored. Default: none.
    #[must_use]
    pub const fn with_max_value(self, max_value: Option<f16>) -> Self {
        Self { max_value, ..self }
    }

    /// Searches for the λ of rate–distortion optimisation that reaches a target. Default: none.
    #[must_use]
    pub const fn with_rdo_target(self, rdo_target: Option<RdoTarget>) -> Self {
        Self { rdo_target, ..self }
    }

    /// Returns the format.
    pub const fn format(&self) -> &FormatChoice {
        &self.format
    }

    /// Returns the use of the pictures.
    pub const fn usage(&self) -> PictureUse {
        self.usage
    }

    /// Returns the colour space; none for that of the file.
    pub const fn color_space(&self) -> Option<ColorSpace> {
        self.color_space
    }

    /// Returns the transfer function of the pictures' numbers; none for that of the file.
    pub const fn assigned_transfer(&self) -> Option<TransferFunction> {
        self.assigned_transfer
    }

    /// Returns the colour space to which colours are converted, if they are.
    pub const fn converted_color_space(&self) -> Option<ColorSpace> {
        self.converted_color_space
    }

    /// True if the options state a transfer function, that of the pictures or another.
    pub(super) const fn has_transfer(&self) -> bool {
        self.assigned_transfer.is_some() || self.converted_color_space.is_some()
    }

    /// Returns the images that the inputs contain.
    pub const fn layout(&self) -> TextureLayout {
        self.layout
    }

    /// Returns the number of mip levels.
    pub const fn mip_levels(&self) -> MipLevels {
        self.mip_levels
    }

    /// Returns the number of mip levels among the inputs, at least 1.
    pub fn given_mip_levels(&self) -> u32 {
        self.given_mip_levels.max(1)
    }

    /// True if all images of a texture file are encoded.
    pub const fn all_images(&self) -> bool {
        self.all_images
    }

    /// Returns the channels that come from other pictures.
    pub const fn packing(&self) -> ChannelPacking {
        self.packing
    }

    /// Returns the sources of red, green, blue and alpha.
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// Returns the rules for the size of the texture.
    pub const fn size_rules(&self) -> &SizeRules {
        &self.size_rules
    }

    /// True if colours are multiplied by alpha.
    pub const fn premultiply(&self) -> bool {
        self.premultiply
    }

    /// Returns the options of normal maps.
    pub const fn normals(&self) -> &NormalOptions {
        &self.normals
    }

    /// True if the last picture is a normal map, whose spread is added to the roughness of mip levels.
    pub const fn roughness_from_normals(&self) -> bool {
        self.roughness_from_normals
    }

    /// Returns the channel of the roughness.
    pub const fn roughness_channel(&self) -> PictureChannel {
        self.roughness_channel
    }

    /// Returns the encoder's options.
    pub fn encode_options(&self) -> EncodeOptions {
        self.encode
    }

    /// Returns the container; none for that of the output's extension.
    pub const fn container(&self) -> Option<ContainerFormat> {
        self.container
    }

    /// Returns the header of DDS files.
    pub const fn dds_header(&self) -> DdsHeader {
        self.dds_header
    }

    /// Returns the level of KTX2's Zstandard compression.
    pub const fn zstd(&self) -> Option<i32> {
        self.zstd
    }

    /// True if the error of the blocks is measured.
    pub const fn metrics(&self) -> bool {
        self.metrics
    }

    /// Returns the meaning of 10-bit masks in DDS files of plain texels.
    pub const fn dds_ten_bit_masks(&self) -> DdsTenBitMasks {
        self.dds_ten_bit_masks
    }

    /// Returns the largest magnitude of colours, if there is a limit.
    pub fn max_value(&self) -> Option<f16> {
        self.max_value.map(|max| f16::from_bits(max.to_bits() & 0x7fff))
    }

    /// Returns the target of rate–distortion optimisation, if λ is searched for.
    pub const fn rdo_target(&self) -> Option<RdoTarget> {
        self.rdo_target
    }

    /// Returns the options of the container's writer.
    pub(super) fn write_options(&self) -> TextureWriteOptions {
        TextureWriteOptions::new().with_dds_header(self.dds_header).with_zstd(self.zstd)
    }

    /// Returns the encoder's options, without alpha if the format's name states that there is none.
    pub(super) fn effective_encode_options(&self) -> EncodeOptions {
        if self.format.is_without_alpha() {
            self.encode.with_bc1(self.encode.bc1().with_alpha_threshold(0))
        } else {
            self.encode
        }
    }

    /// Returns the colour space that the options or the format's name state.
    pub(super) fn stated_color_space(&self) -> Option<ColorSpace> {
        self.color_space.or(self.format.color_space())
    }

    /// True if the options state that the pictures are colours.
    pub(super) fn states_color(&self) -> bool {
        self.usage == PictureUse::Color
            || self.stated_color_space() == Some(ColorSpace::Srgb)
            || self.has_transfer()
    }

    /// True if the pictures are normals and the format is one for normals.
    pub(super) fn are_normals_of(&self, format: TextureFormat) -> bool {
        use BlockFormat::{Bc5Snorm, Bc5Unorm, Bc7};
        use PlainFormat::{Bgra8Unorm, Rg8Snorm, Rg8Unorm, Rgba8Snorm, Rgba8Unorm};
        self.usage == PictureUse::Normals
            && match format {
                TextureFormat::Block(format) => matches!(format, Bc5Unorm | Bc5Snorm | Bc7),
                // Normals have 8 bits.
                TextureFormat::Plain(format) => {
                    matches!(format, Rg8Unorm | Rg8Snorm | Rgba8Unorm | Rgba8Snorm | Bgra8Unorm)
                }
            }
    }

    /// Returns the number of mip levels of a texture with this shape.
    pub(super) fn mip_level_count(&self, desc: &TextureDesc) -> u32 {
        self.mip_levels.of(desc).max(self.given_mip_levels()).min(desc.full_mip_levels())
    }
}

impl Default for TextureOptions {
    fn default() -> Self {
        Self::new()
    }
}

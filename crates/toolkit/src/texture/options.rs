//! Options of texture jobs.

use super::{FormatChoice, NormalOptions, OptionsError, RdoTarget, SizeRules, TextureLayout, misfit};
use brickwork_texture::{
    BlockFormat, ColorSpace, CpuEncoder, EncodeOptions, ImageView, Swizzle, Task, TextureDesc,
    bc::bc1::Bc1Options,
    container::{ContainerFormat, DdsHeader, TextureWriteOptions},
    half::f16,
    image_file::{DdsTenBitMasks, ImageReadOptions, PictureUse},
};

/// Requests for a texture. Properties that they do not state depend on the pictures.
#[derive(Clone, Copy, Debug)]
pub struct TextureOptions {
    format: FormatChoice,
    usage: PictureUse,
    color_space: Option<ColorSpace>,
    layout: TextureLayout,
    mip_levels: MipLevels,
    given_mip_levels: u32,
    swizzle: Swizzle,
    size_rules: SizeRules,
    normals: NormalOptions,
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
            layout: TextureLayout::Layers,
            mip_levels: MipLevels::AtMost(1),
            given_mip_levels: 1,
            swizzle: Swizzle::IDENTITY,
            size_rules: SizeRules::new(),
            normals: NormalOptions::new(),
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

    /// Sets the block format. Default: BC1.
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

    /// Sets the number of mip levels among the inputs, including the largest. Default: 1.
    #[must_use]
    pub const fn with_given_mip_levels(self, given_mip_levels: u32) -> Self {
        Self { given_mip_levels, ..self }
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
    /// none is chosen, this is the box filter for half floats, else Kaiser's. Formats are suggested for the
    /// texels before. Coverage is that of the resized picture. Default: the size of the pictures.
    #[must_use]
    pub const fn with_size_rules(self, size_rules: SizeRules) -> Self {
        Self { size_rules, ..self }
    }

    /// Sets the options of normal maps. They matter if the use is [`PictureUse::Normals`]. Default:
    /// [`NormalOptions::new`].
    #[must_use]
    pub const fn with_normals(self, normals: NormalOptions) -> Self {
        Self { normals, ..self }
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

    /// Sets the largest magnitude of colours, for BC6H. Brighter half floats are clamped before pictures
    /// are resized, mip levels made and blocks encoded, so that single bright texels (fireflies) do not
    /// spread. The sign of `max_value` is ignored. Default: none.
    #[must_use]
    pub const fn with_max_value(self, max_value: Option<f16>) -> Self {
        Self { max_value, ..self }
    }

    /// Searches for the λ of rate–distortion optimisation that reaches a target. Default: none.
    #[must_use]
    pub const fn with_rdo_target(self, rdo_target: Option<RdoTarget>) -> Self {
        Self { rdo_target, ..self }
    }

    /// Returns the block format.
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

    /// Returns the sources of red, green, blue and alpha.
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// Returns the rules for the size of the texture.
    pub const fn size_rules(&self) -> &SizeRules {
        &self.size_rules
    }

    /// Returns the options of normal maps.
    pub const fn normals(&self) -> &NormalOptions {
        &self.normals
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

    /// Returns the options of the reader, with this limit of memory in bytes. Data keep the numbers of the
    /// file, even if their colours are multiplied by alpha.
    pub(super) fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        ImageReadOptions::new()
            .with_max_memory(max_memory)
            .with_dds_ten_bit_masks(self.dds_ten_bit_masks)
            .with_stored_alpha(self.usage == PictureUse::Data)
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
        self.usage == PictureUse::Color || self.stated_color_space() == Some(ColorSpace::Srgb)
    }

    /// True if the pictures are normals and the format is one for normals.
    pub(super) fn are_normals_of(&self, format: BlockFormat) -> bool {
        use BlockFormat::{Bc5Snorm, Bc5Unorm, Bc7};
        self.usage == PictureUse::Normals && matches!(format, Bc5Unorm | Bc5Snorm | Bc7)
    }

    /// Returns the number of mip levels of a texture with this shape.
    pub(super) fn mip_level_count(&self, desc: &TextureDesc) -> u32 {
        self.mip_levels.of(desc).max(self.given_mip_levels()).min(desc.full_mip_levels())
    }

    /// Checks that the options are compatible, before any picture is read.
    ///
    /// # Errors
    /// [`OptionsError`] if two options contradict each other or the format ignores one of them.
    pub fn check(&self) -> Result<(), OptionsError> {
        let has_lambda = !self.encode.rdo().is_off();
        if self.encode.weigh_by_alpha() && (has_lambda || self.rdo_target.is_some()) {
            return Err(OptionsError::ByAlphaWithRdo);
        }
        if has_lambda && self.rdo_target.is_some() {
            return Err(OptionsError::LambdaWithTarget);
        }
        self.check_exclusive()?;
        if self.encode.keep_coverage().is_some()
            && matches!(self.mip_levels, MipLevels::AtMost(0 | 1))
            && self.given_mip_levels() == 1
        {
            return Err(OptionsError::CoverageWithoutMips);
        }
        if let (Some(chosen), Some(named)) = (self.color_space, self.format.color_space())
            && chosen != named
        {
            return Err(OptionsError::ColorSpaceOfName { named, format: self.format.format() });
        }
        let is_opaque = self.encode.bc1().alpha_threshold() == 0;
        let default = Bc1Options::new().alpha_threshold();
        let has_threshold = !is_opaque && self.encode.bc1().alpha_threshold() != default;
        let is_about_alpha =
            has_threshold || self.encode.bc1().transparent_black() || self.encode.keep_coverage().is_some();
        if self.format.is_without_alpha() && is_about_alpha {
            return Err(OptionsError::AlphaOfName);
        }
        let is_srgb = self.stated_color_space() == Some(ColorSpace::Srgb);
        let is_data = matches!(self.usage, PictureUse::Normals | PictureUse::OneChannel | PictureUse::Data);
        if is_srgb && is_data {
            return Err(OptionsError::SrgbUse { usage: self.usage });
        }
        let Some(format) = self.format.format() else { return Ok(()) };
        if is_data && self.usage != PictureUse::Data && !self.are_normals_of(format) {
            return Err(OptionsError::UseOfFormat { usage: self.usage, format });
        }
        if self.color_space == Some(ColorSpace::Srgb) && !format.has_srgb() {
            return Err(OptionsError::NoSrgb { format });
        }
        misfit::check(self, format)?;
        // Encoding one block shows if there is an encoder.
        let texel = [[0u8; 4]];
        let mut block = vec![0; format.block_bytes()];
        if let Ok(image) = ImageView::new(&texel, 1, 1) {
            let options = self.effective_encode_options();
            CpuEncoder::new().encode_into(&image, format, &options, &mut block, &Task::new())?;
        }
        Ok(())
    }
}

impl TextureOptions {
    /// Checks that no option makes the encoder ignore another.
    fn check_exclusive(&self) -> Result<(), OptionsError> {
        let (encode, default) = (&self.encode, EncodeOptions::new());
        let (bc1, bc7) = (encode.bc1(), encode.bc7());
        let is_real_time = bc7.real_time().is_some();
        let pairs = [
            (is_real_time && encode.quality() != default.quality(), ["real-time", "quality"]),
            (is_real_time && bc7.modes() != default.bc7().modes(), ["real-time", "modes"]),
            (is_real_time && encode.weights() != default.weights(), ["real-time", "weights"]),
            (!bc1.three_color() && bc1.transparent_black(), ["no-three-color", "transparent-black"]),
        ];
        match pairs.into_iter().find(|(are_both, _)| *are_both) {
            Some((_, options)) => Err(OptionsError::Exclusive { options }),
            None => Ok(()),
        }
    }
}

impl Default for TextureOptions {
    fn default() -> Self {
        Self::new()
    }
}

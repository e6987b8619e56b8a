//! Options of an encoder.

use crate::{
    names::{self, flag, value},
    pointer::{InStruct, Out},
    status::{Failure, Status, guarded},
    structs::EncodeConfig,
};
use brickwork_image::image_file::TransferFunction;
use brickwork_texture::{
    AlphaMode, ChannelType, ChannelWeights, ColorSpace, EncodeError, EncodeOptions, RdoLambda, Swizzle,
    SwizzleSource, TexelType, TextureDesc, TextureFormat, TextureKind,
    bc::{
        bc1::Bc1Options,
        bc6h::Bc6hOptions,
        bc7::{Bc7Options, ModeSet},
    },
    encode_memory_bytes,
};
use brickwork_toolkit::texture::{
    ChannelPacking, FormatChoice, MipLevels, PictureChannel, RdoTarget, SizeRules, TextureLayout,
    TextureOptions, values,
};
use std::{fmt, num::NonZeroU8};

/// A valid `brickwork_encode_config`.
#[derive(Debug)]
pub struct Config {
    /// The options, apart from the other fields.
    pub options: TextureOptions,
    pub kind: TextureKind,
    pub layers: u32,
    pub depth: u32,
    /// None for all down to 1×1.
    pub mip_levels: Option<u32>,
    pub given_mip_levels: u32,
    pub color_space: Option<ColorSpace>,
    pub alpha_mode: Option<AlphaMode>,
}

impl EncodeConfig {
    /// Returns the defaults.
    pub const fn new() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            format: 1,
            quality: 3,
            kind: 1,
            layers: 1,
            depth: 1,
            mip_levels: 1,
            given_mip_levels: 1,
            mip_filter: 0,
            mip_wrap_x: 0,
            mip_wrap_y: 0,
            color_space: 0,
            alpha_mode: 0,
            keep_coverage: 0,
            normals: 0,
            rounding_rule: 0,
            weight_red: 1,
            weight_green: 1,
            weight_blue: 1,
            weigh_by_alpha: 0,
            rdo_lambda: 0.0,
            bc1_alpha_threshold: 128,
            bc1_three_color: 1,
            bc6h_metric: 0,
            bc7_real_time: 0,
            alpha_is_data: 0,
            dither: 0,
            bc1_transparent_black: 0,
            bc7_modes: 0,
            usage: 0,
            swizzle_red: 0,
            swizzle_green: 0,
            swizzle_blue: 0,
            swizzle_alpha: 0,
            pack_red: 0,
            pack_green: 0,
            pack_blue: 0,
            pack_alpha: 0,
            assign_oetf: 0,
            assign_gamma: 0.0,
            convert_oetf: 0,
            premultiply: 0,
            resize_width: 0,
            resize_height: 0,
            resize_percent: 0.0,
            max_size: 0,
            power_of_two: 0,
            multiple_of_4: 0,
            normal_flip_y: 0,
            from_height: 0.0,
            roughness_from_normals: 0,
            roughness_channel: 1,
            max_value: 0.0,
            target_psnr: 0.0,
            target_percent: 0.0,
            target_bytes: 0,
        }
    }

    fn encode_options(&self) -> Result<EncodeOptions, Failure> {
        let [red, green, blue] = [
            byte(self.weight_red, "weight_red")?,
            byte(self.weight_green, "weight_green")?,
            byte(self.weight_blue, "weight_blue")?,
        ];
        let weights = ChannelWeights::new(red, green, blue).ok_or_else(|| {
            let most = ChannelWeights::MAX_SUM;
            Failure::argument(format!(
                "weights are {red}, {green} and {blue}, expected at least 1 each, and a sum of at most {most}"
            ))
        })?;
        let lambda = RdoLambda::new(self.rdo_lambda).ok_or_else(|| {
            let (given, most) = (self.rdo_lambda, RdoLambda::MAX);
            Failure::argument(format!("rdo_lambda is {given}, expected a number from 0 to {most}"))
        })?;
        let bc1 = Bc1Options::new()
            .with_alpha_threshold(byte(self.bc1_alpha_threshold, "bc1_alpha_threshold")?)
            .with_three_color(flag(self.bc1_three_color, "bc1_three_color")?)
            .with_transparent_black(flag(self.bc1_transparent_black, "bc1_transparent_black")?);
        let metric = value(names::BC6H_METRICS, self.bc6h_metric, "bc6h_metric")?;
        let real_time = value(names::REAL_TIME_LEVELS, self.bc7_real_time, "bc7_real_time")?;
        let mip_wrap = [
            value(names::MIP_WRAPS, self.mip_wrap_x, "mip_wrap_x")?,
            value(names::MIP_WRAPS, self.mip_wrap_y, "mip_wrap_y")?,
        ];
        Ok(EncodeOptions::new()
            .with_quality(value(names::QUALITIES, self.quality, "quality")?)
            .with_rounding_rule(value(names::ROUNDING_RULES, self.rounding_rule, "rounding_rule")?)
            .with_weights(weights)
            .with_weigh_by_alpha(flag(self.weigh_by_alpha, "weigh_by_alpha")?)
            .with_rdo(lambda)
            .with_mip_filter(value(names::MIP_FILTERS, self.mip_filter, "mip_filter")?)
            .with_mip_wrap(mip_wrap)
            .with_normals(flag(self.normals, "normals")?)
            .with_alpha_is_data(flag(self.alpha_is_data, "alpha_is_data")?)
            .with_dither(flag(self.dither, "dither")?)
            .with_keep_coverage(NonZeroU8::new(byte(self.keep_coverage, "keep_coverage")?))
            .with_bc1(bc1)
            .with_bc6h(Bc6hOptions::new().with_metric(metric))
            .with_bc7(Bc7Options::new().with_modes(self.modes()?).with_real_time(real_time)))
    }

    fn modes(&self) -> Result<ModeSet, Failure> {
        let bits = byte(self.bc7_modes, "bc7_modes")?;
        let listed: Vec<_> =
            (0..8).filter(|mode| bits >> mode & 1 != 0).map(|mode| mode.to_string()).collect();
        if listed.is_empty() {
            return Ok(ModeSet::ALL);
        }
        parsed(&listed.join(","), "bc7_modes", str::parse)
    }

    fn swizzle(&self) -> Result<Swizzle, Failure> {
        let source = |number, field, same: SwizzleSource| -> Result<_, Failure> {
            Ok(value(names::SOURCES, number, field)?.unwrap_or(same))
        };
        Ok(Swizzle([
            source(self.swizzle_red, "swizzle_red", SwizzleSource::Red)?,
            source(self.swizzle_green, "swizzle_green", SwizzleSource::Green)?,
            source(self.swizzle_blue, "swizzle_blue", SwizzleSource::Blue)?,
            source(self.swizzle_alpha, "swizzle_alpha", SwizzleSource::Alpha)?,
        ]))
    }

    fn packing(&self) -> Result<ChannelPacking, Failure> {
        let channels = [
            (PictureChannel::Red, self.pack_red, "pack_red"),
            (PictureChannel::Green, self.pack_green, "pack_green"),
            (PictureChannel::Blue, self.pack_blue, "pack_blue"),
            (PictureChannel::Alpha, self.pack_alpha, "pack_alpha"),
        ];
        channels.into_iter().try_fold(ChannelPacking::new(), |packing, (channel, number, field)| {
            let source = value(names::CHANNELS, number, field)?;
            Ok(source.map_or(packing, |source| packing.with_channel(channel, source)))
        })
    }

    /// Returns the transfer function of the numbers, if the caller states it.
    fn assigned_transfer(&self) -> Result<Option<TransferFunction>, Failure> {
        let stated = value(names::COLOR_SPACES, self.assign_oetf, "assign_oetf")?;
        let gamma = |text: &str| values::transfer_function(&format!("gamma:{text}"));
        match (stated.map(TransferFunction::of), optional(self.assign_gamma, "assign_gamma", gamma)?) {
            (Some(_), Some(_)) => Err(Failure::argument("assign_oetf and assign_gamma exclude each other")),
            (stated, gamma) => Ok(stated.or(gamma)),
        }
    }

    fn size_rules(&self) -> Result<SizeRules, Failure> {
        let percent = |text: &str| values::picture_size(&format!("{text}%"));
        let percent = optional(self.resize_percent, "resize_percent", percent)?;
        let sides = match [self.resize_width, self.resize_height] {
            [0, 0] => None,
            [width, height] => {
                let text = format!("{width}x{height}");
                Some(parsed(&text, "resize_width and resize_height", values::picture_size)?)
            }
        };
        if percent.is_some() && sides.is_some() {
            return Err(Failure::argument("resize_percent and resize_width exclude each other"));
        }
        let power_of_two = value(names::POWERS_OF_TWO, self.power_of_two, "power_of_two")?;
        let mut rules = SizeRules::default();
        rules.size = percent.or(sides);
        rules.max = (self.max_size != 0).then_some(self.max_size);
        rules.power_of_two = power_of_two;
        rules.multiple_of_4 = flag(self.multiple_of_4, "multiple_of_4")?;
        Ok(rules)
    }

    fn rdo_target(&self) -> Result<Option<RdoTarget>, Failure> {
        let psnr = optional(self.target_psnr, "target_psnr", values::target_psnr)?.map(RdoTarget::Psnr);
        let percent = |text: &str| values::target_size(&format!("{text}%"));
        let share = optional(self.target_percent, "target_percent", percent)?;
        let bytes = (self.target_bytes != 0).then(|| RdoTarget::Bytes(self.target_bytes.into()));
        let mut targets = [psnr, share, bytes].into_iter().flatten();
        match (targets.next(), targets.next()) {
            (_, Some(_)) => {
                let text = "target_psnr, target_percent and target_bytes exclude each other";
                Err(Failure::argument(text))
            }
            (target, None) => Ok(target),
        }
    }

    /// Returns the options of a texture with this format and colour space.
    fn texture_options(
        &self,
        format: FormatChoice,
        color_space: Option<ColorSpace>,
    ) -> Result<TextureOptions, Failure> {
        let roughness_channel = value(names::CHANNELS, self.roughness_channel, "roughness_channel")?;
        let roughness_channel = roughness_channel
            .ok_or_else(|| Failure::argument("roughness_channel is 0, expected a number from 1 to 4"))?;
        let layout = match value(names::KINDS, self.kind, "kind")? {
            TextureKind::Cube => TextureLayout::Faces,
            TextureKind::D3 => TextureLayout::Slices,
            // The enum may grow.
            _ => TextureLayout::Layers,
        };
        let mip_levels = match self.mip_levels {
            0 => MipLevels::Full,
            count => MipLevels::AtMost(count),
        };
        let mut options = TextureOptions::default();
        options.format = format;
        options.usage = value(names::USAGES, self.usage, "usage")?;
        options.color_space = color_space;
        options.assign_oetf = self.assigned_transfer()?;
        options.convert_oetf = value(names::COLOR_SPACES, self.convert_oetf, "convert_oetf")?;
        options.layout = layout;
        options.mip_levels = mip_levels;
        options.given_mip_levels = self.given_mip_levels;
        options.packing = self.packing()?;
        options.swizzle = self.swizzle()?;
        options.size_rules = self.size_rules()?;
        options.premultiply = flag(self.premultiply, "premultiply")?;
        options.normals.flip_y = flag(self.normal_flip_y, "normal_flip_y")?;
        options.normals.height_scale = optional(self.from_height, "from_height", values::height_scale)?;
        options.roughness_from_normals = flag(self.roughness_from_normals, "roughness_from_normals")?;
        options.roughness_channel = roughness_channel;
        options.encode = self.encode_options()?;
        options.metrics = false;
        options.max_value = optional(self.max_value, "max_value", values::max_value)?;
        options.rdo_target = self.rdo_target()?;
        Ok(options.with_derived_use())
    }
}

impl Config {
    /// Checks the caller's struct.
    pub fn of(config: &InStruct<EncodeConfig>) -> Result<Self, Failure> {
        let config = config.required("config")?;
        let checked = |failure: Failure| failure.within("config");
        Self::checked(&config).map_err(checked)
    }

    fn checked(config: &EncodeConfig) -> Result<Self, Failure> {
        let (auto, _) = names::FORMAT_AUTO;
        let format = match config.format {
            number if number == auto => FormatChoice::AUTO,
            number => FormatChoice::of(value(names::FORMATS, number, "format")?),
        };
        let color_space = value(names::COLOR_SPACES, config.color_space, "color_space")?;
        if let Some(format) = format.format().filter(|format| !format.has_srgb())
            && color_space == Some(ColorSpace::Srgb)
        {
            return Err(Failure::argument(format!("color_space is sRGB, which {format} does not have")));
        }
        if config.layers == 0 || config.depth == 0 || config.given_mip_levels == 0 {
            return Err(Failure::argument("layers, depth or given_mip_levels is 0, expected at least 1"));
        }
        let is_normal_map = flag(config.normals, "normals")?;
        if is_normal_map && color_space == Some(ColorSpace::Srgb) {
            return Err(Failure::argument("color_space is sRGB, and normals are not colours"));
        }
        let color_space = color_space.or(is_normal_map.then_some(ColorSpace::Linear));
        let checked = Self {
            options: config.texture_options(format, color_space)?,
            kind: value(names::KINDS, config.kind, "kind")?,
            layers: config.layers,
            depth: config.depth,
            mip_levels: (config.mip_levels != 0).then_some(config.mip_levels),
            given_mip_levels: config.given_mip_levels,
            color_space,
            alpha_mode: value(names::ALPHA_MODES, config.alpha_mode, "alpha_mode")?,
        };
        if checked.alpha_mode.is_some() && checked.options.needs_pictures() {
            let number = config.alpha_mode;
            return Err(Failure::argument(format!(
                "alpha_mode is {number}, expected 0 with options that change images"
            )));
        }
        Ok(checked)
    }

    /// Returns the format.
    ///
    /// # Errors
    /// [`Failure`] if the images decide.
    pub fn format(&self) -> Result<TextureFormat, Failure> {
        let automatic = || Failure::argument("config: format is automatic, and this call needs a format");
        self.options.format.format().ok_or_else(automatic)
    }

    /// Returns the encoder's options.
    pub fn encode_options(&self) -> EncodeOptions {
        self.options.encode
    }

    /// Checks the number of images: those of the texture, then one for each packed channel, then the normal
    /// map of a roughness map.
    pub fn check_count(&self, given: usize) -> Result<(), Failure> {
        if self.kind == TextureKind::D3 && self.layers != 1 {
            return Err(Failure::argument("config: a 3D texture has one layer"));
        }
        if self.kind != TextureKind::D3 && self.depth != 1 {
            return Err(Failure::argument("config: only a 3D texture has a depth"));
        }
        let levels = u64::from(self.given_mip_levels);
        // Below 2³² slices there is one from mip level 32 on.
        let slices = |level: u64| u64::from(self.depth.checked_shr(level as u32).unwrap_or(0).max(1));
        let (faces, of_face) = match self.kind {
            TextureKind::Cube => (6, levels),
            TextureKind::D3 => (1, (0..levels.min(32)).map(slices).sum::<u64>() + levels.saturating_sub(32)),
            _ => (1, levels),
        };
        let layers = u64::from(self.layers).saturating_mul(faces);
        let others = self.options.packing.picture_count() as u64;
        let others = others + u64::from(self.options.roughness_from_normals);
        let needed = layers.saturating_mul(of_face).saturating_add(others);
        if needed == given as u64 { Ok(()) } else { Err(EncodeError::SurfaceCount { needed, given }.into()) }
    }

    /// Returns the texture of images of this size and type.
    pub fn desc(&self, width: u32, height: u32, texel_type: TexelType) -> Result<TextureDesc, Failure> {
        let format = self.format()?;
        let desc = match self.kind {
            TextureKind::Cube => TextureDesc::new_cube(format, width),
            TextureKind::D3 => TextureDesc::new_3d(format, width, height, self.depth),
            // The enum may grow.
            _ => TextureDesc::new_2d(format, width, height),
        };
        if self.kind == TextureKind::Cube && width != height {
            return Err(Failure::argument(format!("the faces of a cube are not square: {width}×{height}")));
        }
        if self.kind != TextureKind::D3 && self.depth != 1 {
            return Err(Failure::argument("config: only a 3D texture has a depth"));
        }
        let is_color = texel_type.channel_type() == ChannelType::U8 && format.has_srgb();
        let automatic = if is_color { ColorSpace::Srgb } else { ColorSpace::Linear };
        let usual = if texel_type.has_alpha() { AlphaMode::usual(format) } else { AlphaMode::Opaque };
        let desc = desc
            .with_layers(self.layers)
            .with_color_space(self.color_space.unwrap_or(automatic))
            .with_alpha_mode(self.alpha_mode.unwrap_or(usual));
        self.with_mips(desc)
    }

    /// Sets the mip levels of a texture, and checks it.
    pub fn with_mips(&self, desc: TextureDesc) -> Result<TextureDesc, Failure> {
        let desc = desc.with_mip_levels(self.mip_levels.unwrap_or_else(|| desc.full_mip_levels()));
        desc.check()?;
        if self.given_mip_levels > desc.mip_levels {
            let (given, all) = (self.given_mip_levels, desc.mip_levels);
            return Err(Failure::argument(format!("config: given_mip_levels is {given}, mip_levels {all}")));
        }
        Ok(desc)
    }
}

/// Returns a number from 0 to 255.
fn byte(number: u32, field: &str) -> Result<u8, Failure> {
    let failure = |_| Failure::argument(format!("{field} is {number}, expected a number from 0 to 255"));
    u8::try_from(number).map_err(failure)
}

/// Returns the value of a number whose text the toolkit parses.
fn parsed<T, E: fmt::Display>(
    text: &str,
    field: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, Failure> {
    parse(text).map_err(|reason| Failure::argument(format!("{field} is {text}: {reason}")))
}

/// Returns the value of a number; none for 0.
fn optional<T>(
    number: f32,
    field: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, Failure> {
    if number == 0.0 { Ok(None) } else { parsed(&number.to_string(), field, parse).map(Some) }
}

/// Sets the defaults of an encoder.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_config_init(mut config: Out<EncodeConfig>, struct_size: usize) -> Status {
    guarded(|| config.put_sized(EncodeConfig::new(), struct_size, "config"))
}

/// Returns the memory that encoding takes.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_size(
    config: InStruct<EncodeConfig>,
    width: u32,
    height: u32,
    mut texture_bytes: Out<u64>,
    mut memory_bytes: Out<u64>,
) -> Status {
    guarded(|| {
        let config = Config::of(&config)?;
        let has_texels = width > 0 && height > 0;
        let size = [width, height];
        let [width, height] = if has_texels { config.options.size_rules.of(size) } else { size };
        let desc = config.desc(width, height, TexelType::RGBA8)?;
        texture_bytes.put_if_given(desc.data_bytes(), "texture_bytes")?;
        memory_bytes.put_if_given(encode_memory_bytes(&desc, &config.encode_options()), "memory_bytes")
    })
}

#[cfg(test)]
mod c_tests {
    use super::*;
    use brickwork_image::image_file::PictureUse;
    use brickwork_texture::{BlockFormat, MipFilter, PlainFormat, half::f16};
    use brickwork_toolkit::texture::{PictureSize, PowerOfTwo};

    fn encode_options(config: &EncodeConfig) -> EncodeOptions {
        Config::checked(config).unwrap().encode_options()
    }

    #[test]
    fn normals_are_linear() {
        let normals = EncodeConfig { normals: 1, format: 10, ..EncodeConfig::new() };
        let desc = Config::checked(&normals).unwrap().desc(8, 4, TexelType::RGB8).unwrap();
        assert_eq!((desc.format.block(), desc.color_space), (Some(BlockFormat::Bc7), ColorSpace::Linear));
        assert!(Config::checked(&EncodeConfig { color_space: 1, ..normals }).is_err());
    }

    #[test]
    fn flags_of_colors_reach_the_encoder() {
        let config = EncodeConfig { alpha_is_data: 1, ..EncodeConfig::new() };
        assert_eq!(encode_options(&config), EncodeOptions::new().with_alpha_is_data(true));
        let config = EncodeConfig { dither: 1, ..EncodeConfig::new() };
        assert_eq!(encode_options(&config), EncodeOptions::new().with_dither(true));
        assert!(Config::checked(&EncodeConfig { dither: 2, ..EncodeConfig::new() }).is_err());
        assert!(Config::checked(&EncodeConfig { alpha_is_data: 2, ..EncodeConfig::new() }).is_err());
    }

    /// Tone curves of files count for colours only.
    #[test]
    fn numbers_of_files_are_kept_unless_they_are_colors() {
        let read = |config: EncodeConfig| Config::checked(&config).unwrap().options.read_options(7);
        let keeps = |config: EncodeConfig| read(config).stored_colors();
        let data = EncodeConfig { alpha_is_data: 1, ..EncodeConfig::new() };
        assert_eq!([EncodeConfig::new(), data].map(|config| read(config).stored_alpha()), [false, true]);
        assert_eq!(read(EncodeConfig::new()).max_memory(), 7);
        assert!(!keeps(EncodeConfig::new()));
        for config in [
            data,
            EncodeConfig { normals: 1, ..EncodeConfig::new() },
            EncodeConfig { color_space: 1, ..EncodeConfig::new() },
            EncodeConfig { format: 4, ..EncodeConfig::new() },
        ] {
            assert!(keeps(config), "{config:?}");
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_libraries() {
        let config = Config::checked(&EncodeConfig::new()).unwrap();
        let options = changed(|_| {});
        assert_eq!(format!("{:?}", config.options), format!("{options:?}"));
        assert!(!config.options.needs_pictures());
        assert_eq!(
            (config.format().unwrap().block(), config.kind),
            (Some(BlockFormat::Bc1), TextureKind::D2)
        );
        assert_eq!(config.desc(8, 4, TexelType::RGB8).unwrap(), {
            let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 4).with_color_space(ColorSpace::Srgb);
            desc.with_alpha_mode(AlphaMode::Opaque)
        });
    }

    /// Returns options of the toolkit without metrics.
    fn changed(change: impl FnOnce(&mut TextureOptions)) -> TextureOptions {
        let mut options = TextureOptions::default();
        options.metrics = false;
        change(&mut options);
        options
    }

    /// Each option of images becomes that of the toolkit, and only that.
    #[test]
    fn options_of_images_are_those_of_the_toolkit() {
        use SwizzleSource::{Alpha, Blue, Green, One};
        let base = EncodeConfig::new();
        let (srgb, linear) = (Some(ColorSpace::Srgb), Some(ColorSpace::Linear));
        let data = |options: &mut TextureOptions| {
            (options.usage, options.color_space) = (PictureUse::Data, linear);
        };
        let cases = [
            (EncodeConfig { format: 0, ..base }, changed(|options| options.format = FormatChoice::AUTO)),
            (EncodeConfig { usage: 4, ..base }, changed(|options| options.usage = PictureUse::OneChannel)),
            (
                EncodeConfig { swizzle_red: 4, swizzle_alpha: 6, ..base },
                changed(|options| options.swizzle = Swizzle([Alpha, Green, Blue, One])),
            ),
            (
                EncodeConfig { pack_green: 3, ..base },
                changed(|options| {
                    data(options);
                    options.packing =
                        ChannelPacking::new().with_channel(PictureChannel::Green, PictureChannel::Blue);
                }),
            ),
            (
                EncodeConfig { assign_oetf: 1, ..base },
                changed(|options| {
                    options.usage = PictureUse::Color;
                    options.assign_oetf = Some(TransferFunction::Srgb);
                }),
            ),
            (
                EncodeConfig { assign_gamma: 2.2, convert_oetf: 2, ..base },
                changed(|options| {
                    options.usage = PictureUse::Color;
                    options.assign_oetf = Some(TransferFunction::Gamma(2.2));
                    options.convert_oetf = linear;
                }),
            ),
            (
                EncodeConfig { convert_oetf: 1, ..base },
                changed(|options| {
                    options.usage = PictureUse::Color;
                    options.convert_oetf = srgb;
                }),
            ),
            (EncodeConfig { premultiply: 1, ..base }, changed(|options| options.premultiply = true)),
            (
                EncodeConfig { resize_width: 4, resize_height: 8, ..base },
                changed(|options| options.size_rules.size = Some(PictureSize::Texels(4, 8))),
            ),
            (
                EncodeConfig { resize_percent: 50.0, max_size: 64, ..base },
                changed(|options| {
                    options.size_rules.size = Some(PictureSize::Percent(50.0));
                    options.size_rules.max = Some(64);
                }),
            ),
            (
                EncodeConfig { power_of_two: 2, multiple_of_4: 1, ..base },
                changed(|options| {
                    options.size_rules.power_of_two = Some(PowerOfTwo::Up);
                    options.size_rules.multiple_of_4 = true;
                }),
            ),
            (
                EncodeConfig { normal_flip_y: 1, ..base },
                changed(|options| {
                    options.usage = PictureUse::Normals;
                    options.normals.flip_y = true;
                }),
            ),
            (
                EncodeConfig { from_height: -2.5, ..base },
                changed(|options| {
                    options.usage = PictureUse::Normals;
                    options.normals.height_scale = Some(-2.5);
                }),
            ),
            (
                EncodeConfig { roughness_from_normals: 1, roughness_channel: 2, ..base },
                changed(|options| {
                    data(options);
                    options.roughness_from_normals = true;
                    options.roughness_channel = PictureChannel::Green;
                }),
            ),
            (
                EncodeConfig { max_value: 9.5, ..base },
                changed(|options| options.max_value = Some(f16::from_f32(9.5))),
            ),
            (
                EncodeConfig { target_psnr: 38.5, ..base },
                changed(|options| options.rdo_target = Some(RdoTarget::Psnr(38.5))),
            ),
            (
                EncodeConfig { target_percent: 70.0, ..base },
                changed(|options| options.rdo_target = Some(RdoTarget::Share(0.7))),
            ),
            (
                EncodeConfig { target_bytes: 900, ..base },
                changed(|options| options.rdo_target = Some(RdoTarget::Bytes(900))),
            ),
        ];
        let filtered = EncodeOptions::new().with_mip_filter(Some(MipFilter::Box));
        for (config, options) in cases {
            let found = Config::checked(&EncodeConfig { mip_filter: 1, ..config }).unwrap().options;
            let expected = changed(|all| {
                *all = options;
                all.encode = filtered;
            });
            assert_eq!(format!("{found:?}"), format!("{expected:?}"));
            assert!(found.needs_pictures(), "{found:?}");
        }
    }

    #[test]
    fn options_of_encoders_need_no_pictures() {
        let checked = |config: EncodeConfig| {
            let config = Config::checked(&config).unwrap();
            assert!(!config.options.needs_pictures());
            config.encode_options()
        };
        let modes = EncodeConfig { bc7_modes: 1 << 1 | 1 << 6, ..EncodeConfig::new() };
        assert_eq!(Some(checked(modes).bc7().modes()), ModeSet::new(&[1, 6]));
        assert!(Config::checked(&EncodeConfig { bc7_modes: 15, ..modes }).is_err());
        assert!(Config::checked(&EncodeConfig { bc7_modes: 256, ..modes }).is_err());
        let black = EncodeConfig { bc1_transparent_black: 1, ..EncodeConfig::new() };
        assert!(checked(black).bc1().transparent_black());
        let plain = EncodeConfig { format: 15, ..EncodeConfig::new() };
        let desc = Config::checked(&plain).unwrap().desc(3, 2, TexelType::RGBA8).unwrap();
        assert_eq!(
            (desc.format.plain(), desc.color_space),
            (Some(PlainFormat::Rgba8Unorm), ColorSpace::Srgb)
        );
    }

    #[test]
    fn numbers_of_images_are_checked() {
        let count =
            |config: EncodeConfig, given| Config::checked(&config).unwrap().check_count(given).is_ok();
        let base = EncodeConfig::new();
        assert!(count(base, 1) && !count(base, 2));
        assert!(count(EncodeConfig { layers: 3, given_mip_levels: 2, ..base }, 6));
        assert!(count(EncodeConfig { kind: 2, layers: 2, ..base }, 12));
        // 4, 2, 1 and 1 slices.
        assert!(count(EncodeConfig { kind: 3, depth: 4, given_mip_levels: 4, ..base }, 8));
        assert!(!count(EncodeConfig { kind: 3, depth: 4, layers: 2, ..base }, 8));
        assert!(!count(EncodeConfig { depth: 2, ..base }, 2));
        let packed = EncodeConfig { pack_red: 1, pack_alpha: 2, roughness_from_normals: 1, ..base };
        assert!(count(packed, 4) && !count(packed, 3));
        assert!(!count(EncodeConfig { layers: u32::MAX, given_mip_levels: u32::MAX, ..base }, 1));
    }
}

//! Options of an encoder.

use crate::{
    names::{self, flag, value},
    pointer::{InStruct, Out},
    status::{Failure, Status, guarded},
    structs::EncodeConfig,
};
use brickwork_texture::{
    AlphaMode, BlockFormat, ChannelType, ChannelWeights, ColorSpace, EncodeOptions, RdoLambda, TexelType,
    TextureDesc, TextureKind,
    bc::{bc1::Bc1Options, bc6h::Bc6hOptions, bc7::Bc7Options},
    encode_memory_bytes,
    image_file::{ImageReadOptions, PictureUse},
};
use brickwork_toolkit::texture::{FormatChoice, TextureOptions};
use std::num::NonZeroU8;

/// A valid `brickwork_encode_config`.
#[derive(Debug)]
pub struct Config {
    pub format: BlockFormat,
    pub options: EncodeOptions,
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
    const fn new() -> Self {
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
        }
    }

    fn options(&self) -> Result<EncodeOptions, Failure> {
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
            .with_three_color(flag(self.bc1_three_color, "bc1_three_color")?);
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
            .with_bc7(Bc7Options::new().with_real_time(real_time)))
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
        let format = value(names::FORMATS, config.format, "format")?;
        let color_space = value(names::COLOR_SPACES, config.color_space, "color_space")?;
        if color_space == Some(ColorSpace::Srgb) && !format.has_srgb() {
            return Err(Failure::argument(format!("color_space is sRGB, which {format} does not have")));
        }
        if config.layers == 0 || config.depth == 0 || config.given_mip_levels == 0 {
            return Err(Failure::argument("layers, depth or given_mip_levels is 0, expected at least 1"));
        }
        let options = config.options()?;
        let is_normal_map = flag(config.normals, "normals")?;
        if is_normal_map && color_space == Some(ColorSpace::Srgb) {
            return Err(Failure::argument("color_space is sRGB, and normals are not colours"));
        }
        Ok(Self {
            format,
            options,
            kind: value(names::KINDS, config.kind, "kind")?,
            layers: config.layers,
            depth: config.depth,
            mip_levels: (config.mip_levels != 0).then_some(config.mip_levels),
            given_mip_levels: config.given_mip_levels,
            color_space: color_space.or(is_normal_map.then_some(ColorSpace::Linear)),
            alpha_mode: value(names::ALPHA_MODES, config.alpha_mode, "alpha_mode")?,
        })
    }

    /// Returns the texture of images of this size and type.
    pub fn desc(&self, width: u32, height: u32, texel_type: TexelType) -> Result<TextureDesc, Failure> {
        let desc = match self.kind {
            TextureKind::Cube => TextureDesc::new_cube(self.format, width),
            TextureKind::D3 => TextureDesc::new_3d(self.format, width, height, self.depth),
            // (The enum may grow.)
            _ => TextureDesc::new_2d(self.format, width, height),
        };
        if self.kind == TextureKind::Cube && width != height {
            return Err(Failure::argument(format!("the faces of a cube are not square: {width}×{height}")));
        }
        if self.kind != TextureKind::D3 && self.depth != 1 {
            return Err(Failure::argument("config: only a 3D texture has a depth"));
        }
        let is_color = texel_type.channel_type() == ChannelType::U8 && self.format.has_srgb();
        let automatic = if is_color { ColorSpace::Srgb } else { ColorSpace::Linear };
        let usual = if texel_type.has_alpha() { AlphaMode::usual(self.format) } else { AlphaMode::Opaque };
        let desc = desc
            .with_layers(self.layers)
            .with_color_space(self.color_space.unwrap_or(automatic))
            .with_alpha_mode(self.alpha_mode.unwrap_or(usual));
        self.with_mips(desc)
    }

    /// Returns the options of the reader of image files. If `max_memory` is 0, the limit is the default.
    pub fn read_options(&self, max_memory: u64) -> ImageReadOptions {
        let usage = if self.options.alpha_is_data() { PictureUse::Data } else { PictureUse::Unknown };
        let default = ImageReadOptions::new().max_memory();
        TextureOptions::new()
            .with_format(FormatChoice::of(self.format))
            .with_usage(usage)
            .with_color_space(self.color_space)
            .read_options(if max_memory == 0 { default } else { max_memory })
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
        let desc = config.desc(width, height, TexelType::RGBA8)?;
        texture_bytes.put_if_given(desc.data_bytes(), "texture_bytes")?;
        memory_bytes.put_if_given(encode_memory_bytes(&desc, &config.options), "memory_bytes")
    })
}

#[cfg(test)]
mod c_tests {
    use super::*;

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
        assert_eq!(Config::checked(&config).unwrap().options, EncodeOptions::new().with_alpha_is_data(true));
        let config = EncodeConfig { dither: 1, ..EncodeConfig::new() };
        assert_eq!(Config::checked(&config).unwrap().options, EncodeOptions::new().with_dither(true));
        assert!(Config::checked(&EncodeConfig { dither: 2, ..EncodeConfig::new() }).is_err());
        assert!(Config::checked(&EncodeConfig { alpha_is_data: 2, ..EncodeConfig::new() }).is_err());
    }

    /// Tone curves of files count for colours only.
    #[test]
    fn numbers_of_files_are_kept_unless_they_are_colors() {
        let read = |config: EncodeConfig| Config::checked(&config).unwrap().read_options(7);
        let keeps = |config: EncodeConfig| read(config).stored_curves();
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
        assert_eq!(config.options, EncodeOptions::new());
        assert_eq!((config.format, config.kind), (BlockFormat::Bc1, TextureKind::D2));
        assert_eq!(config.desc(8, 4, TexelType::RGB8).unwrap(), {
            let desc = TextureDesc::new_2d(BlockFormat::Bc1, 8, 4).with_color_space(ColorSpace::Srgb);
            desc.with_alpha_mode(AlphaMode::Opaque)
        });
    }
}

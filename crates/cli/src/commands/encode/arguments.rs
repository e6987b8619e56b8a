//! Arguments of `brickwork encode`.

use super::{channels::ChannelArgs, reading::ReadingArgs, target::TargetArgs, transfer::TransferArgs};
use crate::{
    device::DeviceArgs,
    failure::Failure,
    jobs::BatchArgs,
    machine::MachineArgs,
    values::{self, decoder_parser},
};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{
    ChannelWeights, ColorSpace, EncodeOptions, MipFilter, MipWrap, Quality, RdoLambda, RoundingRule,
    bc::{
        bc1::{Bc1Options, Method},
        bc6h::{Bc6hMetric, Bc6hOptions},
        bc7::{Bc7Options, ModeSet, RealTime},
    },
    container::{ContainerFormat, DdsHeader},
    half::f16,
};
use brickwork_toolkit::texture::{
    EncodeOption, FormatChoice, MipLevels, OptionsError, PictureSize, PowerOfTwo, SizeRules, TextureOptions,
};
use std::{num::NonZeroU8, path::PathBuf};

/// Compress images to block formats, or store plain texels, as DDS or KTX2 files
///
/// Reads PNG, JPEG, TGA, BMP, TIFF, WebP, GIF, PNM, EXR, Radiance HDR, DDS and KTX2. The extension of -o
/// decides the container: .dds or .ktx2. Without -o, photo.png becomes photo.dds beside it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork encode photo.png                           photo.dds beside it, BC1, no mip levels
  brickwork encode photo.png -o photo.ktx2 --zstd      KTX2, compressed again with Zstandard
  brickwork encode art.png -f bc7 -o a.ktx2 --zstd --rdo 2   the same, smaller, for some error
  brickwork encode photo.png -f bc7 -o p.ktx2 --zstd --target-psnr 38   as small as 38 dB allow
  brickwork encode sky.png --dither -o sky.dds         a gradient without bands, with noise
  brickwork encode old.png --assign-oetf gamma:1.8 -o old.dds   numbers of an old Mac, as sRGB
  brickwork encode photo.png --convert-oetf linear -f bc6h   light instead of sRGB numbers
  brickwork encode rock.png -o out/rock.dds --mips     mip levels down to 1×1
  brickwork encode rock.png -o a.dds --mips --mip-wrap repeat   for a tiled texture
  brickwork encode rock.png --level 1=rock_mip1.png -o a.dds --mips   level 1 as drawn, others made
  brickwork encode leaves.png -f bc3 --mips --keep-coverage   leaves that stay visible far away
  brickwork encode textures/ -o small/ --max-size 1024 --multiple-of-4 --mips   for low settings
  brickwork encode textures/ -o out/ -f auto           every image of a folder, in what suits it
  brickwork encode textures/ -r -o out/ --update       subfolders too; only what has changed
  brickwork encode textures/ -r -o out/ --rules rules.toml   options by file name (docs/textures.md)
  brickwork encode textures/ -r -o out/ --cache cache/ --prune   only what changed; no stale outputs
  brickwork encode decal.png -f bc3 -o decal.dds       colours with alpha
  brickwork encode normals.png -f bc5 --normal --mips  normal map: red and green
  brickwork encode bumps.png -f bc5 --from-height 8 --mips   normal map from heights
  brickwork encode rough.png -f bc4 --mips --roughness-from normals.png   bumps rough from afar
  brickwork encode art.png -f bc7 -o art.ktx2          colours with alpha, as close as blocks can be
  brickwork encode art.png -f bc7 --premultiply --mips -o art.dds   for blending without fringes
  brickwork encode art.png -f bc4 --swizzle aaa1 -o alpha.dds   alpha alone, as one channel
  brickwork encode art.png -f bc7 --data --mips -o masks.dds   packed masks: linear
  brickwork encode ao.png --channel g=rough.png --channel b=metal.png -f bc7 -o orm.dds   packed
  brickwork encode art.png -f rgba8 -o art.ktx2 --zstd --mips   plain texels, without loss
  brickwork encode sky.exr -f rgb9e5 -o sky.ktx2 --mips   floats with a shared exponent
  brickwork encode sky.png --adapter rtx               on the GPU with \"rtx\" in its name
  magick art.psd[0] png:- | brickwork encode - -o art.dds")]
pub struct Args {
    /// Images, folders of images, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(in crate::commands) inputs: Vec<PathBuf>,

    /// File to write, folder for several (existing, or ending in /), or - for standard output
    #[arg(short, long, value_name = "FILE|DIR/", help_heading = "Output")]
    pub(in crate::commands) output: Option<PathBuf>,

    /// Container if no file name decides it: in a folder, beside the input, on stdout [default: dds]
    #[arg(long, value_name = "NAME", value_parser = values::container_parser(), help_heading = "Output")]
    pub(in crate::commands) container: Option<ContainerFormat>,

    /// DDS: write the Direct3D 10 header, which can state sRGB [default: only if needed]
    #[arg(long, conflicts_with = "legacy", help_heading = "Output")]
    dx10: bool,

    /// DDS: write the Direct3D 9 header, for old readers
    #[arg(long, help_heading = "Output")]
    legacy: bool,

    /// KTX2: compress with Zstandard, level 1 to 22 [default level: 9]
    #[arg(
        long,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "9",
        value_parser = clap::value_parser!(i32).range(1..=22),
        help_heading = "Output"
    )]
    zstd: Option<i32>,

    /// Do not measure the error (PSNR)
    #[arg(long, help_heading = "Output")]
    no_metrics: bool,

    #[command(flatten)]
    pub(in crate::commands) batch: BatchArgs,

    /// Format: bc1, bc2, bc3, bc4, bc4s, bc5, bc5s, bc6h, bc6hs, bc7, auto, a plain format such as rgba8, or
    /// a DXGI_FORMAT_ or VK_FORMAT_ name
    ///
    /// bc1 is RGB with 1-bit alpha. bc2, bc3 and bc7 are RGBA, and bc7 is by far the closest. bc4 stores only
    /// red (grey), bc5 red and green (normal maps). bc4s and bc5s are signed: 0 in the image is -1, 255 is 1.
    /// bc6h is RGB half floats in linear light, bc6hs signed ones.
    ///
    /// Plain formats store each texel by itself. r8, rg8, rgba8, bgra8, r16, rg16 and rgba16 have 8 or 16
    /// bits per channel. r8s, rg8s, rgba8s, r16s, rg16s and rgba16s are signed. r16f, rg16f, rgba16f, r32f,
    /// rg32f and rgba32f have floats. rgb9e5 has three floats of 9 bits with a shared exponent, rg11b10f
    /// three small floats; both take 32 bits per texel and have no numbers below 0. Floats are linear; an
    /// sRGB image needs --convert-oetf linear, or --linear or --data, which keep its numbers.
    ///
    /// auto chooses a block format for each image: bc6h for floats (bc6hs if texels below 0 matter), bc5 for
    /// a normal map (bc7 if normals face away or have alpha), bc4 for grey, bc7 for art with several hues in
    /// a block, bc7 (bc3 with --legacy) for soft alpha, else bc1. File names such as rock_n, rock_orm and
    /// rock_albedo count, and the report names them as the reason. Without such a name, texels show normals,
    /// masks and lookup tables, and a note reports it. A format's name that states a colour space, such as
    /// DXGI_FORMAT_BC1_UNORM_SRGB, sets it. Old names, such as DXT5 and ATI2, also count. With a rule file,
    /// the default is auto. [default: bc1]
    #[arg(short, long, value_name = "NAME", help_heading = "Blocks")]
    format: Option<FormatChoice>,

    #[command(flatten)]
    pub(in crate::commands) channels: ChannelArgs,

    /// Trade encoding time for quality
    #[arg(short, long, value_name = "LEVEL", default_value = "normal",
        value_parser = values::quality_parser(), help_heading = "Blocks")]
    quality: Quality,

    /// BC1 to BC3: algorithm that searches for endpoints of colours; auto is cluster-fit
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = values::method_parser(),
        help_heading = "Blocks")]
    method: Method,

    /// Decoder whose rounding the blocks are optimised for and errors are measured with. real and exact
    /// differ only for BC4 and BC5: real does not round to 8 bits. BC4, BC5 and the alpha of BC3 are not
    /// optimised for nvidia
    #[arg(long, value_name = "NAME", default_value = "real", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: RoundingRule,

    /// BC1 to BC3, BC7: weights of errors in red, green and blue: uniform, luma (BT.709: 54,183,19), or whole
    /// numbers R,G,B
    #[arg(long, value_name = "R,G,B", default_value = "uniform", value_parser = values::weights,
        help_heading = "Blocks")]
    weights: ChannelWeights,

    /// BC6H: error that is minimised: that of bit patterns, or of log2(1 + |x|) [default: pattern for bc6h,
    /// log for bc6hs]
    ///
    /// pattern weights relative errors alike at every brightness. log gives less weight to numbers far below
    /// 1. Only the CPU encodes with another metric than the default.
    #[arg(long, value_name = "NAME", value_parser = values::metric_parser(), help_heading = "Blocks")]
    metric: Option<Bc6hMetric>,

    /// BC6H and plain floats: clamp brighter colours to X, above 0 and at most 65504, before the image is
    /// resized and mip levels are made
    #[arg(long, value_name = "X", value_parser = values::max_value, help_heading = "Blocks")]
    max_value: Option<f16>,

    /// BC7: modes that blocks may have, as a list such as 1,6 [default: all, 0 to 7]
    #[arg(long, value_name = "LIST", help_heading = "Blocks")]
    modes: Option<ModeSet>,

    /// BC7: encode in real time, at level 1 or 2, with mode 6 only
    ///
    /// On photographs, level 1 is about seven times as fast as the quality ultrafast, and 3.4 dB below it.
    /// Level 2 is more than twice as fast, and 1.7 dB below it. On a GPU, each level is one small kernel.
    #[arg(long, value_name = "LEVEL", value_parser = values::real_time_parser(),
        conflicts_with_all = ["quality", "modes", "weights"], help_heading = "Blocks")]
    real_time: Option<RealTime>,

    /// BC1, BC3, BC4, BC5, BC7: make blocks more compressible; LAMBDA is the squared error that one bit is
    /// worth, 0 to 100
    ///
    /// This is rate–distortion optimisation, for textures that are compressed again by --zstd or in an
    /// archive. 0 changes nothing. 2 is a good start for bc7, 8 for bc1 and bc3. docs/performance.md lists
    /// sizes and errors.
    #[arg(
        long,
        value_name = "LAMBDA",
        default_value = "0",
        allow_hyphen_values = true,
        help_heading = "Blocks"
    )]
    rdo: RdoLambda,

    #[command(flatten)]
    target: TargetArgs,

    /// BC1: never use the three-colour mode, which some old decoders decode wrongly
    #[arg(long, help_heading = "Blocks")]
    no_three_color: bool,

    /// BC1: let dark texels use transparent black; such texels decode with alpha 0
    ///
    /// The error becomes smaller, but such texels decode with alpha 0. Use it only if the shader ignores
    /// alpha and nothing else (blending, alpha test, a later tool) reads it.
    #[arg(long, conflicts_with = "no_three_color", help_heading = "Blocks")]
    transparent_black: bool,

    /// Dither colours to the 5, 6 and 5 bits of endpoints (BC1 to BC3), else 16-bit images to 8 bits, against
    /// bands in gradients
    ///
    /// The error becomes larger: PSNR is that of the image before. Smooth gradients lose most, and the noise
    /// is visible where they had no bands. Alpha is not dithered. bc6h and plain formats have no such option.
    /// The CPU dithers, and makes the mip levels.
    #[arg(long, help_heading = "Blocks")]
    dither: bool,

    /// BC1: texels with alpha below N become transparent, the others opaque [default: 128]
    #[arg(long, value_name = "N", help_heading = "Alpha")]
    alpha_threshold: Option<u8>,

    /// BC1: ignore alpha; every texel becomes opaque (--alpha-threshold 0)
    #[arg(long, conflicts_with = "alpha_threshold", help_heading = "Alpha")]
    pub(super) opaque: bool,

    /// BC2, BC3: weight errors of colours by alpha, in favour of the more visible texels
    ///
    /// For straight alpha that is blended. A texel with alpha 0 counts as much as one with alpha 1. The pass
    /// always runs on the CPU.
    #[arg(long, help_heading = "Alpha")]
    weigh_by_alpha: bool,

    /// Multiply colours by alpha: bc2, bc3, bc7 and plain formats with alpha
    ///
    /// Light is multiplied if the texture is sRGB, after new sizes and before mip levels. The file states it:
    /// KTX2 and the Direct3D 10 header of DDS; with --legacy, bc2 and bc3 become DXT2 and DXT4. decode,
    /// compare and report divide the colours by alpha. The measured error is that of the multiplied colours.
    #[arg(long, conflicts_with_all = ["weigh_by_alpha", "keep_coverage"], help_heading = "Alpha")]
    premultiply: bool,

    /// The image contains sRGB colours [default: as the file states; the report gives the reason]
    #[arg(long, conflicts_with = "linear", help_heading = "Colour space")]
    srgb: bool,

    /// The image contains linear data: normals, roughness, masks; --data if alpha is one of the channels
    #[arg(long, help_heading = "Colour space")]
    linear: bool,

    #[command(flatten)]
    pub(super) transfer: TransferArgs,

    /// Resize the image, in texels or percent, such as 512x256 or 50%
    #[arg(long, value_name = "WxH|P%", value_parser = values::picture_size, help_heading = "Size")]
    resize: Option<PictureSize>,

    /// Shrink larger images until no side has more than N texels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Size")]
    max_size: Option<u32>,

    /// Round each side to a power of two: nearest (in ratio), up or down
    #[arg(long, value_name = "RULE", value_parser = values::power_of_two_parser(), help_heading = "Size")]
    power_of_two: Option<PowerOfTwo>,

    /// Round each side up to a multiple of 4, or down if it would exceed --max-size, but to 4 at least;
    /// Direct3D requires multiples of 4 of block-compressed textures
    #[arg(long, help_heading = "Size")]
    multiple_of_4: bool,

    /// Generate mip levels: at most N, including the image; all, down to 1×1; or none [default: none]
    #[arg(
        long,
        value_name = "N|all|none",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = values::mip_levels,
        help_heading = "Mip levels"
    )]
    mips: Option<MipLevels>,

    /// Filter of mip levels and of new sizes: box and triangle are soft, the others up to lanczos3 are
    /// sharper [default: kaiser; box for new sizes of floats (HDR), and for mip levels with ultrafast, fast,
    /// --real-time, formats of floats, cubes and 3D textures]
    #[arg(long, value_name = "NAME", value_parser = values::mip_filter_parser(), help_heading = "Mip levels")]
    mip_filter: Option<MipFilter>,

    /// Texels past the edges, for the filter: clamp, repeat (for tiles) or mirror; or X,Y for each axis
    #[arg(long, value_name = "NAME", default_value = "clamp", value_parser = values::mip_wrap,
        help_heading = "Mip levels")]
    mip_wrap: [MipWrap; 2],

    /// Scale the alpha of mip levels so that an alpha test at X leaves the same share of texels; X is above 0
    /// and at most 1 [default X: 0.5]
    ///
    /// For leaves, hair and fences, which otherwise vanish or close in the distance. X is the reference of
    /// the engine's alpha test. For BC1 it should be --alpha-threshold / 255. It needs mip levels.
    #[arg(long, value_name = "X", num_args = 0..=1, require_equals = true, default_missing_value = "0.5",
        value_parser = values::alpha_reference, help_heading = "Mip levels")]
    keep_coverage: Option<NonZeroU8>,

    #[command(flatten)]
    pub(in crate::commands) device: DeviceArgs,

    #[command(flatten)]
    pub(in crate::commands) reading: ReadingArgs,

    #[command(flatten)]
    pub(in crate::commands) machine: MachineArgs,
}

impl Args {
    /// True if the command line states a format.
    pub(in crate::commands) fn states_format(&self) -> bool {
        self.format.is_some()
    }

    /// Returns the option that states that the images are linear, if there is one.
    pub(super) fn linear_flag(&self) -> Option<&'static str> {
        if self.linear { Some("--linear") } else { self.channels.data_flag() }
    }

    /// True if λ of `--rdo` is searched for.
    pub(super) fn has_target(&self) -> bool {
        self.target.target().is_some()
    }

    /// Adds a hint if a value was parsed as an image. `--mips 5` and `--zstd 5` look natural, but need a `=`.
    pub(super) fn hint_at_values_taken_for_files(&self) -> Result<(), Failure> {
        for path in self.inputs.iter().filter(|path| !path.exists()) {
            let text = path.to_string_lossy();
            let option = if self.mips.is_some() && values::mip_levels(&text).is_ok() {
                "mips"
            } else if self.zstd.is_some() && text.parse::<i32>().is_ok() {
                "zstd"
            } else if self.keep_coverage.is_some() && values::alpha_reference(&text).is_ok() {
                "keep-coverage"
            } else {
                continue;
            };
            return Err(Failure::usage(format!("there is no image \"{text}\""))
                .hint(format!("for the value of --{option} write --{option}={text}")));
        }
        Ok(())
    }

    /// Refuses options that are given with their default values if the chosen format ignores them. The
    /// library refuses other values.
    pub(super) fn check_given(&self, choice: FormatChoice) -> Result<(), OptionsError> {
        let Some(format) = choice.format() else { return Ok(()) };
        if choice.is_without_alpha() && self.alpha_threshold.is_some() {
            return Err(OptionsError::AlphaOfName);
        }
        let given = [
            (self.alpha_threshold.is_some(), EncodeOption::AlphaThreshold),
            (self.modes.is_some(), EncodeOption::Modes),
        ];
        match given.into_iter().find(|(is_given, option)| *is_given && !option.is_for(format)) {
            Some((_, option)) => Err(OptionsError::Ignored { option, format }),
            None => Ok(()),
        }
    }

    fn format(&self) -> FormatChoice {
        self.format.unwrap_or(*TextureOptions::new().format())
    }

    /// Returns the requests that rules refine, without the options that override rules.
    pub(super) fn base_of_rules(&self) -> TextureOptions {
        self.reading.options().with_format(FormatChoice::AUTO).with_metrics(self.measures())
    }

    /// Returns the requests of the command line that must fit each other with any rules, which may choose the
    /// format and the mip levels.
    pub(super) fn options_beside_rules(&self) -> TextureOptions {
        self.options()
            .with_format(self.format.unwrap_or(FormatChoice::AUTO))
            .with_mip_levels(self.mips.unwrap_or(MipLevels::Full))
    }

    /// True if the error is measured.
    fn measures(&self) -> bool {
        !self.batch.is_silent() && !self.no_metrics
    }

    /// Returns the requests for each texture.
    pub(super) fn options(&self) -> TextureOptions {
        let are_colors = self.srgb || self.transfer.is_given();
        let of_color_space = if are_colors { PictureUse::Color } else { PictureUse::Unknown };
        let color_space = match (self.srgb, self.linear_flag().is_some()) {
            (true, _) => Some(ColorSpace::Srgb),
            (_, true) => Some(ColorSpace::Linear),
            _ => None,
        };
        let size_rules = SizeRules::new()
            .with_size(self.resize)
            .with_max(self.max_size)
            .with_power_of_two(self.power_of_two)
            .with_multiple_of_4(self.multiple_of_4);
        let header = match (self.dx10, self.legacy) {
            (true, _) => DdsHeader::Dx10,
            (_, true) => DdsHeader::Legacy,
            _ => DdsHeader::Auto,
        };
        self.reading
            .options()
            .with_format(self.format())
            .with_usage(self.channels.usage().unwrap_or(of_color_space))
            .with_color_space(color_space)
            .with_assigned_transfer(self.transfer.assigned())
            .with_converted_color_space(self.transfer.converted())
            .with_mip_levels(self.mips.unwrap_or(MipLevels::AtMost(1)))
            .with_swizzle(self.channels.swizzle())
            .with_size_rules(size_rules)
            .with_premultiply(self.premultiply)
            .with_normals(self.channels.normals())
            .with_roughness_channel(self.channels.roughness_channel())
            .with_encode_options(self.encode_options())
            .with_container(self.container)
            .with_dds_header(header)
            .with_zstd(self.zstd)
            .with_metrics(self.measures())
            .with_max_value(self.max_value)
            .with_rdo_target(self.target.target())
    }

    fn encode_options(&self) -> EncodeOptions {
        let bc1 = Bc1Options::new();
        let alpha_threshold = self.alpha_threshold.unwrap_or(bc1.alpha_threshold());
        let bc1 = bc1
            .with_method(self.method)
            .with_three_color(!self.no_three_color)
            .with_alpha_threshold(if self.opaque { 0 } else { alpha_threshold })
            .with_transparent_black(self.transparent_black);
        let bc7 = Bc7Options::new().with_modes(self.modes.unwrap_or_default()).with_real_time(self.real_time);
        EncodeOptions::new()
            .with_quality(self.quality)
            .with_rounding_rule(self.decoder)
            .with_weights(self.weights)
            .with_rdo(self.rdo)
            .with_weigh_by_alpha(self.weigh_by_alpha)
            .with_dither(self.dither)
            .with_bc1(bc1)
            .with_bc6h(Bc6hOptions::new().with_metric(self.metric))
            .with_bc7(bc7)
            .with_mip_filter(self.mip_filter)
            .with_mip_wrap(self.mip_wrap)
            .with_keep_coverage(self.keep_coverage)
    }
}

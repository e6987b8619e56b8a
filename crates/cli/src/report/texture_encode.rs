//! Report of `encode`.

use super::{HdrMetricsReport, MetricsReport, Settings, SpecialValues};
use brickwork_toolkit::texture::{RdoSearch, RdoTarget};
use serde::Serialize;
use std::collections::BTreeMap;

/// One file of `encode`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureEncodeReport {
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// The name of the output's target; `null` without targets.
    pub target: Option<String>,
    /// The container: `dds`, `ktx2` or `astc`.
    pub container: &'static str,
    /// The block format or plain format, such as `bc1` or `rgba8`.
    pub format: &'static str,
    /// The reason why `--format auto` chose the format; `null` with any other `--format`.
    pub format_reason: Option<String>,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// The value of `--swizzle`, such as `bgra`; `null` if the channels are those of the input.
    pub swizzle: Option<String>,
    /// The files of `--level`, from mip level 1; `null` if there are none.
    pub level_files: Option<Vec<String>>,
    /// The files of `--channel`, by the channels that they replace: `r`, `g`, `b` or `a`; `null` if there are
    /// none.
    pub packed_channels: Option<BTreeMap<&'static str, PackedChannelReport>>,
    /// The normal map of `--roughness-from`, whose spread was added to mip levels; else `null`.
    pub roughness_from: Option<String>,
    /// The channel of the roughness: `r`, `g`, `b` or `a`; `null` without a normal map.
    pub roughness_channel: Option<&'static str>,
    /// Width and height of the input, if it was resized; else `null`.
    pub resized_from: Option<[u32; 2]>,
    /// Number of mip levels.
    pub levels: u32,
    /// Colour space: `sRGB` or `linear`.
    pub color_space: &'static str,
    /// The source of the colour space.
    pub color_space_reason: String,
    /// Alpha: `opaque`, `straight` or `premultiplied`.
    pub alpha_mode: &'static str,
    /// Texels that BC1's punch-through alpha makes transparent; `null` if it is not used.
    pub transparent_texels: Option<u64>,
    /// Size of the image in memory.
    pub texel_bytes: u64,
    /// Size of the blocks or plain texels of all mip levels.
    pub data_bytes: u64,
    /// Size of the file.
    pub file_bytes: u64,
    /// The options.
    #[serde(flatten)]
    pub settings: Settings,
    /// Numbers that a format of floats does not store as they are; `null` for other formats.
    pub special_values: Option<SpecialValues>,
    /// Result of `--target-psnr` or `--target-size`; else `null`.
    pub rdo_target: Option<RdoTargetReport>,
    /// The device that encoded: `cpu` or `gpu`.
    pub device: &'static str,
    /// The GPU's name; `null` for the CPU.
    pub adapter: Option<String>,
    /// The CPU's instruction set, on either device.
    pub simd: String,
    /// The CPU's threads, on either device.
    pub threads: usize,
    /// Seconds for making and encoding all mip levels, alongside other files if there are several. On a GPU
    /// this includes uploads, read-backs and the compilation of kernels. Reading, measuring and writing are
    /// not included.
    pub encode_seconds: f64,
    /// Texels of all mip levels over `encode_seconds`, in millions.
    pub megapixels_per_second: f64,
    /// Differences between mip level 0 and the image; `null` with `--no-metrics` and for formats of floats.
    /// BC4, `r8` and `r16` store only `r`, and BC5, `rg8` and `rg16` only `r` and `g`. The numbers of other
    /// channels are then meaningless.
    pub metrics: Option<MetricsReport>,
    /// Differences of the texels whose colours count, if those of transparent ones do not; else `null`.
    pub visible_metrics: Option<MetricsReport>,
    /// Differences of half floats between mip level 0 and the image, after `--max-value`; `null` with
    /// `--no-metrics` and for formats that do not store floats.
    pub hdr_metrics: Option<HdrMetricsReport>,
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
}

/// Result of a search for λ.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct RdoTargetReport {
    /// PSNR in dB that was requested; `null` for a size.
    pub target_psnr: Option<f64>,
    /// Largest size in bytes that was requested; `null` for a PSNR.
    pub target_bytes: Option<u64>,
    /// PSNR in dB that was reached: that of the stored colours, or of alpha if it is lower; `null` if no
    /// texel differs.
    pub psnr: Option<f64>,
    /// Size in bytes that was reached: that of the file with Zstandard, else that of the blocks after
    /// Deflate.
    pub bytes: u64,
    /// Compression of the size: `zstd` or `deflate`.
    pub compression: &'static str,
    /// Number of encodings.
    pub encodings: u32,
}

impl RdoTargetReport {
    /// Returns the report of a search.
    pub fn new(search: &RdoSearch) -> Self {
        let target_psnr = match search.target {
            RdoTarget::Psnr(psnr) => Some(psnr),
            _ => None,
        };
        Self {
            target_psnr,
            target_bytes: search.max_bytes,
            psnr: search.psnr.is_finite().then_some(search.psnr),
            bytes: search.bytes,
            compression: search.compression,
            encodings: search.encodings,
        }
    }
}

/// A channel of another file that was packed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct PackedChannelReport {
    /// The file's path.
    pub input: String,
    /// The channel of the file: `r`, `g`, `b` or `a`, or a term such as `1-r`.
    pub channel: String,
}

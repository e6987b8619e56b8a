//! Reports about textures: `decode`, `info` and `compare`.

use super::{
    FileEntry, HdrMetricsReport, MetricsReport, NormalMetricsReport, TextureHeaderReport, dimensions_name,
    stated_color_space_name,
};
use brickwork_image::image_file::Picture;
use brickwork_texture::container::Info;
use brickwork_toolkit::report::{alpha_mode_name, color_space_name};
use serde::Serialize;
use std::collections::BTreeMap;

/// One file of `decode`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureDecodeReport {
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// The block format or plain format; for a texture in another format the PNG's: `r8`, `rgb8`, `rgba8`,
    /// `r16`, `rgb16` or `rgba16`.
    pub format: &'static str,
    /// Colour space: `sRGB`, `linear`, or `unknown` where a legacy DDS header does not state it. The PNG then
    /// does not state it either.
    pub color_space: &'static str,
    /// The decoder whose rounding was used.
    pub decoder: &'static str,
    /// The mip level that was decoded; `null` for `--level all`.
    pub level: Option<u32>,
    /// Number of mip levels in the texture.
    pub levels: u32,
    /// The layer that was decoded.
    pub layer: u32,
    /// The face that was decoded.
    pub face: u32,
    /// The slice that was decoded.
    pub slice: u32,
    /// Width of the PNG in texels.
    pub width: u32,
    /// Height of the PNG in texels.
    pub height: u32,
    /// True if the PNG has alpha.
    pub alpha: bool,
    /// Size of the PNG.
    pub file_bytes: u64,
}

/// One file of `info`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FileInfoReport {
    /// A texture in a block format or a plain format.
    Texture(Box<TextureInfoReport>),
    /// An image, or a DDS or KTX2 file in another format.
    Image(ImageInfoReport),
    /// A KTX2 file in a format that is not read, such as Basis Universal.
    Header(Box<TextureHeaderReport>),
}

/// A texture.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TextureInfoReport {
    /// The file's path.
    pub file: String,
    /// Size of the file.
    pub file_bytes: u64,
    /// The container: `dds` or `ktx2`.
    pub container: &'static str,
    /// The header, such as `DDS, DX10 header`.
    pub header: &'static str,
    /// The block format or plain format, such as `bc1` or `rgba8`.
    pub format: &'static str,
    /// The format in the container's own words.
    pub format_name: String,
    /// `2d`, `cube` or `3d`.
    pub dimensions: &'static str,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Slices of a 3D texture, else 1.
    pub depth: u32,
    /// Layers of an array, else 1.
    pub layers: u32,
    /// 6 for a cube, else 1.
    pub faces: u32,
    /// The mip levels, the largest first.
    pub levels: Vec<MipLevelReport>,
    /// Colour space: `sRGB`, `linear`, or `unknown` where a legacy DDS header does not state it.
    pub color_space: &'static str,
    /// Alpha: `opaque`, `straight` or `premultiplied`.
    pub alpha_mode: &'static str,
    /// The supercompression's name, or `null`.
    pub supercompression: Option<String>,
    /// Size of the blocks or plain texels of all images.
    pub data_bytes: u64,
    /// KTX2's keys, with their values as text.
    pub key_values: BTreeMap<String, String>,
    /// Faults of the file that the reader tolerated.
    pub notes: Vec<String>,
    /// Modes of BC6H or BC7 blocks, with `--modes` or `--modes-image`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes: Option<ModeCounts>,
}

/// A mip level.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct MipLevelReport {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Slices of a 3D texture, else 1.
    pub depth: u32,
    /// Size of the blocks or plain texels of all layers, faces and slices.
    pub bytes: u64,
}

/// Blocks of each mode of BC6H or BC7.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ModeCounts {
    /// Number of the first mode: 0 for BC7; 1 for BC6H, as Microsoft numbers them.
    pub first: u8,
    /// Blocks with each mode, from the first: 8 numbers for BC7, 14 for BC6H.
    pub modes: Vec<u64>,
    /// Blocks without a valid mode.
    pub none: u64,
}

/// An image.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ImageInfoReport {
    /// The file's path.
    pub file: String,
    /// Size of the file.
    pub file_bytes: u64,
    /// The file format, such as `PNG`.
    pub file_format: String,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Channels: 1, 3 or 4.
    pub channels: u32,
    /// Bits per channel: 8, 16 or 32.
    pub bits_per_channel: u32,
    /// Colour space: `sRGB` or `linear`.
    pub color_space: &'static str,
    /// The source of the colour space.
    pub color_space_reason: String,
    /// True if the image has an alpha channel.
    pub alpha: bool,
    /// True if every texel is opaque.
    pub opaque: bool,
    /// True if the file stores colours multiplied by alpha.
    pub premultiplied: bool,
    /// The part that was read of a file that contains more, such as `the first of 12 frames`; else `null`.
    pub part: Option<String>,
    /// Faults of the file that the reader tolerated.
    pub notes: Vec<String>,
}

impl TextureInfoReport {
    /// Returns the report of a texture whose header is `info`.
    pub fn new(file: String, file_bytes: u64, info: Info, modes: Option<ModeCounts>) -> Self {
        let (desc, states_color_space) = (info.desc, info.states_color_space());
        let level = |level| {
            let [width, height, depth] = desc.mip_level_size(level);
            let images = u64::from(desc.layers) * u64::from(desc.faces());
            MipLevelReport { width, height, depth, bytes: desc.mip_level_bytes(level).saturating_mul(images) }
        };
        Self {
            file,
            file_bytes,
            container: info.container.extension(),
            header: info.header.name(),
            format: desc.format.name(),
            format_name: info.format_name,
            dimensions: dimensions_name(desc.kind),
            width: desc.width,
            height: desc.height,
            depth: desc.depth,
            layers: desc.layers,
            faces: desc.faces(),
            levels: (0..desc.mip_levels).map(level).collect(),
            color_space: stated_color_space_name(states_color_space.then_some(desc.color_space)),
            alpha_mode: alpha_mode_name(desc.alpha_mode),
            supercompression: info.supercompression,
            data_bytes: desc.data_bytes(),
            key_values: info.key_values.into_iter().collect(),
            notes: info.notes,
            modes,
        }
    }
}

impl ImageInfoReport {
    /// Returns the report of `picture`.
    pub fn new(file: String, file_bytes: u64, picture: &Picture) -> Self {
        let texel_type = picture.texels.texel_type();
        Self {
            file,
            file_bytes,
            file_format: picture.format_name().to_owned(),
            width: picture.width,
            height: picture.height,
            channels: texel_type.channel_count(),
            bits_per_channel: 8 * texel_type.channel_type().bytes(),
            color_space: color_space_name(picture.color_space),
            color_space_reason: picture.color_space_reason.to_string(),
            alpha: picture.has_alpha,
            opaque: picture.is_opaque,
            premultiplied: picture.is_premultiplied,
            part: picture.part.clone(),
            notes: picture.notes.clone(),
        }
    }
}

/// Report of `compare`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct CompareReport {
    /// The command: `compare`.
    pub command: &'static str,
    /// The original.
    pub a: ComparedImage,
    /// The image compared with it.
    pub b: ComparedImage,
    /// The decoder whose rounding was used for textures.
    pub decoder: &'static str,
    /// Differences of all texels.
    #[serde(flatten)]
    pub metrics: MetricsReport,
    /// Differences of the texels that are visible, if a format of 1-bit alpha makes some transparent or
    /// `psnr-visible` is requested; of those whose alpha is above 0, if others of a texture that is sRGB or
    /// premultiplied hide their colours; else `null`.
    pub visible_metrics: Option<MetricsReport>,
    /// Differences of half floats, if an image has any; else `null`.
    pub hdr_metrics: Option<HdrMetricsReport>,
    /// Angles between normals, with `--normal` or if an image is BC5; else `null`.
    pub normal_metrics: Option<NormalMetricsReport>,
    /// Mean ꟻLIP error, with `--flip`; `null` for half floats.
    pub flip: Option<f64>,
    /// The mip level that was compared.
    pub level: u32,
    /// Differences of each mip level, with `--level all`; else `null`. The other keys are about level 0.
    pub levels: Option<Vec<ComparedLevelReport>>,
    /// Violations of `--exact`, `--fail-under` and `--fail-over`. Unless it is empty, the program exits with
    /// 7.
    pub failures: Vec<String>,
}

/// Differences of one mip level.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ComparedLevelReport {
    /// The mip level.
    pub level: u32,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Differences of all texels.
    #[serde(flatten)]
    pub metrics: MetricsReport,
    /// Differences of half floats, if an image has any; else `null`.
    pub hdr_metrics: Option<HdrMetricsReport>,
    /// Angles between normals, with `--normal` or if an image is BC5; else `null`.
    pub normal_metrics: Option<NormalMetricsReport>,
    /// Mean ꟻLIP error, with `--flip`; `null` for half floats.
    pub flip: Option<f64>,
}

/// The result of `compare` for two folders.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct CompareFoldersReport {
    /// The command: `compare`.
    pub command: &'static str,
    /// The folder of the originals.
    pub a: String,
    /// The other folder.
    pub b: String,
    /// Pairs of files with the same path without extension: those that failed, then the worst ones first.
    pub pairs: Vec<FileEntry<CompareReport>>,
    /// Paths without extension that only the first folder has.
    pub only_in_a: Vec<String>,
    /// Paths without extension that only the second folder has.
    pub only_in_b: Vec<String>,
    /// Number of files in subfolders of the first folder that were not compared because `-r` was not given.
    pub left_out_in_a: usize,
    /// Number of files in subfolders of the second folder that were not compared.
    pub left_out_in_b: usize,
    /// Violations of all pairs, and with `--exact`, `--fail-under` or `--fail-over` the files that are
    /// missing or left out. Unless it is empty, the program exits with 7.
    pub failures: Vec<String>,
}

/// One of two images that are compared.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ComparedImage {
    /// The file's path.
    pub file: String,
    /// The format of a texture, or the file format in lower case: `bc1`, `rgba8`, `png`, …
    pub format: String,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Number of images that are compared: layers, faces and slices of a texture.
    pub images: u32,
    /// Colour space: `sRGB` or `linear`.
    pub color_space: &'static str,
}

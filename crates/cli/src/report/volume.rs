//! Reports about volumes. Sizes and positions are in voxels, in the order x, y, z.

use brickwork_toolkit::volume::RenderMode;
use serde::Serialize;

/// Report of `volume encode`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeEncodeReport {
    /// The command: `volume encode`.
    pub command: &'static str,
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Number of channels.
    pub channels: usize,
    /// Number of time frames.
    pub frames: usize,
    /// Number of mip levels.
    pub levels: usize,
    /// Dimensions of a brick.
    pub brick: [usize; 3],
    /// Result of the sample, if the size of bricks was chosen by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<BrickSampleReport>,
    /// `bricks`, `guthe2016` or `guthe2016-second-level`.
    pub profile: &'static str,
    /// Size of the voxels of all channels and frames.
    pub raw_bytes: u64,
    /// Size of the file.
    pub file_bytes: u64,
    /// Bits per voxel. A voxel has all its channels.
    pub bits_per_voxel: f64,
    /// Seconds from reading the first voxel until the file is complete.
    pub seconds: f64,
}

/// Bits per voxel of a sample with each size of bricks.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct BrickSampleReport {
    /// With 4×4×4 bricks.
    pub bits_per_voxel_4: f64,
    /// With 8×8×8 bricks.
    pub bits_per_voxel_8: f64,
    /// With 16×16×1 bricks.
    pub bits_per_voxel_flat: f64,
}

/// Report of `volume extract` and `volume decode`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeExtractReport {
    /// The command: `volume extract` or `volume decode`.
    pub command: &'static str,
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// The first voxel and the one past the last along each axis.
    pub region: [[usize; 2]; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Size of the output.
    pub file_bytes: u64,
    /// Seconds from reading the first voxel until the file is complete.
    pub seconds: f64,
}

/// Report of `volume convert`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeConvertReport {
    /// The command: `volume convert`.
    pub command: &'static str,
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// The format written: `bwv`, `nrrd`, `metaimage`, `nifti`, `nifti-gz`, `nifti-zst`, `mrc`, `vti`, `npy`,
    /// `raw`, `folder` or `zarr`.
    pub format: &'static str,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Size of the output; for a folder of slices, the sum of theirs.
    pub file_bytes: u64,
    /// Seconds from reading the first voxel until the file is complete.
    pub seconds: f64,
}

/// Report of `volume slice`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeSliceReport {
    /// The command: `volume slice`.
    pub command: &'static str,
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// Axis perpendicular to the slice.
    pub axis: VolumeAxis,
    /// The slice's position along the axis.
    pub index: usize,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The values that became black and white: physical ones where the file states how to compute them, else
    /// stored ones. `null` for channels in colours, and if no value of the slice is finite.
    pub window: Option<[f64; 2]>,
    /// Unit of the physical values; `null` where it is not known.
    pub unit: Option<String>,
    /// Channels in colours; empty for a single one in grey.
    pub added_channels: Vec<VolumeChannelReport>,
    /// Path of the labels; `null` without `--overlay`.
    pub overlay: Option<String>,
    /// Size of the PNG.
    pub file_bytes: u64,
}

/// A channel of an image among others.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeChannelReport {
    /// The channel, counted from 0.
    pub channel: usize,
    /// Its name; empty if it has none.
    pub name: String,
    /// Colour of bright values, such as `#00ff00`.
    pub color: String,
    /// Values that are black and bright: physical ones where the file states how to compute them, else stored
    /// ones. `null` in slices without a finite value of the channel.
    pub window: Option<[f64; 2]>,
    /// True if small values are bright.
    pub inverted: bool,
}

/// An axis of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VolumeAxis {
    /// Along the first dimension.
    X,
    /// Along the second dimension.
    Y,
    /// Along the third dimension.
    Z,
}

/// Report of `volume render`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeRenderReport {
    /// The command: `volume render`.
    pub command: &'static str,
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of renderings: several for an orbit.
    pub pictures: usize,
    /// The mode.
    pub mode: VolumeMode,
    /// Preset or file of the transfer function; `null` where there is none.
    pub transfer: Option<String>,
    /// Value of the isosurface; `null` where there is none.
    pub iso: Option<f64>,
    /// Path of the labels; `null` without `--overlay`.
    pub overlay: Option<String>,
    /// The mip level.
    pub level: usize,
    /// The frame, counted from 0.
    pub frame: usize,
    /// Number of the input's frames.
    pub frames: usize,
    /// The channel, counted from 0; the first of several.
    pub channel: usize,
    /// Number of the input's channels.
    pub channels: usize,
    /// Channels in colours; empty for a single one in grey.
    pub added_channels: Vec<VolumeChannelReport>,
    /// Dimensions of the mip level.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// The device that rendered: `cpu` or `gpu`.
    pub device: &'static str,
    /// The GPU's name; `null` for the CPU.
    pub adapter: Option<String>,
    /// Seconds before the first rendering, reading the volume included.
    pub prepare_seconds: f64,
    /// Seconds of all renderings.
    pub render_seconds: f64,
    /// Samples of all renderings.
    pub samples: u64,
    /// Share of samples whose voxels were in the cache.
    pub hit_rate: f64,
    /// Bricks read for all renderings.
    pub bricks_read: u64,
    /// Bricks read over bricks of the volume.
    pub volumes_decoded: f64,
    /// Size of the PNGs.
    pub file_bytes: u64,
}

/// Mode of a volume's rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VolumeMode {
    /// Direct volume rendering.
    Dvr,
    /// Maximum intensity projection.
    Mip,
    /// Isosurface.
    Iso,
    /// Labels in distinct colours.
    Labels,
}

impl From<RenderMode> for VolumeMode {
    fn from(mode: RenderMode) -> Self {
        match mode {
            RenderMode::Dvr => Self::Dvr,
            RenderMode::Mip => Self::Mip,
            RenderMode::Iso => Self::Iso,
            RenderMode::Labels => Self::Labels,
        }
    }
}

/// Report of `volume verify`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeVerifyReport {
    /// The command: `volume verify`.
    pub command: &'static str,
    /// The file's path.
    pub file: String,
    /// True if every byte is as written.
    pub sound: bool,
    /// Parts that have a checksum each. In a Zarr folder: chunks, also those that are not stored.
    pub chunks: usize,
    /// Number of chunks that a Zarr folder does not store: they have the fill value. 0 for a `.bwv` file.
    pub missing: u64,
    /// The damage found.
    pub errors: Vec<String>,
}

/// Report of `volume verify` of several files.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumesVerifyReport {
    /// The command: `volume verify`.
    pub command: &'static str,
    /// One entry per file, in the order of the command line.
    pub files: Vec<super::FileEntry<VolumeVerifyReport>>,
}

/// Report of `volume compare`. With several channels and frames, each of their numbers counts.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct VolumeCompareReport {
    /// The command: `volume compare`.
    pub command: &'static str,
    /// The original.
    pub a: ComparedVolume,
    /// The volume compared with it.
    pub b: ComparedVolume,
    /// True if all bits of all voxels are equal.
    pub equal: bool,
    /// Numbers compared.
    pub voxel_count: u64,
    /// Numbers that differ in any bit.
    pub different: u64,
    /// Position `[x, y, z]` of the first number that differs; `null` if none does.
    pub first: Option<[usize; 3]>,
    /// Channel and frame of the first number that differs; `null` if none does.
    pub first_channel_frame: Option<[usize; 2]>,
    /// The largest difference.
    pub max_difference: f64,
    /// The mean difference of all numbers.
    pub mean_difference: f64,
    /// Floats whose difference is infinite or NaN. Both differences leave them out.
    pub not_finite: u64,
    /// PSNR in dB over the range of the type, for integers that differ; else `null`.
    pub psnr: Option<f64>,
    /// Violations of `--exact`. Unless it is empty, the program exits with 7.
    pub failures: Vec<String>,
}

/// One of two volumes that are compared.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct ComparedVolume {
    /// The file's path.
    pub file: String,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
}

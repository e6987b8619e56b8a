//! Report of `bench papers`.

use schemars::JsonSchema;
use serde::Serialize;

/// Report of `bench papers`: tables of papers, and figures of this machine beside them.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct BenchPapersReport {
    /// The command: `bench papers`.
    pub command: &'static str,
    /// The GPU that was measured; `null` if there is none.
    pub gpu: Option<BenchGpu>,
    /// The CPU that was measured.
    pub cpu: BenchCpu,
    /// Width and height of the image.
    pub image: [u32; 2],
    /// Tables of encoding times; empty with `--volumes`.
    pub tables: Vec<TimeTable>,
    /// The table of compressed sizes.
    pub volumes: SizeTable,
    /// The table of renderings; `null` without a GPU.
    pub pictures: Option<PictureTable>,
}

/// A GPU that was measured.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct BenchGpu {
    /// The name.
    pub name: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// `discrete`, `integrated`, `virtual`, `software` (run by the CPU) or `other`.
    pub kind: &'static str,
    /// The driver and its version.
    pub driver: String,
}

/// The CPU that was measured.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct BenchCpu {
    /// Number of threads.
    pub threads: usize,
    /// The instruction set.
    pub instruction_set: String,
}

/// A table of encoding times.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct TimeTable {
    /// The paper.
    pub paper: &'static str,
    /// The table's number in the paper.
    pub number: u8,
    /// The subject.
    pub title: String,
    /// The kernels that `kernel_ms` includes.
    pub kernels: &'static str,
    /// The paper's figures.
    pub published: Vec<PublishedTime>,
    /// Figures of this machine.
    pub measured: Vec<TimeFigures>,
}

/// A time of the paper.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct PublishedTime {
    /// The device and method.
    pub name: &'static str,
    /// The time in milliseconds.
    pub ms: f64,
}

/// Times of this machine. Both are medians.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct TimeFigures {
    /// The device and method.
    pub name: String,
    /// Milliseconds by the GPU's own clock, of the kernels that `kernels` names; `null` on the CPU, and on
    /// GPUs without timestamps.
    pub kernel_ms: Option<f64>,
    /// Milliseconds from texels in memory to blocks in memory.
    pub whole_ms: f64,
    /// SHA-256 of the blocks, in hexadecimal digits. It is the same on every device.
    pub sha256: String,
    /// LSDxt at full quality: pairs of endpoints tried or ruled out per second, by the kernels' time if it is
    /// known.
    pub candidates_per_second: Option<f64>,
    /// Width and height that were measured, if they are not the table's. The times are then multiplied by the
    /// ratio of the numbers of texels.
    pub scaled_from: Option<[u32; 2]>,
}

/// A table of compressed sizes.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct SizeTable {
    /// The paper.
    pub paper: &'static str,
    /// The table's number in the paper.
    pub number: u8,
    /// The subject.
    pub title: &'static str,
    /// The paper's figures for its own volumes.
    pub published: Vec<PublishedSize>,
    /// Figures of this machine.
    pub measured: Vec<SizeFigures>,
}

/// A volume of the paper.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct PublishedSize {
    /// The volume.
    pub name: &'static str,
    /// Bits per voxel.
    pub bits_per_voxel: f64,
    /// Bits per voxel without the offset volume.
    pub without_offsets: f64,
    /// Order-0 entropy of the voxels in bits.
    pub entropy: f64,
    /// True if the offset volume has a second level.
    pub second_level: bool,
}

/// A volume that was measured. Entropies are `null` if there are too many different values to count.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct SizeFigures {
    /// The volume.
    pub name: String,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Order-0 entropy of the voxels in bits.
    pub entropy: Option<f64>,
    /// The paper's scheme.
    pub guthe2016: Guthe2016Figures,
    /// A `.bwv` file with bricks of 4³ voxels.
    pub bricks_4: BricksFigures,
    /// A `.bwv` file with bricks of 8³ voxels.
    pub bricks_8: BricksFigures,
}

/// Sizes by the paper's scheme. The numbers from `constant` on are shares of all bricks.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct Guthe2016Figures {
    /// Bits per voxel.
    pub bits_per_voxel: f64,
    /// Bits per voxel without the offset volume.
    pub without_offsets: f64,
    /// Bits per voxel with a second level of offsets.
    pub second_level_bits_per_voxel: f64,
    /// Entropy of the residuals in bits.
    pub residual_entropy: Option<f64>,
    /// Bricks of one value.
    pub constant: f64,
    /// Bricks with the bytes of an earlier one. Each is counted among the transforms, too.
    pub duplicate: f64,
    /// Bricks by the difference from the minimum.
    pub subtract_min: f64,
    /// Bricks by the difference from the maximum.
    pub subtract_max: f64,
    /// Bricks by the gradient.
    pub gradient: f64,
    /// Bricks by the Haar transform.
    pub haar: f64,
    /// SHA-256 of the `.bwv` file by this scheme, in hexadecimal digits.
    pub sha256: String,
    /// SHA-256 of the file with a second level of offsets.
    pub second_level_sha256: String,
}

/// Sizes of a `.bwv` file.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct BricksFigures {
    /// Bits per voxel.
    pub bits_per_voxel: f64,
    /// Bits per voxel without the index.
    pub without_index: f64,
    /// Entropy of the residuals in bits.
    pub residual_entropy: Option<f64>,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
}

/// A table of renderings: direct volume rendering as by `volume render`, but with samples one voxel apart and
/// with empty space sampled, too.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct PictureTable {
    /// The paper.
    pub paper: &'static str,
    /// The table's number in the paper.
    pub number: u8,
    /// The subject.
    pub title: &'static str,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// N if every Nth tile of 8×4 pixels was rendered and `volumes_decoded` multiplied by N.
    pub tile_step: u32,
    /// The paper's figures for its own volumes.
    pub published: Vec<PublishedPicture>,
    /// Figures of this machine.
    pub measured: Vec<PictureFigures>,
}

/// A rendering of the paper.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct PublishedPicture {
    /// The volume.
    pub name: &'static str,
    /// Share of voxels from bricks that were in the cache.
    pub hit_rate: f64,
    /// Bricks decoded over bricks of the volume.
    pub volumes_decoded: f64,
    /// The time with a cache of one brick over the time with the whole cache.
    pub speed_up: f64,
}

/// A rendering that was measured.
#[derive(Debug, JsonSchema, Serialize)]
#[non_exhaustive]
pub struct PictureFigures {
    /// The volume.
    pub name: String,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Bits per voxel in the GPU's memory.
    pub resident_bits_per_voxel: f64,
    /// Share of voxels, eight per sample, from bricks that were in the cache.
    pub hit_rate: f64,
    /// Bricks decoded over bricks of the volume.
    pub volumes_decoded: f64,
    /// SHA-256 of the pixels of this rendering at 480×270, in hexadecimal digits. Colours may differ by 1 of
    /// 255 between GPUs; the hashes then differ, too.
    pub sha256: String,
    /// The time with a cache of one brick over `picture_ms`; `null` on software adapters.
    pub speed_up: Option<f64>,
    /// The time in milliseconds; `null` on software adapters.
    pub picture_ms: Option<f64>,
}

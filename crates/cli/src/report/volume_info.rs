//! Reports of `volume info`.

use brickwork_formats::{OpenedVolume, VolumeFormat};
use brickwork_volume::{Header, ReadAt, Rescaling, ShapeError, Statistics, VolumeFile, VoxelKind};
use serde::Serialize;
use std::path::Path;

/// Report of `volume info` on a `.bwv` file.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct BwvInfoReport {
    /// The command: `volume info`.
    pub command: &'static str,
    /// The file's path.
    pub file: String,
    /// The format: `bwv`.
    pub format: &'static str,
    /// Size of the file.
    pub file_bytes: u64,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Distances between voxels along each axis.
    pub spacing: [f64; 3],
    /// Position of the first voxel.
    pub origin: [f64; 3],
    /// Directions of the three axes, one after the other.
    pub orientation: [f64; 9],
    /// Number of channels.
    pub channels: usize,
    /// Number of time frames.
    pub frames: usize,
    /// Seconds from frame to frame; 0 if unknown.
    pub frame_spacing: f64,
    /// Number of mip levels.
    pub levels: usize,
    /// True if the voxels are labels.
    pub labels: bool,
    /// `bricks`, `guthe2016` or `guthe2016-second-level`.
    pub profile: &'static str,
    /// Dimensions of a brick.
    pub brick: [usize; 3],
    /// Parts that have a checksum each.
    pub chunks: usize,
    /// Number of rank tables.
    pub rank_tables: usize,
    /// Number of pattern tables.
    pub pattern_tables: usize,
    /// Size of the voxels of all channels and frames.
    pub raw_bytes: u64,
    /// Bits per voxel. A voxel has all its channels.
    pub bits_per_voxel: f64,
    /// Bits per voxel of the chunks only.
    pub bits_per_voxel_without_index: f64,
    /// Conversion of stored numbers to physical values; `null` if nothing is known.
    pub rescale: Option<RescaleReport>,
    /// Other fields of the source, a JSON object; `null` if there are none.
    pub metadata: Option<serde_json::Value>,
    /// Statistics, with `--statistics`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<StatisticsReport>,
}

/// Report of `volume info` on a file of another format.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct OtherVolumeInfoReport {
    /// The command: `volume info`.
    pub command: &'static str,
    /// The file's path.
    pub file: String,
    /// The format: `nrrd`, `metaimage`, `nifti`, `nifti-gz`, `nifti-zst`, `mrc`, `mgh`, `vti`, `npy`, `tiff`,
    /// `dicom`, `folder`, `zarr` or `raw`.
    pub format: &'static str,
    /// Number of files that were read.
    pub files: usize,
    /// Size of all of them; `null` for a pipe.
    pub file_bytes: Option<u64>,
    /// Dimensions in voxels: x, y, z.
    pub dims: [usize; 3],
    /// Type of the voxels, such as `u16`.
    pub voxel_type: &'static str,
    /// Distances between voxels along each axis.
    pub spacing: [f64; 3],
    /// Position of the first voxel.
    pub origin: [f64; 3],
    /// Directions of the three axes, one after the other.
    pub orientation: [f64; 9],
    /// Number of channels.
    pub channels: usize,
    /// Number of time frames.
    pub frames: usize,
    /// Seconds from frame to frame; 0 if unknown.
    pub frame_spacing: f64,
    /// Number of mip levels, with those of an OME-Zarr group.
    pub levels: usize,
    /// Size of the voxels of all channels and frames.
    pub raw_bytes: u64,
    /// Conversion of stored numbers to physical values; `null` if nothing is known.
    pub rescale: Option<RescaleReport>,
    /// Other fields of the source, a JSON object; `null` if there are none.
    pub metadata: Option<serde_json::Value>,
    /// Notes about the file, one sentence each.
    pub notes: Vec<String>,
}

impl BwvInfoReport {
    /// Returns the report of the file called `name`. `statistics` are those of all its bricks, if they were
    /// read.
    ///
    /// # Errors
    /// [`ShapeError`] if the bytes of the voxels cannot be counted.
    pub fn new<R: ReadAt>(
        name: String,
        file: &VolumeFile<R>,
        statistics: Option<&Statistics>,
    ) -> Result<Self, ShapeError> {
        let header = file.header();
        let raw_bytes = header.raw_bytes()?;
        let voxel_count = raw_bytes / (header.channels * header.voxel_type.byte_count()) as u64;
        let bits = |bytes: u64| 8.0 * bytes as f64 / voxel_count as f64;
        let (brick, counts) = (header.brick.dims(), file.counts());
        Ok(Self {
            command: "volume info",
            file: name,
            format: VolumeFormat::Bwv.name(),
            file_bytes: file.file_bytes(),
            dims: [header.dims.x, header.dims.y, header.dims.z],
            voxel_type: header.voxel_type.name(),
            spacing: [header.spacing.x, header.spacing.y, header.spacing.z],
            origin: header.origin,
            orientation: header.orientation,
            channels: header.channels,
            frames: header.frames,
            frame_spacing: header.frame_spacing,
            levels: header.mip_levels,
            labels: header.kind == VoxelKind::Labels,
            profile: header.profile.name(),
            brick: [brick.x, brick.y, brick.z],
            chunks: counts.chunks,
            rank_tables: counts.rank_tables,
            pattern_tables: counts.pattern_tables,
            raw_bytes,
            bits_per_voxel: bits(file.file_bytes()),
            bits_per_voxel_without_index: bits(file.chunk_bytes()),
            rescale: rescale(header),
            metadata: metadata(header),
            statistics: statistics.map(|statistics| StatisticsReport::new(statistics, bits)),
        })
    }
}

impl OtherVolumeInfoReport {
    /// Returns the report of the volume called `name`, which has so many mip levels.
    ///
    /// # Errors
    /// [`ShapeError`] if the bytes of the voxels cannot be counted.
    pub fn new(name: String, volume: &OpenedVolume, levels: usize) -> Result<Self, ShapeError> {
        let header = &volume.header;
        let (files, file_bytes) = files(volume);
        Ok(Self {
            command: "volume info",
            file: name,
            format: volume.format.name(),
            files: files.max(1),
            // A pipe has no files.
            file_bytes: file_bytes.filter(|_| !volume.files.is_empty()),
            dims: [header.dims.x, header.dims.y, header.dims.z],
            voxel_type: header.voxel_type.name(),
            spacing: [header.spacing.x, header.spacing.y, header.spacing.z],
            origin: header.origin,
            orientation: header.orientation,
            channels: header.channels,
            frames: header.frames,
            frame_spacing: header.frame_spacing,
            levels,
            raw_bytes: header.raw_bytes()?,
            rescale: rescale(header),
            metadata: metadata(header),
            notes: volume.notes.iter().map(ToString::to_string).collect(),
        })
    }
}

/// Returns the number of files, and the size of all of them if it can be determined. The files of a Zarr
/// folder are all that it contains.
fn files(volume: &OpenedVolume) -> (usize, Option<u64>) {
    let bytes_of = |path: &Path| std::fs::metadata(path).ok().map(|metadata| metadata.len());
    if volume.format == VolumeFormat::Zarr {
        let entries = volume.files.iter().flat_map(walkdir::WalkDir::new).flatten();
        let sizes = entries.filter(|entry| entry.file_type().is_file()).map(|entry| bytes_of(entry.path()));
        let sizes: Vec<Option<u64>> = sizes.collect();
        return (sizes.len(), sizes.into_iter().sum());
    }
    let files = volume.files.iter().filter(|path| path.is_file());
    (files.clone().count(), files.map(|path| bytes_of(path)).sum())
}

fn rescale(header: &Header) -> Option<RescaleReport> {
    header.rescaling().map(|rescaling| RescaleReport::new(&rescaling))
}

fn metadata(header: &Header) -> Option<serde_json::Value> {
    serde_json::from_str(&header.metadata).ok()
}

/// Conversion of stored numbers to physical values: stored × `slope` + `intercept`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct RescaleReport {
    /// Slope; `null` if it differs from slice to slice.
    pub slope: Option<f64>,
    /// Intercept; `null` if it differs from slice to slice.
    pub intercept: Option<f64>,
    /// Unit of the physical values; `null` where it is not known.
    pub unit: Option<String>,
}

impl RescaleReport {
    /// Returns the report of `rescaling`.
    pub fn new(rescaling: &Rescaling) -> Self {
        let line = rescaling.uniform();
        Self {
            slope: line.map(|line| line.slope),
            intercept: line.map(|line| line.intercept),
            unit: rescaling.unit().map(str::to_owned),
        }
    }
}

/// Statistics of a `.bwv` file.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct StatisticsReport {
    /// Order-0 entropy of the voxels in bits; `null` if more than 1,048,576 different values of 65,536 and
    /// more occur.
    pub value_entropy: Option<f64>,
    /// Entropy of the codes after prediction in bits, with zeros for bricks of one value; `null` as above.
    pub residual_entropy: Option<f64>,
    /// Bits per voxel of the bricks only. The sum of this and the next two is `bits_per_voxel`.
    pub brick_bits_per_voxel: f64,
    /// Bits per voxel of the bricks' minima, ranges and byte counts.
    pub superblock_bits_per_voxel: f64,
    /// Bits per voxel of header, tables, index and footer.
    pub other_bits_per_voxel: f64,
    /// Number of bricks.
    pub bricks: u64,
    /// Bricks of one value.
    pub constant: u64,
    /// Bricks of chunks whose values are stored unchanged.
    pub raw: u64,
    /// Bricks with the voxels of an earlier one.
    pub duplicate: u64,
    /// False if `duplicate` is estimated from a sample.
    pub duplicate_is_exact: bool,
    /// Bricks stored as one byte that names a pattern.
    pub reference: u64,
    /// Bricks with a dictionary.
    pub dictionary: u64,
    /// Bricks with a range of 2²⁴ or more.
    pub wide: u64,
    /// Label bricks: those of labels in bricks of 8×8×8 that code labels, not differences.
    pub label: u64,
    /// Bricks by predictor.
    pub predictors: [u64; 16],
    /// Groups of eight values in bricks that are neither constant nor label bricks.
    pub groups: RiceGroupCounts,
}

/// Groups of eight values that share a Rice level.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct RiceGroupCounts {
    /// Groups without bits.
    pub zero: u64,
    /// Groups with a whole step of Rice's k.
    pub rice: u64,
    /// Groups with half a step more.
    pub half: u64,
}

impl StatisticsReport {
    /// Returns the report of `statistics`. `bits` converts bytes of the file to bits per voxel.
    pub fn new(statistics: &Statistics, bits: impl Fn(u64) -> f64) -> Self {
        let groups = statistics.groups;
        Self {
            value_entropy: statistics.value_entropy,
            residual_entropy: statistics.residual_entropy,
            brick_bits_per_voxel: bits(statistics.brick_bytes),
            superblock_bits_per_voxel: bits(statistics.superblock_bytes),
            other_bits_per_voxel: bits(statistics.other_bytes),
            bricks: statistics.bricks,
            constant: statistics.constant,
            raw: statistics.raw,
            duplicate: statistics.duplicate,
            duplicate_is_exact: statistics.duplicate_is_exact,
            reference: statistics.reference,
            dictionary: statistics.dictionary,
            wide: statistics.wide,
            label: statistics.label,
            predictors: statistics.predictors,
            groups: RiceGroupCounts { zero: groups.zero, rice: groups.rice, half: groups.half },
        }
    }
}

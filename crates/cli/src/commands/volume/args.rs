//! Options of several verbs.

use super::{
    conversion::ConvertOptions,
    property::VolumeProperty,
    values::{Brick, Part, brick, dims, part, profile, slices},
};
use crate::{
    exit::Exit,
    failure::Failure,
    output::{self, Existing},
    values,
};
use brickwork_formats::{BrickPolicy, SliceFormat, VolumeFormat, ZarrOptions};
use brickwork_volume::{Dims, Header, Profile, Selection, ShapeError, VoxelKind};
use std::path::PathBuf;

/// Options about printing and threads.
#[derive(clap::Args)]
pub struct CommonArgs {
    /// Print only errors
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Threads to use, 1 to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = values::threads, help_heading = "Machine")]
    pub threads: Option<usize>,
}

impl CommonArgs {
    /// Starts the threads.
    ///
    /// # Errors
    /// [`Failure`] if the system cannot start them.
    pub fn start(&self) -> Result<(), Failure> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build_global()
            .map_err(|error| Failure::new(Exit::Runtime, format!("cannot start the threads: {error}")))
    }

    /// Prints `text`, or `report` as JSON.
    ///
    /// # Errors
    /// [`Failure`] of the output.
    pub fn print(&self, text: &str, report: &impl serde::Serialize, to_stderr: bool) -> Result<(), Failure> {
        if self.json {
            return crate::json::print(report, to_stderr);
        }
        if self.quiet { Ok(()) } else { output::print(text, to_stderr) }
    }
}

/// Input of verbs that read only `.bwv` files.
#[derive(clap::Args)]
pub struct FileArgs {
    /// A .bwv file, or - for standard input
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,

    #[command(flatten)]
    pub common: CommonArgs,
}

/// Selection of voxels.
#[derive(Clone, Default, clap::Args)]
pub struct SelectionArgs {
    /// Mip level: 0 is the volume itself, 1 half its size, …
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Selection")]
    pub level: usize,

    /// Frames: a range from..to (to excluded) or a single one [default: all]
    #[arg(long, value_name = "FRAMES", value_parser = part, help_heading = "Selection")]
    pub frames: Option<Part>,

    /// A single channel, counted from 0 [default: all]
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub channel: Option<usize>,
}

impl SelectionArgs {
    /// Returns the selection from a volume with this header.
    ///
    /// # Errors
    /// [`Failure`] if the volume lacks the mip level.
    pub fn of(&self, header: &Header) -> Result<Selection, Failure> {
        let (level, count) = (self.level, header.mip_levels);
        if level >= count {
            return Err(Failure::usage(ShapeError::Selected { what: "level", index: level, count }));
        }
        let frames = self.frames.as_ref().map(|Part(start, end)| *start..end.unwrap_or(header.frames));
        Ok(Selection { mip_level: level, frames, channel: self.channel })
    }
}

/// Treatment of existing files.
#[derive(clap::Args)]
pub struct OverwriteArgs {
    /// Replace an existing file
    #[arg(long, help_heading = "Output")]
    force: bool,
}

impl OverwriteArgs {
    /// Returns the treatment of existing files.
    pub fn existing(&self) -> Existing {
        output::existing(self.force)
    }
}

/// Options of files in other formats.
#[derive(clap::Args)]
pub struct WriteArgs {
    /// Write little-endian raw voxels without a header, with any file name
    #[arg(long, help_heading = "Output")]
    pub raw: bool,

    /// Compress the voxels, with gzip in .nrrd and with zlib in .mha
    #[arg(long, help_heading = "Output")]
    compress: bool,

    /// Format of the slices in a folder: png supports u8 and u16, tiff all types [default: png if it supports
    /// the type]
    #[arg(long, value_name = "png|tiff", value_parser = slices, help_heading = "Output")]
    slices: Option<SliceFormat>,

    /// Dimensions of a chunk of a .zarr folder or .ozx file, the unit of reading for many programs [default:
    /// 64x64x64]
    #[arg(long, value_name = "XxYxZ", value_parser = dims, help_heading = "Output")]
    chunk: Option<Dims>,

    /// Dimensions of a shard of a .zarr folder or .ozx file: a file of several whole chunks [default: a file
    /// for each chunk]
    #[arg(long, value_name = "XxYxZ", value_parser = dims, help_heading = "Output")]
    shard: Option<Dims>,
}

impl WriteArgs {
    /// True if the voxels of a file of `format` are to be compressed.
    ///
    /// # Errors
    /// [`Failure`] if the format does not offer the choice.
    pub fn compression(&self, format: VolumeFormat) -> Result<bool, Failure> {
        if self.slices.is_some() && !VolumeProperty::Slices.is_of(format) {
            return Err(Failure::usage("--slices is for folders").hint("end the name with /"));
        }
        if (self.chunk.is_some() || self.shard.is_some()) && !VolumeProperty::Chunks.is_of(format) {
            return Err(Failure::usage("--chunk and --shard are for .zarr folders and .ozx files"));
        }
        let compress = self.compress;
        if !compress || VolumeProperty::Compression.is_of(format) {
            return Ok(compress);
        }
        let failure = Failure::usage("--compress is for .nrrd and .mha files");
        let is_nifti = format == VolumeFormat::Nifti;
        Err(if is_nifti { failure.hint("name the file .nii.gz or .nii.zst to compress it") } else { failure })
    }

    /// Returns the requested format of slices.
    pub fn slices(&self) -> Option<SliceFormat> {
        self.slices
    }

    /// Returns the options of a `.zarr` folder or an `.ozx` file.
    pub fn zarr(&self) -> ZarrOptions {
        let mut options = ZarrOptions::default();
        options.shard = self.shard;
        options.chunk = self.chunk.unwrap_or(options.chunk);
        options
    }
}

/// Coding of a `.bwv` file, a `.zarr` folder or an `.ozx` file.
#[derive(clap::Args)]
pub struct CodingArgs {
    /// Size of a brick: 4 for 4×4×4 voxels, 8 for 8×8×8, flat for 16×16×1, or auto for the size that
    /// compresses a sample best (for a pipe, its first 32 slices); 4 gives the fastest access to single
    /// bricks [default: that of a .bwv input, else auto]
    #[arg(long, value_name = "auto|4|8|flat", value_parser = brick, help_heading = "Coding")]
    brick: Option<Brick>,

    /// Number of mip levels, each half the size of the previous one; in .zarr folders and .ozx files along
    /// the axes with the finest spacing [default: that of a .bwv input, else 1]
    #[arg(long, value_name = "N", help_heading = "Coding")]
    levels: Option<usize>,

    /// The voxels are labels (segmentation IDs), not intensities: smaller mip levels keep the most frequent
    /// label instead of the mean
    #[arg(long, help_heading = "Coding")]
    labels: bool,

    /// Memory limit for voxels, such as 512MiB or 4G. One slab of the volume is in memory at a time: 8 slices
    /// with --brick flat, 32 with 4, 64 with 8. Encoding takes two to four times that. --brick auto chooses a
    /// size whose slabs fit [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = values::memory_size, help_heading = "Machine")]
    max_memory: Option<u64>,

    /// Coder: bricks, or for comparison the published scheme of Guthe & Goesele (2016), guthe2016 or
    /// guthe2016-second-level, which keep a whole frame in memory [default: that of a .bwv input, else
    /// bricks]
    #[arg(long, value_name = "PROFILE", value_parser = profile, help_heading = "Coding")]
    profile: Option<Profile>,
}

impl CodingArgs {
    /// Returns the maximum bytes of voxels in memory at a time.
    pub fn max_memory(&self) -> Option<u64> {
        self.max_memory
    }

    /// Checks that a file of `format` has what the options state.
    ///
    /// # Errors
    /// [`Failure`] for options of other formats.
    pub fn check(&self, format: VolumeFormat) -> Result<(), Failure> {
        let is_any = self.brick.is_some() || self.levels.is_some() || self.labels;
        if is_any && !VolumeProperty::Coding.is_of(format) {
            let reason = "--brick, --levels and --labels are for .bwv and .ozx files and .zarr folders";
            return Err(Failure::usage(reason));
        }
        if self.profile.is_some() && !VolumeProperty::Profile.is_of(format) {
            return Err(Failure::usage("--profile is for .bwv files"));
        }
        Ok(())
    }

    /// Returns the options of a conversion.
    pub fn options(&self) -> ConvertOptions {
        let brick = self.brick.map(|brick| match brick {
            Brick::Auto => BrickPolicy::Auto,
            Brick::Of(size) => BrickPolicy::Fixed(size),
        });
        ConvertOptions {
            brick,
            levels: self.levels,
            kind: self.labels.then_some(VoxelKind::Labels),
            profile: self.profile,
            max_memory: self.max_memory,
            ..ConvertOptions::default()
        }
    }
}

/// Returns the failure of options that a `.bwv` file cannot have.
pub fn coding_failure(error: ShapeError) -> Failure {
    let is_brick = error == ShapeError::PaperBrick;
    let failure = Failure::usage(error);
    if is_brick { failure.hint("leave out --brick, or use --brick 4") } else { failure }
}

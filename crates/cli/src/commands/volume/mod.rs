//! `brickwork volume`: volumes to `.bwv` files and back, a verb a file.

mod compare;
mod convert;
mod encode;
mod extract;
mod info;
mod nifti;
mod slice;
pub mod source;
mod target;
mod verify;

use crate::{exit::Exit, failure::Failure, output::Existing, values};
use brickwork_volume::{
    BrickSize, Dims, Header, Kind, Profile, ReadError, Region, Selection, ShapeError, Spacing, VolumeFile,
    WriteError,
};
use clap::Subcommand;
use std::path::{Path, PathBuf};

/// Compress volumes without loss, read parts of them, convert and compare them, show slices
#[derive(clap::Args)]
#[command(
    subcommand_required = true,
    subcommand_value_name = "VERB",
    subcommand_help_heading = "Verbs",
    after_help = "Examples:
  brickwork volume encode scan.nrrd                       scan.bwv beside it
  brickwork volume encode scan.nii.gz                     from NIfTI; decode -o scan.nii.gz goes back
  brickwork volume encode scan.raw --dims 512x512x361 --type u16 --spacing 0.34,0.34,0.5
  brickwork volume info scan.bwv
  brickwork volume verify scan.bwv
  brickwork volume extract scan.bwv --region 10..20,0..64,5 -o part.nrrd
  brickwork volume slice scan.bwv --axis z --index 100 -o slice.png
  brickwork volume convert scan.nrrd -o scan.nii.gz
  brickwork volume compare scan.nrrd scan.bwv             the voxels of both"
)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Encode(encode::Args),
    Decode(extract::DecodeArgs),
    Info(info::Args),
    Verify(verify::Args),
    Extract(extract::Args),
    Slice(slice::Args),
    Convert(convert::Args),
    Compare(compare::Args),
}

/// Does what the verb says.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    match &args.verb {
        Verb::Encode(args) => encode::run(args),
        Verb::Decode(args) => extract::run_decode(args),
        Verb::Info(args) => info::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Extract(args) => extract::run(args),
        Verb::Slice(args) => slice::run(args),
        Verb::Convert(args) => convert::run(args),
        Verb::Compare(args) => compare::run(args),
    }
}

/// Options about what is printed, and threads.
#[derive(clap::Args)]
struct CommonArgs {
    /// Print nothing but errors
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Threads to use, 1 to 1024 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = values::threads, help_heading = "Machine")]
    threads: Option<usize>,
}

impl CommonArgs {
    /// Starts the threads.
    fn start(&self) -> Result<(), Failure> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build_global()
            .map_err(|error| Failure::new(Exit::Runtime, format!("cannot start the threads: {error}")))
    }

    /// Prints `text`, or `report` as JSON.
    fn print(&self, text: &str, report: &impl serde::Serialize, to_stderr: bool) -> Result<(), Failure> {
        if self.json {
            return crate::json::print(report, to_stderr);
        }
        if self.quiet { Ok(()) } else { crate::output::print(text, to_stderr) }
    }
}

/// What is read, where that is a `.bwv` file.
#[derive(clap::Args)]
struct FileArgs {
    /// Volume in a .bwv file
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    #[command(flatten)]
    common: CommonArgs,
}

/// Which voxels, besides where.
#[derive(Clone, Default, clap::Args)]
struct SelectionArgs {
    /// Level, 0 being the volume itself, 1 half its size, …
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Selection")]
    level: usize,

    /// Frames, from..to (without to) or one [default: all]
    #[arg(long, value_name = "FRAMES", value_parser = part, help_heading = "Selection")]
    frames: Option<Part>,

    /// The only channel, from 0 [default: all]
    #[arg(long, value_name = "N", help_heading = "Selection")]
    channel: Option<usize>,
}

impl SelectionArgs {
    fn of(&self, header: &Header) -> Result<Selection, Failure> {
        let (level, count) = (self.level, header.levels);
        if level >= count {
            return Err(Failure::usage(ShapeError::Selected { what: "level", index: level, count }));
        }
        let frames = self.frames.as_ref().map(|Part(start, end)| *start..end.unwrap_or(header.frames));
        Ok(Selection { level, frames, channel: self.channel })
    }
}

/// What may be done to an existing file.
#[derive(clap::Args)]
struct OverwriteArgs {
    /// Replace an existing file
    #[arg(long, help_heading = "Output")]
    force: bool,
}

impl OverwriteArgs {
    fn existing(&self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Keep }
    }
}

/// What a `.bwv` file is to have.
#[derive(clap::Args)]
struct CodingArgs {
    /// Side of a brick: 4, or 8 for smaller files with slower single bricks [default: that of a .bwv input, or 4]
    #[arg(long, value_name = "4|8", value_parser = brick, help_heading = "Coding")]
    brick: Option<BrickSize>,

    /// Levels in all, each half the size of the one before [default: those of a .bwv input, or 1]
    #[arg(long, value_name = "N", help_heading = "Coding")]
    levels: Option<usize>,

    /// The voxels are names, not amounts: in smaller levels the most frequent stands for others, not their mean
    #[arg(long, help_heading = "Coding")]
    labels: bool,

    /// bricks, or for comparison the scheme of Guthe & Goesele 2016 as printed: guthe2016, guthe2016-second-level. That needs
    /// the memory of a frame [default: that of a .bwv input, or bricks]
    #[arg(long, value_name = "PROFILE", value_parser = profile, help_heading = "Coding")]
    profile: Option<Profile>,
}

impl CodingArgs {
    /// Whether anything is asked for.
    fn is_any(&self) -> bool {
        self.brick.is_some() || self.levels.is_some() || self.labels || self.profile.is_some()
    }

    /// Puts into `header` what is asked for.
    fn apply(&self, header: &mut Header) -> Result<(), Failure> {
        header.brick = self.brick.unwrap_or(header.brick);
        header.profile = self.profile.unwrap_or(header.profile);
        if self.labels {
            header.kind = Kind::Labels;
        }
        let (levels, most) = (self.levels.unwrap_or(header.levels), header.most_levels());
        if levels == 0 || levels > most {
            return Err(Failure::usage(ShapeError::Levels { levels, dims: header.dims, most }));
        }
        header.levels = levels;
        if header.profile != Profile::Bricks && header.brick != BrickSize::Four {
            return Err(Failure::usage(ShapeError::PaperBrick).hint("leave out --brick, or say --brick 4"));
        }
        Ok(())
    }
}

/// The name of a profile on the command line and in JSON.
const fn profile_name(profile: Profile) -> &'static str {
    match profile {
        Profile::Guthe2016 { second_level: false } => "guthe2016",
        Profile::Guthe2016 { second_level: true } => "guthe2016-second-level",
        // Profiles are non_exhaustive; there is no other yet.
        _ => "bricks",
    }
}

/// Dims, channels and frames as far as there are several, and the type.
fn shape(header: &Header) -> String {
    let mut text = format!("{} {}", header.dims, header.voxel_type);
    if header.channels > 1 {
        text += &format!("×{}", header.channels);
    }
    if header.frames > 1 {
        text += &format!(", {} frames", header.frames);
    }
    text
}

/// Calls `$body`, which gives a `Result<_, Failure>`, with `$voxel` standing for the Rust type of a voxel type.
macro_rules! with_voxel_type {
    ($type:expr, $voxel:ident => $body:expr) => {{
        use brickwork_volume::VoxelType;
        macro_rules! with {
            ($rust:ty) => {{
                type $voxel = $rust;
                $body
            }};
        }
        match $type {
            VoxelType::U8 => with!(u8),
            VoxelType::I8 => with!(i8),
            VoxelType::U16 => with!(u16),
            VoxelType::I16 => with!(i16),
            VoxelType::U32 => with!(u32),
            VoxelType::I32 => with!(i32),
            VoxelType::F32 => with!(f32),
            VoxelType::U64 => with!(u64),
            VoxelType::I64 => with!(i64),
            VoxelType::F64 => with!(f64),
            other => {
                let reason = format!("voxels of type {other} are not supported here");
                Err($crate::failure::Failure::new($crate::exit::Exit::Unsupported, reason))
            }
        }
    }};
}
pub(crate) use with_voxel_type;

/// The header of what is selected of a region of a level: its dims, how far its voxels are apart, and where its first one is.
fn part_of(header: &Header, selection: &Selection, region: &Region) -> Header {
    let mut part = Header { dims: region.dims(), ..header.clone() };
    part.frames = selection.frames.as_ref().map_or(part.frames, |frames| frames.len());
    part.channels = selection.channel.map_or(part.channels, |_| 1);
    part.levels = if selection.level > 0 { 1 } else { part.levels.min(part.most_levels()) };
    let step = 2f64.powi(selection.level as i32);
    // The first voxel of a smaller level lies amid those it stands for.
    let first =
        |side: usize, start: usize| start as f64 * step + ((step - 1.0) / 2.0).min((side - 1) as f64 / 2.0);
    let Dims { x, y, z } = header.dims;
    let steps = [
        first(x, region.x.start) * header.spacing.x,
        first(y, region.y.start) * header.spacing.y,
        first(z, region.z.start) * header.spacing.z,
    ];
    part.spacing.x *= step;
    part.spacing.y *= step;
    part.spacing.z *= step;
    for (step, direction) in steps.into_iter().zip(header.orientation.as_chunks::<3>().0) {
        for (origin, along) in part.origin.iter_mut().zip(direction) {
            *origin += step * along;
        }
    }
    part
}

/// Opens a `.bwv` file.
fn open(path: &Path) -> Result<VolumeFile, Failure> {
    VolumeFile::open(path).map_err(|error| read_failure(&error).of_path(path))
}

fn read_failure(error: &ReadError) -> Failure {
    let exit = match error {
        ReadError::Io(_) => Exit::Io,
        ReadError::Memory(_) => Exit::Runtime,
        _ => Exit::Invalid,
    };
    Failure::new(exit, error)
}

fn write_failure(error: &WriteError) -> Failure {
    let exit = match error {
        WriteError::Io(error) => exit_of(error),
        WriteError::Unsupported { .. } => Exit::Unsupported,
        _ => Exit::Invalid,
    };
    Failure::new(exit, error)
}

/// A packed or `.bwv` file that is damaged comes as an error of the system.
fn exit_of(error: &std::io::Error) -> Exit {
    match error.kind() {
        std::io::ErrorKind::InvalidData => Exit::Invalid,
        std::io::ErrorKind::OutOfMemory => Exit::Runtime,
        _ => Exit::Io,
    }
}

/// Three numbers with `x` or commas between.
fn three<T: std::str::FromStr + Copy>(text: &str) -> Option<[T; 3]> {
    let numbers: Option<Vec<T>> = text.split(['x', ',']).map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

fn dims(text: &str) -> Result<Dims, String> {
    let [x, y, z] = three(text).ok_or("three counts are wanted: 512x512x361")?;
    let dims = Dims::new(x, y, z);
    dims.byte_count(4).map_err(|error| error.to_string())?;
    Ok(dims)
}

fn spacing(text: &str) -> Result<Spacing, String> {
    let [x, y, z] = three(text).ok_or("three numbers are wanted: 0.34,0.34,0.5")?;
    Ok(Spacing { x, y, z })
}

fn profile(text: &str) -> Result<Profile, String> {
    match text {
        "bricks" => Ok(Profile::Bricks),
        "guthe2016" => Ok(Profile::Guthe2016 { second_level: false }),
        "guthe2016-second-level" => Ok(Profile::Guthe2016 { second_level: true }),
        _ => Err("bricks, guthe2016 or guthe2016-second-level is wanted".to_owned()),
    }
}

fn brick(text: &str) -> Result<BrickSize, String> {
    match text {
        "4" => Ok(BrickSize::Four),
        "8" => Ok(BrickSize::Eight),
        _ => Err("4 or 8 is wanted".to_owned()),
    }
}

/// A start, and an end where one is given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part(usize, Option<usize>);

fn part(text: &str) -> Result<Part, String> {
    let parse = || {
        let text = text.trim();
        let Some((start, end)) = text.split_once("..") else {
            let index: usize = text.parse().ok()?;
            return Some(Part(index, Some(index.checked_add(1)?)));
        };
        let start = if start.is_empty() { 0 } else { start.parse().ok()? };
        Some(Part(start, if end.is_empty() { None } else { Some(end.parse().ok()?) }))
    };
    parse().ok_or_else(|| "from..to or one index is wanted: 10..20, or 5".into())
}

/// A part along each axis, before the volume's dims are known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts([Part; 3]);

fn parts(text: &str) -> Result<Parts, String> {
    let parts: Result<Vec<_>, _> = text.split(',').map(part).collect();
    let parts = parts.ok().and_then(|parts| parts.try_into().ok());
    parts
        .map(Parts)
        .ok_or_else(|| "three parts are wanted, from..to or one index each: 10..20,0..64,5".into())
}

impl Parts {
    /// The region of a volume of `dims`.
    fn region(&self, dims: Dims) -> Result<Region, Failure> {
        let part = |i: usize, side| {
            let Part(start, end) = self.0[i];
            start..end.unwrap_or(side)
        };
        let region = Region { x: part(0, dims.x), y: part(1, dims.y), z: part(2, dims.z) };
        region.check(dims).map_err(Failure::usage)?;
        Ok(region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_ranges_or_indices() {
        let dims = Dims::new(30, 64, 9);
        let region = parts("10..20,..,5").expect("a region").region(dims).expect("inside");
        assert_eq!(region, Region { x: 10..20, y: 0..64, z: 5..6 });
        assert!(parts("10..20,0..64,9").expect("a region").region(dims).is_err());
        for bad in ["", "1,2", "1,2,3,4", "a,1,1", "-1,1,1"] {
            assert!(parts(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn dims_are_three_counts() {
        assert_eq!(dims("512x512x361"), Ok(Dims::new(512, 512, 361)));
        for bad in ["512x512", "0x1x1", "axbxc", "99999999999x99999999999x1"] {
            assert!(dims(bad).is_err(), "{bad}");
        }
    }
}

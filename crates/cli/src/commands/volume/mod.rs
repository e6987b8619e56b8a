//! `brickwork volume`: volumes to `.bwv` files and back, a verb a file.

mod encode;
mod extract;
mod info;
mod nifti;
mod slice;
mod sources;
mod verify;

use crate::{exit::Exit, failure::Failure, output::Existing, values};
use brickwork_volume::{Dims, ReadError, Region, VolumeFile, WriteError};
use clap::Subcommand;
use std::path::Path;

/// Compress volumes without loss, read parts of them, show slices
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
  brickwork volume slice scan.bwv --axis z --index 100 -o slice.png"
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

/// What `--force` says.
fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
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

/// A packed file that is damaged comes as an error of the system.
fn exit_of(error: &std::io::Error) -> Exit {
    if error.kind() == std::io::ErrorKind::InvalidData { Exit::Invalid } else { Exit::Io }
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

/// A part along each axis, before the volume's dims are known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts([(usize, Option<usize>); 3]);

fn parts(text: &str) -> Result<Parts, String> {
    let part = |text: &str| -> Option<(usize, Option<usize>)> {
        let text = text.trim();
        let Some((start, end)) = text.split_once("..") else {
            let index: usize = text.parse().ok()?;
            return Some((index, Some(index.checked_add(1)?)));
        };
        let start = if start.is_empty() { 0 } else { start.parse().ok()? };
        Some((start, if end.is_empty() { None } else { Some(end.parse().ok()?) }))
    };
    let parts: Option<Vec<_>> = text.split(',').map(part).collect();
    let parts = parts.and_then(|parts| parts.try_into().ok());
    parts
        .map(Parts)
        .ok_or_else(|| "three parts are wanted, from..to or one index each: 10..20,0..64,5".into())
}

impl Parts {
    /// The region of a volume of `dims`.
    fn region(&self, dims: Dims) -> Result<Region, Failure> {
        let part = |i: usize, side| self.0[i].0..self.0[i].1.unwrap_or(side);
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

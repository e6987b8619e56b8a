//! `brickwork volume compare`: a check if two volumes have the same voxels, and their differences if not.

use super::{
    args::CommonArgs,
    failure::failure,
    input::{MemoryArgs, RawArgs, print_notes, shape},
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    report::{ComparedVolume, Decibels, VolumeCompareReport, complain, counted, printable, with_progress},
};
use brickwork_volume::{CompareError, Comparison, Header, compare};
use std::{fmt::Write as _, path::PathBuf};

/// Compare the voxels of two volumes
///
/// Each may be of any format that "brickwork volume convert" reads. Spacing, origin and directions are not
/// compared. Voxels are equal if all their bits are. Raw voxels are assumed to have the dimensions and the
/// type of the other volume, unless --dims and --type are given. Volumes that differ in dimensions or type
/// cannot be compared: the exit code is 7.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume compare scan.nrrd scan.bwv
  brickwork volume compare old.raw new.raw --dims 512x512x361 --type u16
  brickwork volume compare ct/ ct.nii.gz --exact --quiet && echo same")]
pub struct Args {
    /// The original: volume, folder of slices, or - for standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The volume to compare with it
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Exit with 7 if any voxel differs
    #[arg(long, help_heading = "Verdict")]
    exact: bool,

    #[command(flatten)]
    raw: RawArgs,

    #[command(flatten)]
    memory: MemoryArgs,

    #[command(flatten)]
    common: CommonArgs,
}

/// Compares the volumes that the command line names.
///
/// # Errors
/// [`Failure`] if a file cannot be read, or the dims or types differ.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let (a, b) = (Input::of(&args.a), Input::of(&args.b));
    if a == Input::Stdin && b == Input::Stdin {
        return Err(Failure::usage("only one of the two can be standard input"));
    }
    args.common.start()?;
    let [mut left, mut right] = args.raw.open_both(&a, &b, args.memory.max_memory)?;
    print_notes(&left.notes, &a.name(), args.common.quiet);
    print_notes(&right.notes, &b.name(), args.common.quiet);
    let (first, second) = (left.header.clone(), right.header.clone());
    let names = format!("{}, {}", a.name(), b.name());
    let same = |header: &Header| (header.dims, header.voxel_type, header.channels, header.frames);
    if same(&first) != same(&second) {
        let reason = format!("{} and {} cannot be compared", shape(&first), shape(&second));
        return Err(Failure::new(Exit::Differs, reason).of(names));
    }
    let comparison = with_progress(&names, args.common.quiet, |task| {
        let (left, right) = ((&mut left.voxels, left.order), (&mut right.voxels, right.order));
        compare(left, right, &first, task)
    });
    let comparison = comparison.map_err(|error| {
        let failure = failure(error.kind(), &error);
        match error {
            CompareError::First(_) => failure.of(a.name()),
            CompareError::Second(_) => failure.of(b.name()),
            _ => failure,
        }
    })?;

    let mut failures = Vec::new();
    if args.exact && comparison.different > 0 {
        failures.push(format!("differs in {}", counted(comparison.different, "voxel")));
    }
    let report = VolumeCompareReport {
        command: "volume compare",
        a: side(&a, &first),
        b: side(&b, &second),
        equal: comparison.different == 0,
        voxel_count: comparison.voxel_count,
        different: comparison.different,
        first: comparison.first,
        first_channel_frame: comparison.first_channel_frame,
        max_difference: comparison.largest,
        mean_difference: comparison.mean,
        not_finite: comparison.not_finite,
        psnr: comparison.psnr,
        failures: failures.clone(),
    };
    let head = format!("{} ↔ {}  {}\n", printable(&a.name()), printable(&b.name()), shape(&first));
    args.common.print(&(head + &text(&comparison)), &report, false)?;
    let exit = if failures.is_empty() { Exit::Ok } else { Exit::Differs };
    for failure in failures {
        complain(&Failure::new(exit, failure).of(b.name()));
    }
    Ok(exit)
}

fn text(comparison: &Comparison) -> String {
    let Some([x, y, z]) = comparison.first else { return "all voxels are equal\n".to_owned() };
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<15} {value}");
    };
    let share = 100.0 * comparison.different as f64 / comparison.voxel_count as f64;
    line("different", format!("{} of {} voxels, {share:.3} %", comparison.different, comparison.voxel_count));
    let others = match comparison.first_channel_frame {
        None | Some([0, 0]) => String::new(),
        Some([channel, frame]) => format!(" of channel {channel}, frame {frame}"),
    };
    line("first", format!("{x}, {y}, {z}{others}"));
    line("max difference", comparison.largest.to_string());
    line("mean difference", format!("{:.6}", comparison.mean));
    if comparison.not_finite > 0 {
        line("not finite", counted(comparison.not_finite, "difference"));
    }
    if let Some(psnr) = comparison.psnr {
        line("PSNR", Decibels(psnr).to_string());
    }
    text
}

fn side(input: &Input, header: &Header) -> ComparedVolume {
    let dims = [header.dims.x, header.dims.y, header.dims.z];
    ComparedVolume { file: input.name(), dims, voxel_type: header.voxel_type.name() }
}

//! `brickwork volume verify`: a check that every byte of `.bwv` files and every stored chunk of Zarr folders
//! is as written.

use super::{
    args::CommonArgs,
    failure::{open_failure, read_failure},
    input::{is_zarr, open_bwv, print_notes},
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    json,
    report::{self, FileEntry, VolumeVerifyReport, VolumesVerifyReport, counted, printable, with_progress},
};
use brickwork_formats::verify_zarr;
use brickwork_volume::{Profile, Task};
use std::path::PathBuf;

/// Check every byte of .bwv files, and every chunk of Zarr folders and archives
///
/// Verifies all checksums and decodes all bricks. All stored chunks of Zarr arrays and OME-Zarr groups are
/// decoded; codecs without a checksum may hide damage. The exit code is 3 if anything is damaged. For several
/// files, it is the code of the first one that is damaged or cannot be read.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume verify scan.bwv
  brickwork volume verify archive/*.bwv --quiet && echo sound
  brickwork volume verify scan.zarr
  cat scan.bwv | brickwork volume verify -")]
pub struct Args {
    /// .bwv files, Zarr folders and archives, or - for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    common: CommonArgs,
}

/// Verifies the files that the command line names.
///
/// # Errors
/// [`Failure`] if the only file cannot be read, or if its header or index is damaged.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.common.start()?;
    if let [path] = &args.inputs[..] {
        let verified = verify(&Input::of(path), args.common.quiet)?;
        let exit = verified.complain();
        args.common.print(&verified.text(), &verified.report, false)?;
        return Ok(exit);
    }
    let (mut entries, mut first) = (Vec::new(), Exit::Ok);
    for path in &args.inputs {
        let input = Input::of(path);
        let exit = match verify(&input, args.common.quiet) {
            Ok(verified) => {
                let exit = verified.complain();
                if !args.common.json {
                    args.common.print(&verified.text(), &(), false)?;
                }
                entries.push(FileEntry::Done(verified.report));
                exit
            }
            Err(failure) => {
                report::complain(&failure);
                let exit = failure.exit;
                entries.push(json::entry(Err(failure)));
                exit
            }
        };
        first = first.or(exit);
    }
    if args.common.json {
        json::print(&VolumesVerifyReport { command: "volume verify", files: entries }, false)?;
    }
    Ok(first)
}

struct Verified {
    report: VolumeVerifyReport,
    part: &'static str,
}

fn verify(input: &Input, quiet: bool) -> Result<Verified, Failure> {
    if let Input::File(path) = input
        && is_zarr(path)
    {
        let name = input.name();
        let check = with_progress(&name, quiet, |task| verify_zarr(path, task));
        let check = check.map_err(|error| open_failure(&error, &name))?;
        print_notes(&check.notes, &name, quiet);
        return Ok(Verified {
            report: VolumeVerifyReport {
                command: "volume verify",
                file: name,
                sound: check.errors.is_empty(),
                chunks: usize::try_from(check.chunks).unwrap_or(usize::MAX),
                missing: check.missing,
                errors: check.errors,
            },
            part: "chunk",
        });
    }
    let file = open_bwv(input)?;
    let errors = file.verify(&Task::new()).map_err(|error| read_failure(&error).of(input.name()))?;
    let report = VolumeVerifyReport {
        command: "volume verify",
        file: input.name(),
        sound: errors.is_empty(),
        chunks: file.counts().chunks,
        missing: 0,
        errors: errors.iter().map(ToString::to_string).collect(),
    };
    let part = if file.header().profile == Profile::Bricks { "chunk" } else { "piece" };
    Ok(Verified { report, part })
}

impl Verified {
    /// Returns a description of the damage.
    fn complain(&self) -> Exit {
        for error in &self.report.errors {
            report::complain(&Failure::new(Exit::Invalid, error).of(&self.report.file));
        }
        if self.report.sound { Exit::Ok } else { Exit::Invalid }
    }

    fn text(&self) -> String {
        let file = printable(&self.report.file);
        let missing = match self.report.missing {
            0 => String::new(),
            missing => format!(", {missing} not stored"),
        };
        let chunks = counted(self.report.chunks, self.part) + &missing;
        match self.report.errors.len() {
            0 => format!("{file}: sound, {chunks}\n"),
            errors => format!("{file}: damaged, {} in {chunks}\n", counted(errors, "error")),
        }
    }
}

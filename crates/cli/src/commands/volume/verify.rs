//! `brickwork volume verify`: whether every byte of a `.bwv` file is what was written.

use super::{
    args::FileArgs,
    failure::{open_bwv, read_failure},
};
use crate::{
    exit::Exit,
    failure::Failure,
    report::{self, counted, printable},
};
use brickwork_volume::Profile;
use serde::Serialize;

/// Check every byte of a .bwv file
///
/// Verifies all checksums and decodes all bricks. The exit code is 3 if anything is damaged.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    file: FileArgs,
}

/// Verifies the file that the command line names.
///
/// # Errors
/// [`Failure`] if the file cannot be read, or header or index are damaged.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.file.common.start()?;
    let file = open_bwv(&args.file.input)?;
    let errors = file.verify().map_err(|error| read_failure(&error).of_path(&args.file.input))?;
    for error in &errors {
        report::complain(&Failure::new(Exit::Invalid, error).of_path(&args.file.input));
    }
    let report = Report {
        command: "volume verify",
        file: args.file.input.display().to_string(),
        sound: errors.is_empty(),
        chunks: file.counts().chunks,
        errors: errors.iter().map(ToString::to_string).collect(),
    };
    let state = if report.sound { "sound" } else { "damaged" };
    let part = if file.header().profile == Profile::Bricks { "chunk" } else { "piece" };
    let text = format!("{}: {state}, {}\n", printable(&report.file), counted(report.chunks, part));
    args.file.common.print(&text, &report, false)?;
    Ok(if report.sound { Exit::Ok } else { Exit::Invalid })
}

/// `volume verify --json`.
#[derive(Serialize)]
struct Report {
    command: &'static str,
    file: String,
    sound: bool,
    chunks: usize,
    errors: Vec<String>,
}

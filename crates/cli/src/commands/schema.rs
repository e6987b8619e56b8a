//! `brickwork schema`: the JSON Schema of the reports.

use crate::{
    exit::Exit,
    failure::Failure,
    json,
    report::{REPORTS, schema},
};
use std::collections::BTreeMap;

/// Print the JSON Schema of the reports that --json prints
///
/// Schemas follow the draft 2020-12. Without COMMAND, all are printed as one object with a key for each
/// command.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork schema encode
  brickwork schema volume info
  brickwork schema > reports.json          the schemas of all commands")]
pub struct Args {
    /// Command whose report is described, such as encode or volume info
    #[arg(value_name = "COMMAND", num_args = 0..)]
    words: Vec<String>,
}

/// Prints the schemas that the command line names.
///
/// # Errors
/// [`Failure`] if the command has no report, or nothing can be printed.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let command = args.words.join(" ");
    if command.is_empty() {
        let all: BTreeMap<_, _> = REPORTS.iter().map(|command| (command, schema(command))).collect();
        json::print(&all, false)?;
    } else {
        let no_report = || {
            let reason = format!("{command} has no JSON report");
            Failure::usage(reason).hint(format!("commands that have one: {}", REPORTS.join(", ")))
        };
        json::print(&schema(&command).ok_or_else(no_report)?, false)?;
    }
    Ok(Exit::Ok)
}

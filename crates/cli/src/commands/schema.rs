//! `brickwork schema`: the JSON Schema of the reports.

use crate::{exit::Exit, failure::Failure, json};
use brickwork_toolkit::report;
use serde_json::Value;
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
        let all: BTreeMap<_, _> = reports().map(|command| (command, schema(command))).collect();
        json::print(&all, false)?;
    } else {
        let no_report = || {
            let reason = format!("{command} has no JSON report");
            let known: Vec<_> = reports().collect();
            Failure::usage(reason).hint(format!("commands that have one: {}", known.join(", ")))
        };
        json::print(&schema(&command).ok_or_else(no_report)?, false)?;
    }
    Ok(Exit::Ok)
}

/// The command whose report is not the toolkit's.
const BENCH_PAPERS: &str = "bench papers";

/// Returns the commands that print a report, in the order of the program's help.
fn reports() -> impl Iterator<Item = &'static str> {
    report::REPORTS.into_iter().chain(cfg!(feature = "papers").then_some(BENCH_PAPERS))
}

/// Returns the schema of a command's report; `None` if it prints none.
fn schema(command: &str) -> Option<Value> {
    #[cfg(feature = "papers")]
    if command == BENCH_PAPERS {
        return Some(report::schema_of::<brickwork_papers::bench::BenchPapersReport>(command));
    }
    report::schema(command)
}

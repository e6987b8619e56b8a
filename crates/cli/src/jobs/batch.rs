//! One run of a command over all its inputs.

use super::{
    Job,
    plan::make_folder_of,
    run::{Turn, side_by_side},
    summary,
};
use crate::{
    exit::Exit,
    failure::Failure,
    json,
    machine::MachineArgs,
    output::{self, Effect, Existing, Output, folder_of},
    report::{self, Bar, counted, printable},
};
use brickwork_toolkit::report::{BatchSummary, FileAction, FileEntry, FilesReport, UntouchedFile};
use serde::Serialize;
use std::{collections::HashSet, fs, time::Instant};

/// Options about many files.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub struct BatchArgs {
    /// Search folders with their subfolders; -o DIR/ gets the same subfolders
    #[arg(short, long)]
    pub recursive: bool,

    /// Replace existing files
    #[arg(long)]
    force: bool,

    /// Write only what is missing or older than its input
    ///
    /// Only times are compared: after a change of options, use --force.
    #[arg(long, conflicts_with = "force")]
    update: bool,

    /// Print what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Print nothing but errors
    #[arg(long, conflicts_with_all = ["json", "dry_run"])]
    pub quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long)]
    pub json: bool,
}

impl BatchArgs {
    /// What becomes of files that exist.
    pub fn existing(&self) -> Existing {
        if self.force || self.update { Existing::Replace } else { Existing::Keep }
    }

    /// Whether neither reports nor notes are printed.
    pub fn is_silent(&self) -> bool {
        self.quiet || self.dry_run
    }
}

/// What a job ends in.
pub trait Outcome: Send {
    /// Its entry in `--json`.
    type Report: Serialize + Send;

    /// Its lines of the report.
    fn text(&self) -> String;

    /// What is worth a note.
    fn notes(&self) -> &[String];

    /// Bytes of the texels or blocks that were read, and of the file that was written.
    fn byte_counts(&self) -> [u64; 2];

    /// Its entry in `--json`.
    fn into_report(self) -> Self::Report;
}

enum Done<T> {
    Outcome(T),
    Untouched(UntouchedFile),
}

/// Runs `work` for every job and reports on the results, under the name of the command. Returns the exit code
/// of the first failure.
///
/// # Errors
/// [`Failure`] if the report cannot be printed; a job's own failure is reported, and the others go on.
pub fn run<T: Outcome>(
    command: &'static str,
    options: &BatchArgs,
    machine: &MachineArgs,
    jobs: &[Result<Job, Failure>],
    work: impl Fn(&Turn<'_>) -> Result<T, Failure> + Sync,
) -> Result<Exit, Failure> {
    let start = Instant::now();
    let to_stderr = jobs.iter().flatten().any(|job| job.output == Output::Stdout);
    let is_batch = jobs.len() > 1;
    let bar = Bar::files(jobs.len() as u64, options.is_silent() || !is_batch);
    let (mut summary, mut exit, mut lines) = (BatchSummary::default(), Exit::Ok, Vec::new());
    let mut said = HashSet::new();
    let done = |result: Result<Done<T>, Failure>| {
        let result = result.and_then(|done| {
            bar.pause(|| print(&done, options, to_stderr, &mut said))?;
            Ok(done)
        });
        match &result {
            Ok(Done::Outcome(outcome)) => summary.add(outcome.byte_counts()),
            Ok(Done::Untouched(untouched)) => {
                summary.up_to_date += u64::from(untouched.action == FileAction::UpToDate);
            }
            Err(failure) => {
                bar.pause(|| report::complain(failure));
                summary.failed += 1;
                if exit == Exit::Ok {
                    exit = failure.exit;
                }
            }
        }
        bar.step();
        if options.json {
            lines.push(match result {
                Ok(Done::Outcome(outcome)) => FileEntry::Done(outcome.into_report()),
                Ok(Done::Untouched(untouched)) => FileEntry::Untouched(untouched),
                Err(failure) => json::entry(Err(failure)),
            });
        }
    };
    let work = |turn: &Turn<'_>| match untouched(options, turn)? {
        Some(untouched) => Ok(Done::Untouched(untouched)),
        None => {
            make_folder_of(turn.job)?;
            work(turn).map(Done::Outcome)
        }
    };
    side_by_side(jobs, rayon::current_num_threads(), machine.max_memory, work, done);
    bar.finish();
    summary.seconds = start.elapsed().as_secs_f64();

    if options.json {
        let summary = is_batch.then_some(summary);
        json::print(&FilesReport { command, files: lines, summary }, to_stderr)?;
        return Ok(exit);
    }
    if is_batch && !options.is_silent() {
        output::print(&summary::text(&summary), to_stderr)?;
    }
    if exit != Exit::Ok && is_batch {
        report::note(&format!("{} of {} failed", summary.failed, counted(jobs.len(), "input")));
    }
    Ok(exit)
}

/// What is said instead of done: that the output is up to date, or what would be written.
fn untouched(options: &BatchArgs, turn: &Turn<'_>) -> Result<Option<UntouchedFile>, Failure> {
    let Job { input, output, .. } = turn.job;
    let untouched = |action| Ok(Some(UntouchedFile { input: input.name(), output: output.name(), action }));
    if options.update && is_up_to_date(turn.job) {
        return untouched(FileAction::UpToDate);
    }
    if !options.dry_run {
        return Ok(None);
    }
    // What cannot be read is found out now.
    input.open(turn.max_memory)?;
    if let (Output::File(path), false) = (output, turn.job.makes_folder) {
        let folder = folder_of(path);
        fs::metadata(folder).map_err(|error| Failure::io(&error).of_path(folder))?;
    }
    untouched(match output.effect(options.existing(), turn.inputs)? {
        Effect::Create => FileAction::Create,
        Effect::Replace => FileAction::Replace,
    })
}

/// Whether the output is not older than the input.
fn is_up_to_date(job: &Job) -> bool {
    let (Some(input), Output::File(output)) = (job.input.path(), &job.output) else { return false };
    let modified = |path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    modified(input).is_some_and(|input| modified(output).is_some_and(|output| output >= input))
}

/// Prints what concerns one job. Notes in `said` are not printed again.
fn print<T: Outcome>(
    done: &Done<T>,
    options: &BatchArgs,
    to_stderr: bool,
    said: &mut HashSet<String>,
) -> Result<(), Failure> {
    match done {
        Done::Outcome(outcome) => {
            for note in outcome.notes() {
                if !options.quiet && said.insert(note.clone()) {
                    report::note(note);
                }
            }
            if !options.quiet && !options.json {
                output::print(&outcome.text(), to_stderr)?;
            }
        }
        Done::Untouched(UntouchedFile { input, output, action }) => {
            let line = format!("{} → {}  {}\n", printable(input), printable(output), action.name());
            if options.dry_run && !options.json {
                output::print(&line, to_stderr)?;
            } else {
                report::detail(line.trim_end());
            }
        }
    }
    Ok(())
}

//! One run of a command over all its inputs.

use super::summary;
use crate::{
    batch::{
        self, BatchOptions, Incremental, Job, JobResult, Kept, Preview, Recipe, Scope, StaleFate,
        StaleOutput, Turn, Untouched, UpdateRule, Written,
    },
    exit::Exit,
    failure::Failure,
    json,
    machine::MachineArgs,
    output::{self, Existing, Output},
    report::{self, Bar, FileAction, FileEntry, FilesReport, UntouchedFile, counted, printable},
};
use brickwork_base::Task;
use brickwork_toolkit::{batch::BatchError, report::path_text};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::{Mutex, PoisonError},
};

/// Options about many files.
#[derive(Clone, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct BatchArgs {
    /// Also search the subfolders of folders; -o DIR/ gets the same subfolders
    #[arg(short, long)]
    pub recursive: bool,

    /// Replace existing files
    #[arg(long)]
    force: bool,

    /// Write only outputs that are missing, older than an input, or written with other options
    ///
    /// Options are recorded in the user's caches. Without a record, only times are compared.
    #[arg(long, conflicts_with = "force")]
    update: bool,

    /// Print the files that would be written, but write nothing
    ///
    /// encode also reads the images, and prints the format, colour space, size, mip levels and notes of each
    /// texture, with the reasons.
    #[arg(long)]
    pub dry_run: bool,

    /// Print only errors
    #[arg(long, conflicts_with_all = ["json", "dry_run"])]
    pub quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long)]
    pub json: bool,
}

impl BatchArgs {
    /// Returns the treatment of existing files.
    pub fn existing(&self) -> Existing {
        output::existing(self.force || self.update)
    }

    /// Returns the options for outputs that are replaced, older or not.
    pub fn replacing(mut self) -> Self {
        (self.force, self.update) = (true, false);
        self
    }

    /// True if existing outputs may be replaced.
    pub fn may_replace(&self) -> bool {
        self.force || self.update
    }

    fn batch_options(&self, recipe: &str, machine: &MachineArgs) -> BatchOptions {
        let update = if self.update { UpdateRule::IfOlder } else { UpdateRule::Always };
        BatchOptions {
            existing: self.existing(),
            update,
            recipe: Some(Recipe::of(recipe)),
            dry_run: self.dry_run,
            lanes: rayon::current_num_threads(),
            max_memory: machine.max_memory,
            reads_reports: !self.quiet,
        }
    }

    /// True if neither reports nor notes are printed.
    pub fn is_silent(&self) -> bool {
        self.quiet || self.dry_run
    }
}

/// Result of a job.
pub trait Outcome: Send {
    /// Entry in `--json`.
    type Report: Serialize + Send;

    /// Returns the lines of the report.
    fn text(&self) -> String;

    /// Returns the notes for the user.
    fn notes(&self) -> &[String];

    /// Returns the kinds of the notes, in the same order; none if they have none.
    fn note_kinds(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns the report for later runs that find the output in the cache.
    fn kept(&self) -> Option<Kept> {
        None
    }

    /// Returns the bytes of the texels or blocks that were read, and of the file that was written.
    fn byte_counts(&self) -> [u64; 2];

    /// Returns the entry in `--json`.
    fn into_report(self) -> Self::Report;
}

/// Runs `work` for every job and reports the results under the name of the command. `recipe` describes the
/// options that change the outputs. Returns the exit code of the first failure.
///
/// # Errors
/// [`Failure`] if the report cannot be printed. A job's own failure is reported, and the others continue.
pub fn run<T: Outcome>(
    command: &'static str,
    recipe: &str,
    options: &BatchArgs,
    machine: &MachineArgs,
    jobs: &[Result<Job, BatchError>],
    work: impl Fn(&Turn<'_>) -> Result<T, Failure> + Sync,
) -> Result<Exit, Failure> {
    let preview = |_: &Turn<'_>| Ok(None);
    run_incremental(command, recipe, options, machine, (jobs, None, None), (work, preview))
}

/// A cache, the manifest of the outputs, and the treatment of stale outputs.
#[derive(Clone, Copy)]
pub struct Upkeep<'a> {
    pub incremental: &'a Incremental,
    pub scope: &'a Scope,
    /// True if stale outputs are removed.
    pub prunes: bool,
}

/// Decision about the outputs after all jobs, if these may be run again.
#[derive(Clone, Copy)]
pub struct Acceptance<'a> {
    /// Accepts the outputs, by their exit code.
    pub accepts: &'a dyn Fn(Exit) -> bool,
    /// Notes of all runs, each of which is printed once.
    pub said: &'a Mutex<HashSet<String>>,
}

/// Jobs, a cache, and the decision about the outputs.
pub type JobsAndUpkeep<'a> = (&'a [Result<Job, BatchError>], Option<Upkeep<'a>>, Option<Acceptance<'a>>);

/// Works like [`run`], with a cache. In a dry run, `preview` is called instead of `work`. If the outputs are
/// not accepted after all jobs, no summary and no document are printed.
///
/// # Errors
/// As [`run`].
pub fn run_incremental<T: Outcome>(
    command: &'static str,
    recipe: &str,
    options: &BatchArgs,
    machine: &MachineArgs,
    (jobs, upkeep, acceptance): JobsAndUpkeep<'_>,
    (work, preview): (
        impl Fn(&Turn<'_>) -> Result<T, Failure> + Sync,
        impl Fn(&Turn<'_>) -> Result<Option<Preview>, Failure> + Sync,
    ),
) -> Result<Exit, Failure> {
    let to_stderr = jobs.iter().flatten().any(|job| job.output == Output::Stdout);
    let is_batch = jobs.len() > 1;
    let bar = Bar::files(jobs.len() as u64, options.is_silent() || !is_batch);
    let (mut exit, mut lines, own) = (Exit::Ok, Vec::new(), Mutex::default());
    let said = acceptance.map_or(&own, |acceptance| acceptance.said);
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let done = |result: Result<JobResult<T>, Failure>| {
        for kind in result.as_ref().map(kinds_of).unwrap_or_default() {
            *kinds.entry(kind).or_default() += 1;
        }
        let result = result.and_then(|done| {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            bar.pause(|| print(&done, options, to_stderr, &mut said))?;
            Ok(done)
        });
        if let Err(failure) = &result {
            bar.pause(|| report::complain(failure));
            exit = exit.or(failure.exit);
        }
        bar.step();
        if options.json {
            lines.push(match result {
                Ok(JobResult::Written(outcome)) => FileEntry::Done(outcome.into_report()),
                Ok(JobResult::Untouched(untouched)) => entry_of(*untouched),
                Err(failure) => json::entry(Err(failure)),
            });
        }
    };
    let work = |turn: &Turn<'_>| {
        work(turn).map(|result| {
            let [input_bytes, output_bytes] = result.byte_counts();
            let kept = upkeep.and_then(|_| result.kept());
            Written { result, input_bytes, output_bytes, kept }
        })
    };
    let mut summary = batch::run(
        jobs,
        &options.batch_options(recipe, machine),
        upkeep.map(|upkeep| upkeep.incremental),
        Failure::is_over_limit,
        (work, preview),
        done,
        &Task::new(),
    )
    .map_err(|error| Failure::new(Exit::Runtime, error))?;
    bar.finish();
    if acceptance.is_some_and(|acceptance| !(acceptance.accepts)(exit)) {
        return Ok(exit);
    }
    summary.notes = kinds;
    // A failure here must not hide the results above.
    for kept in upkeep.map(|upkeep| keep_up(upkeep, options)).unwrap_or_default() {
        if let Err(failure) = &kept {
            report::complain(failure);
            exit = exit.or(failure.exit);
        }
        lines.push(match kept {
            Ok(file) => FileEntry::Untouched { file: Box::new(file), result: None },
            Err(failure) => json::entry(Err(failure)),
        });
    }

    if options.json {
        let summary = is_batch.then_some(summary);
        json::print(&FilesReport { command, files: lines, summary }, to_stderr)?;
        return Ok(exit);
    }
    let is_untouched = summary.up_to_date + summary.from_cache > 0;
    if (is_batch || is_untouched) && !options.is_silent() {
        output::print(&summary::text(&summary), to_stderr)?;
    }
    if is_batch && !options.quiet && !summary.notes.is_empty() {
        let count = |(kind, count): (&String, &u64)| format!("{kind} {count}");
        let counts: Vec<_> = summary.notes.iter().map(count).collect();
        report::note(&format!("files with notes, by kind: {}", counts.join(", ")));
    }
    if exit != Exit::Ok && is_batch {
        report::note(&format!("{} of {} failed", summary.failed, counted(jobs.len(), "output")));
    }
    Ok(exit)
}

/// Lists or removes stale outputs, completes the manifest, and returns entries for the report.
fn keep_up(upkeep: Upkeep<'_>, options: &BatchArgs) -> Vec<Result<UntouchedFile, Failure>> {
    let Upkeep { incremental, scope, prunes } = upkeep;
    let mut entries = Vec::new();
    if prunes && !scope.is_complete() && !options.quiet {
        report::note("stale outputs are not searched for, because not all inputs could be found");
    }
    match incremental.stale_outputs(scope, prunes && !options.dry_run, &Task::new()) {
        Ok(stale) => entries.extend(stale.into_iter().map(|stale| stale_entry(stale, prunes, options))),
        Err(cancelled) => entries.push(Err(cancelled.into())),
    }
    if !options.dry_run
        && let Err(error) = incremental.finish()
    {
        entries.push(Err(error.into()));
    }
    if let Some(failure) = incremental.cache_failure().filter(|_| !options.quiet) {
        report::note(&format!("the cache does not accept outputs: {failure}"));
    }
    entries
}

/// Reports a stale output, and returns its entry for the report.
fn stale_entry(stale: StaleOutput, prunes: bool, options: &BatchArgs) -> Result<UntouchedFile, Failure> {
    let (action, treatment) = match &stale.fate {
        StaleFate::Failed(error) => {
            return Err(Failure::from(error.clone()).hint("the output is stale, and was not removed"));
        }
        StaleFate::Removed => (FileAction::Pruned, "removed".to_owned()),
        StaleFate::Changed => {
            (FileAction::Stale, "kept, because the output changed since it was written".to_owned())
        }
        StaleFate::Unreplaced(output) => {
            (FileAction::Stale, format!("kept until {} is written", path_text(output)))
        }
        StaleFate::Unreachable(folder) => {
            let state = if folder.is_symlink() { "a broken link" } else { "empty" };
            let reason = format!("is {state}, as if a disk were not mounted");
            (FileAction::Stale, format!("kept, because {} {reason}", path_text(folder)))
        }
        _ if prunes => (FileAction::Stale, "would be removed".to_owned()),
        _ => (FileAction::Stale, "--prune removes the output".to_owned()),
    };
    if !options.quiet {
        report::note(&format!("{stale}; {treatment}"));
    }
    let (input, output) = (stale.input, stale.output);
    Ok(UntouchedFile { input, output, target: None, action, plan: None })
}

/// Returns each kind of the notes of a job once.
fn kinds_of<T: Outcome>(done: &JobResult<T>) -> BTreeSet<String> {
    match done {
        JobResult::Written(outcome) => outcome.note_kinds().into_iter().map(str::to_owned).collect(),
        JobResult::Untouched(untouched) => notes_of(untouched).iter().map(|(kind, _)| kind.clone()).collect(),
    }
}

/// Returns the notes about an output that is not made, as they are printed, and their kinds.
fn notes_of(untouched: &Untouched) -> &[(String, String)] {
    match (&untouched.kept, &untouched.preview) {
        (Some(kept), _) => &kept.notes,
        (None, Some(preview)) => &preview.notes,
        (None, None) => &[],
    }
}

/// Returns the entry of an output that is not made.
fn entry_of<T>(untouched: Untouched) -> FileEntry<T> {
    let Untouched { file, kept, preview } = untouched;
    let file = UntouchedFile { plan: preview.map(|preview| preview.plan), ..file };
    FileEntry::Untouched { file: Box::new(file), result: kept.map(|kept| kept.report) }
}

/// Prints the messages of one job. Notes in `said` are not printed again.
fn print<T: Outcome>(
    done: &JobResult<T>,
    options: &BatchArgs,
    to_stderr: bool,
    said: &mut HashSet<String>,
) -> Result<(), Failure> {
    let mut say = |note: &String| {
        if !options.quiet && said.insert(note.clone()) {
            report::note(note);
        }
    };
    match done {
        JobResult::Written(outcome) => {
            outcome.notes().iter().for_each(&mut say);
            if !options.quiet && !options.json {
                output::print(&outcome.text(), to_stderr)?;
            }
        }
        JobResult::Untouched(untouched) => {
            notes_of(untouched).iter().for_each(|(_, text)| say(text));
            let UntouchedFile { input, output, action, .. } = &untouched.file;
            let plan =
                untouched.preview.as_ref().map_or_else(String::new, |preview| format!("  {}", preview.text));
            let line = format!("{} → {}  {}{plan}\n", printable(input), printable(output), action.name());
            if options.dry_run && !options.json {
                output::print(&line, to_stderr)?;
            } else {
                report::detail(line.trim_end());
            }
        }
    }
    Ok(())
}

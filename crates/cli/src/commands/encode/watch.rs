//! `encode --watch`: runs again for what changes, until interrupted.
//!
//! ```text
//! the whole run → events of the file system about images, folders and rules → none for a while
//!   → changed paths → the plan of rules and options as they are now
//!   → jobs with such inputs, or planned otherwise than before → a run of these
//! ```

use super::rules::EncodeArgs;
use crate::{
    batch::Job,
    exit::Exit,
    extensions::image_extensions,
    failure::Failure,
    report::{self, counted},
};
use brickwork_base::whole_file::folder_of;
use brickwork_toolkit::{
    batch::{BatchError, Input},
    texture::RULE_FILE,
};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs, mem,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

/// Time without events after which changes are complete: editors write files in several steps.
const QUIET: Duration = Duration::from_millis(300);

/// Maximum time after the first event: a file that changes all the time must not delay others.
const LONGEST: Duration = Duration::from_secs(5);

/// Paths that changed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    paths: BTreeSet<PathBuf>,
    /// True if events were lost.
    is_any: bool,
}

impl Changes {
    /// True if an input of a job, or a folder above it, changed.
    fn has(&self, job: &Job) -> bool {
        let is_changed = |path| resolved(path).ancestors().any(|path| self.paths.contains(path));
        self.is_any || job.inputs.iter().filter_map(Input::path).any(is_changed)
    }

    /// Adds the relevant paths of an event. Returns true if there are any.
    fn add(&mut self, event: &Event, is_relevant: impl Fn(&Path) -> bool) -> bool {
        self.is_any |= event.need_rescan();
        // Readers of files cause such events.
        if matches!(event.kind, EventKind::Access(_)) {
            return event.need_rescan();
        }
        let paths = event.paths.iter().map(|path| resolved(path));
        let paths: Vec<_> = paths.filter(|path| is_relevant(path)).collect();
        let is_any = event.need_rescan() || !paths.is_empty();
        self.paths.extend(paths);
        is_any
    }
}

/// Jobs and inputs that were planned.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Jobs of the latest plan that was run, by output.
    jobs: HashMap<PathBuf, Job>,
    /// Jobs of the latest plan.
    planned: HashMap<PathBuf, Job>,
    /// Names of all inputs, by their resolved paths.
    inputs: BTreeMap<PathBuf, String>,
}

impl Known {
    /// Adds the jobs of a plan. With changes, only those jobs remain whose inputs changed, or which the plan
    /// that was run last did not have with the same inputs and options.
    pub fn add(&mut self, jobs: &mut Vec<Result<Job, BatchError>>, changes: Option<&Changes>) {
        let inputs = jobs.iter().flatten().flat_map(|job| &job.inputs);
        let resolved = |input: &Input| Some((fs::canonicalize(input.path()?).ok()?, input.name()));
        self.inputs.extend(inputs.filter_map(resolved));
        let planned = jobs.iter().flatten();
        let planned = planned.filter_map(|job| Some((job.output.path()?.to_owned(), job.clone())));
        self.planned = planned.collect();
        let Some(changes) = changes else { return };
        let is_known = |job: &Job| {
            let known = job.output.path().and_then(|path| self.jobs.get(path));
            known.is_some_and(|known| (&known.inputs, &known.recipe) == (&job.inputs, &job.recipe))
        };
        jobs.retain(|job| job.as_ref().is_ok_and(|job| changes.has(job) || !is_known(job)));
    }

    /// Takes the jobs of the latest plan for those that were run.
    fn accept(&mut self) {
        self.jobs = mem::take(&mut self.planned);
    }

    /// True if a path is an input, or a folder above one.
    fn has(&self, path: &Path) -> bool {
        self.inputs.keys().any(|input| input.starts_with(path))
    }

    /// Removes the inputs that are gone, and returns their names.
    fn take_gone(&mut self) -> Vec<String> {
        let inputs = mem::take(&mut self.inputs).into_iter();
        let gone: BTreeMap<_, _>;
        (self.inputs, gone) = inputs.partition(|(input, _)| input.exists());
        gone.into_values().collect()
    }
}

/// Returns a path whose folder is resolved, also of a file that is gone.
fn resolved(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder_of(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Encodes everything, then what changes, by `encode`, which adds its jobs to those that are known. Ctrl-C
/// ends the program. Returns only if the first run cannot begin, or the system cannot watch files.
///
/// # Errors
/// [`Failure`] of the first run, or of the system.
pub(super) fn run(
    arguments: &EncodeArgs,
    encode: impl Fn(Option<&Changes>, &mut Known) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let args = &arguments.args;
    if !args.batch.may_replace() && !arguments.rules.has_cache() {
        return Err(Failure::usage("--watch replaces outputs").hint("use --update, --cache or --force"));
    }
    let is_stream = |path: &PathBuf| path.as_os_str() == "-";
    if args.inputs.iter().chain(&args.output).any(is_stream) {
        return Err(Failure::usage("--watch needs files, not standard input and output"));
    }
    let (sender, receiver) = channel();
    // The program ends, if the receiver is gone.
    let watcher = notify::recommended_watcher(move |event| _ = sender.send(event));
    let mut watcher = watcher.map_err(|error| failure(&error, None))?;
    let rule_file = arguments.rules.file();
    for input in &args.inputs {
        let is_folder = input.is_dir();
        watch(
            &mut watcher,
            if is_folder { input } else { folder_of(input) },
            is_folder && args.batch.recursive,
        )?;
    }
    if let Some(file) = rule_file {
        watch(&mut watcher, folder_of(file), false)?;
    }
    let mut known = Known::default();
    encode(None, &mut known)?;
    known.accept();
    if !args.batch.quiet {
        report::note("waiting for changes; Ctrl-C ends");
    }
    let (extensions, rule_file) = (image_extensions(), rule_file.map(resolved));
    let mut changes = Changes::default();
    loop {
        let is_relevant = |path: &Path| {
            let extension = path.extension().unwrap_or_default();
            extensions.iter().any(|image| extension.eq_ignore_ascii_case(image))
                || path.file_name().is_some_and(|name| name == RULE_FILE)
                || rule_file.as_deref() == Some(path)
                || path.is_dir()
                || known.has(path)
        };
        add_next(&mut changes, &receiver, is_relevant)?;
        let gone = known.take_gone();
        for input in gone.iter().filter(|_| !args.batch.quiet) {
            report::note(&format!("{input}: is gone; its outputs stay"));
        }
        report::detail(&format!("{} changed", counted(changes.paths.len(), "path")));
        match encode(Some(&changes), &mut known) {
            Ok(_) => {
                known.accept();
                changes = Changes::default();
            }
            // The next change may repair it.
            Err(failure) => report::complain(&failure),
        }
    }
}

fn watch(watcher: &mut RecommendedWatcher, folder: &Path, recursive: bool) -> Result<(), Failure> {
    let mode = if recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    watcher.watch(folder, mode).map_err(|error| failure(&error, Some(folder)))
}

/// Waits for relevant changes, and until there are no further ones or the maximum time has passed. Adds them.
fn add_next(
    changes: &mut Changes,
    receiver: &Receiver<notify::Result<Event>>,
    is_relevant: impl Fn(&Path) -> bool,
) -> Result<(), Failure> {
    // The end of the wait, and the latest possible one.
    let mut ends: Option<[Instant; 2]> = None;
    loop {
        let event = match ends.map(|[end, _]| end.saturating_duration_since(Instant::now())) {
            None => {
                receiver.recv().map_err(|_| Failure::new(Exit::Runtime, "no more changes are reported"))?
            }
            Some(Duration::ZERO) => return Ok(()),
            Some(wait) => match receiver.recv_timeout(wait) {
                Ok(event) => event,
                Err(_) => return Ok(()),
            },
        };
        let event = event.map_err(|error| failure(&error, None))?;
        if changes.add(&event, &is_relevant) {
            let now = Instant::now();
            let last = ends.map_or(now + LONGEST, |[_, last]| last);
            ends = Some([last.min(now + QUIET), last]);
        }
    }
}

fn failure(error: &notify::Error, folder: Option<&Path>) -> Failure {
    let failure = Failure::new(Exit::Io, format!("changes of files cannot be watched: {error}"));
    match folder {
        Some(folder) => failure.of_path(folder),
        None => failure,
    }
}

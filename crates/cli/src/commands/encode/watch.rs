//! `encode --watch`: runs again for what changes, until interrupted.
//!
//! ```text
//! the whole run → events of the file system → none for a while → paths that changed
//!   → the plan of rules and options as they are now → jobs with such inputs → a run of these
//! ```

use super::rules::EncodeArgs;
use crate::{
    exit::Exit,
    extensions::image_extensions,
    failure::Failure,
    report::{self, counted},
};
use brickwork_toolkit::{report::path_text, texture::RULE_FILE};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

/// Time without events after which changes are complete: editors write files in several steps.
const QUIET: Duration = Duration::from_millis(300);

/// Paths that changed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    paths: BTreeSet<PathBuf>,
    /// True if events were lost, or a rule file changed.
    is_any: bool,
}

impl Changes {
    /// True if one of the files, or a folder above it, changed.
    pub fn has(&self, file: &Path) -> bool {
        let resolved = resolved(file);
        self.is_any || resolved.ancestors().any(|path| self.paths.contains(path))
    }

    fn add(&mut self, event: &Event) {
        self.is_any |= event.need_rescan();
        // What reads files causes such events.
        if !matches!(event.kind, EventKind::Access(_)) {
            self.paths.extend(event.paths.iter().map(|path| resolved(path)));
        }
    }
}

/// Returns a path whose folder is resolved, also of a file that is gone.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Encodes everything, then what changes, by `encode`, which also collects the known inputs. Ctrl-C ends the
/// program. Returns only if the first run cannot begin, or the system cannot watch files.
///
/// # Errors
/// [`Failure`] of the first run, or of the system.
pub(super) fn run(
    arguments: &EncodeArgs,
    encode: impl Fn(Option<&Changes>, &mut BTreeSet<PathBuf>) -> Result<Exit, Failure>,
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
    let mut inputs = BTreeSet::new();
    encode(None, &mut inputs)?;
    if !args.batch.quiet {
        report::note("waiting for changes; Ctrl-C ends");
    }
    loop {
        let mut changes = next(&receiver)?;
        changes.is_any |= changes.paths.iter().any(|path| {
            path.file_name().is_some_and(|name| name == RULE_FILE)
                || rule_file.is_some_and(|file| resolved(file) == *path)
        });
        let is_image = |path: &PathBuf| {
            let extension = path.extension().unwrap_or_default();
            image_extensions().iter().any(|image| extension.eq_ignore_ascii_case(image)) || path.is_dir()
        };
        let is_known = |path: &PathBuf| inputs.iter().any(|input: &PathBuf| input.starts_with(path));
        if !changes.is_any && !changes.paths.iter().any(|path| is_image(path) || is_known(path)) {
            continue;
        }
        let gone: Vec<PathBuf> = inputs.iter().filter(|input| !input.exists()).cloned().collect();
        for input in gone {
            report::note(&format!("{}: is gone; its outputs stay", path_text(&input)));
            inputs.remove(&input);
        }
        // The next change may repair it.
        if let Err(failure) = encode(Some(&changes), &mut inputs) {
            report::complain(&failure);
        }
        report::detail(&format!("{} changed", counted(changes.paths.len(), "path")));
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn watch(watcher: &mut RecommendedWatcher, folder: &Path, recursive: bool) -> Result<(), Failure> {
    let mode = if recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    watcher.watch(folder, mode).map_err(|error| failure(&error, Some(folder)))
}

/// Waits for changes, and until there are no further ones.
fn next(receiver: &Receiver<notify::Result<Event>>) -> Result<Changes, Failure> {
    let mut changes = Changes::default();
    let mut event =
        receiver.recv().map_err(|_| Failure::new(Exit::Runtime, "no more changes are reported"))?;
    loop {
        match event {
            Ok(event) => changes.add(&event),
            Err(error) => return Err(failure(&error, None)),
        }
        match receiver.recv_timeout(QUIET) {
            Ok(next) => event = next,
            Err(_) => return Ok(changes),
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

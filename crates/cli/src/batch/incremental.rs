//! Runs that repeat only the work whose inputs or options changed.
//!
//! ```text
//! state of inputs and output as in the manifest → up to date
//!   else: contents of the inputs, options and build → key
//!     key as in the manifest, output unchanged    → up to date
//!     key in the cache                            → the output is copied
//!     else                                        → the job runs; its output goes to the cache, too
//! ```

use super::{
    BatchError, BatchOptions, Build, Job, Output, Shard, Turn,
    cache::Cache,
    digest::{Digest, digest_of_file},
    file_state::{FileState, now},
    keeper::Keeper,
    manifest::{Entry, InputEntry, Manifest},
    names::{relative_to, text_of},
    outdated::{InputName, Outdated, Place},
};
use brickwork_base::whole_file::Existing;
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// A cache of outputs, and the manifest of a folder of outputs.
#[derive(Debug)]
pub struct Incremental {
    pub(super) cache: Cache,
    manifest: Mutex<Manifest>,
    /// Folder of the outputs, as given.
    pub(super) outputs: PathBuf,
    build: Build,
    /// Names of the folders of inputs, relative to the folder of the outputs.
    roots: Mutex<HashMap<PathBuf, String>>,
}

/// Decision about a job.
#[derive(Debug)]
pub(super) enum Examined {
    /// The output with this key is up to date.
    UpToDate(Digest),
    Outdated(Box<Outdated>),
}

impl Incremental {
    /// Opens the cache, creates its folder, and reads the manifest of `outputs`, a folder. `build` is that of
    /// the program, and `shard` that of the run. In a dry run, nothing is created or changed.
    ///
    /// # Errors
    /// [`BatchError`] of the system, `BatchFault::Busy` if another run writes to `outputs`,
    /// `BatchFault::Manifest`, or `BatchFault::LargeManifest`.
    pub fn open(
        cache: &Path,
        outputs: &Path,
        build: Build,
        shard: Shard,
        is_dry_run: bool,
    ) -> Result<Self, BatchError> {
        let cache = Cache::open(cache, is_dry_run)?;
        if !is_dry_run {
            fs::create_dir_all(outputs).map_err(|error| BatchError::io(outputs.display(), error))?;
        }
        let mut manifest = Manifest::open(outputs, shard, !is_dry_run)?;
        if !is_dry_run {
            // Earlier runs may have been killed before they did this.
            manifest.compact()?;
        }
        let (outputs, manifest, roots) = (outputs.to_owned(), Mutex::new(manifest), Mutex::default());
        Ok(Self { cache, manifest, outputs, build, roots })
    }

    /// Returns the first reason why the cache did not accept an output. Outputs are not affected.
    pub fn cache_failure(&self) -> Option<String> {
        self.cache.failure()
    }

    /// Completes the manifest after a run.
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub fn finish(&self) -> Result<(), BatchError> {
        self.manifest().compact()
    }

    fn manifest(&self) -> MutexGuard<'_, Manifest> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the place of a job; none if its inputs are pipes, or if it has no recipe.
    pub(super) fn place_of(&self, job: &Job) -> Option<Place> {
        let Output::File(path) = &job.output else { return None };
        let output = text_of(path.strip_prefix(&self.outputs).ok()?)?;
        if job.inputs.is_empty() || !job.inputs.iter().all(super::Input::can_be_read_again) {
            return None;
        }
        let folder = root_of(job)?;
        let names = job.inputs.iter().map(|input| self.input_name(input.path()?, folder));
        let names = names.collect::<Option<Vec<_>>>()?;
        // The shard and stale outputs depend on the first input.
        if names.first().is_none_or(|(folder, _)| folder.is_some()) {
            return None;
        }
        // The reader and the container depend on the extensions.
        let extension = |name: &str| name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let files = names.iter().map(|(_, name)| name).chain([&output]);
        let extensions: Vec<_> = files.map(|name| extension(name)).collect();
        let mut parts = vec![&self.build.0.0[..], job.recipe.as_deref()?.as_bytes()];
        parts.extend(extensions.iter().map(String::as_bytes));
        let (path, root) = (path.clone(), self.root_name(folder)?);
        Some(Place { path, output, root, names, recipe: Digest::of_parts(&parts) })
    }

    /// Returns the name of an input at `path`. `root` is the folder that was searched for the first input.
    fn input_name(&self, path: &Path, root: &Path) -> Option<InputName> {
        if let Some(name) = path.strip_prefix(root).ok().and_then(text_of) {
            return Some((None, name));
        }
        let folder = self.root_name(path.parent()?)?;
        Some((Some(folder), text_of(Path::new(path.file_name()?))?))
    }

    /// Returns the name of a folder of inputs, relative to the folder of the outputs, so that it is the same
    /// on machines that mount both in another place.
    pub(super) fn root_name(&self, folder: &Path) -> Option<String> {
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = roots.get(folder) {
            return Some(name.clone());
        }
        let outputs = fs::canonicalize(&self.outputs).or_else(|_| std::path::absolute(&self.outputs)).ok()?;
        let name = relative_to(&outputs, &fs::canonicalize(folder_or_here(folder)).ok()?);
        roots.insert(folder.to_owned(), name.clone());
        Some(name)
    }

    /// Returns the decision about a job. `states` are those of its inputs.
    ///
    /// # Errors
    /// [`BatchError`] of inputs that cannot be read.
    pub(super) fn examine(
        &self,
        place: Place,
        states: Vec<FileState>,
        options: &BatchOptions,
        turn: &Turn<'_>,
    ) -> Result<Examined, BatchError> {
        let (time, path) = (now(), place.path.clone());
        let entry = self.manifest().get(&place.output).cloned();
        let state = FileState::of(&path).ok();
        if let Some(entry) = &entry
            && entry.recipe == place.recipe
            && state == Some(entry.state)
            && has_states(entry, &place, &states)
        {
            return Ok(Examined::UpToDate(entry.key));
        }
        let paths = turn.job.inputs.iter().filter_map(|input| Some((input.name(), input.path()?)));
        let digest = |(name, path): (String, &Path)| digest_of_file(&name, path, &turn.task);
        let inputs = paths.map(digest).collect::<Result<Vec<_>, _>>()?;
        let mut parts = vec![&place.recipe.0[..]];
        parts.extend(inputs.iter().map(|digest| &digest.0[..]));
        let key = Digest::of_parts(&parts);
        let digest = match state {
            None => None,
            // The output did not change since it was written.
            Some(_) if entry.as_ref().is_some_and(|entry| Some(entry.state) == state) => {
                entry.as_ref().map(|entry| entry.digest)
            }
            Some(_) => Some(digest_of_file(&turn.job.output.name(), &path, &turn.task)?),
        };
        let is_ours = digest.is_some() && entry.as_ref().map(|entry| entry.digest) == digest;
        let is_edited = digest.is_some() && entry.is_some() && !is_ours;
        let is_key = entry.as_ref().is_some_and(|entry| entry.key == key);
        // A run that was killed may have written the output, but not the entry.
        let is_in_cache = || self.cache.find(&key).is_some_and(|object| Some(object.digest) == digest);
        let outdated = |existing| Outdated { place, key, inputs, is_edited, states, time, existing };
        if let (Some(state), Some(digest)) = (state, digest)
            && ((is_ours && is_key) || (!is_ours && is_in_cache()))
        {
            if !options.dry_run {
                self.record(&outdated(Existing::Keep), state, digest)?;
            }
            return Ok(Examined::UpToDate(key));
        }
        let existing = if is_ours { Existing::Replace } else { options.existing };
        Ok(Examined::Outdated(Box::new(outdated(existing))))
    }

    /// Copies the output of a job from the cache. Returns false if the cache does not have it.
    ///
    /// # Errors
    /// [`BatchError`] of the output.
    pub(super) fn restore(&self, outdated: &Outdated, turn: &Turn<'_>) -> Result<bool, BatchError> {
        let Some(object) = self.cache.find(&outdated.key) else { return Ok(false) };
        let (digest, name) = (object.digest, turn.job.output.name());
        let mut is_damaged = false;
        let written = turn.job.output.write(turn.existing, |sink| {
            let is_whole = object.copy_to(sink, &turn.task);
            is_damaged = !is_whole.map_err(|error| BatchError::io(&name, error))?;
            // An error leaves the output unchanged.
            if is_damaged { Err(BatchError::io(&name, io::ErrorKind::InvalidData.into())) } else { Ok(()) }
        });
        if is_damaged {
            self.cache.remove(&outdated.key);
            return Ok(false);
        }
        written?;
        self.record_written(outdated, digest)?;
        Ok(true)
    }

    /// Records an output that was written by its job.
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub(super) fn record_kept(&self, outdated: &Outdated, keeper: &Keeper<'_>) -> Result<(), BatchError> {
        match keeper.digest() {
            Some(digest) => self.record_written(outdated, digest),
            // The job wrote its output in another way.
            None => Ok(()),
        }
    }

    fn record_written(&self, outdated: &Outdated, digest: Digest) -> Result<(), BatchError> {
        let path = &outdated.place.path;
        let state = FileState::of(path).map_err(|error| BatchError::io(path.display(), error))?;
        self.record(outdated, state, digest)
    }

    fn record(&self, outdated: &Outdated, state: FileState, digest: Digest) -> Result<(), BatchError> {
        let Place { output, root, names, recipe, .. } = outdated.place.clone();
        let inputs = names.into_iter().zip(&outdated.states);
        let entry =
            |((folder, name), state): (InputName, &FileState)| InputEntry { name, folder, state: *state };
        let inputs = inputs.map(entry).collect();
        let (key, time) = (outdated.key, outdated.time);
        let (revision, is_removed) = (0, false);
        let entry = Entry { output, root, inputs, recipe, key, digest, state, time, revision, is_removed };
        self.manifest().record(entry)
    }

    /// Records that an output was removed.
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub(super) fn record_removed(&self, entry: Entry) -> Result<(), BatchError> {
        self.manifest().record(Entry { is_removed: true, time: now(), ..entry })
    }

    /// True if the manifest has an output.
    pub(super) fn has_entry(&self, output: &Path) -> bool {
        let name = output.strip_prefix(&self.outputs).ok().and_then(text_of);
        name.is_some_and(|name| self.manifest().get(&name).is_some())
    }

    /// Returns the entries of the shard, sorted by output.
    pub(super) fn entries_of_shard(&self) -> Vec<Entry> {
        self.manifest().entries_of_shard().cloned().collect()
    }
}

/// True if the inputs have the states of the entry, so that their contents did not change either.
fn has_states(entry: &Entry, place: &Place, states: &[FileState]) -> bool {
    let is_same = |(known, ((folder, name), state)): (&InputEntry, (&InputName, &FileState))| {
        let is_named = known.folder == *folder && known.name == *name;
        is_named && known.state == *state && state.is_settled_at(entry.time)
    };
    entry.root == place.root
        && entry.inputs.len() == states.len()
        && entry.inputs.iter().zip(place.names.iter().zip(states)).all(is_same)
}

/// Returns the folder that was searched for the first input of a job.
fn root_of(job: &Job) -> Option<&Path> {
    let path = job.inputs.first()?.path()?;
    path.ancestors().nth(job.relative_name.matches('/').count() + 1)
}

fn folder_or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Returns the states of a job's inputs, without pipes and files that cannot be found.
pub(super) fn states_of(job: &Job) -> Vec<(PathBuf, FileState)> {
    let files = job.inputs.iter().filter(|input| input.can_be_read_again());
    let state = |path: &Path| Some((path.to_owned(), FileState::of(path).ok()?));
    files.filter_map(|input| input.path().and_then(state)).collect()
}

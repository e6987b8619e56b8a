//! A list of the outputs in a folder: who wrote them, from which inputs.
//!
//! ```text
//! OUT/.brickwork/manifest.jsonl          of whole runs
//! OUT/.brickwork/manifest-0-of-4.jsonl   of a shard
//! OUT/.brickwork/lock, lock-0-of-4       locked by the run that writes the manifest beside it
//! ```
//!
//! The first line names the version. Each other line is an entry in JSON; a later one replaces earlier ones
//! of its output. Entries are appended when their output is complete. A line that was cut off by a kill is
//! ignored. Whole runs unite the manifests of shards.

use super::{BatchError, BatchFault, Shard, digest::Digest, file_state::FileState};
use brickwork_base::whole_file::{Existing, Target};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Component, Path, PathBuf},
};

/// Folder of the manifests.
const FOLDER: &str = ".brickwork";

/// First line of a manifest.
const HEADER: &str = "{\"brickwork_manifest\":1}";

/// Maximum size of a manifest: that of some hundred thousand entries.
const MAX_BYTES: u64 = 1 << 28;

/// An output and its origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Path below the folder of the outputs, with `/`.
    pub output: String,
    /// Folder of the inputs, relative to that of the outputs, if possible.
    pub root: String,
    /// The inputs.
    pub inputs: Vec<InputEntry>,
    /// Digest of the options and the version of the program.
    pub recipe: Digest,
    /// Key of the output in the cache.
    pub key: Digest,
    /// Digest of the output.
    pub digest: Digest,
    /// State of the output.
    pub state: FileState,
    /// Time at which the inputs were read, in nanoseconds since 1970.
    pub time: i64,
    /// True if the output was removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_removed: bool,
}

/// An input of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InputEntry {
    /// Path below the folder of the inputs, with `/`.
    pub name: String,
    /// State when it was read.
    pub state: FileState,
}

/// The entries of a folder of outputs.
#[derive(Debug)]
pub(super) struct Manifest {
    path: PathBuf,
    entries: BTreeMap<String, Entry>,
    /// Manifests of shards, which this one replaces.
    shards: Vec<PathBuf>,
    /// Lines in the file, without the header.
    line_count: usize,
    file: Option<File>,
    /// The lock is released when the file is closed.
    _lock: Option<File>,
}

impl Manifest {
    /// Reads the manifests of a folder. If `writes`, the folder exists, and no other run may write the same
    /// manifest until this is dropped.
    ///
    /// # Errors
    /// [`BatchError`] of the system, [`BatchFault::Busy`], or [`BatchFault::Manifest`].
    pub fn open(outputs: &Path, shard: Shard, writes: bool) -> Result<Self, BatchError> {
        let folder = outputs.join(FOLDER);
        let is_whole = shard.count() == 1;
        let of_shard = match is_whole {
            true => String::new(),
            false => format!("-{}-of-{}", shard.index(), shard.count()),
        };
        let lock = if writes { lock(&folder, &format!("lock{of_shard}"))? } else { None };
        let path = folder.join(format!("manifest{of_shard}.jsonl"));
        let (mut entries, mut shards, mut line_count) = (BTreeMap::new(), Vec::new(), 0);
        for found in manifests(&folder)? {
            let lines = read(&found)?;
            if found == path {
                line_count = lines.len();
            } else if is_whole {
                shards.push(found);
            }
            for entry in lines {
                add(&mut entries, entry);
            }
        }
        Ok(Self { path, entries, shards, line_count, file: None, _lock: lock })
    }

    /// Returns the entry of an output.
    pub fn get(&self, output: &str) -> Option<&Entry> {
        self.entries.get(output).filter(|entry| !entry.is_removed)
    }

    /// Returns all entries, sorted by output.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().filter(|entry| !entry.is_removed)
    }

    /// Adds an entry, and appends it to the file.
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub fn record(&mut self, entry: Entry) -> Result<(), BatchError> {
        let line = serde_json::to_string(&entry).map_err(io::Error::from);
        let written = line.and_then(|line| {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(appendable(&self.path)?),
            };
            // One call writes the line, so that a kill cuts off at most the last one.
            file.write_all(format!("{line}\n").as_bytes())
        });
        written.map_err(|error| BatchError::io(self.path.display(), error))?;
        self.line_count += 1;
        self.entries.insert(entry.output.clone(), entry);
        Ok(())
    }

    /// Writes the entries once each if the file has many more lines, and unites the manifests of shards.
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub fn compact(&mut self) -> Result<(), BatchError> {
        let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_whole = name == "manifest.jsonl";
        let is_long = self.line_count > 2 * self.entries.len() + 100;
        if !is_whole || !is_long && self.shards.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut file = io::BufWriter::new(Target::of(&self.path)?.create()?);
            writeln!(file, "{HEADER}")?;
            for entry in self.entries.values().filter(|entry| !entry.is_removed) {
                serde_json::to_writer(&mut file, entry)?;
                writeln!(file)?;
            }
            file.into_inner().map_err(io::IntoInnerError::into_error)?.commit(Existing::Replace)
        };
        write().map_err(|error| BatchError::io(self.path.display(), error))?;
        for shard in self.shards.drain(..) {
            let _ = fs::remove_file(shard);
        }
        self.file = None;
        self.entries.retain(|_, entry| !entry.is_removed);
        self.line_count = self.entries.len();
        Ok(())
    }
}

/// Creates the folder of the manifests, and locks a file in it.
fn lock(folder: &Path, name: &str) -> Result<Option<File>, BatchError> {
    let path = folder.join(name);
    let open = || {
        fs::create_dir_all(folder)?;
        File::options().create(true).truncate(false).write(true).open(&path)
    };
    let file = open().map_err(|error| BatchError::io(path.display(), error))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let outputs = folder.parent().unwrap_or(folder);
            Err(BatchError::new(outputs.display(), BatchFault::Busy))
        }
        // Some file systems have no locks.
        _ => Ok(Some(file)),
    }
}

/// Returns the manifests in a folder, sorted by name.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>, BatchError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| BatchError::io(folder.display(), error))?,
    };
    let is_manifest = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("manifest") && name.ends_with(".jsonl")
    };
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(is_manifest).collect();
    found.sort();
    Ok(found)
}

/// Returns the entries of a manifest.
fn read(path: &Path) -> Result<Vec<Entry>, BatchError> {
    let io = |error| BatchError::io(path.display(), error);
    let fault = |line| BatchError::new(path.display(), BatchFault::Manifest { line });
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(io)?,
    };
    if file.metadata().map_err(io)?.len() > MAX_BYTES {
        return Err(io(io::Error::new(io::ErrorKind::FileTooLarge, "is larger than any manifest")));
    }
    let (mut reader, mut entries) = (BufReader::new(file.take(MAX_BYTES)), Vec::new());
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(io)?;
        if line.pop() != Some(b'\n') {
            // The end of the file, or a line that was cut off.
            break;
        }
        if number == 1 {
            if line != HEADER.as_bytes() {
                return Err(fault(number));
            }
            continue;
        }
        let entry: Entry = serde_json::from_slice(&line).map_err(|_| fault(number))?;
        if !is_below(&entry.output) || !entry.inputs.iter().all(|input| is_below(&input.name)) {
            return Err(fault(number));
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// True for a path that stays below its folder.
fn is_below(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Adds an entry, unless that of its output is newer.
fn add(entries: &mut BTreeMap<String, Entry>, entry: Entry) {
    match entries.get(&entry.output) {
        Some(known) if known.time > entry.time => {}
        _ => {
            entries.insert(entry.output.clone(), entry);
        }
    }
}

/// Opens a manifest to append lines, with a header and without a line that was cut off.
fn appendable(path: &Path) -> io::Result<File> {
    let mut file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |position| position + 1);
    file.set_len(end as u64)?;
    drop(file);
    let mut file = File::options().append(true).open(path)?;
    if end == 0 {
        writeln!(file, "{HEADER}")?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(output: &str, time: i64) -> Entry {
        let digest = Digest::of_parts(&[output.as_bytes()]);
        let state = FileState::of(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let inputs = vec![InputEntry { name: "deep/a.png".to_owned(), state }];
        let (output, root) = (output.to_owned(), "../in".to_owned());
        Entry { output, root, inputs, recipe: digest, key: digest, digest, state, time, is_removed: false }
    }

    fn open(folder: &Path, shard: &str) -> Result<Manifest, BatchError> {
        Manifest::open(folder, shard.parse().unwrap(), true)
    }

    fn outputs(manifest: &Manifest) -> Vec<(&str, i64)> {
        manifest.entries().map(|entry| (entry.output.as_str(), entry.time)).collect()
    }

    #[test]
    fn lines_that_were_cut_off_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let mut manifest = open(folder.path(), "0/1").unwrap();
        for (output, time) in [("b.dds", 1), ("a.dds", 2), ("b.dds", 3)] {
            manifest.record(entry(output, time)).unwrap();
        }
        manifest.record(Entry { is_removed: true, ..entry("c.dds", 4) }).unwrap();
        drop(manifest);
        let path = folder.path().join(".brickwork/manifest.jsonl");
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut manifest = open(folder.path(), "0/1").unwrap();
            manifest.record(entry("d.dds", 9)).unwrap();
            drop(manifest);
            assert_eq!(outputs(&open(folder.path(), "0/1").unwrap()).last(), Some(&("d.dds", 9)), "{end}");
        }
        fs::write(&path, &whole).unwrap();
        assert_eq!(outputs(&open(folder.path(), "0/1").unwrap()), [("a.dds", 2), ("b.dds", 3)]);
    }

    #[test]
    fn foreign_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), "0/1").unwrap());
        let path = folder.path().join(".brickwork/manifest.jsonl");
        let outside = serde_json::to_string(&entry("../a.dds", 1)).unwrap();
        for (text, line) in [
            ("[]\n".to_owned(), 1),
            ("{\"brickwork_manifest\":2}\n".to_owned(), 1),
            (format!("{HEADER}\nx\n"), 2),
            (format!("{HEADER}\n{outside}\n"), 2),
        ] {
            fs::write(&path, &text).unwrap();
            let error = open(folder.path(), "0/1").unwrap_err();
            assert!(error.to_string().contains(&format!("line {line}")), "{text}: {error}");
        }
    }

    #[test]
    fn whole_runs_unite_the_manifests_of_shards() {
        let folder = tempfile::tempdir().unwrap();
        for (shard, output, time) in [("0/2", "a.dds", 5), ("1/2", "b.dds", 6), ("0/1", "a.dds", 1)] {
            open(folder.path(), shard).unwrap().record(entry(output, time)).unwrap();
        }
        let united = [("a.dds", 5), ("b.dds", 6)];
        // Shards see the entries of all, and leave the files of others alone.
        let mut shard = open(folder.path(), "1/2").unwrap();
        assert_eq!(outputs(&shard), united);
        shard.compact().unwrap();
        let mut whole = open(folder.path(), "0/1").unwrap();
        // Another run must not write the same manifest.
        let error = open(folder.path(), "0/1").unwrap_err();
        assert!(matches!(error.fault(), BatchFault::Busy), "{error}");
        assert!(Manifest::open(folder.path(), Shard::ALL, false).is_ok());
        whole.compact().unwrap();
        drop(whole);
        assert_eq!(manifests(&folder.path().join(FOLDER)).unwrap().len(), 1);
        assert_eq!(outputs(&open(folder.path(), "0/1").unwrap()), united);
        // Many lines of few outputs are reduced.
        let mut whole = open(folder.path(), "0/1").unwrap();
        (0..200).for_each(|time| whole.record(entry("a.dds", 10 + time)).unwrap());
        whole.compact().unwrap();
        whole.record(entry("c.dds", 300)).unwrap();
        drop(whole);
        let text = fs::read_to_string(folder.path().join(".brickwork/manifest.jsonl")).unwrap();
        assert_eq!(text.lines().count(), 4);
    }
}

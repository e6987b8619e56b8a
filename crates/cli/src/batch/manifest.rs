//! A list of the outputs in a folder: who wrote them, from which inputs.
//!
//! ```text
//! OUT/.brickwork/manifest.jsonl          of whole runs
//! OUT/.brickwork/manifest-0-of-4.jsonl   of a shard
//! OUT/.brickwork/lock                    locked by a whole run alone, or by any number of shards together
//! OUT/.brickwork/lock-0-of-4             locked by the shard
//! ```
//!
//! The first line names the version. Each other line is an entry in JSON; a later one replaces earlier ones
//! of its output. Entries of several files have revisions. Entries are appended when their output is
//! complete. A line that was cut off by a kill is ignored. A run writes its file again if that is long. Whole
//! runs also unite the manifests of shards, which do not run then.

use super::{
    BatchError, BatchFault, Shard,
    digest::Digest,
    file_state::FileState,
    names::{path_of, relative_name_of},
};
use brickwork_base::{
    regular_file,
    whole_file::{Existing, Target},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File, TryLockError},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
};

/// Folder of the manifests.
const FOLDER: &str = ".brickwork";

/// First line of a manifest.
const HEADER: &str = "{\"brickwork_manifest\":1}";

/// Maximum size of a manifest: that of some hundred thousand entries.
const MAX_BYTES: u64 = 1 << 28;

/// Lines beyond two for each entry, with which a manifest is long. More lines cost time whenever it is read;
/// with fewer it is written again more often.
const SURPLUS_LINES: usize = 100;

/// An output and its origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Path below the folder of the outputs, as [text](super::names).
    pub output: String,
    /// Folder of the inputs, relative to that of the outputs, if possible.
    pub root: String,
    /// The inputs.
    pub inputs: Vec<InputEntry>,
    /// Digest of the options and the build of the program.
    pub recipe: Digest,
    /// Key of the output in the cache.
    pub key: Digest,
    /// Digest of the output.
    pub digest: Digest,
    /// State of the output.
    pub state: FileState,
    /// Time at which the inputs were read, in nanoseconds since 1970.
    pub time: i64,
    /// Number of earlier entries of the output. It decides which entry is the latest, because the clocks of
    /// machines may differ.
    #[serde(default)]
    pub revision: u64,
    /// True if the output was removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_removed: bool,
}

/// An input of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InputEntry {
    /// Path below the folder of the inputs, as [text](super::names). If the file is not below it, the file's
    /// name.
    pub name: String,
    /// The file's folder, relative to that of the outputs, if the file is not below the folder of the inputs.
    /// It is only compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// State when it was read.
    pub state: FileState,
}

/// The entries of a folder of outputs.
#[derive(Debug)]
pub(super) struct Manifest {
    path: PathBuf,
    shard: Shard,
    entries: BTreeMap<String, Entry>,
    /// Manifests of shards, which this one replaces.
    shards: Vec<PathBuf>,
    /// Outputs in the manifests of others. Only shards have such manifests.
    of_others: HashSet<String>,
    /// Lines in the file, without the header.
    line_count: usize,
    file: Option<File>,
    /// The locks are released when the files are closed.
    _locks: Vec<File>,
}

impl Manifest {
    /// Reads the manifests of a folder. If `writes`, the folder exists. Until this is dropped, no other run
    /// may then write the same manifest, and whole runs and shards exclude each other.
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
        let mut locks = Vec::new();
        if writes {
            locks.push(lock(&folder, "lock", is_whole)?);
            if !is_whole {
                locks.push(lock(&folder, &format!("lock{of_shard}"), true)?);
            }
        }
        let path = folder.join(format!("manifest{of_shard}.jsonl"));
        let mut manifest = Self {
            path,
            shard,
            entries: BTreeMap::new(),
            shards: Vec::new(),
            of_others: HashSet::new(),
            line_count: 0,
            file: None,
            _locks: locks,
        };
        for found in manifests(&folder)? {
            let (entries, line_count) = read(&found)?;
            if found == manifest.path {
                manifest.line_count = line_count;
            } else if is_whole {
                manifest.shards.push(found);
            } else {
                manifest.of_others.extend(entries.keys().cloned());
            }
            for entry in entries.into_values() {
                add(&mut manifest.entries, entry);
            }
        }
        Ok(manifest)
    }

    /// Returns the entry of an output.
    pub fn get(&self, output: &str) -> Option<&Entry> {
        self.entries.get(output).filter(|entry| !entry.is_removed)
    }

    /// Returns all entries, sorted by output.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().filter(|entry| !entry.is_removed)
    }

    /// Returns the entries of the shard, sorted by output.
    pub fn entries_of_shard(&self) -> impl Iterator<Item = &Entry> {
        self.entries().filter(|entry| is_of(self.shard, entry))
    }

    /// Adds an entry, with the next revision of its output, and appends it to the file.
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub fn record(&mut self, entry: Entry) -> Result<(), BatchError> {
        let known = self.entries.get(&entry.output);
        let revision = known.map_or(0, |known| known.revision.saturating_add(1));
        let entry = Entry { revision, ..entry };
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

    /// Writes the entries once each if the file has many more lines. A whole run also unites the manifests of
    /// shards. A shard writes the entries of its inputs.
    ///
    /// # Errors
    /// [`BatchError`] of the system.
    pub fn compact(&mut self) -> Result<(), BatchError> {
        let is_whole = self.shard == Shard::ALL;
        // Another manifest may name an output that the shard has removed.
        let is_kept = |entry: &&Entry| {
            let is_needed = !entry.is_removed || !is_whole && self.of_others.contains(&entry.output);
            is_needed && (is_whole || is_of(self.shard, entry))
        };
        let kept_count = self.entries.values().filter(is_kept).count();
        let is_long = self.line_count > 2 * kept_count + SURPLUS_LINES;
        if !is_long && self.shards.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut file = io::BufWriter::new(Target::of(&self.path)?.create()?);
            writeln!(file, "{HEADER}")?;
            for entry in self.entries.values().filter(is_kept) {
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
        self.line_count = kept_count;
        Ok(())
    }
}

/// True if the output belongs to a shard: its first input does.
fn is_of(shard: Shard, entry: &Entry) -> bool {
    entry.inputs.first().is_some_and(|input| shard.contains(&relative_name_of(&input.name)))
}

/// Creates the folder of the manifests, and locks a file in it, alone or together with others.
fn lock(folder: &Path, name: &str, is_alone: bool) -> Result<File, BatchError> {
    let path = folder.join(name);
    let open = || {
        fs::create_dir_all(folder)?;
        // NFS locks together with others only what can be read, and alone only what can be written.
        File::options().create(true).truncate(false).read(true).write(true).open(&path)
    };
    let file = open().map_err(|error| BatchError::io(path.display(), error))?;
    let locked = if is_alone { file.try_lock() } else { file.try_lock_shared() };
    match locked {
        Err(TryLockError::WouldBlock) => {
            let outputs = folder.parent().unwrap_or(folder);
            Err(BatchError::new(outputs.display(), BatchFault::Busy))
        }
        // Some file systems have no locks.
        _ => Ok(file),
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

/// Returns the last entry of each output in a manifest, and the number of lines without the header.
fn read(path: &Path) -> Result<(BTreeMap<String, Entry>, usize), BatchError> {
    let io = |error| BatchError::io(path.display(), error);
    let fault = |line| BatchError::new(path.display(), BatchFault::Manifest { line });
    let file = match regular_file::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((BTreeMap::new(), 0)),
        file => file.map_err(io)?,
    };
    if file.metadata().map_err(io)?.len() > MAX_BYTES {
        return Err(BatchError::new(path.display(), BatchFault::LargeManifest { limit: MAX_BYTES }));
    }
    let mut reader = BufReader::new(file.take(MAX_BYTES));
    let (mut entries, mut line_count) = (BTreeMap::new(), 0);
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
        // They are paths below the folders of outputs and inputs.
        if path_of(&entry.output).is_none() || entry.inputs.iter().any(|input| path_of(&input.name).is_none())
        {
            return Err(fault(number));
        }
        line_count += 1;
        entries.insert(entry.output.clone(), entry);
    }
    Ok((entries, line_count))
}

/// Adds an entry, unless that of its output is later. Times decide only between runs that did not know of
/// each other.
fn add(entries: &mut BTreeMap<String, Entry>, entry: Entry) {
    let order = |entry: &Entry| (entry.revision, entry.time);
    match entries.get(&entry.output) {
        Some(known) if order(known) > order(&entry) => {}
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
        let inputs = vec![InputEntry { name: "deep/a.png".to_owned(), folder: None, state }];
        let (output, root) = (output.to_owned(), "../in".to_owned());
        let (recipe, key, revision, is_removed) = (digest, digest, 0, false);
        Entry { output, root, inputs, recipe, key, digest, state, time, revision, is_removed }
    }

    /// Returns an entry of an input in this shard of two.
    fn entry_of_shard(shard: u32, output: &str, time: i64) -> Entry {
        let shard = Shard::new(shard, 2).unwrap();
        let name = (0..).map(|number| format!("{number}.png")).find(|name| shard.contains(name)).unwrap();
        let mut entry = entry(output, time);
        entry.inputs[0].name = name;
        entry
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
        // A sparse file.
        File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        let error = open(folder.path(), "0/1").unwrap_err();
        assert!(matches!(error.fault(), BatchFault::LargeManifest { limit: MAX_BYTES }), "{error}");
        assert!(error.to_string().ends_with("is larger than 256 MiB, the limit of a manifest"), "{error}");
    }

    /// A clock that is set back, or that of another machine, does not make an old entry the latest.
    #[test]
    fn the_last_entry_counts_also_if_its_time_is_earlier() {
        let folder = tempfile::tempdir().unwrap();
        let mut whole = open(folder.path(), "0/1").unwrap();
        whole.record(entry("a.dds", 50)).unwrap();
        whole.record(entry("a.dds", 20)).unwrap();
        drop(whole);
        assert_eq!(outputs(&open(folder.path(), "0/1").unwrap()), [("a.dds", 20)]);
        // The file of the shard has a name after that of the whole run, and its entry an earlier time.
        open(folder.path(), "1/2").unwrap().record(entry("a.dds", 10)).unwrap();
        for shard in ["0/2", "0/1"] {
            assert_eq!(outputs(&open(folder.path(), shard).unwrap()), [("a.dds", 10)], "{shard}");
        }
        open(folder.path(), "0/1").unwrap().record(entry("a.dds", 5)).unwrap();
        assert_eq!(outputs(&open(folder.path(), "0/1").unwrap()), [("a.dds", 5)]);
    }

    /// A whole run deletes the manifests of shards, and a shard that runs would write to a deleted file.
    #[test]
    fn whole_runs_and_shards_exclude_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let is_busy = |shard: &str| match open(folder.path(), shard) {
            Ok(_) => false,
            Err(error) => matches!(error.fault(), BatchFault::Busy),
        };
        let first = open(folder.path(), "0/2").unwrap();
        let second = open(folder.path(), "1/2").unwrap();
        assert!(is_busy("0/1") && is_busy("0/2") && !is_busy("0/3"));
        drop(first);
        assert!(is_busy("0/1") && !is_busy("0/2"));
        drop(second);
        let whole = open(folder.path(), "0/1").unwrap();
        assert!(is_busy("0/1") && is_busy("1/2"));
        drop(whole);
        assert!(!is_busy("1/2"));
    }

    /// In a pipeline of shards no whole run unites the manifests.
    #[test]
    fn shards_write_their_own_manifests_again() {
        let folder = tempfile::tempdir().unwrap();
        let lines = |name: &str| {
            let text = fs::read_to_string(folder.path().join(format!(".brickwork/{name}.jsonl"))).unwrap();
            text.lines().count()
        };
        let removed = |entry: Entry| Entry { is_removed: true, ..entry };
        let mut whole = open(folder.path(), "0/1").unwrap();
        for (shard, output) in [(0, "a.dds"), (0, "b.dds"), (1, "c.dds")] {
            whole.record(entry_of_shard(shard, output, 1)).unwrap();
        }
        drop(whole);
        let mut shard = open(folder.path(), "0/2").unwrap();
        (0..300).for_each(|time| shard.record(entry_of_shard(0, "a.dds", time)).unwrap());
        shard.record(removed(entry_of_shard(0, "b.dds", 300))).unwrap();
        shard.record(entry_of_shard(0, "d.dds", 300)).unwrap();
        shard.record(removed(entry_of_shard(0, "d.dds", 301))).unwrap();
        assert_eq!(
            shard.entries_of_shard().map(|entry| entry.output.as_str()).collect::<Vec<_>>(),
            ["a.dds"]
        );
        shard.compact().unwrap();
        // The removal of b is kept, because another file has it.
        assert_eq!([lines("manifest"), lines("manifest-0-of-2")], [4, 3]);
        shard.record(entry_of_shard(0, "e.dds", 302)).unwrap();
        drop(shard);
        for shard in ["1/2", "0/1"] {
            let manifest = open(folder.path(), shard).unwrap();
            assert_eq!(outputs(&manifest), [("a.dds", 299), ("c.dds", 1), ("e.dds", 302)], "{shard}");
        }
    }

    #[test]
    fn whole_runs_unite_the_manifests_of_shards() {
        let folder = tempfile::tempdir().unwrap();
        for (shard, output, time) in [("0/2", "a.dds", 5), ("1/2", "b.dds", 6), ("0/1", "c.dds", 1)] {
            open(folder.path(), shard).unwrap().record(entry(output, time)).unwrap();
        }
        let united = [("a.dds", 5), ("b.dds", 6), ("c.dds", 1)];
        // Shards see the entries of all, and leave the files of others alone.
        let mut shard = open(folder.path(), "1/2").unwrap();
        assert_eq!(outputs(&shard), united);
        shard.compact().unwrap();
        drop(shard);
        let mut whole = open(folder.path(), "0/1").unwrap();
        assert!(Manifest::open(folder.path(), Shard::ALL, false).is_ok());
        whole.compact().unwrap();
        drop(whole);
        assert_eq!(manifests(&folder.path().join(FOLDER)).unwrap().len(), 1);
        assert_eq!(outputs(&open(folder.path(), "0/1").unwrap()), united);
        // Many lines of few outputs are reduced.
        let mut whole = open(folder.path(), "0/1").unwrap();
        (0..200).for_each(|time| whole.record(entry("a.dds", 10 + time)).unwrap());
        whole.compact().unwrap();
        whole.record(entry("d.dds", 300)).unwrap();
        drop(whole);
        let text = fs::read_to_string(folder.path().join(".brickwork/manifest.jsonl")).unwrap();
        assert_eq!(text.lines().count(), 5);
    }
}

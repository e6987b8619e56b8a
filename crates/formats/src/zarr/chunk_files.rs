//! The files of chunks or shards that exist in an array's folder.

use super::{
    fault::{failure, fault},
    store::{Member, MemberKind, Members, Store},
};
use crate::FormatError;

/// Files of an array's folder that are not chunks.
const METADATA: [&str; 5] = ["zarr.json", ".zarray", ".zattrs", ".zgroup", ".zmetadata"];

/// Entry of an array's folder.
#[derive(Debug)]
pub enum Entry {
    /// File of a chunk or a shard, by its indices.
    Chunk(Vec<u64>),
    /// Key of a file or folder that is not a chunk of the array.
    Other(String),
}

/// Iterator over the entries of an array's folder, in the order of the file system. Folders are entered only
/// if the key of a chunk may start with their names.
pub struct ChunkFiles {
    store: Store,
    /// First part of each key; may be empty.
    start: &'static str,
    separator: &'static str,
    /// Number of files along each axis.
    counts: Vec<u64>,
    /// Folders that are being read, each in the previous one.
    open: Vec<Level>,
}

/// A folder that is being read.
struct Level {
    /// Key, with a slash at its end; empty for the root.
    key: String,
    entries: Members,
    /// Indices in its key.
    indices: Vec<u64>,
}

impl ChunkFiles {
    /// Returns the files of the array at `prefix`, which has `counts` of them along each axis.
    ///
    /// # Errors
    /// [`FormatError::Io`] if the folder cannot be read.
    pub fn new(
        store: &Store,
        prefix: &str,
        [start, separator]: [&'static str; 2],
        counts: Vec<u64>,
    ) -> Result<Self, FormatError> {
        let entries = store.members(prefix).map_err(|error| failure(prefix, &error))?;
        let root = Level { key: prefix.to_owned(), entries, indices: Vec::new() };
        Ok(Self { store: store.clone(), start, separator, counts, open: vec![root] })
    }

    /// Returns the indices in a name that follows those of its folder; `None` if no key has it.
    fn indices(&self, of_folder: &[u64], name: &str) -> Option<Vec<u64>> {
        let mut indices = of_folder.to_vec();
        let is_first = self.open.len() == 1;
        if self.separator == "/" {
            if is_first && !self.start.is_empty() {
                return (name == self.start).then_some(indices);
            }
            indices.push(self.index(indices.len(), name)?);
            return Some(indices);
        }
        let mut texts = name.split(self.separator);
        if !self.start.is_empty() && texts.next() != Some(self.start) {
            return None;
        }
        for text in texts {
            indices.push(self.index(indices.len(), text)?);
        }
        (indices.len() == self.counts.len()).then_some(indices)
    }

    /// Returns an index along an axis, as the writer of keys spells it.
    fn index(&self, axis: usize, text: &str) -> Option<u64> {
        let count = *self.counts.get(axis)?;
        text.parse().ok().filter(|index: &u64| *index < count && index.to_string() == text)
    }

    /// Returns the entry, or `None` for metadata and for a folder that is entered.
    fn visit(
        &mut self,
        level: &str,
        of_folder: &[u64],
        Member { name, kind }: Member,
    ) -> Result<Option<Entry>, FormatError> {
        let key = format!("{level}{name}");
        if self.open.len() == 1 && METADATA.contains(&name.as_str()) {
            return Ok(None);
        }
        let Some(indices) = self.indices(of_folder, &name) else { return Ok(Some(Entry::Other(key))) };
        if indices.len() == self.counts.len() {
            return Ok(Some(Entry::Chunk(indices)));
        }
        match kind.map_err(|error| failure(&key, &error))? {
            // Links among folders can have a number of paths that is exponential in their depth.
            MemberKind::Link => {
                return Err(fault(&key, "is a link in place of a folder of chunks, and is not verified"));
            }
            MemberKind::File => return Ok(Some(Entry::Other(key))),
            MemberKind::Folder => {}
        }
        let entries = self.store.members(&key).map_err(|error| failure(&key, &error))?;
        self.open.push(Level { key: format!("{key}/"), entries, indices });
        Ok(None)
    }
}

impl Iterator for ChunkFiles {
    type Item = Result<Entry, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let level = self.open.last_mut()?;
            match level.entries.next() {
                None => drop(self.open.pop()),
                Some(Err(error)) => {
                    let error = failure(&level.key, &error);
                    self.open.pop();
                    return Some(Err(error));
                }
                Some(Ok(entry)) => {
                    let (key, indices) = (level.key.clone(), level.indices.clone());
                    if let Some(found) = self.visit(&key, &indices, entry).transpose() {
                        return Some(found);
                    }
                }
            }
        }
    }
}

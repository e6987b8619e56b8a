//! A cache of outputs, which several processes and machines may use at the same time.
//!
//! ```text
//! CACHE/ab/cdef…   bytes of an output or a report, key (32 bytes), SHA-256 of the bytes (32), "BRICKOBJ" (8)
//! ```
//!
//! The name of an object is its key: the SHA-256 of the contents of the inputs, the options and the build of
//! the program; that of a [report](super::kept) is made of its output's. Each object is written to a
//! temporary file and renamed. Two processes may write the same object, with the same bytes. An object whose
//! bytes do not have the stated SHA-256 is removed and made again. Uses of an object set its time of
//! modification, so that old ones can be found and deleted.

use super::{
    BatchError,
    digest::{Digest, Digesting},
};
use brickwork_base::{
    Task, regular_file,
    whole_file::{Existing, Target, WholeFile},
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// End of each object.
const MAGIC: [u8; 8] = *b"BRICKOBJ";
const TRAILER_BYTES: u64 = 72;

/// Bytes copied at a time.
const BUFFER_BYTES: usize = 1 << 18;

/// A cache folder.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    /// True if nothing is changed.
    is_read_only: bool,
    /// The first reason why an object could not be written.
    failure: Mutex<Option<String>>,
}

/// An object that was found. [`copy_to`](Self::copy_to) checks its bytes.
#[derive(Debug)]
pub(super) struct Object {
    file: File,
    pub byte_count: u64,
    pub digest: Digest,
}

/// An object that is being written.
pub(super) type NewObject = BufWriter<WholeFile>;

impl Cache {
    /// Opens a cache, and creates its folder unless `is_read_only`.
    ///
    /// # Errors
    /// [`BatchError`] if the folder can be neither found nor created, or is a file.
    pub fn open(folder: &Path, is_read_only: bool) -> Result<Self, BatchError> {
        let opened = match fs::metadata(folder) {
            Ok(metadata) if !metadata.is_dir() => Err(io::ErrorKind::NotADirectory.into()),
            Ok(_) => Ok(()),
            Err(_) if is_read_only => Ok(()),
            Err(_) => fs::create_dir_all(folder),
        };
        opened.map_err(|error| BatchError::io(folder.display(), error))?;
        Ok(Self { folder: folder.to_owned(), is_read_only, failure: Mutex::new(None) })
    }

    fn path_of(&self, key: &Digest) -> PathBuf {
        let name = key.to_string();
        self.folder.join(&name[..2]).join(&name[2..])
    }

    /// Returns the object of a key. A damaged one is removed if that is evident from its end.
    pub fn find(&self, key: &Digest) -> Option<Object> {
        let mut file = match regular_file::open(&self.path_of(key)) {
            Ok(file) => file,
            Err(error) => {
                // A pipe, for example, would be waited for when the object is written.
                if error.kind() != io::ErrorKind::NotFound {
                    self.remove(key);
                }
                return None;
            }
        };
        match trailer(&mut file) {
            Ok((found, digest, byte_count)) if found == *key => Some(Object { file, byte_count, digest }),
            _ => {
                self.remove(key);
                None
            }
        }
    }

    /// Removes a damaged object.
    pub fn remove(&self, key: &Digest) {
        if !self.is_read_only {
            let _ = fs::remove_file(self.path_of(key));
        }
    }

    /// Returns a file for an object; none if the cache does not accept one. The cache then remembers the
    /// reason.
    pub fn create(&self, key: &Digest) -> Option<NewObject> {
        let path = self.path_of(key);
        let create = || {
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            Ok(BufWriter::with_capacity(BUFFER_BYTES, Target::of(&path)?.create()?))
        };
        create().map_err(|error| self.fail(&error)).ok()
    }

    /// Completes an object whose bytes were written.
    pub fn commit(&self, mut object: NewObject, key: &Digest, digest: &Digest) {
        let commit = || {
            for part in [&key.0[..], &digest.0, &MAGIC] {
                object.write_all(part)?;
            }
            object.into_inner().map_err(io::IntoInnerError::into_error)?.commit(Existing::Replace)
        };
        if let Err(error) = commit() {
            self.fail(&error);
        }
    }

    /// Remembers the first failure to write an object. The outputs themselves are not affected.
    pub fn fail(&self, error: &io::Error) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert_with(|| format!("{}: {error}", self.folder.display()));
    }

    /// Returns the first reason why an object could not be written.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Object {
    /// Copies the bytes to `sink`. Returns false if they do not have the stated digest.
    ///
    /// # Errors
    /// Errors of the sink.
    pub fn copy_to(mut self, sink: &mut dyn Write, task: &Task<'_>) -> io::Result<bool> {
        if self.file.seek(SeekFrom::Start(0)).is_err() {
            return Ok(false);
        }
        let mut sink = Digesting::new(sink);
        let (mut left, mut buffer) = (self.byte_count, vec![0; BUFFER_BYTES]);
        while left > 0 {
            task.check().map_err(|cancelled| io::Error::new(io::ErrorKind::Interrupted, cancelled))?;
            let piece = usize::try_from(left).unwrap_or(BUFFER_BYTES).min(BUFFER_BYTES);
            if self.file.read_exact(&mut buffer[..piece]).is_err() {
                return Ok(false);
            }
            sink.write_all(&buffer[..piece])?;
            left -= piece as u64;
        }
        let (_, digest, _) = sink.finish();
        // Not every file system lets readers set the time; the object is then older than its last use.
        let _ = self.file.set_modified(SystemTime::now());
        Ok(digest == self.digest)
    }
}

/// Reads the end of an object: key, digest and number of bytes before it.
fn trailer(file: &mut File) -> io::Result<(Digest, Digest, u64)> {
    let byte_count = file.metadata()?.len().checked_sub(TRAILER_BYTES);
    let byte_count = byte_count.ok_or(io::ErrorKind::UnexpectedEof)?;
    let (mut key, mut digest, mut magic) = ([0; 32], [0; 32], [0; 8]);
    file.seek(SeekFrom::Start(byte_count))?;
    for part in [&mut key[..], &mut digest, &mut magic] {
        file.read_exact(part)?;
    }
    if magic != MAGIC {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok((Digest(key), Digest(digest), byte_count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache, key: &Digest, bytes: &[u8]) -> Digest {
        let mut object = Digesting::new(cache.create(key).unwrap());
        object.write_all(bytes).unwrap();
        let (object, digest, _) = object.finish();
        cache.commit(object, key, &digest);
        digest
    }

    fn get(cache: &Cache, key: &Digest) -> Option<(bool, Vec<u8>)> {
        let mut bytes = Vec::new();
        let is_whole = cache.find(key)?.copy_to(&mut bytes, &Task::new()).unwrap();
        Some((is_whole, bytes))
    }

    #[test]
    fn damaged_objects_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("deep/cache"), false).unwrap();
        let [key, other] = [b"a", b"b"].map(|name| Digest::of_parts(&[name]));
        assert!(get(&cache, &key).is_none());
        put(&cache, &key, b"texels");
        assert_eq!(get(&cache, &key), Some((true, b"texels".to_vec())));
        let path = cache.path_of(&key);
        let whole = fs::read(&path).unwrap();
        for position in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[position] ^= 4;
            fs::write(&path, &damaged).unwrap();
            assert!(get(&cache, &key).is_none_or(|(is_whole, _)| !is_whole), "{position}");
            fs::write(&path, &whole[..position]).unwrap();
            assert!(get(&cache, &key).is_none_or(|(is_whole, _)| !is_whole), "{position}");
        }
        // An object under the name of another.
        fs::create_dir_all(cache.path_of(&other).parent().unwrap()).unwrap();
        fs::write(cache.path_of(&other), &whole).unwrap();
        let read_only = Cache::open(&folder.path().join("deep/cache"), true).unwrap();
        assert!(read_only.find(&other).is_none() && cache.path_of(&other).exists());
        assert!(cache.find(&other).is_none() && !cache.path_of(&other).exists());
        assert_eq!(cache.failure(), None);
    }

    #[test]
    fn a_cache_that_takes_no_object_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), false).unwrap();
        let key = Digest::of_parts(&[]);
        fs::write(folder.path().join(&key.to_string()[..2]), b"a file").unwrap();
        assert!(cache.create(&key).is_none());
        assert!(cache.failure().unwrap().starts_with(&folder.path().display().to_string()));
        for is_read_only in [false, true] {
            assert!(Cache::open(&folder.path().join(&key.to_string()[..2]), is_read_only).is_err());
        }
        let missing = folder.path().join("missing");
        assert!(Cache::open(&missing, true).unwrap().find(&key).is_none() && !missing.exists());
    }
}

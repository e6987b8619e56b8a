//! The files of a ZIP archive by their keys: `.ozx` of OME-Zarr's RFC-9, and folders zipped by hand.
//!
//! rawzip parses the records. The rest is checked here: names, overlaps, checksums and sizes. A list of all
//! entries is kept; it grows with the bytes of the archive, not with the numbers that it states.

use super::fault::{failure, fault};
use crate::{FormatError, ZarrFeature, format::ZARR_METADATA};
use brickwork_base::Task;
use brickwork_volume::ReadAt;
use flate2::{Crc, bufread::DeflateDecoder};
use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, RangeReader, ReaderAt, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord, ZipLocator,
};
use std::{
    io::{self, BufReader, ErrorKind, Read as _},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum number of entries: 4 million chunks.
const MAX_ENTRIES: usize = 1 << 22;

/// Maximum number of bytes from the end record to the end of the archive: the record, and its comment.
const MAX_END_BYTES: u64 = 22 + u16::MAX as u64;

/// Size of the fixed part of a local header.
const LOCAL_HEADER_BYTES: u64 = 30;

/// Bytes of memory for unpacked shards.
const MAX_UNPACKED: u64 = 1 << 28;

/// Name of the list of entries in errors.
const DIRECTORY: &str = "central directory";

/// A ZIP archive with a Zarr hierarchy in its root, or in a folder there.
pub struct Archive {
    zip: ZipArchive<Bytes>,
    /// Files, sorted by their names.
    entries: Vec<(Box<str>, Entry)>,
    /// Path of the hierarchy: empty, or with a slash at its end.
    root: String,
    max_memory: Option<u64>,
    /// Unpacked shards by the indices of their entries, the last one used at the end.
    unpacked: Mutex<Vec<(usize, Vec<u8>)>>,
}

/// A file of the archive.
struct Entry {
    place: ZipArchiveEntryWayfinder,
    start: u64,
    /// Start of the next entry, or of the central directory.
    end: u64,
    method: CompressionMethod,
    crc: u32,
    is_encrypted: bool,
    is_link: bool,
}

/// A file of the archive of which parts are read.
pub struct Part {
    archive: Arc<Archive>,
    index: usize,
    /// Place of its bytes in the archive.
    stored: Range<u64>,
}

/// Iterator over the names in a folder of the archive; true for folders.
pub struct Listing {
    archive: Arc<Archive>,
    /// Path of the folder: empty, or with a slash at its end.
    prefix: String,
    next: usize,
}

/// Bytes of the archive.
struct Bytes {
    source: Box<dyn ReadAt>,
    byte_count: u64,
}

impl ReaderAt for Bytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let count = self.byte_count.saturating_sub(offset).min(buffer.len() as u64) as usize;
        self.source.read_exact_at(&mut buffer[..count], offset)?;
        Ok(count)
    }
}

impl Entry {
    fn new(record: &ZipFileHeaderRecord<'_>) -> Self {
        Self {
            place: record.wayfinder(),
            start: record.local_header_offset(),
            end: 0,
            method: record.compression_method(),
            crc: record.crc32(),
            is_encrypted: record.flags().is_encrypted(),
            is_link: record.mode().is_symlink(),
        }
    }
}

impl Archive {
    /// Opens an archive: reads the list of its entries. `max_memory` is that of the options.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] if it is damaged, or has names that are not allowed, or twice;
    /// [`FormatError::Unsupported`] if it has no Zarr hierarchy, or several; [`FormatError::Io`].
    pub fn open(
        source: Box<dyn ReadAt>,
        max_memory: Option<u64>,
        task: &Task<'_>,
    ) -> Result<Self, FormatError> {
        let byte_count = source.byte_count()?;
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let locator = ZipLocator::new().max_search_space(MAX_END_BYTES);
        let zip = locator.locate_in_reader(Bytes { source, byte_count }, &mut buffer, byte_count);
        let zip = zip.map_err(|(_, error)| of_directory(error))?;
        let (mut entries, mut count) = (Vec::new(), 0);
        let mut records = zip.entries(&mut buffer);
        while let Some(record) = records.next_entry().map_err(of_directory)? {
            task.check()?;
            let name = checked_name(record.file_path().as_bytes())?;
            count += 1;
            if !name.ends_with('/') {
                entries.push((Box::from(name), Entry::new(&record)));
            }
            if count > MAX_ENTRIES {
                return Err(fault(DIRECTORY, format!("has more than {MAX_ENTRIES} entries")));
            }
        }
        let stated = zip.entries_hint();
        if stated != count as u64 {
            return Err(fault(DIRECTORY, format!("has {count} entries, but states {stated}")));
        }
        check_places(&mut entries, zip.directory_offset())?;
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(fault(&pair[0].0, "is the name of two entries"));
        }
        let unpacked = Mutex::default();
        let mut archive = Self { zip, entries, root: String::new(), max_memory, unpacked };
        archive.root = archive.find_root()?;
        Ok(archive)
    }

    /// Returns the path of the hierarchy.
    fn find_root(&self) -> Result<String, FormatError> {
        let is_root = |path: &str| ZARR_METADATA.iter().any(|name| self.find(&[path, name]).is_some());
        if is_root("") {
            return Ok(String::new());
        }
        let mut members: Vec<&str> =
            self.entries.iter().map(|(name, _)| name.split('/').next().unwrap_or_default()).collect();
        members.dedup();
        let folders = members.iter().map(|name| format!("{name}/"));
        let mut roots: Vec<String> = folders.filter(|folder| is_root(folder)).collect();
        match (roots.pop(), roots.is_empty()) {
            (Some(root), true) => Ok(root),
            (Some(last), false) => {
                roots.push(last);
                Err(ZarrFeature::Archives(super::array::short(&roots.join(", "))).into())
            }
            (None, _) => Err(ZarrFeature::Archive(super::array::short(&members.join(", "))).into()),
        }
    }

    /// Returns the index of the entry whose name is the concatenation of `parts`.
    fn find(&self, parts: &[&str]) -> Option<usize> {
        let name = parts.concat();
        self.entries.binary_search_by(|(found, _)| (**found).cmp(&name)).ok()
    }

    /// Returns the size of a file, as the archive states it; `None` if there is none.
    pub fn byte_count(&self, key: &str) -> Option<u64> {
        let index = self.find(&[&self.root, key])?;
        Some(self.entries[index].1.place.uncompressed_size_hint())
    }

    /// Reads a whole file; returns `None` if there is none. Memory grows with the bytes that are stored or
    /// unpacked, up to the size that the archive states.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] if the entry is damaged; [`FormatError::Unsupported`] if it is encrypted, or
    /// compressed by another method than deflate; [`FormatError::Io`].
    pub fn read(&self, key: &str) -> Result<Option<Vec<u8>>, FormatError> {
        let Some(index) = self.find(&[&self.root, key]) else { return Ok(None) };
        let stored = self.locate(index, key)?;
        self.bytes(index, stored).map(Some).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => fault(key, error.to_string()),
            _ => failure(key, &error),
        })
    }

    /// Opens a file to read parts of it; returns `None` if there is none.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read); [`FormatError::OverLimit`] or [`FormatError::Unsupported`] if the
    /// file is compressed, and takes too much memory.
    pub fn part(self: &Arc<Self>, key: &str) -> Result<Option<Part>, FormatError> {
        let Some(index) = self.find(&[&self.root, key]) else { return Ok(None) };
        let stored = self.locate(index, key)?;
        let Entry { place, method, .. } = &self.entries[index].1;
        let byte_count = place.uncompressed_size_hint();
        if *method == CompressionMethod::DEFLATE && byte_count > self.budget() {
            return Err(match self.max_memory {
                Some(limit) if byte_count <= MAX_UNPACKED => {
                    FormatError::OverLimit { need: 4 * byte_count, limit }
                }
                _ => ZarrFeature::PackedShard { key: key.to_owned(), byte_count, most: MAX_UNPACKED }.into(),
            });
        }
        Ok(Some(Part { archive: Arc::clone(self), index, stored }))
    }

    /// Returns the bytes of memory for unpacked shards of the array at `prefix`: 0 if none is compressed,
    /// else 256 MiB, or a quarter of the limit.
    pub fn unpacked_bytes(&self, prefix: &str) -> u64 {
        let prefix = format!("{}{prefix}", self.root);
        let first = self.entries.partition_point(|(name, _)| **name < *prefix);
        let mut of_array = self.entries[first..].iter().take_while(|(name, _)| name.starts_with(&prefix));
        let is_metadata = |path: &str| ZARR_METADATA.iter().any(|name| path.ends_with(name));
        let is_packed =
            of_array.any(|(path, entry)| entry.method == CompressionMethod::DEFLATE && !is_metadata(path));
        if is_packed { self.budget() } else { 0 }
    }

    fn budget(&self) -> u64 {
        self.max_memory.map_or(MAX_UNPACKED, |limit| (limit / 4).min(MAX_UNPACKED))
    }

    /// Returns the place of an entry's bytes.
    fn locate(&self, index: usize, key: &str) -> Result<Range<u64>, FormatError> {
        let entry = &self.entries[index].1;
        if entry.is_encrypted {
            return Err(ZarrFeature::EncryptedEntry(key.to_owned()).into());
        }
        if entry.is_link {
            return Err(fault(key, "is a link"));
        }
        let (packed, byte_count) = (entry.place.compressed_size_hint(), entry.place.uncompressed_size_hint());
        match entry.method {
            CompressionMethod::STORE if packed != byte_count => {
                return Err(fault(key, format!("is stored in {packed} bytes, and has {byte_count}")));
            }
            CompressionMethod::STORE | CompressionMethod::DEFLATE => {}
            method => {
                let method = method.name().map_or_else(|| method.as_u16().to_string(), str::to_owned);
                return Err(ZarrFeature::EntryMethod { key: key.to_owned(), method }.into());
            }
        }
        let found = self.zip.get_entry(entry.place).map_err(|error| of_zip(key, "its header: ", error))?;
        let (start, end) = found.compressed_data_range();
        if end > entry.end {
            return Err(fault(key, "extends into the next entry of the archive"));
        }
        Ok(start..end)
    }

    /// Returns the bytes of a file, which are checked.
    fn bytes(&self, index: usize, stored: Range<u64>) -> io::Result<Vec<u8>> {
        let Entry { place, method, crc, .. } = &self.entries[index].1;
        let damaged = |reason: String| io::Error::new(ErrorKind::InvalidData, reason);
        let byte_count = place.uncompressed_size_hint();
        let reader = RangeReader::new(self.zip.get_ref(), stored);
        let mut bytes = Vec::new();
        if *method == CompressionMethod::DEFLATE {
            let decoder = DeflateDecoder::new(BufReader::new(reader));
            let read = decoder.take(byte_count.saturating_add(1)).read_to_end(&mut bytes);
            read.map_err(|error| match error.raw_os_error() {
                Some(_) => error,
                None => damaged(format!("deflate: {error}")),
            })?;
        } else {
            { reader }.read_to_end(&mut bytes)?;
        }
        match (bytes.len() as u64).cmp(&byte_count) {
            std::cmp::Ordering::Less => {
                let reason =
                    format!("has {} bytes, fewer than the {byte_count} that are stated", bytes.len());
                return Err(damaged(reason));
            }
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => {
                return Err(damaged(format!("unpacks to more than the {byte_count} bytes that are stated")));
            }
        }
        let mut sum = Crc::new();
        sum.update(&bytes);
        if sum.sum() == *crc { Ok(bytes) } else { Err(damaged("the checksum differs".to_owned())) }
    }

    /// Returns a range of the bytes of a compressed file, which is kept for the next call. Other threads
    /// wait: the memory is that of one thread.
    fn unpacked(&self, index: usize, stored: Range<u64>, range: Range<usize>) -> io::Result<Vec<u8>> {
        let mut unpacked = self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match unpacked.iter().position(|(found, _)| *found == index) {
            Some(at) => unpacked.remove(at),
            None => {
                let need = self.entries[index].1.place.uncompressed_size_hint();
                let held = |files: &[(usize, Vec<u8>)]| files.iter().map(|(_, file)| file.len() as u64).sum();
                while !unpacked.is_empty() && need.saturating_add(held(&unpacked)) > self.budget() {
                    unpacked.remove(0);
                }
                (index, self.bytes(index, stored)?)
            }
        };
        let bytes = file.1[range.start.min(file.1.len())..range.end.min(file.1.len())].to_vec();
        unpacked.push(file);
        Ok(bytes)
    }
}

impl Part {
    /// Returns the size of the file.
    pub fn byte_count(&self) -> u64 {
        self.archive.entries[self.index].1.place.uncompressed_size_hint()
    }

    /// Reads a range of bytes, fewer if the file ends within it.
    ///
    /// # Errors
    /// I/O errors; [`ErrorKind::InvalidData`] if the file is compressed and damaged.
    pub fn read(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let (archive, stored) = (&self.archive, self.stored.clone());
        let end = range.end.min(self.byte_count());
        let start = range.start.min(end);
        if archive.entries[self.index].1.method == CompressionMethod::DEFLATE {
            // The size is that of a buffer in memory.
            return archive.unpacked(self.index, stored, start as usize..end as usize);
        }
        let mut bytes = Vec::new();
        let range = stored.start + start..stored.start + end;
        RangeReader::new(archive.zip.get_ref(), range).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Listing {
    /// Returns the names in the folder with the given key.
    pub fn new(archive: &Arc<Archive>, key: &str) -> Self {
        let slash = if key.is_empty() || key.ends_with('/') { "" } else { "/" };
        let prefix = format!("{}{key}{slash}", archive.root);
        let next = archive.entries.partition_point(|(name, _)| **name < *prefix);
        Self { archive: Arc::clone(archive), prefix, next }
    }
}

impl Iterator for Listing {
    type Item = (String, bool);

    fn next(&mut self) -> Option<(String, bool)> {
        let entries = self.archive.entries.get(self.next..)?;
        let rest = entries.first()?.0.strip_prefix(&*self.prefix)?;
        let Some((folder, _)) = rest.split_once('/') else {
            self.next += 1;
            return Some((rest.to_owned(), false));
        };
        let path = format!("{}{folder}/", self.prefix);
        self.next += entries.partition_point(|(name, _)| name.starts_with(&path));
        Some((folder.to_owned(), true))
    }
}

/// Returns a name; that of a folder has a slash at its end.
///
/// # Errors
/// [`FormatError::Zarr`] if it is not a path of UTF-8 within the archive.
fn checked_name(bytes: &[u8]) -> Result<&str, FormatError> {
    let of_name = |reason| {
        let shown = String::from_utf8_lossy(bytes).escape_debug().to_string();
        fault(&super::array::short(&shown), reason)
    };
    let name = std::str::from_utf8(bytes).map_err(|_| of_name("the name of the entry is not UTF-8"))?;
    let bare = name.strip_suffix('/').unwrap_or(name);
    let is_inside = bare.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if is_inside && !name.contains(['\\', ':']) && !name.contains(char::is_control) {
        return Ok(name);
    }
    Err(of_name("the name of the entry is not a path within the archive"))
}

/// Finds the end of each entry: the start of the next one.
///
/// # Errors
/// [`FormatError::Zarr`] if entries overlap.
fn check_places(entries: &mut [(Box<str>, Entry)], directory: u64) -> Result<(), FormatError> {
    entries.sort_unstable_by_key(|(_, entry)| entry.start);
    let mut end = directory;
    for (name, entry) in entries.iter_mut().rev() {
        let least = LOCAL_HEADER_BYTES.saturating_add(entry.place.compressed_size_hint());
        if entry.start.saturating_add(least) > end {
            return Err(fault(name, "extends into the next entry of the archive"));
        }
        entry.end = end;
        end = entry.start;
    }
    Ok(())
}

/// Returns the error of the list of entries.
fn of_directory(error: rawzip::Error) -> FormatError {
    match error.kind() {
        rawzip::ErrorKind::MissingEndOfCentralDirectory => {
            fault(DIRECTORY, "is missing: the file is not a ZIP archive, or is cut off")
        }
        _ => of_zip(DIRECTORY, "", error),
    }
}

/// Returns an error of rawzip. The end of the file is damage.
fn of_zip(key: &str, what: &str, error: rawzip::Error) -> FormatError {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) if error.kind() != ErrorKind::UnexpectedEof => failure(key, &error),
        kind => fault(key, format!("{what}{kind}")),
    }
}

#[cfg(test)]
mod tests;

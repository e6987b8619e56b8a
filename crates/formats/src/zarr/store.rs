//! The files of a Zarr hierarchy, by their keys: in a folder, or in a ZIP archive.

use super::{
    archive::{Archive, Listing, Part},
    fault::{failure, fault},
    folder::Folder,
};
use crate::FormatError;
use brickwork_base::{Task, regular_file};
use std::{
    fs::{File, ReadDir},
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::Range,
    path::Path,
    sync::Arc,
};

/// A folder or an archive whose files are read by their keys, paths with slashes.
#[derive(Clone)]
pub enum Store {
    Folder(Folder),
    Archive(Arc<Archive>),
}

/// An open file of a store.
pub struct KeyFile {
    content: Content,
    /// Size when it was opened.
    pub byte_count: u64,
}

enum Content {
    File(File),
    Part(Part),
}

/// A file or folder within a folder of a store.
pub struct Member {
    pub name: String,
    pub kind: io::Result<MemberKind>,
}

/// Kind of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    File,
    Folder,
    /// Link to a file or a folder.
    Link,
}

/// Iterator over the members of a folder, in no defined order.
pub enum Members {
    Folder(ReadDir),
    Archive(Listing),
}

impl Store {
    /// Opens the folder or the archive at `path`, which may be a link. `max_memory` is that of the options.
    ///
    /// # Errors
    /// An I/O error if it is neither a folder nor a regular file, and the errors of [`Archive::open`].
    pub fn open(path: &Path, max_memory: Option<u64>, task: &Task<'_>) -> Result<Self, FormatError> {
        if path.is_dir() {
            return Ok(Self::Folder(Folder::new(path)?));
        }
        let archive = Archive::open(Box::new(regular_file::open(path)?), max_memory, task)?;
        Ok(Self::Archive(Arc::new(archive)))
    }

    /// Opens a file to read parts of it; returns `None` if there is none.
    ///
    /// # Errors
    /// The errors of [`Folder::open`] and [`Archive::part`].
    pub fn file(&self, key: &str) -> Result<Option<KeyFile>, FormatError> {
        Ok(match self {
            Self::Folder(folder) => {
                let opened = folder.open(key)?;
                opened.map(|(file, byte_count)| KeyFile { content: Content::File(file), byte_count })
            }
            Self::Archive(archive) => archive.part(key)?.map(|part| {
                let byte_count = part.byte_count();
                KeyFile { content: Content::Part(part), byte_count }
            }),
        })
    }

    /// Reads a whole file of at most `limit` bytes; returns `None` if there is none.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] if the file is larger, and the errors of [`Folder::open`] and [`Archive::read`].
    pub fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>, FormatError> {
        let too_large =
            |count| fault(key, format!("has {count} bytes, more than the {limit} that it can need"));
        match self {
            Self::Folder(folder) => {
                let Some((mut file, byte_count)) = folder.open(key)? else { return Ok(None) };
                if byte_count > limit {
                    return Err(too_large(byte_count));
                }
                read_range(&mut file, 0..byte_count).map(Some).map_err(|error| failure(key, &error))
            }
            Self::Archive(archive) => match archive.byte_count(key) {
                None => Ok(None),
                Some(byte_count) if byte_count > limit => Err(too_large(byte_count)),
                Some(_) => archive.read(key),
            },
        }
    }

    /// Returns the members of the folder with this key, which is empty or may end with a slash.
    ///
    /// # Errors
    /// I/O errors.
    pub fn members(&self, key: &str) -> io::Result<Members> {
        Ok(match self {
            Self::Folder(folder) => Members::Folder(folder.entries(key)?),
            Self::Archive(archive) => Members::Archive(Listing::new(archive, key)),
        })
    }

    /// Returns the names of the folders in it, sorted.
    ///
    /// # Errors
    /// I/O errors.
    pub fn folders(&self) -> io::Result<Vec<String>> {
        if let Self::Folder(folder) = self {
            return folder.folders();
        }
        let folders = self.members("")?.filter(|member| {
            member.as_ref().map_or(true, |member| matches!(member.kind, Ok(MemberKind::Folder)))
        });
        folders.map(|member| Ok(member?.name)).collect()
    }

    /// Returns the bytes of memory that compressed shards of the array at `prefix` take once they are
    /// unpacked: 0 if they are not compressed by the store.
    pub fn unpacked_bytes(&self, prefix: &str) -> u64 {
        match self {
            Self::Folder(_) => 0,
            Self::Archive(archive) => archive.unpacked_bytes(prefix),
        }
    }
}

impl KeyFile {
    /// Reads a range of bytes, fewer if the file ends within it. Memory grows with the bytes read.
    ///
    /// # Errors
    /// I/O errors; [`io::ErrorKind::InvalidData`] for a damaged entry of an archive.
    pub fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        match &mut self.content {
            Content::File(file) => read_range(file, range),
            Content::Part(part) => part.read(range),
        }
    }
}

fn read_range(file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    file.take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Iterator for Members {
    type Item = io::Result<Member>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Folder(entries) => Some(entries.next()?.map(|entry| {
                let kind = entry.file_type().map(|kind| match kind {
                    kind if kind.is_symlink() => MemberKind::Link,
                    kind if kind.is_dir() => MemberKind::Folder,
                    _ => MemberKind::File,
                });
                Member { name: entry.file_name().to_string_lossy().into_owned(), kind }
            })),
            Self::Archive(listing) => listing.next().map(|(name, is_folder)| {
                let kind = if is_folder { MemberKind::Folder } else { MemberKind::File };
                Ok(Member { name, kind: Ok(kind) })
            }),
        }
    }
}

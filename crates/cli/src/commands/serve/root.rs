//! The files beneath a folder.

use super::url_path::is_name;
use crate::{exit::Exit, failure::Failure};
use std::{
    fs::{self, DirEntry, File, Metadata},
    io,
    path::{Path, PathBuf},
};

/// A folder whose files are served, and no others.
///
/// Symbolic links are followed if they lead to a file beneath the folder. A hard link is a file like any
/// other.
pub struct Root {
    /// Absolute path without symbolic links.
    folder: PathBuf,
    shows_hidden: bool,
}

/// A file or folder beneath a root.
pub enum Found {
    /// An open file and its metadata.
    File(File, Metadata),
    /// A folder.
    Folder(PathBuf),
}

/// Name in a folder, which may be that of a link, and metadata of the file or folder to which it leads.
pub type Entry = (String, Metadata);

impl Root {
    /// Opens a root. `shows_hidden` includes hidden files and folders.
    ///
    /// # Errors
    /// [`Failure`] if `folder` cannot be opened or is a file.
    pub fn open(folder: &Path, shows_hidden: bool) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::io(&error).of_path(folder);
        let resolved = fs::canonicalize(folder).map_err(failed)?;
        if !resolved.is_dir() {
            return Err(Failure::new(Exit::Io, "is a file; expected a folder").of_path(folder));
        }
        fs::read_dir(&resolved).map_err(failed)?;
        Ok(Self { folder: resolved, shows_hidden })
    }

    /// Returns the file or folder that `names` lead to, each in the folder before. Returns `None` if there is
    /// none, if it is hidden or outside of the root, and if it is neither a file nor a folder.
    pub fn find(&self, names: &[String]) -> Option<Found> {
        let (path, metadata) = self.resolve(names)?;
        if metadata.is_dir() {
            return Some(Found::Folder(path));
        }
        // A pipe waits for a writer when it is opened.
        if !metadata.is_file() {
            return None;
        }
        let file = File::open(&path).ok()?;
        // A folder of the path may have become a link in the meantime.
        let opened = opened_path(&file, &path).ok()?;
        let metadata = file.metadata().ok()?;
        let is_allowed = self.allows(&opened) && metadata.is_file();
        is_allowed.then_some(Found::File(file, metadata))
    }

    /// Returns the first `max_count` entries of the folder that `names` lead to, sorted: folders, then files,
    /// by name. The second result is true if it has more. `folder` is its path, from [`find`](Self::find).
    pub fn entries(
        &self,
        names: &[String],
        folder: &Path,
        max_count: usize,
    ) -> io::Result<(Vec<Entry>, bool)> {
        let (mut entries, mut has_more) = (Vec::new(), false);
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            entries.extend(self.entry(names, &entry));
            // However many there are, few are in memory.
            if entries.len() > 2 * max_count {
                has_more |= keep_first(&mut entries, max_count);
            }
        }
        has_more |= keep_first(&mut entries, max_count);
        Ok((entries, has_more))
    }

    /// Returns an entry of the folder that `names` lead to. Returns `None` if no URL can name it, or as
    /// [`find`](Self::find).
    fn entry(&self, names: &[String], entry: &DirEntry) -> Option<Entry> {
        let name = entry.file_name().into_string().ok()?;
        if !is_name(&name) || !self.shows_hidden && name.starts_with('.') {
            return None;
        }
        let mut metadata = entry.metadata().ok()?;
        if metadata.is_symlink() {
            (_, metadata) = self.resolve(&[names, std::slice::from_ref(&name)].concat())?;
        } else if !self.shows_hidden && is_hidden_by_windows(&metadata) {
            return None;
        }
        (metadata.is_dir() || metadata.is_file()).then_some((name, metadata))
    }

    /// Returns the path that `names` lead to without symbolic links, and its metadata.
    fn resolve(&self, names: &[String]) -> Option<(PathBuf, Metadata)> {
        if !self.shows_hidden && names.iter().any(|name| name.starts_with('.')) {
            return None;
        }
        let mut path = self.folder.clone();
        path.extend(names);
        let path = fs::canonicalize(path).ok()?;
        let metadata = fs::metadata(&path).ok()?;
        let is_served = self.allows(&path) && (self.shows_hidden || !self.has_hidden_by_windows(&path));
        is_served.then_some((path, metadata))
    }

    /// True if Windows hides a path beneath the root, or a folder that contains it.
    fn has_hidden_by_windows(&self, path: &Path) -> bool {
        // Elsewhere no metadata need be read.
        cfg!(windows)
            && path
                .ancestors()
                .take_while(|path| **path != self.folder)
                .any(|path| fs::metadata(path).map_or(true, |metadata| is_hidden_by_windows(&metadata)))
    }

    /// True if a path without symbolic links is beneath the root and not hidden.
    fn allows(&self, path: &Path) -> bool {
        let Ok(names) = path.strip_prefix(&self.folder) else { return false };
        self.shows_hidden || !names.iter().any(|name| name.as_encoded_bytes().starts_with(b"."))
    }
}

/// Returns the path of an open file without symbolic links. On Linux it is the kernel's; elsewhere `path` is
/// resolved again.
fn opened_path(file: &File, path: &Path) -> io::Result<PathBuf> {
    #[cfg(target_os = "linux")]
    if let Ok(path) = fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file))) {
        return Ok(path);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
    fs::canonicalize(path)
}

/// Sorts entries and keeps the first ones. Returns true if there were more.
fn keep_first(entries: &mut Vec<Entry>, max_count: usize) -> bool {
    entries.sort_by_cached_key(|(name, metadata)| (!metadata.is_dir(), name.to_lowercase(), name.clone()));
    let has_more = entries.len() > max_count;
    entries.truncate(max_count);
    has_more
}

/// True if Windows hides the file or folder itself.
#[cfg(windows)]
fn is_hidden_by_windows(metadata: &Metadata) -> bool {
    const FILE_ATTRIBUTE_HIDDEN: u32 = 2;
    std::os::windows::fs::MetadataExt::file_attributes(metadata) & FILE_ATTRIBUTE_HIDDEN != 0
}

#[cfg(not(windows))]
const fn is_hidden_by_windows(_metadata: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str) -> Vec<String> {
        path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// Describes what a path leads to.
    fn found(root: &Root, path: &str) -> &'static str {
        match root.find(&names(path)) {
            Some(Found::File(..)) => "file",
            Some(Found::Folder(_)) => "folder",
            None => "nothing",
        }
    }

    #[test]
    fn hidden_files_are_shown_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/.git/b")).unwrap();
        for name in ["a/c", "a/.git/config", ".env"] {
            fs::write(folder.path().join(name), b"x").unwrap();
        }
        // The temporary folder itself is hidden.
        let [shy, open] = [false, true].map(|shows| Root::open(folder.path(), shows).unwrap());
        for path in ["a/.git/config", "a/.git/b", "a/.git", ".env"] {
            assert_eq!(found(&shy, path), "nothing", "{path}");
            assert_ne!(found(&open, path), "nothing", "{path}");
        }
        for (path, expected) in [("", "folder"), ("a", "folder"), ("a/c", "file"), ("a/d", "nothing")] {
            assert_eq!((found(&shy, path), found(&open, path)), (expected, expected), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_files_beneath_the_root_only() {
        use std::os::unix::fs::symlink;
        let around = tempfile::tempdir().unwrap();
        let at = |name: &str| around.path().join(name);
        fs::create_dir_all(at("root/a")).unwrap();
        fs::create_dir_all(at("root-2")).unwrap();
        for name in ["root/a/file", "root/.hidden", "root-2/secret", "secret"] {
            fs::write(at(name), b"x").unwrap();
        }
        for (target, link) in [
            ("a/file", "root/inner"),
            ("a", "root/folder"),
            ("../secret", "root/outer"),
            ("..", "root/up"),
            ("../root-2", "root/sibling"),
            (".hidden", "root/to-hidden"),
            ("loop", "root/loop"),
            ("/", "root/everything"),
        ] {
            symlink(target, at(link)).unwrap();
        }
        let root = Root::open(&at("root"), false).unwrap();
        for path in ["inner", "folder/file", "a/file"] {
            assert_eq!(found(&root, path), "file", "{path}");
        }
        for path in
            ["outer", "up", "up/secret", "up/root/a/file", "sibling", "sibling/secret", "to-hidden", "loop"]
        {
            let expected = if path == "up/root/a/file" { "file" } else { "nothing" };
            assert_eq!(found(&root, path), expected, "{path}");
        }
        assert_eq!(found(&root, "everything/etc/passwd"), "nothing");
        let Some(Found::Folder(path)) = root.find(&[]) else { panic!("no root") };
        let (entries, has_more) = root.entries(&[], &path, 100).unwrap();
        let listed: Vec<_> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((listed, has_more), (vec!["a", "folder", "inner"], false));
    }

    #[test]
    fn the_first_entries_are_listed_however_many_there_are() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("z")).unwrap();
        for i in 0..40 {
            let name = if i % 2 == 0 { format!("a{i:02}") } else { format!("A{i:02}") };
            fs::write(folder.path().join(name), b"x").unwrap();
        }
        fs::write(folder.path().join(".a"), b"x").unwrap();
        let root = Root::open(folder.path(), false).unwrap();
        let Some(Found::Folder(path)) = root.find(&[]) else { panic!("no root") };
        for (max_count, count) in [(3, 3), (30, 30), (41, 41), (100, 41)] {
            let (entries, has_more) = root.entries(&[], &path, max_count).unwrap();
            assert_eq!((entries.len(), has_more), (count, max_count < 41), "{max_count}");
            let first: Vec<_> = entries[..3].iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(first, ["z", "a00", "A01"], "{max_count}");
        }
    }

    /// The path of an open file shows a link that was made between the check and the opening.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_open_file_has_its_own_path() {
        let around = tempfile::tempdir().unwrap();
        let at = |name: &str| around.path().join(name);
        fs::create_dir(at("root")).unwrap();
        fs::write(at("secret"), b"x").unwrap();
        std::os::unix::fs::symlink("../secret", at("root/file")).unwrap();
        let root = Root::open(&at("root"), false).unwrap();
        let file = File::open(at("root/file")).unwrap();
        let path = opened_path(&file, &at("root/file")).unwrap();
        assert!(path.ends_with("secret") && !root.allows(&path), "{}", path.display());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let root = Root::open(folder.path(), false).unwrap();
        assert_eq!(found(&root, "pipe"), "nothing");
    }
}

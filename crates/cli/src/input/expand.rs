//! Files in place of folders.

use super::{Input, not_opened};
use crate::{exit::Exit, failure::Failure};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use walkdir::{DirEntry, WalkDir};

/// An input, and where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is read.
    pub input: Input,
    /// The subfolder it lies in, from the folder that was given; empty in that folder itself and for files.
    pub below: PathBuf,
}

/// Files in place of the folders among `paths`: those with one of `extensions`, by name, in the folder itself
/// or, if `recursive`, also in its subfolders. Hidden files and folders are left out. A failure stands where
/// its path stood, so that the others can go on.
pub fn expand(paths: &[PathBuf], extensions: &[&str], recursive: bool) -> Vec<Result<Found, Failure>> {
    let mut inputs = Vec::new();
    for path in paths {
        let input = Input::of(path);
        let given = |input| Ok(Found { input, below: PathBuf::new() });
        match fs::metadata(path) {
            _ if input == Input::Stdin => inputs.push(given(input)),
            Err(error) => inputs.push(Err(not_opened(path, &error).of_path(path))),
            Ok(metadata) if metadata.is_dir() => {
                let files = files_in(path, extensions, recursive);
                if files.is_empty() {
                    let within = if recursive { " or its subfolders" } else { "" };
                    let reason =
                        format!("no file in the folder{within} has the extension {}", extensions.join(", "));
                    let mut failure = Failure::new(Exit::Io, reason).of_path(path);
                    if !recursive && !files_in(path, extensions, true).is_empty() {
                        failure = failure.hint("-r takes the subfolders too");
                    }
                    inputs.push(Err(failure));
                }
                inputs.extend(files);
            }
            Ok(_) => inputs.push(given(input)),
        }
    }
    inputs
}

fn files_in(folder: &Path, extensions: &[&str], recursive: bool) -> Vec<Result<Found, Failure>> {
    let depth = if recursive { usize::MAX } else { 1 };
    let is_shown = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry);
    let entries = WalkDir::new(folder).max_depth(depth).follow_links(true).sort_by_file_name().into_iter();
    let mut files = Vec::new();
    for entry in entries.filter_entry(is_shown) {
        match entry {
            Ok(entry) if entry.file_type().is_file() && has_extension(entry.path(), extensions) => {
                let parent = entry.path().parent().unwrap_or(folder);
                let below = parent.strip_prefix(folder).unwrap_or(Path::new("")).to_owned();
                files.push(Ok(Found { input: Input::File(entry.into_path()), below }));
            }
            Ok(_) => {}
            // A link to nothing, or back to a folder that is being listed.
            Err(error) if is_not_found(&error) || error.loop_ancestor().is_some() => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                files.push(Err(Failure::io(&io::Error::from(error)).of_path(&path)));
            }
        }
    }
    files
}

fn is_not_found(error: &walkdir::Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// The first file in `folder` with one of `extensions` whose name is `stem` but for the extension and case.
pub(super) fn similar(folder: &Path, stem: &std::ffi::OsStr, extensions: &[&str]) -> Option<PathBuf> {
    let files = files_in(folder, extensions, false).into_iter().flatten();
    let mut paths = files.filter_map(|found| found.input.path().map(Path::to_owned));
    paths.find(|path| path.file_stem().unwrap_or_default().eq_ignore_ascii_case(stem))
}

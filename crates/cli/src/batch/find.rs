//! Search for the files in folders.

use super::{BatchError, BatchFault, Input, InputGroup};
use brickwork_base::{Cancelled, Stage, Task, natural_order};
use brickwork_toolkit::report::path_text;
use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};
use walkdir::{DirEntry, WalkDir};

/// Returns a group for each file among `paths`, and for each file in the folders among them. Files in folders
/// are those with one of `extensions`, in [`natural_order`] of their names, in the folder itself and, if
/// `recursive`, in its subfolders. Hidden files and folders are left out. An error replaces its path, so the
/// others can continue. The task reports [`Stage::Reading`] in paths and files found, without a total.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn find(
    paths: &[PathBuf],
    extensions: &[&str],
    recursive: bool,
    task: &Task<'_>,
) -> Result<Vec<Result<InputGroup, BatchError>>, Cancelled> {
    let mut groups = Vec::new();
    for path in paths {
        task.check()?;
        task.report(Stage::Reading, groups.len() as u64, 0);
        let input = Input::of(path);
        let error = |fault| Err(BatchError::new(path_text(path), fault));
        match fs::metadata(path) {
            _ if input == Input::Stdin => groups.push(Ok(InputGroup::new(vec![input]))),
            Err(reason) => groups.push(error(BatchFault::of_metadata(reason))),
            Ok(metadata) if metadata.is_dir() => {
                let files = files_in(path, extensions, recursive, groups.len(), task)?;
                if files.is_empty() {
                    let hidden = &task.without_progress();
                    let below =
                        if recursive { Vec::new() } else { files_in(path, extensions, true, 0, hidden)? };
                    groups.push(error(BatchFault::NothingFound {
                        extensions: extensions.iter().map(ToString::to_string).collect(),
                        recursive,
                        is_in_subfolders: !below.is_empty(),
                    }));
                }
                groups.extend(files);
            }
            Ok(_) => groups.push(Ok(InputGroup::new(vec![input]))),
        }
    }
    Ok(groups)
}

/// Returns the files with one of `extensions` in the folders among `paths`, in the order of [`find`]. Files
/// that cannot be listed are left out. The task reports no progress.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn files_in_folders(
    paths: &[PathBuf],
    extensions: &[&str],
    recursive: bool,
    task: &Task<'_>,
) -> Result<Vec<PathBuf>, Cancelled> {
    let mut found = Vec::new();
    for folder in paths.iter().filter(|path| path.is_dir()) {
        let files = files_in(folder, extensions, recursive, 0, &task.without_progress())?;
        let inputs = files.into_iter().flatten().flat_map(|group| group.inputs);
        found.extend(inputs.filter_map(|input| input.path().map(Path::to_owned)));
    }
    Ok(found)
}

/// Returns the files in a folder. The task reports their number beyond `found`.
fn files_in(
    folder: &Path,
    extensions: &[&str],
    recursive: bool,
    found: usize,
    task: &Task<'_>,
) -> Result<Vec<Result<InputGroup, BatchError>>, Cancelled> {
    let depth = if recursive { usize::MAX } else { 1 };
    let is_shown = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry);
    let by_name = |a: &DirEntry, b: &DirEntry| {
        let [left, right] = [a, b].map(DirEntry::file_name);
        natural_order(&left.to_string_lossy(), &right.to_string_lossy()).then_with(|| left.cmp(right))
    };
    let entries = WalkDir::new(folder).max_depth(depth).follow_links(true).sort_by(by_name).into_iter();
    let mut files = Vec::new();
    for entry in entries.filter_entry(is_shown) {
        task.check()?;
        match entry {
            Ok(entry) if entry.file_type().is_file() && has_extension(entry.path(), extensions) => {
                let parent = entry.path().parent().unwrap_or(folder);
                let below = parent.strip_prefix(folder).unwrap_or(Path::new("")).to_owned();
                let mut group = InputGroup::new(vec![Input::File(entry.into_path())]);
                group.below = below;
                files.push(Ok(group));
                task.report(Stage::Reading, (found + files.len()) as u64, 0);
            }
            Ok(_) => {}
            Err(error) if is_broken_link(&error, extensions) => {
                let reason = io::Error::new(io::ErrorKind::NotFound, "a link to a file that does not exist");
                files.push(Err(BatchError::io(path_text(error.path().unwrap_or(folder)), reason)));
            }
            // A broken link of another name, or a link back to a folder that is being listed.
            Err(error) if is_not_found(&error) || error.loop_ancestor().is_some() => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                files.push(Err(BatchError::io(path_text(&path), io::Error::from(error))));
            }
        }
    }
    Ok(files)
}

/// True for a link that leads nowhere, and whose name is that of a wanted file.
fn is_broken_link(error: &walkdir::Error, extensions: &[&str]) -> bool {
    let is_wanted = |path: &Path| path.is_symlink() && has_extension(path, extensions);
    is_not_found(error) && error.path().is_some_and(is_wanted)
}

fn is_not_found(error: &walkdir::Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// Returns the first file in the folder of `path` that has the same name, ignoring case, with one of
/// `extensions`. This is a guess for a path that does not exist. Only the names in one folder are read.
pub fn similar_file(path: &Path, extensions: &[&str]) -> Option<PathBuf> {
    let stem = path.file_stem().unwrap_or_default();
    let files = files_in(brickwork_base::whole_file::folder_of(path), extensions, false, 0, &Task::new());
    let mut inputs = files.ok()?.into_iter().flatten().flat_map(|group| group.inputs);
    inputs.find_map(|input| {
        let path = input.path()?;
        path.file_stem().unwrap_or_default().eq_ignore_ascii_case(stem).then(|| path.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn numbered_files_are_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        for number in [0, 1, 2, 9, 10, 11, 100] {
            fs::write(folder.path().join(format!("slice{number}.png")), b"").unwrap();
        }
        let groups = find(&[folder.path().to_owned()], &["png"], false, &Task::new()).unwrap();
        let names: Vec<_> = groups.into_iter().map(|group| group.unwrap().relative_name()).collect();
        assert_eq!(names, [0, 1, 2, 9, 10, 11, 100].map(|number| format!("slice{number}.png")));
    }

    #[test]
    fn the_numbers_of_several_folders_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for name in ["a", "b", "c"] {
            let path = folder.path().join(name);
            // The last folder has images in a subfolder only, which is searched for a hint.
            let inner = if name == "c" { path.join("inner") } else { path.clone() };
            fs::create_dir_all(&inner).unwrap();
            (0..3).for_each(|i| fs::write(inner.join(format!("{i}.png")), b"").unwrap());
            paths.push(path);
        }
        let numbers = Mutex::new(Vec::new());
        let note = |progress: brickwork_base::Progress| numbers.lock().unwrap().push(progress.done);
        let groups = find(&paths, &["png"], false, &Task::new().with_progress(&note)).unwrap();
        assert_eq!(groups.len(), 7);
        assert!(numbers.lock().unwrap().is_sorted(), "{numbers:?}");
        assert_eq!(numbers.lock().unwrap().last(), Some(&6));
    }
}

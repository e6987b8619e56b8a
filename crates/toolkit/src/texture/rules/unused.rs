//! Rule files that no input uses.

use super::RULE_FILE;
use crate::batch::{Input, InputGroup};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Returns rule files beside the pictures of an input of a batch that are not used, each with a picture to
/// which it does not apply. A folder that is an input brings its rules. The rules beside a file that is
/// named, and those in subfolders of the input, are not used.
pub fn unused_rule_files<'a>(
    input: &Path,
    groups: impl IntoIterator<Item = &'a InputGroup>,
) -> BTreeMap<PathBuf, String> {
    let is_folder = input.is_dir();
    let mut folders = BTreeMap::new();
    for group in groups {
        let Some(picture) = group.inputs.first().filter(|picture| **picture != Input::Stdin) else {
            continue;
        };
        let path = picture.path().unwrap_or(input);
        if is_folder {
            let below = group.below.ancestors().filter(|below| !below.as_os_str().is_empty());
            below.for_each(|below| _ = folders.entry(input.join(below)).or_insert_with(|| picture.name()));
        } else {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            folders.entry(folder).or_insert_with(|| picture.name());
        }
    }
    let files = folders.into_iter().map(|(folder, picture)| (folder.join(RULE_FILE), picture));
    files.filter(|(file, _)| file.is_file()).collect()
}

//! Pairs of files in two folders.

use crate::{
    batch::{files_in_folders, find},
    input::{image_extensions, texture_extensions},
};
use brickwork_base::Task;
use brickwork_toolkit::{
    batch::{BatchError, BatchFault, Input},
    report::path_text,
    texture::{Pattern, TextureOptions},
};
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

/// Files of two folders, paired by their path without extension.
#[derive(Clone, Debug)]
pub struct FolderPairs {
    /// The first and the second folder.
    pub folders: [PathBuf; 2],
    /// Pairs, sorted by name.
    pub pairs: Vec<FilePair>,
    /// Names without a partner: those that only the first folder has, and those that only the second has.
    pub unpaired: [Vec<String>; 2],
    /// Numbers of files in the subfolders of the first and the second folder that were not searched.
    pub left_out: [usize; 2],
}

/// Two files with the same name.
#[derive(Clone, Debug)]
pub struct FilePair {
    /// Path below the folders without extension, with `/` between its parts.
    pub name: String,
    /// File of the first folder, and that of the second.
    pub inputs: [Input; 2],
    /// Making of the second file, if rules state it.
    pub making: Option<Making>,
}

/// Making of a texture by rules.
#[derive(Clone, Debug)]
pub struct Making {
    /// The options.
    pub options: TextureOptions,
    /// All inputs: images, packed channels, a normal map.
    pub inputs: Vec<Input>,
}

/// Pairs the files of two folders that have one of `extensions`. Hidden files are left out, and those in
/// subfolders are counted unless `recursive`. The task reports no progress.
///
/// # Errors
/// [`BatchError`] if a folder cannot be listed, contains no such file, or contains two files that differ only
/// in their extension.
pub fn pair_folders(
    folders: [&Path; 2],
    extensions: &[&str],
    recursive: bool,
    task: &Task<'_>,
) -> Result<FolderPairs, BatchError> {
    let [a, b] = folders.map(|folder| files_by_name(folder, extensions, recursive, task));
    let (mut a, mut b) = (a?, b?);
    let names: Vec<String> = a.keys().filter(|name| b.contains_key(*name)).cloned().collect();
    let pairs = names.into_iter().filter_map(|name| {
        let inputs = [a.remove(&name)?, b.remove(&name)?];
        Some(FilePair { name, inputs, making: None })
    });
    let pairs = pairs.collect();
    let unpaired = [a, b].map(|rest| rest.into_keys().collect());
    let mut left_out = [0; 2];
    if !recursive {
        for (folder, count) in folders.iter().zip(&mut left_out) {
            let all = files_in_folders(&[folder.to_path_buf()], extensions, true, task)?;
            *count = all.iter().filter(|file| file.parent() != Some(*folder)).count();
        }
    }
    Ok(FolderPairs { folders: folders.map(PathBuf::from), pairs, unpaired, left_out })
}

impl FolderPairs {
    /// Leaves out the files that one of the patterns matches: paths below the folders.
    pub fn exclude(&mut self, patterns: &[Pattern]) {
        let is_excluded = |name: &str| patterns.iter().any(|pattern| pattern.is_of(name));
        let of_pair = |pair: &FilePair| {
            let names = pair.inputs.iter().zip(&self.folders).filter_map(|(input, folder)| {
                let below = input.path()?.strip_prefix(folder).ok()?;
                Some(below.iter().map(|part| path_text(Path::new(part))).collect::<Vec<_>>().join("/"))
            });
            names.chain([pair.name.clone()]).any(|name| is_excluded(&name))
        };
        self.pairs.retain(|pair| !of_pair(pair));
        // Their names have no extension.
        let extensions = [texture_extensions(), image_extensions()].concat();
        let is_of_any = |name: &str| extensions.iter().any(|end| is_excluded(&format!("{name}.{end}")));
        self.unpaired
            .iter_mut()
            .for_each(|names| names.retain(|name| !is_excluded(name) && !is_of_any(name)));
    }

    /// Returns the files without a partner, and the folders with subfolders that were not searched.
    pub fn not_compared(&self) -> Vec<NotCompared> {
        let mut list = Vec::new();
        for (index, names) in self.unpaired.iter().enumerate() {
            let other = path_text(&self.folders[1 - index]);
            let file = |name: &String| path_text(&self.folders[index].join(name));
            list.extend(
                names.iter().map(|name| NotCompared::NoPartner { file: file(name), other: other.clone() }),
            );
        }
        for (folder, &count) in self.folders.iter().zip(&self.left_out) {
            if count > 0 {
                list.push(NotCompared::Subfolders { folder: path_text(folder), count });
            }
        }
        list
    }
}

/// A file of two folders that is not compared, or several. It is displayed as a reason in one line, without
/// its subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCompared {
    /// The other folder has no file of this name.
    NoPartner {
        /// Path without extension.
        file: String,
        /// The other folder.
        other: String,
    },
    /// A folder has files in subfolders, which were not searched.
    Subfolders {
        /// The folder.
        folder: String,
        /// Number of files.
        count: usize,
    },
}

impl NotCompared {
    /// Returns the file or folder.
    pub fn subject(&self) -> &str {
        match self {
            Self::NoPartner { file, .. } => file,
            Self::Subfolders { folder, .. } => folder,
        }
    }
}

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPartner { other, .. } => write!(f, "has no partner in {other}"),
            Self::Subfolders { count: 1, .. } => f.write_str("1 file in subfolders is not compared"),
            Self::Subfolders { count, .. } => write!(f, "{count} files in subfolders are not compared"),
        }
    }
}

fn files_by_name(
    folder: &Path,
    extensions: &[&str],
    recursive: bool,
    task: &Task<'_>,
) -> Result<BTreeMap<String, Input>, BatchError> {
    let mut files = BTreeMap::new();
    for group in find(&[PathBuf::from(folder)], extensions, recursive, &task.without_progress())? {
        let group = group?;
        for input in group.inputs {
            let Some(path) = input.path() else { continue };
            let below = group.below.join(path.file_stem().unwrap_or_default());
            let parts: Vec<_> = below.iter().map(|part| path_text(Path::new(part))).collect();
            let name = parts.join("/");
            if let Some(earlier) = files.insert(name, input.clone()) {
                let fault = BatchFault::SameStem { other: earlier.name() };
                return Err(BatchError::new(input.name(), fault));
            }
        }
    }
    Ok(files)
}

//! Pairs of files in two folders, for `compare` and `report`.

mod pairs;
mod ruled;

use crate::{
    failure::Failure,
    input::{Input, image_extensions, texture_extensions},
};
use brickwork_texture::Task;
pub use pairs::{FilePair, FolderPairs, Making, NotCompared, pair_folders};
pub use ruled::find_ruled;
use std::path::Path;

/// True if both paths are folders, false if neither is.
///
/// # Errors
/// [`Failure`] if only one is a folder.
pub fn are_folders([a, b]: [&Path; 2]) -> Result<bool, Failure> {
    let (folder, other) = match (a.is_dir(), b.is_dir()) {
        (true, true) => return Ok(true),
        (false, false) => return Ok(false),
        (true, false) => (a, b),
        (false, true) => (b, a),
    };
    Input::of(other).check_exists()?;
    let reason = format!("{} is a folder, and {} is not", folder.display(), other.display());
    Err(Failure::usage(reason))
}

/// Pairs the images and textures of two folders.
///
/// # Errors
/// [`Failure`] if a folder cannot be listed, contains no such file, or contains two files that differ only in
/// their extension.
pub fn find(folders: [&Path; 2], recursive: bool) -> Result<FolderPairs, Failure> {
    let extensions = [texture_extensions(), image_extensions()].concat();
    Ok(pair_folders(folders, &extensions, recursive, &Task::new())?)
}

/// A file or folder that is not compared.
pub struct LeftOut {
    pub subject: String,
    /// The reason, in words.
    pub reason: String,
    /// True for a file without a partner.
    pub is_unpaired: bool,
}

/// Returns the files without a partner, and the folders with subfolders that were not searched.
pub fn left_out(found: &FolderPairs) -> Vec<LeftOut> {
    let hint = |item: &NotCompared| match item {
        NotCompared::Subfolders { count: 1, .. } => "; -r compares it",
        NotCompared::Subfolders { .. } => "; -r compares them",
        _ => "",
    };
    let of = |item: &NotCompared| LeftOut {
        subject: item.subject().to_owned(),
        reason: format!("{item}{}", hint(item)),
        is_unpaired: matches!(item, NotCompared::NoPartner { .. }),
    };
    found.not_compared().iter().map(of).collect()
}

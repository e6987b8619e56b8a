//! Pairs of images and the textures that rules make of them.

use super::{FilePair, FolderPairs, pairs::Making};
use crate::{
    batch::{Output, files_in_folders, find, plan},
    extensions::image_extensions,
    failure::Failure,
    input::{Input, texture_extensions},
    targets,
};
use brickwork_base::Task;
use brickwork_toolkit::{
    report::path_text,
    texture::{Assignment, FormatChoice, RuleBook, TextureOptions, rule_file_in},
};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// Pairs each image of the first folder with the textures that `encode` with this rule file and these targets
/// writes to the second folder. Without a rule file, that of the first folder is used, if it has one. Without
/// targets, all of the rule file are compared. Images that rules skip
/// have no texture. Images without their texture are unpaired. So are textures that no rule makes.
///
/// # Errors
/// [`Failure`] of the rule file or a target, or if a folder cannot be listed or contains no image.
pub fn find_ruled(
    folders: [&Path; 2],
    rules: Option<&Path>,
    targets: &[String],
    recursive: bool,
) -> Result<FolderPairs, Failure> {
    let [images, textures] = folders;
    let found = rule_file_in(images);
    // Targets with formats need no rules.
    let own = || RuleBook::parse("the command line", "");
    let mut book = rules.or(found.as_deref()).map_or_else(own, RuleBook::read)?;
    targets::add(targets, &mut book)?;
    let names = targets::names(targets);
    names.iter().try_for_each(|name| book.check_target(name))?;
    let groups = find(&[images.to_owned()], &image_extensions(), recursive, &Task::new())?;
    let mut assignment = Assignment::new();
    let mut base = TextureOptions::default();
    base.format = FormatChoice::AUTO;
    assignment.add_ruled(groups, &base, &mut book, &names)?;
    let extension = base.default_container().extension();
    let Assignment { groups, choices, .. } = assignment;
    // With a slash, it is a folder even if it does not exist.
    let jobs = plan(groups, Some(&textures.join("")), extension, &Task::new())?;
    let (mut pairs, mut made, mut missing) = (Vec::new(), HashSet::new(), Vec::new());
    for job in jobs {
        let job = job?;
        let (Output::File(output), Some(first)) = (&job.output, job.inputs.first()) else { continue };
        let name = name_below(textures, output);
        match existing(output) {
            found if !choices[job.number].is_selected => made.extend(found),
            Some(path) => {
                let inputs = [first.clone(), Input::File(path.clone())];
                let options = choices[job.number].options.clone();
                made.insert(path);
                pairs.push(FilePair { name, inputs, making: Some(Making { options, inputs: job.inputs }) });
            }
            None => missing.extend(first.path().map(|path| name_below(images, path))),
        }
    }
    missing.dedup();
    let all = [texture_extensions(), image_extensions()].concat();
    let in_folder = |folder: &Path, recursive: bool| {
        files_in_folders(&[folder.to_owned()], &all, recursive, &Task::new())
    };
    let others = in_folder(textures, recursive)?.into_iter().filter(|path| !made.contains(path));
    let others = others.map(|path| name_below(textures, &path)).collect();
    let mut left_out = [0; 2];
    if !recursive {
        for (folder, count) in folders.iter().zip(&mut left_out) {
            let is_below = |path: &PathBuf| path.parent() != Some(*folder) && !made.contains(path);
            *count = in_folder(folder, true)?.iter().filter(|path| is_below(path)).count();
        }
    }
    Ok(FolderPairs { folders: folders.map(PathBuf::from), pairs, unpaired: [missing, others], left_out })
}

/// Returns an output, or the texture of the same name in another container.
fn existing(output: &Path) -> Option<PathBuf> {
    let others = texture_extensions().into_iter().map(|extension| output.with_extension(extension));
    [output.to_owned()].into_iter().chain(others).find(|path| path.is_file())
}

/// Returns a path below a folder, without its extension and with `/` between its parts.
fn name_below(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path).with_extension("");
    below.iter().map(|part| path_text(Path::new(part))).collect::<Vec<_>>().join("/")
}

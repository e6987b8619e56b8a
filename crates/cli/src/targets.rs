//! Targets of the command line: `--target NAME` and `--target NAME=FORMATS`.

use crate::failure::Failure;
use brickwork_toolkit::texture::RuleBook;

/// Returns the name of a target, and its formats if the command line states them.
pub fn name_and_formats(target: &str) -> (&str, Option<&str>) {
    target.split_once('=').map_or((target, None), |(name, formats)| (name, Some(formats)))
}

/// Returns the names of targets.
pub fn names(targets: &[String]) -> Vec<String> {
    targets.iter().map(|target| name_and_formats(target).0.to_owned()).collect()
}

/// Adds the targets whose formats the command line states to a rule file.
///
/// # Errors
/// [`Failure`] if a name or format is impossible, or a name is repeated.
pub fn add(targets: &[String], book: &mut RuleBook) -> Result<(), Failure> {
    check_repetition(targets)?;
    for target in targets {
        if let (name, Some(formats)) = name_and_formats(target) {
            let origin = format!("--target {target}");
            let added = book.add_target(name, formats, &origin);
            added.map_err(|reason| Failure::usage(format!("{origin}: {reason}")))?;
        }
    }
    Ok(())
}

/// Checks that no two targets have one name, if the command line states a format of any.
///
/// # Errors
/// [`Failure`] that names the target.
fn check_repetition(targets: &[String]) -> Result<(), Failure> {
    let names = names(targets);
    let has_formats = targets.iter().any(|target| name_and_formats(target).1.is_some());
    let repeated = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
    match repeated {
        Some((_, name)) if has_formats => Err(Failure::usage(format!("--target {name} is given twice"))),
        _ => Ok(()),
    }
}

//! Checks of options and outputs, in terms of the command line.

use super::{arguments::Args, failure};
use crate::{batch::Output, failure::Failure};
use brickwork_toolkit::texture::{OptionsError, TextureOptions};

/// Returns the requests for each texture, which fit each other.
///
/// # Errors
/// [`Failure`] in terms of the command line.
pub fn checked_options(args: &Args) -> Result<TextureOptions, Failure> {
    let options = checked(args, args.options())?;
    args.hint_at_values_taken_for_files()?;
    Ok(options)
}

/// Returns requests that fit each other.
///
/// # Errors
/// [`Failure`] in terms of the command line.
pub fn checked(args: &Args, options: TextureOptions) -> Result<TextureOptions, Failure> {
    // First those of the command line, by the names that it gives to values.
    let checked = args.given.check(&options).and_then(|()| options.check());
    let checked = checked.and_then(|()| options.check_filter());
    checked.map_err(|error| failure::of_options(args, &error))?;
    Ok(options)
}

/// Checks that an output has a container that fits the options.
///
/// # Errors
/// [`Failure`] in terms of the command line.
pub fn check_container(args: &Args, options: &TextureOptions, output: &Output) -> Result<(), Failure> {
    let checked = options.container_of(output.path()).map(drop);
    checked.map_err(|error| of_output(failure::of_options(args, &error), &error, output))
}

/// Names the output in the failure of a container, unless the error names it.
pub(super) fn of_output(failure: Failure, error: &OptionsError, output: &Output) -> Failure {
    let is_named = matches!(error, OptionsError::OfContainer { .. });
    if is_named { failure } else { failure.of(output.name()) }
}

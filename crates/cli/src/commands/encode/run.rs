//! Encoding of the images that the command line names.

use super::{
    arguments::Args,
    failure, notes,
    report::{Encoded, color_space_reason},
    rules::{EncodeArgs, Planned, of_rules, planned},
};
use crate::{
    batch::Output,
    commands::encode::encode_job,
    exit::Exit,
    face_names::cubes_among,
    failure::Failure,
    input::note_unread_images,
    jobs::{self, Upkeep},
    report::{self, with_stages},
};
use brickwork_base::Task;
use brickwork_toolkit::texture::{OptionsError, TextureJobError, TextureOptions};

/// Encodes the images that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be done at all. A file's own failure is reported and determines the exit code.
pub fn run(arguments: &EncodeArgs) -> Result<Exit, Failure> {
    let args = &arguments.args;
    args.machine.start_threads()?;
    if !args.batch.quiet {
        note_unread_images(&args.inputs, args.batch.recursive)?;
    }
    let Planned { jobs, choices, scope, incremental } = planned(arguments)?;
    if !args.batch.quiet {
        for [first, .., last] in cubes_among(jobs.iter().flatten().flat_map(|job| &job.inputs)) {
            report::note(&format!(
                "{first} … {last}: names of a cube's six faces, which become six textures; \
                 brickwork assemble --cubemap makes one cube"
            ));
        }
    }
    let devices = args.device.open(args.batch.quiet)?;
    let prunes = arguments.rules.prunes();
    let upkeep = incremental.as_ref().map(|incremental| Upkeep { incremental, scope: &scope, prunes });
    let jobs = (&jobs[..], upkeep);
    let exit = jobs::run_incremental("encode", "", &args.batch, &args.machine, jobs, |turn| {
        let name = turn.job.name();
        let choice = &choices[turn.job.number];
        // With several files, each one is a step of their common progress bar.
        let hidden = args.batch.quiet || !turn.is_alone;
        let encode = |task: &Task<'_>| encode_job(&choice.options, turn, devices.inner(), task);
        let file = with_stages(&name, hidden, encode).map_err(|error| match error {
            TextureJobError::Options { file, error } if choice.origin.is_some() => {
                of_rules(&error, choice).of(file)
            }
            error => failure::of_job(args, error),
        })?;
        let file = file.result;
        devices.tell(Some(&name), "encoding", file.measured.device.fallback());
        let times = [file.read_time, file.measured.encode_time, file.measured.measure_time, file.write_time];
        let [read, encoded, measured, written] = times.map(|time| format!("{:.3} s", time.as_secs_f64()));
        report::detail(&format!(
            "{name}: read in {read}, encoded in {encoded}, measured in {measured}, written in {written}"
        ));
        if let Some(origin) = &choice.origin {
            report::detail(&format!("{name}: options by {origin}"));
        }
        let color_space_reason = match &choice.origin {
            Some(_) => file.plan.color_space_reason.to_string(),
            None => color_space_reason(&file.plan),
        };
        let notes = file.notes.iter().map(notes::text).collect();
        Ok(Encoded { file, color_space_reason, notes })
    })?;
    devices.save_kernels();
    Ok(exit)
}

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

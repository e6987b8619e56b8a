//! Encoding of the images that the command line names.

use super::{
    arguments::Args,
    failure, notes,
    report::{Encoded, color_space_reason},
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::note_unread_images,
    jobs,
    report::{self, with_stages},
};
use brickwork_texture::{Task, container::ContainerFormat};
use brickwork_toolkit::{
    batch::{Output, find, plan},
    texture::{OptionsError, TextureOptions, encode_files, image_extensions},
};

/// Encodes the images that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be done at all. A file's own failure is reported and determines the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    let options = checked_options(args)?;
    if !args.batch.quiet {
        note_unread_images(&args.inputs, args.batch.recursive)?;
    }
    let inputs = find(&args.inputs, &image_extensions(), args.batch.recursive, &Task::new())?;
    let default_container = args.container.unwrap_or(ContainerFormat::Dds);
    let jobs = plan(inputs, args.output.as_deref(), default_container.extension(), &Task::new())?;
    for job in jobs.iter().flatten() {
        check_container(args, &options, &job.output)?;
    }
    let devices = args.device.open(args.batch.quiet)?;
    // Measuring does not change the output.
    let recipe = format!("{:?}", options.with_metrics(true));
    let exit = jobs::run("encode", &recipe, &args.batch, &args.machine, &jobs, |turn| {
        let name = turn.job.name();
        // With several files, each one is a step of their common progress bar.
        let hidden = args.batch.quiet || !turn.is_alone;
        let file = with_stages(&name, hidden, |task| encode_files(&options, turn, devices.inner(), task))
            .map_err(|error| failure::of_job(args, error))?
            .result;
        devices.tell(Some(&name), "encoding", file.measured.device.fallback());
        let times = [file.read_time, file.measured.encode_time, file.measured.measure_time, file.write_time];
        let [read, encoded, measured, written] = times.map(|time| format!("{:.3} s", time.as_secs_f64()));
        report::detail(&format!(
            "{name}: read in {read}, encoded in {encoded}, measured in {measured}, written in {written}"
        ));
        let color_space_reason = color_space_reason(&file.plan);
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
    let options = args.options();
    let checked = options.check().and_then(|()| args.check_given());
    checked.map_err(|error| failure::of_options(args, &error))?;
    args.hint_at_values_taken_for_files()?;
    Ok(options)
}

/// Checks that an output has a container that fits the options.
///
/// # Errors
/// [`Failure`] in terms of the command line.
pub fn check_container(args: &Args, options: &TextureOptions, output: &Output) -> Result<(), Failure> {
    options.container_of(output).map(drop).map_err(|error| {
        let failure = failure::of_options(args, &error);
        let is_named = matches!(error, OptionsError::OfContainer { .. });
        if is_named { failure } else { failure.of(output.name()) }
    })
}

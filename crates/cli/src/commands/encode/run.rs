//! Encoding of the images that the command line names.

use super::{
    failure, notes,
    report::{Encoded, color_space_reason},
    rules::{EncodeArgs, Planned, of_rules, planned},
};
use crate::{
    commands::encode::encode_job,
    exit::Exit,
    face_names::cubes_among,
    failure::Failure,
    input::note_unread_images,
    jobs::{self, Upkeep},
    report::{self, with_stages},
};
use brickwork_base::Task;
use brickwork_toolkit::texture::TextureJobError;

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

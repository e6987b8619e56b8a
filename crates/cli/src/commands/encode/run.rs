//! Encoding of the images that the command line names.

use super::{
    failure, notes,
    report::{Encoded, color_space_reason, decisions_text},
    rules::{EncodeArgs, Planned, of_rules, planned},
    total::Totals,
    watch::{self, Changes, Known},
};
use crate::{
    batch::{Job, Preview, Turn},
    commands::encode::encode_job,
    device::Devices,
    exit::Exit,
    face_names::cubes_among,
    failure::Failure,
    input::note_unread_images,
    jobs::{self, Acceptance, BatchArgs, JobsAndUpkeep, Upkeep},
    report::{self, Bytes, PlanReport, with_stages},
};
use brickwork_base::Task;
use brickwork_texture::mips::MipOptions;
use brickwork_toolkit::{
    report::{alpha_mode_name, color_space_name},
    texture::{Choice, PlannedTexture, TextureJobError, TextureNote, TexturePlan, plan_files},
};
use std::{
    cell::{Cell, OnceCell, RefCell},
    sync::Mutex,
};

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
    let devices = OnceCell::new();
    match arguments.rules.watches() {
        true => watch::run(arguments, |changes, known| run_once(arguments, &devices, changes, Some(known))),
        false => run_once(arguments, &devices, None, None),
    }
}

/// Encodes the images of the command line, or those of them that changed. The first run opens the devices.
/// `known` receives all jobs, if there will be further runs.
///
/// # Errors
/// As [`run`].
fn run_once(
    arguments: &EncodeArgs,
    devices: &OnceCell<Devices>,
    changes: Option<&Changes>,
    known: Option<&mut Known>,
) -> Result<Exit, Failure> {
    let args = &arguments.args;
    let Planned { mut jobs, mut choices, scope, incremental } = planned(arguments)?;
    if let Some(known) = known {
        known.add(&mut jobs, changes);
    }
    let mut batch = args.batch.clone();
    if changes.is_some() {
        if jobs.is_empty() {
            return Ok(Exit::Ok);
        }
        // With a cache, the manifest states which outputs may be replaced.
        if incremental.is_none() {
            batch = batch.replacing();
        }
    }
    if !args.batch.quiet {
        for [first, .., last] in cubes_among(jobs.iter().flatten().flat_map(|job| &job.inputs)) {
            report::note(&format!(
                "{first} … {last}: names of a cube's six faces, which become six textures; \
                 brickwork assemble --cubemap makes one cube"
            ));
        }
    }
    let devices = match devices.get() {
        Some(devices) => devices,
        None => {
            let opened = args.device.open(args.batch.quiet)?;
            devices.get_or_init(|| opened)
        }
    };
    let prunes = arguments.rules.prunes();
    let upkeep = incremental.as_ref().map(|incremental| Upkeep { incremental, scope: &scope, prunes });
    let has_total = |job: &Job| arguments.rules.total_size().or(choices[job.number].total).is_some();
    let has_totals = !args.batch.dry_run && jobs.iter().flatten().any(has_total);
    if !has_totals {
        let exit = run_jobs(arguments, &batch, (&jobs, upkeep, None), &choices, devices)?;
        devices.save_kernels();
        return Ok(exit);
    }
    if changes.is_some() || arguments.rules.is_partial() {
        return Err(Failure::usage("a total size needs a run over all images, without --watch and --shard"));
    }
    let mut totals = Totals::of(arguments, &jobs, &choices, devices)?;
    let said = Mutex::default();
    loop {
        totals.apply(&mut jobs, &mut choices);
        let (verdict, checked) = (Cell::new(None), RefCell::new(&mut totals));
        let accepts = |exit| {
            if exit != Exit::Ok {
                if !args.batch.quiet {
                    report::note("the total size was not checked, because outputs failed");
                }
                return true;
            }
            let checked = checked.borrow_mut().check(args, &jobs, &choices);
            let is_kept = matches!(checked, Ok(true));
            verdict.set(Some(checked));
            is_kept
        };
        let acceptance = Acceptance { accepts: &accepts, said: &said };
        let exit = run_jobs(arguments, &batch, (&jobs, upkeep, Some(acceptance)), &choices, devices)?;
        if verdict.take().transpose()? != Some(false) {
            devices.save_kernels();
            return Ok(exit);
        }
        // No output failed, so that all of them are those of this run.
        batch = batch.replacing();
    }
}

/// Encodes the images of jobs.
fn run_jobs(
    arguments: &EncodeArgs,
    batch: &BatchArgs,
    jobs: JobsAndUpkeep<'_>,
    choices: &[Choice],
    devices: &Devices,
) -> Result<Exit, Failure> {
    let args = &arguments.args;
    let failed = |error, choice: &Choice| match error {
        TextureJobError::Options { file, error } if choice.origin.is_some() => {
            of_rules(&error, choice).of(file)
        }
        error => failure::of_job(args, error),
    };
    let preview = |turn: &Turn<'_>| {
        let choice = &choices[turn.job.number];
        preview(choice, turn).map(Some).map_err(|error| failed(error, choice))
    };
    let work = |turn: &Turn<'_>| {
        let name = turn.job.name();
        let choice = &choices[turn.job.number];
        // With several files, each one is a step of their common progress bar.
        let hidden = args.batch.quiet || !turn.is_alone;
        let encode = |task: &Task<'_>| encode_job(&choice.options, turn, devices.inner(), task);
        let file = with_stages(&name, hidden, encode).map_err(|error| failed(error, choice))?;
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
        let color_space_reason = reason_of(choice, &file.plan);
        let notes = file.notes.iter().map(notes::text).collect();
        Ok(Encoded { file, color_space_reason, notes })
    };
    jobs::run_incremental("encode", "", batch, &args.machine, jobs, (work, preview))
}

/// Returns the reason for the colour space, in the words of rules or of the command line.
fn reason_of(choice: &Choice, plan: &TexturePlan) -> String {
    match &choice.origin {
        Some(_) => plan.color_space_reason.to_string(),
        None => color_space_reason(plan),
    }
}

/// Returns the decisions about the texture of a job.
fn preview(choice: &Choice, turn: &Turn<'_>) -> Result<Preview, TextureJobError> {
    let (options, job) = (&choice.options, turn.job);
    let PlannedTexture { plan, mut notes, .. } =
        plan_files(options, &job.inputs, turn.max_memory, &turn.task)?;
    let output = job.output.name();
    let container = options.container_of(job.output.path());
    let container = container.map_err(|error| TextureJobError::Options { file: output.clone(), error })?;
    notes.extend(TextureNote::of_size(&plan.desc, container, &output));
    let color_space_reason = reason_of(choice, &plan);
    let desc = &plan.desc;
    let text = format!("{}  {}", decisions_text(&plan, &color_space_reason), Bytes(desc.data_bytes()));
    let report = PlanReport {
        format: desc.format.name(),
        format_reason: plan.format_reason,
        width: desc.width,
        height: desc.height,
        resized_from: plan.resized_from,
        levels: desc.mip_levels,
        mip_filter: plan.mips.as_ref().map(MipOptions::filter_name),
        color_space: color_space_name(desc.color_space),
        color_space_reason,
        alpha_mode: alpha_mode_name(desc.alpha_mode),
        data_bytes: desc.data_bytes(),
        notes: notes.iter().map(ToString::to_string).collect(),
    };
    let notes = notes.iter().map(|note| (note.kind().to_owned(), notes::text(note))).collect();
    Ok(Preview { plan: report, notes, text })
}

//! Encodes what the command line names.

use super::{
    arguments::Args,
    notes,
    plan::Plan,
    report::{Encoded, Measured},
};
use crate::{
    device::Devices,
    exit::Exit,
    failure::Failure,
    input::{self, PICTURE_EXTENSIONS},
    jobs, output,
    report::{self, with_progress},
};
use brickwork_texture::{
    AlphaMode, BlockFormat, Image, Task, Texture,
    container::ContainerFormat,
    encode_texture,
    metrics::{self, MetricsError},
};
use brickwork_toolkit::batch::{Turn, find, plan};
use std::time::{Duration, Instant};

/// Encodes what the command line names.
///
/// # Errors
/// [`Failure`] where nothing can be done at all; a file's own failure is reported and gives the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    args.check()?;
    args.hint_at_values_taken_for_files()?;
    let inputs = find(&args.inputs, &PICTURE_EXTENSIONS, args.batch.recursive);
    let default_container = args.container.unwrap_or(ContainerFormat::Dds);
    let jobs = plan(inputs, args.output.as_deref(), default_container.extension())?;
    for job in jobs.iter().flatten() {
        args.container_for(&job.output)?;
    }
    let devices = args.device.open(args.batch.quiet)?;
    let exit = jobs::run("encode", &args.batch, &args.machine, &jobs, |turn| encode(args, turn, &devices))?;
    devices.save_kernels();
    Ok(exit)
}

/// Encodes one picture and writes it.
fn encode(args: &Args, turn: &Turn<'_>, devices: &Devices) -> Result<Encoded, Failure> {
    let Turn { job, existing, max_memory, is_alone, .. } = *turn;
    turn.check_output()?;
    let name = job.name();
    // Beside others a file is a step of their common bar.
    let hidden = args.batch.quiet || !is_alone;
    let start = Instant::now();
    let picture = with_progress(&format!("{name}: reading"), hidden, |task| {
        input::read_picture(&job.inputs[0], max_memory, task)
    })?;
    let read_time = start.elapsed();
    let plan = Plan::of(args, turn, &picture)?;
    let notes = notes::of(args, &plan, &picture, &name);
    let (texture, measured, measure_time) = picture
        .view()
        .map_err(Failure::from)
        .and_then(|image| encode_image(args, &plan, devices, &*image, &name, hidden))
        .map_err(|failure| failure.of(&name))?;
    drop(picture);

    let write_options = args.write_options();
    let start = Instant::now();
    let file_bytes = with_progress(&format!("{name}: writing"), hidden, |task| {
        output::write(&job.output, existing, |writer| {
            Ok(texture.write(writer, plan.container, &write_options, task)?)
        })
    })?;
    let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
    report::detail(&format!(
        "{name}: read in {}, encoded in {}, measured in {}, written in {}",
        seconds(read_time),
        seconds(measured.encode_time),
        seconds(measure_time),
        seconds(start.elapsed())
    ));
    Ok(Encoded { input: name, output: job.output.name(), plan, file_bytes, measured, notes })
}

/// Encodes `image` and its mip levels, and measures the blocks of the image, which takes the last of the
/// times.
fn encode_image(
    args: &Args,
    plan: &Plan,
    devices: &Devices,
    image: &dyn Image,
    name: &str,
    hidden: bool,
) -> Result<(Texture, Measured, Duration), Failure> {
    let Plan { options, desc, .. } = plan;
    let ((texture, encode_time), device) = with_progress(&format!("{name}: encoding"), hidden, |task| {
        devices.encode(name, desc.texel_count(), |encoder| {
            let start = Instant::now();
            let texture = encode_texture(encoder, image, desc, options, task)?;
            Ok((texture, start.elapsed()))
        })
    })?;

    let start = Instant::now();
    let (format, blocks) = (desc.format, texture.image(0, 0, 0)?);
    let rule = options.rounding_rule();
    let measure = |task: &Task<'_>| {
        let metrics = metrics::compare_blocks(image, format, blocks, rule, task)?;
        let is_punched = format == BlockFormat::Bc1 && desc.alpha_mode != AlphaMode::Opaque;
        let visible_metrics = is_punched.then(|| {
            let threshold = options.bc1().alpha_threshold();
            metrics::compare_visible_blocks(image, format, blocks, rule, threshold, task)
        });
        Ok((metrics, visible_metrics.transpose()?))
    };
    let (metrics, visible_metrics) = if args.measures() {
        let measured = with_progress(&format!("{name}: measuring"), hidden, measure);
        let (metrics, visible_metrics) =
            measured.map_err(|error: MetricsError| Failure::new(Exit::Runtime, error))?;
        (Some(metrics), visible_metrics)
    } else {
        (None, None)
    };
    Ok((texture, Measured { encode_time, device, metrics, visible_metrics }, start.elapsed()))
}

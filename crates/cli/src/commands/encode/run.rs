//! Encodes what the command line names.

use super::{
    arguments::Args,
    plan::Plan,
    report::{Encoded, Measured},
};
use crate::{
    device::Devices,
    exit::Exit,
    failure::Failure,
    input::{self, PICTURE_EXTENSIONS},
    jobs::{self, Job},
    json,
    output::{self, Existing, Output},
    report::{self, counted},
};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, Image, Progress, Texture,
    container::ContainerFormat,
    encode_texture_with,
    metrics::{self, MetricsError},
};
use std::time::Instant;

/// Encodes what the command line names.
///
/// # Errors
/// [`Failure`] where nothing can be done at all; a file's own failure is reported and gives the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    args.check()?;
    args.hint_at_values_taken_for_files()?;
    let inputs = input::expand(&args.inputs, &PICTURE_EXTENSIONS);
    let default_container = args.container.unwrap_or(ContainerFormat::Dds);
    let jobs = jobs::plan(inputs, args.output.as_deref(), default_container.extension())?;
    for job in jobs.iter().flatten() {
        args.container_for(&job.output)?;
    }
    let devices = args.device.open(args.quiet)?;
    jobs::create_folder(args.output.as_deref(), &jobs)?;

    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let to_stderr = jobs.iter().flatten().any(|job| job.output == Output::Stdout);
    let (results, exit) = jobs::run(jobs, |job, inputs| {
        job.output.check(existing, inputs)?;
        let encoded = encode(args, job, existing, &devices)?;
        if !args.quiet && !args.json {
            output::print(&encoded.text(), to_stderr)?;
        }
        Ok(encoded)
    });
    devices.save_kernels();
    let is_color = |encoded: &Encoded| encoded.plan.desc.color_space == ColorSpace::Srgb;
    if args.legacy && !args.quiet && results.iter().flatten().any(is_color) {
        report::note("a legacy DDS header does not say that colours are sRGB; --dx10 does");
    }
    if args.json {
        let files = results.into_iter().map(|result| json::Entry::of(result.map(Encoded::into_report)));
        json::print(&json::Report { command: "encode", files: files.collect() }, to_stderr)?;
    } else if exit != Exit::Ok && results.len() > 1 {
        let failed = results.iter().filter(|result| result.is_err()).count();
        report::note(&format!("{failed} of {} failed", counted(results.len(), "input")));
    }
    Ok(exit)
}

/// Encodes one picture and writes it.
fn encode(args: &Args, job: &Job, existing: Existing, devices: &Devices) -> Result<Encoded, Failure> {
    let picture = input::read_picture(&job.input, args.machine.max_memory)?;
    let plan = Plan::of(args, job, &picture)?;
    let name = job.input.name();
    let (texture, measured) = picture
        .view()
        .map_err(Failure::from)
        .and_then(|image| encode_image(args, &plan, devices, &*image, &name))
        .map_err(|failure| failure.of(&name))?;
    drop(picture);

    let write_options = args.write_options();
    let file_bytes =
        job.output.write(existing, |writer| Ok(texture.write(writer, plan.container, &write_options)?))?;
    Ok(Encoded { input: name, output: job.output.name(), plan, file_bytes, measured })
}

/// Encodes `image` and its mip levels, and measures the blocks of the image.
fn encode_image(
    args: &Args,
    plan: &Plan,
    devices: &Devices,
    image: &dyn Image,
    name: &str,
) -> Result<(Texture, Measured), Failure> {
    let Plan { options, desc, .. } = plan;
    let ((texture, encode_time), device) = report::with_progress(name, args.quiet, |tell| {
        let progress = Progress::none().with_callback(tell);
        devices.encode(name, |encoder| {
            let start = Instant::now();
            let texture = encode_texture_with(encoder, image, desc, options, &progress)?;
            Ok((texture, start.elapsed()))
        })
    })?;

    let (format, blocks) = (desc.format, texture.image(0, 0, 0));
    let is_punched = format == BlockFormat::Bc1 && desc.alpha_mode != AlphaMode::Opaque;
    let metrics =
        (!args.quiet).then(|| metrics::compare_blocks(image, format, blocks, options.decoder)).transpose();
    let visible_metrics = (!args.quiet && is_punched)
        .then(|| {
            let threshold = options.bc1.alpha_threshold;
            metrics::compare_visible_blocks(image, format, blocks, options.decoder, threshold)
        })
        .transpose();
    let not_measured = |error: MetricsError| Failure::new(Exit::Runtime, error);
    let (metrics, visible_metrics) = (metrics.map_err(not_measured)?, visible_metrics.map_err(not_measured)?);
    Ok((texture, Measured { encode_time, device, metrics, visible_metrics }))
}

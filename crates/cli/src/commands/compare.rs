//! `brickwork compare`: the difference between two images.

use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    json,
    machine::MachineArgs,
    output::{self, Existing, Output},
    reading::ReadArgs,
    report::{self, Decibels, counted, printable},
    values::{self, decoder_parser, tone_curve_parser},
};
use brickwork_texture::{
    ColorSpace, RoundingRule, Task, ToneCurve, ToneMap,
    image_file::{PngTexels, write_png},
    metrics::{HdrMetrics, Metrics, NormalMetrics},
};
use brickwork_toolkit::texture::{
    CompareInput, CompareNote, CompareOptions, ComparisonPicture, Measure, MeasureLimit, compare_images,
};
use std::path::PathBuf;

/// Measure the difference between two images: MSE, PSNR, SSIM, largest error
///
/// Each input is an image (PNG, JPEG, …) or a DDS or KTX2 texture, of which the first image is decoded.
/// Values are compared as stored, with 8 bits per channel and without conversion between colour spaces.
/// Values of BC4 and BC5 are compared as the formats define them, not rounded to 8 bits; --decoder exact
/// rounds them. If both images have half floats, PNGs show them after a tone map.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("picture").multiple(true)))]
#[command(after_help = "Examples:
  brickwork compare photo.png photo.dds
  brickwork compare photo.png photo.dds --decoder nvidia
  brickwork compare old.dds new.dds --diff diff.png --scale 16
  brickwork compare photo.png photo.dds --heat-map heat.png --side-by-side both.png
  brickwork compare sky.exr sky.ktx2 --diff diff.png --exposure -2
  brickwork compare photo.png photo.dds --fail-under psnr=38 --fail-under ssim=0.97
  brickwork compare a.png b.png --exact --quiet && echo same

MEASURE is psnr (of red, green and blue), psnr-rgba, psnr-luma, psnr-r, psnr-g, psnr-b, psnr-a, \
psnr-visible (psnr of the texels that --alpha-threshold leaves visible) or ssim. For half \
floats it may also be half-psnr, mpsnr or reinhard-psnr (docs/terminology.md).")]
pub struct Args {
    /// The original: image, DDS or KTX2, or - for standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The image to compare with it
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Exit with 7 if any texel differs, in 8 bits or, for half floats, in any bit
    #[arg(long, help_heading = "Verdict")]
    exact: bool,

    /// Exit with 7 if a measure is below a value; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = values::measure_limit, help_heading = "Verdict")]
    fail_under: Vec<MeasureLimit>,

    /// Minimum alpha of a visible texel of A; transparent texels of BC1 have no colour to compare
    #[arg(long, value_name = "N", default_value_t = 128, help_heading = "Verdict")]
    alpha_threshold: u8,

    /// Measure the angles between normals, in degrees; always done if an image is BC5
    #[arg(long, help_heading = "Verdict")]
    normal: bool,

    /// Write the differences as a PNG
    #[arg(long, value_name = "FILE", group = "picture", help_heading = "Output")]
    diff: Option<PathBuf>,

    /// Write a heat map as a PNG, with a scale beside it: the largest difference of each texel's red, green,
    /// blue and alpha, of 255
    #[arg(long, value_name = "FILE", group = "picture", help_heading = "Output")]
    heat_map: Option<PathBuf>,

    /// Difference with the brightest colour of the heat map, 1 to 255 [default: 4, 8, 16, 32, 64, 128 or 255,
    /// so that 99 % of the texels are not above it]
    #[arg(long, value_name = "N", requires = "heat_map", value_parser = clap::value_parser!(u8).range(1..),
        help_heading = "Output")]
    heat_end: Option<u8>,

    /// Write both images as a PNG, A on the left
    #[arg(long, value_name = "FILE", group = "picture", help_heading = "Output")]
    side_by_side: Option<PathBuf>,

    /// Factor by which the PNG of --diff amplifies the differences
    #[arg(long, value_name = "N", default_value_t = 8, requires = "diff", help_heading = "Output",
        value_parser = clap::value_parser!(u32).range(1..))]
    scale: u32,

    /// Stops by which the light of two images of half floats is multiplied before the tone map of PNGs
    #[arg(long, value_name = "EV", default_value_t = 0.0, allow_hyphen_values = true, requires = "picture",
        value_parser = values::exposure, help_heading = "Output")]
    exposure: f32,

    /// Tone map of PNGs for half floats: clamp; reinhard is x / (1 + x); aces-like resembles ACES
    #[arg(long, value_name = "NAME", default_value = "clamp", value_parser = tone_curve_parser(),
        requires = "picture", help_heading = "Output")]
    tone_map: ToneCurve,

    /// Replace existing PNGs
    #[arg(long, requires = "picture", help_heading = "Output")]
    force: bool,

    /// Print only errors; the exit code gives the verdict
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Decoder whose rounding is used for textures; real and exact differ for BC4 and BC5 alone
    #[arg(long, value_name = "NAME", default_value = "real", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: RoundingRule,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Compares the images that the command line names.
///
/// # Errors
/// [`Failure`] if a file cannot be read, the sizes differ, or the differences cannot be written.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let (a, b) = (Input::of(&args.a), Input::of(&args.b));
    if a == Input::Stdin && b == Input::Stdin {
        return Err(Failure::usage("only one of the two can be standard input"));
    }
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let pictures = [&args.diff, &args.heat_map, &args.side_by_side];
    let [diff, heat_map, side_by_side] = pictures.map(|path| path.as_deref().map(Output::of));
    let outputs: Vec<_> = [&diff, &heat_map, &side_by_side].into_iter().flatten().collect();
    let ids: Vec<_> = [a.id(), b.id()].into_iter().flatten().collect();
    for (index, output) in outputs.iter().enumerate() {
        output.check_png()?;
        output.check(existing, &ids)?;
        if outputs[..index].contains(output) {
            return Err(Failure::usage("two pictures have this name").of(output.name()));
        }
    }
    let to_stderr = outputs.contains(&&Output::Stdout);
    args.machine.start_threads()?;

    let visible = args.fail_under.iter().any(|limit| limit.measure == Measure::PsnrVisible);
    let options = CompareOptions::new()
        .with_rounding_rule(args.decoder)
        .with_alpha_threshold(args.alpha_threshold)
        .with_visible(visible)
        .with_normals(args.normal)
        .with_tone_map(ToneMap::new().with_exposure(args.exposure).with_curve(args.tone_map))
        .with_dds_ten_bit_masks(args.reading.dds_ten_bit_masks());
    let read = |input: &Input| -> Result<CompareInput, Failure> {
        let input = CompareInput::read(input, &options, args.machine.max_memory, &Task::new())?;
        args.print_notes(input.notes());
        Ok(input)
    };
    let inputs = [read(&a)?, read(&b)?];
    args.print_notes(CompareNote::of_pair(&inputs).as_slice());
    let comparison = compare_images(inputs, &options, &Task::new())?;
    let [left, _] = comparison.inputs();
    let (width, height) = (left.width(), left.height());
    if let Some(diff) = &diff {
        let picture = comparison.difference(args.scale, &Task::new())?;
        output::write(diff, existing, |writer| {
            let picture = PngTexels::Rgb8(&picture);
            Ok(write_png(writer, width, height, picture, ColorSpace::Srgb, &Task::new())?)
        })?;
    }

    let write = |output: &Output, picture: ComparisonPicture| {
        output::write(output, existing, |writer| {
            let (width, height, texels) = (picture.width, picture.height, PngTexels::Rgba8(&picture.texels));
            Ok(write_png(writer, width, height, texels, ColorSpace::Srgb, &Task::new())?)
        })
    };
    if let Some(output) = &heat_map {
        write(output, comparison.heat_map(args.heat_end, &Task::new())?)?;
    }
    if let Some(output) = &side_by_side {
        write(output, comparison.side_by_side(&Task::new())?)?;
    }

    let violations = comparison.violations(args.exact, &args.fail_under);
    let exit = if violations.is_empty() { Exit::Ok } else { Exit::Differs };
    if args.json {
        json::print(&comparison.report(&violations), to_stderr)?;
    } else if !args.quiet {
        let (a, b) = (printable(&a.name()), printable(&b.name()));
        let head = format!("{a} ↔ {b}  {width}×{height}\n");
        let metrics = comparison.metrics();
        let visible = comparison.visible_metrics();
        let visible = visible.map_or_else(String::new, |visible| visible_text(metrics, visible));
        let hdr = comparison.hdr_metrics();
        let is_equal = metrics.max_error == [0; 4] && hdr.is_none_or(|hdr| hdr.max_steps == 0);
        let equal = match is_equal {
            true if metrics.mse == [0.0; 4] => "every texel is equal\n",
            true => "every texel is equal in 8 bits\n",
            false => "",
        };
        let hdr = hdr.map_or_else(String::new, hdr_text);
        let normals = comparison.normal_metrics().map_or_else(String::new, normal_text);
        output::print(&(head + &text(metrics) + &hdr + &normals + equal + &visible), to_stderr)?;
    }
    for violation in violations {
        report::complain(&Failure::new(exit, violation).of(b.name()));
    }
    Ok(exit)
}

impl Args {
    fn print_notes(&self, notes: &[CompareNote]) {
        for note in notes.iter().filter(|_| !self.quiet) {
            report::note(&note.to_string());
        }
    }
}

/// Returns the measures as a small table.
fn text(metrics: &Metrics) -> String {
    let psnr = |value: f64| if value.is_infinite() { "∞".to_owned() } else { format!("{value:.2}") };
    let mse = |value: f64| if value < 1000.0 { format!("{value:.3}") } else { format!("{value:.1}") };
    let row = |name: &str, cells: [String; 7]| {
        let cells = cells.map(|cell| format!("{cell:>10}")).concat();
        format!("{name:<9}{cells}").trim_end().to_owned() + "\n"
    };
    let [r, g, b, a] = metrics.mse;
    let [max_r, max_g, max_b, max_a] = metrics.max_error.map(|error| error.to_string());
    let mut text = row("", ["RGB", "RGBA", "luma", "R", "G", "B", "A"].map(str::to_owned));
    text += &row(
        "PSNR dB",
        [
            metrics.psnr_rgb(),
            metrics.psnr_rgba(),
            metrics.psnr_luma(),
            metrics.psnr_channel(0),
            metrics.psnr_channel(1),
            metrics.psnr_channel(2),
            metrics.psnr_channel(3),
        ]
        .map(psnr),
    );
    text += &row("MSE", [metrics.mse_rgb(), metrics.mse_rgba(), metrics.mse_luma, r, g, b, a].map(mse));
    let none = String::new;
    text += &row("max error", [none(), none(), none(), max_r, max_g, max_b, max_a]);
    text += &match metrics.ssim {
        Some(ssim) => row("SSIM", [none(), none(), format!("{ssim:.5}"), none(), none(), none(), none()]),
        None => "SSIM      not defined: the images are less than 11 texels wide or high\n".to_owned(),
    };
    text
}

/// Returns the measures of half floats in two lines.
fn hdr_text(hdr: &HdrMetrics) -> String {
    let [half, exposures, reinhard] =
        [hdr.half_psnr(), hdr.multi_exposure_psnr(), hdr.reinhard_psnr()].map(Decibels);
    format!(
        "The measures above are of half floats clamped to 0 to 1, as 8 bits.\n\
         half floats  PSNR {half} of bit patterns · mPSNR {exposures} · Reinhard PSNR {reinhard} · \
         log2 RMSE {:.5} · at most {} steps\n",
        hdr.log2_rmse(),
        hdr.max_steps
    )
}

/// Returns the angles between normals in one line.
fn normal_text(normals: &NormalMetrics) -> String {
    let [median, p95, p99] = normals.percentiles;
    format!(
        "normals  {:.2}° mean · {median:.2}° median · {p95:.2}° of 95 % · {p99:.2}° of 99 % · \
         at most {:.2}°\n",
        normals.mean, normals.max
    )
}

/// Returns the measures over visible texels in one line.
fn visible_text(all: &Metrics, visible: &Metrics) -> String {
    let hidden = all.texel_count - visible.texel_count;
    let percent = hidden as f64 * 100.0 / all.texel_count as f64;
    let hidden = counted(hidden, "transparent texel");
    if visible.texel_count == 0 {
        return format!("visible  no texel; {hidden}\n");
    }
    format!("visible  PSNR {} RGB, without {hidden} ({percent:.1} %)\n", Decibels(visible.psnr_rgb()))
}

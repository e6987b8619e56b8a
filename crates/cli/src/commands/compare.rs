//! `brickwork compare`: the difference between two images.

use crate::{
    exit::Exit,
    failure::Failure,
    input::{self, Input},
    json,
    machine::MachineArgs,
    output::{self, Existing, Output},
    report::{self, Decibels, counted, printable},
    values::{self, Measure, Threshold, decoder_parser},
};
use brickwork_texture::{
    AlphaMode, BlockFormat, ChannelType, ColorSpace, DecodeOptions, Image, ImageError, ImageIndex,
    RoundingRule, Task,
    image_file::{AnyImage, PngTexels, Texels, write_png},
    metrics::{self, Metrics},
};
use brickwork_toolkit::report::{CompareReport, ComparedImage, MetricsReport, color_space_name};
use std::path::PathBuf;

/// Measure the difference between two images: MSE, PSNR, SSIM, largest error
///
/// Each input is an image (PNG, JPEG, …) or a DDS or KTX2 texture, of which the first image is decoded.
/// Values are compared as stored, with 8 bits per channel and without conversion between colour spaces.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork compare photo.png photo.dds
  brickwork compare photo.png photo.dds --decoder nvidia
  brickwork compare old.dds new.dds --diff diff.png --scale 16
  brickwork compare photo.png photo.dds --fail-under psnr=38 --fail-under ssim=0.97
  brickwork compare a.png b.png --exact --quiet && echo same

MEASURE is psnr (of red, green and blue), psnr-rgba, psnr-luma, psnr-r, psnr-g, psnr-b, psnr-a, \
psnr-visible (psnr of the texels that --alpha-threshold leaves visible) or ssim.")]
pub struct Args {
    /// The original: image, DDS or KTX2, or - for standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The image to compare with it
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Exit with 7 if any texel differs
    #[arg(long, help_heading = "Verdict")]
    exact: bool,

    /// Exit with 7 if a measure is below a value; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = values::threshold, help_heading = "Verdict")]
    fail_under: Vec<Threshold>,

    /// Alpha from which on a texel of A is visible; transparent texels of BC1 have no colour to compare
    #[arg(long, value_name = "N", default_value_t = 128, help_heading = "Verdict")]
    alpha_threshold: u8,

    /// Write the differences as a PNG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    diff: Option<PathBuf>,

    /// Factor by which that PNG amplifies the differences
    #[arg(long, value_name = "N", default_value_t = 8, requires = "diff", help_heading = "Output",
        value_parser = clap::value_parser!(u32).range(1..))]
    scale: u32,

    /// Replace that PNG if it exists
    #[arg(long, requires = "diff", help_heading = "Output")]
    force: bool,

    /// Print nothing but errors; the exit code is the verdict
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Decoder whose rounding to use for textures
    #[arg(long, value_name = "NAME", default_value = "exact", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: RoundingRule,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Compares what the command line names.
///
/// # Errors
/// [`Failure`] if a file cannot be read, the sizes differ, or the differences cannot be written.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let (a, b) = (Input::of(&args.a), Input::of(&args.b));
    if a == Input::Stdin && b == Input::Stdin {
        return Err(Failure::usage("only one of the two can be standard input"));
    }
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let diff = args.diff.as_ref().map(|path| match Input::of(path) {
        Input::Stdin => Output::Stdout,
        Input::File(path) => Output::File(path),
    });
    if let Some(diff) = &diff {
        diff.check_png()?;
        let ids: Vec<_> = [a.id(), b.id()].into_iter().flatten().collect();
        diff.check(existing, &ids)?;
    }
    args.machine.start_threads()?;

    let loaded = [args.load(&a)?, args.load(&b)?];
    if loaded[0].color_space != loaded[1].color_space && !args.quiet {
        let [a, b] = loaded.each_ref().map(|side| color_space_name(side.color_space));
        report::note(&format!("the colour spaces differ ({a} and {b}); the stored numbers are compared"));
    }
    let [left, right] = &loaded;
    let (left_image, right_image) = (left.view()?, right.view()?);
    let metrics = metrics::compare(&*left_image, &*right_image, &Task::new())
        .map_err(|error| Failure::from(error).of(format!("{}, {}", a.name(), b.name())))?;
    let is_asked_for = args.fail_under.iter().any(|threshold| threshold.measure == Measure::PsnrVisible);
    let visible = (is_asked_for || loaded.iter().any(|side| side.is_punched))
        .then(|| metrics::compare_visible(&*left_image, &*right_image, args.alpha_threshold, &Task::new()))
        .transpose()?;
    if let Some(diff) = &diff {
        let picture = metrics::difference(&*left_image, &*right_image, args.scale, &Task::new())?;
        output::write(diff, existing, |writer| {
            let picture = PngTexels::Rgb8(&picture);
            Ok(write_png(writer, left.width, left.height, picture, ColorSpace::Srgb, &Task::new())?)
        })?;
    }

    let failures = args.failures(&metrics, visible.as_ref());
    let exit = if failures.is_empty() { Exit::Ok } else { Exit::Differs };
    let to_stderr = diff == Some(Output::Stdout);
    if args.json {
        let report = CompareReport {
            command: "compare",
            a: side(&a, &loaded[0]),
            b: side(&b, &loaded[1]),
            decoder: args.decoder.name(),
            metrics: MetricsReport::new(&metrics),
            visible_metrics: visible.as_ref().map(MetricsReport::new),
            failures: failures.clone(),
        };
        json::print(&report, to_stderr)?;
    } else if !args.quiet {
        let (a, b) = (printable(&a.name()), printable(&b.name()));
        let head = format!("{a} ↔ {b}  {}×{}\n", left.width, left.height);
        let visible = visible.map_or_else(String::new, |visible| visible_text(&metrics, &visible));
        output::print(&(head + &text(&metrics) + &visible), to_stderr)?;
    }
    for failure in failures {
        report::complain(&Failure::new(exit, failure).of(b.name()));
    }
    Ok(exit)
}

/// One side, as texels.
struct Loaded {
    width: u32,
    height: u32,
    texels: Texels,
    color_space: ColorSpace,
    /// Whether alpha is one bit of BC1.
    is_punched: bool,
    /// For JSON: `png`, `bc1`, …
    format: String,
}

impl Loaded {
    fn view(&self) -> Result<Box<dyn Image + '_>, ImageError> {
        self.texels.view(self.width, self.height)
    }
}

impl Args {
    fn load(&self, input: &Input) -> Result<Loaded, Failure> {
        let max_memory = self.machine.max_memory;
        let texture = match input::read_any(input, max_memory)? {
            AnyImage::Texture(texture) => texture,
            AnyImage::Picture(picture) => {
                return Ok(Loaded {
                    width: picture.width,
                    height: picture.height,
                    color_space: picture.color_space,
                    format: picture.file_format.name().to_lowercase(),
                    texels: picture.texels,
                    is_punched: false,
                });
            }
        };
        let desc = *texture.desc();
        let stored = desc.format.channels();
        if stored.len() < 3 && !self.quiet {
            let what =
                if stored == "R" { "red is stored: see R" } else { "red and green are stored: see R and G" };
            report::note(&format!("{}: only {what}", input.name()));
        }
        if desc.data_bytes() > desc.format.image_bytes(desc.width, desc.height) && !self.quiet {
            report::note(&format!("{}: only the first image of the texture is compared", input.name()));
        }
        let options = DecodeOptions::new()
            .with_rounding_rule(self.decoder)
            .with_max_memory(max_memory)
            .with_channel_type(ChannelType::U8);
        let image = texture
            .decode(ImageIndex::default(), &options, &Task::new())
            .map_err(|error| Failure::from(error).of(input.name()))?;
        Ok(Loaded {
            width: image.width(),
            height: image.height(),
            texels: Texels::Rgba8(image.into_texels().into_rgba8().expect("8 bits were asked for")),
            color_space: desc.color_space,
            is_punched: desc.format == BlockFormat::Bc1 && desc.alpha_mode != AlphaMode::Opaque,
            format: desc.format.name().to_owned(),
        })
    }

    /// What the verdict options object to.
    fn failures(&self, metrics: &Metrics, visible: Option<&Metrics>) -> Vec<String> {
        let mut failures = Vec::new();
        if self.exact && metrics.max_error != [0; 4] {
            let most = metrics.max_error.into_iter().max().unwrap_or(0);
            failures.push(format!("differs by up to {most}"));
        }
        for Threshold { measure, name, least } in &self.fail_under {
            let value = match measure {
                Measure::PsnrRgb => Some(metrics.psnr_rgb()),
                Measure::PsnrRgba => Some(metrics.psnr_rgba()),
                Measure::PsnrLuma => Some(metrics.psnr_luma()),
                Measure::PsnrChannel(channel) => Some(metrics.psnr_channel(usize::from(*channel))),
                Measure::PsnrVisible => {
                    visible.filter(|visible| visible.texel_count > 0).map(Metrics::psnr_rgb)
                }
                Measure::Ssim => metrics.ssim,
            };
            match value {
                Some(value) if value >= *least => {}
                Some(value) => failures.push(format!("{name} is {value:.4}, less than {least}")),
                None if *measure == Measure::PsnrVisible => {
                    failures.push(format!("{name} is not defined: no texel is visible"));
                }
                None => failures.push(format!("{name} is not defined for images this small")),
            }
        }
        failures
    }
}

/// The measures as a small table.
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
    if metrics.max_error == [0; 4] {
        text += "every texel is equal\n";
    }
    text
}

/// The measures over visible texels, in a line.
fn visible_text(all: &Metrics, visible: &Metrics) -> String {
    let hidden = all.texel_count - visible.texel_count;
    let percent = hidden as f64 * 100.0 / all.texel_count as f64;
    let hidden = counted(hidden, "transparent texel");
    if visible.texel_count == 0 {
        return format!("visible  no texel; {hidden}\n");
    }
    format!("visible  PSNR {} RGB, without {hidden} ({percent:.1} %)\n", Decibels(visible.psnr_rgb()))
}

fn side(input: &Input, loaded: &Loaded) -> ComparedImage {
    ComparedImage {
        file: input.name(),
        format: loaded.format.clone(),
        width: loaded.width,
        height: loaded.height,
        color_space: color_space_name(loaded.color_space),
    }
}

//! `brickwork report`: an HTML page that compares textures with their original.

use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    json,
    machine::MachineArgs,
    output::{self, Existing, Output},
    reading::ReadArgs,
    report::{self, Bytes, Decibels, printable, with_stages},
    values::{self, decoder_parser, tone_curve_parser},
};
use brickwork_texture::{RoundingRule, Task, ToneCurve, ToneMap};
use brickwork_toolkit::{
    report::HtmlReport,
    texture::{CompareOptions, EncodingRecords, HtmlReportError, HtmlReportOptions, write_html_report},
};
use std::{env, path::PathBuf};

/// Make an HTML page that compares textures with their original
///
/// The page is one file that needs no network. It shows the original and a texture with a slider between
/// them, zoom, a heat map of the error and the mip levels; a table of figures: size, bits per texel, PSNR,
/// SSIM, largest error; and the command line. Textures may be DDS, KTX2 or images. All must have the size of
/// the original, else the exit code is 7. Figures and notes are those of compare.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork report photo.png photo.dds -o report.html
  brickwork report photo.png photo.dds photo.ktx2 -o report.html    several textures of one original
  brickwork encode rock.png -f bc7 --mips --json > rock.json
  brickwork report rock.png rock.dds -o rock.html --encode-report rock.json   with time and quality")]
pub struct Args {
    /// The original: image, DDS or KTX2
    #[arg(value_name = "ORIGINAL")]
    original: PathBuf,

    /// Textures or images to compare with it
    #[arg(required = true, value_name = "TEXTURE")]
    textures: Vec<PathBuf>,

    /// Page to write, or - for standard output
    #[arg(short, long, required = true, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    /// Reduce pictures until the page has at most SIZE bytes; the figures remain those of all texels
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = values::memory_size,
        help_heading = "Output")]
    max_page_size: u64,

    /// Report of encode --json, for the encoder's quality and time; may be repeated
    ///
    /// It is used for textures whose name, format and size are those that encode wrote. Files that were up to
    /// date are not in the report.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    encode_report: Vec<PathBuf>,

    /// Replace an existing page
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Print only errors
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Decoder whose rounding is used for textures; real and exact differ for BC4 and BC5 alone
    #[arg(long, value_name = "NAME", default_value = "real", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: RoundingRule,

    /// Stops by which the light of half floats is multiplied before the tone map
    #[arg(long, value_name = "EV", default_value_t = 0.0, allow_hyphen_values = true,
        value_parser = values::exposure, help_heading = "Half floats in pictures")]
    exposure: f32,

    /// Curve from light to displayed values: clamp; reinhard is x / (1 + x); aces-like resembles ACES
    #[arg(long, value_name = "NAME", default_value = "clamp", value_parser = tone_curve_parser(),
        help_heading = "Half floats in pictures")]
    tone_map: ToneCurve,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Compares the files that the command line names, and writes the page.
///
/// # Errors
/// [`Failure`] if a file cannot be read, the sizes differ, or the page cannot be written.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let original = Input::of(&args.original);
    let textures: Vec<_> = args.textures.iter().map(|path| Input::of(path)).collect();
    let from_stdin = [&original].into_iter().chain(&textures).filter(|input| **input == Input::Stdin);
    if from_stdin.count() > 1 {
        return Err(Failure::usage("only one of the files can be standard input"));
    }
    let output = Output::of(&args.output);
    if !matches!(output, Output::Stdout) && !["html", "htm"].iter().any(|name| output.has_extension(name)) {
        let failure = Failure::usage("the page is HTML").of(output.name());
        return Err(failure.hint("use the extension .html"));
    }
    args.machine.start_threads()?;
    let mut encodings = EncodingRecords::new();
    for path in &args.encode_report {
        encodings.add_file(&Input::of(path), &Task::new()).map_err(failure)?;
    }
    let compare = CompareOptions::new()
        .with_rounding_rule(args.decoder)
        .with_tone_map(ToneMap::new().with_exposure(args.exposure).with_curve(args.tone_map))
        .with_dds_ten_bit_masks(args.reading.dds_ten_bit_masks());
    let options = HtmlReportOptions::new()
        .with_compare_options(compare)
        .with_command(Some(command_line()))
        .with_max_page_bytes(args.max_page_size)
        .with_encodings(encodings);
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let report = with_stages(&original.name(), args.quiet, |task| {
        write_html_report(&original, &textures, &output, &options, existing, args.machine.max_memory, task)
    });
    let report = report.map_err(failure)?;
    let to_stderr = output == Output::Stdout;
    if args.json {
        json::print(&report, to_stderr)?;
    } else if !args.quiet {
        report.notes.iter().for_each(|note| report::note(note));
        output::print(&text(&report), to_stderr)?;
    }
    Ok(Exit::Ok)
}

fn failure(error: HtmlReportError) -> Failure {
    match error {
        HtmlReportError::Texture(error) => error.into(),
        HtmlReportError::PageSize { .. } => {
            Failure::usage(error).hint("raise it with --max-page-size, or compare fewer textures")
        }
        HtmlReportError::NoEncodeReport { .. } => Failure::new(Exit::Invalid, error),
        error => Failure::usage(error),
    }
}

/// Returns a line for each texture, and one for the page.
fn text(report: &HtmlReport) -> String {
    let mut text = String::new();
    for texture in &report.textures {
        let psnr = Decibels(texture.metrics.psnr.rgb.unwrap_or(f64::INFINITY));
        let (file, format) = (printable(&texture.image.file), &texture.image.format);
        let bytes = texture.file_bytes.map_or_else(String::new, |bytes| format!("  {}", Bytes(bytes)));
        // Without a number, alpha is equal.
        let alpha = texture.metrics.psnr.a.map(|alpha| format!(" RGB · alpha {}", Decibels(alpha)));
        text += &format!("{file}  {format}{bytes}  PSNR {psnr}{}\n", alpha.unwrap_or_default());
    }
    let reduced = match report.reduction {
        1 => String::new(),
        factor => format!("  pictures reduced to 1/{factor}"),
    };
    let (original, output) = (printable(&report.original.file), printable(&report.output));
    text + &format!("{original} → {output}  {}{reduced}\n", Bytes(report.file_bytes))
}

/// Returns the command line as a POSIX shell reads it.
pub(super) fn command_line() -> String {
    let quoted = |argument: std::ffi::OsString| {
        let text = argument.to_string_lossy().into_owned();
        let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+%@".contains(c);
        if !text.is_empty() && text.chars().all(is_plain) {
            return text;
        }
        format!("'{}'", text.replace('\'', "'\\''"))
    };
    let arguments = env::args_os().skip(1).map(quoted);
    ["brickwork".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

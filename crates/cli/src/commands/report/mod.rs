//! `brickwork report`: an HTML page that compares textures with their original, or the files of two folders.

mod folders;
pub mod html;

use crate::{
    commands::{
        compare::{CompareOptions, Measure, MeasureLimit, lower_limit, upper_limit},
        report::html::{EncodingRecords, HtmlReportError, HtmlReportOptions, write_html_report},
    },
    exit::Exit,
    failure::Failure,
    folder_pairs::are_folders,
    input::Input,
    json,
    machine::MachineArgs,
    output::{self, Existing, Output},
    reading::ReadArgs,
    report::{self, Bytes, Decibels, HtmlReport, HtmlReportTexture, printable, with_stages},
    tone_map::ToneMapArgs,
    values::{self, decoder_parser},
};
use brickwork_texture::{RoundingRule, Task};
use brickwork_toolkit::texture::Pattern;
use std::{env, path::PathBuf};

/// Make an HTML page that compares textures with their original, or two folders
///
/// The page is one file that needs no network. It shows the original and a texture with a slider between
/// them, zoom, a heat map of the error and the mip levels; a table of figures: size, bits per texel, PSNR,
/// SSIM, largest error; and the command line. Textures may be DDS, KTX2 or images. All must have the size of
/// the original, else the exit code is 7. Figures and notes are those of compare.
///
/// Files of two folders are paired as compare does it: by their paths without the extension. The page starts
/// with a table of all pairs, which can be sorted. The pair with the lowest PSNR comes first: the psnr of
/// compare, which is that of alpha if it is lower than that of colours. Each row has a thumbnail of the
/// original, and leads to the pictures of its pair. Files without a partner are listed. So are pairs that
/// cannot be compared; the exit code is that of the first one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork report photo.png photo.dds -o report.html
  brickwork report photo.png photo.dds photo.ktx2 -o report.html    several textures of one original
  brickwork encode rock.png -f bc7 --mips --json > rock.json
  brickwork report rock.png rock.dds -o rock.html --encode-report rock.json   with time and quality
  brickwork report art/ out/ -r -o report.html                      all pairs of two folders
  brickwork report textures/ out/ -r --rules rules.toml -o report.html")]
pub struct Args {
    /// The original: image, DDS, KTX2 or .astc; or the folder of the originals
    #[arg(value_name = "ORIGINAL")]
    original: PathBuf,

    /// Textures or images to compare with it; or one folder of them
    #[arg(required = true, value_name = "TEXTURE")]
    textures: Vec<PathBuf>,

    /// Also search the subfolders of folders
    #[arg(short, long, help_heading = "Input")]
    recursive: bool,

    /// Compare the textures that `encode` made with this rule file, as compare does: each with the image as
    /// it was encoded
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    rules: Option<PathBuf>,

    /// Compare the textures of this target of encode, with its formats if the command line of encode stated
    /// them; may be repeated [default: all targets of --rules]. Without --rules, the rules are those of
    /// brickwork.toml in the folder of the originals, if it exists
    #[arg(long, value_name = "NAME[=FAMILY|FORMAT]", help_heading = "Input")]
    target: Vec<String>,

    /// Leave out files that match, such as sky/** or *_draft.*; patterns are those of rule files; may be
    /// repeated
    #[arg(long, value_name = "GLOB", value_parser = Pattern::parse, help_heading = "Input")]
    exclude: Vec<Pattern>,

    /// Page to write, or - for standard output
    #[arg(short, long, required = true, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    /// Reduce pictures until the page has at most SIZE bytes; the figures remain those of all texels
    ///
    /// With folders, the pairs share the space. Space that small pairs do not need goes to the others, the
    /// worst first. If not even the smallest pictures of all pairs fit, the last pairs of the table have a
    /// row but no pictures.
    ///
    /// [default: 64MiB; with folders 768KiB for each pair, from 8MiB to 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = values::memory_size, help_heading = "Output")]
    max_page_size: Option<u64>,

    /// Report of encode --json, for the encoder's quality and time; may be repeated
    ///
    /// It is used for textures whose name, format and size are those that encode wrote. It has nothing about
    /// files that --update found up to date.
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

    /// Decoder whose rounding is used for textures; real and exact differ for BC4 and BC5 alone [default:
    /// that of --rules, else real]
    #[arg(long, value_name = "NAME", value_parser = decoder_parser(), help_heading = "Blocks")]
    decoder: Option<RoundingRule>,

    /// Exit with 7 if a measure of a texture is below a value, as compare does; may be repeated
    ///
    /// The page states pass or fail. A limit does not apply to textures without its measure; it is a failure
    /// if no texture has it.
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = lower_limit, help_heading = "Verdict")]
    fail_under: Vec<MeasureLimit>,

    /// Exit with 7 if a measure is above a value: flip, max-error or angle; may be repeated
    #[arg(long, value_name = "MEASURE=VALUE", value_parser = upper_limit, help_heading = "Verdict")]
    fail_over: Vec<MeasureLimit>,

    #[command(flatten)]
    tone: ToneMapArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Compares the files or folders that the command line names, and writes the page.
///
/// # Errors
/// [`Failure`] if a file cannot be read, the sizes differ, or the page cannot be written. In folders, all but
/// the last are failures of a pair.
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
    if let [textures] = &args.textures[..] {
        if are_folders([&args.original, textures])? {
            return folders::run(args, [&args.original, textures], &output);
        }
    } else if let Some(folder) = [&args.original].into_iter().chain(&args.textures).find(|path| path.is_dir())
    {
        let failure = Failure::usage("is a folder, and several textures need one original").of_path(folder);
        return Err(failure.hint("two folders are compared in pairs: report FOLDER FOLDER"));
    }
    let of_folders = [
        ("--rules", args.rules.is_some()),
        ("--target", !args.target.is_empty()),
        ("--exclude", !args.exclude.is_empty()),
    ];
    if let Some((option, _)) = of_folders.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage(format!("{option} is for two folders")));
    }
    args.machine.start_threads()?;
    let options = args.options(HtmlReportOptions::MAX_PAGE_BYTES)?;
    let report = with_stages(&original.name(), args.quiet, |task| {
        write_html_report(
            &original,
            &textures,
            &output,
            &options,
            args.existing(),
            args.machine.max_memory,
            task,
        )
    });
    let report = report.map_err(failure)?;
    let to_stderr = output == Output::Stdout;
    if args.json {
        json::print(&report, to_stderr)?;
    } else if !args.quiet {
        report.notes.iter().for_each(|note| report::note(note));
        output::print(&text(&report), to_stderr)?;
    }
    Ok(fail(&report.failures))
}

/// Reports violated limits, and returns the exit code.
fn fail(failures: &[String]) -> Exit {
    failures.iter().for_each(|failure| report::complain(&Failure::new(Exit::Differs, failure)));
    if failures.is_empty() { Exit::Ok } else { Exit::Differs }
}

impl Args {
    fn existing(&self) -> Existing {
        output::existing(self.force)
    }

    /// Returns the options of the page, for which reports of `encode` are read. `max_page_bytes` is the
    /// default limit of its size.
    fn options(&self, max_page_bytes: u64) -> Result<HtmlReportOptions, Failure> {
        let mut encodings = EncodingRecords::new();
        for path in &self.encode_report {
            encodings.add_file(&Input::of(path), &Task::new()).map_err(failure)?;
        }
        let limits: Vec<_> = self.fail_under.iter().chain(&self.fail_over).copied().collect();
        let needs = |measure| limits.iter().any(|limit: &MeasureLimit| limit.measure == measure);
        let compare = CompareOptions {
            visible: needs(Measure::PsnrVisible),
            flip: needs(Measure::Flip),
            rounding_rule: self.decoder,
            tone_map: self.tone.tone_map(),
            reading: self.reading.options(),
            ..CompareOptions::default()
        };
        Ok(HtmlReportOptions {
            compare,
            limits,
            command: Some(command_line()),
            max_page_bytes: self.max_page_size.unwrap_or(max_page_bytes),
            encodings,
        })
    }
}

fn failure(error: HtmlReportError) -> Failure {
    match error {
        HtmlReportError::Texture(error) => error.into(),
        HtmlReportError::PageSize { .. } => {
            Failure::usage(error).hint("raise it with --max-page-size, or compare fewer textures")
        }
        HtmlReportError::TableSize { .. } => {
            Failure::usage(error).hint("raise it with --max-page-size, or compare fewer files")
        }
        HtmlReportError::NoEncodeReport { .. } => Failure::new(Exit::Invalid, error),
        error => Failure::usage(error),
    }
}

/// Returns a line for each texture, and one for the page.
fn text(report: &HtmlReport) -> String {
    let text: String = report.textures.iter().map(line).collect();
    let reduced = match report.reduction {
        1 => String::new(),
        factor => format!("  pictures reduced to 1/{factor}"),
    };
    let (original, output) = (printable(&report.original.file), printable(&report.output));
    text + &format!("{original} → {output}  {}{reduced}\n", Bytes(report.file_bytes))
}

/// Returns the line of a texture.
fn line(texture: &HtmlReportTexture) -> String {
    let visible = texture.visible_metrics.as_ref().filter(|visible| visible.texel_count > 0);
    let colors = visible.unwrap_or(&texture.metrics).psnr.rgb;
    let colors = Decibels(colors.unwrap_or(f64::INFINITY));
    let (file, format) = (printable(&texture.image.file), &texture.image.format);
    let bytes = texture.file_bytes.map_or_else(String::new, |bytes| format!("  {}", Bytes(bytes)));
    // Without a number, alpha is equal.
    let alpha = texture.metrics.psnr.a;
    let subject = match (visible, alpha) {
        (Some(_), _) => " RGB of visible texels",
        (None, Some(_)) => " RGB",
        (None, None) => "",
    };
    let alpha = alpha.map_or_else(String::new, |alpha| format!(" · alpha {}", Decibels(alpha)));
    format!("{file}  {format}{bytes}  PSNR {colors}{subject}{alpha}\n")
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

//! `brickwork convert`: changes of textures without encoding.
//!
//! Changes of textures without encoding: container, header, mip levels, colour space, swizzle, Zstandard. The
//! blocks or plain texels stay the same.

mod file;
mod note;
mod options;

use crate::{
    batch::{find, plan},
    exit::Exit,
    failure::Failure,
    input::texture_extensions,
    jobs::{self, BatchArgs, Outcome},
    machine::MachineArgs,
    report::{Bytes, TextureConvertReport, counted, printable, with_stages},
    values,
};
use brickwork_texture::{
    ColorSpace, Swizzle, Task, TextureError,
    container::{ContainerFormat, DdsHeader},
};
use brickwork_toolkit::texture::{OptionsError, TextureJobError};
use clap::builder::{PossibleValuesParser, TypedValueParser};
pub use file::header_of;
pub use file::{ConvertedFile, convert_file};
pub use note::ConvertNote;
pub use note::{note_of_size, notes_of, states_color_space};
pub use options::{Supercompression, TextureConvertOptions};
use std::path::PathBuf;

/// Change DDS, KTX2 and .astc textures without encoding them again
///
/// The blocks or plain texels stay the same. The extension of -o decides the container: .dds, .ktx2 or .astc.
/// Without -o, photo.dds becomes photo.ktx2 beside it. Options change properties; all others are kept,
/// including the keys of KTX2. A property that the new file cannot state is an error or a note.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork convert photo.dds                          photo.ktx2 beside it
  brickwork convert rock.ktx2 -o rock.dds              the same blocks as DDS
  brickwork convert textures/ -o out/ --zstd           every texture of a folder, compressed again
  brickwork convert rock.ktx2 -o half.ktx2 --drop-levels 1   without the largest mip level
  brickwork convert rock.ktx2 -o flat.ktx2 --levels 1  without mip levels
  brickwork convert photo.dds -o new.dds --assign-oetf linear
  brickwork convert photo.dds -o dx9.dds --legacy      for old readers")]
pub struct Args {
    /// Textures, folders of textures, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// File to write, folder for several (existing, or ending in /), or - for standard output
    #[arg(short, long, value_name = "FILE|DIR/", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Container if no file name decides it: in a folder, beside the input, on stdout [default: ktx2]
    #[arg(long, value_name = "NAME", value_parser = values::container_parser(), help_heading = "Output")]
    container: Option<ContainerFormat>,

    /// DDS: write the Direct3D 10 header [default: the header of a DDS input, else only if needed]
    #[arg(long, conflicts_with = "legacy", help_heading = "Output")]
    dx10: bool,

    /// DDS: write the Direct3D 9 header; formats and arrays that it cannot state are refused
    #[arg(long, help_heading = "Output")]
    legacy: bool,

    /// KTX2: compress with Zstandard, level 1 to 22 [default: 9 if the input is compressed, else none]
    #[arg(
        long,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "9",
        value_parser = clap::value_parser!(i32).range(1..=22),
        help_heading = "Output"
    )]
    zstd: Option<i32>,

    /// KTX2: do not compress with Zstandard, even if the input is compressed
    #[arg(long, conflicts_with = "zstd", help_heading = "Output")]
    no_zstd: bool,

    #[command(flatten)]
    batch: BatchArgs,

    /// Leave out the N largest mip levels
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Changes")]
    drop_levels: u32,

    /// Keep N mip levels, from the largest that is not left out [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Changes")]
    levels: Option<u32>,

    /// State this colour space; the stored numbers stay the same [default: that of the input]
    #[arg(long, alias = "assign-tf", value_name = "NAME", value_parser = color_space_parser(),
        help_heading = "Changes")]
    assign_oetf: Option<ColorSpace>,

    /// BC4, BC5 and other formats of one or two channels in KTX2: state the sources of red, green, blue and
    /// alpha, such as rrr1 for grey
    ///
    /// This writes the key KTXswizzle, which readers apply. The texels stay the same. encode --swizzle is
    /// different: it moves the channels of an image before it is encoded, for every format.
    #[arg(long, value_name = "RGBA", value_parser = values::swizzle, help_heading = "Changes")]
    swizzle: Option<Swizzle>,

    #[command(flatten)]
    machine: MachineArgs,
}

fn color_space_parser() -> impl TypedValueParser<Value = ColorSpace> {
    PossibleValuesParser::new(["srgb", "linear"])
        .map(|name| if name == "srgb" { ColorSpace::Srgb } else { ColorSpace::Linear })
}

/// Converts the textures that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be done at all. A file's own failure is reported and determines the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    let options = args.options();
    let inputs = find(&args.inputs, &texture_extensions(), args.batch.recursive, &Task::new())?;
    let container = args.container.unwrap_or(ContainerFormat::Ktx2);
    let jobs = plan(inputs, args.output.as_deref(), container.extension(), &Task::new())?;
    for job in jobs.iter().flatten() {
        let checked = options.container_options().container_of(job.output.path());
        checked.map_err(|error| {
            let is_named = matches!(error, OptionsError::OfContainer { .. });
            let failure = of_options(&error);
            if is_named { failure } else { failure.of(job.output.name()) }
        })?;
    }
    let recipe = format!("{options:?}");
    jobs::run("convert", &recipe, &args.batch, &args.machine, &jobs, |turn| {
        let hidden = args.batch.quiet || !turn.is_alone;
        let written = with_stages(&turn.job.name(), hidden, |task| convert_file(&options, turn, task));
        let written = written.map_err(|error| match error {
            TextureJobError::Options { file, error } => of_options(&error).of(file),
            error => error.into(),
        })?;
        let name = turn.job.name();
        let notes = written.result.notes.iter().map(|note| format!("{name}: {note}{}", hint(note))).collect();
        Ok(Converted { file: written.result, notes, bytes: written.input_bytes })
    })
}

impl Args {
    fn options(&self) -> TextureConvertOptions {
        let header = match (self.dx10, self.legacy) {
            (true, _) => Some(DdsHeader::Dx10),
            (_, true) => Some(DdsHeader::Legacy),
            _ => None,
        };
        let supercompression = match (self.zstd, self.no_zstd) {
            (Some(level), _) => Supercompression::Zstd(level),
            (None, true) => Supercompression::Off,
            (None, false) => Supercompression::AsInput,
        };
        TextureConvertOptions {
            container: self.container,
            dropped_levels: self.drop_levels,
            mip_levels: self.levels,
            color_space: self.assign_oetf,
            swizzle: self.swizzle,
            dds_header: header,
            supercompression,
        }
    }
}

/// Returns the failure of options that do not fit, in terms of the command line.
fn of_options(error: &OptionsError) -> Failure {
    match error {
        OptionsError::OfContainer { .. } => Failure::usage(format!("--{error}")),
        OptionsError::Texture(TextureError::NoSrgb { .. }) => {
            Failure::usage(error).hint("leave out --assign-oetf")
        }
        OptionsError::SwizzleOfFormat { .. } => Failure::usage(error).hint("leave out --swizzle"),
        OptionsError::SwizzleOfDds { .. } => {
            Failure::new(Exit::Unsupported, error).hint("--swizzle rgba leaves it out")
        }
        OptionsError::NoContainer { .. } => {
            Failure::usage(error).hint("use .dds, .ktx2 or .astc, or --container")
        }
        _ => Failure::usage(error),
    }
}

/// Returns a note about a texture that another command wrote.
pub fn note_text(note: &ConvertNote) -> String {
    match note {
        ConvertNote::UnknownColorSpace => format!("{note}; convert --assign-oetf srgb states sRGB"),
        note => note.to_string(),
    }
}

/// Returns the option that a note suggests.
fn hint(note: &ConvertNote) -> &'static str {
    match note {
        ConvertNote::UnknownColorSpace => "; --assign-oetf srgb states sRGB",
        ConvertNote::LostColorSpace(ContainerFormat::Dds)
        | ConvertNote::LostAlphaMode(ContainerFormat::Dds, _) => "; --dx10 does",
        _ => "",
    }
}

/// Result of one texture.
struct Converted {
    file: ConvertedFile,
    notes: Vec<String>,
    /// Bytes of the input's blocks or texels.
    bytes: u64,
}

impl Outcome for Converted {
    type Report = TextureConvertReport;

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn byte_counts(&self) -> [u64; 2] {
        [self.bytes, self.file.report.file_bytes]
    }

    fn into_report(self) -> TextureConvertReport {
        self.file.report
    }

    fn text(&self) -> String {
        let TextureConvertReport { format, width, height, color_space, .. } = self.file.report;
        let report = &self.file.report;
        let (input, output) = (printable(&report.input), printable(&report.output));
        let depth = if report.dimensions == "3d" { format!("×{}", report.depth) } else { String::new() };
        let kind = if report.dimensions == "cube" { " cube" } else { "" };
        let layers = if report.layers > 1 { format!(", {} layers", report.layers) } else { String::new() };
        let levels = counted(report.levels, "level");
        let zstd = report.zstd.map_or_else(String::new, |level| format!(", Zstandard {level}"));
        let container = report.container.to_uppercase();
        let bytes = Bytes(report.file_bytes);
        format!(
            "{input} → {output}  {width}×{height}{depth}{kind}{layers}, {levels}  {format} {color_space}  \
             {container}{zstd} {bytes}\n"
        )
    }
}

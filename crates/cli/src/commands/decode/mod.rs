//! `brickwork decode`: DDS, KTX2 and `.astc` to PNG and EXR.

mod file;
mod image;
mod options;
pub mod plain;
mod png_image;
mod strip;

use crate::{
    batch::{Output, Turn, find, plan},
    exit::Exit,
    failure::Failure,
    input::texture_extensions,
    jobs::{self, BatchArgs, Outcome},
    machine::MachineArgs,
    reading::ReadArgs,
    report::{self, Bytes, TextureDecodeReport, counted, printable, with_stages},
    selection::{self, Selection},
    tone_map::ToneMapArgs,
    values::{self, decoder_parser},
};
use brickwork_texture::{ImageIndex, RoundingRule, Task};
pub use file::{DecodedFile, decode_file};
pub use image::{DecodedPicture, decode_image};
pub use options::TextureDecodeOptions;
pub use options::as_displayed;
use std::path::PathBuf;

/// Decompress DDS, KTX2 and .astc textures to PNG or EXR images
///
/// Without -o, photo.dds becomes photo.png beside it. The PNG has alpha if any texel is not opaque; BC4
/// becomes grey, BC5 red and green. Textures in plain formats become PNGs of 8 or 16 bits.
///
/// BC6H and other formats of floats become EXR files of half floats if the output's extension is .exr. In a
/// PNG they are 8-bit sRGB by a tone map.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork decode photo.dds                      photo.png beside it
  brickwork decode rock.ktx2 --level 2 -o small.png
  brickwork decode rock.ktx2 --level all -o levels.png   every mip level in one picture
  brickwork decode sky.dds --face +y -o top.png   one face of a cube
  brickwork decode light.ktx2 -o light.exr        half floats of BC6H
  brickwork decode light.ktx2 --exposure -1 --tone-map reinhard
  brickwork decode normals.dds --restore-z        a BC5 normal map with z in blue
  brickwork decode out/ -o back/                  every texture of a folder
  brickwork decode photo.dds -o - | magick - -resize 50% small.jpg")]
pub struct Args {
    /// Textures, folders of textures, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// PNG or EXR to write, folder for several (existing, or ending in /), or - for standard output
    #[arg(short, long, value_name = "FILE|DIR/", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    batch: BatchArgs,

    /// Mip level; 0 is the largest. all: one PNG with level 0 and the others in a column beside it
    /// (extract --level all writes a file for each)
    #[arg(long, value_name = "N|all", default_value = "0", value_parser = selection::number,
        help_heading = "Image selection")]
    level: Selection,

    /// Layer of an array
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Image selection")]
    layer: u32,

    /// Face of a cube: 0 to 5; +x, -x, +y, -y, +z, -z; or a name as in files, such as px, posx, right or rt
    #[arg(long, value_name = "FACE", default_value = "0", value_parser = values::face,
        allow_hyphen_values = true, help_heading = "Image selection")]
    face: u32,

    /// Slice of a 3D texture
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Image selection")]
    slice: u32,

    /// Decoder whose rounding is used
    #[arg(long, value_name = "NAME", default_value = "real", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: RoundingRule,

    /// BC5: fill blue with z of the normal, computed from x and y
    #[arg(long, help_heading = "Blocks")]
    restore_z: bool,

    #[command(flatten)]
    tone: ToneMapArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Decodes the textures that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be done at all. A file's own failure is reported and determines the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let inputs = find(&args.inputs, &texture_extensions(), args.batch.recursive, &Task::new())?;
    let jobs = plan(inputs, args.output.as_deref(), "png", &Task::new())?;
    for job in jobs.iter().flatten() {
        job.output.check_picture_name()?;
    }
    args.machine.start_threads()?;
    let all_levels = args.level == Selection::Each;
    let is_exr = |output: &Output| output.has_extension("exr");
    if let Some(job) = jobs.iter().flatten().find(|job| all_levels && is_exr(&job.output)) {
        return Err(Failure::usage("all mip levels become a PNG, not an EXR file").of(job.output.name()));
    }
    let mip_level = if let Selection::One(level) = args.level { level } else { 0 };
    let index = ImageIndex { layer: args.layer, face: args.face, mip_level, slice: args.slice };
    let tone_map = args.tone.tone_map();
    let options = TextureDecodeOptions {
        index,
        all_levels,
        rounding_rule: args.decoder,
        tone_map,
        restored_z: args.restore_z,
        reading: args.reading.options(),
        ..TextureDecodeOptions::default()
    };
    jobs::run("decode", &format!("{options:?}"), &args.batch, &args.machine, &jobs, |turn| {
        args.decode(&options, turn)
    })
}

impl Args {
    fn decode(&self, options: &TextureDecodeOptions, turn: &Turn<'_>) -> Result<Decoded, Failure> {
        let name = turn.job.name();
        let hidden = self.batch.quiet || !turn.is_alone;
        let written = with_stages(&name, hidden, |task| decode_file(options, turn, task))?;
        let (file, bytes) = (written.result, written.input_bytes);
        let times = [file.read_time, file.decode_time, file.write_time];
        let [read, decoded, written] = times.map(|time| format!("{:.3} s", time.as_secs_f64()));
        report::detail(&format!("{name}: read in {read}, decoded in {decoded}, written in {written}"));
        let part = file.part.as_ref().map(|part| format!("{name}: only {part} is decoded"));
        let faults = file.notes.iter().map(|note| format!("{name}: {note}"));
        let notes = part.into_iter().chain(faults).collect();
        Ok(Decoded { file, bytes, notes })
    }
}

/// Result of one texture.
struct Decoded {
    file: DecodedFile,
    /// Bytes of the blocks, or of the texels.
    bytes: u64,
    notes: Vec<String>,
}

impl Outcome for Decoded {
    type Report = TextureDecodeReport;

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn byte_counts(&self) -> [u64; 2] {
        [self.bytes, self.file.report.file_bytes]
    }

    fn into_report(self) -> TextureDecodeReport {
        self.file.report
    }

    fn text(&self) -> String {
        let DecodedFile { report, channels, has_blocks, .. } = &self.file;
        let TextureDecodeReport { format, color_space, decoder, width, height, level, levels, .. } = report;
        let (input, output) = (printable(&report.input), printable(&report.output));
        let level = match level {
            None => format!("  {}", counted(levels, "level")),
            Some(level) if *levels > 1 => format!("  level {level} of {levels}"),
            Some(_) => String::new(),
        };
        let bytes = Bytes(report.file_bytes);
        let decoder = if *has_blocks { format!(" ({decoder} decoder)") } else { String::new() };
        format!(
            "{input} → {output}  {width}×{height}{level}  {format} {color_space}{decoder} → {channels} \
             {bytes}\n"
        )
    }
}

//! `brickwork extract`: images of a texture as files.
//!
//! Images and parts of a texture as separate files: pictures, textures with the same blocks, or raw blocks.

mod options;
mod run;
mod selected;

use crate::{
    batch::is_folder,
    commands::decode::TextureDecodeOptions,
    exit::Exit,
    failure::Failure,
    json,
    machine::MachineArgs,
    output::{self, Output},
    report::{self, Bytes, TextureExtractReport, counted, printable, with_stages},
    selection::{self, Selection},
    tone_map::ToneMapArgs,
    values::decoder_parser,
};
use brickwork_texture::RoundingRule;
use brickwork_toolkit::{
    batch::Input,
    texture::{OptionsError, TextureJobError},
};
use clap::builder::{PossibleValuesParser, TypedValueParser};
pub use options::{ExtractForm, ExtractOutput, TextureExtractOptions};
pub use run::extract_images;
use std::path::PathBuf;

/// Write images of a DDS, KTX2 or .astc texture to files
///
/// Images are decoded to PNG or EXR, as decode does. With --as dds, ktx2 or astc, a file of that extension,
/// or --raw, the blocks or plain texels are copied. "all" writes a file for each mip level, layer, face or
/// slice. Without an option for an axis, a picture shows its first image, and a texture keeps all.
///
/// Files in a folder have the name of the texture, followed by _levelN, _layerN, the face (_px, _nx, _py,
/// _ny, _pz, _nz) and _depthN, as far as options select them: sky_level1_px.png, rock_layer2.ktx2,
/// fog_depth7.png.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork extract rock.ktx2 -o levels/ --level all    a PNG of each mip level
  brickwork extract sky.dds -o faces/ --face all        the six faces of a cube
  brickwork extract sky.dds -o top.dds --face +y        a face with its blocks
  brickwork extract rock.ktx2 -o parts/ --level all --as ktx2   a texture for each mip level
  brickwork extract photo.dds -o photo.bin --raw        the blocks without a header")]
pub struct Args {
    /// Texture, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// File to write (with "all": folder), or - for standard output
    #[arg(short, long, required = true, value_name = "FILE|DIR/", help_heading = "Output")]
    output: PathBuf,

    /// Form of the files: pictures, or textures with the same blocks or texels [default: by the extension,
    /// png in a folder]
    #[arg(long = "as", value_name = "NAME", value_parser = form_parser(), conflicts_with = "raw",
        help_heading = "Output")]
    form: Option<ExtractForm>,

    /// Write the blocks or texels without a header
    #[arg(long, help_heading = "Output")]
    raw: bool,

    /// Replace existing files
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Print only errors
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Mip level; 0 is the largest
    #[arg(long, value_name = "N|all", value_parser = selection::number, help_heading = "Image selection")]
    level: Option<Selection>,

    /// Layer of an array
    #[arg(long, value_name = "N|all", value_parser = selection::number, help_heading = "Image selection")]
    layer: Option<Selection>,

    /// Face of a cube: 0 to 5; +x, -x, +y, -y, +z, -z; or a name as in files, such as px, posx, right or rt
    #[arg(long, value_name = "FACE|all", value_parser = selection::face, allow_hyphen_values = true,
        help_heading = "Image selection")]
    face: Option<Selection>,

    /// Slice of a 3D texture
    #[arg(long, visible_alias = "slice", value_name = "N|all", value_parser = selection::number,
        help_heading = "Image selection")]
    depth: Option<Selection>,

    /// Decoder whose rounding is used
    #[arg(long, value_name = "NAME", default_value = "real", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: RoundingRule,

    #[command(flatten)]
    tone: ToneMapArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

fn form_parser() -> impl TypedValueParser<Value = ExtractForm> {
    PossibleValuesParser::new(["png", "exr", "dds", "ktx2", "astc"])
        .try_map(|name| ExtractForm::of_extension(&name).ok_or("unknown"))
}

/// Extracts images from the texture that the command line names.
///
/// # Errors
/// [`Failure`], which names the file.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    let (output, options) = args.plan()?;
    let input = Input::of(&args.input);
    let existing = output::existing(args.force);
    let report = with_stages(&input.name(), args.quiet, |task| {
        extract_images(&input, &output, &options, existing, args.machine.max_memory, task)
    });
    let report = report.map_err(|error| match error {
        TextureJobError::Options { file, error } => Failure::usage(error).of(file),
        error => error.into(),
    })?;
    let to_stderr = output == ExtractOutput::File(Output::Stdout);
    if args.json {
        json::print(&report, to_stderr)?;
        return Ok(Exit::Ok);
    }
    if !args.quiet {
        report.notes.iter().for_each(|note| report::note(&format!("{}: {note}", report.input)));
        output::print(&text(&report, &args.output.display().to_string()), to_stderr)?;
    }
    Ok(Exit::Ok)
}

impl Args {
    /// Returns the destination and the options.
    fn plan(&self) -> Result<(ExtractOutput, TextureExtractOptions), Failure> {
        let [level, layer, face, slice] =
            [self.level, self.layer, self.face, self.depth].map(Option::unwrap_or_default);
        let tone_map = self.tone.tone_map();
        let decode =
            TextureDecodeOptions { rounding_rule: self.decoder, tone_map, ..TextureDecodeOptions::default() };
        let options =
            TextureExtractOptions { level, layer, face, slice, decode, ..TextureExtractOptions::default() };
        let name = self.output.display().to_string();
        let output = if is_folder(&self.output) {
            ExtractOutput::Folder(self.output.clone())
        } else {
            ExtractOutput::File(Output::of(&self.output))
        };
        let extension = self.output.extension().and_then(|extension| extension.to_str());
        let named = extension.and_then(ExtractForm::of_extension);
        let form = match (&output, self.form) {
            (ExtractOutput::File(Output::File(_)), _) if self.raw && named.is_some() => {
                let failure = Failure::usage("--raw writes no header, but the extension is that of a format");
                return Err(failure.of(name).hint("use another extension, such as .bin"));
            }
            _ if self.raw => ExtractForm::Raw,
            (ExtractOutput::File(Output::File(_)), Some(chosen)) if named.is_some_and(|it| it != chosen) => {
                let reason = format!("the extension does not fit --as {}", chosen.extension());
                return Err(Failure::usage(reason).of(name));
            }
            (_, Some(chosen)) => chosen,
            (ExtractOutput::File(Output::File(_)), None) => {
                let no_form = || Failure::usage("the extension is not .png, .exr, .dds, .ktx2 or .astc");
                named.ok_or_else(|| no_form().of(&name).hint("use --as or --raw"))?
            }
            _ => ExtractForm::Png,
        };
        let options = TextureExtractOptions { form, ..options };
        options.check(&output).map_err(|error| match error {
            OptionsError::SeveralImages { .. } => Failure::usage(error).hint("end a folder with /"),
            error => Failure::usage(error),
        })?;
        Ok((output, options))
    }
}

/// Returns the report in one line.
fn text(report: &TextureExtractReport, output: &str) -> String {
    let (input, output) = (printable(&report.input), printable(output));
    let bytes = Bytes(report.files.iter().map(|file| file.file_bytes).sum());
    match &report.files[..] {
        [file] => {
            let (width, height) = (file.width, file.height);
            format!("{input} → {}  {width}×{height}  {} {bytes}\n", printable(&file.output), report.format)
        }
        files => format!("{input} → {output}  {}  {} {bytes}\n", counted(files.len(), "file"), report.format),
    }
}

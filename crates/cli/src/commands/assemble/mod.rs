//! `brickwork assemble`: cubes, arrays and 3D textures from several files.
//!
//! Cubes, arrays and 3D textures from several files, or cubes from one picture.
//!
//! ```text
//! pictures ─→ faces by name, or cut from crosses, strips and panoramas ─→ encode ┐
//! textures ─→ faces by name ─→ join (data is copied) ──────────────────────────┴→ container
//! ```

mod files;
mod join;
mod result;

use super::{
    convert,
    encode::{self, Encoded},
};
use crate::{
    batch::{Job, find},
    exit::Exit,
    failure::Failure,
    input::{image_extensions, texture_extensions},
    jobs::{self, Outcome},
    output::Output,
    report::{Bytes, TextureAssembleReport, counted, printable, with_stages},
};
use brickwork_texture::{Task, TextureKind};
use brickwork_toolkit::{batch::BatchError, texture::TextureLayout};
pub use files::{AssembleOptions, assemble_files};
pub use result::{AssembledFile, AssembledFrom};

/// The note about files of a folder whose names state no faces.
const ORDER_NOTE: &str =
    "the names of the files state no faces; files of a folder are in the order of their names, 2 before 10";

/// Make one texture from several files: a cube, an array, a 3D texture or mip levels
///
/// Images are encoded, with the options of encode. DDS, KTX2 and .astc textures of one size and format are
/// joined: their blocks or plain texels are copied. With --format, textures in plain formats are encoded like
/// images.
///
/// A cube has six faces, +X, -X, +Y, -Y, +Z, -Z. Names determine the order if they end in px, nx, py, ny, pz,
/// nz, in posx, negx, …, in +x, -x, …, in xpos, xneg, …, in right, left, top, up, bottom, down, front, back,
/// in rt, lf, up, dn, ft, bk, or in r, l, u, d, f, b. A size or the place may follow: right_2k, right1.
/// A single oblong image is a horizontal cross (4:3), a vertical cross (3:4), a strip (6:1, 1:6) or an
/// equirectangular panorama (2:1), whose centre is +Z. Several cubes become an array of cubes.
///
/// Other files keep the order of the command line. Files of a folder are in the order of their names, in
/// which numbers count: slice2 before slice10.
#[derive(clap::Args)]
#[group(skip)]
#[command(after_help = "Examples:
  brickwork assemble --cubemap faces/ -o sky.ktx2 -f bc7 --mips       six images with names of faces
  brickwork assemble --cubemap panorama.exr -o sky.ktx2 -f bc6h --face-size 64
  brickwork assemble --cubemap cross.png -o sky.dds                   a cross or a strip
  brickwork assemble --array a.png b.png -o tiles.ktx2 --mips         the layers of an array
  brickwork assemble --volume slices/ -o fog.ktx2 -f bc4 --mips       a 3D texture
  brickwork assemble --array photo.dds new.dds -o both.dds            the same blocks, not encoded
  brickwork assemble --from-mips photo.dds half.dds -o chain.dds      the same blocks as mip levels",
    mut_arg("inputs", |input| input.help("Images, DDS, KTX2 or .astc textures, or folders of them")))]
pub struct Args {
    /// Make a cube, or an array of cubes
    #[arg(long, conflicts_with_all = ["array", "volume"], help_heading = "Kind")]
    cubemap: bool,

    /// Make an array; each input is a layer
    #[arg(long, conflicts_with = "volume", help_heading = "Kind")]
    array: bool,

    /// Make a 3D texture; each input is a slice
    #[arg(long, help_heading = "Kind")]
    volume: bool,

    /// Make a texture whose mip levels are those of the inputs, the largest first; the inputs are DDS, KTX2
    /// or .astc textures of any kind
    #[arg(long, conflicts_with_all = ["cubemap", "array", "volume", "layers", "depth"],
        help_heading = "Kind")]
    from_mips: bool,

    /// Expected number of layers, or of cubes with --cubemap; without --cubemap, this makes an array
    #[arg(long, value_name = "N", conflicts_with_all = ["volume", "depth"], help_heading = "Kind")]
    layers: Option<u32>,

    /// Expected number of slices; this makes a 3D texture
    #[arg(long, value_name = "N", conflicts_with_all = ["cubemap", "array"], help_heading = "Kind")]
    depth: Option<u32>,

    /// Side of the faces of a panorama in texels [default: a quarter of its width]
    #[arg(long, value_name = "N", requires = "cubemap", value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Kind")]
    face_size: Option<u32>,

    #[command(flatten)]
    encode: encode::Args,
}

/// Assembles the files that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be done at all. A failure of the files is reported and determines the exit
/// code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let encode = &args.encode;
    let layout = match args {
        Args { cubemap: true, .. } => TextureLayout::Faces,
        Args { volume: true, .. } | Args { depth: Some(_), .. } => TextureLayout::Slices,
        Args { array: true, .. } | Args { layers: Some(_), .. } | Args { from_mips: true, .. } => {
            TextureLayout::Layers
        }
        _ => {
            let hint = "use --cubemap, --array, --volume or --from-mips";
            return Err(Failure::usage("the kind is missing").hint(hint));
        }
    };
    let of_one_image = ["level", "channel", "roughness-from"];
    if let Some(option) = of_one_image.into_iter().find(|option| encode.given.has(option)) {
        return Err(Failure::usage(format!("--{option} is for single images")).hint("use encode"));
    }
    if encode.given.has("all-images") {
        return Err(Failure::usage("--all-images is for encode").hint("leave out --all-images"));
    }
    let Some(output) = &encode.output else {
        return Err(Failure::usage("the output is missing").hint("use -o FILE"));
    };
    encode.machine.start_threads()?;
    let mut options = encode::checked_options(encode)?;
    options.layout = layout;
    let output = Output::of(output);
    encode::check_container(encode, &options, &output)?;
    let extensions = [image_extensions(), texture_extensions()].concat();
    let groups = find(&encode.inputs, &extensions, encode.batch.recursive, &Task::new())?;
    let groups = groups.into_iter().collect::<Result<Vec<_>, BatchError>>()?;
    let inputs = groups.into_iter().flat_map(|group| group.inputs).collect();
    let devices = encode.device.open(encode.batch.quiet)?;
    let options = AssembleOptions {
        face_size: args.face_size,
        encodes_plain: encode.given.has("format"),
        mip_levels: args.from_mips,
        expected: args.layers.or(args.depth),
        ..AssembleOptions::new(options)
    };
    let recipe = format!("{options:?}");
    let jobs = [Ok(Job::new(inputs, output))];
    let exit = jobs::run("assemble", &recipe, &encode.batch, &encode.machine, &jobs, |turn| {
        let assembled = with_stages(&turn.job.output.name(), encode.batch.quiet, |task| {
            assemble_files(&options, turn, devices.inner(), task)
        });
        let assembled = assembled.map_err(|error| encode::of_job(encode, error))?;
        let output = &assembled.result.output;
        let mut notes: Vec<_> = match &assembled.result.from {
            AssembledFrom::Images(file) => {
                devices.tell(None, "encoding", file.measured.device.fallback());
                file.notes.iter().map(encode::note_text).collect()
            }
            AssembledFrom::Textures { notes, .. } => {
                notes.iter().map(|note| format!("{output}: {}", convert::note_text(note))).collect()
            }
        };
        let is_alphabet = assembled.result.faces.as_deref() == Some("faces in order")
            && encode.inputs.iter().any(|input| input.is_dir());
        let order_note = is_alphabet.then(|| ORDER_NOTE.to_owned());
        notes.extend(order_note.as_ref().map(|note| format!("{output}: {note}")));
        Ok(Assembled { file: assembled.result, notes, order_note, bytes: assembled.input_bytes })
    })?;
    devices.save_kernels();
    Ok(exit)
}

/// Result of all files.
struct Assembled {
    file: AssembledFile,
    notes: Vec<String>,
    /// The note about the order of a folder's files.
    order_note: Option<String>,
    /// Bytes of the blocks or texels of all inputs.
    bytes: u64,
}

impl Outcome for Assembled {
    type Report = TextureAssembleReport;

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn byte_counts(&self) -> [u64; 2] {
        [self.bytes, self.file.file_bytes]
    }

    fn into_report(self) -> TextureAssembleReport {
        let reason = match &self.file.from {
            AssembledFrom::Images(file) => Some(encode::color_space_reason(&file.plan)),
            _ => None,
        };
        let mut report = self.file.into_report(rayon::current_num_threads());
        report.notes.extend(self.order_note);
        if let (Some(encode), Some(reason)) = (&mut report.encode, reason) {
            encode.color_space_reason = reason;
        }
        report
    }

    /// Returns the kind of texture in one line, and the faces of a cube in another, before encode's report.
    fn text(&self) -> String {
        let AssembledFile { inputs, output, desc, faces, from, file_bytes, .. } = &self.file;
        let size = format!("{}×{}", desc.width, desc.height);
        let kind = match (desc.kind, desc.layers) {
            (TextureKind::Cube, 1) => format!("cube of {size}"),
            (TextureKind::Cube, cubes) => format!("{cubes} cubes of {size}"),
            (TextureKind::D3, _) => format!("3D texture of {size}×{}", desc.depth),
            (_, 1) => format!("2D texture of {size}"),
            (_, layers) => format!("array of {}, {size}", counted(layers, "layer")),
        };
        let mut text = format!("{} → {}  {kind}", counted(inputs.len(), "file"), printable(output));
        if let Some(faces) = faces {
            text += &format!(", {faces}");
        }
        text.push('\n');
        if faces.is_some() && inputs.len() >= 6 {
            for (face, input) in ["+X", "-X", "+Y", "-Y", "+Z", "-Z"].iter().cycle().zip(inputs) {
                text += &format!("  {face} {}\n", printable(input));
            }
        }
        match from {
            AssembledFrom::Images(file) => {
                let color_space_reason = encode::color_space_reason(&file.plan);
                let mut file = (**file).clone();
                if inputs.len() > 1 {
                    file.input = counted(inputs.len(), "file");
                }
                let encoded = Encoded { file, color_space_reason, notes: Vec::new() };
                text += &encoded.text();
            }
            _ => {
                let levels = counted(desc.mip_levels, "level");
                let what = if desc.format.plain().is_some() { "texels" } else { "blocks" };
                text += &format!("  {levels}  {}  {what} copied  {}\n", desc.format, Bytes(*file_bytes));
            }
        }
        text
    }
}

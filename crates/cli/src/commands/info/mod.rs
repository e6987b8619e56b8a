//! `brickwork info`: the contents of a file.

mod block_endpoints;
mod block_modes;
mod describe;
mod endpoints;
mod modes;

use crate::{
    batch::find,
    exit::Exit,
    failure::Failure,
    input::{Input, image_extensions, note_unread_images, texture_extensions},
    json,
    machine::MachineArgs,
    output::{self, Output},
    reading::ReadArgs,
    report::{
        self, Bytes, FileInfoReport, FilesReport, ImageInfoReport, TextureHeaderReport, TextureInfoReport,
        counted, printable,
    },
};
pub use block_endpoints::BlockEndpoints;
pub use block_modes::{BlockModes, BlockPicture};
use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{Task, TextureFormat};
use brickwork_toolkit::texture::read_if_texture;
pub use describe::describe;
use modes::Wanted;
use std::{fmt::Write as _, path::PathBuf, sync::Arc};

/// Describe textures and images: container, format, size, colour space, alpha
///
/// Only the header of DDS, KTX2 and .astc files is read (and the blocks of DDS files whose header does not
/// mention alpha, and of ASTC, to count illegal ones). Images are decoded.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork info photo.dds
  brickwork info photo.png photo.ktx2 --json
  brickwork info out/                           every texture and image of a folder
  brickwork info art.dds --modes-image m.png    which mode each block of BC7 has
  brickwork info photo.dds --endpoints-image e.png   the two colours of each block")]
pub struct Args {
    /// Textures, images, folders of them, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// BC6H, BC7: count the blocks of each mode
    #[arg(long, help_heading = "Blocks")]
    modes: bool,

    /// BC6H, BC7: draw the first image as a PNG, with each block in the colour of its mode; implies --modes
    #[arg(long, value_name = "FILE", help_heading = "Blocks")]
    modes_image: Option<PathBuf>,

    /// Draw the first image as a PNG, with the endpoints of each block: the first in the left half, the
    /// second in the right half
    ///
    /// The endpoints are those of the first subset, in the texture's numbers, without alpha. BC4 is grey, and
    /// BC6H is clamped to 0 to 1 and converted to sRGB, as by decode. Smooth areas and noise are easy to tell
    /// apart: blocks of one colour have equal halves.
    #[arg(long, value_name = "FILE", help_heading = "Blocks")]
    endpoints_image: Option<PathBuf>,

    /// Replace an existing file of --modes-image and --endpoints-image
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Also search the subfolders of folders
    #[arg(short, long)]
    recursive: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Describes the files that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be printed. A file's own failure is reported and determines the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    let extensions = [texture_extensions(), image_extensions()].concat();
    note_unread_images(&args.files, args.recursive)?;
    let mut exit = Exit::Ok;
    let mut entries = Vec::new();
    let inputs = find(&args.files, &extensions, args.recursive, &Task::new())?;
    let images = [("--modes-image", &args.modes_image), ("--endpoints-image", &args.endpoints_image)];
    for (option, path) in images {
        let Some(path) = path else { continue };
        if inputs.len() != 1 {
            return Err(Failure::usage(format!("{option} takes one texture, not {}", inputs.len())));
        }
        Output::File(path.clone()).check_png()?;
    }
    if args.force && images.iter().all(|(_, path)| path.is_none()) {
        return Err(Failure::usage("--force is for --modes-image and --endpoints-image").hint("leave it out"));
    }
    let wanted = (args.modes || args.modes_image.is_some())
        .then_some(Wanted { image: args.modes_image.as_deref(), existing: output::existing(args.force) });
    let options = args.reading.options().with(|o| {
        o.max_memory = args.machine.max_memory;
        o.stored_colors = true;
        o.single_floats = true;
    });
    for input in inputs {
        let result = input
            .map_err(Failure::from)
            .and_then(|found| report_of(&found.inputs[0], wanted.as_ref(), args, &options));
        match &result {
            Ok(report) if !args.json => output::print(&report.text(), false)?,
            Ok(_) => {}
            Err(failure) => {
                report::complain(failure);
                exit = exit.or(failure.exit);
            }
        }
        entries.push(json::entry(result.map(|described| described.report)));
    }
    if args.json {
        json::print(&FilesReport { command: "info", files: entries, summary: None }, false)?;
    }
    Ok(exit)
}

fn report_of(
    input: &Input,
    wanted: Option<&Wanted<'_>>,
    args: &Args,
    options: &ImageReadOptions,
) -> Result<Described, Failure> {
    let endpoints_path = args.endpoints_image.as_deref();
    let option = match (wanted, endpoints_path) {
        (Some(_), _) => Some("--modes"),
        (None, Some(_)) => Some("--endpoints-image"),
        (None, None) => None,
    };
    // The blocks are read once for all images.
    let mut texture = None;
    if let Some(option) = option {
        if *input == Input::Stdin {
            return Err(Failure::usage(format!("{option} needs a file, not standard input")));
        }
        texture = read_if_texture(input, args.machine.max_memory, &Task::new())?.map(Arc::new);
    }
    let mut endpoints_image = None;
    if let Some(path) = endpoints_path {
        let existing = output::existing(args.force);
        endpoints_image = Some(endpoints::write(input, texture.clone(), path, existing)?);
    }
    let counts = wanted.map(|wanted| modes::count(input, texture, wanted)).transpose()?;
    let (counts, modes_image) = counts.unwrap_or_default();
    let report = describe(input, counts, options, &Task::new())?;
    Ok(Described { report, modes_image, endpoints_image })
}

/// One file.
struct Described {
    report: FileInfoReport,
    /// Line that names the image of modes and the meaning of its colours.
    modes_image: Option<String>,
    /// Line that names the image of endpoints.
    endpoints_image: Option<String>,
}

impl Described {
    fn text(&self) -> String {
        match &self.report {
            FileInfoReport::Texture(report) => self.texture_text(report),
            FileInfoReport::Image(report) => image_text(report),
            FileInfoReport::Header(report) => header_text(report),
        }
    }

    /// Returns the lines about a texture.
    fn texture_text(&self, report: &TextureInfoReport) -> String {
        let mut text = head(&report.file, report.file_bytes);
        line(&mut text, "container", report.header);
        line(&mut text, "format", &format!("{} ({})", report.format_name, report.format));
        let size = [report.width, report.height, report.depth];
        let size = size_text(size, report.dimensions, report.layers, report.levels.len());
        line(&mut text, "size", &size);
        line(&mut text, "colour space", report.color_space);
        line(&mut text, "alpha", report.alpha_mode);
        line(&mut text, "compression", report.supercompression.as_deref().unwrap_or("none"));
        let is_plain = report.format.parse::<TextureFormat>().is_ok_and(|format| format.plain().is_some());
        let data = if is_plain { "texels" } else { "blocks" };
        line(&mut text, data, &format!("{} bytes", report.data_bytes));
        if let Some(modes) = &report.modes {
            line(&mut text, "modes", &modes::text(modes));
            if let Some(image) = &self.modes_image {
                line(&mut text, "modes image", image);
            }
        }
        if let Some(image) = &self.endpoints_image {
            line(&mut text, "endpoints", image);
        }
        if report.levels.len() > 1 {
            for (index, level) in report.levels.iter().enumerate() {
                let mut size = format!("{}×{}", level.width, level.height);
                if report.dimensions == "3d" {
                    size += &format!("×{}", level.depth);
                }
                line(&mut text, &format!("level {index}"), &format!("{size:<12} {:>10} bytes", level.bytes));
            }
        }
        for (key, value) in &report.key_values {
            line(&mut text, key, value);
        }
        report.notes.iter().for_each(|note| line(&mut text, "note", note));
        text
    }
}

/// Returns the first line about a file.
fn head(file: &str, file_bytes: u64) -> String {
    format!("{}  {}\n", printable(file), Bytes(file_bytes))
}

fn line(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "  {:<14} {}", printable(name), printable(value));
}

fn size_text([width, height, depth]: [u32; 3], dimensions: &str, layers: u32, level_count: usize) -> String {
    let mut size = format!("{width}×{height}");
    match dimensions {
        "cube" => size += ", cube",
        "3d" => size += &format!("×{depth}, 3D"),
        _ => {}
    }
    if layers > 1 {
        size += &format!(", {}", counted(layers, "layer"));
    }
    size += &match level_count {
        1 => ", no mip levels".to_owned(),
        count => format!(", {count} mip levels"),
    };
    size
}

/// Returns the lines about a texture of which only the header is read.
fn header_text(report: &TextureHeaderReport) -> String {
    let mut text = head(&report.file, report.file_bytes);
    line(&mut text, "container", &report.container.to_uppercase());
    line(&mut text, "format", &report.format_name);
    let size = [report.width, report.height, report.depth];
    let size = size_text(size, report.dimensions, report.layers, report.level_count as usize);
    line(&mut text, "size", &size);
    line(&mut text, "colour space", report.color_space);
    if report.premultiplied {
        line(&mut text, "alpha", "premultiplied");
    }
    line(&mut text, "compression", report.supercompression.as_deref().unwrap_or("none"));
    line(&mut text, "data", &format!("{} bytes", report.data_bytes));
    for (key, value) in &report.key_values {
        line(&mut text, key, value);
    }
    report.notes.iter().for_each(|note| line(&mut text, "note", note));
    text
}

fn image_text(report: &ImageInfoReport) -> String {
    {
        let mut text = head(&report.file, report.file_bytes);
        line(&mut text, "format", &report.file_format);
        line(&mut text, "size", &format!("{}×{}", report.width, report.height));
        let channels = match report.channels {
            1 => "grey",
            3 => "RGB",
            _ => "RGBA",
        };
        line(&mut text, "texels", &format!("{channels}, {} bits per channel", report.bits_per_channel));
        line(&mut text, "colour space", &format!("{} ({})", report.color_space, report.color_space_reason));
        let alpha = match (report.alpha, report.opaque) {
            (false, _) => "none",
            (true, true) => "every texel is opaque",
            (true, false) if report.premultiplied => "some texels are not opaque; premultiplied in the file",
            (true, false) => "some texels are not opaque",
        };
        line(&mut text, "alpha", alpha);
        if let Some(part) = &report.part {
            line(&mut text, "this is", part);
        }
        report.notes.iter().for_each(|note| line(&mut text, "note", note));
        text
    }
}

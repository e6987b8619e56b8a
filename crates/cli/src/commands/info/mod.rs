//! `brickwork info`: what is in a file.

mod modes;

use crate::{
    exit::Exit,
    failure::Failure,
    input::{self, Input, PICTURE_EXTENSIONS, TEXTURE_EXTENSIONS},
    json,
    machine::MachineArgs,
    output::{self, Existing, Output},
    report::{self, Bytes, alpha_mode_name, color_space_name, counted, printable, stated_color_space_name},
};
use brickwork_texture::{
    TextureKind,
    container::Info,
    image_file::{AnyInfo, Picture, Texels},
};
use modes::{ModeCounts, Wanted};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

/// Describe textures and images: container, format, size, colour space, alpha
///
/// Of DDS and KTX2 files only the header is read (and the blocks of DDS files whose header does not mention
/// alpha). Images are decoded.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork info photo.dds
  brickwork info photo.png photo.ktx2 --json
  brickwork info out/                           every texture and image of a folder
  brickwork info art.dds --modes-image m.png    which mode each block of BC7 has")]
pub struct Args {
    /// Textures, images, folders of them, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// BC7: count the blocks of each mode
    #[arg(long, help_heading = "Blocks")]
    modes: bool,

    /// BC7: draw the first image, each block in the colour of its mode, as PNG; implies --modes
    #[arg(long, value_name = "FILE", help_heading = "Blocks")]
    modes_image: Option<PathBuf>,

    /// Replace an existing file of --modes-image
    #[arg(long, requires = "modes_image", help_heading = "Output")]
    force: bool,

    /// Search folders with their subfolders
    #[arg(short, long)]
    recursive: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Describes what the command line names.
///
/// # Errors
/// [`Failure`] where nothing can be printed; a file's own failure is reported and gives the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    let extensions: Vec<&str> = TEXTURE_EXTENSIONS.into_iter().chain(PICTURE_EXTENSIONS).collect();
    let mut exit = Exit::Ok;
    let mut entries = Vec::new();
    let inputs = input::expand(&args.files, &extensions, args.recursive);
    if args.modes_image.is_some() && inputs.len() != 1 {
        return Err(Failure::usage(format!("--modes-image takes one texture, not {}", inputs.len())));
    }
    if let Some(path) = &args.modes_image {
        Output::File(path.clone()).check_png()?;
    }
    let wanted = (args.modes || args.modes_image.is_some()).then_some(Wanted {
        image: args.modes_image.as_deref(),
        existing: if args.force { Existing::Replace } else { Existing::Keep },
        max_memory: args.machine.max_memory,
    });
    for input in inputs {
        let result =
            input.and_then(|found| report_of(&found.input, wanted.as_ref(), args.machine.max_memory));
        match &result {
            Ok(report) if !args.json => output::print(&report.text(), false)?,
            Ok(_) => {}
            Err(failure) => {
                report::complain(failure);
                if exit == Exit::Ok {
                    exit = failure.exit;
                }
            }
        }
        entries.push(json::Entry::of(result));
    }
    if args.json {
        json::print(&json::Report { command: "info", files: entries, summary: None }, false)?;
    }
    Ok(exit)
}

fn report_of(input: &Input, wanted: Option<&Wanted<'_>>, max_memory: u64) -> Result<Report, Failure> {
    let name = input.name();
    let modes = wanted.map(|wanted| ModeCounts::of(input, wanted)).transpose()?.flatten();
    if let Some(Wanted { image: Some(_), .. }) = wanted
        && modes.is_none()
    {
        return Err(Failure::usage("--modes-image is for textures in BC7").of(name));
    }
    let (info, file_bytes) = input::info_any(input, max_memory)?;
    Ok(match info {
        AnyInfo::Texture(info) => Report::of_texture(name, file_bytes, info, modes),
        AnyInfo::Picture(picture) => Report::of_picture(name, file_bytes, &picture),
    })
}

/// One file in `info --json`.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Report {
    Texture(Box<TextureReport>),
    Image(ImageReport),
}

#[derive(Serialize)]
struct TextureReport {
    file: String,
    file_bytes: u64,
    container: &'static str,
    header: String,
    format: &'static str,
    format_name: String,
    dimensions: &'static str,
    width: u32,
    height: u32,
    depth: u32,
    layers: u32,
    faces: u32,
    levels: Vec<LevelReport>,
    color_space: &'static str,
    alpha_mode: &'static str,
    supercompression: Option<String>,
    data_bytes: u64,
    key_values: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modes: Option<ModeCounts>,
}

#[derive(Serialize)]
struct LevelReport {
    width: u32,
    height: u32,
    depth: u32,
    /// Of all faces and layers.
    bytes: u64,
}

#[derive(Serialize)]
struct ImageReport {
    file: String,
    file_bytes: u64,
    file_format: String,
    width: u32,
    height: u32,
    channels: u32,
    bits_per_channel: u32,
    color_space: &'static str,
    color_space_reason: String,
    alpha: bool,
    opaque: bool,
    part: Option<String>,
}

impl Report {
    fn of_texture(file: String, file_bytes: u64, info: Info, modes: Option<ModeCounts>) -> Self {
        let (desc, states_color_space) = (info.desc, info.states_color_space());
        let level = |level| {
            let [width, height, depth] = desc.mip_level_size(level);
            let images = u64::from(desc.layers) * u64::from(desc.faces());
            LevelReport { width, height, depth, bytes: desc.mip_level_bytes(level).saturating_mul(images) }
        };
        Self::Texture(Box::new(TextureReport {
            file,
            file_bytes,
            container: info.container.extension(),
            header: info.header,
            format: desc.format.name(),
            format_name: info.format_name,
            dimensions: match desc.kind {
                TextureKind::D2 => "2d",
                TextureKind::Cube => "cube",
                TextureKind::D3 => "3d",
                _ => "other",
            },
            width: desc.width,
            height: desc.height,
            depth: desc.depth,
            layers: desc.layers,
            faces: desc.faces(),
            levels: (0..desc.mip_levels).map(level).collect(),
            color_space: stated_color_space_name(states_color_space.then_some(desc.color_space)),
            alpha_mode: alpha_mode_name(desc.alpha_mode),
            supercompression: info.supercompression,
            data_bytes: desc.data_bytes(),
            key_values: info.key_values.into_iter().collect(),
            modes,
        }))
    }

    fn of_picture(file: String, file_bytes: u64, picture: &Picture) -> Self {
        let (channels, bits_per_channel) = match &picture.texels {
            Texels::Grey8(_) => (1, 8),
            Texels::Rgb8(_) => (3, 8),
            Texels::Rgba8(_) => (4, 8),
            Texels::Grey16(_) => (1, 16),
            Texels::Rgb16(_) => (3, 16),
            Texels::Rgba16(_) => (4, 16),
            _ => (0, 0),
        };
        Self::Image(ImageReport {
            file,
            file_bytes,
            file_format: picture.file_format.name().to_owned(),
            width: picture.width,
            height: picture.height,
            channels,
            bits_per_channel,
            color_space: color_space_name(picture.color_space),
            color_space_reason: picture.color_space_reason.to_string(),
            alpha: picture.has_alpha,
            opaque: picture.is_opaque,
            part: picture.part.clone(),
        })
    }

    fn text(&self) -> String {
        match self {
            Self::Texture(report) => report.text(),
            Self::Image(report) => report.text(),
        }
    }
}

/// The first line about a file.
fn head(file: &str, file_bytes: u64) -> String {
    format!("{}  {}\n", printable(file), Bytes(file_bytes))
}

fn line(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "  {:<14} {}", printable(name), printable(value));
}

impl TextureReport {
    fn text(&self) -> String {
        let mut text = head(&self.file, self.file_bytes);
        line(&mut text, "container", &self.header);
        line(&mut text, "format", &format!("{} ({})", self.format_name, self.format));
        let mut size = format!("{}×{}", self.width, self.height);
        match self.dimensions {
            "cube" => size += ", cube",
            "3d" => size += &format!("×{}, 3D", self.depth),
            _ => {}
        }
        if self.layers > 1 {
            size += &format!(", {}", counted(self.layers, "layer"));
        }
        size += &match self.levels.len() {
            1 => ", no mip levels".to_owned(),
            count => format!(", {count} mip levels"),
        };
        line(&mut text, "size", &size);
        line(&mut text, "colour space", self.color_space);
        line(&mut text, "alpha", self.alpha_mode);
        line(&mut text, "compression", self.supercompression.as_deref().unwrap_or("none"));
        line(&mut text, "blocks", &format!("{} bytes", self.data_bytes));
        if let Some(modes) = &self.modes {
            line(&mut text, "modes", &modes.text());
            if let Some(image) = &modes.image {
                line(&mut text, "modes image", image);
            }
        }
        if self.levels.len() > 1 {
            for (index, level) in self.levels.iter().enumerate() {
                let mut size = format!("{}×{}", level.width, level.height);
                if self.dimensions == "3d" {
                    size += &format!("×{}", level.depth);
                }
                line(&mut text, &format!("level {index}"), &format!("{size:<12} {:>10} bytes", level.bytes));
            }
        }
        for (key, value) in &self.key_values {
            line(&mut text, key, value);
        }
        text
    }
}

impl ImageReport {
    fn text(&self) -> String {
        let mut text = head(&self.file, self.file_bytes);
        line(&mut text, "format", &self.file_format);
        line(&mut text, "size", &format!("{}×{}", self.width, self.height));
        let channels = match self.channels {
            1 => "grey",
            3 => "RGB",
            _ => "RGBA",
        };
        line(&mut text, "texels", &format!("{channels}, {} bits per channel", self.bits_per_channel));
        line(&mut text, "colour space", &format!("{} ({})", self.color_space, self.color_space_reason));
        let alpha = match (self.alpha, self.opaque) {
            (false, _) => "none",
            (true, true) => "every texel is opaque",
            (true, false) => "some texels are not opaque",
        };
        line(&mut text, "alpha", alpha);
        if let Some(part) = &self.part {
            line(&mut text, "this is", part);
        }
        text
    }
}

//! `brickwork decode`: DDS and KTX2 to PNG.

use crate::{
    exit::Exit,
    failure::Failure,
    input::{self, FileId, TEXTURE_EXTENSIONS},
    jobs::{self, Job},
    json,
    machine::MachineArgs,
    output::{Existing, Output},
    report::{self, Bytes, counted, printable, stated_color_space_name},
    values::{self, decoder_parser},
};
use brickwork_texture::{
    DecodedImage, Decoder, ImageIndex, Texture, TextureDesc,
    container::{self, ContainerFormat},
    image_file::{PngTexels, write_png},
};
use serde::Serialize;
use std::{fs, path::PathBuf};

/// Decompress DDS and KTX2 textures to PNG images
///
/// Without -o, photo.dds becomes photo.png beside it. The PNG has alpha if any texel is not opaque; BC4
/// becomes grey, BC5 red and green.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork decode photo.dds                      photo.png beside it
  brickwork decode rock.ktx2 --level 2 -o small.png
  brickwork decode sky.dds --face +y -o top.png   one face of a cube
  brickwork decode out/ -o back/                  every texture of a folder
  brickwork decode photo.dds -o - | magick - -resize 50% small.jpg")]
pub struct Args {
    /// Textures, folders of textures (not their subfolders), or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// PNG to write, folder for several (existing, or ending in /), or - for standard output
    #[arg(short, long, value_name = "FILE|DIR/", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Replace existing files
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Print nothing but errors
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Mip level; 0 is the largest
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Which image")]
    level: u32,

    /// Layer of an array
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Which image")]
    layer: u32,

    /// Face of a cube: 0 to 5, or +x, -x, +y, -y, +z, -z
    #[arg(long, value_name = "FACE", default_value = "0", value_parser = values::face,
        allow_hyphen_values = true, help_heading = "Which image")]
    face: u32,

    /// Slice of a 3D texture
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Which image")]
    slice: u32,

    /// Decoder whose rounding to use
    #[arg(long, value_name = "NAME", default_value = "exact", value_parser = decoder_parser(),
        help_heading = "Blocks")]
    decoder: Decoder,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Decodes what the command line names.
///
/// # Errors
/// [`Failure`] where nothing can be done at all; a file's own failure is reported and gives the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let inputs = input::expand(&args.inputs, &TEXTURE_EXTENSIONS);
    let jobs = jobs::plan(inputs, args.output.as_deref(), "png")?;
    for job in jobs.iter().flatten() {
        let Output::File(path) = &job.output else { continue };
        let (reason, hint) = match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("png") => continue,
            // A device or pipe may have any name.
            _ if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) => continue,
            Some(extension) => (format!("only PNG is written, not .{}", extension.display()), ""),
            None => ("the name has no extension".to_owned(), "; to name a folder, end it with /"),
        };
        let hint = format!("use the extension .png{hint}");
        return Err(Failure::usage(reason).of_path(path).hint(hint));
    }
    jobs::create_folder(args.output.as_deref(), &jobs)?;
    args.machine.start_threads()?;

    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let to_stderr = jobs.iter().flatten().any(|job| job.output == Output::Stdout);
    let (results, exit) = jobs::run(jobs, |job, inputs| {
        let decoded = args.decode(job, existing, inputs)?;
        if !args.quiet && !args.json {
            crate::output::print(&decoded.text(), to_stderr)?;
        }
        Ok(decoded)
    });
    if args.json {
        let files = results.into_iter().map(json::Entry::of);
        json::print(&json::Report { command: "decode", files: files.collect() }, to_stderr)?;
    } else if exit != Exit::Ok && results.len() > 1 {
        let failed = results.iter().filter(|result| result.is_err()).count();
        report::note(&format!("{failed} of {} failed", counted(results.len(), "input")));
    }
    Ok(exit)
}

impl Args {
    fn decode(&self, job: &Job, existing: Existing, inputs: &[FileId]) -> Result<Decoded, Failure> {
        let (texture, states_color_space) = self.read(job, existing, inputs)?;
        let index =
            ImageIndex { layer: self.layer, face: self.face, mip_level: self.level, slice: self.slice };
        let DecodedImage { width, height, texels } = texture
            .decode(index, self.decoder, self.machine.max_memory)
            .map_err(|error| Failure::from(error).of(job.input.name()))?;
        let TextureDesc { format, color_space, mip_levels, .. } = *texture.desc();
        let color_space = states_color_space.then_some(color_space);
        // A 16K texture's blocks are no longer needed.
        drop(texture);

        let channels = match format.channels() {
            "R" => PngChannels::Grey,
            _ if texels.iter().any(|texel| texel[3] != 255) => PngChannels::Rgba,
            _ => PngChannels::Rgb,
        };
        let mut bytes = texels.into_flattened();
        keep_channels(&mut bytes, channels as usize);
        let png_texels = match channels {
            PngChannels::Grey => PngTexels::Grey8(&bytes),
            PngChannels::Rgb => PngTexels::Rgb8(bytes.as_chunks().0),
            PngChannels::Rgba => PngTexels::Rgba8(bytes.as_chunks().0),
        };
        let file_bytes = job
            .output
            .write(existing, |writer| Ok(write_png(writer, width, height, png_texels, color_space)?))?;
        Ok(Decoded {
            input: job.input.name(),
            output: job.output.name(),
            format: format.name(),
            color_space: stated_color_space_name(color_space),
            decoder: self.decoder.name(),
            level: self.level,
            levels: mip_levels,
            layer: self.layer,
            face: self.face,
            slice: self.slice,
            width,
            height,
            alpha: channels == PngChannels::Rgba,
            channels,
            file_bytes,
        })
    }

    /// Reads the texture, and whether it says whether it is sRGB, after a look at where the result is to go.
    fn read(&self, job: &Job, existing: Existing, inputs: &[FileId]) -> Result<(Texture, bool), Failure> {
        let failed = |failure: Failure| failure.of(job.input.name());
        let mut options = container::ReadOptions::default();
        options.max_memory = self.machine.max_memory;
        let mut stream = job.input.open(options.max_memory)?;
        // A picture given by mistake is reported first: its PNG would go where the picture is.
        if ContainerFormat::detect_in(&mut stream).map_err(|error| failed(Failure::io(&error)))?.is_none() {
            return Err(failed(Failure::new(Exit::Invalid, "not a DDS or KTX2 file")));
        }
        job.output.check(existing, inputs)?;
        let states_color_space =
            ContainerFormat::states_color_space(&mut stream).map_err(|error| failed(Failure::io(&error)))?;
        let texture = Texture::read(stream, &options).map_err(|error| failed(error.into()))?;
        Ok((texture, states_color_space))
    }
}

/// What the PNG holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PngChannels {
    Grey = 1,
    Rgb = 3,
    Rgba = 4,
}

/// Keeps the first `count` channels of RGBA, in place.
fn keep_channels(bytes: &mut Vec<u8>, count: usize) {
    let texel_count = bytes.len() / 4;
    for texel in 1..texel_count {
        bytes.copy_within(texel * 4..texel * 4 + count, texel * count);
    }
    bytes.truncate(texel_count * count);
}

/// One file in `decode --json`.
#[derive(Serialize)]
struct Decoded {
    input: String,
    output: String,
    format: &'static str,
    color_space: &'static str,
    decoder: &'static str,
    level: u32,
    levels: u32,
    layer: u32,
    face: u32,
    slice: u32,
    width: u32,
    height: u32,
    alpha: bool,
    #[serde(skip)]
    channels: PngChannels,
    file_bytes: u64,
}

impl Decoded {
    fn text(&self) -> String {
        let Self { format, color_space, decoder, width, height, level, levels, .. } = self;
        let (input, output) = (printable(&self.input), printable(&self.output));
        let level = if *levels > 1 { format!("  level {level} of {levels}") } else { String::new() };
        let channels = match self.channels {
            PngChannels::Grey => "grey",
            PngChannels::Rgb => "RGB",
            PngChannels::Rgba => "RGBA",
        };
        let bytes = Bytes(self.file_bytes);
        format!(
            "{input} → {output}  {width}×{height}{level}  {format} {color_space} ({decoder} decoder) → \
             PNG {channels} {bytes}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_dropped_in_place() {
        let mut bytes = vec![1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255];
        keep_channels(&mut bytes, 3);
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let mut bytes = vec![1, 0, 0, 255, 4, 0, 0, 255, 7, 0, 0, 255];
        keep_channels(&mut bytes, 1);
        assert_eq!(bytes, [1, 4, 7]);
    }
}

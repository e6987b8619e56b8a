//! `brickwork decode`: DDS and KTX2 to PNG.

mod texels;

use crate::{
    exit::Exit,
    failure::Failure,
    input::TEXTURE_EXTENSIONS,
    jobs::{self, BatchArgs, Outcome},
    machine::MachineArgs,
    output::{self, Output},
    report::{self, Bytes, printable, with_spinner},
    values::{self, decoder_parser},
};
use brickwork_texture::{
    ChannelType, ColorSpace, DecodeOptions, ImageIndex, RoundingRule, Task,
    container::ContainerFormat,
    image_file::{self, AnyImage, write_png},
};
use brickwork_toolkit::{
    batch::{Turn, find, plan},
    report::{TextureDecodeReport, stated_color_space_name},
};
use std::{fs, path::PathBuf, time::Instant};

/// Decompress DDS and KTX2 textures to PNG images
///
/// Without -o, photo.dds becomes photo.png beside it. The PNG has alpha if any texel is not opaque; BC4
/// becomes grey, BC5 red and green. Textures that are not block-compressed become PNGs of 8 or 16 bits.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork decode photo.dds                      photo.png beside it
  brickwork decode rock.ktx2 --level 2 -o small.png
  brickwork decode sky.dds --face +y -o top.png   one face of a cube
  brickwork decode out/ -o back/                  every texture of a folder
  brickwork decode photo.dds -o - | magick - -resize 50% small.jpg")]
pub struct Args {
    /// Textures, folders of textures, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// PNG to write, folder for several (existing, or ending in /), or - for standard output
    #[arg(short, long, value_name = "FILE|DIR/", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    batch: BatchArgs,

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
    decoder: RoundingRule,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Decodes what the command line names.
///
/// # Errors
/// [`Failure`] where nothing can be done at all; a file's own failure is reported and gives the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let inputs = find(&args.inputs, &TEXTURE_EXTENSIONS, args.batch.recursive);
    let jobs = plan(inputs, args.output.as_deref(), "png")?;
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
    args.machine.start_threads()?;
    jobs::run("decode", &args.batch, &args.machine, &jobs, |turn| args.decode(turn))
}

impl Args {
    fn decode(&self, turn: &Turn<'_>) -> Result<Decoded, Failure> {
        let Turn { job, max_memory, .. } = *turn;
        let name = job.name();
        let start = Instant::now();
        let (image, states_color_space) = self.read(turn)?;
        let read_time = start.elapsed();
        let start = Instant::now();
        let (texels, size, description) = match image {
            AnyImage::Texture(texture) => {
                let index = ImageIndex {
                    layer: self.layer,
                    face: self.face,
                    mip_level: self.level,
                    slice: self.slice,
                };
                let options = DecodeOptions::new()
                    .with_rounding_rule(self.decoder)
                    .with_max_memory(max_memory)
                    .with_channel_type(ChannelType::U8);
                let image = texture
                    .decode(index, &options, &Task::new())
                    .map_err(|error| Failure::from(error).of(&name))?;
                let size = [image.width(), image.height()];
                let texels = image.into_texels().into_rgba8().expect("8 bits were asked for");
                let desc = *texture.desc();
                let description = Description {
                    format: desc.format.name(),
                    color_space: states_color_space.then_some(desc.color_space),
                    levels: desc.mip_levels,
                    bytes: desc.data_bytes(),
                    has_blocks: true,
                    part: None,
                };
                // A 16K texture's blocks are no longer needed.
                drop(texture);
                (texels::Decoded::of_blocks(texels, desc.format), size, description)
            }
            AnyImage::Picture(picture) => {
                self.check_first_image().map_err(|failure| failure.of(&name))?;
                let description = Description {
                    format: texels::format_name(&picture.texels),
                    color_space: Some(picture.color_space),
                    levels: 1,
                    bytes: picture.texels.byte_count() as u64,
                    has_blocks: false,
                    part: picture.part,
                };
                (texels::Decoded::Plain(picture.texels), [picture.width, picture.height], description)
            }
        };
        let decode_time = start.elapsed();
        let [width, height] = size;
        let Description { format, color_space, levels, bytes, has_blocks, part } = description;
        let start = Instant::now();
        let file_bytes =
            with_spinner(&format!("{name}: writing"), self.batch.quiet || !turn.is_alone, || {
                output::write(&job.output, turn.existing, |writer| {
                    Ok(write_png(writer, width, height, texels.png(), color_space, &Task::new())?)
                })
            })?;
        let [read, decoded, written] =
            [read_time, decode_time, start.elapsed()].map(|time| format!("{:.3} s", time.as_secs_f64()));
        report::detail(&format!("{name}: read in {read}, decoded in {decoded}, written in {written}"));
        let notes = part.map(|part| format!("{name}: only {part} is decoded")).into_iter().collect();
        let report = TextureDecodeReport {
            input: name,
            output: job.output.name(),
            format,
            color_space: stated_color_space_name(color_space),
            decoder: self.decoder.name(),
            level: self.level,
            levels,
            layer: self.layer,
            face: self.face,
            slice: self.slice,
            width,
            height,
            alpha: texels.has_alpha(),
            file_bytes,
        };
        Ok(Decoded { report, channels: texels.channels_name(), bytes, has_blocks, notes })
    }

    /// Reads the image, and whether it says whether it is sRGB, after a look at where the result is to go.
    fn read(&self, turn: &Turn<'_>) -> Result<(AnyImage, bool), Failure> {
        let input = &turn.job.inputs[0];
        let failed = |failure: Failure| failure.of(input.name());
        let mut stream = input.open(turn.max_memory)?;
        // A picture given by mistake is reported first: its PNG would go where the picture is.
        if ContainerFormat::detect_in(&mut stream).map_err(|error| failed(Failure::io(&error)))?.is_none() {
            return Err(failed(Failure::new(Exit::Invalid, "not a DDS or KTX2 file")));
        }
        turn.check_output()?;
        let states_color_space =
            ContainerFormat::states_color_space(&mut stream).map_err(|error| failed(Failure::io(&error)))?;
        let mut options = image_file::ImageReadOptions::default();
        options = options.with_max_memory(turn.max_memory);
        let image =
            with_spinner(&format!("{}: reading", input.name()), self.batch.quiet || !turn.is_alone, || {
                image_file::read_any(stream, None, &options, &Task::new())
                    .map_err(|error| failed(error.into()))
            })?;
        Ok((image, states_color_space))
    }

    /// Plain texels are read as a picture: the first image alone.
    fn check_first_image(&self) -> Result<(), Failure> {
        if [self.level, self.layer, self.face, self.slice] == [0; 4] {
            return Ok(());
        }
        Err(Failure::new(
            Exit::Unsupported,
            "of a texture that is not block-compressed only the first image is read",
        ))
    }
}

/// What is known of an image besides its texels.
struct Description {
    format: &'static str,
    /// `None` if the file does not say.
    color_space: Option<ColorSpace>,
    levels: u32,
    /// Of the blocks, or the texels.
    bytes: u64,
    has_blocks: bool,
    part: Option<String>,
}

/// Outcome of one texture.
struct Decoded {
    report: TextureDecodeReport,
    channels: &'static str,
    /// Of the blocks, or the plain texels.
    bytes: u64,
    has_blocks: bool,
    notes: Vec<String>,
}

impl Outcome for Decoded {
    type Report = TextureDecodeReport;

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn byte_counts(&self) -> [u64; 2] {
        [self.bytes, self.report.file_bytes]
    }

    fn into_report(self) -> TextureDecodeReport {
        self.report
    }

    fn text(&self) -> String {
        let TextureDecodeReport { format, color_space, decoder, width, height, level, levels, .. } =
            &self.report;
        let (input, output) = (printable(&self.report.input), printable(&self.report.output));
        let level = if *levels > 1 { format!("  level {level} of {levels}") } else { String::new() };
        let (channels, bytes) = (self.channels, Bytes(self.report.file_bytes));
        let decoder = if self.has_blocks { format!(" ({decoder} decoder)") } else { String::new() };
        format!(
            "{input} → {output}  {width}×{height}{level}  {format} {color_space}{decoder} → PNG {channels} \
             {bytes}\n"
        )
    }
}

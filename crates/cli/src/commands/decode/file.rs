//! Decoding jobs of a batch: a texture in, a PNG or EXR file out.

use super::{DecodedPicture, TextureDecodeOptions, decode_image, png_image::PngImage, strip::decode_strip};
use crate::{
    batch::{Turn, Written},
    report::{TextureDecodeReport, stated_color_space_name},
};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadError, PngTexels};
use brickwork_texture::{
    ImageIndex,
    container::ContainerFormat,
    pictures::{self, AnyImage},
};
use brickwork_toolkit::{batch::Input, texture::TextureJobError};
use std::time::{Duration, Instant};

/// A PNG or EXR file that was written.
#[derive(Clone, Debug)]
pub struct DecodedFile {
    /// The report.
    pub report: TextureDecodeReport,
    /// Format and channels of the file, such as `PNG 16-bit RGB`.
    pub channels: &'static str,
    /// True if the texture is block-compressed, so that the decoder's rounding matters.
    pub has_blocks: bool,
    /// Part that was decoded of a file in another format that contains more, such as `the first of 12
    /// frames`.
    pub part: Option<String>,
    /// Faults of the file that the reader tolerated.
    pub notes: Vec<String>,
    /// Time of reading the texture.
    pub read_time: Duration,
    /// Time of decoding the image.
    pub decode_time: Duration,
    /// Time of writing the PNG.
    pub write_time: Duration,
}

/// Reads the input of a job, decodes one image and writes it as PNG, or as EXR if the output's extension is
/// `exr`. The task reports each stage: bytes read, blocks, and writing. If the file does not state its colour
/// space, the PNG does not state it either.
///
/// # Errors
/// [`TextureJobError`]. An existing output is then unchanged.
pub fn decode_file(
    options: &TextureDecodeOptions,
    turn: &Turn<'_>,
    task: &Task<'_>,
) -> Result<Written<DecodedFile>, TextureJobError> {
    let (job, name) = (turn.job, turn.job.name());
    let start = Instant::now();
    let input = job.inputs.first().ok_or_else(|| TextureJobError::NotATexture { input: name.clone() })?;
    let (image, states_color_space) = read(input, options, turn, task)?;
    let is_texture = matches!(image, AnyImage::Texture(_));
    let read_time = start.elapsed();
    let start = Instant::now();
    let is_exr = job.output.has_extension("exr");
    let kept = TextureDecodeOptions { half_floats: is_exr || options.half_floats, ..options.clone() };
    let decode = if options.all_levels { decode_strip } else { decode_image };
    let picture = decode(image, &name, &kept, turn.max_memory, task)?;
    let decode_time = start.elapsed();
    let start = Instant::now();
    // The colour space of a picture is always known.
    let is_known = states_color_space || !is_texture;
    let color_space = is_known.then_some(picture.color_space());
    let file_bytes = job.output.write(turn.existing, |sink| {
        let written = picture.write(sink, color_space, task);
        written.map_err(|error| TextureJobError::WritePng { output: job.output.name(), error })
    })?;
    let write_time = start.elapsed();
    let ImageIndex { layer, face, mip_level, slice } = options.index;
    let report = TextureDecodeReport {
        input: name,
        output: job.output.name(),
        format: picture.format,
        color_space: stated_color_space_name(color_space),
        decoder: picture.rounding_rule.name(),
        level: (!options.all_levels).then_some(mip_level),
        levels: picture.mip_levels,
        layer,
        face,
        slice,
        width: picture.width,
        height: picture.height,
        alpha: picture.has_alpha(),
        file_bytes,
    };
    let channels = channels_name(&picture.image);
    let DecodedPicture { data_bytes, has_blocks, part, notes, .. } = picture;
    let file = DecodedFile { report, channels, has_blocks, part, notes, read_time, decode_time, write_time };
    Ok(Written { result: file, input_bytes: data_bytes, output_bytes: file_bytes, kept: None })
}

/// Reads a texture, after a check of the output. Also returns true if the file states its colour space.
fn read(
    input: &Input,
    options: &TextureDecodeOptions,
    turn: &Turn<'_>,
    task: &Task<'_>,
) -> Result<(AnyImage, bool), TextureJobError> {
    let failed = |error: ImageReadError| TextureJobError::Read { input: input.name(), error };
    let mut stream = input.open(turn.max_memory, task)?;
    // A picture given by mistake is reported first, because its PNG would replace the picture.
    if ContainerFormat::detect_in(&mut stream).map_err(|error| failed(error.into()))?.is_none() {
        return Err(TextureJobError::NotATexture { input: input.name() });
    }
    turn.check_output()?;
    let states_color_space =
        ContainerFormat::states_color_space(&mut stream).map_err(|error| failed(error.into()))?;
    let options = options.read_options(turn.max_memory);
    let image = pictures::read_any(stream, None, &options, task).map_err(failed)?;
    Ok((image, states_color_space))
}

fn channels_name(image: &PngImage) -> &'static str {
    match image.texels() {
        Some(PngTexels::Grey8(_)) => "PNG grey",
        Some(PngTexels::Rgb8(_)) => "PNG RGB",
        Some(PngTexels::Rgba8(_)) => "PNG RGBA",
        Some(PngTexels::Grey16(_)) => "PNG 16-bit grey",
        Some(PngTexels::Rgb16(_)) => "PNG 16-bit RGB",
        Some(PngTexels::Rgba16(_)) => "PNG 16-bit RGBA",
        None if matches!(image, PngImage::Singles(_)) => "EXR RGB in single floats",
        None => "EXR RGB in half floats",
    }
}

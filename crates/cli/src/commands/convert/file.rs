//! Conversion jobs of a batch: a texture in, a texture file with the same blocks or plain texels out.

use super::{
    ConvertNote, Supercompression, TextureConvertOptions,
    note::{note_of_size, notes_of, states_color_space},
};
use crate::{
    batch::{Turn, Written},
    report::{TextureConvertReport, dimensions_name, stated_color_space_name},
};
use brickwork_base::Task;
use brickwork_texture::{
    Swizzle, Texture, TexturePart,
    container::{ContainerFormat, DdsHeader, Info, TextureWriteOptions},
};
use brickwork_toolkit::texture::{OptionsError, TextureJobError, read_texture};

/// Level of Zstandard for files that were supercompressed before.
const ZSTD_LEVEL: i32 = 9;

/// A texture file that was converted.
#[derive(Clone, Debug)]
pub struct ConvertedFile {
    /// The report.
    pub report: TextureConvertReport,
    /// Facts that the user may not expect.
    pub notes: Vec<ConvertNote>,
}

/// Reads the texture of a job and writes it with the changes of `options`. Data is copied. The task
/// reports the bytes read and written.
///
/// # Errors
/// [`TextureJobError`] if the input is not a texture, the options do not fit it, or the
/// container cannot contain it. An existing output is then unchanged.
pub fn convert_file(
    options: &TextureConvertOptions,
    turn: &Turn<'_>,
    task: &Task<'_>,
) -> Result<Written<ConvertedFile>, TextureJobError> {
    let (job, name) = (turn.job, turn.job.name());
    let input = job.inputs.first().ok_or_else(|| TextureJobError::NotATexture { input: name.clone() })?;
    let misfit = |file: String| move |error| TextureJobError::Options { file, error };
    let container =
        options.container_options().container_of(job.output.path()).map_err(misfit(job.output.name()))?;
    turn.check_output()?;
    let (texture, info) = read_texture(input, turn.max_memory, task)?;
    let input_bytes = texture.data().len() as u64;
    let texture = changed(options, texture, &name, turn.max_memory)?;
    let desc = texture.desc();
    let is_stated = desc.swizzle == Swizzle::IDENTITY || desc.has_x_in_alpha();
    if container == ContainerFormat::Dds && !is_stated {
        let letters = texture.desc().swizzle.letters();
        return Err(misfit(job.output.name())(OptionsError::SwizzleOfDds { letters }));
    }
    let header = header_of(options, &info);
    let zstd = match options.supercompression {
        Supercompression::Zstd(level) => Some(level),
        Supercompression::AsInput if container == ContainerFormat::Ktx2 => {
            info.supercompression.as_ref().map(|_| ZSTD_LEVEL)
        }
        Supercompression::AsInput | Supercompression::Off => None,
    };
    let is_known = info.states_color_space() || options.color_space.is_some();
    let mut notes = notes_of(&texture, container, header, is_known);
    notes.extend(note_of_size(texture.desc(), container));
    let write = TextureWriteOptions::default().with(|o| {
        o.dds_header = header;
        o.zstd = zstd;
    });
    let file_bytes = job.output.write(turn.existing, |sink| {
        let written = texture.write(sink, container, &write, task);
        written.map_err(|error| TextureJobError::Write { output: job.output.name(), error })
    })?;
    let desc = texture.desc();
    let is_stated = states_color_space(desc.format, container, header);
    let report = TextureConvertReport {
        input: name,
        output: job.output.name(),
        container: container.extension(),
        format: desc.format.name(),
        dimensions: dimensions_name(desc.kind),
        width: desc.width,
        height: desc.height,
        depth: desc.depth,
        layers: desc.layers,
        faces: desc.faces(),
        levels: desc.mip_levels,
        color_space: stated_color_space_name(is_stated.then_some(desc.color_space)),
        zstd,
        data_bytes: desc.data_bytes(),
        file_bytes,
        notes: notes.iter().map(ToString::to_string).collect(),
    };
    Ok(Written { result: ConvertedFile { report, notes }, input_bytes, output_bytes: file_bytes, kept: None })
}

/// Returns the texture with the changes of the options.
fn changed(
    options: &TextureConvertOptions,
    texture: Texture,
    name: &str,
    max_memory: u64,
) -> Result<Texture, TextureJobError> {
    let misfit = |error| TextureJobError::Options { file: name.to_owned(), error };
    let desc = options.apply(*texture.desc()).map_err(misfit)?;
    let texture = texture.with_desc(desc).map_err(|error| misfit(OptionsError::Texture(error)))?;
    let first = options.dropped_levels.min(u32::MAX - 1);
    let end = options
        .mip_levels
        .map_or_else(|| desc.mip_levels.max(first + 1), |count| first.saturating_add(count));
    if first == 0 && end == desc.mip_levels {
        return Ok(texture);
    }
    let part = TexturePart::default().with(|o| o.mip_levels = Some(first..end));
    let part_bytes = part.desc_of(&desc).map_err(|error| misfit(error.into()))?.data_bytes();
    let needed = desc.data_bytes().saturating_add(part_bytes);
    if needed > max_memory {
        return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
    }
    texture.part(&part).map_err(|error| misfit(error.into()))
}

/// Returns the header for a DDS file.
pub fn header_of(options: &TextureConvertOptions, info: &Info) -> DdsHeader {
    let keeps_legacy = info.is_legacy_dds() && options.color_space.is_none();
    let default = if keeps_legacy { DdsHeader::Legacy } else { DdsHeader::Auto };
    options.dds_header.unwrap_or(default)
}

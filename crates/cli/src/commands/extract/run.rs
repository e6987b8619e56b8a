//! Extraction of images from a texture file.

use super::{ExtractForm, ExtractOutput, TextureExtractOptions, selected::Selected};
use crate::{
    batch::{FileId, Output},
    commands::{
        convert::{TextureConvertOptions, header_of, notes_of},
        decode::{TextureDecodeOptions, decode_image},
    },
    report::{ExtractedFileReport, TextureExtractReport},
};
use brickwork_base::{Stage, Task, whole_file::Existing};
use brickwork_texture::{
    ColorSpace, ImageIndex, Texture,
    container::{DdsHeader, TextureWriteOptions},
    pictures::AnyImage,
};
use brickwork_toolkit::{
    batch::{BatchError, Input},
    texture::{OptionsError, TextureJobError, read_texture},
};
use std::{fs, path::Path};

/// Bytes of memory for a file's number, name and report.
const FILE_BYTES: u64 = 256;

/// Reads a texture and writes the images that `options` select, each to a file. All outputs are checked
/// before the first is written. The task reports the bytes read, then the files written.
///
/// # Errors
/// [`TextureJobError`] if the input is not a texture, an image does not exist, an output
/// exists and must not be replaced, or an output cannot contain its image. Files that were complete remain.
pub fn extract_images(
    input: &Input,
    output: &ExtractOutput,
    options: &TextureExtractOptions,
    existing: Existing,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<TextureExtractReport, TextureJobError> {
    let misfit = |error| TextureJobError::Options { file: input.name(), error };
    options.check(output).map_err(misfit)?;
    let (texture, info) = read_texture(input, max_memory, task)?;
    let desc = *texture.desc();
    let within = |needed: u64| match needed > max_memory {
        true => Err(TextureJobError::Memory { input: input.name(), needed, limit: max_memory }),
        false => Ok(()),
    };
    let list_bytes = Selected::count(options, &desc).saturating_mul(FILE_BYTES);
    within(desc.data_bytes().saturating_add(list_bytes))?;
    let list = Selected::list(options, &desc);
    for selected in list.iter().take(1).chain(list.last()) {
        let part = selected.part().desc_of(&desc).map_err(|error| misfit(OptionsError::Part(error)))?;
        within(desc.data_bytes().saturating_add(list_bytes).saturating_add(part.data_bytes()))?;
    }
    if let ExtractOutput::Folder(folder) = output {
        fs::create_dir_all(folder).map_err(|error| BatchError::io(folder.display(), error))?;
    }
    let outputs: Vec<_> =
        list.iter().map(|selected| output_of(output, selected, input.path(), options)).collect();
    let ids: Vec<_> = FileId::of_input(input).into_iter().collect();
    for output in &outputs {
        output.check(existing, &ids)?;
    }
    let color_space = info.states_color_space().then_some(texture.desc().color_space);
    let header = header_of(&TextureConvertOptions::default(), &info);
    let notes = Vec::new();
    let mut extraction = Extraction { input, options, existing, max_memory, color_space, header, notes };
    extraction.notes.extend(texture.notes().iter().cloned());
    let mut files = Vec::with_capacity(list.len());
    let count = list.len() as u64;
    for (done, (selected, output)) in (0..).zip(list.iter().zip(&outputs)) {
        task.report(Stage::Writing, done, count);
        let part = texture.part(&selected.part()).map_err(|error| misfit(OptionsError::Part(error)))?;
        let (width, height) = (part.desc().width, part.desc().height);
        let file_bytes = extraction.write(part, output, &task.without_progress())?;
        let Selected { level, layer, face, slice } = *selected;
        let output = output.name();
        files.push(ExtractedFileReport { output, level, layer, face, slice, width, height, file_bytes });
    }
    task.report(Stage::Writing, count, count);
    Ok(TextureExtractReport {
        command: "extract",
        input: input.name(),
        format: texture.desc().format.name(),
        files,
        notes: extraction.notes,
    })
}

/// Returns the output of a part.
fn output_of(
    output: &ExtractOutput,
    selected: &Selected,
    input: Option<&Path>,
    options: &TextureExtractOptions,
) -> Output {
    match output {
        ExtractOutput::File(output) => output.clone(),
        ExtractOutput::Folder(folder) => {
            let stem = input.and_then(Path::file_stem).unwrap_or("output".as_ref());
            let mut name = selected.name(stem, options);
            name.push(format!(".{}", options.form.extension()));
            Output::File(folder.join(name))
        }
    }
}

/// Conditions of the files that are written, and the notes about them.
struct Extraction<'a> {
    input: &'a Input,
    options: &'a TextureExtractOptions,
    existing: Existing,
    max_memory: u64,
    /// Colour space that the input states.
    color_space: Option<ColorSpace>,
    /// Header of DDS files.
    header: DdsHeader,
    /// Notes, each once.
    notes: Vec<String>,
}

impl Extraction<'_> {
    /// Adds notes that are new.
    fn note(&mut self, notes: impl Iterator<Item = String>) {
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Writes a part and returns the number of bytes.
    fn write(&mut self, part: Texture, output: &Output, task: &Task<'_>) -> Result<u64, TextureJobError> {
        let (form, name) = (self.options.form, output.name());
        if let ExtractForm::Texture(container) = form {
            let notes = notes_of(&part, container, self.header, self.color_space.is_some());
            self.note(notes.iter().map(ToString::to_string));
        }
        if !form.is_picture() {
            let write = TextureWriteOptions::default().with(|o| o.dds_header = self.header);
            return output.write(self.existing, |sink| match form {
                ExtractForm::Texture(container) => part
                    .write(sink, container, &write, task)
                    .map_err(|error| TextureJobError::Write { output: name, error }),
                _ => sink.write_all(part.data()).map_err(|error| BatchError::io(name, error).into()),
            });
        }
        let decode = TextureDecodeOptions {
            index: ImageIndex::default(),
            half_floats: form == ExtractForm::Exr,
            ..self.options.decode.clone()
        };
        let image = AnyImage::Texture(part);
        let picture = decode_image(image, &self.input.name(), &decode, self.max_memory, task)?;
        self.note(picture.notes.iter().cloned());
        output.write(self.existing, |sink| {
            let written = picture.write(sink, self.color_space, task);
            written.map_err(|error| TextureJobError::WritePng { output: name, error })
        })
    }
}

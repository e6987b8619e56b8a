//! The container of an output.

use super::{
    OptionsError, TextureJobError, TextureNote, TextureOptions,
    note::{self, RefusedSize, has_refused_size},
};
use crate::report::path_text;
use brickwork_base::Task;
use brickwork_texture::{Texture, TextureDesc, container::ContainerFormat};
use std::{io::Write, path::Path};

impl TextureOptions {
    /// Returns the container of files whose name does not decide it: the chosen one, else DDS, or KTX2 if the
    /// chosen format or family is not one of DDS.
    pub fn default_container(&self) -> ContainerFormat {
        let dds = ContainerFormat::Dds;
        let format = self.format.format();
        let is_of_dds = format.map_or(self.auto_family().is_of(dds), |format| dds.has_format(format));
        self.container.unwrap_or(if is_of_dds { ContainerFormat::Dds } else { ContainerFormat::Ktx2 })
    }

    /// Returns the container of a file at `path`, or of standard output without one: the chosen container, or
    /// that of the extension. Standard output defaults to the [default](Self::default_container).
    ///
    /// # Errors
    /// [`OptionsError`] if the extension belongs to another container or to none, the container cannot have
    /// the format or the family, or only another container supports one of the options.
    pub fn container_of(&self, path: Option<&Path>) -> Result<ContainerFormat, OptionsError> {
        let container = match path {
            None => self.default_container(),
            Some(path) => {
                let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
                match (extension.as_deref().and_then(ContainerFormat::of_extension), self.container) {
                    (Some(named), Some(chosen)) if named != chosen => {
                        return Err(OptionsError::Extension { named, chosen });
                    }
                    (Some(container), _) | (None, Some(container)) => container,
                    (None, None) => return Err(OptionsError::NoContainer { extension }),
                }
            }
        };
        if let Some(format) = self.format.format().filter(|&format| !container.has_format(format)) {
            return Err(OptionsError::FormatOfContainer { format, container });
        }
        if let (Some(family), None) = (self.family, self.format.format())
            && !family.is_of(container)
        {
            return Err(OptionsError::FamilyOfContainer { family, container });
        }
        let mut others = self.used().filter(|(row, _)| row.container.is_some_and(|of| of != container));
        match others.find_map(|(row, value)| Some((row.name_of(&value)?, row.container?))) {
            Some((option, needed)) => {
                let output = path.map_or_else(|| "standard output".to_owned(), path_text);
                Err(OptionsError::OfContainer { option, output, needed, container })
            }
            None => Ok(container),
        }
    }

    /// Writes a texture with the header and the compression of these options. `output` is the output's name,
    /// for errors.
    ///
    /// # Errors
    /// [`TextureJobError`] if the container cannot contain the texture, `sink` fails, or the task is
    /// cancelled.
    pub fn write(
        &self,
        texture: &Texture,
        container: ContainerFormat,
        output: &str,
        sink: &mut dyn Write,
        task: &Task<'_>,
    ) -> Result<(), TextureJobError> {
        let written = texture.write(sink, container, &self.write_options(), task);
        written.map_err(|error| TextureJobError::Write { output: output.to_owned(), error })
    }
}

impl TextureNote {
    /// Returns the note about the size of a texture whose file has this container. `output` is the file's
    /// name.
    pub fn of_size(desc: &TextureDesc, container: ContainerFormat, output: &str) -> Option<Self> {
        note::of_size(desc, container, output)
    }
}

/// Returns a sentence about the size of a texture that Direct3D refuses in a file of this container.
pub fn refused_size(desc: &TextureDesc, container: ContainerFormat) -> Option<String> {
    has_refused_size(desc, container).then(|| RefusedSize(desc.width, desc.height).to_string())
}

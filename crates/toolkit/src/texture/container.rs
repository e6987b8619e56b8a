//! The container of an output.

use super::{OptionsError, TextureOptions};
use crate::batch::Output;
use brickwork_texture::container::ContainerFormat;

impl TextureOptions {
    /// Returns the container of an output: the chosen one, or that of the output's extension. Standard output
    /// defaults to DDS.
    ///
    /// # Errors
    /// [`OptionsError`] if the extension belongs to another container or to none, or if only the other
    /// container supports one of the options.
    pub fn container_of(&self, output: &Output) -> Result<ContainerFormat, OptionsError> {
        let container = match output {
            Output::Stdout => self.container.unwrap_or(ContainerFormat::Dds),
            Output::File(path) => {
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
        let mut others = self.used().filter(|(row, _)| row.container.is_some_and(|of| of != container));
        match others.find_map(|(row, value)| row.name_of(&value)) {
            Some(option) => Err(OptionsError::OfContainer { option, output: output.name(), container }),
            None => Ok(container),
        }
    }
}

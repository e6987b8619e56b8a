//! Saving of textures to files that exist completely or not at all.

use super::{ContainerError, ContainerFormat, TextureWriteOptions};
use crate::{Task, Texture};
use brickwork_base::whole_file::{Existing, Target};
use std::{
    io::{BufWriter, Write},
    path::Path,
};

impl Texture {
    /// Writes the texture to the file at `path` with the default [`TextureWriteOptions`], as DDS, KTX2
    /// or `.astc` depending on the extension. An existing file is replaced once the new one is
    /// [whole](brickwork_base::whole_file).
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, Task, Texture, TextureDesc};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("grey.ktx2");
    /// let texture = Texture::new(TextureDesc::new_2d(BlockFormat::Bc4Unorm, 4, 4), vec![0x80; 8])?;
    /// texture.save(&path, &Task::new())?;
    /// assert_eq!(Texture::open(&path, &Task::new())?, texture);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ContainerError::UnknownExtension`], or as [`write`](Self::write). An existing file is then
    /// unchanged.
    pub fn save(&self, path: impl AsRef<Path>, task: &Task<'_>) -> Result<(), ContainerError> {
        self.save_with(path, &TextureWriteOptions::default(), task)
    }

    /// Writes the texture like [`save`](Self::save), with `options`.
    ///
    /// # Errors
    /// As [`save`](Self::save).
    pub fn save_with(
        &self,
        path: impl AsRef<Path>,
        options: &TextureWriteOptions,
        task: &Task<'_>,
    ) -> Result<(), ContainerError> {
        let path = path.as_ref();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let Some(container) = ContainerFormat::of_extension(&extension) else {
            return Err(ContainerError::UnknownExtension { extension: extension.into_owned() });
        };
        let mut file = Target::of(path)?.create()?;
        let mut writer = BufWriter::new(&mut file);
        self.write(&mut writer, container, options, task)?;
        writer.flush()?;
        drop(writer);
        Ok(file.commit(Existing::Replace)?)
    }
}

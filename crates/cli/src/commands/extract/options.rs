//! Options of extraction.

use crate::{batch::Output, commands::decode::TextureDecodeOptions, selection::Selection};
use brickwork_texture::container::ContainerFormat;
use brickwork_toolkit::texture::OptionsError;
use std::path::PathBuf;

/// Form of extracted files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtractForm {
    /// Decoded image as PNG.
    Png,
    /// Half floats of a decoded image as EXR.
    Exr,
    /// Blocks in a texture file.
    Texture(ContainerFormat),
    /// Blocks without a header.
    Raw,
}

/// Destination of extracted files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtractOutput {
    /// One file.
    File(Output),
    /// A folder, which is created if it does not exist. Files are named after the input.
    Folder(PathBuf),
}

/// Options of [`extract_images`](super::extract_images). Default: the first image, as PNG.
#[derive(Clone, Debug)]
pub struct TextureExtractOptions {
    /// Form of the files. Default: [`ExtractForm::Png`].
    pub form: ExtractForm,
    /// Selected mip levels. Default: [`Selection::Open`].
    pub level: Selection,
    /// Selected array layers. Default: [`Selection::Open`].
    pub layer: Selection,
    /// Selected faces of cubes. Default: [`Selection::Open`].
    pub face: Selection,
    /// Selected slices of a 3D texture. They belong to mip level 0 unless another is selected. Default:
    /// [`Selection::Open`].
    pub slice: Selection,
    /// Options of the decoder, of which the index and the choice of half floats are ignored.
    pub decode: TextureDecodeOptions,
}

impl ExtractForm {
    /// Returns the form of files with this extension, ignoring case: `png`, `exr`, `dds` or `ktx2`.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "exr" => Some(Self::Exr),
            other => ContainerFormat::of_extension(other).map(Self::Texture),
        }
    }

    /// Returns the extension of files: that of the format, or `bin` for raw blocks.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Exr => "exr",
            Self::Texture(container) => container.extension(),
            Self::Raw => "bin",
        }
    }

    /// True if the image is decoded.
    pub const fn is_picture(self) -> bool {
        matches!(self, Self::Png | Self::Exr)
    }
}

impl TextureExtractOptions {
    /// True if the options can select several images of a texture.
    pub fn selects_several(&self) -> bool {
        [self.level, self.layer, self.face, self.slice].contains(&Selection::Each)
    }

    /// Checks that the options fit the destination.
    ///
    /// # Errors
    /// [`OptionsError::SeveralImages`] if several images would go to one file.
    pub fn check(&self, output: &ExtractOutput) -> Result<(), OptionsError> {
        match output {
            ExtractOutput::File(output) if self.selects_several() => {
                Err(OptionsError::SeveralImages { output: output.name() })
            }
            _ => Ok(()),
        }
    }
}

impl Default for TextureExtractOptions {
    fn default() -> Self {
        let open = Selection::Open;
        let decode = TextureDecodeOptions::default();
        Self { form: ExtractForm::Png, level: open, layer: open, face: open, slice: open, decode }
    }
}

//! A file to audit, and the circumstances.

use super::{options::AuditOptions, uses::Uses};
use crate::report::{AuditAdvice, AuditUse, AuditedFile, EmbeddedImage};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{ColorSpace, TextureDesc};
use brickwork_toolkit::{device::Devices, texture::TextureOptions};

/// Properties of a file that are known before it is read.
#[derive(Clone, Debug)]
pub(super) struct Subject<'a> {
    /// Path of the file, or of the glTF file that contains it.
    pub file: String,
    pub embedded: Option<EmbeddedImage>,
    /// Extension of the file, which decides if the content does not.
    pub extension: Option<&'a str>,
    pub uses: &'a Uses,
    pub used_by: Vec<AuditUse>,
    pub file_bytes: u64,
}

/// Options, devices and memory of a trial.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub options: &'a AuditOptions,
    pub devices: &'a Devices,
    pub max_memory: u64,
}

impl Subject<'_> {
    /// Returns the name for messages.
    pub fn name(&self) -> String {
        self.embedded.as_ref().map_or_else(|| self.file.clone(), |embedded| embedded.name_in(&self.file))
    }

    /// Returns the name whose last word may state the use: that of the file, or of the image within it.
    pub fn hint(&self) -> String {
        match &self.embedded {
            None => self.file.clone(),
            Some(embedded) => embedded.name.clone().unwrap_or_default(),
        }
    }

    /// Returns the entry of a file that is left alone. `desc` has its shape.
    pub fn entry(
        &self,
        file_format: String,
        desc: &TextureDesc,
        format: &str,
        memory_bytes: u64,
    ) -> AuditedFile {
        let [width, height] = [desc.width, desc.height];
        AuditedFile {
            file: self.file.clone(),
            embedded: self.embedded.clone(),
            file_format,
            kind: None,
            width,
            height,
            images: u64::from(desc.layers) * u64::from(desc.faces()) * u64::from(desc.depth),
            levels: desc.mip_levels,
            multiple_of_4: width.is_multiple_of(4) && height.is_multiple_of(4),
            format: format.to_owned(),
            file_bytes: self.file_bytes,
            memory_bytes,
            advised_bytes: memory_bytes,
            saved_bytes: 0,
            advice: AuditAdvice::Keep,
            reason: String::new(),
            trial: None,
            used_by: self.used_by.clone(),
            notes: Vec::new(),
            is_lookup_table: false,
            thumbnail: String::new(),
        }
    }
}

/// Returns the options of `encode -f auto`, with the use that materials state.
pub(super) fn options_of(subject: &Subject<'_>, context: &Context<'_>) -> TextureOptions {
    let usage = subject.uses.usage();
    let color_space = match usage {
        PictureUse::Color => Some(ColorSpace::Srgb),
        PictureUse::Data => Some(ColorSpace::Linear),
        _ => None,
    };
    let mut options = context.options.texture_options();
    (options.usage, options.color_space) = (usage, color_space);
    options
}

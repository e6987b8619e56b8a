//! One file: read, and its entry. Textures in block formats are left alone.

use super::{
    error::AuditError,
    keep::KeepReason,
    picture::Case,
    subject::{Context, Subject, options_of},
};
use crate::report::{AuditKind, AuditedFile};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadError, PictureUse};
use brickwork_texture::{
    BlockFormat, ColorSpace, Texture,
    container::{Info, TextureReadOptions},
    pictures::{self, AnyInfo},
};
use brickwork_toolkit::{
    batch::ByteStream,
    texture::{TextureJobError, use_of_name},
};

impl Subject<'_> {
    /// Reads the file and returns its entry.
    ///
    /// # Errors
    /// [`AuditError`], which names the file.
    pub fn audit(
        &self,
        stream: &mut dyn ByteStream,
        context: &Context<'_>,
        task: &Task<'_>,
    ) -> Result<AuditedFile, AuditError> {
        let failed = |error| TextureJobError::Read { input: self.name(), error };
        let options = options_of(self, context).with_use_of_name(self.hint());
        let read = options.read_options(context.max_memory);
        let found = pictures::info_any(&mut *stream, self.extension, &read, task).map_err(failed)?;
        let found = match found {
            // Plain texels can be compressed.
            AnyInfo::Texture(info) if info.desc.format.plain().is_some() => {
                let picture = pictures::read(&mut *stream, self.extension, &read, task);
                AnyInfo::Picture(picture.map_err(failed)?)
            }
            found => found,
        };
        let mut entry = match found {
            AnyInfo::Picture(picture) => Case::new(self, &picture, stream, context, task)?.entry(picture)?,
            AnyInfo::Texture(info) => {
                // The length of the file was checked, but not the Zstandard data.
                if info.supercompression.is_some() {
                    let options = TextureReadOptions::default().with(|o| o.max_memory = context.max_memory);
                    Texture::read(stream, &options, task)
                        .map_err(|error| failed(ImageReadError::from(error)))?;
                }
                self.of_texture(&info)
            }
        };
        // A finding reports contradictions within a glTF file.
        if self.uses.contradict() && self.used_by.len() > 1 {
            entry
                .notes
                .push("glTF files use it in contradictory ways; the name or the texels decide".to_owned());
        }
        Ok(entry)
    }

    fn of_texture(&self, info: &Info) -> AuditedFile {
        let desc = &info.desc;
        let is_srgb = info.states_color_space() && desc.color_space == ColorSpace::Srgb;
        let usage = match self.uses.usage() {
            PictureUse::Unknown => use_of_name(&self.hint()).unwrap_or_default(),
            usage => usage,
        };
        let kind = match (usage, desc.format.block()) {
            (PictureUse::Normals, _) => Some(AuditKind::Normal),
            (PictureUse::Data, _) => Some(AuditKind::Data),
            (PictureUse::Color, _) => Some(AuditKind::Color),
            (_, Some(BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat)) => Some(AuditKind::Hdr),
            (_, Some(format)) if format.channels() == "R" => Some(AuditKind::OneChannel),
            _ => is_srgb.then_some(AuditKind::Color),
        };
        AuditedFile {
            kind,
            reason: KeepReason::Compressed.to_string(),
            notes: info.notes.clone(),
            ..self.entry(
                info.container.extension().to_uppercase(),
                desc,
                desc.format.name(),
                desc.data_bytes(),
            )
        }
    }
}

//! One file: read, and its entry. Textures in block formats are left alone.

use super::{
    error::AuditError,
    keep::KeepReason,
    picture::Case,
    subject::{Context, Subject, options_of},
};
use crate::{
    commands::{
        compare::{CompareInput, CompareOptions},
        report::html::{SIDE, ThumbnailError, thumbnail},
    },
    report::{AuditKind, AuditedFile},
};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadError, PictureUse};
use brickwork_texture::{
    BlockFormat, ColorSpace, Swizzle, Texture, TextureDesc,
    container::{Info, TextureReadOptions},
    pictures::{self, AnyInfo},
};
use brickwork_toolkit::{
    batch::ByteStream,
    texture::{FormatFamily, TextureJobError, use_of_name},
};
use std::sync::Arc;

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
                let mut entry = self.of_texture(&info);
                // The length of the file was checked, but not the Zstandard data.
                if info.supercompression.is_some() || context.options.thumbnails {
                    let options = TextureReadOptions::default().with(|o| o.max_memory = context.max_memory);
                    let texture = Texture::read(stream, &options, task)
                        .map_err(|error| failed(ImageReadError::from(error)))?;
                    if context.options.thumbnails {
                        entry.thumbnail = self.texture_thumbnail(texture, entry.kind, context, task)?;
                    }
                }
                entry
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

    /// Returns the thumbnail of the smallest mip level that is not smaller than it.
    fn texture_thumbnail(
        &self,
        texture: Texture,
        kind: Option<AuditKind>,
        context: &Context<'_>,
        task: &Task<'_>,
    ) -> Result<String, AuditError> {
        let desc = texture.desc();
        let is_enough = |level: &u32| (desc.width.max(desc.height) >> level) >= SIDE;
        let level = (0..desc.mip_levels.min(32)).rev().find(is_enough).unwrap_or(0);
        let options = CompareOptions { level, ..CompareOptions::default() };
        let texture = Arc::new(texture);
        let image = CompareInput::of_texture(self.name(), texture, &options, context.max_memory)?;
        let (texels, channel_count) = (image.image(0, task)?, image.channel_count());
        let kind = kind.unwrap_or(if channel_count == 2 { AuditKind::Normal } else { AuditKind::Color });
        let view = texels.view(image.width(), image.image_height()).map_err(ThumbnailError::from);
        let made = view.and_then(|view| thumbnail(&*view, kind, channel_count, task));
        Ok(made.map_err(|error| error.of(self.name()))?)
    }

    fn of_texture(&self, info: &Info) -> AuditedFile {
        let desc = &info.desc;
        let is_srgb = info.states_color_space() && desc.color_space == ColorSpace::Srgb;
        let usage = match self.uses.usage() {
            PictureUse::Unknown => use_of_name(&self.hint()).unwrap_or_default(),
            usage => usage,
        };
        let channel_count = desc.format.channels().len();
        let is_hdr = desc.format.is_float();
        let kind = AuditKind::of_stated(self.uses.usage(), is_hdr)
            .or_else(|| AuditKind::of_texture(is_hdr, channel_count, Some(usage), is_srgb));
        let mut notes = info.notes.clone();
        notes.extend(misfit(usage, desc, is_srgb, self.uses.read_more_than_red()));
        AuditedFile {
            kind,
            reason: KeepReason::Compressed.to_string(),
            notes,
            ..self.entry(
                info.container.extension().to_uppercase(),
                desc,
                desc.format.name(),
                desc.data_bytes(),
            )
        }
    }
}

/// Returns the reason why the format of a texture does not suit its use; none if it does, or if a swizzle may
/// move its channels.
fn misfit(usage: PictureUse, desc: &TextureDesc, is_srgb: bool, reads_more_than_red: bool) -> Option<String> {
    let format = desc.format.block().filter(|_| desc.swizzle == Swizzle::IDENTITY)?;
    let channel_count = format.channels().len();
    let closer = FormatFamily::of(format).counterpart(BlockFormat::Bc5Unorm, true);
    match usage {
        PictureUse::Normals | PictureUse::Data if is_srgb => {
            let subject = if usage == PictureUse::Data { "data" } else { "normals" };
            Some(format!("{subject} in an sRGB texture, which readers convert as colours"))
        }
        PictureUse::Normals if channel_count == 1 => {
            Some(format!("normals in {format}, which stores one channel"))
        }
        PictureUse::Normals => match (format, closer) {
            // Others of three or four channels may be swizzled, as in DXT5nm.
            (BlockFormat::Bc1 | BlockFormat::Etc2Rgb | BlockFormat::Etc2RgbA1, Some(closer)) => {
                Some(format!("normals in {format}, which loses much of them; {closer} stores x and y closer"))
            }
            _ => None,
        },
        PictureUse::Color if channel_count < 3 => {
            let channels = if channel_count == 1 { "one channel" } else { "two channels" };
            Some(format!("colours in {format}, which stores {channels}"))
        }
        _ if channel_count == 1 && reads_more_than_red => {
            Some(format!("materials read more than red, and {format} stores one channel"))
        }
        _ => None,
    }
}

//! Trials: textures of a picture that are planned and encoded, and not written.

use super::{
    EncodedTexture, OptionsError, PictureFacts, TextureJobError, TextureNote, TextureOptions, TexturePlan,
    encode::encode_planned, hint::Hinted, notes::notes_of, pictures::Pictures,
};
use crate::device::Devices;
use brickwork_base::{Cancelled, Task};
use brickwork_image::image_file::Picture;
use brickwork_texture::BlockFormat;
use std::{borrow::Cow, fmt, slice};

/// A picture, apart from its texels, with options to which the use was added that its name states.
#[derive(Clone)]
pub struct TextureTrial {
    hinted: Hinted,
    name: String,
    facts: PictureFacts,
}

impl fmt::Debug for TextureTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, options) = (&self.name, &self.hinted.options);
        f.debug_struct("TextureTrial").field("name", name).field("options", options).finish_non_exhaustive()
    }
}

impl TextureTrial {
    /// Examines a picture. `name` is the file's name for errors and notes, and `hint` the one that may state
    /// the use. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn new(
        options: &TextureOptions,
        name: String,
        hint: String,
        picture: &Picture,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        let hinted = Hinted::of_pictures(options, &[hint], slice::from_ref(picture));
        let facts = PictureFacts::of(picture, &hinted.options, task)?;
        Ok(Self { hinted, name, facts })
    }

    /// Returns the same trial with a chosen format.
    #[must_use]
    pub fn in_format(&self, format: BlockFormat) -> Self {
        Self { hinted: self.hinted.in_format(format), ..self.clone() }
    }

    /// True if the file's channels have 16 bits that are not 8 bits twice.
    pub const fn has_more_than_8_bits(&self) -> bool {
        self.facts.has_more_than_8_bits
    }

    /// Returns the decisions about the texture. `explains` adds to their reasons that the name counted.
    ///
    /// # Errors
    /// [`OptionsError`] if the options do not fit the picture.
    pub fn plan(&self, explains: bool) -> Result<TexturePlan, OptionsError> {
        let mut plan = TexturePlan::of(&self.hinted.options, slice::from_ref(&self.facts))?;
        if explains {
            self.hinted.explain(&mut plan);
        }
        Ok(plan)
    }

    /// Returns the notes about the planned texture.
    pub fn notes(&self, plan: &TexturePlan) -> Vec<TextureNote> {
        let (facts, names) = (slice::from_ref(&self.facts), slice::from_ref(&self.name));
        notes_of(&self.hinted.options, plan, facts, names)
    }

    /// Encodes the picture, or a sample of it. The task reports blocks, then images that are measured.
    ///
    /// # Errors
    /// [`TextureJobError`] if the options do not fit the picture, more than `max_memory` bytes are needed,
    /// the device fails, or the task is cancelled.
    pub fn encode(
        &self,
        picture: &Picture,
        devices: &Devices,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<EncodedTexture, TextureJobError> {
        let (width, height) = (picture.width, picture.height);
        let texel_bytes = picture.texels.byte_count() as u64;
        let facts = [PictureFacts { width, height, texel_bytes, ..self.facts.clone() }];
        let pictures = Pictures::InMemory { pictures: vec![Cow::Borrowed(picture)], max_value: None };
        let names = slice::from_ref(&self.name);
        encode_planned(&self.hinted, &pictures, &facts, names, devices, max_memory, task)
    }
}

impl TextureOptions {
    /// Returns the options with the use that a picture's name states.
    #[must_use]
    pub fn with_use_of_name(&self, name: String) -> Self {
        Hinted::new(self, &[name]).options
    }
}

//! Trials: textures of a picture that are planned and encoded, and not written.

use super::{
    EncodedTexture, OptionsError, PictureFacts, TextureJobError, TextureNote, TextureOptions, TexturePlan,
    encode::encode_planned, hint::Hinted, note, pictures::Pictures,
};
use crate::device::Devices;
use brickwork_base::Task;
use brickwork_texture::{BlockFormat, image_file::Picture};
use std::{borrow::Cow, slice};

/// Options of one picture, with the use that its name states.
#[derive(Clone, Copy)]
pub struct TextureTrial(Hinted);

impl std::fmt::Debug for TextureTrial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TextureTrial").field(self.options()).finish()
    }
}

impl TextureTrial {
    /// Adds the use that a picture's file name states to the options.
    pub fn new(options: &TextureOptions, name: &str) -> Self {
        Self(Hinted::new(options, &[name.to_owned()]))
    }

    /// Returns the options with the use that the name states.
    pub const fn options(&self) -> &TextureOptions {
        &self.0.options
    }

    /// Returns the same trial with a chosen format.
    #[must_use]
    pub fn in_format(&self, format: BlockFormat) -> Self {
        Self(self.0.in_format(format))
    }

    /// Returns the decisions about a picture with these facts. `explains` adds to their reasons that the name
    /// counted.
    ///
    /// # Errors
    /// [`OptionsError`] if the options do not fit the picture.
    pub fn plan(&self, facts: &PictureFacts, explains: bool) -> Result<TexturePlan, OptionsError> {
        let mut plan = TexturePlan::of(&self.0.options, slice::from_ref(facts))?;
        if explains {
            self.0.explain(&mut plan);
        }
        Ok(plan)
    }

    /// Returns the notes about a planned picture. `name` is the file's name.
    pub fn notes(&self, plan: &TexturePlan, facts: &PictureFacts, name: &str) -> Vec<TextureNote> {
        note::notes_of(&self.0.options, plan, slice::from_ref(facts), &[name.to_owned()])
    }

    /// Encodes a picture, which need not be the one of the facts, except for its size. `name` is the file's
    /// name, for errors. The task reports blocks, then images that are measured.
    ///
    /// # Errors
    /// [`TextureJobError`] if the options do not fit the picture, more than `max_memory` bytes are needed,
    /// the device fails, or the task is cancelled.
    pub fn encode(
        &self,
        picture: &Picture,
        facts: &PictureFacts,
        name: &str,
        devices: &Devices,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<EncodedTexture, TextureJobError> {
        let pictures = Pictures::InMemory { pictures: vec![Cow::Borrowed(picture)], max_value: None };
        let facts = slice::from_ref(facts);
        encode_planned(&self.0, &pictures, facts, &[name.to_owned()], devices, max_memory, task)
    }
}

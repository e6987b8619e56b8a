//! An original and its textures, compared.

use super::{
    HtmlReportOptions,
    entry::{Context, Entry, Original},
};
use crate::{
    commands::compare::{CompareInput, CompareOptions, MeasureLimit},
    folder_pairs::FilePair,
    report::ComparedImage,
};
use brickwork_base::Task;
use brickwork_texture::RoundingRule;
use brickwork_toolkit::{
    batch::Input,
    texture::{TextureJobError, prepared_picture},
};
use std::slice;

/// Bytes of memory per texel and texture: displayed texels, mip levels, errors, endpoints and modes.
const TEXTURE_BYTES: u64 = 4 + 2 + 1 + 4 + 7;

/// Bytes of memory per texel for the original as displayed, and for the copies that a comparison needs.
const ORIGINAL_BYTES: u64 = 4 + 2 * 16;

/// More bytes per texel for originals in single floats.
const SINGLE_BYTES: u64 = 16;

/// More bytes per texel for each picture of floats.
const LIGHT_BYTES: u64 = 12;

/// Minimum number of bytes of a page per texel and picture, by experience.
const MIN_BYTES: f64 = 0.05;

/// An original and its textures.
pub(super) struct Compared {
    pub original: ComparedImage,
    /// Pictures of the original.
    pub originals: Vec<Original>,
    pub entries: Vec<Entry>,
    pub notes: Vec<String>,
    /// Decoder of the textures.
    pub decoder: RoundingRule,
}

impl Compared {
    /// Reads an original and its textures, and compares them.
    pub fn read(
        original: &Input,
        textures: &[Input],
        options: &HtmlReportOptions,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        let read = CompareInput::read(original, &options.compare, max_memory, task)?;
        Self::of(read, textures, &options.compare, &options.limits, max_memory, task)
    }

    /// Reads a pair of files of two folders, and compares them: the texture of rules with the image as it
    /// was encoded.
    pub fn read_pair(
        pair: &FilePair,
        options: &HtmlReportOptions,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        let [original, texture] = &pair.inputs;
        let textures = slice::from_ref(texture);
        let Some(making) = &pair.making else {
            return Self::read(original, textures, options, max_memory, task);
        };
        let picture = prepared_picture(&making.options, &making.inputs, max_memory, task)?;
        let image = CompareInput::of_picture(original.name(), picture);
        let compare = options.compare.made_by(making.options.effective_encode_options());
        Self::of(image, textures, &compare, &options.limits, max_memory, task)
    }

    /// Reads the textures of an original, and compares them.
    pub fn of(
        read: CompareInput,
        textures: &[Input],
        options: &CompareOptions,
        limits: &[MeasureLimit],
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<Self, TextureJobError> {
        let texel_count = u64::from(read.width()) * u64::from(read.height());
        let light_bytes = if read.is_float() { LIGHT_BYTES } else { 0 };
        let original_bytes = ORIGINAL_BYTES + light_bytes + if read.is_single() { SINGLE_BYTES } else { 0 };
        let texture_bytes = (TEXTURE_BYTES + light_bytes) * textures.len() as u64;
        let needed = texel_count.saturating_mul(original_bytes + texture_bytes);
        if needed > max_memory {
            return Err(TextureJobError::Memory { input: read.name().to_owned(), needed, limit: max_memory });
        }
        let context = Context { original: &read, options, limits, max_memory };
        let mut originals = Vec::new();
        let mut entries = Vec::with_capacity(textures.len());
        let mut notes: Vec<String> = read.notes().iter().map(ToString::to_string).collect();
        for input in textures {
            let mut entry = Entry::read(input, &context, &mut originals, task)?;
            // Several entries may have the same note about the original.
            entry.notes.retain(|note| !notes.contains(note));
            notes.append(&mut entry.notes);
            entries.push(entry);
        }
        Ok(Self { original: read.report(), originals, entries, notes, decoder: options.decoder() })
    }

    /// Returns the length of the original's longer side in texels.
    pub fn longer_side(&self) -> u32 {
        self.original.width.max(self.original.height)
    }

    /// Returns the lowest number of bytes that the pictures take on a page if their sides are reduced by a
    /// factor. A page that would be too large even with this number is not made.
    pub fn least_bytes(&self, factor: u32) -> f64 {
        let texel_count = f64::from(self.original.width) * f64::from(self.original.height);
        let pictures = (self.originals.len() + 2 * self.entries.len()) as f64;
        texel_count / f64::from(factor).powi(2) * pictures * MIN_BYTES
    }
}

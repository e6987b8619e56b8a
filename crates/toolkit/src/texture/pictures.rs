//! Pictures of a texture, in memory, or in files that are read when they are needed.

use super::{
    PackingError, PictureFacts, TextureJobError, TextureLayout, TextureNote, TextureOptions,
    packing::packed,
    prepare::{Preparation, prepare},
    read_picture,
    roughness::RoughnessMap,
    special_values::clamp,
};
use crate::batch::Input;
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadOptions, Picture};
use brickwork_texture::{Image, half::f16};
use std::borrow::Cow;

/// Divisor of the memory limit that gives the memory for kept pictures. The others are read again for each
/// use.
const KEPT_SHARE: u64 = 4;

/// The pictures of a texture, in the order of the options' [layout](TextureLayout).
pub(super) enum Pictures<'a> {
    InMemory {
        /// Prepared pictures are owned; pictures that need no preparation are borrowed.
        pictures: Vec<Cow<'a, Picture>>,
        /// Maximum of colours.
        max_value: Option<f16>,
    },
    Files(PictureFiles<'a>),
    /// Texels of the caller, which need no preparation.
    Images(&'a [&'a dyn Image]),
    /// One picture, with mip levels that depend on a normal map.
    Roughness(Box<RoughnessMap>),
}

/// Pictures in files. Each is read once for its facts. The first ones stay in memory, and the others are read
/// again.
pub(super) struct PictureFiles<'a> {
    inputs: &'a [Input],
    kept: Vec<Option<Picture>>,
    preparations: Vec<Preparation>,
    read: ImageReadOptions,
}

impl<'a> PictureFiles<'a> {
    /// Reads the inputs, and also returns the facts about them. Channels of the files in `others` are packed
    /// into the only input; the notes are about these files. The task reports the bytes of each.
    ///
    /// # Errors
    /// [`TextureJobError`], which names the input.
    pub fn read(
        inputs: &'a [Input],
        others: &[Input],
        options: &TextureOptions,
        max_memory: u64,
        task: &Task<'_>,
    ) -> Result<(Self, Vec<PictureFacts>, Vec<TextureNote>), TextureJobError> {
        let (mut kept, mut facts, mut preparations) = (Vec::new(), Vec::new(), Vec::new());
        let packing = options.packing;
        let mut notes = Vec::new();
        let count = packing.picture_count();
        if count != others.len() || count > 0 && inputs.len() != 1 {
            let file = inputs.first().map_or_else(|| "no input".to_owned(), Input::name);
            return Err(TextureJobError::Options { file, error: PackingError::Inputs.into() });
        }
        let mut kept_bytes = 0u64;
        for (index, input) in inputs.iter().enumerate() {
            let read = options.read_options(max_memory.saturating_sub(kept_bytes));
            let mut picture = read_picture(input, &read, task)?;
            if !others.is_empty() {
                let mut others = others.iter();
                let next = |max_memory: u64| -> Result<_, TextureJobError> {
                    let other = others.next().unwrap_or(input);
                    let read = options.read_options_of_channels(max_memory);
                    Ok((read_picture(other, &read, task)?, other.name()))
                };
                (picture, notes) = packed(picture, &input.name(), packing, read.max_memory, next, task)?;
            }
            let (picture, of_picture, preparation) =
                prepare(picture, &input.name(), options, read.max_memory, task)?;
            let all_bytes = kept_bytes.saturating_add(of_picture.texel_bytes);
            let is_kept = index == 0 || all_bytes <= max_memory / KEPT_SHARE || !input.can_be_read_again();
            if is_kept {
                kept_bytes = all_bytes;
            }
            kept.push(is_kept.then_some(picture));
            facts.push(of_picture);
            preparations.push(preparation);
        }
        let read = options.read_options(max_memory.saturating_sub(kept_bytes));
        Ok((Self { inputs, kept, preparations, read }, facts, notes))
    }

    /// Returns the picture of the only file; none if there are several files.
    pub fn into_only(mut self) -> Option<Picture> {
        if self.kept.len() == 1 { self.kept.pop().flatten() } else { None }
    }
}

impl Pictures<'_> {
    /// Returns the number of pictures.
    pub fn count(&self) -> usize {
        match self {
            Self::InMemory { pictures, .. } => pictures.len(),
            Self::Files(files) => files.inputs.len(),
            Self::Images(images) => images.len(),
            Self::Roughness(_) => 1,
        }
    }

    /// Returns the picture at `index` as an image. A picture that is not in memory is read.
    ///
    /// # Errors
    /// [`TextureJobError`], which names the input.
    pub fn image(&self, index: usize, task: &Task<'_>) -> Result<Box<dyn Image + '_>, TextureJobError> {
        let no_texels = |name: String| {
            move |error| TextureJobError::Measure { input: name, error: super::MeasureError::Image(error) }
        };
        match self {
            Self::InMemory { pictures, max_value } => {
                let failed = no_texels(format!("picture {index}"));
                // Prepared pictures are clamped already.
                match (max_value, &pictures[index]) {
                    (Some(max), Cow::Borrowed(picture)) if picture.texels.is_float() => {
                        let mut picture = (*picture).clone();
                        clamp(&mut picture.texels, *max, task)?;
                        picture.into_image().map_err(failed)
                    }
                    _ => pictures[index].view().map_err(failed),
                }
            }
            Self::Files(files) => match &files.kept[index] {
                Some(picture) => picture.view().map_err(no_texels(files.inputs[index].name())),
                None => {
                    let input = &files.inputs[index];
                    let picture = read_picture(input, &files.read, &task.without_progress())?;
                    let (name, max_memory) = (input.name(), files.read.max_memory);
                    let picture =
                        files.preparations[index].swizzle_and_run(picture, &name, max_memory, task)?;
                    picture.into_image().map_err(no_texels(input.name()))
                }
            },
            Self::Images(images) => Ok(Box::new(images[index])),
            Self::Roughness(map) => map.image().map_err(no_texels(format!("picture {index}"))),
        }
    }

    /// Returns the bytes of the pictures that are in memory at the same time, for pictures with the given
    /// facts.
    pub fn memory_bytes(&self, facts: &[PictureFacts], layout: TextureLayout) -> u64 {
        if let Self::Roughness(map) = self {
            return map.memory_bytes();
        }
        let is_kept = |index: usize| match self {
            Self::InMemory { .. } | Self::Images(_) | Self::Roughness(_) => true,
            Self::Files(files) => files.kept[index].is_some(),
        };
        // Clamping copies a picture of floats.
        let is_copied = |index: usize| match self {
            Self::InMemory { pictures, max_value } => {
                max_value.is_some()
                    && matches!(pictures[index], Cow::Borrowed(picture) if picture.texels.is_float())
            }
            Self::Files(_) | Self::Images(_) | Self::Roughness(_) => false,
        };
        let (mut kept, mut largest) = (0u64, 0);
        for (index, facts) in facts.iter().enumerate() {
            if is_kept(index) {
                kept = kept.saturating_add(facts.texel_bytes);
            }
            // A picture that is read again may be larger than the prepared one.
            let again = match self {
                Self::Files(files) if !is_kept(index) => files.preparations[index].memory_bytes(),
                _ => 0,
            };
            if is_copied(index) || !is_kept(index) {
                largest = facts.texel_bytes.max(again).max(largest);
            }
        }
        // The encoder needs neighbouring slices together (`Surfaces::each`).
        let at_a_time = if layout == TextureLayout::Slices { 3 } else { 1 };
        kept.saturating_add(largest.saturating_mul(at_a_time))
    }
}

//! Pictures of a texture, in memory, or in files that are read when they are needed.

use super::{
    PictureFacts, TextureJobError, TextureLayout, picture_files::PictureFiles, roughness::RoughnessMap,
    special_values::clamp,
};
use brickwork_base::Task;
use brickwork_image::image_file::Picture;
use brickwork_texture::{Image, half::f16};
use std::borrow::Cow;

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

impl Pictures<'_> {
    /// Returns the number of pictures.
    pub fn count(&self) -> usize {
        match self {
            Self::InMemory { pictures, .. } => pictures.len(),
            Self::Files(files) => files.count(),
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
            Self::Files(files) => files.image(index, task),
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
            Self::Files(files) => files.is_kept(index),
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
                Self::Files(files) if !is_kept(index) => files.memory_bytes(index),
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

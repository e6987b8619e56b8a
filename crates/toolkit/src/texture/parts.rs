//! Inputs of a job by their use.

use super::TextureOptions;
use crate::batch::Input;

/// Inputs of a job, or pictures in memory, by their use.
pub(super) struct Parts<'a, T> {
    /// The pictures of the texture's layout.
    pub images: &'a [T],
    /// The pictures whose channels are packed.
    pub packed: &'a [T],
    /// The normal map of a roughness map.
    pub normals: Option<&'a T>,
}

impl TextureOptions {
    /// Divides inputs or pictures by their use.
    pub(super) fn parts_of<'a, T>(&self, inputs: &'a [T]) -> Parts<'a, T> {
        let (normals, inputs) = match inputs.split_last() {
            Some((normals, inputs)) if self.roughness_from_normals => (Some(normals), inputs),
            _ => (None, inputs),
        };
        let image_count = inputs.len().saturating_sub(self.packing.picture_count());
        let (images, packed) = inputs.split_at(image_count);
        Parts { images, packed, normals }
    }

    /// Returns the names of the inputs that are pictures of the texture, without those of packed channels and
    /// normal maps.
    pub fn image_names(&self, inputs: &[Input]) -> Vec<String> {
        self.parts_of(inputs).images.iter().map(Input::name).collect()
    }
}

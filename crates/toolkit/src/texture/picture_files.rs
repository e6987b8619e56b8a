//! Pictures in files, which are read again when they are needed.

use super::{
    MeasureError, PackingError, PictureFacts, TextureJobError, TextureNote, TextureOptions,
    packing::packed,
    prepare::{Preparation, prepare},
    read_picture,
};
use crate::batch::Input;
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadOptions, Picture};
use brickwork_texture::Image;

/// Divisor of the memory limit that gives the memory for kept pictures. The others are read again for each
/// use.
const KEPT_SHARE: u64 = 4;

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

    /// Returns the number of pictures.
    pub fn count(&self) -> usize {
        self.inputs.len()
    }

    /// True if the picture at `index` stays in memory.
    pub fn is_kept(&self, index: usize) -> bool {
        self.kept[index].is_some()
    }

    /// Returns the bytes of memory that the preparation of a picture that is read again needs.
    pub fn memory_bytes(&self, index: usize) -> u64 {
        self.preparations[index].memory_bytes()
    }

    /// Returns the picture at `index` as an image. A picture that is not in memory is read.
    ///
    /// # Errors
    /// [`TextureJobError`], which names the input.
    pub fn image(&self, index: usize, task: &Task<'_>) -> Result<Box<dyn Image + '_>, TextureJobError> {
        let input = &self.inputs[index];
        let name = input.name();
        let no_texels =
            |error| TextureJobError::Measure { input: input.name(), error: MeasureError::Image(error) };
        if let Some(picture) = &self.kept[index] {
            return picture.view().map_err(no_texels);
        }
        let picture = read_picture(input, &self.read, &task.without_progress())?;
        let max_memory = self.read.max_memory;
        let picture = self.preparations[index].swizzle_and_run(picture, &name, max_memory, task)?;
        picture.into_image().map_err(no_texels)
    }
}

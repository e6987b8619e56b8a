//! Encoding of files to a texture in memory.

use super::{
    EncodedTexture, OptionsError, PictureFacts, PlannedTexture, TextureJobError, TextureNote, TextureOptions,
    encode::{encode_pictures, encode_planned, plan_pictures, planned},
    hint::Hinted,
    parts::Parts,
    picture_files::PictureFiles,
    pictures::Pictures,
    roughness::RoughnessMap,
    whole::WholeTexture,
};
use crate::{batch::Input, device::Devices};
use brickwork_base::Task;
use brickwork_image::image_file::Picture;
use std::{collections::BTreeSet, time::Instant};

/// Reads inputs and encodes them. The task reports the bytes of each input, blocks, and images that are
/// measured.
///
/// With [`TextureOptions::all_images`], all images of a texture file are encoded. They are in memory
/// together.
///
/// If the pictures of several inputs take more than a quarter of the memory limit, the remaining ones are
/// read one at a time, again for each step.
///
/// The first inputs are the pictures of the options' [layout](super::TextureLayout). The next ones contain
/// the channels of [`TextureOptions::packing`]. With [`TextureOptions::roughness_from_normals`],
/// the last input is the normal map.
///
/// # Errors
/// [`TextureJobError`] if an input is not readable, the options do not fit the pictures, more than
/// `max_memory` bytes are needed, the device fails, or the task is cancelled.
pub fn encode_files(
    options: &TextureOptions,
    inputs: &[Input],
    devices: &Devices,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<EncodedTexture, TextureJobError> {
    let start = Instant::now();
    if options.all_images
        && let [input] = inputs
        && let Some(whole) = WholeTexture::read(input, options, max_memory, task)?
    {
        let (WholeTexture { options: of_images, pictures, names }, read_time) = (whole, start.elapsed());
        let mut encoded = encode_pictures(&of_images, &pictures, &names, devices, max_memory, task)?;
        // Most notes are those of each image.
        let mut texts = BTreeSet::new();
        encoded.notes.retain(|note| texts.insert(note.to_string()));
        return Ok(EncodedTexture { read_time, ..encoded });
    }
    let Found { hinted, pictures, facts, notes, names } = found(options, inputs, max_memory, task)?;
    let read_time = start.elapsed();
    let mut encoded = encode_planned(&hinted, &pictures, &facts, &names, devices, max_memory, task)?;
    encoded.notes.extend(notes);
    Ok(EncodedTexture { read_time, ..encoded })
}

/// Reads inputs and returns the decisions of [`encode_files`] about their texture, before
/// [`TextureOptions::min_psnr`]. The task reports the bytes of each input.
///
/// # Errors
/// [`TextureJobError`] if an input is not readable, the options do not fit the pictures, more than
/// `max_memory` bytes are needed, or the task is cancelled.
pub fn plan_files(
    options: &TextureOptions,
    inputs: &[Input],
    max_memory: u64,
    task: &Task<'_>,
) -> Result<PlannedTexture, TextureJobError> {
    if options.all_images
        && let [input] = inputs
        && let Some(whole) = WholeTexture::read(input, options, max_memory, task)?
    {
        let WholeTexture { options, pictures, names } = whole;
        let mut planned = plan_pictures(&options, &pictures, &names, max_memory, task)?;
        let mut texts = BTreeSet::new();
        planned.notes.retain(|note| texts.insert(note.to_string()));
        return Ok(planned);
    }
    let Found { hinted, facts, notes, names, .. } = found(options, inputs, max_memory, task)?;
    let mut planned = planned(&hinted, &facts, &names)?;
    planned.notes.extend(notes);
    Ok(planned)
}

/// Pictures of inputs.
pub(super) struct Found<'a> {
    pub hinted: Hinted,
    pub pictures: Pictures<'a>,
    pub facts: Vec<PictureFacts>,
    /// Notes about packed channels and normal maps.
    pub notes: Vec<TextureNote>,
    /// Names of the images.
    pub names: Vec<String>,
}

/// Reads the pictures of inputs.
pub(super) fn found<'a>(
    options: &TextureOptions,
    inputs: &'a [Input],
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Found<'a>, TextureJobError> {
    let Parts { images, packed, normals } = options.parts_of(inputs);
    let names: Vec<String> = images.iter().map(Input::name).collect();
    let read = |hinted: &Hinted| -> Result<_, TextureJobError> {
        Ok(match normals {
            None => {
                let (files, facts, notes) =
                    PictureFiles::read(images, packed, &hinted.options, max_memory, task)?;
                (Pictures::Files(files), facts, notes)
            }
            Some(normals) => {
                let (map, facts, notes) =
                    RoughnessMap::read(images, packed, normals, &hinted.options, max_memory, task)?;
                (Pictures::Roughness(Box::new(map)), facts, notes)
            }
        })
    };
    let mut hinted = Hinted::new(options, &names);
    let mut found = read(&hinted)?;
    if hinted.is_material() && found.1.iter().any(|facts| facts.has_colors) {
        drop(found);
        hinted = Hinted::new(options, &[]);
        found = read(&hinted)?;
    }
    let (pictures, facts, notes) = found;
    Ok(Found { hinted, pictures, facts, notes, names })
}

/// Reads inputs and returns the picture that [`encode_files`] encodes as mip level 0 of their first image,
/// with all changes except those that readers of the texture undo: its colours are not multiplied by alpha,
/// and it is upright. The task reports the bytes of each input.
///
/// # Errors
/// [`TextureJobError`] if an input is not readable, the options do not fit the pictures, more than
/// `max_memory` bytes are needed, or the task is cancelled.
pub fn prepared_picture(
    options: &TextureOptions,
    inputs: &[Input],
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Picture, TextureJobError> {
    let options = TextureOptions { premultiply: false, flip_y: false, ..options.clone() };
    let Parts { images, packed, normals } = options.parts_of(inputs);
    let first = &images[..images.len().min(1)];
    let names: Vec<String> = images.iter().map(Input::name).collect();
    let read = |hinted: &Hinted| -> Result<_, TextureJobError> {
        let options = TextureOptions { given_mip_levels: 1, ..hinted.options.clone() };
        if let Some(normals) = normals {
            let (map, facts, _) = RoughnessMap::read(first, packed, normals, &options, max_memory, task)?;
            return Ok((map.into_picture(), facts));
        }
        let (files, facts, _) = PictureFiles::read(first, packed, &options, max_memory, task)?;
        Ok((files.into_only(), facts))
    };
    let hinted = Hinted::new(&options, &names);
    let mut found = read(&hinted)?;
    if hinted.is_material() && found.1.iter().any(|facts| facts.has_colors) {
        found = read(&Hinted::new(&options, &[]))?;
    }
    let no_input = || "no input".to_owned();
    found.0.ok_or_else(|| TextureJobError::Options {
        file: names.first().cloned().unwrap_or_else(no_input),
        error: OptionsError::NoPicture,
    })
}

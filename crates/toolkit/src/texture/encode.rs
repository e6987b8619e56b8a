//! Encoding of pictures to a texture.

use super::{
    Measured, OptionsError, PackingError, PictureFacts, RdoSearch, TextureJobError, TextureLayout,
    TextureNote, TextureOptions, TexturePlan,
    alpha_use::AlphaUse,
    changes::Changes,
    hint::Hinted,
    min_psnr::encode_closely,
    notes::notes_of,
    packing::packed,
    parts::Parts,
    pictures::Pictures,
    prepare::{ChannelMap, Preparation, is_swizzled, swizzled, transferred},
    rdo_sample::{MIN_BLOCKS, Sample},
    rdo_search::{self, Attempt, psnr_of},
    result::measure,
    roughness::RoughnessMap,
};
use crate::device::Devices;
use brickwork_base::{ErrorKind, Task};
use brickwork_image::image_file::Picture;
use brickwork_texture::{
    ChannelType, EncodeError, Encoder, SurfaceError, Surfaces, Texture, encode_texture, optimize_texture,
};
use std::{
    borrow::Cow,
    slice,
    time::{Duration, Instant},
};

/// A texture and the decisions behind it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EncodedTexture {
    /// The texture.
    pub texture: Texture,
    /// The decisions.
    pub plan: TexturePlan,
    /// The device, the times and the error of the blocks.
    pub measured: Measured,
    /// Facts that the user may not expect.
    pub notes: Vec<TextureNote>,
    /// Result of the search for λ, if the options have a target.
    pub rdo_search: Option<RdoSearch>,
    /// Time of reading files for the first time; 0 for pictures in memory.
    pub read_time: Duration,
}

impl EncodedTexture {
    /// Returns the PSNR of [`RdoTarget::Psnr`](super::RdoTarget::Psnr); infinite if it is not measured.
    pub fn psnr(&self) -> f64 {
        psnr_of(&self.texture, &self.measured)
    }
}

/// Encodes `pictures`, in the order of the options' [layout](super::TextureLayout), to a texture. `names` are
/// the names of the inputs, for errors and notes. With [`FormatChoice::AUTO`](super::FormatChoice::AUTO),
/// names such as `rock_n.png` also state the use of pictures. The pictures with the channels of
/// [`TextureOptions::packing`] follow. With [`TextureOptions::roughness_from_normals`], the last
/// picture is the normal map. The task reports the blocks of all images, then the pictures whose error is
/// measured.
///
/// # Errors
/// [`TextureJobError`] if the options do not fit the pictures, more than `max_memory` bytes are needed, the
/// device fails, or the task is cancelled.
pub fn encode_pictures(
    options: &TextureOptions,
    pictures: &[Picture],
    names: &[String],
    devices: &Devices,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<EncodedTexture, TextureJobError> {
    // Names of packed channels and normal maps state no use of the picture.
    let images = options.parts_of(pictures).images;
    let image_count = images.len().min(names.len());
    let hinted = Hinted::of_pictures(options, &names[..image_count], images);
    let options = &hinted.options;
    let Parts { images, packed: others, normals } = options.parts_of(pictures);
    let (packed, packing_notes) = packed_images(options, images, others, names, max_memory, task)?;
    let images = packed.as_ref().map_or(images, slice::from_ref);
    let (mut pictures, facts) = prepare_all(options, images, names, max_memory, task)?;
    let pictures = match normals {
        None => Pictures::InMemory { pictures, max_value: options.max_value },
        Some(normals) => {
            let name = names.first().map_or("picture", String::as_str);
            let (Some(picture), true) = (pictures.pop(), pictures.is_empty()) else {
                let error = OptionsError::RoughnessInputs { given: facts.len() };
                return Err(TextureJobError::Options { file: name.to_owned(), error });
            };
            let (picture, normals) = (picture.into_owned(), normals.clone());
            let map = RoughnessMap::new(picture, normals, options, name, max_memory, task)?;
            Pictures::Roughness(Box::new(map))
        }
    };
    let mut encoded = encode_planned(&hinted, &pictures, &facts, names, devices, max_memory, task)?;
    encoded.notes.extend(packing_notes);
    Ok(encoded)
}

/// Decisions about a texture that is not encoded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlannedTexture {
    /// The decisions.
    pub plan: TexturePlan,
    /// Facts that the user may not expect.
    pub notes: Vec<TextureNote>,
}

/// Returns the plan of [`encode_pictures`] for images without packed channels and normal maps.
pub(super) fn plan_pictures(
    options: &TextureOptions,
    pictures: &[Picture],
    names: &[String],
    max_memory: u64,
    task: &Task<'_>,
) -> Result<PlannedTexture, TextureJobError> {
    let hinted = Hinted::of_pictures(options, names, pictures);
    let (_, facts) = prepare_all(&hinted.options, pictures, names, max_memory, task)?;
    planned(&hinted, &facts, names)
}

/// Returns the plan for pictures with these facts, and the notes.
pub(super) fn planned(
    hinted: &Hinted,
    facts: &[PictureFacts],
    names: &[String],
) -> Result<PlannedTexture, TextureJobError> {
    let plan = plan_of(hinted, facts, names)?;
    let notes = notes_of(&hinted.options, &plan, facts, names);
    Ok(PlannedTexture { plan, notes })
}

fn plan_of(
    hinted: &Hinted,
    facts: &[PictureFacts],
    names: &[String],
) -> Result<TexturePlan, TextureJobError> {
    let file = || names.first().cloned().unwrap_or_else(|| "no input".to_owned());
    let mut plan = TexturePlan::of(&hinted.options, facts)
        .map_err(|error| TextureJobError::Options { file: file(), error })?;
    hinted.explain(&mut plan);
    check_sizes(&hinted.options, facts, names)?;
    Ok(plan)
}

/// Returns the only image with the channels of other pictures, if there are some, and notes about these.
fn packed_images(
    options: &TextureOptions,
    images: &[Picture],
    others: &[Picture],
    names: &[String],
    max_memory: u64,
    task: &Task<'_>,
) -> Result<(Option<Picture>, Vec<TextureNote>), TextureJobError> {
    let packing = options.packing;
    let count = packing.picture_count();
    if count == 0 {
        return Ok((None, Vec::new()));
    }
    let name = |index: usize| names.get(index).cloned().unwrap_or_else(|| format!("picture {index}"));
    let ([image], true) = (images, count == others.len()) else {
        return Err(TextureJobError::Options { file: name(0), error: PackingError::Inputs.into() });
    };
    let mut others = others.iter().enumerate();
    let next = |_: u64| -> Result<_, TextureJobError> {
        let (index, other) = others.next().unwrap_or((0, image));
        Ok((other.clone(), name(index + 1)))
    };
    let (picture, notes) = packed(image.clone(), &name(0), packing, max_memory, next, task)?;
    Ok((Some(picture), notes))
}

/// Returns the prepared pictures, and facts about them. Pictures that need no preparation are borrowed.
fn prepare_all<'a>(
    options: &TextureOptions,
    pictures: &'a [Picture],
    names: &[String],
    max_memory: u64,
    task: &Task<'_>,
) -> Result<(Vec<Cow<'a, Picture>>, Vec<PictureFacts>), TextureJobError> {
    let name = |index: usize| names.get(index).map_or("picture", String::as_str);
    let map = ChannelMap::of(options);
    let (mut planned, mut needed) = (Vec::with_capacity(pictures.len()), 0u64);
    for (index, picture) in pictures.iter().enumerate() {
        let alpha_use = AlphaUse::of(picture, options.swizzle);
        let picture = if is_swizzled(&picture.texels, map) || options.has_transfer() {
            // The caller's picture stays.
            let bytes = picture.texels.byte_count() as u64;
            needed = needed.saturating_add(bytes);
            let with_copy = needed.saturating_add(bytes);
            if with_copy > max_memory {
                let input = name(index).to_owned();
                return Err(TextureJobError::Memory { input, needed: with_copy, limit: max_memory });
            }
            let (name, left) = (name(index), max_memory - needed);
            let picture = swizzled(picture.clone(), name, map, left, task)?;
            Cow::Owned(transferred(picture, name, options, left, task)?)
        } else {
            Cow::Borrowed(picture)
        };
        let facts = PictureFacts { alpha_use, ..PictureFacts::of(&picture, options, task)? };
        let preparation = Preparation::of(&picture, &facts, options);
        needed = needed.saturating_add(preparation.memory_bytes());
        planned.push((picture, preparation, facts));
    }
    let can_change = |(picture, preparation, _): &(Cow<'_, Picture>, Preparation, PictureFacts)| {
        matches!(picture, Cow::Owned(_)) || preparation.can_change()
    };
    if needed > max_memory && planned.iter().any(can_change) {
        return Err(TextureJobError::Memory { input: name(0).to_owned(), needed, limit: max_memory });
    }
    let (mut prepared, mut all_facts) = (Vec::new(), Vec::new());
    for (index, (picture, preparation, facts)) in planned.into_iter().enumerate() {
        let (picture, changes) = match picture {
            Cow::Borrowed(picture) if !preparation.can_change() => {
                (Cow::Borrowed(picture), Changes::default())
            }
            picture => {
                let (picture, changes) =
                    preparation.run(picture.into_owned(), name(index), max_memory, task)?;
                (Cow::Owned(picture), changes)
            }
        };
        all_facts.push(facts.after(&picture, changes, options, task)?);
        prepared.push(picture);
    }
    Ok((prepared, all_facts))
}

/// Returns the name of the format if no GPU encodes it from these pictures.
fn without_kernels(plan: &TexturePlan, facts: &[PictureFacts]) -> Option<String> {
    let format = plan.desc.format.block()?;
    let has_16_bits = || facts.iter().any(|facts| facts.channels == ChannelType::U16);
    let is_real_time = format.has_real_time() && plan.options.real_time.is_some();
    match !format.is_mobile() || is_real_time {
        false => Some(format.to_string()),
        true if plan.options.keeps_16_bits(format) && has_16_bits() => Some(format!("{format} of 16 bits")),
        true => None,
    }
}

/// Works like [`encode_pictures`], for pictures with these facts, in memory or in files.
pub(super) fn encode_planned(
    hinted: &Hinted,
    pictures: &Pictures<'_>,
    facts: &[PictureFacts],
    names: &[String],
    devices: &Devices,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<EncodedTexture, TextureJobError> {
    let options = &hinted.options;
    let name = || names.first().cloned().unwrap_or_else(|| "no input".to_owned());
    let mut plan = plan_of(hinted, facts, names)?;
    let picture_bytes = pictures.memory_bytes(facts, options.layout);
    let target = options.rdo_target;
    // A search keeps the best texture and the one without optimisation.
    let kept_bytes = if target.is_some() { 2 * plan.desc.data_bytes() } else { 0 };
    let needed = picture_bytes.saturating_add(plan.memory_bytes()).saturating_add(kept_bytes);
    let limit = max_memory;
    if needed > limit {
        return Err(TextureJobError::Memory { input: name(), needed, limit });
    }
    let needs_metrics = options.metrics || target.is_some() || options.min_psnr.is_some();
    let run = |plan: &TexturePlan, base: Option<&Texture>| -> Result<Attempt, TextureJobError> {
        let encode = |encoder: &Encoder| {
            let start = Instant::now();
            let texture = encode(encoder, options, plan, base, pictures, task)?;
            Ok((texture, start.elapsed()))
        };
        let done = match without_kernels(plan, facts) {
            Some(format) => devices.encode_without_kernels(format, encode),
            None => devices.encode(plan.desc.texel_count(), encode),
        };
        let done = done.map_err(|error| TextureJobError::Encode { input: name(), error })?;
        let (texture, encode_time) = done.result;
        let mut measured = Measured::new(done.device, encode_time);
        if needs_metrics {
            measure(&mut measured, &texture, plan, pictures, &name, task)?;
        }
        Ok(Attempt { texture, measured })
    };
    let start = Instant::now();
    let (attempt, rdo_search) = match target {
        None => match options.min_psnr {
            None => (run(&plan, None)?, None),
            Some(min) => {
                let run = |plan: &TexturePlan| run(plan, None);
                (encode_closely(min, options, &mut plan, &name(), run)?, None)
            }
        },
        Some(target) => {
            let run = |lambda, base: Option<&Texture>| {
                run(&TexturePlan { options: plan.options.with(|o| o.rdo = lambda), ..plan.clone() }, base)
            };
            let name = name();
            let sample = || Sample::of(&plan, options, pictures, &name, MIN_BLOCKS, task);
            let (mut attempt, search) = rdo_search::search(target, options, &name, run, sample, task)?;
            attempt.measured.encode_time = start.elapsed();
            plan.options.rdo = search.lambda;
            (attempt, Some(search))
        }
    };
    let Attempt { texture, mut measured } = attempt;
    if !options.metrics {
        (measured.metrics, measured.visible_metrics) = (None, None);
    }
    let notes = notes_of(options, &plan, facts, names);
    Ok(EncodedTexture { texture, plan, measured, notes, rdo_search, read_time: Duration::ZERO })
}

/// Checks that all pictures have the size of the first, or that of their mip level. The encoder checks the
/// mip levels of slices.
fn check_sizes(
    options: &TextureOptions,
    facts: &[PictureFacts],
    names: &[String],
) -> Result<(), TextureJobError> {
    let size = |facts: &PictureFacts| [facts.width, facts.height];
    let level_count = options.given_levels();
    let has_levels = level_count > 1;
    let Some(first) = facts.first().map(size) else { return Ok(()) };
    if has_levels && options.layout == TextureLayout::Slices {
        return Ok(());
    }
    // Pictures are in the order of the layout: the mip levels of an image follow each other.
    let levels = (0..level_count).cycle();
    let expected = |mip_level: u32| first.map(|side| side.checked_shr(mip_level).unwrap_or(0).max(1));
    let mut sizes = facts.iter().map(size).zip(levels).enumerate();
    match sizes.find(|(_, (size, mip_level))| *size != expected(*mip_level)) {
        Some((index, ([width, height], mip_level))) => {
            let file = names.get(index).cloned().unwrap_or_else(|| format!("picture {index}"));
            let expected = expected(mip_level);
            let error = match has_levels {
                true => OptionsError::LevelSize { mip_level, width, height, expected },
                false => OptionsError::PictureSize { width, height, first },
            };
            Err(TextureJobError::Options { file, error })
        }
        None => Ok(()),
    }
}

fn encode(
    encoder: &Encoder,
    options: &TextureOptions,
    plan: &TexturePlan,
    base: Option<&Texture>,
    pictures: &Pictures<'_>,
    task: &Task<'_>,
) -> Result<Texture, EncodeError> {
    if let Pictures::Roughness(map) = pictures {
        return map.encode(encoder, plan, task);
    }
    let mut indices = 0..pictures.count();
    let next = move |_| {
        let no_picture = || SurfaceError::new(ErrorKind::Argument, OptionsError::NoPicture);
        let index = indices.next().ok_or_else(no_picture)?;
        pictures.image(index, task).map_err(|error| SurfaceError::new(error.kind(), error))
    };
    let surfaces = Surfaces::each(next).with_mip_levels(options.given_levels());
    match base {
        Some(base) => optimize_texture(encoder, surfaces, base, &plan.options, task),
        None => encode_texture(encoder, surfaces, &plan.desc, &plan.options, task),
    }
}

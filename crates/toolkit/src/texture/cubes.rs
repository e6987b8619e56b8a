//! Cubes from crosses, strips and panoramas.

use super::{
    EncodedTexture, TextureJobError, TextureOptions,
    alpha_use::AlphaUse,
    encode::encode_pictures,
    hint::Hinted,
    notes::of_swizzle,
    prepare::{ChannelMap, swizzled, transferred},
    read_picture,
};
use crate::{batch::Input, device::Devices};
use brickwork_base::Task;
use brickwork_image::{
    cube::{CubeError, CubeLayout, faces},
    image_file::Picture,
};
use std::time::Instant;

/// Names of the faces.
const FACES: [&str; 6] = ["+X", "−X", "+Y", "−Y", "+Z", "−Z"];

/// The faces of one picture for each cube.
struct Faces {
    pictures: Vec<Picture>,
    /// Name of the input and the face of each picture.
    names: Vec<String>,
    /// Layout of all inputs, or several.
    layout: String,
    /// Name of each input, and the use of its alpha.
    alpha_uses: Vec<(String, AlphaUse)>,
}

/// Encodes a cube, or several as an array, from one picture for each: a cross, a strip or a panorama.
/// `face_size` is the size of the faces of panoramas; none for one that follows from their width. Also
/// returns the layout of the pictures, or several.
///
/// # Errors
/// [`TextureJobError`] if an input is not readable or has no faces, the options do not fit the pictures, more
/// than `max_memory` bytes are needed, the device fails, or the task is cancelled.
pub fn encode_cubes(
    options: &TextureOptions,
    inputs: &[Input],
    face_size: Option<u32>,
    devices: &Devices,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<(EncodedTexture, String), TextureJobError> {
    let start = Instant::now();
    let faces = read_faces(inputs, options, face_size, max_memory, task)?;
    let read_time = start.elapsed();
    // The faces are swizzled and converted already.
    let plain = TextureOptions::default();
    let (swizzle, channel_scales) = (plain.swizzle, plain.channel_scales);
    let rest = TextureOptions { swizzle, channel_scales, ..options.clone() };
    let rest = TextureOptions { assign_oetf: None, convert_oetf: None, ..rest };
    let mut encoded = encode_pictures(&rest, &faces.pictures, &faces.names, devices, max_memory, task)?;
    for (name, alpha_use) in &faces.alpha_uses {
        encoded.notes.extend(of_swizzle(options.swizzle, *alpha_use, &encoded.plan, name));
    }
    Ok((EncodedTexture { read_time, ..encoded }, faces.layout))
}

/// Reads a picture for each cube and returns the swizzled and converted faces of all. `max_memory` bytes are
/// the limit of the picture that is read and all faces together.
fn read_faces(
    inputs: &[Input],
    options: &TextureOptions,
    face_size: Option<u32>,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Faces, TextureJobError> {
    let mut all =
        Faces { pictures: Vec::new(), names: Vec::new(), layout: String::new(), alpha_uses: Vec::new() };
    let (mut kept, mut layouts) = (0u64, Vec::<CubeLayout>::new());
    // The names of files may state data, whose numbers are read as stored.
    let names: Vec<String> = inputs.iter().map(Input::name).collect();
    let hinted = Hinted::new(options, &names).options;
    for input in inputs {
        let read = hinted.read_options(max_memory.saturating_sub(kept));
        let picture = read_picture(input, &read, task)?;
        all.alpha_uses.push((input.name(), AlphaUse::of(&picture, options.swizzle)));
        // Before panoramas are filtered.
        let free = read.max_memory;
        let picture = swizzled(picture, &input.name(), ChannelMap::of(options), free, task)?;
        let mut picture = transferred(picture, &input.name(), options, free, task)?;
        let failed = |error| match error {
            CubeError::Cancelled(cancelled) => cancelled.into(),
            error => TextureJobError::Cube { input: input.name(), error },
        };
        let [width, height] = [picture.width, picture.height];
        let layout = CubeLayout::of_size(width, height);
        let side = layout.map_or(1, |layout| face_size.unwrap_or(layout.face_size(width)));
        let texels = (picture.texels.texel_count() as u64).max(1);
        let picture_bytes = picture.texels.byte_count() as u64;
        let face_bytes = u64::from(side).pow(2).saturating_mul(6 * picture_bytes.div_ceil(texels));
        let needed = kept.saturating_add(picture_bytes).saturating_add(face_bytes);
        if needed > max_memory {
            return Err(TextureJobError::Memory { input: input.name(), needed, limit: max_memory });
        }
        // Panoramas are filtered in the colour space that the options state.
        let color_space = picture.color_space;
        picture.color_space = options.stated_color_space().unwrap_or(color_space);
        let (layout, mut faces) = faces(&picture, face_size, task).map_err(failed)?;
        faces.iter_mut().for_each(|face| face.color_space = color_space);
        kept = kept.saturating_add(face_bytes);
        if !layouts.contains(&layout) {
            layouts.push(layout);
        }
        all.pictures.extend(faces);
        all.names.extend(FACES.map(|face| format!("{} ({face})", input.name())));
    }
    all.layout = layouts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Ok(all)
}

//! The six faces of a picture.

use super::{
    CubeError, CubeLayout,
    cut::cut,
    panorama::{Light, Panorama},
};
use crate::light::{finite_single, linear_to_srgb, narrow, srgb_to_linear, widen};
use crate::{
    ColorSpace, Stage, Task,
    image_file::{Picture, Texels},
};
use half::f16;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns the layout of a picture and its faces +X, −X, +Y, −Y, +Z, −Z, in the form of its texels.
/// `face_size` is the side of a panorama's faces in texels. Default: a quarter of the panorama's width.
///
/// The faces of a panorama are filtered: 8-bit sRGB colours in linear light, other numbers as they are, all
/// colours weighted by alpha. Infinities count as the largest finite number and NaN as 0. The squares of the
/// other layouts are copied. Notes of the picture are those of the first face. The task reports rows.
///
/// # Errors
/// [`CubeError`] if the size is that of no layout, `face_size` does not fit, the picture has too few texels,
/// there is no memory, or the task is cancelled.
pub fn faces(
    picture: &Picture,
    face_size: Option<u32>,
    task: &Task<'_>,
) -> Result<(CubeLayout, [Picture; 6]), CubeError> {
    let (width, height) = (picture.width, picture.height);
    let layout = CubeLayout::of_size(width, height).ok_or(CubeError::Size { width, height })?;
    let usual = layout.face_size(width);
    let side = face_size.unwrap_or(usual).max(1);
    if side != usual && layout != CubeLayout::Panorama {
        return Err(CubeError::FaceSize { layout, side: usual });
    }
    let (needed, given) = (u64::from(width) * u64::from(height), picture.texels.texel_count());
    if (given as u64) < needed {
        return Err(CubeError::TexelCount { needed, given });
    }
    let rows_done = AtomicU64::new(0);
    let mut faces = Vec::with_capacity(6);
    for face in 0..6 {
        task.check()?;
        let report = || {
            let done = rows_done.fetch_add(1, Ordering::Relaxed) + 1;
            task.report(Stage::Preparing, done, 6 * u64::from(side));
        };
        let texels = face_texels(picture, layout, face, side, &report, task)?;
        faces.push(Picture {
            width: side,
            height: side,
            is_opaque: texels.is_opaque(),
            texels,
            stored_channel_type: picture.stored_channel_type,
            file_format: picture.file_format,
            color_space: picture.color_space,
            color_space_origin: picture.color_space_origin,
            color_space_reason: picture.color_space_reason.clone(),
            is_hdr_signal: picture.is_hdr_signal,
            has_alpha: picture.has_alpha,
            is_premultiplied: picture.is_premultiplied,
            is_divided: picture.is_divided,
            part: picture.part.clone().filter(|_| face == 0),
            notes: if face == 0 { picture.notes.clone() } else { Vec::new() },
            overflow_count: if face == 0 { picture.overflow_count } else { 0 },
        });
    }
    let faces = faces.try_into().map_err(|_| CubeError::Size { width, height })?;
    Ok((layout, faces))
}

/// Returns the texels of one face.
fn face_texels(
    picture: &Picture,
    layout: CubeLayout,
    face: usize,
    side: u32,
    report: &(impl Fn() + Sync),
    task: &Task<'_>,
) -> Result<Texels, CubeError> {
    let is_srgb = picture.color_space == ColorSpace::Srgb;
    let (width, height) = (picture.width, picture.height);
    let light = move |value: u8| {
        let light = if is_srgb { srgb_to_linear(value) } else { widen(value) };
        f32::from(light)
    };
    let value = move |light: f32| {
        let light = light.round() as u16;
        if is_srgb { linear_to_srgb(light) } else { narrow(light) }
    };
    // The face of `$texels` by two functions: from a texel to light, and back.
    macro_rules! face_of {
        ($form:path, $texels:expr, $to_light:expr, $of_light:expr) => {{
            if layout == CubeLayout::Panorama {
                let panorama = Panorama { texels: &$texels[..], width, height };
                $form(panorama.face(face, side, $to_light, $of_light, report, task)?)
            } else {
                $form(cut($texels, width, layout, face, side))
            }
        }};
    }
    let opaque = |color: [f32; 3]| -> Light { [color[0], color[1], color[2], 1.0] };
    let color = |[r, g, b, _]: Light| [r, g, b];
    let wide = |value: f32| value.round() as u16;
    Ok(match &picture.texels {
        Texels::Grey8(texels) => {
            face_of!(Texels::Grey8, texels, |grey| opaque([light(grey); 3]), |light: Light| value(light[0]))
        }
        Texels::Rgb8(texels) => {
            face_of!(Texels::Rgb8, texels, |rgb: [u8; 3]| opaque(rgb.map(light)), |light| color(light)
                .map(value))
        }
        Texels::Rgba8(texels) => {
            let to_light = |[r, g, b, a]: [u8; 4]| product([r, g, b].map(light), f32::from(a) / 255.0);
            let of_light = |sum: Light| {
                let [r, g, b] = quotient(sum).map(value);
                [r, g, b, (sum[3] * 255.0).round() as u8]
            };
            face_of!(Texels::Rgba8, texels, to_light, of_light)
        }
        Texels::Grey16(texels) => {
            face_of!(Texels::Grey16, texels, |grey| opaque([f32::from(grey); 3]), |light: Light| wide(
                light[0]
            ))
        }
        Texels::Rgb16(texels) => {
            let to_light = |rgb: [u16; 3]| opaque(rgb.map(f32::from));
            face_of!(Texels::Rgb16, texels, to_light, |light| color(light).map(wide))
        }
        Texels::Rgba16(texels) => {
            let to_light = |[r, g, b, a]: [u16; 4]| product([r, g, b].map(f32::from), f32::from(a) / 65535.0);
            let of_light = |sum: Light| {
                let [r, g, b] = quotient(sum).map(wide);
                [r, g, b, wide(sum[3] * 65535.0)]
            };
            face_of!(Texels::Rgba16, texels, to_light, of_light)
        }
        Texels::RgbF16(texels) => {
            let to_light = |rgb: [f16; 3]| opaque(rgb.map(finite));
            face_of!(Texels::RgbF16, texels, to_light, |light| color(light).map(half))
        }
        Texels::RgbaF16(texels) => {
            let to_light = |[r, g, b, a]: [f16; 4]| product([r, g, b].map(finite), finite(a));
            let of_light = |sum: Light| {
                let [r, g, b] = quotient(sum).map(half);
                [r, g, b, half(sum[3])]
            };
            face_of!(Texels::RgbaF16, texels, to_light, of_light)
        }
        Texels::RgbF32(texels) => {
            let to_light = |rgb: [f32; 3]| opaque(rgb.map(finite_single));
            face_of!(Texels::RgbF32, texels, to_light, |light| color(light).map(finite_single))
        }
        Texels::RgbaF32(texels) => {
            let to_light = |[r, g, b, a]: [f32; 4]| product([r, g, b].map(finite_single), finite_single(a));
            let of_light = |sum: Light| {
                let [r, g, b] = quotient(sum).map(finite_single);
                [r, g, b, finite_single(sum[3])]
            };
            face_of!(Texels::RgbaF32, texels, to_light, of_light)
        }
    })
}

/// Returns a colour multiplied by alpha.
fn product(color: [f32; 3], alpha: f32) -> Light {
    let [r, g, b] = color.map(|channel| channel * alpha);
    [r, g, b, alpha]
}

/// Returns a colour divided by alpha; black if alpha is 0.
fn quotient([r, g, b, alpha]: Light) -> [f32; 3] {
    if alpha == 0.0 { [0.0; 3] } else { [r, g, b].map(|channel| channel / alpha) }
}

/// Returns a number without infinities and NaN.
fn finite(number: f16) -> f32 {
    let max = f16::MAX.to_f32();
    if number.is_nan() { 0.0 } else { number.to_f32().clamp(-max, max) }
}

/// Returns the nearest finite half float.
fn half(number: f32) -> f16 {
    let max = f16::MAX.to_f32();
    f16::from_f32(number.clamp(-max, max))
}

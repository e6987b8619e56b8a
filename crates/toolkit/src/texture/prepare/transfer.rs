//! Pictures whose colours get another transfer function.

use crate::{
    report::color_space_name,
    texture::{TextureJobError, TextureOptions},
};
use brickwork_base::Task;
use brickwork_image::image_file::{Picture, Texels, TransferFunction};
use brickwork_texture::{ColorSpace, TextureFormat};

/// Returns a swizzled picture with the transfer function that the options state. `name` is the input's name,
/// for errors. The task reports no progress.
///
/// # Errors
/// [`TextureJobError`] if the texels before and after need more than `max_memory` bytes, or the task is
/// cancelled.
pub fn transferred(
    picture: Picture,
    name: &str,
    options: &TextureOptions,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Picture, TextureJobError> {
    let Some((from, to)) = conversion(&picture, options) else { return Ok(picture) };
    let needed = transfer_bytes(&picture, options);
    if needed > max_memory {
        return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
    }
    let source = match options.assign_oetf {
        Some(assigned) => format!("{assigned} is assigned"),
        None => picture.color_space_reason.clone(),
    };
    let is_same = from == TransferFunction::of(to);
    let mut picture = picture.converted(from, to, task)?;
    picture.color_space_reason =
        if is_same { source } else { format!("{source}; converted to {}", color_space_name(to)) };
    Ok(picture)
}

/// Returns the bytes of a swizzled picture's texels before and after; 0 if they are changed in place or not
/// at all.
pub fn transfer_bytes(picture: &Picture, options: &TextureOptions) -> u64 {
    let is_widened = matches!(picture.texels, Texels::Grey8(_) | Texels::Rgb8(_) | Texels::Rgba8(_));
    let bytes = picture.texels.byte_count() as u64;
    match conversion(picture, options) {
        Some((from, to)) if is_widened && from != TransferFunction::of(to) => bytes.saturating_mul(3),
        _ => 0,
    }
}

/// Returns the transfer function of the picture's numbers, and the colour space to which they are converted;
/// none if they stay as they are. Without options, this converts light of PQ and HLG for formats with an sRGB
/// variant.
fn conversion(picture: &Picture, options: &TextureOptions) -> Option<(TransferFunction, ColorSpace)> {
    if !options.has_transfer() {
        // Faces of a panorama come here twice, the second time in sRGB.
        let is_light = picture.is_hdr_signal && picture.color_space == ColorSpace::Linear;
        let has_srgb = options.format.format().is_some_and(TextureFormat::has_srgb);
        return (is_light && has_srgb).then_some((TransferFunction::Linear, ColorSpace::Srgb));
    }
    let from = options.assign_oetf.unwrap_or(TransferFunction::of(picture.color_space));
    let to = options.convert_oetf.unwrap_or_else(|| match from {
        TransferFunction::Srgb => ColorSpace::Srgb,
        TransferFunction::Linear => ColorSpace::Linear,
        _ => color_space_of_texture(picture, options),
    });
    Some((from, to))
}

/// Returns the colour space of the texture of a picture whose transfer function is that of none.
fn color_space_of_texture(picture: &Picture, options: &TextureOptions) -> ColorSpace {
    let has_srgb = options.format.format().is_none_or(TextureFormat::has_srgb);
    let automatic =
        if picture.texels.is_float() || !has_srgb { ColorSpace::Linear } else { ColorSpace::Srgb };
    options.stated_color_space().unwrap_or(automatic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::FormatChoice;
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::pictures::read;
    use std::io::Cursor;

    const LIMIT: u64 = 1 << 20;

    fn grey(value: u8) -> Picture {
        let file = Cursor::new(format!("P2 1 1 255 {value}"));
        read(file, None, &ImageReadOptions::default(), &Task::new()).unwrap()
    }

    fn options(
        format: &str,
        assigned: Option<TransferFunction>,
        converted: Option<ColorSpace>,
    ) -> TextureOptions {
        let format: FormatChoice = format.parse().unwrap();
        let options = TextureOptions { format, ..TextureOptions::default() };
        TextureOptions { assign_oetf: assigned, convert_oetf: converted, ..options }
    }

    /// The texel, its colour space, and the reason.
    fn done(options: &TextureOptions) -> (Texels, ColorSpace, String) {
        let picture = transferred(grey(128), "a.png", options, LIMIT, &Task::new()).unwrap();
        (picture.texels, picture.color_space, picture.color_space_reason)
    }

    #[test]
    fn numbers_are_converted_only_between_different_functions() {
        let stated = grey(128).color_space_reason;
        let plain = Texels::Grey8(vec![128]);
        assert_eq!(done(&options("bc1", None, None)), (plain.clone(), ColorSpace::Srgb, stated.clone()));
        let linear = Some(TransferFunction::Linear);
        let assigned = done(&options("bc1", linear, None));
        assert_eq!(assigned, (plain.clone(), ColorSpace::Linear, "linear is assigned".to_owned()));
        let srgb = done(&options("bc1", None, Some(ColorSpace::Srgb)));
        assert_eq!(srgb, (plain, ColorSpace::Srgb, stated.clone()));
        let (texels, color_space, reason) = done(&options("bc1", None, Some(ColorSpace::Linear)));
        assert_eq!((texels, color_space), (Texels::Grey16(vec![14146]), ColorSpace::Linear));
        assert_eq!(reason, format!("{stated}; converted to linear"));
        let (texels, _, reason) = done(&options("bc1", linear, Some(ColorSpace::Srgb)));
        // Light of 128/255 is 188 of 255 in sRGB.
        let Texels::Grey16(words) = texels else { panic!("16 bits") };
        assert_eq!((words[0] + 128) / 257, 188);
        assert_eq!(reason, "linear is assigned; converted to sRGB");
    }

    #[test]
    fn a_power_becomes_what_the_texture_is() {
        let gamma = Some(TransferFunction::Gamma(2.2));
        let to = |options: TextureOptions| done(&options).1;
        assert_eq!(to(options("bc1", gamma, None)), ColorSpace::Srgb);
        assert_eq!(to(options("auto", gamma, None)), ColorSpace::Srgb);
        assert_eq!(to(options("bc4", gamma, None)), ColorSpace::Linear);
        assert_eq!(to(options("bc6h", gamma, None)), ColorSpace::Linear);
        assert_eq!(to(options("DXGI_FORMAT_BC7_UNORM", gamma, None)), ColorSpace::Linear);
        let plain = ["rgba8", "bgra8", "r8", "rgba16", "rgba16f"].map(|name| to(options(name, gamma, None)));
        assert_eq!(plain[..2], [ColorSpace::Srgb; 2]);
        assert_eq!(plain[2..], [ColorSpace::Linear; 3]);
        let linear = Some(ColorSpace::Linear);
        assert_eq!(
            to(TextureOptions { color_space: linear, ..options("bc7", gamma, None) }),
            ColorSpace::Linear
        );
        assert_eq!(to(options("bc7", gamma, linear)), ColorSpace::Linear);
    }

    #[test]
    fn the_texels_before_and_after_count() {
        let linear = options("bc1", None, Some(ColorSpace::Linear));
        assert_eq!(transfer_bytes(&grey(1), &linear), 3);
        assert_eq!(transfer_bytes(&grey(1), &options("bc1", None, Some(ColorSpace::Srgb))), 0);
        let error = transferred(grey(1), "a.png", &linear, 2, &Task::new()).unwrap_err();
        assert!(matches!(error, TextureJobError::Memory { needed: 3, .. }), "{error:?}");
        let wide = transferred(grey(1), "a.png", &linear, 3, &Task::new()).unwrap();
        let back = options("bc1", None, Some(ColorSpace::Srgb));
        assert_eq!(transfer_bytes(&wide, &back), 0);
    }

    /// Light of PQ and HLG becomes sRGB once, and only for formats that have it.
    #[test]
    fn light_of_hdr_becomes_srgb_once() {
        let mut light = grey(128);
        (light.is_hdr_signal, light.color_space) = (true, ColorSpace::Linear);
        let to = |picture: &Picture, format: &str| {
            let options = options(format, None, None);
            transferred(picture.clone(), "a.png", &options, LIMIT, &Task::new()).unwrap()
        };
        let srgb = to(&light, "bc7");
        let Texels::Grey16(words) = &srgb.texels else { panic!("16 bits") };
        assert_eq!(((words[0] + 128) / 257, srgb.color_space), (188, ColorSpace::Srgb));
        assert_eq!(to(&srgb, "bc7"), srgb);
        assert_eq!(to(&light, "bc6h"), light);
        assert_eq!(to(&light, "auto"), light);
    }
}

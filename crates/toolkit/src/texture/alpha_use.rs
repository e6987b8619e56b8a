//! Use that a swizzle makes of a picture's alpha.

use brickwork_image::image_file::Picture;
use brickwork_texture::{Swizzle, SwizzleSource};

/// Use of the alpha of a file's picture, which a swizzled picture no longer shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlphaUse {
    /// True if a colour is the picture's alpha.
    pub alpha_to_color: bool,
    /// True if alpha is one of the picture's colours.
    pub color_to_alpha: bool,
    /// True if a colour is alpha, which the file lacks.
    pub is_missing: bool,
    /// True if the reader divided colours that are used by alpha.
    pub divides_colors: bool,
}

impl AlphaUse {
    /// Returns the use that a swizzle makes of a picture's alpha. Alpha that is 1 everywhere is the same
    /// number as a colour.
    pub fn of(picture: &Picture, by: Swizzle) -> Self {
        let is_read = is_alpha_a_color(by);
        Self {
            alpha_to_color: is_read && !picture.is_opaque,
            color_to_alpha: is_color(by.0[3]),
            is_missing: is_read && !picture.has_alpha,
            divides_colors: picture.is_divided && !picture.is_opaque && by.0.into_iter().any(is_color),
        }
    }
}

/// True if red, green or blue of the result is the alpha of the picture.
pub fn is_alpha_a_color(by: Swizzle) -> bool {
    by.0[..3].contains(&SwizzleSource::Alpha)
}

/// True for red, green and blue.
pub fn is_color(source: SwizzleSource) -> bool {
    matches!(source, SwizzleSource::Red | SwizzleSource::Green | SwizzleSource::Blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_base::Task;
    use brickwork_image::image_file::{ImageReadOptions, Texels};
    use brickwork_texture::pictures::read;
    use std::io::Cursor;

    fn swizzle(letters: &str) -> Swizzle {
        Swizzle::parse(letters).unwrap()
    }

    /// Returns a picture of one texel.
    fn picture(texels: Texels) -> Picture {
        let file = Cursor::new(b"P6 1 1 255\n123".to_vec());
        let mut picture = read(file, None, &ImageReadOptions::default(), &Task::new()).unwrap();
        picture.is_opaque = texels.is_opaque();
        picture.has_alpha = texels.texel_type().has_alpha();
        picture.texels = texels;
        picture
    }

    #[test]
    fn numbers_that_cross_between_colours_and_alpha_are_known() {
        let alpha_use = |texel: [u8; 4], letters| {
            let AlphaUse { alpha_to_color, color_to_alpha, .. } =
                AlphaUse::of(&picture(Texels::Rgba8(vec![texel])), swizzle(letters));
            (alpha_to_color, color_to_alpha)
        };
        assert_eq!(alpha_use([1, 2, 3, 4], "bgra"), (false, false));
        assert_eq!(alpha_use([1, 2, 3, 4], "aaa1"), (true, false));
        assert_eq!(alpha_use([1, 2, 3, 255], "aaa1"), (false, false));
        assert_eq!(alpha_use([1, 2, 3, 4], "rgbg"), (false, true));
        assert_eq!(alpha_use([1, 2, 3, 4], "1110"), (false, false));
    }

    #[test]
    fn missing_alpha_and_divided_colours_are_known() {
        let rgba = |alpha: u8| {
            let mut picture = picture(Texels::Rgba8(vec![[1, 2, 3, alpha]]));
            picture.is_divided = true;
            picture
        };
        let divides = |alpha, letters| AlphaUse::of(&rgba(alpha), swizzle(letters)).divides_colors;
        assert!(divides(4, "rgba") && divides(4, "rgb1") && divides(4, "aaar"));
        assert!(!divides(255, "rgba") && !divides(4, "aaa1"));
        let is_missing = |picture: Picture, letters| AlphaUse::of(&picture, swizzle(letters)).is_missing;
        let rgb = || picture(Texels::Rgb8(vec![[1, 2, 3]]));
        assert!(is_missing(rgb(), "aaa1") && is_missing(rgb(), "rga1"));
        assert!(!is_missing(rgb(), "rgba") && !is_missing(rgba(255), "aaa1"));
    }
}

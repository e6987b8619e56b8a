//! Pictures of a comparison: heat map with a scale, and both images side by side.

use super::ImageComparison;
use crate::commands::compare::heat_map;
use brickwork_base::Task;
use brickwork_toolkit::texture::TextureJobError;

/// Texels between the two images, or between an image and its scale.
const GAP: u32 = 8;

/// Colour beside the images.
const PAPER: [u8; 4] = [255; 4];

/// Colour of the scale's numbers.
const INK: [u8; 4] = [0, 0, 0, 255];

/// Shapes of the digits and of `+` in 3×5 pixels: five rows, of which the highest of three bits is left.
const GLYPHS: [(char, [u8; 5]); 11] = [
    ('0', [0b111, 0b101, 0b101, 0b101, 0b111]),
    ('1', [0b010, 0b110, 0b010, 0b010, 0b111]),
    ('2', [0b111, 0b001, 0b111, 0b100, 0b111]),
    ('3', [0b111, 0b001, 0b011, 0b001, 0b111]),
    ('4', [0b101, 0b101, 0b111, 0b001, 0b001]),
    ('5', [0b111, 0b100, 0b111, 0b001, 0b111]),
    ('6', [0b111, 0b100, 0b111, 0b101, 0b111]),
    ('7', [0b111, 0b001, 0b010, 0b010, 0b010]),
    ('8', [0b111, 0b101, 0b111, 0b101, 0b111]),
    ('9', [0b111, 0b101, 0b111, 0b001, 0b111]),
    ('+', [0b000, 0b010, 0b111, 0b010, 0b000]),
];

/// Picture of a comparison in 8-bit RGBA, to be shown as sRGB.
#[derive(Clone, Debug)]
pub struct ComparisonPicture {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width` × `height` texels, row by row.
    pub texels: Vec<[u8; 4]>,
}

impl ImageComparison {
    /// Returns the [largest differences](Self::largest_differences) as colours from dark to bright. The scale
    /// at the right ends at the error `end`, which `+` follows if larger errors have the same colour. Default
    /// of `end`: the smallest of 4, 8, 16, 32, 64, 128 and 255 that 99 % of the texels do not exceed.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded, more memory is needed than the limit of the inputs,
    /// or the task is cancelled.
    pub fn heat_map(&self, end: Option<u8>, task: &Task<'_>) -> Result<ComparisonPicture, TextureJobError> {
        let (width, height) = (self.inputs()[0].width(), self.inputs()[0].height());
        let unit = (height / 160).clamp(1, 12);
        let (bar, digits) = (10 * unit, 4 * 4 * unit);
        // A scale needs room for three numbers.
        let size = [width + GAP + bar + unit + digits, height.max(7 * 5 * unit)];
        self.check_memory(self.inputs()[0].stacked_bytes::<u8>().saturating_add(picture_bytes(size)))?;
        let errors = self.largest_differences(task)?;
        let end = end.unwrap_or_else(|| heat_map::end_for([errors.as_slice()])).max(1);
        let mut picture = ComparisonPicture::new(size);
        let colors = heat_map::colors().map(|[r, g, b]| [r, g, b, 255]);
        for (y, row) in (0..).zip(errors.chunks_exact(width as usize)) {
            for (x, &error) in (0..).zip(row) {
                picture.set(x, y, colors[heat_map::step(error, end)]);
            }
        }
        let (left, margin) = (width + GAP, 3 * unit);
        let length = picture.height - 2 * margin;
        for y in 0..length {
            let step = 255 - y * 255 / (length - 1).max(1);
            (0..bar).for_each(|x| picture.set(left + x, margin + y, colors[step as usize]));
        }
        let last = if end < 255 { format!("{end}+") } else { end.to_string() };
        let middle = end / 2;
        let at = |error: u8| margin + (length - 1) * u32::from(end - error) / u32::from(end);
        for (error, text) in [(end, last), (middle, middle.to_string()), (0, "0".to_owned())] {
            // With 1, the middle is 0.
            if error > 0 || text == "0" {
                picture.write(left + bar + 2 * unit, at(error), &text, unit);
            }
        }
        Ok(picture)
    }

    /// Returns the first image and, right of it, the second, as displayed.
    ///
    /// # Errors
    /// [`TextureJobError`] if an image cannot be decoded, more memory is needed than the limit of the inputs,
    /// or the task is cancelled.
    pub fn side_by_side(&self, task: &Task<'_>) -> Result<ComparisonPicture, TextureJobError> {
        let (width, height) = (self.inputs()[0].width(), self.inputs()[0].height());
        let size = [2 * width + GAP, height];
        let displayed_bytes = self.inputs()[0].stacked_bytes::<[u8; 4]>();
        self.check_memory(displayed_bytes.saturating_add(picture_bytes(size)))?;
        let mut picture = ComparisonPicture::new(size);
        for (index, left) in [(0, 0), (1, width + GAP)] {
            let texels = self.displayed(index, task)?;
            for (y, row) in (0..).zip(texels.chunks_exact(width as usize)) {
                (0..).zip(row).for_each(|(x, &texel)| picture.set(left + x, y, texel));
            }
        }
        Ok(picture)
    }
}

/// Returns the bytes of a picture of this size.
fn picture_bytes([width, height]: [u32; 2]) -> u64 {
    4 * u64::from(width) * u64::from(height)
}

impl ComparisonPicture {
    fn new([width, height]: [u32; 2]) -> Self {
        Self { width, height, texels: vec![PAPER; width as usize * height as usize] }
    }

    fn set(&mut self, x: u32, y: u32, texel: [u8; 4]) {
        if x < self.width && y < self.height {
            self.texels[y as usize * self.width as usize + x as usize] = texel;
        }
    }

    /// Writes digits from `x`, whose middle is at `y`, in pixels of `unit`×`unit` texels.
    fn write(&mut self, x: u32, y: u32, text: &str, unit: u32) {
        let top = y.saturating_sub(5 * unit / 2);
        for (place, c) in (0..).zip(text.chars()) {
            let Some((_, rows)) = GLYPHS.iter().find(|(glyph, _)| *glyph == c) else { continue };
            for (row, bits) in (0..).zip(rows) {
                for column in (0..3).filter(|column| bits & (4 >> column) != 0) {
                    let (left, top) = (x + (4 * place + column) * unit, top + row * unit);
                    for at in 0..unit * unit {
                        self.set(left + at % unit, top + at / unit, INK);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compare::{CompareInput, CompareOptions, compare_images};
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::pictures::read;
    use std::io::Cursor;

    fn comparison() -> ImageComparison {
        let input = |name: &str, texels: [u8; 12]| {
            let file = [b"P6 2 2 255\n".as_slice(), &texels].concat();
            let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
            CompareInput::of_picture(name.to_owned(), picture)
        };
        let a = input("a", [10; 12]);
        let b = input("b", [10, 10, 10, 10, 14, 11, 10, 10, 18, 99, 10, 10]);
        compare_images([a, b], &CompareOptions::default(), &Task::new()).unwrap()
    }

    #[test]
    fn a_heat_map_has_a_scale() {
        let picture = comparison().heat_map(Some(8), &Task::new()).unwrap();
        let [dark, middle, bright] = [0, 128, 255].map(|step| {
            let [r, g, b] = heat_map::colors()[step];
            [r, g, b, 255]
        });
        let row = |y: u32| &picture.texels[(y * picture.width) as usize..][..picture.width as usize];
        assert_eq!((&row(0)[..2], &row(1)[..2]), (&[dark, middle][..], &[bright, bright][..]));
        assert_eq!((row(0)[2], row(2)[0]), (PAPER, PAPER));
        let bar: Vec<_> = (3..picture.height - 3).map(|y| row(y)[12]).collect();
        assert_eq!((bar[0], bar[bar.len() - 1]), (bright, dark));
        // `8+` at the top, `4` in the middle, `0` at the end.
        let text = |y: u32| -> String {
            let pixels = row(y)[22..30].iter();
            pixels.map(|&texel| if texel == INK { '#' } else { ' ' }).collect()
        };
        assert_eq!((text(1), text(3)), ("###     ".to_owned(), "### ### ".to_owned()));
        assert_eq!((text(picture.height - 2), text(17)), ("###     ".to_owned(), "###     ".to_owned()));
    }

    #[test]
    fn images_are_side_by_side() {
        let picture = comparison().side_by_side(&Task::new()).unwrap();
        assert_eq!((picture.width, picture.height), (12, 2));
        let shown = |x: u32, y: u32| picture.texels[(y * 12 + x) as usize];
        assert_eq!((shown(0, 1), shown(10, 1)), ([10, 10, 10, 255], [10, 10, 18, 255]));
        assert_eq!((shown(11, 1), shown(2, 0)), ([99, 10, 10, 255], PAPER));
    }
}

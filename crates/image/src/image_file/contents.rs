//! Use of a picture according to its texels, which the file does not state.

use super::{
    Picture, PictureUse, Texels,
    channels::{Channels, MIN_RANGE},
    lookup_table,
};
use crate::{Cancelled, Task};

/// Contents of a picture, according to its texels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PictureContents {
    /// Colours: nothing shows another use.
    Colors,
    /// Red, green and blue are equal, and every texel is opaque.
    Grey,
    /// Normals that face the viewer.
    #[non_exhaustive]
    Normals {
        /// Share of the texels of length 1, from 0.6 to 1.
        share: f64,
    },
    /// Normals in the space of an object or of the world.
    #[non_exhaustive]
    ObjectNormals {
        /// Share of the texels that face away, from 0 to 1.
        away: f64,
    },
    /// A table of colours by red, green and blue: a strip of squares.
    LookupTable,
    /// Channels that do not belong together as colours do.
    #[non_exhaustive]
    Packed {
        /// The reason, in a few words.
        reason: &'static str,
    },
    /// Colours that may be channels without relation.
    MaybePacked,
    /// Colours with an alpha that is nowhere 0 and seldom 1, and may be data.
    DenseAlpha,
}

impl PictureContents {
    /// Returns the use of such a picture if nothing else states it.
    pub const fn usage(self) -> PictureUse {
        match self {
            Self::Colors | Self::Grey | Self::MaybePacked | Self::DenseAlpha => PictureUse::Unknown,
            Self::Normals { .. } | Self::ObjectNormals { .. } => PictureUse::Normals,
            Self::LookupTable | Self::Packed { .. } => PictureUse::Data,
        }
    }
}

/// Minimum share of texels whose weights have the sum 1.
const WEIGHT_SHARE: f64 = 0.98;
/// Minimum range of weights, of 1.
const WEIGHT_RANGE: f64 = 0.25;
/// Correlation of two channels below which they have no relation, if the third does not vary.
const UNRELATED_PAIR: f64 = 0.5;
/// Largest correlation of three channels without relation. In photographs it is 0.9 and more, because all
/// channels become brighter together.
const UNRELATED: f64 = 0.3;
/// The same, if they may be colours.
const HARDLY_RELATED: f64 = 0.6;
/// Minimum correlation of the channels of a photograph.
const RELATED: f64 = 0.9;
/// Maximum share of opaque texels for an alpha that may be data.
const OPAQUE_SHARE: f64 = 0.05;
/// Minimum number of colours, of 16³, for a statement about relations. Drawings have few.
const MIN_COLORS: u32 = 48;
/// The same for weights, which blend few layers.
const MIN_WEIGHTS: u32 = 16;

impl Picture {
    /// Returns what the texels show of the picture's use. Floats are colours. The task reports no progress.
    ///
    /// Data is recognised by weights whose sum is 1; by a channel that is 0 or 1 in all texels, if the two
    /// others are unrelated; by three unrelated channels; and by grey with an alpha that is nowhere 0.
    /// Channels are related if their values or the differences of neighbours rise together. Gradients, and
    /// pictures with holes, are colours.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn contents(&self, task: &Task<'_>) -> Result<PictureContents, Cancelled> {
        if self.texels.is_float() {
            return Ok(PictureContents::Colors);
        }
        let is_grey = self.is_grey(task)?;
        if is_grey && self.is_opaque {
            return Ok(PictureContents::Grey);
        }
        if let Some(normals) = self.normals(task)?.filter(|_| !is_grey) {
            if let Some(share) = normals.share() {
                return Ok(PictureContents::Normals { share });
            }
            if normals.is_object_space() {
                return Ok(PictureContents::ObjectNormals { away: normals.away_share() });
            }
        }
        if lookup_table::is_one(self) {
            return Ok(PictureContents::LookupTable);
        }
        self.packing(is_grey, task)
    }

    /// True if two of red, green and blue vary, and are not as closely related as in photographs: a line
    /// through the colours of a block, as in BC1, is far from some of its texels. False for floats. The task
    /// reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn has_unrelated_channels(&self, task: &Task<'_>) -> Result<bool, Cancelled> {
        if self.texels.is_float() {
            return Ok(false);
        }
        let channels = Channels::of(self, task)?;
        let varies = |channel: usize| channels.range(channel) >= MIN_RANGE;
        let pairs = [[0, 1], [0, 2], [1, 2]].into_iter().filter(|pair| pair.iter().all(|&c| varies(c)));
        Ok(pairs.map(|[a, b]| channels.correlation(a, b)).any(|related| related < RELATED))
    }

    /// Returns [`PictureContents::Packed`], [`PictureContents::MaybePacked`] or [`PictureContents::Colors`].
    fn packing(&self, is_grey: bool, task: &Task<'_>) -> Result<PictureContents, Cancelled> {
        let packed = |reason| Ok(PictureContents::Packed { reason });
        let channels = Channels::of(self, task)?;
        let is_dense = channels.ranges[3][0] > 0.0
            && channels.range(3) >= MIN_RANGE
            && channels.opaque_share <= OPAQUE_SHARE;
        let colors = if is_dense { PictureContents::DenseAlpha } else { PictureContents::Colors };
        if is_grey {
            return if is_dense { packed("grey, and alpha is nowhere 0") } else { Ok(colors) };
        }
        let wide = (0..3).filter(|&channel| channels.range(channel) >= WEIGHT_RANGE).count();
        let has_many = channels.color_count >= MIN_WEIGHTS;
        if wide >= 2 && has_many && channels.weight_share >= WEIGHT_SHARE {
            return packed("the sum of the channels is 1");
        }
        // Holes are cut out of colours.
        if !self.is_opaque && self.is_cut_out(task)? {
            return Ok(colors);
        }
        let varying: Vec<_> = (0..3).filter(|&channel| channels.range(channel) >= MIN_RANGE).collect();
        let are_rough = varying.iter().all(|&channel| channels.is_rough(channel));
        let largest = |pairs: &[[usize; 2]]| {
            let of_pair = |&[a, b]: &[usize; 2]| channels.correlation(a, b);
            pairs.iter().map(of_pair).fold(-1.0, f64::max)
        };
        let is_unused = |channel: usize| matches!(channels.ranges[channel], [0.0, 0.0] | [1.0, 1.0]);
        match varying[..] {
            _ if !are_rough => Ok(colors),
            [a, b] if is_unused(3 - a - b) && largest(&[[a, b]]) < UNRELATED_PAIR => {
                packed("a channel is 0 or 1 in all texels, and the others are unrelated")
            }
            // Roughness alone in the layout of glTF: occlusion and metalness are 0 or 1.
            [1] if is_unused(0) && is_unused(2) && channels.ranges[0] != channels.ranges[2] => {
                packed("only green varies, red or blue is 1")
            }
            // The same, or green light.
            [1] if is_unused(0) && is_unused(2) => Ok(PictureContents::MaybePacked),
            [_, _, _] if channels.color_count >= MIN_COLORS => {
                let largest = largest(&[[0, 1], [0, 2], [1, 2]]);
                match () {
                    () if largest < UNRELATED => packed("red, green and blue are unrelated"),
                    () if largest < HARDLY_RELATED => Ok(PictureContents::MaybePacked),
                    () => Ok(colors),
                }
            }
            _ => Ok(colors),
        }
    }
}

impl Texels {
    /// Returns red, green, blue and alpha from 0 to 1 of texels of integers; zeros for floats.
    pub(super) fn unit(&self, index: usize) -> [f32; 4] {
        let byte = |value: u8| f32::from(value) / 255.0;
        let word = |value: u16| f32::from(value) / 65535.0;
        match self {
            Self::Grey8(texels) => [byte(texels[index]), byte(texels[index]), byte(texels[index]), 1.0],
            Self::Grey16(texels) => [word(texels[index]), word(texels[index]), word(texels[index]), 1.0],
            Self::Rgb8(texels) => {
                let [r, g, b] = texels[index].map(byte);
                [r, g, b, 1.0]
            }
            Self::Rgb16(texels) => {
                let [r, g, b] = texels[index].map(word);
                [r, g, b, 1.0]
            }
            Self::Rgba8(texels) => texels[index].map(byte),
            Self::Rgba16(texels) => texels[index].map(word),
            Self::RgbF16(_) | Self::RgbaF16(_) | Self::RgbF32(_) | Self::RgbaF32(_) => [0.0; 4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ColorSpace, ImageView,
        image_file::{ImageReadOptions, read},
    };
    use std::{fs::File, io::BufReader, path::Path};

    const SIDE: u32 = 64;

    fn contents_of(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> PictureContents {
        let texels: Vec<_> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).collect();
        let texels: Vec<_> = texels.into_iter().map(|(x, y)| texel(x, y)).collect();
        let image = ImageView::new(&texels, width, height).unwrap();
        let options = ImageReadOptions::default();
        let picture = Picture::of_image(&image, ColorSpace::Srgb, &options, &Task::new()).unwrap();
        picture.contents(&Task::new()).unwrap()
    }

    fn contents(texel: impl Fn(u32, u32) -> [u8; 4]) -> PictureContents {
        contents_of(SIDE, SIDE, texel)
    }

    /// Returns noise from 0 to `size`, another one for each seed.
    fn noise(x: u32, y: u32, seed: u32, size: u32) -> u8 {
        let mut hash = (x + 1).wrapping_mul(0x9e37_79b1)
            ^ (y + 1).wrapping_mul(0x85eb_ca6b)
            ^ seed.wrapping_mul(0xc2b2_ae35);
        for _ in 0..3 {
            hash ^= hash << 13;
            hash ^= hash >> 17;
            hash ^= hash << 5;
        }
        (hash % (size + 1)) as u8
    }

    fn reason(contents: PictureContents) -> &'static str {
        let PictureContents::Packed { reason } = contents else { panic!("{contents:?}") };
        reason
    }

    #[test]
    fn packed_channels_are_recognised() {
        let rough = |x: u32, y: u32| noise(x / 3, y / 3, 2, 120) + 60;
        let metal = |x: u32, y: u32| if noise(x / 9, y / 9, 3, 9) > 5 { 255 } else { 0 };
        let occlusion = |x: u32, y: u32| 255 - noise(x / 2, y / 5, 1, 90);
        let unrelated = "red, green and blue are unrelated";
        assert_eq!(reason(contents(|x, y| [occlusion(x, y), rough(x, y), metal(x, y), 255])), unrelated);
        assert_eq!(
            reason(contents(|x, y| [metal(x, y), occlusion(x, y), rough(x, y), noise(x, y, 4, 255)])),
            unrelated
        );
        let constant = "a channel is 0 or 1 in all texels, and the others are unrelated";
        assert_eq!(reason(contents(|x, y| [255, rough(x, y), metal(x, y), 255])), constant);
        assert_eq!(reason(contents(|x, y| [occlusion(x, y), rough(x, y), 0, 255])), constant);
        let green = "only green varies, red or blue is 1";
        assert_eq!(reason(contents(|x, y| [255, rough(x, y), 0, 255])), green);
        assert_eq!(contents(|x, y| [0, rough(x, y), 0, 255]), PictureContents::MaybePacked);
        let weights = |x: u32, y: u32| {
            let [a, b] = [noise(x / 8, y / 8, 5, 255), noise(x / 8, y / 8, 6, 255)];
            [a, (255 - a).min(b), (255 - a) - (255 - a).min(b), 255]
        };
        assert_eq!(reason(contents(weights)), "the sum of the channels is 1");
        let smooth = |x: u32, y: u32| [metal(x, y), metal(x, y), metal(x, y), rough(x, y)];
        assert_eq!(reason(contents(smooth)), "grey, and alpha is nowhere 0");
    }

    #[test]
    fn colors_are_no_packed_channels() {
        let light = |x: u32, y: u32| noise(x / 2, y / 2, 1, 100);
        let brown = |x: u32, y: u32| [120 + light(x, y), 90 + light(x, y) / 2, 60 + light(x, y) / 4];
        let with_alpha = |alpha: &dyn Fn(u32, u32) -> u8| {
            contents(|x, y| {
                let [r, g, b] = brown(x, y);
                [r, g, b, alpha(x, y)]
            })
        };
        assert_eq!(with_alpha(&|_, _| 255), PictureContents::Colors);
        assert_eq!(with_alpha(&|x, _| 4 * x as u8), PictureContents::Colors);
        assert_eq!(with_alpha(&|x, y| 60 + noise(x, y, 4, 100)), PictureContents::DenseAlpha);
        assert_eq!(
            contents(|x, y| [light(x, y), light(x, y), light(x, y), 4 * y as u8]),
            PictureContents::Colors
        );
        assert_eq!(contents(|x, y| [light(x, y), light(x, y), light(x, y), 255]), PictureContents::Grey);
        // Gradients, cut-outs, laser beams, and drawings in few colours.
        let gradient = |x: u32, y: u32| [4 * x as u8, 4 * y as u8, 0, 255];
        assert_eq!(contents(gradient), PictureContents::Colors);
        let holes =
            |x: u32, y: u32| [noise(x, y, 1, 255), noise(x, y, 2, 255), 0, if x > y { 255 } else { 0 }];
        assert_eq!(contents(holes), PictureContents::Colors);
        assert_eq!(contents(|x, y| [light(x, y), 0, 0, 255]), PictureContents::Colors);
        let drawn = |x: u32, y: u32| match (x / 9 + y / 7) % 4 {
            0 => [230, 60, 40, 255],
            1 => [40, 190, 70, 255],
            2 => [60, 90, 230, 255],
            _ => [20, 15, 30, 255],
        };
        assert_eq!(contents(drawn), PictureContents::Colors);
        // Red, green and blue have the sum 1.
        let pure =
            |x: u32, y: u32| [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]][(x + y / 5) as usize % 3];
        assert_eq!(contents(pure), PictureContents::Colors);
    }

    #[test]
    fn photographs_are_colors() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data");
        let kodak = (1..=23).step_by(2).map(|number| format!("kodak/kodim{number:02}.png"));
        for name in kodak.chain(["textures/leather-base-color.png".to_owned()]) {
            let file = BufReader::new(File::open(folder.join(&name)).unwrap());
            let picture = read(file, None, &ImageReadOptions::default(), &Task::new()).unwrap();
            let channels = Channels::of(&picture, &Task::new()).unwrap();
            let related = [[0, 1], [0, 2], [1, 2]].map(|[a, b]| channels.correlation(a, b));
            assert_eq!(
                picture.contents(&Task::new()).unwrap(),
                PictureContents::Colors,
                "{name} {related:?}"
            );
        }
    }

    #[test]
    fn strips_of_squares_are_lookup_tables() {
        for side in [16u32, 32] {
            let table = |x: u32, y: u32, square: u32| {
                let value = |v: u32| (v * 255 / (side - 1)) as u8;
                // A look: more contrast in red, darker blue.
                let red = value(x).saturating_sub(20).saturating_mul(5) / 4;
                [red, value(y), value(square) / 2 + value(x) / 8, 255]
            };
            let row = |x: u32, y: u32| table(x % side, y, x / side);
            assert_eq!(contents_of(side * side, side, row), PictureContents::LookupTable);
            let up = |x: u32, y: u32| row(x, side - 1 - y);
            assert_eq!(contents_of(side * side, side, up), PictureContents::LookupTable);
            let column = |x: u32, y: u32| table(x, y % side, y / side);
            assert_eq!(contents_of(side, side * side, column), PictureContents::LookupTable);
            // A panorama of the same size.
            let sky = |x: u32, y: u32| {
                [100 + noise(x / 9, 0, 1, 40), 120 + noise(x / 9, 0, 1, 40), 250 - y as u8, 255]
            };
            assert_ne!(contents_of(side * side, side, sky), PictureContents::LookupTable);
        }
    }
}

//! Swizzles: the channels of a picture from other channels, or from constants.

use crate::texture::{ChannelScale, TextureJobError, TextureOptions, alpha_use::is_color};
use brickwork_base::{Cancelled, Task};
use brickwork_image::{
    Channel,
    image_file::{Picture, Texels},
};
use brickwork_texture::{Swizzle, SwizzleSource, half::f16};

/// A swizzle, and changes of its results.
#[derive(Clone, Copy, PartialEq)]
pub struct ChannelMap {
    swizzle: Swizzle,
    changes: [ChannelScale; 4],
}

impl ChannelMap {
    /// Returns the map that options state.
    pub const fn of(options: &TextureOptions) -> Self {
        Self { swizzle: options.swizzle, changes: options.channel_scales }
    }

    fn is_changed(&self, channel: usize) -> bool {
        self.changes[channel] != ChannelScale::IDENTITY
    }
}

/// Returns the picture with the channels that a map states. `name` is the input's name, for errors.
///
/// The type of the channels stays the same. 1 is its maximum, or 1.0 for floats. Grey is red, green and blue;
/// a missing alpha is 1. The result has no alpha if it would be 1 for the reason that that of the picture is
/// missing or the map states it.
///
/// # Errors
/// [`TextureJobError`] if the texels before and after need more than `max_memory` bytes, or the task is
/// cancelled.
pub fn swizzled(
    mut picture: Picture,
    name: &str,
    by: ChannelMap,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Picture, TextureJobError> {
    if !is_swizzled(&picture.texels, by) {
        return Ok(picture);
    }
    let needed = swizzle_bytes(&picture.texels, by);
    if needed > max_memory {
        return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
    }
    task.check()?;
    let keeps_alpha = keeps_alpha(&picture.texels, by);
    picture.texels = texels(picture.texels, by, keeps_alpha, task)?;
    picture.is_opaque = picture.texels.is_opaque();
    picture.has_alpha = keeps_alpha && (is_color(by.swizzle.0[3]) || picture.has_alpha || !picture.is_opaque);
    Ok(picture)
}

/// Returns the bytes of the texels before and after a swizzle; 0 if they are changed in place or not at all.
pub fn swizzle_bytes(texels: &Texels, by: ChannelMap) -> u64 {
    let channel_bytes = texels.texel_type().channel_type().bytes();
    let channel_count = if keeps_alpha(texels, by) { 4 } else { 3 };
    let result_bytes = texels.texel_count() as u64 * u64::from(channel_count * channel_bytes);
    let bytes = texels.byte_count() as u64;
    let is_in_place = bytes == result_bytes || !is_swizzled(texels, by);
    if is_in_place { 0 } else { bytes.saturating_add(result_bytes) }
}

/// True if a swizzle changes these texels. Grey stays grey if all of its channels are colours.
pub fn is_swizzled(texels: &Texels, by: ChannelMap) -> bool {
    let is_grey = matches!(texels, Texels::Grey8(_) | Texels::Grey16(_));
    let is_kept = |channel: usize| is_color(by.swizzle.0[channel]) && !by.is_changed(channel);
    let stays_grey = is_grey && (0..3).all(is_kept) && !keeps_alpha(texels, by);
    let is_identity = by.swizzle == Swizzle::IDENTITY && !(0..4).any(|channel| by.is_changed(channel));
    !is_identity && !stays_grey
}

/// True if the result has alpha.
fn keeps_alpha(texels: &Texels, by: ChannelMap) -> bool {
    match by.swizzle.0[3] {
        _ if by.is_changed(3) => true,
        SwizzleSource::One => false,
        SwizzleSource::Alpha => texels.texel_type().has_alpha(),
        SwizzleSource::Red | SwizzleSource::Green | SwizzleSource::Blue | SwizzleSource::Zero => true,
    }
}

/// Returns the swizzled texels.
fn texels(texels: Texels, by: ChannelMap, keeps_alpha: bool, task: &Task<'_>) -> Result<Texels, Cancelled> {
    let bytes =
        Channels { task, by, keeps_alpha, ends: [0, u8::MAX], rgb: Texels::Rgb8, rgba: Texels::Rgba8 };
    let words =
        Channels { task, by, keeps_alpha, ends: [0, u16::MAX], rgb: Texels::Rgb16, rgba: Texels::Rgba16 };
    let ends = [f16::ZERO, f16::ONE];
    let halves = Channels { task, by, keeps_alpha, ends, rgb: Texels::RgbF16, rgba: Texels::RgbaF16 };
    let singles =
        Channels { task, by, keeps_alpha, ends: [0.0, 1.0], rgb: Texels::RgbF32, rgba: Texels::RgbaF32 };
    match texels {
        Texels::Grey8(texels) => bytes.of_grey(&texels),
        Texels::Rgb8(texels) => bytes.of_rgb(texels),
        Texels::Rgba8(texels) => bytes.of_rgba(texels),
        Texels::Grey16(texels) => words.of_grey(&texels),
        Texels::Rgb16(texels) => words.of_rgb(texels),
        Texels::Rgba16(texels) => words.of_rgba(texels),
        Texels::RgbF16(texels) => halves.of_rgb(texels),
        Texels::RgbaF16(texels) => halves.of_rgba(texels),
        Texels::RgbF32(texels) => singles.of_rgb(texels),
        Texels::RgbaF32(texels) => singles.of_rgba(texels),
        // There are no other texels yet.
        other => Ok(other),
    }
}

/// A swizzle of texels with channels of one type. Texels of the same size are changed in place.
struct Channels<'a, C> {
    task: &'a Task<'a>,
    by: ChannelMap,
    /// True if the result has alpha.
    keeps_alpha: bool,
    /// 0 and 1.
    ends: [C; 2],
    /// Constructor of a result without alpha.
    rgb: fn(Vec<[C; 3]>) -> Texels,
    /// Constructor of a result with alpha.
    rgba: fn(Vec<[C; 4]>) -> Texels,
}

impl<C: Channel> Channels<'_, C> {
    fn of_grey(&self, texels: &[C]) -> Result<Texels, Cancelled> {
        let changed = |&grey: &C| self.texel([grey, grey, grey, self.ends[1]]);
        Ok(match self.keeps_alpha {
            true => (self.rgba)(self.task.map_in_pieces(texels, changed)?),
            false => (self.rgb)(self.task.map_in_pieces(texels, |grey| without_alpha(changed(grey)))?),
        })
    }

    fn of_rgb(&self, mut texels: Vec<[C; 3]>) -> Result<Texels, Cancelled> {
        let changed = |&[red, green, blue]: &[C; 3]| self.texel([red, green, blue, self.ends[1]]);
        if self.keeps_alpha {
            return Ok((self.rgba)(self.task.map_in_pieces(&texels, changed)?));
        }
        let change = |texel: &mut [C; 3]| *texel = without_alpha(changed(texel));
        self.task.in_pieces(&mut texels, |texels| texels.iter_mut().for_each(change))?;
        Ok((self.rgb)(texels))
    }

    fn of_rgba(&self, mut texels: Vec<[C; 4]>) -> Result<Texels, Cancelled> {
        if !self.keeps_alpha {
            let changed = |&texel: &[C; 4]| without_alpha(self.texel(texel));
            return Ok((self.rgb)(self.task.map_in_pieces(&texels, changed)?));
        }
        let change = |texel: &mut [C; 4]| *texel = self.texel(*texel);
        self.task.in_pieces(&mut texels, |texels| texels.iter_mut().for_each(change))?;
        Ok((self.rgba)(texels))
    }

    /// Returns a texel by the map.
    fn texel(&self, texel: [C; 4]) -> [C; 4] {
        let mut changes = self.by.changes.into_iter();
        self.by.swizzle.applied(texel, self.ends).map(|channel| match changes.next() {
            Some(change) => change.applied(channel),
            None => channel,
        })
    }
}

fn without_alpha<C>([red, green, blue, _]: [C; 4]) -> [C; 3] {
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::values;
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::pictures::read;
    use std::io::Cursor;

    const LIMIT: u64 = 1 << 20;

    fn swizzle(text: &str) -> ChannelMap {
        let (swizzle, changes) = values::swizzle_terms(text).unwrap();
        ChannelMap { swizzle, changes }
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

    fn of(texels: Texels, letters: &str) -> Texels {
        let result = swizzled(picture(texels), "a", swizzle(letters), LIMIT, &Task::new()).unwrap();
        assert_eq!(result.is_opaque, result.texels.is_opaque());
        result.texels
    }

    #[test]
    fn channels_of_every_type_are_moved_without_loss() {
        assert_eq!(of(Texels::Rgba8(vec![[1, 2, 3, 4]]), "abgr"), Texels::Rgba8(vec![[4, 3, 2, 1]]));
        assert_eq!(of(Texels::Rgba8(vec![[1, 2, 3, 4]]), "rgb1"), Texels::Rgb8(vec![[1, 2, 3]]));
        assert_eq!(of(Texels::Rgb8(vec![[1, 2, 3]]), "01rg"), Texels::Rgba8(vec![[0, 255, 1, 2]]));
        assert_eq!(of(Texels::Rgb8(vec![[1, 2, 3]]), "abra"), Texels::Rgb8(vec![[255, 3, 1]]));
        assert_eq!(of(Texels::Rgb8(vec![[1, 2, 3]]), "rgb0"), Texels::Rgba8(vec![[1, 2, 3, 0]]));
        assert_eq!(of(Texels::Rgb16(vec![[1, 2, 65534]]), "b1ra"), Texels::Rgb16(vec![[65534, 65535, 1]]));
        let wide = Texels::Rgba16(vec![[1, 2, 3, 999]]);
        assert_eq!(of(wide, "agr0"), Texels::Rgba16(vec![[999, 2, 1, 0]]));
        let [small, large] = [f16::from_bits(1), f16::MAX];
        let halves = Texels::RgbaF16(vec![[small, large, f16::ONE, f16::NEG_INFINITY]]);
        let moved = Texels::RgbaF16(vec![[f16::NEG_INFINITY, f16::ZERO, f16::ONE, small]]);
        assert_eq!(of(halves, "a01r"), moved);
        let halves = Texels::RgbF16(vec![[small, large, f16::ZERO]]);
        assert_eq!(of(halves, "gra1"), Texels::RgbF16(vec![[large, small, f16::ONE]]));
        let singles = of(Texels::RgbF32(vec![[0.1, 1e9, 0.0]]), "gr1r");
        assert_eq!(singles, Texels::RgbaF32(vec![[1e9, 0.1, 1.0, 0.1]]));
        let singles = of(Texels::RgbaF32(vec![[0.1, 1e9, 0.0, 2.0]]), "a0b1");
        assert_eq!(singles, Texels::RgbF32(vec![[2.0, 0.0, 0.0]]));
    }

    #[test]
    fn grey_is_every_colour() {
        assert_eq!(of(Texels::Grey8(vec![7]), "bbg1"), Texels::Grey8(vec![7]));
        assert_eq!(of(Texels::Grey8(vec![7]), "r0g1"), Texels::Rgb8(vec![[7, 0, 7]]));
        assert_eq!(of(Texels::Grey8(vec![7]), "111g"), Texels::Rgba8(vec![[255, 255, 255, 7]]));
        assert_eq!(of(Texels::Grey16(vec![700]), "0rar"), Texels::Rgba16(vec![[0, 700, 65535, 700]]));
    }

    #[test]
    fn numbers_are_scaled_after_they_are_moved() {
        assert_eq!(of(Texels::Rgba8(vec![[1, 2, 3, 4]]), "1-a,g,r*2,a"), Texels::Rgba8(vec![[251, 2, 2, 4]]));
        assert_eq!(of(Texels::Rgb8(vec![[1, 2, 255]]), "r,g,b,1-b"), Texels::Rgba8(vec![[1, 2, 255, 0]]));
        // A missing alpha is 1.
        assert_eq!(of(Texels::Rgb8(vec![[1, 2, 3]]), "r,g,b,1-a"), Texels::Rgba8(vec![[1, 2, 3, 0]]));
        assert_eq!(of(Texels::Grey8(vec![55]), "1-r,1-r,1-r,1"), Texels::Rgb8(vec![[200; 3]]));
        assert_eq!(of(Texels::Rgb16(vec![[1, 2, 3]]), "1-r,0.5,b,1"), Texels::Rgb16(vec![[65534, 32768, 3]]));
        let singles = of(Texels::RgbF32(vec![[4.0, -1.0, 0.0]]), "r*0.5+0.5,1-g,b,1");
        assert_eq!(singles, Texels::RgbF32(vec![[2.5, 2.0, 0.0]]));
    }

    #[test]
    fn memory_of_both_pictures_counts() {
        let rgb = || picture(Texels::Rgb8(vec![[1, 2, 3]]));
        let run = |letters, limit| swizzled(rgb(), "a", swizzle(letters), limit, &Task::new());
        assert!(run("bgra", 0).is_ok() && run("bgrr", 7).is_ok() && run("rgba", 0).is_ok());
        let error = run("bgrr", 6).unwrap_err();
        assert!(matches!(error, TextureJobError::Memory { needed: 7, .. }), "{error:?}");
        let bytes = |texels: Texels, letters| swizzle_bytes(&texels, swizzle(letters));
        assert_eq!(bytes(Texels::Rgba8(vec![[1, 2, 3, 4]]), "rgb1"), 7);
        assert_eq!(bytes(Texels::Rgba16(vec![[1, 2, 3, 4]]), "abgr"), 0);
        assert_eq!(bytes(Texels::Grey16(vec![1]), "rrrr"), 10);
        assert_eq!(bytes(Texels::Grey8(vec![1]), "rrr1"), 0);
        assert_eq!(bytes(Texels::RgbF32(vec![[1.0; 3]]), "rgbr"), 12 + 16);
    }
}

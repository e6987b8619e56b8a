//! Thumbnails of tables.

use super::pixels::Pixels;
use crate::report::AuditKind;
use brickwork_base::Task;
use brickwork_image::image_file::ImageWriteError;
use brickwork_texture::{
    AlphaMode, ChannelType, ColorSpace, Image, ImageError, ToneMap,
    mips::{self, MipError, MipOptions, MipTexels, restored_z},
};
use brickwork_toolkit::{report::escaped, texture::TextureJobError};
use std::fmt::Write as _;

/// Length of a thumbnail's longer side in pixels. Smaller pictures are not enlarged.
pub const SIDE: u32 = 96;

/// The reason why there is no thumbnail.
#[derive(Debug, thiserror::Error)]
pub enum ThumbnailError {
    /// The texels do not have the picture's size.
    #[error(transparent)]
    View(#[from] ImageError),
    /// The picture cannot be resized.
    #[error(transparent)]
    Resize(#[from] MipError),
    /// The PNG cannot be written.
    #[error(transparent)]
    Write(#[from] ImageWriteError),
}

impl ThumbnailError {
    /// Returns the error of a file.
    pub fn of(self, input: String) -> TextureJobError {
        match self {
            Self::View(error) => TextureJobError::Measure { input, error: error.into() },
            Self::Resize(error) => TextureJobError::Resize { input, error },
            Self::Write(error) => TextureJobError::WritePng { output: input, error },
        }
    }
}

/// A picture of a thumbnail.
struct Tile {
    /// Name of the channel; empty for colours.
    name: &'static str,
    pixels: Pixels<[u8; 4]>,
}

/// Returns a thumbnail as HTML, whose background is a checkerboard. The box filter makes it: in linear light
/// for colours and HDR, without conversion for other kinds. Floats are displayed by the default tone map.
/// Transparent texels do not bleed into others. `channel_count` channels are stored: two of a normal have z
/// restored, and three or four of data become a grey picture each.
///
/// # Errors
/// [`ThumbnailError`] if memory cannot be allocated or the task is cancelled.
pub fn thumbnail(
    image: &dyn Image,
    kind: AuditKind,
    channel_count: usize,
    task: &Task<'_>,
) -> Result<String, ThumbnailError> {
    let pixels = resized(image, kind, task)?;
    let mut html = String::from("<span class=\"thumb\">");
    for Tile { name, pixels } in tiles(pixels, kind, channel_count) {
        let Pixels { width, height, .. } = pixels;
        let (name, uri) = (escaped(name), pixels.one_data_uri(task)?);
        let _ = write!(
            html,
            "<img alt=\"{name}\" title=\"{name}\" width=\"{width}\" height=\"{height}\" src=\"{uri}\">"
        );
    }
    Ok(html + "</span>")
}

fn resized(image: &dyn Image, kind: AuditKind, task: &Task<'_>) -> Result<Pixels<[u8; 4]>, ThumbnailError> {
    let size = image.size();
    let longer = u64::from(size[0].max(size[1]));
    let side = u64::from(SIDE).min(longer);
    let small =
        size.map(|side_before| ((u64::from(side_before) * side + longer / 2) / longer.max(1)).max(1) as u32);
    let is_light = matches!(kind, AuditKind::Color | AuditKind::Hdr);
    let color_space = if is_light { ColorSpace::Srgb } else { ColorSpace::Linear };
    let alpha = if kind == AuditKind::Color { AlphaMode::Straight } else { AlphaMode::Opaque };
    let is_float = matches!(image.channel_type(), ChannelType::F16 | ChannelType::F32);
    let channels = if is_float { ChannelType::F16 } else { ChannelType::U8 };
    let level = mips::resize(image, channels, small, MipOptions::new(color_space, alpha), task)?;
    let texels = match level.into_texels() {
        MipTexels::Rgba8(texels) => texels,
        MipTexels::RgbaF16(texels) => texels.iter().map(|&texel| ToneMap::default().map(texel)).collect(),
        _ => unreachable!("the level has the requested channels"),
    };
    Ok(Pixels::new(small[0], small[1], texels))
}

fn tiles(mut pixels: Pixels<[u8; 4]>, kind: AuditKind, channel_count: usize) -> Vec<Tile> {
    if kind == AuditKind::Normal && channel_count == 2 {
        pixels.texels.iter_mut().for_each(|[x, y, z, _]| *z = restored_z(*x, *y));
    }
    if kind != AuditKind::Data || channel_count < 3 {
        return vec![Tile { name: "", pixels }];
    }
    let has_alpha = pixels.texels.iter().any(|texel| texel[3] < 255);
    let channels = ["red", "green", "blue", "alpha"].into_iter().enumerate();
    let tile = |(channel, name): (usize, &'static str)| {
        let grey = |texel: &[u8; 4]| [texel[channel], texel[channel], texel[channel], 255];
        let texels = pixels.texels.iter().map(grey).collect();
        Tile { name, pixels: Pixels::new(pixels.width, pixels.height, texels) }
    };
    channels.take(if has_alpha { 4 } else { 3 }).map(tile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::{ImageView, half::f16};

    fn tiles_of(texels: &[[u8; 4]], size: [u32; 2], kind: AuditKind, channels: usize) -> Vec<Tile> {
        let image = ImageView::new(texels, size[0], size[1]).unwrap();
        tiles(resized(&image, kind, &Task::new()).unwrap(), kind, channels)
    }

    /// Light of an 8-bit sRGB value (IEC 61966-2-1).
    fn light(value: f64) -> f64 {
        let value = value / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }

    /// The mean light over a checkerboard is that of the picture.
    #[test]
    fn a_thumbnail_has_the_mean_light_over_a_checkerboard() {
        let size = [320, 160];
        let texel = |i: u32| [(i % 251) as u8, (i % 83) as u8 * 3, 40, if i % 320 < 160 { 255 } else { 51 }];
        let texels: Vec<_> = (0..size[0] * size[1]).map(texel).collect();
        let tiles = tiles_of(&texels, size, AuditKind::Color, 4);
        assert_eq!((tiles.len(), tiles[0].pixels.width, tiles[0].pixels.height), (1, 96, 48));
        // Squares of two greys have this mean.
        let board = (light(255.0) + light(220.0)) / 2.0;
        let mean = |texels: &[[u8; 4]], c: usize| {
            let over = |texel: &[u8; 4]| {
                let alpha = f64::from(texel[3]) / 255.0;
                alpha * light(texel[c].into()) + (1.0 - alpha) * board
            };
            texels.iter().map(over).sum::<f64>() / texels.len() as f64
        };
        for c in 0..3 {
            let [small, all] = [mean(&tiles[0].pixels.texels, c), mean(&texels, c)];
            assert!((small - all).abs() < 0.002, "{c}: {small}, {all}");
        }
    }

    /// Colours of transparent texels are not seen.
    #[test]
    fn hidden_colours_do_not_bleed() {
        let texels = [[9, 200, 9, 255], [255, 0, 255, 0]].repeat(192);
        let tiles = tiles_of(&texels, [192, 2], AuditKind::Color, 4);
        assert!(tiles[0].pixels.texels.iter().all(|texel| texel[..3] == [9, 200, 9] && texel[3] == 128));
    }

    #[test]
    fn two_channels_of_a_normal_have_z() {
        // (0.6, 0, 0.8) and (0, −0.6, 0.8), of which 255 is 1 and 0 is −1. As 128 is above 0, z is 229.499.
        let tiles = tiles_of(&[[204, 128, 0, 255], [128, 51, 0, 255]], [2, 1], AuditKind::Normal, 2);
        let z: Vec<_> = tiles[0].pixels.texels.iter().map(|texel| texel[2]).collect();
        assert_eq!(z, [229, 229]);
        let stored = tiles_of(&[[204, 128, 7, 255]], [1, 1], AuditKind::Normal, 4);
        assert_eq!(stored[0].pixels.texels, [[204, 128, 7, 255]]);
    }

    /// The mean of light is displayed, not the mean of displayed light.
    #[test]
    fn light_is_averaged_before_the_tone_map() {
        let texels =
            [[1.5, 0.0, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0]].map(|texel: [f32; 4]| texel.map(f16::from_f32));
        let texels = texels.repeat(96);
        let image = ImageView::new(&texels, 192, 1).unwrap();
        let pixels = resized(&image, AuditKind::Hdr, &Task::new()).unwrap();
        // 0.75 and 0.5 in sRGB.
        assert!(pixels.texels.iter().all(|texel| *texel == [225, 0, 188, 255]), "{:?}", pixels.texels[0]);
    }

    #[test]
    fn packed_data_has_a_picture_for_each_channel() {
        let grey = |tiles: &[Tile]| tiles.iter().map(|tile| tile.pixels.texels[0]).collect::<Vec<_>>();
        let data = tiles_of(&[[10, 20, 30, 255]], [1, 1], AuditKind::Data, 4);
        assert_eq!(grey(&data), [[10, 10, 10, 255], [20, 20, 20, 255], [30, 30, 30, 255]]);
        let data = tiles_of(&[[10, 20, 30, 40]], [1, 1], AuditKind::Data, 4);
        assert_eq!((data.len(), data[3].name, data[3].pixels.texels[0]), (4, "alpha", [40, 40, 40, 255]));
        assert_eq!(tiles_of(&[[10, 20, 30, 255]], [1, 1], AuditKind::Color, 4).len(), 1);
        // Numbers are averaged as they are.
        let texels = [[0, 0, 0, 255], [100, 0, 0, 255]].repeat(96);
        let data = tiles_of(&texels, [192, 1], AuditKind::Data, 4);
        assert!(data[0].pixels.texels.iter().all(|texel| texel[0] == 50));
    }
}

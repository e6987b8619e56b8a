//! Normal maps: vectors in red, green and blue, of which value v of n means 2v/n − 1.

use brickwork_base::{Cancelled, Task};
use brickwork_image::{
    Channel,
    image_file::{Picture, Texels},
};
use brickwork_texture::{
    MipWrap,
    mips::{normalized, restored_z},
};

/// Number of rows between two checks for cancellation.
const ROWS_AT_A_TIME: usize = 64;

/// Inverts x or y, channel 0 or 1. Inverted y converts between the conventions of OpenGL and Direct3D.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn flip(picture: &mut Picture, channel: usize, task: &Task<'_>) -> Result<(), Cancelled> {
    match &mut picture.texels {
        Texels::Rgb8(texels) => change(texels, channel, task, |value| u8::MAX - value),
        Texels::Rgba8(texels) => change(texels, channel, task, |value| u8::MAX - value),
        Texels::Rgb16(texels) => change(texels, channel, task, |value| u16::MAX - value),
        Texels::Rgba16(texels) => change(texels, channel, task, |value| u16::MAX - value),
        Texels::RgbF16(texels) => change(texels, channel, task, |value| -value),
        Texels::RgbaF16(texels) => change(texels, channel, task, |value| -value),
        Texels::RgbF32(texels) => change(texels, channel, task, |value| -value),
        Texels::RgbaF32(texels) => change(texels, channel, task, |value| -value),
        _ => Ok(()),
    }
}

fn change<C: Copy, const CHANNELS: usize>(
    texels: &mut [[C; CHANNELS]],
    channel: usize,
    task: &Task<'_>,
    changed: impl Fn(C) -> C,
) -> Result<(), Cancelled> {
    let change = |texel: &mut [C; CHANNELS]| texel[channel] = changed(texel[channel]);
    task.in_pieces(texels, |texels| texels.iter_mut().for_each(change))
}

/// Scales the vectors of integers to length 1, and returns the number of texels that changed.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn normalize(picture: &mut Picture, task: &Task<'_>) -> Result<u64, Cancelled> {
    match &mut picture.texels {
        Texels::Rgb8(texels) => normalize_all(texels, task),
        Texels::Rgba8(texels) => normalize_all(texels, task),
        Texels::Rgb16(texels) => normalize_all(texels, task),
        Texels::Rgba16(texels) => normalize_all(texels, task),
        _ => Ok(0),
    }
}

fn normalize_all<C: Channel, const CHANNELS: usize>(
    texels: &mut [[C; CHANNELS]],
    task: &Task<'_>,
) -> Result<u64, Cancelled> {
    let mut count = 0;
    task.in_pieces(texels, |texels| {
        for texel in texels {
            if let Some(unit) = normalized([texel[0], texel[1], texel[2]]) {
                texel[..3].copy_from_slice(&unit);
                count += 1;
            }
        }
    })?;
    Ok(count)
}

/// Computes z from x and y if all texels have the same blue, as in maps that store x and y only.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn restore_z(picture: &mut Picture, task: &Task<'_>) -> Result<(), Cancelled> {
    match &mut picture.texels {
        Texels::Rgb8(texels) if is_equal(texels.iter().map(|texel| texel[2])) => {
            let restore = |[x, y, z]: &mut [u8; 3]| *z = restored_z(*x, *y);
            task.in_pieces(texels, |texels| texels.iter_mut().for_each(restore))
        }
        Texels::Rgba8(texels) if is_equal(texels.iter().map(|texel| texel[2])) => {
            let restore = |[x, y, z, _]: &mut [u8; 4]| *z = restored_z(*x, *y);
            task.in_pieces(texels, |texels| texels.iter_mut().for_each(restore))
        }
        _ => Ok(()),
    }
}

fn is_equal(mut values: impl Iterator<Item = u8>) -> bool {
    let first = values.next();
    values.all(|value| Some(value) == first)
}

/// Returns a normal map of heights, which are the picture's red from 0 to 1. A height of 1 is `scale` texels
/// high. Y points upward, as in OpenGL. Slopes are those of Sobel's operator; `wrap` states the texels past
/// the edges.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn from_height(
    mut picture: Picture,
    scale: f32,
    wrap: [MipWrap; 2],
    task: &Task<'_>,
) -> Result<Picture, Cancelled> {
    let [width, height] = [picture.width as usize, picture.height as usize];
    let heights: Vec<f32> = match &picture.texels {
        Texels::Grey8(texels) => task.map_in_pieces(texels, |&grey| f32::from(grey) / 255.0),
        Texels::Rgb8(texels) => task.map_in_pieces(texels, |texel| f32::from(texel[0]) / 255.0),
        Texels::Rgba8(texels) => task.map_in_pieces(texels, |texel| f32::from(texel[0]) / 255.0),
        Texels::Grey16(texels) => task.map_in_pieces(texels, |&grey| f32::from(grey) / 65535.0),
        Texels::Rgb16(texels) => task.map_in_pieces(texels, |texel| f32::from(texel[0]) / 65535.0),
        Texels::Rgba16(texels) => task.map_in_pieces(texels, |texel| f32::from(texel[0]) / 65535.0),
        Texels::RgbF16(texels) => task.map_in_pieces(texels, |texel| texel[0].to_f32()),
        Texels::RgbaF16(texels) => task.map_in_pieces(texels, |texel| texel[0].to_f32()),
        Texels::RgbF32(texels) => task.map_in_pieces(texels, |texel| texel[0]),
        Texels::RgbaF32(texels) => task.map_in_pieces(texels, |texel| texel[0]),
        _ => Ok(Vec::new()),
    }?;
    let beside = |index: usize, side: usize, wrap: MipWrap| match wrap {
        MipWrap::Repeat => [(index + side - 1) % side, index, (index + 1) % side],
        _ => [index.saturating_sub(1), index, (index + 1).min(side - 1)],
    };
    let mut normals = Vec::with_capacity(heights.len());
    for y in 0..height {
        if y % ROWS_AT_A_TIME == 0 {
            task.check()?;
        }
        let rows = beside(y, height, wrap[1]);
        for x in 0..width {
            let columns = beside(x, width, wrap[0]);
            let at = |row: usize, column: usize| heights[rows[row] * width + columns[column]];
            // Equal heights have a slope of exactly 0.
            let right = |row| at(row, 2) - at(row, 0);
            let down = |column| at(2, column) - at(0, column);
            let slope = |of: [f32; 3]| (of[0] + 2.0 * of[1] + of[2]) / 8.0 * scale;
            let [x, y] = [-slope([right(0), right(1), right(2)]), slope([down(0), down(1), down(2)])];
            let length = (x * x + y * y + 1.0).sqrt();
            normals.push([x, y, 1.0].map(|v| ((v / length + 1.0) * 127.5 + 0.5) as u8));
        }
    }
    picture.texels = Texels::Rgb8(normals);
    (picture.is_opaque, picture.has_alpha) = (true, false);
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::pictures::read;
    use std::io::Cursor;

    fn grey(width: usize, height: usize, value: impl Fn(usize, usize) -> u8) -> Picture {
        let mut file = format!("P5 {width} {height} 255\n").into_bytes();
        file.extend((0..width * height).map(|i| value(i % width, i / width)));
        read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
    }

    fn normals(picture: Picture, scale: f32, wrap: [MipWrap; 2]) -> Vec<[u8; 3]> {
        let picture = from_height(picture, scale, wrap, &Task::new()).unwrap();
        let Texels::Rgb8(texels) = picture.texels else { panic!("not RGB") };
        texels
    }

    #[test]
    fn a_plane_has_its_normal_everywhere() {
        // A height of 1/255 per texel times 255 is a slope of 1: the normal leans to the left by 45°.
        let right = normals(grey(9, 9, |x, _| 10 + x as u8), 255.0, [MipWrap::Clamp; 2]);
        assert_eq!(right[4 * 9 + 4], [37, 128, 218]);
        // Heights grow downward, so the normal leans upward.
        let down = normals(grey(9, 9, |_, y| 10 + y as u8), 255.0, [MipWrap::Clamp; 2]);
        assert_eq!(down[4 * 9 + 4], [128, 218, 218]);
        assert!(
            normals(grey(4, 4, |_, _| 77), 50.0, [MipWrap::Clamp; 2]).iter().all(|n| *n == [128, 128, 255])
        );
    }

    #[test]
    fn edges_wrap() {
        let heights = |x: usize| if x == 0 { 255 } else { 0 };
        let at_right = |wrap| normals(grey(8, 1, |x, _| heights(x)), 2.0, [wrap; 2])[7];
        assert_eq!(at_right(MipWrap::Clamp), [128, 128, 255]);
        // The next tile rises to the right.
        assert!(at_right(MipWrap::Repeat)[0] < 60);
    }

    #[test]
    fn z_is_restored_where_blue_says_nothing() {
        let mut file = b"P6 2 1 255\n".to_vec();
        file.extend([218, 128, 0, 128, 128, 0]);
        let mut picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
        let task = Task::new();
        restore_z(&mut picture, &task).unwrap();
        flip(&mut picture, 1, &task).unwrap();
        assert_eq!(picture.texels, Texels::Rgb8(vec![[218, 127, 217], [128, 127, 255]]));
        restore_z(&mut picture, &task).unwrap();
        assert_eq!(picture.texels, Texels::Rgb8(vec![[218, 127, 217], [128, 127, 255]]));
    }
}

//! Images of minima or maxima: each channel of a texel is that of the covered texel with the least or the
//! greatest number. Such mip levels bound heights, and depths in a hierarchical Z-buffer.

use super::{Covered, MipError, MipLevel, MipTexels, each_row};
use crate::{
    ChannelType, Image, MipExtreme, Task,
    block_row::{Form, RowBuffer},
};
use std::ops::Range;

/// Returns one slice of the next mip level.
pub(super) fn next_slice(
    covered: &Covered<'_>,
    channels: ChannelType,
    extreme: MipExtreme,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    let [width, height] = covered.size();
    let level = MipLevel::after([width, height, covered.depth], channels)?;
    fill(level, covered.images(), extreme, task)
}

/// Returns `image` with another size.
pub(super) fn resize(
    image: &dyn Image,
    channels: ChannelType,
    size: [u32; 2],
    extreme: MipExtreme,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    fill(MipLevel::new(size, channels)?, &[image], extreme, task)
}

/// Fills a level from images of one size.
fn fill(
    mut level: MipLevel,
    images: &[&dyn Image],
    extreme: MipExtreme,
    task: &Task<'_>,
) -> Result<MipLevel, MipError> {
    let size = [level.width(), level.height()];
    match level.texels_mut() {
        MipTexels::Rgba8(texels) => {
            each_row(texels, size, task, |y, row: &mut _| fill_row(images, size, y, extreme, row))?;
        }
        MipTexels::Rgba16(texels) => {
            each_row(texels, size, task, |y, row: &mut _| fill_row(images, size, y, extreme, row))?;
        }
        MipTexels::RgbaF16(texels) => {
            each_row(texels, size, task, |y, row: &mut _| fill_row(images, size, y, extreme, row))?;
        }
        MipTexels::RgbaF32(texels) => {
            each_row(texels, size, task, |y, row: &mut _| fill_row(images, size, y, extreme, row))?;
        }
    }
    Ok(level)
}

/// Computes row `y` of an image of this size.
fn fill_row<C: Copy + PartialOrd>(
    images: &[&dyn Image],
    [width, height]: [u32; 2],
    y: u32,
    extreme: MipExtreme,
    target: &mut [[C; 4]],
) where
    [C; 4]: Form,
{
    let [source_width, source_height] = images[0].size();
    let mut is_first = true;
    let mut buffers = [RowBuffer::default()];
    for image in images {
        for source_y in covered_texels(y, source_height, height) {
            let [row] = <[C; 4]>::rows(*image, [source_y], &mut buffers);
            for (x, target) in (0..).zip(target.iter_mut()) {
                let columns = covered_texels(x, source_width, width);
                let texels = &row[columns.start as usize..columns.end as usize];
                let start = if is_first { texels[0] } else { *target };
                *target = texels.iter().fold(start, |found, texel| extreme_of(found, *texel, extreme));
            }
            is_first = false;
        }
    }
}

/// Returns the texels of a side that a texel of a side of `target` texels covers, at least in part.
fn covered_texels(index: u32, side: u32, target: u32) -> Range<u32> {
    let [index, side, target] = [index, side, target].map(u64::from);
    (index * side / target) as u32..((index + 1) * side).div_ceil(target) as u32
}

/// Returns the extreme of each channel. NaN counts only beside NaN.
fn extreme_of<C: Copy + PartialOrd>(a: [C; 4], b: [C; 4], extreme: MipExtreme) -> [C; 4] {
    std::array::from_fn(|channel| {
        let (a, b) = (a[channel], b[channel]);
        let is_beyond = match extreme {
            MipExtreme::Min => b < a,
            MipExtreme::Max => b > a,
        };
        if is_beyond || a.partial_cmp(&a).is_none() { b } else { a }
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        AlphaMode, ColorSpace, Image, ImageView, MipExtreme, Task, TexelFormat,
        mips::{Covered, MipLevel, MipOptions, MipTexels, next_level, next_slice, resize},
    };
    use half::f16;

    fn options(extreme: MipExtreme) -> MipOptions {
        MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| o.extreme = Some(extreme))
    }

    fn bytes(level: &MipLevel) -> Vec<[u8; 4]> {
        let MipTexels::Rgba8(texels) = level.texels() else { panic!("8 bits") };
        texels.clone()
    }

    /// Each texel of a level bounds all texels of the image that it covers, and is one of them.
    #[test]
    fn levels_bound_the_texels_that_they_cover() {
        for [width, height] in [[16u32, 16], [13, 9], [1, 7], [31, 2]] {
            let texel = |i: u32| [(i * 7919) >> 3, (i * 104_729) >> 5, i, i * i].map(|v| v as u8);
            let texels: Vec<_> = (0..width * height).map(texel).collect();
            let image = ImageView::new(&texels, width, height).unwrap();
            for (extreme, pick) in
                [(MipExtreme::Min, u8::min as fn(u8, u8) -> u8), (MipExtreme::Max, u8::max)]
            {
                let next = |image: &dyn Image| {
                    next_level(image, TexelFormat::Rgba8, options(extreme), &Task::new()).unwrap()
                };
                let level = next(&image);
                let [w, h] = level.size();
                // The covered area in units of 1/w and 1/h of a texel.
                for (index, found) in (0..).zip(bytes(&level)) {
                    let (x, y) = (index % w, index / w);
                    let overlaps = |texel: u32, side: u32, i: u32, of: u32| {
                        texel * of < (i + 1) * side && (texel + 1) * of > i * side
                    };
                    let covered = (0..width * height)
                        .filter(|i| overlaps(i % width, width, x, w) && overlaps(i / width, height, y, h));
                    let texels: Vec<[u8; 4]> = covered.map(|i| texels[i as usize]).collect();
                    let expected = texels[1..].iter().fold(texels[0], |found, texel| {
                        std::array::from_fn(|channel| pick(found[channel], texel[channel]))
                    });
                    assert_eq!(found, expected, "{width}×{height} {extreme:?} {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn slices_and_floats_are_bounded() {
        let [low, high] = [vec![[9u8, 1, 200, 4]; 4], vec![[3u8, 8, 100, 5]; 4]];
        let [first, second] = [&low, &high].map(|texels| ImageView::new(texels, 2, 2).unwrap());
        let covered = Covered::slices([&first, &second]);
        let of = |extreme| {
            let level =
                next_slice(&covered, TexelFormat::Rgba8.channel_type(), options(extreme), &Task::new());
            bytes(&level.unwrap())
        };
        assert_eq!((of(MipExtreme::Min), of(MipExtreme::Max)), (vec![[3, 1, 100, 4]], vec![[9, 8, 200, 5]]));
        let texels = [f16::NAN, f16::from_f32(-2.0), f16::from_f32(7.0), f16::NAN].map(|v| [v; 4]);
        let image = ImageView::new(&texels, 4, 1).unwrap();
        let level =
            resize(&image, TexelFormat::RgbaF16, [1, 1], options(MipExtreme::Max), &Task::new()).unwrap();
        assert_eq!(level.texels(), &MipTexels::RgbaF16(vec![[f16::from_f32(7.0); 4]]));
    }

    #[test]
    fn new_sizes_are_bounded() {
        let texels: Vec<u8> = (0..12).collect();
        let image = ImageView::new(&texels, 12, 1).unwrap();
        let of = |width, extreme| {
            let level =
                resize(&image, TexelFormat::Rgba8, [width, 1], options(extreme), &Task::new()).unwrap();
            bytes(&level).iter().map(|texel| texel[0]).collect::<Vec<_>>()
        };
        assert_eq!((of(3, MipExtreme::Min), of(3, MipExtreme::Max)), (vec![0, 4, 8], vec![3, 7, 11]));
        assert_eq!(of(5, MipExtreme::Max), [2, 4, 7, 9, 11]);
        assert_eq!(of(24, MipExtreme::Min), (0..24).map(|x| x / 2).collect::<Vec<_>>());
    }
}

//! Rotation and mirroring of pictures according to their orientation tag.

use super::{
    Texels,
    budget::{Budget, zeroed},
    failure::Failure,
};
use crate::flip_rows;
use image::metadata::Orientation;

/// Returns the texels in display orientation, and their size. Mirroring and half turns are done in place.
/// Quarter turns need a second copy.
pub(super) fn apply(
    texels: Texels,
    size: [u32; 2],
    orientation: Orientation,
    budget: &Budget<'_>,
) -> Result<(Texels, [u32; 2]), Failure> {
    let turned_size = match orientation {
        Orientation::NoTransforms => return Ok((texels, size)),
        Orientation::FlipHorizontal | Orientation::FlipVertical | Orientation::Rotate180 => size,
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => {
            budget.check((texels.byte_count() as u64).saturating_mul(2))?;
            [size[1], size[0]]
        }
    };
    let texels = match texels {
        Texels::Grey8(texels) => Texels::Grey8(turn(texels, size, orientation)?),
        Texels::Rgb8(texels) => Texels::Rgb8(turn(texels, size, orientation)?),
        Texels::Rgba8(texels) => Texels::Rgba8(turn(texels, size, orientation)?),
        Texels::Grey16(texels) => Texels::Grey16(turn(texels, size, orientation)?),
        Texels::Rgb16(texels) => Texels::Rgb16(turn(texels, size, orientation)?),
        Texels::Rgba16(texels) => Texels::Rgba16(turn(texels, size, orientation)?),
        Texels::RgbF16(texels) => Texels::RgbF16(turn(texels, size, orientation)?),
        Texels::RgbaF16(texels) => Texels::RgbaF16(turn(texels, size, orientation)?),
        Texels::RgbF32(texels) => Texels::RgbF32(turn(texels, size, orientation)?),
        Texels::RgbaF32(texels) => Texels::RgbaF32(turn(texels, size, orientation)?),
    };
    Ok((texels, turned_size))
}

fn turn<T: bytemuck::Pod>(
    mut texels: Vec<T>,
    [width, height]: [u32; 2],
    orientation: Orientation,
) -> Result<Vec<T>, Failure> {
    let (width, height) = (width as usize, height as usize);
    // Source position of texel (x, y) of the rotated picture.
    let source: fn(usize, usize, usize, usize) -> (usize, usize) = match orientation {
        Orientation::NoTransforms => return Ok(texels),
        Orientation::FlipHorizontal => {
            texels.chunks_exact_mut(width).for_each(<[T]>::reverse);
            return Ok(texels);
        }
        Orientation::FlipVertical => {
            flip_rows(&mut texels, width);
            return Ok(texels);
        }
        Orientation::Rotate180 => {
            texels.reverse();
            return Ok(texels);
        }
        Orientation::Rotate90 => |x, y, _, height| (y, height - 1 - x),
        Orientation::Rotate270 => |x, y, width, _| (width - 1 - y, x),
        Orientation::Rotate90FlipH => |x, y, _, _| (y, x),
        Orientation::Rotate270FlipH => |x, y, width, height| (width - 1 - y, height - 1 - x),
    };
    let mut turned = zeroed::<T>(texels.len())
        .ok_or_else(|| Failure::OutOfMemory(size_of_val(texels.as_slice()) as u64))?;
    for (y, row) in turned.chunks_exact_mut(height).enumerate() {
        for (x, texel) in row.iter_mut().enumerate() {
            let (source_x, source_y) = source(x, y, width, height);
            *texel = texels[source_y * width + source_x];
        }
    }
    Ok(turned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Task;
    use image::{DynamicImage, GrayImage};

    #[test]
    fn every_orientation_is_that_of_the_image_crate() {
        for [width, height] in [[1, 1], [3, 2], [2, 5], [4, 4]] {
            let texels: Vec<u8> = (0..(width * height) as u8).collect();
            for exif in 1..=8 {
                let orientation = Orientation::from_exif(exif).unwrap();
                let mut expected =
                    DynamicImage::from(GrayImage::from_raw(width, height, texels.clone()).unwrap());
                expected.apply_orientation(orientation);
                let task = Task::new();
                let budget = Budget::new(1 << 20, 0, &task);
                let turned = apply(Texels::Grey8(texels.clone()), [width, height], orientation, &budget);
                let (turned, size) = turned.ok().unwrap();
                assert_eq!(size, [expected.width(), expected.height()], "{exif}");
                assert_eq!(turned, Texels::Grey8(expected.into_luma8().into_raw()), "{exif}");
            }
        }
    }
}

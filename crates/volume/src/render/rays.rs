//! Rays as integers: the exact positions of each pixel's samples, the same on every machine.

use bytemuck::{Pod, Zeroable};

/// One voxel, in the units of positions.
pub const ONE: i32 = 1 << 16;

/// Largest side of a volume in voxels, and of a rendering in pixels: positions fit i32, with the same again
/// on both sides of the volume.
pub const MAX_SIDE: u32 = 1 << 14;

/// The rays of a rendering. Positions are in units of 2⁻¹⁶ voxels; voxel (i, j, k) covers i to i + 1, its
/// centre is at i + ½. Sample k of pixel (px, py) is at `start + k * step`, with
///
/// - `start = origin + px * origin_x + py * origin_y`
/// - `step = (dir + px * dir_x + py * dir_y) >> 10`, an arithmetic shift
///
/// in wrapping arithmetic of 32 bits. All samples of one k are on a plane parallel to the rendering. The
/// layout is that of a WGSL struct of `vec3i`s, each with a number after it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Rays {
    /// The start of the ray of pixel (0, 0).
    pub origin: [i32; 3],
    /// Number of planes: k is below this.
    pub planes: u32,
    /// Step from the start of a pixel to that of the next one.
    pub origin_x: [i32; 3],
    /// Pixels per row.
    pub width: u32,
    /// Step from the start of a pixel to that of the one below.
    pub origin_y: [i32; 3],
    /// Rows of pixels.
    pub height: u32,
    /// Step from plane to plane along the ray of pixel (0, 0), in 2⁻²⁶ voxels, with ½ of 2⁻¹⁶ added to round.
    pub dir: [i32; 3],
    /// 0.
    pub padding: u32,
    /// The change of `dir` per pixel to the right.
    pub dir_x: [i32; 3],
    /// 0.
    pub padding_x: u32,
    /// The change of `dir` per pixel downwards.
    pub dir_y: [i32; 3],
    /// 0.
    pub padding_y: u32,
    /// The volume's dims in voxels, each from 1 to [`MAX_SIDE`].
    pub dims: [u32; 3],
    /// 0.
    pub padding_dims: u32,
}

/// The ray of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ray {
    /// The position of sample 0, which may be outside the volume.
    pub start: [i32; 3],
    /// Step from sample to sample.
    pub step: [i32; 3],
    /// The first sample in the volume.
    pub first: u32,
    /// The sample after the last one that does; not above `first` if none does.
    pub end: u32,
}

impl Rays {
    /// Returns the ray of a pixel.
    #[inline]
    pub fn ray(&self, px: u32, py: u32) -> Ray {
        let at = |base: &[i32; 3], along_x: &[i32; 3], along_y: &[i32; 3]| -> [i32; 3] {
            std::array::from_fn(|axis| {
                let right = (px as i32).wrapping_mul(along_x[axis]);
                let down = (py as i32).wrapping_mul(along_y[axis]);
                base[axis].wrapping_add(right).wrapping_add(down)
            })
        };
        let start = at(&self.origin, &self.origin_x, &self.origin_y);
        let step = at(&self.dir, &self.dir_x, &self.dir_y).map(|step| step >> 10);
        let (mut first, mut end) = (0, self.planes);
        for axis in 0..3 {
            let [from, to] = inside(start[axis], step[axis], self.dims[axis] << 16);
            first = first.max(from);
            end = end.min(to);
        }
        Ray { start, step, first, end }
    }
}

impl Ray {
    /// Returns the position of sample `k`, which must be in the volume.
    #[inline(always)]
    pub fn at(&self, k: u32) -> [i32; 3] {
        std::array::from_fn(|axis| self.start[axis].wrapping_add(self.step[axis].wrapping_mul(k as i32)))
    }
}

/// Returns the range of k for which `0 <= start + k * step < side`. Nothing overflows: `side` is at most 2³⁰
/// and `step` above -2³¹.
#[inline]
fn inside(start: i32, step: i32, side: u32) -> [u32; 2] {
    let (last, s) = (side - 1, step.unsigned_abs());
    let is_before = start < 0;
    let is_after = start > last as i32;
    match step {
        0 if is_before || is_after => [0, 0],
        0 => [0, u32::MAX],
        1.. if is_after => [0, 0],
        1.. => {
            let first = if is_before { start.unsigned_abs().div_ceil(s) } else { 0 };
            [first, last.wrapping_sub(start as u32) / s + 1]
        }
        _ if is_before => [0, 0],
        _ => {
            let first = if is_after { (start as u32 - last).div_ceil(s) } else { 0 };
            [first, start as u32 / s + 1]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_inside_are_found_exactly() {
        let naive = |start: i64, step: i64, side: i64| {
            let is_inside = |&k: &i64| (0..side).contains(&(start + k * step));
            let all: Vec<i64> = (0..3000).filter(is_inside).collect();
            all.first().map(|&first| [first, all.last().expect("one at least") + 1])
        };
        for side in [1, 2, 7, 64] {
            for start in -70..140 {
                for step in [-65, -64, -7, -3, -1, 0, 1, 2, 3, 5, 63, 64, 65] {
                    let [first, end] = inside(start, step, side).map(|k| i64::from(k.min(3000)));
                    let want = naive(start.into(), step.into(), side.into());
                    let have = (first < end).then_some([first, end]);
                    assert_eq!(have, want, "{start} {step} {side}");
                }
            }
        }
    }

    #[test]
    fn nothing_overflows_at_the_limits() {
        let side = MAX_SIDE << 16;
        assert_eq!(inside(i32::MIN, 1 << 21, side), [1024, (3 << 30 >> 21)]);
        assert_eq!(inside(i32::MAX, -(1 << 21), side), [512, 1024]);
        assert_eq!(inside(i32::MIN, i32::MAX, side), [2, 2]);
        assert_eq!(inside(i32::MIN, 1, side), [1 << 31, 3 << 30]);
        assert_eq!(inside(i32::MAX, 1, side), [0, 0]);
    }
}

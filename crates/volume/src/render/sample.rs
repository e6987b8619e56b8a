//! Trilinear samples in integers.
//!
//! A sample is 24 bits, a display value in 16.8 fixed point. It is exactly between the smallest and the
//! largest of its eight corners. Weights have 8 bits.

use super::rays::ONE;

/// Distance from a position to the place between voxels' centres: half a voxel.
pub const HALF: i32 = ONE / 2;

/// Returns the place of a position between the centres of voxels, in 2⁻¹⁶ voxels: bits 16 and up are the
/// voxel before it. Outside the outermost centres it is theirs, which gives the same result as corners
/// clamped to the volume. `last` is that of the last voxel.
#[inline(always)]
pub fn place(position: [i32; 3], last: [i32; 3]) -> [u32; 3] {
    std::array::from_fn(|axis| (position[axis].wrapping_sub(HALF)).clamp(0, last[axis]) as u32)
}

/// Returns the sample at a place, from its eight corners, x first.
#[inline(always)]
pub fn trilinear(corners: [u16; 8], place: [u32; 3]) -> u32 {
    let [fx, fy, fz] = place.map(|place| place >> 8 & 255);
    let along_x = |a: usize| u32::from(corners[a]) * (256 - fx) + u32::from(corners[a + 1]) * fx;
    // 24 bits, then 32, of which 8 are dropped.
    let along_y = |a: usize| (along_x(a) * (256 - fy) + along_x(a + 2) * fy) >> 8;
    (along_y(0) * (256 - fz) + along_y(4) * fz) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_between_their_corners() {
        let place = [3 << 16 | 0xffff, 0x8000, 0x4000];
        assert_eq!(trilinear([65535; 8], place), 65535 << 8);
        assert_eq!(trilinear([0, 0, 0, 0, 0, 0, 0, 0], place), 0);
        // 255/256 of the way along x.
        assert_eq!(trilinear([0, 256, 0, 256, 0, 256, 0, 256], place), 255 << 8);
        assert_eq!(trilinear([0, 0, 512, 512, 0, 0, 512, 512], place), 256 << 8);
        assert_eq!(trilinear([0, 0, 0, 0, 512, 512, 512, 512], place), 128 << 8);
    }

    #[test]
    fn places_end_at_the_outermost_centres() {
        let last = [4 << 16, 0, 9 << 16];
        assert_eq!(place([0, 0, 0], last), [0; 3]);
        assert_eq!(place([5 * ONE - 1, ONE - 1, 10 * ONE - 1], last), [4 << 16, 0, 9 << 16]);
        assert_eq!(place([ONE, -ONE, i32::MIN], last), [0x8000, 0, 9 << 16]);
    }
}

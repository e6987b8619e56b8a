//! Entropy of the values that the paper's transforms give.

use super::{brick::SIDE, compressed::Compressed, rbuc};
use crate::{Cancelled, Dims, Stage, Task, Voxel, histogram::Histogram};

/// Bricks between two checks for cancellation.
const BRICKS_AT_A_TIME: usize = 1 << 10;

impl Compressed {
    /// Returns the order-0 entropy in bits of the transformed values of all bricks, with zeros for the
    /// constant ones. An arithmetic coder of these values would come close to it. The "entropy" in the
    /// paper's Table 2 is that of the voxels. Returns `None` if more than 1,048,576 different values of at
    /// least 65,536 occur. Values of 2³² and more, which Haar's transform of 32-bit voxels has, count as one.
    /// The task reports [`Stage::Analyzing`] in bricks.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn residual_entropy<T: Voxel>(&self, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        self.residual_entropy_of(size_of::<T>(), task)
    }

    /// Works like [`residual_entropy`](Self::residual_entropy) for voxels of `voxel_bytes` bytes.
    fn residual_entropy_of(&self, voxel_bytes: usize, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        let bricks = self.dims().covered_by(Dims::cube(SIDE));
        let (offsets, payload) = self.parts();
        let mut histogram = Histogram::new();
        let values = |i: usize| {
            let (x, y, z) = bricks.position(i);
            let start = usize::try_from(offsets.start(bricks, x, y, z)).ok()?;
            let (min, rest) = payload.get(start..)?.split_at_checked(voxel_bytes)?;
            let (max, rest) = rest.split_at_checked(voxel_bytes)?;
            if min == max { Some([0; 64]) } else { Some(rbuc::decode(rest)?.0) }
        };
        let count = bricks.x * bricks.y * bricks.z;
        for i in 0..count {
            if i.is_multiple_of(BRICKS_AT_A_TIME) {
                task.check()?;
                task.report(Stage::Analyzing, i as u64, count as u64);
            }
            let Some(values) = values(i) else { return Ok(None) };
            histogram.add(&values.map(|value| u32::try_from(value).unwrap_or(u32::MAX)));
        }
        Ok(histogram.entropy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VolumeView;

    #[test]
    fn constant_bricks_leave_nothing_and_steps_a_bit() {
        let dims = Dims::new(8, 4, 4);
        let of = |voxels: &[u8]| {
            let view = VolumeView::new(voxels, dims).expect("dims that fit");
            let compressed = Compressed::encode(view, false, &Task::new()).expect("not cancelled");
            compressed.residual_entropy::<u8>(&Task::new()).expect("not cancelled").expect("few values")
        };
        assert_eq!(of(&[5; 128]), 0.0);
        // A constant brick beside one with three ones in each eighth, so that nothing is shorter than what it
        // is less its minimum.
        let voxel = |i: usize| {
            let (x, y, z) = dims.position(i);
            let (place, eighth) = (x % 2 + 2 * (y % 2) + 4 * (z % 2), x / 2 + 2 * (y / 2) + 4 * (z / 2));
            let is_one = (place * [1, 3, 5, 7][eighth % 4] + eighth * eighth) % 8 < 3;
            if x < 4 { u8::from(is_one) } else { 7 }
        };
        let noise: Vec<u8> = (0..128).map(voxel).collect();
        let ones = noise.iter().filter(|&&voxel| voxel == 1).count() as f64 / 128.0;
        let want = -ones * ones.log2() - (1.0 - ones) * (1.0 - ones).log2();
        assert!((of(&noise) - want).abs() < 1e-12, "{} {want}", of(&noise));
    }
}

//! Statistics of a volume by the paper's scheme: transforms of its bricks, and entropy of their values.

use super::{BRICKS_AT_A_TIME, SIDE};
use brickwork_volume::{Dims, Histogram, Stage, Task, VolumeReadError, guthe2016::Compressed};

/// Counts of bricks by their coding, and the entropy of their values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BrickStatistics {
    /// Number of all bricks.
    pub bricks: u64,
    /// Bricks of one value.
    pub constant: u64,
    /// Bricks whose bytes another brick has already stored, the constant ones left out.
    pub duplicate: u64,
    /// Bricks by transform, in the order of [`Transform::ALL`](brickwork_volume::guthe2016::Transform::ALL);
    /// constant ones are in none.
    pub transforms: [u64; 4],
    /// Order-0 entropy in bits of the transformed values of all bricks, with zeros for the constant ones. An
    /// arithmetic coder of these values would come close to it. The "entropy" in the paper's table 2 is that
    /// of the voxels. `None` if more than 1,048,576 different values of at least 65,536 occur. Values of 2³²
    /// and more, which Haar's transform of 32-bit voxels has, count as one.
    pub residual_entropy: Option<f64>,
}

impl BrickStatistics {
    /// Returns the statistics of a volume. The task reports [`Stage::Analyzing`] in bricks.
    ///
    /// # Errors
    /// [`VolumeReadError::Format`] if the bytes break the format's rules, which those of
    /// [`Compressed::encode`] never do; [`VolumeReadError::Cancelled`].
    pub fn of(volume: &Compressed, task: &Task<'_>) -> Result<Self, VolumeReadError> {
        let bricks = volume.dims().covered_by(Dims::cube(SIDE));
        let count = bricks.x * bricks.y * bricks.z;
        let mut statistics = Self { bricks: count as u64, ..Self::default() };
        let mut counts = Histogram::default();
        let mut last_start = None;
        for i in 0..count {
            if i.is_multiple_of(BRICKS_AT_A_TIME) {
                task.check()?;
                task.report(Stage::Analyzing, i as u64, count as u64);
            }
            let (x, y, z) = bricks.position(i);
            let brick = volume.coded_brick(x, y, z)?;
            let is_new = last_start.is_none_or(|last| brick.start > last);
            last_start = last_start.max(Some(brick.start));
            match brick.transform {
                Some(transform) => {
                    statistics.transforms[transform as usize] += 1;
                    statistics.duplicate += u64::from(!is_new);
                }
                None => statistics.constant += 1,
            }
            counts.add(&brick.values.map(|value| u32::try_from(value).unwrap_or(u32::MAX)));
        }
        Ok(Self { residual_entropy: counts.entropy(), ..statistics })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::VolumeView;

    fn of(voxels: &[u8], dims: Dims) -> BrickStatistics {
        let view = VolumeView::new(voxels, dims).expect("dims that fit");
        let volume = Compressed::encode(view, false, &Task::new()).expect("not cancelled");
        BrickStatistics::of(&volume, &Task::new()).expect("our own bytes")
    }

    #[test]
    fn constant_bricks_leave_nothing_and_steps_a_bit() {
        let dims = Dims::new(8, 4, 4);
        assert_eq!(of(&[5; 128], dims).residual_entropy, Some(0.0));
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
        let found = of(&noise, dims).residual_entropy.expect("few values");
        assert!((found - want).abs() < 1e-12, "{found} {want}");
    }

    /// Bricks a, b, a, constant, b, constant along x.
    #[test]
    fn equal_bricks_are_counted_once_as_new() {
        let dims = Dims::new(24, 4, 4);
        let voxel = |i: usize| {
            let (x, y, z) = dims.position(i);
            match x / 4 {
                0 | 2 => (x % 4 + 5 * y * z) as u8,
                1 | 4 => (x % 4 * 40 + y) as u8,
                _ => 9,
            }
        };
        let found = of(&(0..384).map(voxel).collect::<Vec<_>>(), dims);
        assert_eq!((found.bricks, found.constant, found.duplicate), (6, 2, 2));
        assert_eq!(found.transforms.iter().sum::<u64>(), 4);
    }
}

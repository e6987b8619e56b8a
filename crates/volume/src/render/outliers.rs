//! Few numbers that are far away from all others, such as the fill value of NetCDF (9.97e36) or padding.
//!
//! Display values have 16 bits. If they spanned such numbers, all others would have the same one. Their range
//! therefore leaves such numbers out: they are shown like the nearest number in it.

use super::bricks::{BRICK, brick_dims};
use crate::{Cancelled, Dims, Task, Voxel, VoxelType};
use brickwork_base::parallel;

/// Maximum share of the voxels that are outliers at either end, as one of so many.
const SHARE: u64 = 2000;

/// Number of voxels that may be outliers in small volumes, up to one of [`SMALL_SHARE`].
const FEW: u64 = 8;
const SMALL_SHARE: u64 = 200;

/// Minimum ratio of the range of all numbers to that of the others: these would have 65 display values.
const FAR: f64 = 1000.0;

/// Number of powers of two between most bricks and the largest number that makes outliers possible.
const EXPONENT_GAP: usize = 10;

/// Ordinals of the smallest and the largest finite f32.
pub(super) const FINITE: std::ops::RangeInclusive<u32> = 0x0080_0000..=0xff7f_ffff;

/// Returns an integer of 32 bits, or a float, as a float; `None` if it is not finite.
fn number(ordinal: u32, voxel_type: VoxelType) -> Option<f32> {
    match voxel_type {
        VoxelType::U32 => Some(ordinal as f32),
        VoxelType::I32 => Some(i32::from_ordinal(ordinal.into()) as f32),
        VoxelType::F32 => FINITE.contains(&ordinal).then(|| f32::from_ordinal(ordinal.into())),
        VoxelType::U8
        | VoxelType::I8
        | VoxelType::U16
        | VoxelType::I16
        | VoxelType::U64
        | VoxelType::I64
        | VoxelType::F64
        | VoxelType::F16 => None,
    }
}

/// Number of bricks by the exponent of their largest number, without its sign.
pub struct Exponents([u32; 256]);

impl Default for Exponents {
    fn default() -> Self {
        Self([0; 256])
    }
}

impl Exponents {
    /// Adds a brick.
    pub fn add(&mut self, ordinals: &[u32; 64], voxel_type: VoxelType) {
        let sizes = ordinals.iter().filter_map(|&ordinal| number(ordinal, voxel_type)).map(f32::abs);
        if let Some(largest) = sizes.reduce(f32::max) {
            self.0[(largest.to_bits() >> 23) as usize & 255] += 1;
        }
    }

    /// Returns the sums.
    pub fn join(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
        self
    }

    /// True if the largest number is far above those of half of the bricks.
    pub fn may_have_outliers(&self) -> bool {
        let count = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
        let top = self.0.iter().rposition(|&count| count > 0).unwrap_or(0);
        2 * count(&self.0[..top.saturating_sub(EXPONENT_GAP)]) >= count(&self.0).max(1)
    }
}

/// Returns `range`, or the range of all numbers but a few if these are far away. Reads every voxel, in
/// parallel.
///
/// # Errors
/// [`Cancelled`].
pub fn left_out(
    [low, high]: [f64; 2],
    dims: Dims,
    voxel_type: VoxelType,
    ordinals: impl Fn([usize; 3]) -> [u32; 64] + Sync,
    task: &Task<'_>,
) -> Result<[f64; 2], Cancelled> {
    let bricks = brick_dims(dims);
    // The upper half of an ordinal of f32: numbers within 1/128 of each other. (Each part has its own table.)
    let parts = 16.min(bricks.z);
    let counted = parallel::try_map(task, 0..parts, |part| {
        let mut counts = vec![0u32; 1 << 16];
        for z in (part..bricks.z).step_by(parts) {
            for y in 0..bricks.y {
                task.check()?;
                for x in 0..bricks.x {
                    let Some(inside) = dims.clip((4 * x, 4 * y, 4 * z), BRICK) else { continue };
                    for (i, ordinal) in ordinals([x, y, z]).into_iter().enumerate() {
                        if let Some(number) = number(ordinal, voxel_type)
                            && inside.contains(BRICK.position(i))
                        {
                            counts[(number.to_ordinal() >> 16) as usize] += 1;
                        }
                    }
                }
            }
        }
        Ok::<_, Cancelled>(counts)
    })?;
    let mut counts = vec![0u64; 1 << 16];
    for part in counted {
        counts.iter_mut().zip(part).for_each(|(sum, count)| *sum += u64::from(count));
    }
    let total: u64 = counts.iter().sum();
    let few = (total / SHARE).max(FEW).min(total / SMALL_SHARE);
    // The first place from an end beyond which more than a few numbers are.
    let place = |mut places: Box<dyn Iterator<Item = usize>>| {
        let mut sum = 0;
        places.find(|&place| {
            sum += counts[place];
            sum > few
        })
    };
    let (Some(first), Some(last)) = (place(Box::new(0..1 << 16)), place(Box::new((0..1 << 16).rev()))) else {
        return Ok([low, high]);
    };
    let edge = |ordinal: usize| {
        let ordinal = (ordinal as u32).clamp(*FINITE.start(), *FINITE.end());
        f64::from(f32::from_ordinal(ordinal.into()))
    };
    let (least, largest) = (edge(first << 16).max(low), edge(last << 16 | 0xffff).min(high));
    let is_far = first < last && high - low > FAR * (largest - least);
    Ok(if is_far { [least, largest] } else { [low, high] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ResidentOptions, ResidentVolume, VolumeView, VoxelKind,
        render::{DisplayBricks, RawBricks, ResidentBricks},
    };
    use std::sync::Arc;

    /// Returns the numbers of the first and the last display value, which both kinds of bricks agree on.
    fn ends<T: Voxel>(voxels: &[T]) -> [f64; 2] {
        let (dims, task) = (Dims::cube(12), &Task::new());
        let view = VolumeView::new(voxels, dims).expect("a shape");
        let raw = RawBricks::copy_of(&view, 0, VoxelKind::Intensity, task).expect("a channel").display();
        let options = ResidentOptions::default();
        let resident = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, task);
        let resident = ResidentBricks::new(Arc::new(resident.expect("memory")), task).expect("bricks");
        assert_eq!(raw, resident.display());
        [0.0, 65535.0].map(|value| raw.value(value))
    }

    #[test]
    fn few_far_numbers_do_not_hide_the_others() {
        let mut voxels: Vec<f32> = (0..1728).map(|i| (i % 100) as f32).collect();
        assert_eq!(ends(&voxels).map(f64::round), [0.0, 99.0]);
        voxels[700] = 9.97e36;
        voxels[701] = -1e30;
        let [low, high] = ends(&voxels);
        assert!((-1.0..=0.0).contains(&low) && (99.0..101.0).contains(&high), "{low} to {high}");
        let integers: Vec<i32> = voxels.iter().map(|&voxel| voxel as i32).collect();
        let [low, high] = ends(&integers);
        assert!((-1.0..=0.0).contains(&low) && (99.0..65_600.0).contains(&high), "{low} to {high}");
    }

    #[test]
    fn rare_but_near_numbers_stay() {
        // A small bright spot on zero, and numbers that grow over a wide range.
        let mut spot = vec![0.0f32; 1728];
        spot[..5].copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 1e6]);
        assert_eq!(ends(&spot).map(f64::round), [0.0, 1e6]);
        let wide: Vec<f32> = (0..1728).map(|i| 1.01f32.powi(i)).collect();
        let [low, high] = ends(&wide);
        assert!(low <= 1.0 && high > 2e7, "{low} to {high}");
    }
}

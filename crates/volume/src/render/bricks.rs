//! Sources of bricks for the ray caster.

use super::{Display, RenderError};
use crate::{Cancelled, Dims, steps::Steps};
use brickwork_base::parallel;

/// Bricks of 4×4×4 display values. Threads share it.
pub trait DisplayBricks: Send + Sync {
    /// Returns the volume's voxels along each axis.
    fn dims(&self) -> Dims;

    /// Returns the meaning of the display values.
    fn display(&self) -> Display;

    /// Bounds of the display values of those voxels of a brick that are inside the volume: not above the
    /// smallest, not below the largest. `brick` counts bricks along x, y and z; outside the volume it is the
    /// nearest brick inside.
    fn range(&self, brick: [u32; 3]) -> [u16; 2];

    /// Writes the 64 display values of a brick, x fastest. Those outside the volume are unspecified. If
    /// `brick` is outside the volume, it means the nearest brick inside.
    fn brick(&self, brick: [u32; 3], values: &mut [u16; 64]);
}

/// The voxels of a brick.
pub(super) const BRICK: Dims = Dims::cube(4);

/// Returns the dims of a volume in bricks.
pub(super) const fn brick_dims(dims: Dims) -> Dims {
    dims.covered_by(BRICK)
}

/// Returns the position of the brick in `bricks` that is nearest to a position.
pub(super) fn nearest(bricks: Dims, place: [u32; 3]) -> [usize; 3] {
    let [x, y, z] = place.map(|place| place as usize);
    [x.min(bricks.x - 1), y.min(bricks.y - 1), z.min(bricks.z - 1)]
}

/// Returns the ranges of all bricks. `fill` sets those of each layer. Reports the layers.
///
/// # Errors
/// [`RenderError::Memory`]; errors of `fill`.
pub(super) fn ranges_by_layer(
    bricks: Dims,
    steps: &Steps<'_>,
    fill: impl Fn(usize, &mut [[u16; 2]]) -> Result<(), Cancelled> + Sync,
) -> Result<Vec<[u16; 2]>, RenderError> {
    let (mut ranges, count) = (Vec::new(), bricks.voxel_count()?);
    let memory = |_| RenderError::Memory(count as u64 * size_of::<[u16; 2]>() as u64);
    ranges.try_reserve_exact(count).map_err(memory)?;
    ranges.resize(count, [0; 2]);
    let layers = ranges.chunks_exact_mut(bricks.x * bricks.y).enumerate();
    parallel::try_map(steps.task(), layers, |(z, layer)| {
        fill(z, layer)?;
        steps.add(1);
        Ok::<_, Cancelled>(())
    })?;
    Ok(ranges)
}

//! Maximum intensity projection: the largest sample of a ray, in integers throughout.

use super::{
    caster::{Caster, INTERPOLATED},
    rays::Ray,
    space::{BLOCK_BITS, CELL_BITS, CellRanges, samples_to_leave},
};

/// Returns the largest sample; `ranges` skips cells and blocks without a larger sample than the current one.
pub fn cast(caster: &mut Caster, ray: &Ray, ranges: Option<&CellRanges>) -> u32 {
    let mut largest = 0;
    let Some(ranges) = ranges else {
        caster.walk(ray, INTERPOLATED, |caster, first, end| {
            largest = (first..end).fold(largest, |largest, k| largest.max(caster.sampler.sample(ray.at(k))));
            true
        });
        return largest;
    };
    let index = |dims: crate::Dims, [x, y, z]: [u32; 3]| dims.index(x as usize, y as usize, z as usize);
    let mut k = ray.first;
    while k < ray.end {
        let at = ray.at(k).map(|position| position - INTERPOLATED);
        let place = at.map(|at| at.max(0) as u32);
        let block = ranges.blocks[index(ranges.block_dims, place.map(|place| place >> BLOCK_BITS))];
        if u32::from(block[1]) << 8 <= largest {
            k = k.saturating_add(samples_to_leave(at, place, ray.step, BLOCK_BITS));
            continue;
        }
        let end = k.saturating_add(samples_to_leave(at, place, ray.step, CELL_BITS)).min(ray.end);
        let cell = ranges.cells[index(ranges.dims, place.map(|place| place >> CELL_BITS))];
        if u32::from(cell[1]) << 8 > largest {
            largest = (k..end).fold(largest, |largest, k| largest.max(caster.sampler.sample(ray.at(k))));
        }
        k = end;
    }
    largest
}

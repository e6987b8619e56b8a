//! The state of a thread that casts rays.

use super::{
    DisplayBricks,
    rays::Ray,
    sample::HALF,
    sampler::Sampler,
    shade::Light,
    space::{BLOCK_BITS, CELL_BITS, Occupancy, samples_to_leave},
};

/// The start of the cells of interpolated samples.
pub const INTERPOLATED: i32 = HALF;

/// A thread's sampler, and the parameters that its rays need.
pub struct Caster<'a> {
    pub sampler: Sampler<'a>,
    pub occupancy: &'a Occupancy,
    pub light: &'a Light,
}

impl<'a> Caster<'a> {
    pub fn new(bricks: &'a dyn DisplayBricks, occupancy: &'a Occupancy, light: &'a Light) -> Self {
        Self { sampler: Sampler::new(bricks), occupancy, light }
    }

    /// Passes the possibly visible samples of a ray to `run`, in order and cell by cell: the numbers of the
    /// first sample and of the one after the last. `run` returns true to continue. `shift` is subtracted from
    /// positions to find their cells: half a voxel, or 0 for labels.
    #[inline(always)]
    pub fn walk(&mut self, ray: &Ray, shift: i32, mut run: impl FnMut(&mut Self, u32, u32) -> bool) {
        let mut k = ray.first;
        while k < ray.end {
            let at = ray.at(k).map(|position| position - shift);
            let place = at.map(|at| at.max(0) as u32);
            if !self.occupancy.has_block(place.map(|place| place >> BLOCK_BITS)) {
                k = k.saturating_add(samples_to_leave(at, place, ray.step, BLOCK_BITS));
                continue;
            }
            let end = k.saturating_add(samples_to_leave(at, place, ray.step, CELL_BITS)).min(ray.end);
            if self.occupancy.has_cell(place.map(|place| place >> CELL_BITS)) && !run(self, k, end) {
                return;
            }
            k = end;
        }
    }
}

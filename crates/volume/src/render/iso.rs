//! Isosurfaces: the first sample that reaches a threshold, and where between the last two it does.

use super::{
    caster::{Caster, INTERPOLATED},
    rays::Ray,
};

/// The number of times that the distance to the sample before is halved: to 1/64 of a step.
pub(super) const HALVINGS: u32 = 6;

/// Returns the result of a ray: colour and alpha, 0 or 1.
pub fn cast(caster: &mut Caster, ray: &Ray, threshold: u32, color: [f32; 3]) -> [f32; 4] {
    let mut found = None;
    caster.walk(ray, INTERPOLATED, |caster, first, end| {
        found = (first..end).find(|&k| caster.sampler.sample(ray.at(k)) >= threshold);
        found.is_none()
    });
    let Some(k) = found else { return [0.0; 4] };
    let position =
        if k > ray.first { surface(caster, ray.at(k - 1), ray.at(k), threshold) } else { ray.at(k) };
    let gradient = caster.sampler.gradient(position);
    let [red, green, blue] = caster.light.shade(color, gradient, 0.0);
    [red, green, blue, 1.0]
}

/// Searches between a position below the threshold and one that reaches it. Returns the nearest position
/// found that reaches it.
fn surface(caster: &mut Caster, mut below: [i32; 3], mut above: [i32; 3], threshold: u32) -> [i32; 3] {
    for _ in 0..HALVINGS {
        let middle = std::array::from_fn(|axis| (below[axis] + above[axis]) >> 1);
        if caster.sampler.sample(middle) >= threshold {
            above = middle;
        } else {
            below = middle;
        }
    }
    above
}

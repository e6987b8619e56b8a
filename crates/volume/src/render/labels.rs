//! Labels: the first voxel along a ray whose label shows, in its colour.

use super::{
    caster::Caster,
    look::{VisibleLabels, label_color},
    rays::Ray,
};

/// Returns the result of a ray: colour and alpha, 0 or 1.
pub fn cast(caster: &mut Caster, ray: &Ray, labels: &VisibleLabels) -> [f32; 4] {
    let mut found = None;
    caster.walk(ray, 0, |caster, first, end| {
        found = (first..end).find_map(|k| {
            let label = caster.sampler.voxel(ray.at(k).map(|position| position as u32 >> 16));
            labels.has(label).then_some((k, label))
        });
        found.is_none()
    });
    let Some((k, label)) = found else { return [0.0; 4] };
    let gradient = occupancy_gradient(caster, ray.at(k), labels);
    let color = label_color(label).map(|channel| f32::from(channel) / 255.0);
    let [red, green, blue] = caster.light.shade(color, gradient, 0.0);
    [red, green, blue, 1.0]
}

/// Number of voxels on each side of the hit one whose labels decide the direction of its surface.
const REACH: i32 = 2;

/// Number of voxels including the hit one.
#[cfg(feature = "gpu")]
pub(super) const NEIGHBOURS: u32 = (2 * REACH as u32 + 1).pow(3);

/// Returns the distribution of visible voxels around a position: the sum of their distances from it along
/// each axis, weighted by `w(dx) * w(dy) * w(dz)` with `w(d) = 2.5² - d²`, so that it changes smoothly with
/// the position.
///
/// In integers: d is in 1/256 voxel, at most 640; w is (640² - d²) >> 12, at most 100; d · w is shifted right
/// by 6, at most 385. The sum over 5 voxels of w is below 340, that of |d · w| below 1400: the sums stay
/// below 2²⁸.
fn occupancy_gradient(caster: &mut Caster, position: [i32; 3], labels: &VisibleLabels) -> [i32; 3] {
    let last = caster.sampler.last();
    let weights = position.map(|position| {
        std::array::from_fn::<_, 5, _>(|i| {
            let d = 256 * (i as i32 - REACH) + 128 - (position >> 8 & 255);
            let w = (640 * 640 - d * d) >> 12;
            (w, (d * w) >> 6)
        })
    });
    let mut sums = [0; 3];
    for (i, (wz, dz)) in weights[2].into_iter().enumerate() {
        for (j, (wy, dy)) in weights[1].into_iter().enumerate() {
            for (k, (wx, dx)) in weights[0].into_iter().enumerate() {
                let moved = [k, j, i].map(|number| number as i32 - REACH);
                let voxel: [i32; 3] = std::array::from_fn(|axis| (position[axis] >> 16) + moved[axis]);
                let is_inside = (0..3).all(|axis| (0..=last[axis] >> 16).contains(&voxel[axis]));
                if is_inside && labels.has(caster.sampler.voxel(voxel.map(|place| place as u32))) {
                    sums[0] += dx * wy * wz;
                    sums[1] += wx * dy * wz;
                    sums[2] += wx * wy * dz;
                }
            }
        }
    }
    sums
}

//! Direct volume rendering: samples front to back, each with the opacity of the ray's step.

use super::{
    caster::{Caster, INTERPOLATED},
    rays::Ray,
    shade::exp2_minus,
    transfer::TransferTable,
};

/// Transmittance below which a ray ends: 1/4 of a step of 8 bits.
pub(super) const LEAST_TRANSMITTANCE: f32 = 1.0 / 1024.0;

/// Shading fades where samples change over two voxels much less than this share of the table's span.
pub(super) const FADE: f32 = 0.04;

/// Returns the result of a ray: colour multiplied by alpha, and alpha.
pub fn cast(caster: &mut Caster, ray: &Ray, table: &TransferTable) -> [f32; 4] {
    let length = caster.light.step_length(ray.step);
    let fade = table.span() as f32 * FADE;
    let mut color = [0.0; 3];
    let mut transmittance = 1.0;
    caster.walk(ray, INTERPOLATED, |caster, first, end| {
        for k in first..end {
            let position = ray.at(k);
            let sample = caster.sampler.sample(position);
            let [red, green, blue, extinction] = table.look_up(sample);
            if extinction == 0.0 {
                continue;
            }
            let gradient = caster.sampler.gradient(position);
            let lit = caster.light.shade([red, green, blue], gradient, fade);
            let through = exp2_minus(extinction * length);
            let weight = transmittance * (1.0 - through);
            for (sum, lit) in color.iter_mut().zip(lit) {
                *sum += weight * lit;
            }
            transmittance *= through;
            if transmittance < LEAST_TRANSMITTANCE {
                return false;
            }
        }
        true
    });
    [color[0], color[1], color[2], 1.0 - transmittance]
}

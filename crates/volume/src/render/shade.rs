//! Light: the floats that follow after integers have decided the position of a sample.

use super::vector::{Matrix, Vector, scaled};
use bytemuck::{Pod, Zeroable};
use std::f32::consts::LN_2;

/// Ambient light.
pub(super) const AMBIENT: f32 = 0.25;

/// The diffuse reflection of a surface that faces the light.
pub(super) const DIFFUSE: f32 = 0.75;

/// The specular reflection of such a surface.
pub(super) const SPECULAR: f32 = 0.18;

/// A surface without direction is as bright as one that is turned from the light by 45°.
pub(super) const FLAT: f32 = AMBIENT + 0.7 * DIFFUSE;

/// The parameters of shading: the same for all pixels of a rendering. The layout is that of WGSL's `vec4f`s.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Light {
    /// Three rows: from a gradient per voxel to one per unit of length in the world. The unit is the
    /// smallest distance between voxels.
    pub normal: [[f32; 4]; 3],
    /// Three rows: from voxels to units of length in the world.
    pub world: [[f32; 4]; 3],
    /// Towards the light, of length 1.
    pub key: [f32; 4],
    /// Midway between the light and the viewer, of length 1.
    pub half: [f32; 4],
}

impl Light {
    pub(super) fn new(
        voxel_from_world: &Matrix,
        world_from_voxel: &Matrix,
        unit: f64,
        key: Vector,
        half: Vector,
    ) -> Self {
        let four = |[x, y, z]: Vector| [x as f32, y as f32, z as f32, 0.0];
        Self {
            normal: voxel_from_world.transposed().0.map(|row| four(scaled(row, unit))),
            world: world_from_voxel.0.map(|row| four(scaled(row, 1.0 / unit))),
            key: four(key),
            half: four(half),
        }
    }

    /// Returns the length of a ray's step, in units.
    pub(super) fn step_length(&self, step: [i32; 3]) -> f32 {
        let step = step.map(|step| step as f32 * (1.0 / 65536.0));
        let [x, y, z] = self.world.map(|row| dot(row, step));
        (x * x + y * y + z * z).sqrt()
    }

    /// Returns the colour of a surface at which samples change by `gradient` over two voxels along each axis.
    /// If they change much less than `fade`, shading fades away.
    pub(super) fn shade(&self, color: [f32; 3], gradient: [i32; 3], fade: f32) -> [f32; 3] {
        let gradient = gradient.map(|difference| difference as f32);
        let [x, y, z] = self.normal.map(|row| dot(row, gradient));
        let square = x * x + y * y + z * z;
        let strength = square / (square + fade * fade + 1e-6);
        let normal = [x, y, z].map(|n| n * (1.0 / (square + 1e-6).sqrt()));
        // Both sides are lit.
        let facing = dot(self.key, normal).abs();
        let mirror = dot(self.half, normal).abs().min(1.0);
        let mirror = mirror * mirror;
        let mirror = mirror * mirror;
        let mirror = mirror * mirror;
        let mirror = mirror * mirror;
        let mirror = mirror * mirror;
        let lit = FLAT + (AMBIENT + DIFFUSE * facing - FLAT) * strength;
        let shine = SPECULAR * mirror * strength;
        color.map(|c| c * lit + shine)
    }
}

#[inline(always)]
fn dot(row: [f32; 4], vector: [f32; 3]) -> f32 {
    row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]
}

/// Taylor's series of e^(-x ln 2) after its first term, 1; the last term is fitted so that it ends at ½.
pub(super) const EXP2: [f32; 6] = [-LN_2, 0.240_226_5, -0.055_504_1, 0.009_618_13, -0.001_333_36, 0.000_14];

/// Returns 2^-x for x ≥ 0, with an absolute error below 3·10⁻⁶; 0 from 126 on. It is exact for whole x.
#[inline(always)]
pub fn exp2_minus(x: f32) -> f32 {
    let x = x.min(126.0);
    let whole = x as u32;
    let part = x - whole as f32;
    let t = part;
    let [a, b, c, d, e, f] = EXP2;
    let p = 1.0 + t * (a + t * (b + t * (c + t * (d + t * (e + t * f)))));
    if whole >= 126 { 0.0 } else { p * f32::from_bits((127 - whole) << 23) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_close() {
        for i in 0..200_000u32 {
            let x = i as f32 * 1e-3;
            let want = (-f64::from(x)).exp2();
            assert!((f64::from(exp2_minus(x)) - want).abs() < 3e-6, "{x}");
        }
        assert_eq!([0.0, 1.0, 10.0, 1e30].map(exp2_minus), [1.0, 0.5, 1.0 / 1024.0, 0.0]);
    }
}

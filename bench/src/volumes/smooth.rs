//! A volume smoothed by a Gaussian: floats as volumes of floats have them, not integers in disguise.
//!
//! Sums of `f64` are made in one order, and the weights without `exp`, so that every machine gives the same
//! bits.

use super::volume::Sample;
use brickwork_volume::Dims;

/// The Gaussian is cut off this many voxels from its middle: at four sigmas.
const RADIUS: usize = 4;
const COUNT: usize = 2 * RADIUS + 1;

/// Returns the Gaussian of sigma 1, with the sum 1.
fn weights() -> [f64; COUNT] {
    // e to the power of −½, to the nearest f64; w(k) is its power k².
    const STEP: f64 = 0.606_530_659_712_633_4;
    let mut weights: [f64; COUNT] = std::array::from_fn(|i| {
        let k = i.abs_diff(RADIUS);
        (0..k * k).fold(1.0, |weight, _| weight * STEP)
    });
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// Returns the volume smoothed along x, y and z; its edges are repeated.
pub fn smooth<T: Sample>(voxels: &[T], dims: Dims) -> Vec<f32> {
    let weights = weights();
    let slice = dims.x * dims.y;
    let mut smoothed = Vec::with_capacity(voxels.len());
    // Slices that were smoothed along x and y; that of z is number z modulo COUNT.
    let mut slices = vec![vec![0.0; slice]; COUNT];
    let mut rows = vec![0.0; slice];
    let mut padded = vec![0.0; dims.x + 2 * RADIUS];
    let mut sums = vec![0.0; slice];
    let mut ready = 0;
    for z in 0..dims.z {
        while ready < dims.z.min(z + RADIUS + 1) {
            for (row, smoothed) in
                voxels[slice * ready..].chunks_exact(dims.x).zip(rows.chunks_exact_mut(dims.x))
            {
                along_x(row, &mut padded, &weights, smoothed);
            }
            along_y(&rows, dims, &weights, &mut slices[ready % COUNT]);
            ready += 1;
        }
        sums.fill(0.0);
        for (i, weight) in weights.iter().enumerate() {
            add(&mut sums, *weight, &slices[clamped(z, i, dims.z) % COUNT]);
        }
        smoothed.extend(sums.iter().map(|sum| *sum as f32));
    }
    smoothed
}

/// Returns the position, among `count`, for weight `i` of the Gaussian around `middle`.
fn clamped(middle: usize, i: usize, count: usize) -> usize {
    (middle + i).saturating_sub(RADIUS).min(count - 1)
}

fn along_x<T: Sample>(row: &[T], padded: &mut [f64], weights: &[f64; COUNT], smoothed: &mut [f64]) {
    for (i, value) in padded.iter_mut().enumerate() {
        *value = row[clamped(0, i, row.len())].into();
    }
    smoothed.fill(0.0);
    for (i, weight) in weights.iter().enumerate() {
        add(smoothed, *weight, &padded[i..]);
    }
}

fn along_y(rows: &[f64], dims: Dims, weights: &[f64; COUNT], smoothed: &mut [f64]) {
    smoothed.fill(0.0);
    for (y, smoothed) in smoothed.chunks_exact_mut(dims.x).enumerate() {
        for (i, weight) in weights.iter().enumerate() {
            add(smoothed, *weight, &rows[dims.x * clamped(y, i, dims.y)..]);
        }
    }
}

fn add(sums: &mut [f64], weight: f64, values: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += weight * value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_a_gaussian() {
        let weights = weights();
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        for (i, weight) in weights.iter().enumerate() {
            let k = i as f64 - 4.0;
            // The sum over all integers equals the integral within 10⁻⁸; 6·10⁻⁵ of it is beyond four sigmas.
            let density = (-k * k / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
            assert!((weight / density - 1.0).abs() < 1e-4, "{k}: {weight} and {density}");
        }
    }

    /// Computes the plain definition: the sum over a cube, in another order.
    fn slow(voxels: &[u16], dims: Dims, x: usize, y: usize, z: usize) -> f64 {
        let weights = weights();
        let mut sum = 0.0;
        for i in 0..COUNT.pow(3) {
            let (i, j, k) = (i % COUNT, i / COUNT % COUNT, i / COUNT / COUNT);
            let at = |middle: usize, i: usize, count: usize| {
                (middle as i64 + i as i64 - RADIUS as i64).clamp(0, count as i64 - 1) as usize
            };
            let voxel = voxels[dims.index(at(x, i, dims.x), at(y, j, dims.y), at(z, k, dims.z))];
            sum += weights[i] * weights[j] * weights[k] * f64::from(voxel);
        }
        sum
    }

    #[test]
    fn every_voxel_is_the_sum_over_its_neighbours() {
        for dims in [Dims::new(13, 6, 21), Dims::new(1, 2, 3), Dims::new(2, 11, 1)] {
            let count = dims.x * dims.y * dims.z;
            let voxels: Vec<u16> = (0..count).map(|i| (i * i * 7919 % 65_521) as u16).collect();
            let smoothed = smooth(&voxels, dims);
            assert_eq!(smoothed.len(), count);
            for (i, voxel) in smoothed.iter().enumerate() {
                let want = slow(&voxels, dims, i % dims.x, i / dims.x % dims.y, i / dims.x / dims.y);
                assert!((f64::from(*voxel) / want - 1.0).abs() < 1e-6, "{i} of {dims}: {voxel}, {want}");
            }
        }
    }

    #[test]
    fn the_bits_are_those_of_every_machine() {
        // The definition in Python gives the same hash.
        let dims = Dims::new(7, 5, 6);
        let voxels: Vec<u16> = (0..210).map(|i| (i * i * 31 % 4099) as u16).collect();
        let bits: Vec<u32> = smooth(&voxels, dims).iter().map(|voxel| voxel.to_bits()).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&bits);
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        assert_eq!(hash, 0xb180_10ec_5de5_71a9, "{hash:#x}");
    }
}

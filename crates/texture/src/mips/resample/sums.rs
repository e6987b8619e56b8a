//! Sums of weighted lights along rows and of rows, compiled for every instruction set.
//!
//! A sum starts with 0 and adds the products in order. Neither is fused, on any instruction set.

use super::{Lights, axis::Axis};
use crate::simd::{AvailableLevel, dispatch};

/// Floats whose sums are kept in registers together.
const CHUNK: usize = 32;

/// Fills `target` with target texels `first..` of a row. `source` starts with source texel `start`.
#[allow(unsafe_code)]
pub(super) fn along_row(
    level: AvailableLevel,
    axis: &Axis,
    first: u32,
    start: i64,
    source: &[Lights],
    target: &mut [Lights],
) {
    dispatch!(level, along(axis: &Axis, first: u32, start: i64, source: &[Lights], target: &mut [Lights]));
}

#[inline(always)]
fn along<S>(_: S, axis: &Axis, first: u32, start: i64, source: &[Lights], target: &mut [Lights]) {
    let mut cursor = axis.from(first);
    for target in target {
        let (texel, weights) = cursor.next();
        let texels = &source[(texel - start) as usize..][..weights.len()];
        let mut sum = [0.0f32; 4];
        for (texel, &weight) in texels.iter().zip(weights) {
            for c in 0..4 {
                sum[c] += texel[c] * weight;
            }
        }
        *target = sum;
    }
}

/// Fills `target` with the sum of weighted rows.
#[allow(unsafe_code)]
pub(super) fn of_rows(level: AvailableLevel, rows: &[&[f32]], weights: &[f32], target: &mut [f32]) {
    dispatch!(level, across(rows: &[&[f32]], weights: &[f32], target: &mut [f32]));
}

#[inline(always)]
fn across<S>(_: S, rows: &[&[f32]], weights: &[f32], target: &mut [f32]) {
    let (chunks, rest) = target.as_chunks_mut::<CHUNK>();
    let whole = chunks.len() * CHUNK;
    for (index, chunk) in chunks.iter_mut().enumerate() {
        let mut sums = [0.0f32; CHUNK];
        for (row, &weight) in rows.iter().zip(weights) {
            let row = &row[index * CHUNK..][..CHUNK];
            for i in 0..CHUNK {
                sums[i] += row[i] * weight;
            }
        }
        *chunk = sums;
    }
    for (i, target) in rest.iter_mut().enumerate() {
        let mut sum = 0.0f32;
        for (row, &weight) in rows.iter().zip(weights) {
            sum += row[whole + i] * weight;
        }
        *target = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MipFilter, MipWrap, SimdLevel};

    #[test]
    fn every_instruction_set_gives_the_same_sums() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / 250.0
        };
        let source: Vec<Lights> = (0..300).map(|_| [0.0; 4].map(|_| random())).collect();
        let axis = Axis::new(200, 73, MipFilter::Kaiser, MipWrap::Clamp).unwrap();
        let sums = |level| {
            let mut along = vec![[0.0; 4]; 73];
            along_row(level, &axis, 0, -50, &source, &mut along);
            let rows: Vec<&[f32]> = source.chunks(75).map(|row| row.as_flattened()).collect();
            let mut across = vec![0.0; 300];
            of_rows(level, &rows, &[0.3, -0.1, 0.7, 0.1], &mut across);
            (along, across)
        };
        let scalar = sums(AvailableLevel::of(SimdLevel::Scalar).unwrap());
        let levels: Vec<_> = SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)).collect();
        assert!(levels.iter().all(|&level| sums(level) == scalar));
        // Fused operations would differ from these.
        let (first, weights) = axis.at(5);
        let mut sum = 0.0f32;
        for (k, weight) in weights.iter().enumerate() {
            let product = std::hint::black_box(source[(first + 50) as usize + k][1] * weight);
            sum = std::hint::black_box(sum + product);
        }
        assert_eq!(scalar.0[5][1], sum);
    }
}

//! Extremes, mean and deviation of voxels.

use brickwork_volume::{VoxelType, half::f16};
use std::io::{self, Write};

/// Extremes, mean and root-mean-square deviation from it, of the voxels written to it. Sums are relative to
/// the first voxel, so that a large mean does not hide a small deviation.
pub struct Statistics {
    number_bytes: usize,
    number: fn(&[u8]) -> f64,
    first: Option<f64>,
    count: f64,
    extremes: [f64; 2],
    sum: f64,
    squares: f64,
}

impl Statistics {
    /// Returns the statistics of no voxels, which are little-endian; `None` for types that MRC lacks.
    pub fn of(voxel_type: VoxelType) -> Option<Self> {
        fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
            *bytes.first_chunk().expect("a number")
        }
        let number: fn(&[u8]) -> f64 = match voxel_type {
            VoxelType::U8 => |bytes| f64::from(bytes[0]),
            VoxelType::I8 => |bytes| f64::from(bytes[0] as i8),
            VoxelType::U16 => |bytes| f64::from(u16::from_le_bytes(first(bytes))),
            VoxelType::I16 => |bytes| f64::from(i16::from_le_bytes(first(bytes))),
            VoxelType::F32 => |bytes| f64::from(f32::from_le_bytes(first(bytes))),
            VoxelType::F16 => |bytes| f16::from_le_bytes(first(bytes)).to_f64(),
            _ => return None,
        };
        let extremes = [f64::INFINITY, f64::NEG_INFINITY];
        let number_bytes = voxel_type.byte_count();
        Some(Self { number_bytes, number, first: None, count: 0.0, extremes, sum: 0.0, squares: 0.0 })
    }

    /// Returns the minimum, the maximum, the mean and the deviation; `None` if a voxel is not finite.
    pub fn result(&self) -> Option<[f64; 4]> {
        let mean = self.sum / self.count;
        let deviation = (self.squares / self.count - mean * mean).max(0.0).sqrt();
        let all = [self.extremes[0], self.extremes[1], self.first? + mean, deviation];
        all.iter().all(|number| number.is_finite()).then_some(all)
    }
}

impl Write for Statistics {
    /// Takes whole numbers.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let numbers = bytes.chunks_exact(self.number_bytes);
        debug_assert!(numbers.remainder().is_empty(), "whole numbers");
        for bytes in numbers {
            let number = (self.number)(bytes);
            let difference = number - *self.first.get_or_insert(number);
            // A NaN is in the sums.
            self.extremes = [self.extremes[0].min(number), self.extremes[1].max(number)];
            self.sum += difference;
            self.squares += difference * difference;
            self.count += 1.0;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

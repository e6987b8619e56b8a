//! The difference between two volumes, from streams of their voxels.

use crate::{
    ByteOrder, Cancelled, ErrorKind, Header, ShapeError, Stage, Task, Voxel, VoxelStreamError,
    stream::{at_end, fill},
    with_voxel_type,
};
use std::io::Read;

/// Bytes compared at a time.
const PIECE_BYTES: usize = 1 << 20;

/// The difference between two volumes.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Numbers in each of the two: voxels times channels, of all frames.
    pub voxel_count: u64,
    /// Numbers that differ in any bit: among floats also 0 and −0, and different NaNs.
    pub different: u64,
    /// The position of the first of them: x, y, z.
    pub first: Option<[usize; 3]>,
    /// Channel and frame of the first difference.
    pub first_channel_frame: Option<[usize; 2]>,
    /// The largest absolute difference; differences that are infinite or NaN do not count.
    pub largest: f64,
    /// The mean absolute difference over all numbers; those that are infinite or NaN count as zero.
    pub mean: f64,
    /// Floats whose difference is infinite or NaN.
    pub not_finite: u64,
    /// 10·log10(range² / MSE) in dB for integers, the range being the type's largest value less its least.
    /// None for floats, and where nothing differs.
    pub psnr: Option<f64>,
}

/// Reason why two volumes could not be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The header is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The first stream has fewer or more bytes than the header requires, or cannot be read.
    #[error(transparent)]
    First(VoxelStreamError),
    /// The same for the second stream.
    #[error(transparent)]
    Second(VoxelStreamError),
    /// The caller cancelled the call.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl CompareError {
    /// Returns the error's kind: who can act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Shape(_) => ErrorKind::Argument,
            Self::First(error) | Self::Second(error) => error.kind(),
            Self::Cancelled(_) => ErrorKind::Cancelled,
        }
    }
}

/// Compares two streams of raw voxels of the shape of `header`: channels fastest, then x, y, z and frames,
/// each in its byte order. Memory: 2 MiB. Reports the bytes read of each.
///
/// # Errors
/// [`CompareError`], which names the stream that failed.
pub fn compare(
    first: (impl Read, ByteOrder),
    second: (impl Read, ByteOrder),
    header: &Header,
    task: &Task<'_>,
) -> Result<Comparison, CompareError> {
    let ((mut a, first_order), (mut b, second_order)) = (first, second);
    compare_streams((&mut a, first_order), (&mut b, second_order), header, task)
}

fn compare_streams(
    first: (&mut dyn Read, ByteOrder),
    second: (&mut dyn Read, ByteOrder),
    header: &Header,
    task: &Task<'_>,
) -> Result<Comparison, CompareError> {
    let voxel_type = header.voxel_type;
    let voxel_bytes = voxel_type.byte_count();
    let total = header.raw_bytes()?;
    let mut sums = Sums::default();
    let mut done = 0;
    let mut pieces = [vec![0; PIECE_BYTES], vec![0; PIECE_BYTES]];
    while done < total {
        task.check()?;
        let count = (total - done).min(PIECE_BYTES as u64) as usize;
        let [a, b] = &mut pieces;
        let (a, b) = (&mut a[..count], &mut b[..count]);
        let swap = |order| if order == ByteOrder::NATIVE { 1 } else { voxel_bytes };
        fill(first.0, swap(first.1), a, done, total).map_err(CompareError::First)?;
        fill(second.0, swap(second.1), b, done, total).map_err(CompareError::Second)?;
        if a != b {
            let place = done / voxel_bytes as u64;
            with_voxel_type!(voxel_type, T => sums.add::<T>(a, b, place));
        }
        done += count as u64;
        task.report(Stage::Comparing, done, total);
    }
    at_end(first.0, total).map_err(CompareError::First)?;
    at_end(second.0, total).map_err(CompareError::Second)?;
    Ok(sums.finish(header, total / voxel_bytes as u64))
}

/// Sums over the numbers that differ.
#[derive(Default)]
struct Sums {
    different: u64,
    first: Option<u64>,
    not_finite: u64,
    largest: f64,
    /// Exact sums for integers: of differences and of their squares.
    whole: u128,
    squares: u128,
    /// The same sums for floats.
    float: f64,
}

impl Sums {
    fn add<T: Voxel>(&mut self, first: &[u8], second: &[u8], place: u64) {
        let pairs = first.chunks_exact(size_of::<T>()).zip(second.chunks_exact(size_of::<T>()));
        for (place, (a, b)) in (place..).zip(pairs) {
            if a == b {
                continue;
            }
            self.different += 1;
            self.first.get_or_insert(place);
            let [a, b] = [a, b].map(bytemuck::pod_read_unaligned::<T>);
            if T::TYPE.is_float() {
                let difference = (a.to_f64() - b.to_f64()).abs();
                if difference.is_finite() {
                    self.largest = self.largest.max(difference);
                    self.float += difference;
                } else {
                    self.not_finite += 1;
                }
            } else {
                // Ordinals of integers differ by as much as the integers.
                let difference = u128::from(a.to_ordinal().abs_diff(b.to_ordinal()));
                self.largest = self.largest.max(difference as f64);
                self.whole += difference;
                self.squares = self.squares.saturating_add(difference * difference);
            }
        }
    }

    fn finish(&self, header: &Header, voxel_count: u64) -> Comparison {
        let count = voxel_count as f64;
        let Header { voxel_type, dims, channels, .. } = *header;
        let place = |i: u64| {
            let i = i / channels as u64;
            let along = |i: u64, side: usize| (i % side as u64) as usize;
            let row = i / dims.x as u64;
            [along(i, dims.x), along(row, dims.y), along(row / dims.y as u64, dims.z)]
        };
        let others = |i: u64| {
            let frame = voxel_count / header.frames as u64;
            [(i % channels as u64) as usize, (i / frame) as usize]
        };
        let range = 2f64.powi(voxel_type.bit_count() as i32) - 1.0;
        let has_psnr = !voxel_type.is_float() && self.squares > 0;
        Comparison {
            voxel_count,
            different: self.different,
            first: self.first.map(place),
            first_channel_frame: self.first.map(others),
            largest: self.largest,
            mean: (self.whole as f64 + self.float) / count,
            not_finite: self.not_finite,
            psnr: has_psnr.then(|| 10.0 * (range * range * count / self.squares as f64).log10()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VoxelType};

    const LITTLE: ByteOrder = ByteOrder::Little;

    fn bytes<T: Voxel>(voxels: &[T]) -> Vec<u8> {
        let mut bytes = bytemuck::cast_slice(voxels).to_vec();
        if cfg!(target_endian = "big") {
            bytes.chunks_exact_mut(size_of::<T>()).for_each(<[u8]>::reverse);
        }
        bytes
    }

    fn compared<T: Voxel>(a: &[T], b: &[T], dims: Dims) -> Comparison {
        let (a, b) = (bytes(a), bytes(b));
        let header = Header::new(T::TYPE, dims);
        compare((&a[..], LITTLE), (&b[..], LITTLE), &header, &Task::new()).expect("two volumes")
    }

    #[test]
    fn integers_are_as_far_apart_as_they_are() {
        let dims = Dims::new(2, 2, 2);
        let a: [i16; 8] = [0, 1, 2, -32768, 4, 5, 6, 7];
        let mut b = a;
        assert_eq!(compared(&a, &b, dims), Comparison { voxel_count: 8, ..Default::default() });
        (b[3], b[6]) = (32767, 5);
        let found = compared(&a, &b, dims);
        assert_eq!((found.different, found.first, found.largest), (2, Some([1, 1, 0]), 65535.0));
        assert_eq!(found.mean, 65536.0 / 8.0);
        // One square of the range and one of 1 among eight voxels.
        let psnr = 10.0 * (65535f64.powi(2) * 8.0 / (65535f64.powi(2) + 1.0)).log10();
        assert!((found.psnr.expect("integers") - psnr).abs() < 1e-12);
        let large = compared(&[0u32; 1], &[u32::MAX], Dims::new(1, 1, 1));
        assert_eq!((large.largest, large.psnr), (4_294_967_295.0, Some(0.0)));
    }

    #[test]
    fn channels_and_frames_are_told() {
        let header = Header { channels: 3, frames: 2, ..Header::new(VoxelType::U64, Dims::new(2, 2, 1)) };
        let (a, mut b) = ([7u64; 24], [7u64; 24]);
        b[12 + 3 * 2 + 1] = u64::MAX;
        let (a, b) = (bytes(&a), bytes(&b));
        let found = compare((&a[..], LITTLE), (&b[..], LITTLE), &header, &Task::new()).expect("two volumes");
        assert_eq!((found.first, found.first_channel_frame), (Some([0, 1, 0]), Some([1, 1])));
        assert_eq!((found.voxel_count, found.different), (24, 1));
    }

    #[test]
    fn floats_are_equal_bit_by_bit() {
        let dims = Dims::new(5, 1, 1);
        let a = [f32::NAN, 0.0, 1.5, f32::INFINITY, 2.0];
        assert_eq!(compared(&a, &a, dims).different, 0);
        let found = compared(&a, &[f32::NAN, -0.0, 1.0, 3.0, 2.0], dims);
        assert_eq!((found.different, found.not_finite, found.first), (3, 1, Some([1, 0, 0])));
        assert_eq!((found.largest, found.mean, found.psnr), (0.5, 0.1, None));
    }

    #[test]
    fn places_are_right_past_the_first_piece_and_byte_orders_may_differ() {
        let dims = Dims::new(1000, 3, 400);
        let a: Vec<u16> = (0..1_200_000).map(|i| i as u16).collect();
        let mut b = a.clone();
        b[1_000_000] ^= 0x100;
        let (first, mut second) = (bytes(&a), bytes(&b));
        second.chunks_exact_mut(2).for_each(<[u8]>::reverse);
        let streams = ((&first[..], LITTLE), (&second[..], ByteOrder::Big));
        let told = std::sync::Mutex::new(Vec::new());
        let tell = |progress: crate::Progress| told.lock().expect("one thread").push(progress.done);
        let header = Header::new(VoxelType::U16, dims);
        let found = compare(streams.0, streams.1, &header, &Task::new().with_progress(&tell));
        let found = found.expect("two volumes");
        assert_eq!((found.different, found.first, found.largest), (1, Some([0, 1, 333]), 256.0));
        assert_eq!(told.into_inner().expect("one thread"), [1 << 20, 2 << 20, 2_400_000]);
    }

    #[test]
    fn what_is_too_short_or_too_long_is_named() {
        let run = |a: &[u8], b: &[u8]| {
            let header = Header::new(VoxelType::U8, Dims::new(4, 1, 1));
            let found = compare((a, LITTLE), (b, LITTLE), &header, &Task::new());
            found.expect_err("another length")
        };
        assert!(matches!(
            run(&[0; 3], &[0; 4]),
            CompareError::First(VoxelStreamError::Length { have: 3, .. })
        ));
        assert!(matches!(
            run(&[0; 4], &[0; 5]),
            CompareError::Second(VoxelStreamError::Length { have: 5, .. })
        ));
        let text = run(&[0; 4], &[0; 2]).to_string();
        assert_eq!(text, "expected 4 bytes of voxels, but there are 2");
    }
}

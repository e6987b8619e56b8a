//! Conversion of stored numbers to physical values while they are read.

use super::{ByteOrder, VoxelStream};
use crate::{
    Header, Rescale, Rescaling, Stage, Task, Voxel as _, VoxelStreamError, VoxelType, with_voxel_type,
};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Number of stored numbers to convert at a time.
const PIECE: usize = 1 << 15;

/// Number of bytes to buffer.
const BUFFER_BYTES: usize = 1 << 20;

/// Returns physical values instead of stored numbers, by [`Header::rescaling`]: their stream, byte order and
/// header. Voxels without rescaling are returned unchanged.
///
/// If stored numbers, slope and intercept are integers, the result has the smallest integer type that holds
/// all physical values. To find it, the voxels are read a second time, which is reported. From a pipe, the
/// type holds every possible value. All other values become f32, or f64 if the stored numbers have more than
/// 24 bits.
///
/// # Errors
/// [`VoxelStreamError`] if the voxels cannot be read.
pub fn rescale_stream(
    mut voxels: VoxelStream,
    order: ByteOrder,
    mut header: Header,
    task: &Task<'_>,
) -> Result<(VoxelStream, ByteOrder, Header), VoxelStreamError> {
    let Some(rescaling) = header.rescaling() else { return Ok((voxels, order, header)) };
    let from = header.voxel_type;
    let is_exact = !from.is_float() && has_integers(&rescaling);
    let to = match (is_exact, &mut voxels) {
        (false, _) => float_for(from),
        (true, VoxelStream::Once(_)) => {
            let all = stored_range(from);
            let lines = rescaling.lines().iter().map(|&line| range_of(all, line));
            least_type(lines.reduce(joined).unwrap_or(all)).unwrap_or(VoxelType::F64)
        }
        (true, VoxelStream::Rewindable(file)) => {
            let start = file.stream_position()?;
            let range = physical_range(file, order, &header, &rescaling, task);
            file.seek(SeekFrom::Start(start))?;
            least_type(range?).unwrap_or(VoxelType::F64)
        }
    };
    let numbers = Numbers {
        from,
        to,
        order,
        is_exact,
        per_slice: (header.dims.x * header.dims.y * header.channels) as u64,
        depth: header.dims.z as u64,
        rescaling,
    };
    header.voxel_type = to;
    let header = header.with_physical_values();
    let voxels = match voxels {
        VoxelStream::Rewindable(mut source) => {
            let start = source.stream_position()?;
            let turned = Turned { source, start, numbers, done: 0, buffer: Vec::new(), at: 0, position: 0 };
            VoxelStream::Rewindable(Box::new(BufReader::with_capacity(BUFFER_BYTES, turned)))
        }
        VoxelStream::Once(source) => {
            let turned =
                Turned { source, start: 0, numbers, done: 0, buffer: Vec::new(), at: 0, position: 0 };
            VoxelStream::Once(Box::new(BufReader::with_capacity(BUFFER_BYTES, turned)))
        }
    };
    Ok((voxels, ByteOrder::Little, header))
}

fn has_integers(rescaling: &Rescaling) -> bool {
    // Within these limits, products with 64-bit numbers do not overflow 128 bits.
    let is_integer = |value: f64| value.fract() == 0.0 && value.abs() < 2f64.powi(53);
    rescaling.lines().iter().all(|line| is_integer(line.slope) && is_integer(line.intercept))
}

const fn float_for(stored: VoxelType) -> VoxelType {
    match stored {
        VoxelType::U8 | VoxelType::I8 | VoxelType::U16 | VoxelType::I16 | VoxelType::F16 | VoxelType::F32 => {
            VoxelType::F32
        }
        VoxelType::U32 | VoxelType::I32 | VoxelType::U64 | VoxelType::I64 | VoxelType::F64 => VoxelType::F64,
    }
}

/// Smallest and largest integer.
type Extent = (i128, i128);

fn joined(a: Extent, b: Extent) -> Extent {
    (a.0.min(b.0), a.1.max(b.1))
}

fn stored_range(voxel_type: VoxelType) -> Extent {
    match voxel_type {
        VoxelType::U8 => (u8::MIN.into(), u8::MAX.into()),
        VoxelType::I8 => (i8::MIN.into(), i8::MAX.into()),
        VoxelType::U16 => (u16::MIN.into(), u16::MAX.into()),
        VoxelType::I16 => (i16::MIN.into(), i16::MAX.into()),
        VoxelType::U32 => (u32::MIN.into(), u32::MAX.into()),
        VoxelType::I32 => (i32::MIN.into(), i32::MAX.into()),
        VoxelType::U64 => (u64::MIN.into(), u64::MAX.into()),
        VoxelType::I64 => (i64::MIN.into(), i64::MAX.into()),
        VoxelType::F16 | VoxelType::F32 | VoxelType::F64 => (0, 0),
    }
}

/// Returns the smallest integer type that holds a range.
fn least_type(range: Extent) -> Option<VoxelType> {
    let holds = |&voxel_type: &VoxelType| joined(stored_range(voxel_type), range) == stored_range(voxel_type);
    let mut all = VoxelType::ALL.iter().copied().filter(|&voxel_type| !voxel_type.is_float());
    all.find(holds)
}

fn line(rescale: Rescale) -> Extent {
    (rescale.slope as i128, rescale.intercept as i128)
}

fn range_of((low, high): Extent, rescale: Rescale) -> Extent {
    let (slope, intercept) = line(rescale);
    let (a, b) = (low * slope + intercept, high * slope + intercept);
    (a.min(b), a.max(b))
}

/// Returns the smallest and the largest physical value. A stream of the wrong length is found when it is read
/// again.
fn physical_range(
    source: &mut dyn Read,
    order: ByteOrder,
    header: &Header,
    rescaling: &Rescaling,
    task: &Task<'_>,
) -> Result<Extent, VoxelStreamError> {
    let per_slice = (header.dims.x * header.dims.y * header.channels) as u64;
    let total = header.raw_bytes()? / header.voxel_type.byte_count() as u64;
    let mut range: Option<Extent> = None;
    let (mut done, mut next_report, mut bytes) = (0, 0, Vec::new());
    while done < total {
        task.check()?;
        // Slices may be small.
        if done >= next_report {
            task.report(Stage::Analyzing, done, total);
            next_report = done + PIECE as u64;
        }
        let slice = done / per_slice;
        let wanted = (PIECE as u64).min(per_slice - done % per_slice) as usize;
        if read_numbers(source, header.voxel_type, order, wanted, &mut bytes)? < wanted {
            break;
        }
        let stored = with_voxel_type!(header.voxel_type, T => {
            let numbers = bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>);
            numbers.fold(None, |range: Option<(T, T)>, n| {
                Some(range.map_or((n, n), |(low, high)| {
                    (if n < low { n } else { low }, if n > high { n } else { high })
                }))
            }).map(|(low, high)| (low.to_i128(), high.to_i128()))
        });
        let physical = stored.map(|stored| range_of(stored, line_of(rescaling, slice, header.dims.z as u64)));
        range = [range, physical].into_iter().flatten().reduce(joined);
        done += wanted as u64;
    }
    Ok(range.unwrap_or((0, 0)))
}

/// Returns the line of a slice, counted from the first one of the first frame.
fn line_of(rescaling: &Rescaling, slice: u64, depth: u64) -> Rescale {
    rescaling.at((slice / depth) as usize, (slice % depth) as usize)
}

/// Reads up to `wanted` numbers into `bytes`, in this machine's byte order. Returns the number of whole ones.
/// Bytes after those stay in the buffer.
fn read_numbers(
    source: &mut dyn Read,
    voxel_type: VoxelType,
    order: ByteOrder,
    wanted: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<usize> {
    let number_bytes = voxel_type.byte_count();
    bytes.clear();
    source.take((wanted * number_bytes) as u64).read_to_end(bytes)?;
    if order != ByteOrder::NATIVE {
        bytes.chunks_exact_mut(number_bytes).for_each(<[u8]>::reverse);
    }
    Ok(bytes.len() / number_bytes)
}

/// Conversion of numbers.
struct Numbers {
    from: VoxelType,
    to: VoxelType,
    order: ByteOrder,
    /// True if integers do the conversion.
    is_exact: bool,
    per_slice: u64,
    depth: u64,
    rescaling: Rescaling,
}

impl Numbers {
    /// Converts whole numbers of slice `slice`, counted from the first one of the first frame, from this
    /// machine's byte order to little-endian physical values.
    fn turn(&self, bytes: &[u8], slice: u64, turned: &mut Vec<u8>) {
        let rescale = line_of(&self.rescaling, slice, self.depth);
        let (slope, intercept) = line(rescale);
        // (In two loops, so that no loop is compiled for each pair of types.)
        if self.is_exact {
            let mut values: Vec<i128> = Vec::with_capacity(bytes.len() / self.from.byte_count());
            with_voxel_type!(self.from, T => {
                let numbers = bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>);
                values.extend(numbers.map(|number| number.to_i128() * slope + intercept));
            });
            let number_bytes = self.to.byte_count();
            values.iter().for_each(|value| turned.extend_from_slice(&value.to_le_bytes()[..number_bytes]));
        } else {
            let mut values: Vec<f64> = Vec::with_capacity(bytes.len() / self.from.byte_count());
            with_voxel_type!(self.from, T => {
                let numbers = bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>);
                values.extend(numbers.map(|number| rescale.of(number.to_f64())));
            });
            match self.to {
                VoxelType::F32 => {
                    turned.extend(values.iter().flat_map(|&value| (value as f32).to_le_bytes()));
                }
                _ => turned.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            }
        }
    }
}

/// Stream of physical values for the stored numbers of `source`. It can only be rewound to its start.
struct Turned<R> {
    source: R,
    start: u64,
    numbers: Numbers,
    /// Count of numbers read.
    done: u64,
    buffer: Vec<u8>,
    at: usize,
    position: u64,
}

impl<R: Read> Read for Turned<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.buffer.len() {
            self.at = 0;
            self.buffer.clear();
            let Numbers { from, order, per_slice, .. } = self.numbers;
            let wanted = (PIECE as u64).min(per_slice - self.done % per_slice) as usize;
            let mut bytes = Vec::new();
            let count = read_numbers(&mut self.source, from, order, wanted, &mut bytes)?;
            let (whole, rest) = bytes.split_at(count * from.byte_count());
            self.numbers.turn(whole, self.done / per_slice, &mut self.buffer);
            // A partial number stays partial, so that a count of the bytes shows it.
            self.buffer.extend(rest.first());
            self.done += count as u64;
        }
        let count = into.len().min(self.buffer.len() - self.at);
        into[..count].copy_from_slice(&self.buffer[self.at..self.at + count]);
        self.at += count;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Read + Seek> Seek for Turned<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(0) => {
                self.source.seek(SeekFrom::Start(self.start))?;
                self.buffer.clear();
                (self.at, self.done, self.position) = (0, 0, 0);
            }
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, VolumeWriteError, copy_voxels};
    use std::io::Cursor;

    type Volume = (VoxelStream, ByteOrder, Header);

    fn volume(bytes: &[u8], voxel_type: VoxelType, order: ByteOrder, dicom: &str, once: bool) -> Volume {
        let dims = Dims::new(bytes.len() / voxel_type.byte_count() / 2, 1, 2);
        let bytes = Cursor::new(bytes.to_vec());
        let voxels =
            if once { VoxelStream::Once(Box::new(bytes)) } else { VoxelStream::Rewindable(Box::new(bytes)) };
        let metadata = format!("{{\"dicom\":{dicom}}}");
        (voxels, order, Header { metadata, ..Header::new(voxel_type, dims) })
    }

    fn rescale((voxels, order, header): Volume) -> Volume {
        rescale_stream(voxels, order, header, &Task::new()).expect("memory")
    }

    fn raw((voxels, order, header): Volume) -> Result<Vec<u8>, VolumeWriteError> {
        let mut bytes = Vec::new();
        copy_voxels(voxels, order, &header, &mut bytes, &Task::new()).map(|()| bytes)
    }

    #[test]
    fn the_least_type_that_is_exact_is_taken() {
        let ct = r#"{"RescaleSlope":1,"RescaleIntercept":-1024}"#;
        let stored: Vec<u8> = [0u16, 1, 4095, 24].into_iter().flat_map(u16::to_be_bytes).collect();
        for (once, want) in [(false, VoxelType::I16), (true, VoxelType::I32)] {
            let turned = rescale(volume(&stored, VoxelType::U16, ByteOrder::Big, ct, once));
            assert_eq!((turned.2.voxel_type, turned.2.rescaling()), (want, None));
            let bytes = raw(turned).expect("memory");
            let values: Vec<i64> = match want {
                VoxelType::I16 => bytes.as_chunks().0.iter().map(|b| i16::from_le_bytes(*b).into()).collect(),
                _ => bytes.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b).into()).collect(),
            };
            assert_eq!(values, [-1024, -1023, 3071, -1000]);
        }
        for (voxel_type, slope, stored, want) in [
            (VoxelType::U8, "0.5", vec![1, 3], VoxelType::F32),
            (VoxelType::U8, "-1", vec![1, 3], VoxelType::I8),
            (VoxelType::U8, "2", vec![1, 127], VoxelType::U8),
            (VoxelType::U8, "2", vec![1, 128], VoxelType::U16),
            (VoxelType::U8, "9007199254740991", vec![255, 255], VoxelType::U64),
            (VoxelType::U64, "2", vec![255; 16], VoxelType::F64),
            (VoxelType::I32, "0.5", vec![1; 8], VoxelType::F64),
            (VoxelType::F32, "2", vec![0; 8], VoxelType::F32),
        ] {
            let dicom = format!("{{\"RescaleSlope\":{slope}}}");
            let turned = rescale(volume(&stored, voxel_type, ByteOrder::Little, &dicom, false));
            assert_eq!(turned.2.voxel_type, want, "{voxel_type} {slope} {stored:?}");
        }
    }

    #[test]
    fn slices_have_their_own_lines_and_the_rest_is_counted() {
        let pet = r#"{"RescaleSlope":[0.5,2.0],"RescaleIntercept":1.0}"#;
        let floats = |volume| -> Vec<f32> {
            let bytes = raw(rescale(volume)).expect("memory");
            bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
        };
        let values = floats(volume(&[1, 2, 3, 4], VoxelType::U8, ByteOrder::Little, pet, false));
        assert_eq!(values, [1.5, 2.0, 7.0, 9.0]);
        // The second frame has its own lines.
        let dynamic = r#"{"RescaleSlopes":[0.5,2.0,3.0,4.0]}"#;
        let mut frames = volume(&[1, 2, 3, 4], VoxelType::U8, ByteOrder::Little, dynamic, false);
        (frames.2.frames, frames.2.dims) = (2, Dims::new(1, 1, 2));
        assert_eq!(floats(frames), [0.5, 4.0, 9.0, 16.0]);
        for (length, once) in [(3, false), (3, true), (5, false), (9, true)] {
            let mut other = volume(&[1; 8], VoxelType::U16, ByteOrder::Little, pet, once);
            let bytes = Cursor::new(vec![1; length]);
            other.0 = VoxelStream::Rewindable(Box::new(bytes));
            let error = raw(rescale(other));
            assert!(
                matches!(error, Err(VolumeWriteError::Voxels(VoxelStreamError::Length { .. }))),
                "{length}: {error:?}"
            );
        }
    }
}

//! Numbers in a TIFF.

pub(super) use super::super::exif::number;
use super::super::{failure::Failure, tracked_reader::TrackedReader};
use std::io::{Read, Seek, SeekFrom};

/// Reads some bytes.
pub(super) fn bytes<const N: usize>(source: &mut TrackedReader<'_>) -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Returns numbers of a type of the file at a position; `None` if they are outside or of no such type.
pub(super) fn numbers_at(
    source: &mut TrackedReader<'_>,
    is_little: bool,
    at: u64,
    kind: u64,
    count: u64,
) -> Option<Vec<f64>> {
    let value_bytes = match kind {
        1 => 1,
        3 => 2,
        4 | 11 => 4,
        5 | 10 | 12 | 16 => 8,
        _ => return None,
    };
    source.seek(SeekFrom::Start(at)).ok()?;
    let value = |_| {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..value_bytes];
        source.read_exact(bytes).ok()?;
        let number = |bytes: &[u8]| number(is_little, bytes);
        Some(match kind {
            5 => number(&bytes[..4]) as f64 / number(&bytes[4..]) as f64,
            10 => f64::from(number(&bytes[..4]) as i32) / f64::from(number(&bytes[4..]) as i32),
            11 => f64::from(f32::from_bits(number(bytes) as u32)),
            12 => f64::from_bits(number(bytes)),
            _ => number(bytes) as f64,
        })
    };
    (0..count).map(value).collect()
}

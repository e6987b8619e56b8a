//! RLE Lossless: the bytes of a slice are split into planes by significance. Each plane is packed separately
//! (DICOM PS3.5, Annex G).
//!
//! The adapter of dicom-transfer-syntax-registry 0.10.1 panics on truncated fragments.

use crate::{FormatError, SliceShape};

/// Bytes before the segments: their count, and the start of each of at most 15.
const HEADER_BYTES: usize = 64;

/// Unpacks `fragment` into `bytes`, which has the length of the slice: whole voxels, the least significant
/// byte first.
pub fn unpack(fragment: &[u8], shape: SliceShape, bytes: &mut [u8]) -> Result<(), FormatError> {
    let number_bytes = shape.voxel_type.byte_count();
    let segment_count = number_bytes * shape.channels;
    for (segment, packed) in segments(fragment, segment_count)?.into_iter().enumerate() {
        // The most significant byte of a number comes first.
        let place = segment / number_bytes * number_bytes + number_bytes - 1 - segment % number_bytes;
        let plane = bytes.iter_mut().skip(place).step_by(segment_count);
        let (need, have) = unpack_bits(packed, plane);
        check_length(need, have)?;
    }
    Ok(())
}

/// Unpacks a mask of one bit per voxel into `mask`, one byte per voxel. By the standard, eight voxels share a
/// byte, the first in the lowest bit, and each frame starts at a byte (CP 2301). Some programs store bytes.
pub fn unpack_mask(fragment: &[u8], mask: &mut [u8]) -> Result<(), FormatError> {
    for packed in segments(fragment, 1)? {
        let (voxel_count, have) = unpack_bits(packed, mask.iter_mut());
        if have == voxel_count {
            mask.iter_mut().for_each(|voxel| *voxel = u8::from(*voxel != 0));
            continue;
        }
        check_length(voxel_count.div_ceil(8), have)?;
        // Backwards, a byte is replaced after its eight voxels were read.
        for i in (0..voxel_count).rev() {
            mask[i] = mask[i / 8] >> (i % 8) & 1;
        }
    }
    Ok(())
}

/// Returns the packed segments of a fragment.
fn segments(fragment: &[u8], segment_count: usize) -> Result<Vec<&[u8]>, FormatError> {
    let short = |need: usize| FormatError::Length {
        part: "the RLE fragment",
        need: need as u64,
        have: fragment.len() as u64,
    };
    let header = fragment.get(..HEADER_BYTES).ok_or_else(|| short(HEADER_BYTES))?;
    let words: Vec<usize> = header
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX))
        .collect();
    if words[0] != segment_count {
        let (need, have) = (segment_count as u64, words[0] as u64);
        return Err(FormatError::Count { part: "the RLE fragment", items: "segments", need, have });
    }
    let segment = |segment: usize| {
        let end = if segment + 1 < segment_count { words[2 + segment] } else { fragment.len() };
        fragment.get(words[1 + segment]..end).ok_or_else(|| short(end))
    };
    (0..segment_count).map(segment).collect()
}

fn check_length(need: usize, have: usize) -> Result<(), FormatError> {
    let (need, have) = (need as u64, have as u64);
    match have < need {
        true => Err(FormatError::Length { part: "an RLE segment, unpacked,", need, have }),
        false => Ok(()),
    }
}

/// Unpacks a segment into `plane`. Returns the plane's length and the number of bytes unpacked. Drops further
/// bytes, which are padding.
fn unpack_bits<'a>(packed: &[u8], mut plane: impl ExactSizeIterator<Item = &'a mut u8>) -> (usize, usize) {
    let need = plane.len();
    let mut packed = packed.iter();
    'all: while plane.len() > 0 {
        match packed.next() {
            None => break,
            Some(&128) => {}
            Some(&count @ ..128) => {
                for _ in 0..=count {
                    let Some(byte) = packed.next() else { break 'all };
                    let Some(into) = plane.next() else { break 'all };
                    *into = *byte;
                }
            }
            Some(&count) => {
                let Some(byte) = packed.next() else { break };
                plane.by_ref().take(257 - usize::from(count)).for_each(|into| *into = *byte);
            }
        }
    }
    (need, need - plane.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::VoxelType;

    const SHAPE: SliceShape = SliceShape { width: 4, height: 1, voxel_type: VoxelType::U16, channels: 1 };

    /// Returns a fragment with the upper bytes 1 1 1 1 and the lower bytes 5 6 7 7.
    fn fragment() -> Vec<u8> {
        let mut fragment: Vec<u8> = [2u32, 64, 66].iter().flat_map(|word| word.to_le_bytes()).collect();
        fragment.resize(64, 0);
        fragment.extend_from_slice(&[253, 1, 128, 1, 5, 6, 255, 7]);
        fragment
    }

    #[test]
    fn runs_and_literals_become_numbers() {
        let mut bytes = [0; 8];
        unpack(&fragment(), SHAPE, &mut bytes).expect("sound");
        assert_eq!(bytes, [5, 1, 6, 1, 7, 1, 7, 1]);
    }

    #[test]
    fn a_damaged_fragment_is_an_error() {
        let good = fragment();
        for length in 0..good.len() {
            assert!(unpack(&good[..length], SHAPE, &mut [0; 8]).is_err(), "cut at {length}");
        }
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = unpack(&bad, SHAPE, &mut [0; 8]);
            }
        }
        let mut bad = good.clone();
        bad[4..8].copy_from_slice(&[0xff; 4]);
        let error = unpack(&bad, SHAPE, &mut [0; 8]).expect_err("a segment outside").to_string();
        assert_eq!(error, "the RLE fragment has 72 bytes, expected 66");
        let color = SliceShape { channels: 3, ..SHAPE };
        let error = unpack(&good, color, &mut [0; 24]).expect_err("two segments of six").to_string();
        assert_eq!(error, "the RLE fragment has 2 segments, expected 6");
    }
}

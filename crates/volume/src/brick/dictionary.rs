//! Dictionaries: few values, numbered in ascending order.

use super::limits::MAX_DICTIONARY;
use crate::bits::{BitWriter, width};

/// Returns the number of bits of a dictionary without its flag.
#[inline(always)]
pub(super) fn dictionary_bits(range: u32, entries: usize) -> u32 {
    4 + width(range) * (entries as u32 - 2)
}

/// True if a dictionary could save bits at all: no voxel can save more than the logarithm of the ratio by
/// which its range shrinks.
#[inline(always)]
pub(super) fn saves(range: u32, entries: usize, voxels: usize) -> bool {
    let smaller = (f64::from(range) + 1.0) / entries as f64;
    smaller > 1.0 && voxels as f64 * smaller.log2() > f64::from(dictionary_bits(range, entries))
}

/// Writes the distinct values in ascending order, and returns their number; 0 if there are more than a
/// dictionary holds.
#[inline(always)]
pub(super) fn distinct(values: &[u32], range: u32, dictionary: &mut [u32; MAX_DICTIONARY]) -> usize {
    // Equal values set equal bits: more bits than entries mean more values.
    let bit = |value: u32| if range < 64 { value } else { value.wrapping_mul(0x9e37_79b1) >> 26 };
    let seen = values.iter().fold(0u64, |seen, &value| seen | 1 << bit(value));
    if seen.count_ones() as usize > MAX_DICTIONARY {
        return 0;
    }
    let mut count = 0;
    if range < 64 {
        let mut seen = seen;
        while seen != 0 {
            dictionary[count] = seen.trailing_zeros();
            count += 1;
            seen &= seen - 1;
        }
        return count;
    }
    let mut last = None;
    for &value in values {
        if last == Some(value) {
            continue;
        }
        last = Some(value);
        let place = dictionary[..count].partition_point(|&entry| entry < value);
        if place < count && dictionary[place] == value {
            continue;
        }
        if count == MAX_DICTIONARY {
            return 0;
        }
        dictionary.copy_within(place..count, place + 1);
        dictionary[place] = value;
        count += 1;
    }
    count
}

/// Writes the predictor and the dictionary, without its first and last entry.
#[inline(always)]
pub(super) fn put_start(writer: &mut BitWriter, predictor: usize, range: u32, dictionary: Option<&[u32]>) {
    writer.put(predictor as u32, 4);
    if range > 1 {
        writer.put(u32::from(dictionary.is_some()), 1);
    }
    if let Some(dictionary) = dictionary {
        writer.put(dictionary.len() as u32, 4);
        for &entry in dictionary {
            writer.put(entry, width(range));
        }
    }
}

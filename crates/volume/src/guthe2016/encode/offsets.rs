//! The offset volume, packed.

use super::super::offsets::Offsets;
use crate::{Dims, bits};
use std::collections::HashMap;

impl Offsets {
    /// Returns the offset volume of bricks that start at `starts`, x fastest.
    pub fn pack(starts: &[u64], bricks: Dims, second_level: bool) -> Self {
        let bits = u64::BITS - starts.iter().max().map_or(0, |max| max.leading_zeros()).min(64);
        let bits = if starts.iter().all(|&start| start == 0) { 0 } else { bits };
        if !second_level {
            return Self { bits, packed: pack(starts.iter().copied(), bits), tile_count: 0, tiles: None };
        }
        let tiles = bricks.covered_by(Dims::cube(4));
        let mut known = HashMap::new();
        let mut stored = Vec::new();
        let mut numbers = Vec::new();
        for tile in 0..tiles.x * tiles.y * tiles.z {
            let (tx, ty, tz) = tiles.position(tile);
            let starts: [u64; 64] = std::array::from_fn(|i| {
                let (x, y, z) = Dims::cube(4).position(i);
                let (x, y, z) = (4 * tx + x, 4 * ty + y, 4 * tz + z);
                starts[bricks.index(x.min(bricks.x - 1), y.min(bricks.y - 1), z.min(bricks.z - 1))]
            });
            let next = known.len() as u64;
            numbers.push(*known.entry(starts).or_insert_with(|| {
                stored.extend_from_slice(&starts);
                next
            }));
        }
        let number_bits = u64::BITS - numbers.iter().fold(0, |union, n| union | n).leading_zeros();
        let numbers = pack(numbers.into_iter(), number_bits);
        let (tile_count, packed) = ((stored.len() / 64) as u32, pack(stored.into_iter(), bits));
        Self { bits, packed, tile_count, tiles: Some((number_bits, numbers)) }
    }
}

fn pack(values: impl Iterator<Item = u64>, bits: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = bits::BitWriter::append(&mut bytes);
    let low = bits.min(32);
    for value in values {
        writer.put((value & ((1 << low) - 1)) as u32, low);
        writer.put(value.checked_shr(low).unwrap_or(0) as u32, bits - low);
    }
    writer.align();
    bytes
}

//! Section 6: the profile guthe2016.

use super::{Bits, number, part, unfold};

const PIECE: usize = 65_536;

/// Calls `put` with a mip level, a frame, a component, a position and the value.
pub fn decode(
    file: &[u8],
    index: &[u8],
    second_level: bool,
    voxel_bytes: usize,
    level_dims: &[[usize; 3]],
    [frames, components]: [usize; 2],
    mut put: impl FnMut(usize, usize, usize, [usize; 3], u64),
) {
    let mut at = 0;
    let mut next = |bytes: usize| {
        at += bytes;
        number(&index[at - bytes..at])
    };
    for (level, dims) in level_dims.iter().enumerate() {
        let bricks = dims.map(|voxels| voxels.div_ceil(4));
        let tiles = bricks.map(|bricks| bricks.div_ceil(4));
        for section in 0..frames * components {
            let (mut start, payload_bytes) = (next(8) as usize, next(8) as usize);
            let (tiles_stored, offset_bits) = (next(4) as usize, next(1) as usize);
            let (number_bits, zero) = (next(1) as usize, next(2));
            assert_eq!(zero, 0);
            let (offset_count, number_count) = if second_level {
                (64 * tiles_stored, tiles.iter().product())
            } else {
                (bricks.iter().product(), 0)
            };
            let mut take = |bytes: usize| {
                for piece in 0..bytes.div_ceil(PIECE) {
                    let from = piece * PIECE;
                    part(file, start + from, PIECE.min(bytes - from), next(4));
                }
                start += bytes;
                &file[start - bytes..start]
            };
            let payload = take(payload_bytes);
            let offsets = unpack(take((offset_count * offset_bits).div_ceil(8)), offset_count, offset_bits);
            let numbers = unpack(take((number_count * number_bits).div_ceil(8)), number_count, number_bits);
            for i in 0..bricks.iter().product() {
                let [x, y, z] = [i % bricks[0], i / bricks[0] % bricks[1], i / bricks[0] / bricks[1]];
                let place = if second_level {
                    let tile = x / 4 + tiles[0] * (y / 4 + tiles[1] * (z / 4));
                    64 * numbers[tile] as usize + x % 4 + 4 * (y % 4) + 16 * (z % 4)
                } else {
                    i
                };
                let values = brick(&payload[offsets[place] as usize..], voxel_bytes);
                for (v, value) in values.into_iter().enumerate() {
                    let voxel = [4 * x + v % 4, 4 * y + v / 4 % 4, 4 * z + v / 16];
                    if (0..3).all(|axis| voxel[axis] < dims[axis]) {
                        put(level, section / components, section % components, voxel, value as u64);
                    }
                }
            }
        }
    }
    assert_eq!(at, index.len());
}

fn unpack(bytes: &[u8], count: usize, bits: usize) -> Vec<u64> {
    let mut packed = Bits { bytes, at: 0 };
    (0..count).map(|_| packed.take(bits)).collect()
}

fn brick(bytes: &[u8], voxel_bytes: usize) -> Vec<i64> {
    let min = number(&bytes[..voxel_bytes]) as i64;
    let max = number(&bytes[voxel_bytes..2 * voxel_bytes]) as i64;
    if min == max {
        return vec![min; 64];
    }
    let bytes = &bytes[2 * voxel_bytes..];
    let (c2, transform) = (usize::from(bytes[0] % 16), bytes[0] / 16);
    let mut bits = Bits { bytes: &bytes[1..], at: 0 };
    let widths: Vec<usize> = (0..8).map(|_| bits.take(c2) as usize).collect();
    let mut codes = vec![0; 64];
    for place in 0..64 {
        let bit = |i: usize| place >> i & 1;
        let [x, y, z] = [0, 1, 2].map(|axis| bit(axis) + 2 * bit(axis + 3));
        codes[x + 4 * y + 16 * z] = bits.take(widths[place / 8]) as i64;
    }
    let r = max - min;
    let values = match transform {
        0 => codes,
        1 => codes.into_iter().map(|code| r - code).collect(),
        2 => gradient(&codes, r),
        3 => haar(codes, r),
        _ => panic!("no such transform"),
    };
    values.into_iter().map(|value| min + value).collect()
}

fn gradient(codes: &[i64], r: i64) -> Vec<i64> {
    let mut values = vec![0; 64];
    for i in 0..64usize {
        let (x, y, z) = (i % 4, i / 4 % 4, i / 16);
        let at = |dx: usize, dy: usize, dz: usize| {
            if dx > x || dy > y || dz > z { 0 } else { values[i - dx - 4 * dy - 16 * dz] }
        };
        let sum =
            at(1, 0, 0) + at(0, 1, 0) + at(0, 0, 1) - at(1, 1, 0) - at(1, 0, 1) - at(0, 1, 1) + at(1, 1, 1);
        let p = if i == 0 { r / 2 } else { sum.clamp(0, r) };
        values[i] = unfold(codes[i], p, r);
    }
    values
}

fn haar(codes: Vec<i64>, r: i64) -> Vec<i64> {
    let signed = |code: i64| if code % 2 == 0 { code / 2 } else { -(code + 1) / 2 };
    let mut values: Vec<i64> = codes.iter().map(|&code| signed(code)).collect();
    values[0] = unfold(codes[0], r / 2, r);
    for side in [2, 4] {
        for step in [16, 4, 1] {
            for start in (0..64).filter(|i| i / step % 4 == 0) {
                let inside = [start % 4, start / 4 % 4, start / 16].into_iter().all(|place| place < side);
                if !inside {
                    continue;
                }
                let line: Vec<i64> = (0..side).map(|k| values[start + k * step]).collect();
                for i in 0..side / 2 {
                    let (a, d) = (line[i], line[side / 2 + i]);
                    let b = a - d.div_euclid(2);
                    values[start + 2 * i * step] = b + d;
                    values[start + (2 * i + 1) * step] = b;
                }
            }
        }
    }
    values
}

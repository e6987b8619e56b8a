//! Packing of a block.

use super::{
    fit::Variant,
    groups::{Family, Group, GroupName, L4, weight_codes},
    header::block_mode_4x4,
    levels::colors,
    sequence::{self, LEAST_COLOR_RANGE, RANGES, WEIGHT_RANGES},
};
use std::sync::LazyLock;

/// Codes of the levels of a range of colours.
struct Codes {
    level: [u8; 256],
    /// By the upper seven bits of a level. In modes with offsets, they are the low bits of a base, or the
    /// top bit of the base and the six bits of an offset.
    half: [u8; 128],
}

static COLOR_CODES: LazyLock<Vec<Codes>> = LazyLock::new(|| {
    (LEAST_COLOR_RANGE..RANGES.len())
        .map(|range| {
            let mut codes = Codes { level: [0; 256], half: [0; 128] };
            for (code, &level) in (0..=255).zip(&colors(range)[..RANGES[range].levels()]) {
                codes.level[usize::from(level)] = code;
                codes.half[usize::from(level >> 1)] = code;
            }
            codes
        })
        .collect()
});

static WEIGHT_CODES: LazyLock<[[u8; 32]; WEIGHT_RANGES]> =
    LazyLock::new(|| std::array::from_fn(weight_codes));

/// Levels of a part: those of even and of odd integers, the first channel in the lowest byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartLevels {
    pub even: u32,
    pub odd: u32,
}

/// Returns the block of a variant of a group. `ranks` has the ranks of the weights,
/// interleaved if there are two planes.
pub(crate) fn pack(
    group: &Group,
    Variant { range, color_range, is_offset }: Variant,
    seed: u16,
    parts: &[PartLevels],
    ranks: &[u8],
) -> [u8; 16] {
    let (weight_range, color_range) = (usize::from(range), usize::from(color_range));
    let codes = &COLOR_CODES[color_range - LEAST_COLOR_RANGE];
    let mut integers = [0; 18];
    let mut count = 0;
    for &PartLevels { even, odd } in parts {
        let (even, odd) = (even.to_le_bytes(), odd.to_le_bytes());
        let colors = match group.family {
            Family::Color => 0..3,
            Family::Grey => 0..1,
            Family::Scale => {
                for c in 0..3 {
                    integers[count + c] = codes.level[usize::from(even[c])];
                }
                integers[count + 3] = codes.level[usize::from(odd[0])];
                count += 4;
                0..0
            }
        };
        for c in colors.chain(group.has_alpha.then_some(3)) {
            let pair = if is_offset {
                let (base, offset) = (even[c], odd[c]);
                [base & 127, base >> 7 << 6 | offset & 63].map(|half| codes.half[usize::from(half)])
            } else {
                [codes.level[usize::from(even[c])], codes.level[usize::from(odd[c])]]
            };
            integers[count..count + 2].copy_from_slice(&pair);
            count += 2;
        }
    }
    let mode = block_mode_4x4(weight_range, group.plane.is_some());
    let mut word = u128::from(mode) | (parts.len() as u128 - 1) << 11;
    let endpoint_mode = u128::from(group.mode(is_offset));
    let start = if parts.len() > 1 {
        word |= u128::from(seed) << 13 | endpoint_mode << 25;
        29
    } else {
        word |= endpoint_mode << 13;
        17
    };
    word |= sequence::write(RANGES[color_range], &integers[..count]) << start;
    let mut weights = [0; 64];
    for (code, &rank) in weights.iter_mut().zip(ranks) {
        *code = WEIGHT_CODES[weight_range][usize::from(rank)];
    }
    word |= sequence::write(RANGES[weight_range], &weights[..ranks.len()]).reverse_bits();
    if let Some(plane) = group.plane {
        let end = 128 - RANGES[weight_range].sequence_bits(ranks.len());
        word |= (plane as u128) << (end - 2);
    }
    word.to_le_bytes()
}

/// Returns the block of texels of two colours, red in the lowest byte, without an error: colours have 256
/// levels beside weights of 4. `None` if there are other colours.
pub(crate) fn pack_two(texels: &[u32; 16]) -> Option<[u8; 16]> {
    let first = texels[0];
    let second = *texels.iter().find(|&&texel| texel != first)?;
    if texels.iter().any(|&texel| texel != first && texel != second) {
        return None;
    }
    // The sum of the second endpoint is not the smaller one, else colours are contracted.
    let sum = |texel: u32| texel.to_le_bytes()[..3].iter().map(|&value| u32::from(value)).sum::<u32>();
    let [even, odd] = if sum(first) <= sum(second) { [first, second] } else { [second, first] };
    let group = if (first & second) >> 24 == 255 { GroupName::One } else { GroupName::AlphaOne };
    let variant = Variant { range: L4 as u8, color_range: RANGES.len() as u8 - 1, is_offset: false };
    let ranks = texels.map(|texel| if texel == odd { 3 } else { 0 });
    Some(pack(group.group(), variant, 0, &[PartLevels { even, odd }], &ranks))
}

/// Returns the block of one colour.
pub(crate) fn pack_void(texel: u32) -> [u8; 16] {
    let color = texel.to_le_bytes().map(|value| u16::from(value) * 257);
    let bits = color.iter().rev().fold(0, |bits, &value| bits << 16 | u128::from(value));
    (bits << 64 | u128::from(u64::MAX << 9 & !(1 << 9) | 0x1fc)).to_le_bytes()
}

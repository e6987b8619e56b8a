//! The contents of a brick's bytes besides its values: the predictor, the Rice levels, the codes. This is for
//! statistics; nothing is fast here.

use super::{
    header::BrickHeader,
    labels,
    limits::WIDE,
    predict,
    shape::{BrickBox, BrickSize},
};
use crate::Dims;

/// The coding of a brick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inspected {
    pub predictor: usize,
    pub has_dictionary: bool,
    pub is_wide: bool,
    /// True for a label brick, whose groups have no Rice levels.
    pub is_label_brick: bool,
    /// The Rice level of each eight values in order; zeros past the last.
    pub rice_levels: [u32; 64],
}

/// Looks at the brick whose bytes start at byte `start` and whose decoded values (0..=`range`), as
/// [`decode::brick`](super::decode::brick) gives them, are `values`. Puts the codes into `codes`, which has
/// as many, in order, the first value in place of the first. `None` if the bytes end too soon, as those that
/// were decoded never do.
pub(crate) fn brick(
    bytes: &[u8],
    start: usize,
    range: u32,
    part: BrickBox,
    values: &[u32],
    codes: &mut [u32],
) -> Option<Inspected> {
    match part.size {
        BrickSize::Four => inspect::<1>(bytes, start, range, part, values, codes),
        BrickSize::Eight => inspect::<8>(bytes, start, range, part, values, codes),
        BrickSize::Flat => inspect::<4>(bytes, start, range, part, values, codes),
    }
}

fn inspect<const RUNS: usize>(
    bytes: &[u8],
    start: usize,
    range: u32,
    part: BrickBox,
    values: &[u32],
    codes: &mut [u32],
) -> Option<Inspected> {
    let header = BrickHeader::<RUNS>::read(bytes, start, range, part.count())?;
    let BrickHeader { predictor, largest, has_dictionary, dictionary, rice_levels, .. } = header;
    let is_label_brick = header.is_label_brick;
    let mut all = values.to_vec();
    if has_dictionary {
        for code in &mut all {
            let place = dictionary[..=largest as usize].iter().position(|entry| entry == code);
            *code = place.unwrap_or(0) as u32;
        }
    }
    if is_label_brick {
        labels::to_codes(predictor, largest, &mut all);
    } else {
        to_codes(predictor, largest, part.size.dims(), &mut all);
    }
    let is_sorted = predictor == predict::SORTED && !is_label_brick;
    for (code, place) in codes.iter_mut().zip(part.places(is_sorted)) {
        *code = all[usize::from(place)];
    }
    let is_wide = largest >= WIDE;
    let mut found = Inspected { predictor, has_dictionary, is_wide, is_label_brick, rice_levels: [0; 64] };
    found.rice_levels[..8 * RUNS].copy_from_slice(rice_levels.as_flattened());
    Some(found)
}

/// Turns values of 0..=`largest` into their codes, except for the first. It starts at the last value, so that
/// neighbours are still values.
fn to_codes(predictor: usize, largest: u32, dims: Dims, values: &mut [u32]) {
    let backs = predict::backs(dims);
    for i in (1..values.len()).rev() {
        let value = values[i];
        values[i] = match predictor {
            0 => value,
            1 if largest < WIDE => largest.wrapping_sub(value),
            _ if largest < WIDE => {
                let weights = predict::weights(predictor, i, dims);
                let mut sum = i64::from(weights[7]) * i64::from(largest) + 8;
                for (back, &weight) in backs.iter().zip(&weights[..7]) {
                    if weight != 0 {
                        sum += i64::from(weight) * i64::from(values[i - back]);
                    }
                }
                let prediction = (sum >> 4).clamp(0, largest.into()) as i32;
                // No encoder writes a larger value.
                predict::fold(value.min(largest) as i32, prediction, largest as i32)
            }
            _ => {
                let difference =
                    value.wrapping_sub(predict::wide_prediction(predictor, values, i, dims, &backs));
                difference << 1 ^ ((difference as i32) >> 31) as u32
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            encode,
            limits::{GROUP, PADDING, base_bits, delta_width},
            rice_level,
        },
        *,
    };
    use crate::{
        Dims,
        bits::{get, width},
    };

    /// Returns the size of a brick in bytes from its inspection, counted as in docs/volume-format.md.
    fn byte_count(found: &Inspected, bytes: &[u8], range: u32, codes: &[u32]) -> u64 {
        let mut bits = 4 + u64::from(range > 1);
        let mut largest = range;
        if found.has_dictionary {
            let inner = get(bytes, bits, 4);
            bits += u64::from(4 + inner * width(range));
            largest = inner + 1;
        }
        let base_bits = base_bits(largest);
        let base = get(bytes, bits, base_bits);
        bits += u64::from(base_bits);
        let delta_bits = get(bytes, bits, delta_width(base_bits));
        bits += u64::from(delta_width(base_bits));
        bits += codes.len().div_ceil(GROUP) as u64 * u64::from(delta_bits);
        bits += u64::from(width(largest).saturating_sub(rice_level::low_bits(found.rice_levels[0])));
        let cap = rice_level::most_ones(base, largest);
        let mut remainders = 0;
        for (i, codes) in codes.chunks(GROUP).enumerate() {
            let remainder_bits = u64::from(rice_level::low_bits(found.rice_levels[i])) * codes.len() as u64;
            remainders += remainder_bits.div_ceil(8);
            if found.rice_levels[i] == 0 {
                assert!(codes[usize::from(i == 0)..].iter().all(|&code| code == 0));
                continue;
            }
            let (k, t) = rice_level::split(found.rice_levels[i]);
            for code in &codes[usize::from(i == 0)..] {
                let quotient = code >> k;
                let ones = quotient.saturating_sub(t);
                bits += u64::from((ones + 1).min(cap));
                bits += u64::from(t == 1 && ones == 0);
            }
        }
        bits.div_ceil(8) + remainders
    }

    #[test]
    fn what_is_found_explains_every_byte() {
        let mut state = 1u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let (mut dictionaries, mut wide, mut predictors) = (0, 0, [0; predict::COUNT]);
        for run in 0..3000 {
            let size = [BrickSize::Four, BrickSize::Flat, BrickSize::Four, BrickSize::Eight][run % 4];
            let dims = size.dims();
            let scale = [1, 3, 40, 900, 70_000, 3_000_000_000u32][run % 6];
            let slopes = [random() % 9, random() % 9, random() % 9];
            let mut values: Vec<u32> = (0..size.voxel_count())
                .map(|i| {
                    let (x, y, z) = dims.position(i);
                    let [x, y, z] = [x, y, z].map(|place| place as u32);
                    let noise = if run % 5 == 0 { random() % 3 * (scale / 2) } else { random() % scale };
                    (x * slopes[0] + y * slopes[1] + z * slopes[2])
                        .wrapping_mul(scale / 3 + 1)
                        .wrapping_add(noise)
                })
                .collect();
            // Every other brick is cut off somewhere.
            let mut inside = dims;
            if run / 4 % 2 == 1 {
                let cut = |side: usize, random: u32| 1 + random as usize % side;
                inside = Dims::new(cut(dims.x, random()), cut(dims.y, random()), cut(dims.z, random()));
            }
            let part = BrickBox::at(size, (0, 0, 0), inside).expect("voxels");
            part.repeat_edge(&mut values);
            let min = *values.iter().min().expect("values");
            values.iter_mut().for_each(|value| *value -= min);
            let range = *values.iter().max().expect("values");
            if range == 0 {
                continue;
            }
            let mut bytes = Vec::new();
            encode::without_labels(&values, range, part, &mut bytes);
            let mut codes = vec![0; part.count()];
            let byte_total = bytes.len() as u64;
            bytes.extend([0; PADDING]);
            let found = brick(&bytes, 0, range, part, &values, &mut codes).expect("our own brick");
            assert_eq!(byte_count(&found, &bytes, range, &codes), byte_total, "run {run}: {found:?}");
            dictionaries += u32::from(found.has_dictionary);
            wide += u32::from(found.is_wide);
            predictors[found.predictor] += 1;
        }
        assert!(dictionaries > 15 && wide > 50, "{dictionaries} dictionaries, {wide} wide");
        assert!(predictors.iter().filter(|&&count| count > 0).count() > 8, "{predictors:?}");
    }
}

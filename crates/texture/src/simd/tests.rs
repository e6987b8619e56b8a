//! Tests of every instruction set against plain integers.

use super::{AvailableLevel, Float, Int, Simd, SimdLevel, dispatch};

/// Returns products and shifts of sixteen integers.
#[inline(always)]
fn operate<S: Simd>(s: S, values: &[i32; 16], others: &[i32; 16], results: &mut [[i32; 16]; 3]) {
    for first in (0..16).step_by(S::LANES) {
        let (value, other) = (s.load_i(&values[first..]), s.load_i(&others[first..]));
        let count = other & s.i(31);
        value.mul(other).store(&mut results[0][first..]);
        value.shl_by(count).store(&mut results[1][first..]);
        value.shr_by(count).store(&mut results[2][first..]);
    }
}

fn operate_on(level: AvailableLevel, values: &[i32; 16], others: &[i32; 16], results: &mut [[i32; 16]; 3]) {
    dispatch!(
        level,
        operate(values: &[i32; 16], others: &[i32; 16], results: &mut [[i32; 16]; 3])
    );
}

#[test]
fn products_and_shifts_are_those_of_integers() {
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state ^ (state >> 15)) as i32
    };
    for round in 0..100 {
        let values: [i32; 16] = std::array::from_fn(|_| random());
        // All shift counts, including 0 and 31.
        let others: [i32; 16] = std::array::from_fn(|i| (random() & !31) | ((2 * i as i32 + round) & 31));
        for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
            let mut found = [[0; 16]; 3];
            operate_on(level, &values, &others, &mut found);
            for i in 0..16 {
                let (value, other) = (values[i], others[i]);
                let count = other & 31;
                let expected = [value.wrapping_mul(other), value << count, (value as u32 >> count) as i32];
                assert_eq!(found.map(|of| of[i]), expected, "{level:?} {value} {other}");
            }
        }
    }
}

#[inline(always)]
fn to_whole<S: Simd>(s: S, bits: &[i32; 16], results: &mut [[i32; 16]; 2]) {
    for first in (0..16).step_by(S::LANES) {
        let value = s.load_i(&bits[first..]).float_of_bits();
        value.floor().bits().store(&mut results[0][first..]);
        value.round().bits().store(&mut results[1][first..]);
    }
}

fn to_whole_on(level: AvailableLevel, bits: &[i32; 16], results: &mut [[i32; 16]; 2]) {
    dispatch!(level, to_whole(bits: &[i32; 16], results: &mut [[i32; 16]; 2]));
}

#[test]
fn floors_and_nearest_integers_are_those_of_floats() {
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Numbers of all sizes and both signs, also halves; no NaN, whose bits may differ.
        match f32::from_bits(state ^ (state >> 15)) {
            value if state & 0x300 == 0 => (value.to_bits() as u16) as f32 / 2.0 - 16_384.0,
            value if value.is_nan() => f32::INFINITY,
            value => value,
        }
    };
    let special =
        [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 8_388_607.5, 8_388_608.0, -8_388_607.5, 2e9, -3e9, 1e30];
    let special: [f32; 16] = std::array::from_fn(|i| special.get(i).copied().unwrap_or(f32::NEG_INFINITY));
    for round in 0..1000 {
        let values = if round == 0 { special } else { std::array::from_fn(|_| random()) };
        for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
            let mut found = [[0; 16]; 2];
            to_whole_on(level, &values.map(|value| value.to_bits() as i32), &mut found);
            let expected = [values.map(f32::floor), values.map(f32::round_ties_even)];
            assert_eq!(found.map(|row| row.map(|bits| f32::from_bits(bits as u32))), expected, "{level:?}");
            assert_eq!(found, expected.map(|row| row.map(|value| value.to_bits() as i32)), "{level:?}");
        }
    }
}

#[inline(always)]
fn split<S: Simd>(s: S, words: &[[u8; 4]; 64], columns: &mut [[i32; 16]; 4]) {
    for first in (0..16).step_by(S::LANES) {
        let fours = s.load_fours(&words[4 * first..]);
        for x in 0..4 {
            fours[x].store(&mut columns[x][first..]);
        }
    }
}

fn split_on(level: AvailableLevel, words: &[[u8; 4]; 64], columns: &mut [[i32; 16]; 4]) {
    dispatch!(level, split(words: &[[u8; 4]; 64], columns: &mut [[i32; 16]; 4]));
}

#[test]
fn fours_are_split_into_columns() {
    let words: [[u8; 4]; 64] = std::array::from_fn(|i| [i as u8, 1, 2, 200]);
    for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
        let mut columns = [[0; 16]; 4];
        split_on(level, &words, &mut columns);
        for i in 0..64 {
            assert_eq!(columns[i % 4][i / 4].to_le_bytes(), words[i], "{level:?}");
        }
    }
}

#[inline(always)]
fn look_up<S: Simd>(s: S, table: &[f32], places: &[i32; 16], found: &mut [i32; 16]) {
    for first in (0..16).step_by(S::LANES) {
        s.gather(table, s.load_i(&places[first..])).bits().store(&mut found[first..]);
    }
}

fn look_up_on(level: AvailableLevel, table: &[f32], places: &[i32; 16], found: &mut [i32; 16]) {
    dispatch!(level, look_up(table: &[f32], places: &[i32; 16], found: &mut [i32; 16]));
}

/// Tests the only operation that reads memory by a pointer. With a pointer, it clamps a wrong index;
/// otherwise it panics, as slices do.
#[test]
fn gathers_stay_inside_their_table() {
    let wrong = [0, 1, 2, 3, 4, 5, -1, i32::MIN, i32::MAX, 6, 7, 8, 1 << 30, -(1 << 30), 9, 5];
    for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
        let by_pointer = matches!(level.get().name(), "avx2" | "avx512");
        for length in 1..=9 {
            // The table has exactly this length, so Miri (`just miri`) detects reads beyond it.
            let table: Box<[f32]> = (0..length).map(|value| value as f32 * 3.0).collect();
            let nearest = wrong.map(|place| place.clamp(0, length - 1));
            let mut found = [0; 16];
            look_up_on(level, &table, if by_pointer { &wrong } else { &nearest }, &mut found);
            let expected = nearest.map(|place| (place as f32 * 3.0).to_bits() as i32);
            assert_eq!(found, expected, "{level:?} of {length}");
        }
    }
}

//! Bricks of all kinds there and back, on every instruction set.

use super::*;
#[cfg(target_arch = "x86_64")]
use crate::simd::Avx512;
use crate::{
    Dims,
    simd::{self, SimdKernel},
};
use byte_bricks::{EightByteBrick, FourByteBricks};
use proptest::prelude::*;

/// Returns values in 0..=`range` that include both ends, of one of several kinds.
fn values(part: BrickBox, range: u32, seed: u32, kind: u32) -> Vec<u32> {
    let mut state = seed | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let span = u64::from(range) + 1;
    let scaled = |fraction: u32| ((u64::from(fraction) * span) >> 32) as u32;
    let dims = part.size.dims();
    let mut values: Vec<u32> = (0..part.size.voxel_count())
        .map(|i| match kind % 6 {
            0 => scaled(random()),
            1 => scaled((i as u32) << 23),
            2 => scaled(((i % dims.x) as u32) << 28 | random() >> 8),
            3 => scaled(random() & 0xc000_0000),
            4 => scaled(if random() & 31 == 0 { random() } else { 0 }),
            _ => scaled(u32::MAX - (random() >> (random() % 32))),
        })
        .collect();
    let (inside, count) = (part.inside(), part.count());
    let place = |i: usize| {
        let (x, y, z) = inside.position(i % count);
        dims.index(x, y, z)
    };
    let least = seed as usize % count;
    values[place(least)] = 0;
    values[place(least + 1 + seed as usize / 64 % (count - 1).max(1))] = range;
    part.repeat_edge(&mut values);
    values
}

/// Returns up to `count` labels that are multiples of `step`, or not quite, in shapes of one of several
/// kinds, minus the smallest; and their range.
fn label_values(part: BrickBox, seed: u32, count: u32, step: u32, kind: u32) -> (Vec<u32>, u32) {
    let mut state = seed | 1;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let dims = part.size.dims();
    let seeds: Vec<[u32; 3]> = (0..count).map(|_| [random() % 16, random() % 16, random() % 16]).collect();
    let mut values: Vec<u32> = (0..part.size.voxel_count())
        .map(|i| {
            let (x, y, z) = dims.position(i);
            let place = [x, y, z].map(|side| side as u32);
            let distance =
                |seed: &[u32; 3]| -> u32 { (0..3).map(|axis| place[axis].abs_diff(seed[axis])).sum() };
            let nearest = || (0..count).min_by_key(|&i| distance(&seeds[i as usize])).unwrap_or(0);
            let label = match kind {
                0 => nearest(),
                1 if random() % 40 == 0 => random() % count,
                1 => nearest(),
                2 => (place[0] + 3 * place[1] + 5 * place[2]) / (1 + seed % 20) % count,
                3 => random() % count,
                _ => u32::from(random() % 100 == 0) * (random() % count),
            };
            label * step + u32::from(label == 3)
        })
        .collect();
    part.repeat_edge(&mut values);
    let least = values.iter().fold(u32::MAX, |least, &value| least.min(value));
    values.iter_mut().for_each(|value| *value -= least);
    let range = values.iter().fold(0, |most, &value| most.max(value));
    (values, range)
}

/// True if the values inside are the same.
fn is_equal(part: BrickBox, values: &[u32], others: &[u32]) -> bool {
    part.places(false)[..part.count()].iter().all(|&i| values[usize::from(i)] == others[usize::from(i)])
}

fn round_trip(values: &[u32], range: u32, part: BrickBox) {
    let mut bytes = vec![0xff; 3];
    encode::brick(values, range, part, &mut bytes);
    // The same on every instruction set.
    let mut portable = vec![0xff; 3];
    encode::brick_portable(values, range, part, &mut portable);
    assert_eq!(portable, bytes);
    decode_back(values, range, part, bytes);
    if part.size == BrickSize::Four {
        fast_round_trip(values, range, part);
    }
}

/// Works like [`round_trip`] for the fast encoder, and checks the number of bytes against the format's rules.
fn fast_round_trip(values: &[u32], range: u32, part: BrickBox) {
    let mut bytes = vec![0xff; 3];
    fast::four(values, range, part, &mut bytes);
    let inside: Vec<u32> =
        part.places(false)[..part.count()].iter().map(|&i| values[usize::from(i)]).collect();
    let (width, count) = ((range.ilog2() + 1) as usize, inside.len());
    // A value's width counts its lower bits, which are the remainder, and its upper bit.
    let plane_1 = inside[1..].iter().filter(|value| **value >> (width - 1) == 1).count();
    let is_wide = range >= 1 << 24 && width < 32;
    let planes = 64_usize.min(count) + if is_wide { plane_1 } else { 0 };
    let remainders = ((width - 1) * count).div_ceil(8);
    let most = (13 + planes).div_ceil(8) + remainders;
    assert!(bytes.len() - 3 <= most, "{} bytes of {most}", bytes.len() - 3);
    let distinct = inside.iter().collect::<std::collections::BTreeSet<_>>().len();
    if distinct > 17 {
        assert!(bytes.len() - 3 >= (6 + planes).div_ceil(8) + remainders);
    }
    decode_back(values, range, part, bytes);
}

/// Works like [`round_trip`] for a brick of 8³. Returns whether it is a label brick.
fn label_round_trip(values: &[u32], range: u32, part: BrickBox) -> bool {
    let (mut bytes, mut brick) = (vec![0xff; 3], vec![0xff; 3]);
    encode::brick(values, range, part, &mut bytes);
    encode::without_labels(values, range, part, &mut brick);
    let mut portable = vec![0xff; 3];
    encode::brick_portable(values, range, part, &mut portable);
    assert_eq!(portable, bytes);
    let is_label_brick = bytes != brick;
    assert_eq!(is_label_brick, bytes.len() < brick.len());
    if is_label_brick && bytes[3] & 15 == 2 {
        // No encoder chooses predictor 15. It has the weights of predictor 2, and the same order.
        let mut last = bytes.clone();
        last[3] |= 15;
        decode_back(values, range, part, last);
    }
    decode_back(values, range, part, bytes);
    is_label_brick
}

/// Decodes the brick after three bytes.
fn decode_back(values: &[u32], range: u32, part: BrickBox, mut bytes: Vec<u8>) {
    let end = bytes.len();
    bytes.extend([0; PADDING]);
    let mut back = vec![7; values.len()];
    assert_eq!(decode::brick(&bytes, 3, range, part, &mut back), Some(end));
    assert!(is_equal(part, &back, values), "{part:?}");
    back.fill(7);
    assert_eq!(decode::brick_portable(&bytes, 3, range, part, &mut back), Some(end));
    assert!(is_equal(part, &back, values), "{part:?}");
    byte_brick(&bytes, end, range, part, values);
    if part.size == BrickSize::Four && part.is_whole() {
        // And four at a time.
        if range <= MAX_NARROW {
            let mut four = [[7; 64]; 4];
            let (starts, ends, ranges) = ([3; 4], [end; 4], [range; 4]);
            let mut job = narrow::FourBricks { bytes: [&bytes; 4], starts, ends, ranges, values: &mut four };
            assert_eq!(job.decode_by_pairs(), Some(()));
            job.ends[3] += 1;
            assert_eq!(job.decode_by_pairs(), None);
            assert!(four.iter().all(|back| back.map(u32::from) == *values));
        }
        #[cfg(target_arch = "x86_64")]
        if let (Some(token), 0..=MAX_NARROW) = (Avx512::detect(), range) {
            let mut four = [[7; 64]; 4];
            bytes.resize(end + avx512::REACH, 0);
            assert_eq!(token.bricks([&bytes; 4], [3; 4], [range; 4], &mut four), Some([end; 4]));
            assert!(four.iter().all(|back| back.map(u32::from) == *values));
        }
    }
}

/// Decodes a brick as bytes, if it can be, on this CPU, with AVX2 and in portable code.
fn byte_brick(bytes: &[u8], end: usize, range: u32, part: BrickBox, values: &[u32]) {
    if !part.is_whole() || range > byte_bricks::MAX_BYTE {
        return;
    }
    let (starts, ranges) = ([3; 4], [range; 4]);
    let expected = |is_end: bool| if simd::has_byte_lanes() { is_end.then_some(true) } else { Some(false) };
    let is_same = |back: &[u8]| back.iter().zip(values).all(|(&back, &value)| u32::from(back) == value);
    match part.size {
        BrickSize::Four => {
            for is_end in [true, false] {
                let mut four = [[7; 64]; 4];
                let ends = [end, end, end, end + usize::from(!is_end)];
                let mut job = FourByteBricks { bytes, starts, ends, ranges, values: &mut four };
                assert_eq!(job.decode(), expected(is_end));
                for is_portable in [false, true] {
                    job.values.as_flattened_mut().fill(7);
                    let result =
                        if is_portable { (&mut job).run(simd::Portable) } else { simd::dispatch(&mut job) };
                    assert_eq!(result, is_end.then_some(true));
                    assert!(job.values.iter().all(|back| is_same(back)));
                }
            }
        }
        BrickSize::Eight => {
            for is_end in [true, false] {
                let (mut back, end) = ([7; 512], end + usize::from(!is_end));
                let mut job = EightByteBrick { bytes, start: 3, end, range, values: &mut back };
                assert_eq!(job.decode(), expected(is_end));
                for is_portable in [false, true] {
                    job.values.fill(7);
                    let result =
                        if is_portable { (&mut job).run(simd::Portable) } else { simd::dispatch(&mut job) };
                    assert_eq!(result, is_end.then_some(true));
                    assert!(is_same(job.values));
                }
            }
        }
        BrickSize::Flat => {}
    }
}

/// Returns a box in a brick of each size, with more than one voxel. Half of them are whole bricks.
fn boxes() -> impl Strategy<Value = BrickBox> {
    let size = prop_oneof![Just(BrickSize::Four), Just(BrickSize::Eight), Just(BrickSize::Flat)];
    (size, any::<bool>(), 1usize..=16, 1usize..=16, 1usize..=16).prop_map(|(size, whole, x, y, z)| {
        let dims = size.dims();
        let inside = if whole { dims } else { Dims::new(x.min(dims.x), y.min(dims.y), z.min(dims.z)) };
        let inside = if inside == Dims::cube(1) { dims } else { inside };
        BrickBox::at(size, (0, 0, 0), inside).expect("voxels")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn bricks_come_back(seed: u32, range_bits in 1u32..=32, kind in 0u32..6, part in boxes()) {
        let range = (u32::MAX >> (32 - range_bits)) - (seed >> 7) % (1 << (range_bits - 1));
        round_trip(&values(part, range, seed, kind), range, part);
    }

    #[test]
    fn label_bricks_come_back(
        seed: u32,
        count in 2u32..=18,
        step in 1u32..=100_000,
        kind in 0u32..5,
        part in boxes(),
    ) {
        let (values, range) = label_values(part, seed, count, step, kind);
        if range > 0 {
            label_round_trip(&values, range, part);
            if part.size == BrickSize::Four {
                fast_round_trip(&values, range, part);
            }
        }
    }

    #[test]
    fn any_bytes_give_some_values(seed: u32, range in 1u32.., part in boxes()) {
        let mut state = u64::from(seed) * 2 + 1;
        let mut bytes: Vec<u8> = (0..700).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        }).collect();
        let mut values = vec![0; part.size.voxel_count()];
        // Some end too soon; none panics.
        let _ = decode::brick(&bytes, 0, range, part, &mut values);
        #[cfg(target_arch = "x86_64")]
        if let (Some(token), range @ 1..=MAX_NARROW) = (Avx512::detect(), range >> (seed % 32)) {
            let many = bytes.repeat(3);
            let starts = [0, 1, 300, many.len() - avx512::REACH];
            assert!(token.bricks([&many; 4], starts, [range, 1, range, range], &mut [[0; 64]; 4]).is_some());
            let late = starts.map(|start| start + 1);
            assert!(token.bricks([&many; 4], late, [1; 4], &mut [[0; 64]; 4]).is_none());
        }
        let (byte, half) = (range % byte_bricks::MAX_BYTE + 1, bytes.len() / 2);
        let many = bytes.repeat(3);
        for start in [0, half, many.len() - 40, many.len()] {
            let (starts, ranges) = ([start, 0, 1, start], [byte, 1, byte, 255]);
            let mut values = [[0; 64]; 4];
            let mut job = FourByteBricks { bytes: &many, starts, ends: [0; 4], ranges, values: &mut values };
            let results = [job.decode(), (&mut job).run(simd::Portable)];
            prop_assert!(results.iter().all(|result| *result != Some(true)));
            let mut values = [0; 512];
            let mut job = EightByteBrick { bytes: &many, start, end: 0, range: byte, values: &mut values };
            let results = [job.decode(), (&mut job).run(simd::Portable)];
            prop_assert!(results.iter().all(|result| *result != Some(true)));
        }
        bytes.truncate(40);
        let _ = decode::brick(&bytes, 0, range >> 20 | 1, part, &mut values);
    }
}

/// The lowest Rice level depends on the codes of a group, not of the brick.
#[test]
fn groups_of_zeros_take_no_bits_beside_large_codes() {
    let part = BrickBox::whole(BrickSize::Eight);
    let mut values = vec![0; 512];
    // Three groups of 2×2×2, with more values than a dictionary holds.
    for i in 0..24 {
        let place = part.size.dims().index(i / 8 * 2 + i % 2, 4 + i / 2 % 2, 2 + i / 4 % 2);
        values[place] = 255 - 10 * i as u32;
    }
    let mut bytes = Vec::new();
    encode::brick(&values, 255, part, &mut bytes);
    assert!(bytes.len() < 128, "{}", bytes.len());
    round_trip(&values, 255, part);
}

/// Flat boundaries of two labels, in several directions, are predicted.
#[test]
fn every_predictor_counts_for_two_values() {
    let part = BrickBox::whole(BrickSize::Eight);
    let mut bytes = Vec::new();
    for [a, b, c] in [[1, 2, 3], [3, 1, 2], [2, 3, 1], [3, 2, 1], [1, 1, 2], [2, 1, 1]] {
        for start in (1..4).map(|fifths| fifths * (a + b + c) * 8 / 5) {
            let place = |i| part.size.dims().position(i);
            let is_behind = |(x, y, z)| a * x + b * y + c * z >= start;
            let values: Vec<u32> = (0..512).map(|i| is_behind(place(i)).into()).collect();
            encode::without_labels(&values, 1, part, &mut bytes);
            round_trip(&values, 1, part);
        }
    }
    assert!(bytes.len() < 460, "{}", bytes.len());
}

/// Labels with straight and curved boundaries become label bricks, with any number of labels up to 17.
#[test]
fn label_bricks_are_chosen() {
    for part in [
        BrickBox::whole(BrickSize::Eight),
        BrickBox::at(BrickSize::Eight, (0, 0, 0), Dims::new(5, 8, 7)).expect("voxels"),
    ] {
        let mut of_largest = [0; 18];
        for seed in 0..400 {
            let (values, range) =
                label_values(part, 977 * seed, 2 + seed % 16, 1 + seed % 3 * 500, seed / 16 % 2);
            let distinct: std::collections::BTreeSet<u32> = values.iter().copied().collect();
            if range > 0 && label_round_trip(&values, range, part) {
                of_largest[distinct.len() - 1] += 1;
            }
        }
        assert!(of_largest[1..=10].iter().all(|&bricks| bricks > 2), "{of_largest:?}");
        assert_eq!(of_largest[17], 0);
    }
}

/// Any bytes after the marks of a label brick give some labels, the same on every instruction set.
#[test]
fn damaged_label_bricks_give_some_labels() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    for i in 0..800 {
        let (range, whole) = (1 + i % 16, i % 3 > 0);
        let inside = if whole { Dims::cube(8) } else { Dims::new(8, 1 + i as usize % 8, 3) };
        let part = BrickBox::at(BrickSize::Eight, (0, 0, 0), inside).expect("voxels");
        let mut bytes = Vec::new();
        let mut writer = crate::bits::BitWriter::append(&mut bytes);
        writer.put(random() & 15, 4);
        if range > 1 {
            writer.put(0u32, 1);
        }
        let base_bits = limits::base_bits(range);
        for bits in [base_bits, limits::delta_width(base_bits)] {
            writer.put((1u32 << bits) - 1, bits);
        }
        // Few ones, many, and all.
        let kind = usize::from(random() & 3);
        for _ in 0..1100 {
            let byte = [random() & random() & random(), random(), random() | random(), 0xff][kind];
            writer.put(byte, 8);
        }
        writer.align();
        let header = header::BrickHeader::<8>::read(&bytes, 0, range, part.count()).expect("a header");
        assert!(header.is_label_brick);
        let (mut values, mut portable) = (vec![0; 512], vec![0; 512]);
        let end = decode::brick(&bytes, 0, range, part, &mut values);
        assert_eq!(decode::brick_portable(&bytes, 0, range, part, &mut portable), end);
        // All fields at their longest take 8408 bits.
        assert!(end.is_some_and(|end| end <= 1051), "{i}: {end:?}");
        assert!(is_equal(part, &values, &portable), "{i}");
        for length in [1, 9, 20, 60] {
            let _ = decode::brick(&bytes[..length], 0, range, part, &mut values);
        }
    }
}

/// The marks of a label brick are in no other brick.
#[test]
fn other_bricks_are_no_label_bricks() {
    let part = BrickBox::whole(BrickSize::Eight);
    for seed in 0..2000 {
        let (values, range) = label_values(part, 31 * seed, 2 + seed % 17, 1 + seed % 5 * 77, seed % 5);
        let mut bytes = Vec::new();
        if range > 0 {
            encode::without_labels(&values, range, part, &mut bytes);
            bytes.extend([0; PADDING]);
            let header = header::BrickHeader::<8>::read(&bytes, 0, range, 512).expect("our own brick");
            assert!(!header.is_label_brick, "{seed}");
        }
    }
}

//! Bricks of all kinds there and back, on every instruction set.

use super::*;
use proptest::prelude::*;

/// Values of 0..=`range` with both ends taken, of one of several kinds.
fn values(side: usize, range: u32, seed: u32, kind: u32) -> Vec<u32> {
    let mut state = seed | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let span = u64::from(range) + 1;
    let scaled = |fraction: u32| ((u64::from(fraction) * span) >> 32) as u32;
    let mut values: Vec<u32> = (0..side.pow(3))
        .map(|i| match kind % 6 {
            0 => scaled(random()),
            1 => scaled((i as u32) << 23),
            2 => scaled(((i % side) as u32) << 28 | random() >> 8),
            3 => scaled(random() & 0xc000_0000),
            4 => scaled(if random() & 31 == 0 { random() } else { 0 }),
            _ => scaled(u32::MAX - (random() >> (random() % 32))),
        })
        .collect();
    let count = values.len();
    values[seed as usize % count] = 0;
    values[(seed as usize / 64 + 1 + seed as usize % count) % count] = range;
    if !values.contains(&0) {
        values[0] = 0;
    }
    values
}

fn round_trip(values: &[u32], range: u32, side: usize) {
    let mut bytes = vec![0xff; 3];
    encode::brick(values, range, side, &mut bytes);
    let end = bytes.len();
    bytes.extend([0; PADDING]);
    let mut back = vec![7; values.len()];
    assert_eq!(decode::brick(&bytes, 3, range, side, &mut back), Some(end));
    assert_eq!(back, values);
    // The same on every instruction set.
    let mut portable = vec![0xff; 3];
    encode::brick_portable(values, range, side, &mut portable);
    assert_eq!(portable, bytes[..end]);
    back.fill(7);
    assert_eq!(decode::brick_portable(&bytes, 3, range, side, &mut back), Some(end));
    assert_eq!(back, values);
    if side == 4 {
        // And two at a time.
        let mut two = [[7; 64]; 2];
        let ends = decode::two_bricks(&bytes, [3, 3], [range, range], &mut two);
        assert_eq!(ends, Some([end, end]));
        assert!(two.iter().all(|back| back == values));
        if range <= MAX_NARROW {
            let mut four = [[7; 64]; 4];
            assert_eq!(decode::four_by_pairs(&bytes, [3; 4], [range; 4], &mut four), Some([end; 4]));
            assert!(four.iter().all(|back| back.map(u32::from) == *values));
        }
        #[cfg(target_arch = "x86_64")]
        if let (Some(token), 0..=MAX_NARROW) = (avx512::Avx512::detect(), range) {
            let mut four = [[7; 64]; 4];
            bytes.resize(end + avx512::REACH, 0);
            assert_eq!(token.bricks(&bytes, [3; 4], [range; 4], &mut four), Some([end; 4]));
            assert!(four.iter().all(|back| back.map(u32::from) == *values));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn bricks_come_back(seed: u32, range_bits in 1u32..=32, kind in 0u32..6, large: bool) {
        let range = (u32::MAX >> (32 - range_bits)) - (seed >> 7) % (1 << (range_bits - 1));
        let side = if large { 8 } else { 4 };
        round_trip(&values(side, range, seed, kind), range, side);
    }

    #[test]
    fn any_bytes_give_some_values(seed: u32, range in 1u32.., large: bool) {
        let mut state = u64::from(seed) * 2 + 1;
        let mut bytes: Vec<u8> = (0..700).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        }).collect();
        let side = if large { 8 } else { 4 };
        let mut values = vec![0; side * side * side];
        // Some end too soon; none panics.
        let _ = decode::brick(&bytes, 0, range, side, &mut values);
        #[cfg(target_arch = "x86_64")]
        if let (Some(token), range @ 1..=MAX_NARROW) = (avx512::Avx512::detect(), range >> (seed % 32)) {
            let many = bytes.repeat(3);
            let starts = [0, 1, 300, many.len() - avx512::REACH];
            assert!(token.bricks(&many, starts, [range, 1, range, range], &mut [[0; 64]; 4]).is_some());
            assert!(token.bricks(&many, starts.map(|start| start + 1), [1; 4], &mut [[0; 64]; 4]).is_none());
        }
        bytes.truncate(40);
        let _ = decode::brick(&bytes, 0, range >> 20 | 1, side, &mut values);
    }
}

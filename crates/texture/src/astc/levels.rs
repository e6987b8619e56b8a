//! Values of codes: of colours, 0 to 255, and of weights, 0 to 64.

use super::sequence::{LEAST_COLOR_RANGE, RANGES, Range, WEIGHT_RANGES};

/// Colour of each code, by range from [`LEAST_COLOR_RANGE`] on.
static COLORS: [[u8; 256]; RANGES.len() - LEAST_COLOR_RANGE] = {
    let mut colors = [[0; 256]; RANGES.len() - LEAST_COLOR_RANGE];
    let mut number = 0;
    while number < colors.len() {
        let range = RANGES[number + LEAST_COLOR_RANGE];
        let mut code = 0;
        while code < range.levels() {
            colors[number][code] = color(range, code as u32) as u8;
            code += 1;
        }
        number += 1;
    }
    colors
};

/// Weight of each code, by range.
static WEIGHTS: [[u8; 32]; WEIGHT_RANGES] = {
    let mut weights = [[0; 32]; WEIGHT_RANGES];
    let mut number = 0;
    while number < WEIGHT_RANGES {
        let mut code = 0;
        while code < RANGES[number].levels() {
            weights[number][code] = weight(RANGES[number], code as u32) as u8;
            code += 1;
        }
        number += 1;
    }
    weights
};

/// Returns the colours of a range's codes. The range has at least 6 levels.
#[inline]
pub(crate) fn colors(range: usize) -> &'static [u8; 256] {
    &COLORS[range - LEAST_COLOR_RANGE]
}

/// Returns the weights of a range's codes. The range has at most 32 levels.
#[inline]
pub(crate) const fn weights(range: usize) -> &'static [u8; 32] {
    &WEIGHTS[range]
}

/// Returns the lowest `from` bits of `value`, repeated from the highest bit of `to` bits down.
const fn replicated(value: u32, from: u32, to: u32) -> u32 {
    let (mut all, mut bits) = (value, from);
    while bits < to {
        all = all << from | value;
        bits += from;
    }
    all >> (bits - to)
}

const fn color(range: Range, code: u32) -> u32 {
    let bits = range.bits as u32;
    if range.base == 1 {
        return replicated(code, bits, 8);
    }
    let (low, high) = (code & ((1 << bits) - 1), code >> bits);
    // Bits of the code above the lowest.
    let x = low >> 1;
    let (b, c) = match (range.base, bits) {
        (3, 1) => (0, 204),
        (5, 1) => (0, 113),
        (3, 2) => (x << 8 | x << 4 | x << 2 | x << 1, 93),
        (5, 2) => (x << 8 | x << 3 | x << 2, 54),
        (3, 3) => (x << 7 | x << 2 | x, 44),
        (5, 3) => (x << 7 | x << 1 | x >> 1, 26),
        (3, 4) => (x << 6 | x, 22),
        (5, 4) => (x << 6 | x >> 1, 13),
        (3, 5) => (x << 5 | x >> 2, 11),
        (5, 5) => (x << 5 | x >> 3, 6),
        _ => (x << 4 | x >> 4, 5),
    };
    let a = if low & 1 == 1 { 0x1ff } else { 0 };
    let value = (high * c + b) ^ a;
    a & 0x80 | value >> 2
}

const fn weight(range: Range, code: u32) -> u32 {
    let bits = range.bits as u32;
    let (low, high) = (code & ((1 << bits) - 1), code >> bits);
    let x = low >> 1;
    let value = match (range.base, bits) {
        (1, _) => replicated(code, bits, 6),
        (3, 0) => [0, 32, 63][code as usize],
        (5, 0) => [0, 16, 32, 47, 63][code as usize],
        _ => {
            let (b, c) = match (range.base, bits) {
                (3, 1) => (0, 50),
                (5, 1) => (0, 28),
                (3, 2) => (x << 6 | x << 2 | x, 23),
                (5, 2) => (x << 6 | x << 1, 13),
                _ => (x << 5 | x, 11),
            };
            let a = if low & 1 == 1 { 0x7f } else { 0 };
            let value = (high * c + b) ^ a;
            a & 0x20 | value >> 2
        }
    };
    if value > 32 { value + 1 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the levels of every range are distinct, contain both ends and are symmetric.
    #[test]
    fn levels_are_symmetric() {
        for (number, range) in RANGES.iter().enumerate() {
            let check = |table: &[u8], end: u8| {
                let mut levels = table[..range.levels()].to_vec();
                levels.sort_unstable();
                assert!(levels.is_sorted_by(|a, b| a < b), "{range:?}");
                assert_eq!([levels[0], levels[levels.len() - 1]], [0, end], "{range:?}");
                for (low, high) in levels.iter().zip(levels.iter().rev()) {
                    assert_eq!(low + high, end, "{range:?}");
                }
            };
            if number < WEIGHT_RANGES {
                check(weights(number), 64);
            }
            if number >= LEAST_COLOR_RANGE {
                check(colors(number), 255);
            }
        }
    }
}

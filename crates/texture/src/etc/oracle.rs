//! Slow decoders, written from the Khronos Data Format Specification 1.4 without the fast ones' tables: a
//! block is a list of 64 bits, numbered as in the specification.

/// Bits of a block. Bit 63 is the highest bit of the first byte.
struct Bits(Vec<bool>);

impl Bits {
    fn of(block: &[u8]) -> Self {
        let from_highest = block.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte & (1 << bit) != 0));
        let mut bits: Vec<_> = from_highest.collect();
        bits.reverse();
        Self(bits)
    }

    /// Returns the number whose bits are these, the highest first.
    fn number(&self, places: &[usize]) -> i32 {
        places.iter().fold(0, |number, &place| 2 * number + i32::from(self.0[place]))
    }

    /// Returns the number in the bits from `high` down to `low`.
    fn range(&self, high: usize, low: usize) -> i32 {
        self.number(&(low..=high).rev().collect::<Vec<_>>())
    }
}

/// Returns a number of `bits` bits as 8 bits: its bits, repeated.
fn replicated(number: i32, bits: usize) -> i32 {
    let digits: Vec<_> = (0..bits).rev().map(|bit| number >> bit & 1).collect();
    (0..8).fold(0, |byte, place| 2 * byte + digits[place % bits])
}

/// Mode of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Individual,
    Differential,
    T,
    H,
    Planar,
}

/// Returns the mode of a block, with or without 1-bit alpha.
pub(crate) fn mode(block: &[u8; 8], has_alpha: bool) -> Mode {
    let bits = Bits::of(block);
    if !has_alpha && !bits.0[33] {
        return Mode::Individual;
    }
    let overflows = |high: usize| {
        let difference = bits.range(high - 5, high - 7);
        let sum = bits.range(high, high - 4) + if difference < 4 { difference } else { difference - 8 };
        !(0..=31).contains(&sum)
    };
    if overflows(63) {
        Mode::T
    } else if overflows(55) {
        Mode::H
    } else if overflows(47) {
        Mode::Planar
    } else {
        Mode::Differential
    }
}

/// Returns the texels of a colour block, row by row.
pub(crate) fn colors(block: &[u8; 8], has_alpha: bool) -> [[u8; 4]; 16] {
    let bits = Bits::of(block);
    let mode = mode(block, has_alpha);
    let is_punched = has_alpha && !bits.0[33];
    let four = |places: [usize; 4]| replicated(bits.number(&places), 4);
    let mut texels = [[0; 4]; 16];
    for (t, target) in texels.iter_mut().enumerate() {
        let (x, y) = (t % 4, t / 4);
        let place = 4 * x + y;
        let index = bits.number(&[16 + place, place]);
        if is_punched && mode != Mode::Planar && index == 2 {
            continue;
        }
        let color = match mode {
            Mode::Individual | Mode::Differential => {
                let is_second = if bits.0[32] { y >= 2 } else { x >= 2 };
                let table = if is_second { bits.range(36, 34) } else { bits.range(39, 37) };
                let (small, large) = match table {
                    0 => (2, 8),
                    1 => (5, 17),
                    2 => (9, 29),
                    3 => (13, 42),
                    4 => (18, 60),
                    5 => (24, 80),
                    6 => (33, 106),
                    _ => (47, 183),
                };
                let modifier = match index {
                    0 if is_punched => 0,
                    0 => small,
                    1 => large,
                    2 => -small,
                    _ => -large,
                };
                [63, 55, 47].map(|high| {
                    let base = if mode == Mode::Individual {
                        replicated(
                            if is_second {
                                bits.range(high - 4, high - 7)
                            } else {
                                bits.range(high, high - 3)
                            },
                            4,
                        )
                    } else {
                        let difference = bits.range(high - 5, high - 7);
                        let difference = if difference < 4 { difference } else { difference - 8 };
                        let first = bits.range(high, high - 4);
                        replicated(if is_second { first + difference } else { first }, 5)
                    };
                    base + modifier
                })
            }
            Mode::T | Mode::H => {
                let distances = [3, 6, 11, 16, 23, 32, 41, 64];
                if mode == Mode::T {
                    let first = [four([60, 59, 57, 56]), four([55, 54, 53, 52]), four([51, 50, 49, 48])];
                    let second = [four([47, 46, 45, 44]), four([43, 42, 41, 40]), four([39, 38, 37, 36])];
                    let distance = distances[bits.number(&[35, 34, 32]) as usize];
                    match index {
                        0 => first,
                        1 => second.map(|v| v + distance),
                        2 => second,
                        _ => second.map(|v| v - distance),
                    }
                } else {
                    let first = [four([62, 61, 60, 59]), four([58, 57, 56, 52]), four([51, 49, 48, 47])];
                    let second = [four([46, 45, 44, 43]), four([42, 41, 40, 39]), four([38, 37, 36, 35])];
                    let whole = |[r, g, b]: [i32; 3]| r << 16 | g << 8 | b;
                    let order = i32::from(whole(first) >= whole(second));
                    let distance = distances[(bits.number(&[34, 32]) << 1 | order) as usize];
                    let base = if index < 2 { first } else { second };
                    base.map(|v| if index % 2 == 0 { v + distance } else { v - distance })
                }
            }
            Mode::Planar => {
                let six = |places: [usize; 6]| replicated(bits.number(&places), 6);
                let seven = |places: [usize; 7]| replicated(bits.number(&places), 7);
                let origin = [
                    six([62, 61, 60, 59, 58, 57]),
                    seven([56, 54, 53, 52, 51, 50, 49]),
                    six([48, 44, 43, 41, 40, 39]),
                ];
                let right = [
                    six([38, 37, 36, 35, 34, 32]),
                    seven([31, 30, 29, 28, 27, 26, 25]),
                    six([24, 23, 22, 21, 20, 19]),
                ];
                let below =
                    [six([18, 17, 16, 15, 14, 13]), seven([12, 11, 10, 9, 8, 7, 6]), six([5, 4, 3, 2, 1, 0])];
                let (x, y) = (x as i32, y as i32);
                std::array::from_fn(|c| {
                    let sum = x * (right[c] - origin[c]) + y * (below[c] - origin[c]) + 4 * origin[c];
                    (sum + 2).div_euclid(4)
                })
            }
        };
        let [r, g, b] = color.map(|v| v.clamp(0, 255) as u8);
        *target = [r, g, b, 255];
    }
    texels
}

/// Form of the values of a block of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Alpha8,
    Unsigned11,
    Signed11,
}

/// Returns the values of a block of one channel, row by row: bytes, 2047ths or 1023rds.
pub(crate) fn values(block: &[u8; 8], form: Form) -> [i32; 16] {
    let table = [
        [-3, -6, -9, -15, 2, 5, 8, 14],
        [-3, -7, -10, -13, 2, 6, 9, 12],
        [-2, -5, -8, -13, 1, 4, 7, 12],
        [-2, -4, -6, -13, 1, 3, 5, 12],
        [-3, -6, -8, -12, 2, 5, 7, 11],
        [-3, -7, -9, -11, 2, 6, 8, 10],
        [-4, -7, -8, -11, 3, 6, 7, 10],
        [-3, -5, -8, -11, 2, 4, 7, 10],
        [-2, -6, -8, -10, 1, 5, 7, 9],
        [-2, -5, -8, -10, 1, 4, 7, 9],
        [-2, -4, -8, -10, 1, 3, 7, 9],
        [-2, -5, -7, -10, 1, 4, 6, 9],
        [-3, -4, -7, -10, 2, 3, 6, 9],
        [-1, -2, -3, -10, 0, 1, 2, 9],
        [-4, -6, -8, -9, 3, 5, 7, 8],
        [-3, -5, -7, -9, 2, 4, 6, 8],
    ];
    let bits = Bits::of(block);
    let base = bits.range(63, 56);
    let multiplier = bits.range(55, 52);
    let modifiers = table[bits.range(51, 48) as usize];
    std::array::from_fn(|t| {
        let place = 4 * (t % 4) + t / 4;
        let high = 47 - 3 * place;
        let modifier: i32 = modifiers[bits.range(high, high - 2) as usize];
        let product = if multiplier == 0 { modifier } else { 8 * multiplier * modifier };
        match form {
            Form::Alpha8 => (base + multiplier * modifier).clamp(0, 255),
            Form::Unsigned11 => (8 * base + 4 + product).clamp(0, 2047),
            Form::Signed11 => {
                let base = if base >= 128 { base - 256 } else { base };
                let base = if base == -128 { -127 } else { base };
                (8 * base + product).clamp(-1023, 1023)
            }
        }
    })
}

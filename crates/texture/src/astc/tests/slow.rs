//! Slow decoder, written from the specification to be compared with the fast one: bit by bit, from the
//! tables as they are printed.

use crate::astc::decode::{BlockKind, ERROR_COLOR};

/// Bits of a block or of a part of it, lowest first. Bits past the end are 0.
#[derive(Clone)]
struct Bits(Vec<bool>);

impl Bits {
    /// Returns bits `high` to `low` as a number.
    fn field(&self, high: usize, low: usize) -> usize {
        (low..=high).rev().fold(0, |number, bit| 2 * number + usize::from(self.bit(bit)))
    }

    fn bit(&self, bit: usize) -> bool {
        self.0.get(bit).copied().unwrap_or(false)
    }
}

/// Rows of the table of block modes: the 11 bits from the highest, width and height of the grid. A letter in
/// the bits is a bit of the field with this name; R is ρ² and ρ¹ from the highest, r is ρ⁰.
const BLOCK_MODES: [(&str, &str, &str); 10] = [
    ("DPWWHHr00RR", "W+4", "H+2"),
    ("DPWWHHr01RR", "W+8", "H+2"),
    ("DPHHWWr10RR", "W+2", "H+8"),
    ("DP0HWWr11RR", "W+2", "H+6"),
    ("DP1WHHr11RR", "W+2", "H+2"),
    ("DP00HHrRR00", "12", "H+2"),
    ("DP01WWrRR00", "W+2", "12"),
    ("DP1100rRR00", "6", "10"),
    ("DP1101rRR00", "10", "6"),
    ("HH10WWrRR00", "W+6", "H+6"),
];

/// Trits, quints and bits of the weights by ρ and P.
const WEIGHT_RANGES: [[(usize, usize, usize); 6]; 2] = [
    [(0, 0, 1), (1, 0, 0), (0, 0, 2), (0, 1, 0), (1, 0, 1), (0, 0, 3)],
    [(0, 1, 1), (1, 0, 2), (0, 0, 4), (0, 1, 2), (1, 0, 3), (0, 0, 5)],
];

/// Trits, quints and bits of colours, largest range first.
const COLOR_RANGES: [(usize, usize, usize); 17] = [
    (0, 0, 8),
    (1, 0, 6),
    (0, 1, 5),
    (0, 0, 7),
    (1, 0, 5),
    (0, 1, 4),
    (0, 0, 6),
    (1, 0, 4),
    (0, 1, 3),
    (0, 0, 5),
    (1, 0, 3),
    (0, 1, 2),
    (0, 0, 4),
    (1, 0, 2),
    (0, 1, 1),
    (0, 0, 3),
    (1, 0, 1),
];

/// B and C of ranges with trits or quints, of colours.
const COLOR_PARAMETERS: [((usize, usize, usize), &str, usize); 11] = [
    ((1, 0, 1), "000000000", 204),
    ((0, 1, 1), "000000000", 113),
    ((1, 0, 2), "b000b0bb0", 93),
    ((0, 1, 2), "b0000bb00", 54),
    ((1, 0, 3), "cb000cbcb", 44),
    ((0, 1, 3), "cb0000cbc", 26),
    ((1, 0, 4), "dcb000dcb", 22),
    ((0, 1, 4), "dcb0000dc", 13),
    ((1, 0, 5), "edcb000ed", 11),
    ((0, 1, 5), "edcb0000e", 6),
    ((1, 0, 6), "fedcb000f", 5),
];

/// The same of weights.
const WEIGHT_PARAMETERS: [((usize, usize, usize), &str, usize); 5] = [
    ((1, 0, 1), "0000000", 50),
    ((0, 1, 1), "0000000", 28),
    ((1, 0, 2), "b000b0b", 23),
    ((0, 1, 2), "b0000b0", 13),
    ((1, 0, 3), "cb000cb", 11),
];

fn sequence_bits(count: usize, (trits, quints, bits): (usize, usize, usize)) -> usize {
    (count * 8 * trits).div_ceil(5) + (count * 7 * quints).div_ceil(3) + count * bits
}

/// Returns value `i` of a sequence, as its trit or quint and its low bits.
fn value(bits: &Bits, i: usize, (trits, quints, n): (usize, usize, usize)) -> (usize, Bits) {
    if trits == 1 {
        let start = i / 5 * (8 + 5 * n);
        // Places of m0, T0, T1, m1, … in the packed block.
        let (mut place, mut t, mut low) = (start, Vec::new(), Vec::new());
        for shared in [2, 2, 1, 2, 1] {
            low.push((0..n).map(|bit| bits.bit(place + bit)).collect::<Vec<_>>());
            t.extend((0..shared).map(|bit| bits.bit(place + n + bit)));
            place += n + shared;
        }
        (trit(&Bits(t), i % 5), Bits(low[i % 5].clone()))
    } else if quints == 1 {
        let start = i / 3 * (7 + 3 * n);
        let (mut place, mut q, mut low) = (start, Vec::new(), Vec::new());
        for shared in [3, 2, 2] {
            low.push((0..n).map(|bit| bits.bit(place + bit)).collect::<Vec<_>>());
            q.extend((0..shared).map(|bit| bits.bit(place + n + bit)));
            place += n + shared;
        }
        (quint(&Bits(q), i % 3), Bits(low[i % 3].clone()))
    } else {
        (0, Bits((0..n).map(|bit| bits.bit(i * n + bit)).collect()))
    }
}

fn trit(t: &Bits, i: usize) -> usize {
    let (mut trits, c) = if t.field(4, 2) == 7 {
        ([0, 0, 0, 2, 2], Bits([t.bit(0), t.bit(1), t.bit(5), t.bit(6), t.bit(7)].to_vec()))
    } else {
        let c = Bits(t.0[..5].to_vec());
        if t.field(6, 5) == 3 {
            ([0, 0, 0, t.field(7, 7), 2], c)
        } else {
            ([0, 0, 0, t.field(6, 5), t.field(7, 7)], c)
        }
    };
    let and_not = |bit: usize, not: usize| usize::from(c.bit(bit) && !c.bit(not));
    if c.field(1, 0) == 3 {
        trits[2] = 2;
        trits[1] = c.field(4, 4);
        trits[0] = 2 * c.field(3, 3) + and_not(2, 3);
    } else if c.field(3, 2) == 3 {
        trits[2] = 2;
        trits[1] = 2;
        trits[0] = c.field(1, 0);
    } else {
        trits[2] = c.field(4, 4);
        trits[1] = c.field(3, 2);
        trits[0] = 2 * c.field(1, 1) + and_not(0, 1);
    }
    trits[i]
}

fn quint(q: &Bits, i: usize) -> usize {
    let quints = if q.field(2, 1) == 3 && q.field(6, 5) == 0 {
        let and_not = |bit: usize| usize::from(q.bit(bit) && !q.bit(0));
        [4, 4, 4 * q.field(0, 0) + 2 * and_not(4) + and_not(3)]
    } else {
        let (c, q2) = if q.field(2, 1) == 3 {
            (Bits([q.bit(0), !q.bit(5), !q.bit(6), q.bit(3), q.bit(4)].to_vec()), 4)
        } else {
            (Bits(q.0[..5].to_vec()), q.field(6, 5))
        };
        if c.field(2, 0) == 5 { [c.field(4, 3), 4, q2] } else { [c.field(2, 0), c.field(4, 3), q2] }
    };
    quints[i]
}

/// Replicates bits from the highest down.
fn replicate(bits: &Bits, count: usize) -> usize {
    let n = bits.0.len();
    (0..count).fold(0, |number, place| 2 * number + usize::from(bits.bit(n - 1 - place % n)))
}

/// `width` is the number of bits of A, B and C; `table` has the parameters.
fn unquantize(
    d: usize,
    low: &Bits,
    range: (usize, usize, usize),
    table: &[((usize, usize, usize), &str, usize)],
) -> usize {
    let (_, layout, c) = table.iter().find(|row| row.0 == range).expect("a row");
    let width = layout.len();
    let a = if low.bit(0) { (1 << width) - 1 } else { 0 };
    let b = layout
        .bytes()
        .fold(0, |b, letter| 2 * b + usize::from(letter != b'0' && low.bit(usize::from(letter - b'a'))));
    let unquantized = (d * c + b) ^ a;
    (a & (1 << (width - 2))) | unquantized >> 2
}

fn color(d: usize, low: &Bits, range: (usize, usize, usize)) -> i32 {
    let value =
        if range.0 + range.1 == 0 { replicate(low, 8) } else { unquantize(d, low, range, &COLOR_PARAMETERS) };
    value as i32
}

fn weight(d: usize, low: &Bits, range: (usize, usize, usize)) -> usize {
    let value = match range {
        (1, 0, 0) => [0, 32, 63][d],
        (0, 1, 0) => [0, 16, 32, 47, 63][d],
        (0, 0, _) => replicate(low, 6),
        // A & 0x20 selects bit 5 of 7.
        _ => unquantize(d, low, range, &WEIGHT_PARAMETERS),
    };
    if value > 32 { value + 1 } else { value }
}

fn hash52(mut p: u32) -> u32 {
    p ^= p >> 15;
    p = p.wrapping_sub(p.wrapping_shl(17));
    p = p.wrapping_add(p.wrapping_shl(7));
    p = p.wrapping_add(p.wrapping_shl(4));
    p ^= p >> 5;
    p = p.wrapping_add(p.wrapping_shl(16));
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p.wrapping_shl(6);
    p ^= p >> 17;
    p
}

fn select_partition(mut seed: u32, mut x: u32, mut y: u32, count: u32, is_small: bool) -> usize {
    if is_small {
        x <<= 1;
        y <<= 1;
    }
    seed += (count - 1) * 1024;
    let rnum = hash52(seed);
    let mut seeds = [0, 4, 8, 12, 16, 20, 24, 28].map(|shift| (rnum >> shift) & 15);
    for seed in &mut seeds {
        *seed *= *seed;
    }
    let (sh1, sh2) = if seed & 1 != 0 {
        (if seed & 2 != 0 { 4 } else { 5 }, if count == 3 { 6 } else { 5 })
    } else {
        (if count == 3 { 6 } else { 5 }, if seed & 2 != 0 { 4 } else { 5 })
    };
    for (number, seed) in seeds.iter_mut().enumerate() {
        *seed >>= if number % 2 == 0 { sh1 } else { sh2 };
    }
    let a = (seeds[0] * x + seeds[1] * y + (rnum >> 14)) & 63;
    let b = (seeds[2] * x + seeds[3] * y + (rnum >> 10)) & 63;
    let mut c = (seeds[4] * x + seeds[5] * y + (rnum >> 6)) & 63;
    let mut d = (seeds[6] * x).wrapping_add(seeds[7] * y).wrapping_add(rnum >> 2) & 63;
    if count < 4 {
        d = 0;
    }
    if count < 3 {
        c = 0;
    }
    if a >= b && a >= c && a >= d {
        0
    } else if b >= c && b >= d {
        1
    } else if c >= d {
        2
    } else {
        3
    }
}

fn bit_transfer_signed(a: &mut i32, b: &mut i32) {
    *b >>= 1;
    *b |= *a & 0x80;
    *a >>= 1;
    *a &= 0x3f;
    if *a & 0x20 != 0 {
        *a -= 0x40;
    }
}

fn blue_contract([r, g, b, a]: [i32; 4]) -> [i32; 4] {
    [(r + b) >> 1, (g + b) >> 1, b, a]
}

/// Returns the endpoints of an endpoint mode; `None` if it is of high dynamic range.
fn ends(mode: usize, values: &[i32]) -> Option<[[i32; 4]; 2]> {
    let mut v = [0; 8];
    v[..values.len()].copy_from_slice(values);
    let [mut v0, mut v1, mut v2, mut v3, mut v4, mut v5, mut v6, mut v7] = v;
    let (e0, e1) = match mode {
        0 => ([v0, v0, v0, 255], [v1, v1, v1, 255]),
        1 => {
            let l0 = (v0 >> 2) | (v1 & 0xc0);
            let l1 = (l0 + (v1 & 0x3f)).min(255);
            ([l0, l0, l0, 255], [l1, l1, l1, 255])
        }
        4 => ([v0, v0, v0, v2], [v1, v1, v1, v3]),
        5 => {
            bit_transfer_signed(&mut v1, &mut v0);
            bit_transfer_signed(&mut v3, &mut v2);
            ([v0, v0, v0, v2], [v0 + v1, v0 + v1, v0 + v1, v2 + v3])
        }
        6 => ([(v0 * v3) >> 8, (v1 * v3) >> 8, (v2 * v3) >> 8, 255], [v0, v1, v2, 255]),
        10 => ([(v0 * v3) >> 8, (v1 * v3) >> 8, (v2 * v3) >> 8, v4], [v0, v1, v2, v5]),
        8 | 12 => {
            if mode == 8 {
                (v6, v7) = (255, 255);
            }
            if v1 + v3 + v5 >= v0 + v2 + v4 {
                ([v0, v2, v4, v6], [v1, v3, v5, v7])
            } else {
                (blue_contract([v1, v3, v5, v7]), blue_contract([v0, v2, v4, v6]))
            }
        }
        9 | 13 => {
            bit_transfer_signed(&mut v1, &mut v0);
            bit_transfer_signed(&mut v3, &mut v2);
            bit_transfer_signed(&mut v5, &mut v4);
            if mode == 13 {
                bit_transfer_signed(&mut v7, &mut v6);
            } else {
                (v6, v7) = (255, 0);
            }
            let sums = [v0 + v1, v2 + v3, v4 + v5, v6 + v7];
            if v1 + v3 + v5 >= 0 {
                ([v0, v2, v4, v6], sums)
            } else {
                (blue_contract(sums), blue_contract([v0, v2, v4, v6]))
            }
        }
        _ => return None,
    };
    Some([e0, e1].map(|end| end.map(|value| value.clamp(0, 255))))
}

/// Decodes a block of `width`×`height` texels. Returns its kind too.
pub(crate) fn decode(
    (width, height): (usize, usize),
    srgb: bool,
    block: &[u8; 16],
) -> (BlockKind, Vec<[u8; 4]>) {
    let bits = Bits((0..128).map(|bit| block[bit / 8] >> (bit % 8) & 1 == 1).collect());
    let all_error = |kind| (kind, vec![ERROR_COLOR; width * height]);
    if bits.field(8, 0) == 0b1_1111_1100 {
        let extent = [bits.field(24, 12), bits.field(37, 25), bits.field(50, 38), bits.field(63, 51)];
        let is_ignored = extent.iter().all(|&coordinate| coordinate == 0x1fff);
        let is_legal = is_ignored || extent[0] < extent[1] && extent[2] < extent[3];
        if bits.field(11, 10) != 3 || !is_legal {
            return all_error(BlockKind::Illegal);
        }
        if bits.bit(9) {
            return all_error(BlockKind::Hdr);
        }
        let color = [64, 80, 96, 112].map(|low| bits.field(low + 15, low + 8) as u8);
        return (BlockKind::Ldr, vec![color; width * height]);
    }

    // The block mode is that of the first row whose fixed bits it has.
    let fields_of = |row: &str| {
        let mut fields = std::collections::HashMap::new();
        for (letter, bit) in row.chars().zip((0..11).rev()) {
            match letter {
                '0' | '1' if bits.bit(bit) != (letter == '1') => return None,
                '0' | '1' => {}
                _ => {
                    let field = fields.entry(letter).or_insert(0);
                    *field = 2 * *field + usize::from(bits.bit(bit));
                }
            }
        }
        (fields[&'R'] != 0).then_some(fields)
    };
    let found = BLOCK_MODES.iter().find_map(|row| Some((row, fields_of(row.0)?)));
    let Some(((_, grid_width, grid_height), fields)) = found else { return all_error(BlockKind::Illegal) };
    let size = |formula: &str| match formula.split_once('+') {
        Some((letter, summand)) => {
            fields[&letter.chars().next().expect("a letter")] + summand.parse::<usize>().expect("a number")
        }
        None => formula.parse().expect("a number"),
    };
    let (grid_width, grid_height) = (size(grid_width), size(grid_height));
    let is_dual = fields.get(&'D') == Some(&1);
    let rho = fields[&'R'] * 2 + fields[&'r'];
    let weight_range = WEIGHT_RANGES[fields.get(&'P').copied().unwrap_or(0)][rho - 2];

    let parts = bits.field(12, 11) + 1;
    let weight_count = grid_width * grid_height * if is_dual { 2 } else { 1 };
    let weight_bits = sequence_bits(weight_count, weight_range);
    if grid_width > width
        || grid_height > height
        || weight_count > 64
        || !(24..=96).contains(&weight_bits)
        || is_dual && parts == 4
    {
        return all_error(BlockKind::Illegal);
    }

    let mut below = 128 - weight_bits;
    let mut modes = Vec::new();
    let mut config_bits = 17;
    if parts == 1 {
        modes.push(bits.field(16, 13));
    } else if bits.field(24, 23) == 0 {
        config_bits = 29;
        modes = vec![bits.field(28, 25); parts];
    } else {
        config_bits = 25 + 3 * parts;
        // C0, C1, …, then M0 and so on: four bits after the selector, the others below the weights.
        let extra = 3 * parts - 4;
        below -= extra;
        let all: Vec<bool> = (25..29).chain(below..below + extra).map(|bit| bits.bit(bit)).collect();
        let all = Bits(all);
        for part in 0..parts {
            let class = bits.field(24, 23) - 1 + all.field(part, part);
            modes.push(4 * class + all.field(parts + 2 * part + 1, parts + 2 * part));
        }
    }
    let mut selector = None;
    if is_dual {
        below -= 2;
        config_bits += 2;
        selector = Some(bits.field(below + 1, below));
    }
    let integer_count: usize = modes.iter().map(|mode| (mode / 4 + 1) * 2).sum();
    let remaining = 128i32 - config_bits as i32 - weight_bits as i32;
    if integer_count > 18 || remaining < (13 * integer_count).div_ceil(5) as i32 {
        return all_error(BlockKind::Illegal);
    }
    let color_range = COLOR_RANGES
        .into_iter()
        .find(|&range| sequence_bits(integer_count, range) as i32 <= remaining)
        .expect("a range");

    let color_start = if parts == 1 { 17 } else { 29 };
    let color_size = sequence_bits(integer_count, color_range);
    let stream = Bits((color_start..color_start + color_size).map(|bit| bits.bit(bit)).collect());
    let mut next = 0;
    let mut lines = Vec::new();
    for &mode in &modes {
        let count = (mode / 4 + 1) * 2;
        let values: Vec<i32> = (next..next + count)
            .map(|i| {
                let (high, low) = value(&stream, i, color_range);
                color(high, &low, color_range)
            })
            .collect();
        next += count;
        lines.push(ends(mode, &values));
    }

    let stream = Bits((0..weight_bits).map(|bit| bits.bit(127 - bit)).collect());
    let weights: Vec<usize> = (0..weight_count)
        .map(|i| {
            let (high, low) = value(&stream, i, weight_range);
            weight(high, &low, weight_range)
        })
        .collect();

    let planes = if is_dual { 2 } else { 1 };
    let mut texels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let part = if parts == 1 {
                0
            } else {
                let is_small = width * height < 31;
                select_partition(bits.field(22, 13) as u32, x as u32, y as u32, parts as u32, is_small)
            };
            let infilled = |plane: usize| {
                let ds = (1024 + width / 2) / (width - 1);
                let dt = (1024 + height / 2) / (height - 1);
                let gs = (ds * x * (grid_width - 1) + 32) >> 6;
                let gt = (dt * y * (grid_height - 1) + 32) >> 6;
                let (js, fs, jt, ft) = (gs >> 4, gs & 15, gt >> 4, gt & 15);
                let v0 = js + jt * grid_width;
                let at = |v: usize| weights.get(v * planes + plane).copied().unwrap_or(0);
                let w11 = (fs * ft + 8) >> 4;
                let (w10, w01) = (ft - w11, fs - w11);
                let w00 = 16 + w11 - fs - ft;
                let sum = at(v0) * w00
                    + at(v0 + 1) * w01
                    + at(v0 + grid_width) * w10
                    + at(v0 + grid_width + 1) * w11;
                ((sum + 8) >> 4) as i32
            };
            texels.push(match lines[part] {
                None => ERROR_COLOR,
                Some([e0, e1]) => [0, 1, 2, 3].map(|c| {
                    let i = infilled(usize::from(selector == Some(c)));
                    let expand = |value: i32| if srgb { (value << 8) | 0x80 } else { value * 257 };
                    (((expand(e0[c]) * (64 - i) + expand(e1[c]) * i + 32) / 64) >> 8) as u8
                }),
            });
        }
    }
    let is_hdr = lines.iter().any(Option::is_none);
    (if is_hdr { BlockKind::Hdr } else { BlockKind::Ldr }, texels)
}

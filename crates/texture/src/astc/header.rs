//! Block headers: weight grid, partitions, endpoint modes, and the places of the sequences.

use super::sequence::{LEAST_COLOR_RANGE, RANGES, WEIGHT_RANGES};

/// Contents of a block, apart from its sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    /// Illegal in every profile.
    Illegal,
    /// One colour of 16 bits per channel.
    Void([u16; 4]),
    /// One colour of half floats.
    HdrVoid,
    Grid(Layout),
}

/// Layout of a block with weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Width and height of the weight grid.
    pub grid: (u32, u32),
    /// Number of the weights' range.
    pub weight_range: usize,
    /// Channel with its own weights.
    pub plane: Option<usize>,
    /// Number of parts, 1 to 4.
    pub parts: usize,
    /// Seed of the partition pattern.
    pub seed: u32,
    /// Endpoint mode of each part.
    pub modes: [u8; 4],
    /// Number of the colours' range.
    pub color_range: usize,
    /// First bit of the colours' sequence.
    pub color_start: u32,
}

impl Layout {
    /// Returns the number of weights.
    pub fn weight_count(&self) -> usize {
        (self.grid.0 * self.grid.1) as usize * if self.plane.is_some() { 2 } else { 1 }
    }
}

/// Returns the number of integers of an endpoint mode.
pub(crate) const fn integers(mode: u8) -> usize {
    2 * (mode as usize / 4 + 1)
}

/// True if an endpoint mode has a high dynamic range.
pub(crate) const fn is_hdr(mode: u8) -> bool {
    matches!(mode, 2 | 3 | 7 | 11 | 14 | 15)
}

/// Returns the grid of a block mode, the number of its weights' range, and true if there are two planes.
/// Returns `None` if the mode is reserved.
fn block_mode(mode: u32) -> Option<((u32, u32), usize, bool)> {
    let bits = |low: u32, count: u32| mode >> low & ((1 << count) - 1);
    let (a, b) = (bits(5, 2), bits(7, 2));
    let (mut is_dual, mut is_precise) = (bits(10, 1), bits(9, 1));
    let (rho, grid);
    if bits(0, 2) != 0 {
        rho = bits(4, 1) | bits(0, 2) << 1;
        grid = match bits(2, 2) {
            0 => (b + 4, a + 2),
            1 => (b + 8, a + 2),
            2 => (a + 2, b + 8),
            _ if b & 2 == 0 => (a + 2, (b & 1) + 6),
            _ => ((b & 1) + 2, a + 2),
        };
    } else {
        rho = bits(4, 1) | bits(2, 2) << 1;
        grid = match b {
            0 => (12, a + 2),
            1 => (a + 2, 12),
            2 => {
                let height = bits(9, 2);
                (is_dual, is_precise) = (0, 0);
                (a + 6, height + 6)
            }
            _ => match a {
                0 => (6, 10),
                1 => (10, 6),
                _ => return None,
            },
        };
    }
    // The lowest two values of rho are reserved.
    let range = (rho as usize).checked_sub(2)? + 6 * is_precise as usize;
    Some((grid, range, is_dual == 1))
}

/// Reads the header of a block.
pub(crate) fn read(footprint: (u32, u32), word: u128) -> Header {
    let low = word as u64;
    if low & 0x1ff == 0x1fc {
        return void_extent(word);
    }
    let Some((grid, weight_range, is_dual)) = block_mode(low as u32 & 0x7ff) else { return Header::Illegal };
    if grid.0 > footprint.0 || grid.1 > footprint.1 {
        return Header::Illegal;
    }
    let parts = (low >> 11 & 3) as usize + 1;
    let mut layout = Layout {
        grid,
        weight_range,
        plane: is_dual.then_some(0),
        parts,
        seed: 0,
        modes: [0; 4],
        color_range: 0,
        color_start: 17,
    };
    let weight_count = layout.weight_count();
    let weight_bits = RANGES[weight_range].sequence_bits(weight_count);
    if weight_count > 64 || !(24..=96).contains(&weight_bits) || is_dual && parts == 4 {
        return Header::Illegal;
    }
    let mut end = 128 - weight_bits;
    if parts == 1 {
        layout.modes[0] = (low >> 13) as u8 & 15;
    } else {
        layout.seed = (low >> 13) as u32 & 1023;
        layout.color_start = 29;
        let fields = (low >> 23) as u32 & 63;
        let class = fields & 3;
        if class == 0 {
            layout.modes = [(fields >> 2) as u8; 4];
        } else {
            // Class bits of the parts, then the two low bits of each mode, of which most are elsewhere.
            let extra = 3 * parts - 4;
            end -= extra;
            let bits = fields >> 2 | ((word >> end) as u32 & ((1 << extra) - 1)) << 4;
            for (part, mode) in layout.modes[..parts].iter_mut().enumerate() {
                let own_class = class - 1 + (bits >> part & 1);
                *mode = (own_class << 2 | bits >> (parts + 2 * part) & 3) as u8;
            }
        }
    }
    if is_dual {
        end -= 2;
        layout.plane = Some((word >> end) as usize & 3);
    }
    let count: usize = layout.modes[..parts].iter().map(|&mode| integers(mode)).sum();
    let available = end.checked_sub(layout.color_start as usize);
    match available.and_then(|bits| color_range(count, bits)) {
        Some(range) if count <= 18 => Header::Grid(Layout { color_range: range, ..layout }),
        _ => Header::Illegal,
    }
}

/// Returns the number of the largest range of which `count` values fit into `bits`. `None` if not even 6
/// levels do.
pub(crate) const fn color_range(count: usize, bits: usize) -> Option<usize> {
    let mut range = RANGES.len();
    while range > LEAST_COLOR_RANGE {
        range -= 1;
        if RANGES[range].sequence_bits(count) <= bits {
            return Some(range);
        }
    }
    None
}

fn void_extent(word: u128) -> Header {
    let coordinate = |number: u32| (word >> (12 + 13 * number)) as u32 & 0x1fff;
    let [s0, s1, t0, t1] = [0, 1, 2, 3].map(coordinate);
    let has_extent = [s0, s1, t0, t1] != [0x1fff; 4];
    if word >> 10 & 3 != 3 || has_extent && (s0 >= s1 || t0 >= t1) {
        return Header::Illegal;
    }
    if word >> 9 & 1 != 0 {
        return Header::HdrVoid;
    }
    Header::Void([0, 1, 2, 3].map(|c| (word >> (64 + 16 * c)) as u16))
}

/// Returns the block mode of 11 bits of a grid of 4×4 weights.
pub(crate) const fn block_mode_4x4(weight_range: usize, is_dual: bool) -> u32 {
    debug_assert!(weight_range < WEIGHT_RANGES);
    let (rho, is_precise) = (weight_range as u32 % 6 + 2, weight_range as u32 / 6);
    // The width is 4 + 0, the height 2 + 2.
    (is_dual as u32) << 10 | is_precise << 9 | 2 << 5 | (rho & 1) << 4 | rho >> 1
}

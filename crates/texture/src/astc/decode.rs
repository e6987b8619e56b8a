//! Decoding of a block of any 2D footprint to 8-bit texels.

use super::{
    endpoints::endpoints,
    header::{self, Header, Layout, integers, is_hdr},
    levels::{colors, weights},
    partition::Pattern,
    sequence::{self, RANGES},
};

/// Colour of errors: opaque magenta.
pub(crate) const ERROR_COLOR: [u8; 4] = [255, 0, 255, 255];

/// Maximum number of texels of a block.
const TEXELS: usize = 144;

/// Kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// All texels are colours of low dynamic range.
    Ldr,
    /// Some or all texels have a high dynamic range. Where that is not supported, they decode to magenta.
    Hdr,
    /// The block is illegal. All texels decode to magenta.
    Illegal,
}

/// Returns the kind of a block. `footprint` is its width and height in texels.
pub(crate) fn block_kind(footprint: (u32, u32), block: &[u8; 16]) -> BlockKind {
    match header::read(footprint, u128::from_le_bytes(*block)) {
        Header::Illegal => BlockKind::Illegal,
        Header::Void(_) => BlockKind::Ldr,
        Header::HdrVoid => BlockKind::Hdr,
        Header::Grid(layout) => {
            let is_hdr = layout.modes[..layout.parts].iter().any(|&mode| is_hdr(mode));
            if is_hdr { BlockKind::Hdr } else { BlockKind::Ldr }
        }
    }
}

/// Decodes a block to `texels`, row by row. `footprint` is its width and height in texels, 4 to 12. With
/// `srgb`, the values are those before the sRGB curve, for textures in that colour space. Without, they are
/// what the decode mode `unorm8` yields.
pub(crate) fn decode_block(footprint: (u32, u32), srgb: bool, block: &[u8; 16], texels: &mut [[u8; 4]]) {
    let word = u128::from_le_bytes(*block);
    match header::read(footprint, word) {
        Header::Grid(layout) => decode_grid(footprint, srgb, word, &layout, texels),
        Header::Void(color) => texels.fill(color.map(|value| (value >> 8) as u8)),
        Header::Illegal | Header::HdrVoid => texels.fill(ERROR_COLOR),
    }
}

/// Endpoints of a part in the form that is interpolated: `first · 64 + 32` and the difference, for values of
/// 16 bits. `None` if its mode has a high dynamic range.
type Line = Option<([i32; 4], [i32; 4])>;

fn decode_grid(footprint: (u32, u32), srgb: bool, word: u128, layout: &Layout, texels: &mut [[u8; 4]]) {
    let lines = lines(srgb, word, layout);
    let mut planes = [[0; TEXELS]; 2];
    read_weights(footprint, word, layout, &mut planes);
    let channel = layout.plane.unwrap_or(4);
    let texel = |part: usize, t: usize| match &lines[part] {
        Some((start, step)) => {
            let mut texel = [0; 4];
            for c in 0..4 {
                let weight = i32::from(planes[usize::from(c == channel)][t]);
                texel[c] = ((start[c] + step[c] * weight) >> 14) as u8;
            }
            texel
        }
        None => ERROR_COLOR,
    };
    if layout.parts == 1 {
        for (t, target) in texels.iter_mut().enumerate() {
            *target = texel(0, t);
        }
    } else {
        let pattern = Pattern::new(footprint, layout.parts, layout.seed);
        let width = footprint.0 as usize;
        for (y, row) in texels.chunks_exact_mut(width).enumerate() {
            for (x, target) in row.iter_mut().enumerate() {
                *target = texel(pattern.part(x as u32, y as u32), width * y + x);
            }
        }
    }
}

/// Returns the line of each part.
fn lines(srgb: bool, word: u128, layout: &Layout) -> [Line; 4] {
    let modes = &layout.modes[..layout.parts];
    let count = modes.iter().map(|&mode| integers(mode)).sum();
    let mut values = [0; 18];
    sequence::read(word >> layout.color_start, RANGES[layout.color_range], &mut values[..count]);
    let table = colors(layout.color_range);
    let values = values.map(|code| table[usize::from(code)]);
    let mut lines = [None; 4];
    let mut first = 0;
    for (line, &mode) in lines.iter_mut().zip(modes) {
        if !is_hdr(mode) {
            let [a, b] = endpoints(mode, &values[first..]);
            // Since version 1.4 of the specification, alpha has the same form in sRGB textures; 1.3
            // replicates its bits.
            let wide = |value: u8| i32::from(value) << 8 | if srgb { 0x80 } else { i32::from(value) };
            let mut step = [0; 4];
            for c in 0..4 {
                step[c] = wide(b[c]) - wide(a[c]);
            }
            *line = Some((a.map(|value| wide(value) * 64 + 32), step));
        }
        first += integers(mode);
    }
    lines
}

/// Reads the weights of each texel, of one or two planes.
fn read_weights(footprint: (u32, u32), word: u128, layout: &Layout, planes: &mut [[u8; TEXELS]; 2]) {
    let count = layout.weight_count();
    let mut values = [0; 64];
    sequence::read(word.reverse_bits(), RANGES[layout.weight_range], &mut values[..count]);
    let table = weights(layout.weight_range);
    let plane_count = if layout.plane.is_some() { 2 } else { 1 };
    for (number, plane) in planes.iter_mut().take(plane_count).enumerate() {
        // With zeros past the end, which are read with the factor 0.
        let mut grid = [0; 80];
        for (weight, &code) in grid.iter_mut().zip(values[number..count].iter().step_by(plane_count)) {
            *weight = table[usize::from(code)];
        }
        if layout.grid == footprint {
            plane[..64].copy_from_slice(&grid[..64]);
        } else {
            infill(footprint, layout.grid, &grid, plane);
        }
    }
}

/// Interpolates a grid of weights.
fn infill(footprint: (u32, u32), grid: (u32, u32), values: &[u8; 80], plane: &mut [u8; TEXELS]) {
    let scale = |size: u32| (1024 + size / 2) / (size - 1);
    let (scale_x, scale_y) = (scale(footprint.0), scale(footprint.1));
    let rows = plane.chunks_exact_mut(footprint.0 as usize).take(footprint.1 as usize);
    for (y, row) in rows.enumerate() {
        let place_y = (scale_y * y as u32 * (grid.1 - 1) + 32) >> 6;
        for (x, target) in row.iter_mut().enumerate() {
            let place_x = (scale_x * x as u32 * (grid.0 - 1) + 32) >> 6;
            let (along_x, along_y) = (place_x & 15, place_y & 15);
            let both = (along_x * along_y + 8) >> 4;
            let first = ((place_x >> 4) + (place_y >> 4) * grid.0) as usize;
            let value = |offset: usize| u32::from(values[first + offset]);
            let width = grid.0 as usize;
            let sum = value(0) * (16 + both - along_x - along_y)
                + value(1) * (along_x - both)
                + value(width) * (along_y - both)
                + value(width + 1) * both;
            *target = ((sum + 8) >> 4) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AstcFootprint, astc::tests::slow, random::Random};

    impl Random {
        fn block(&mut self) -> [u8; 16] {
            (u128::from(self.next()) << 64 | u128::from(self.next())).to_le_bytes()
        }
    }

    fn check(footprint: (u32, u32), block: &[u8; 16]) {
        let size = (footprint.0 as usize, footprint.1 as usize);
        for srgb in [false, true] {
            let (kind, expected) = slow::decode(size, srgb, block);
            let mut texels = vec![[1; 4]; size.0 * size.1];
            decode_block(footprint, srgb, block, &mut texels);
            assert_eq!(block_kind(footprint, block), kind, "{footprint:?} {block:?}");
            assert_eq!(texels, expected, "{footprint:?} {block:?}");
        }
    }

    /// Compares the decoders on random blocks, and on as many that are legal.
    #[test]
    fn decoders_agree() {
        let mut random = Random(1);
        for footprint in AstcFootprint::ALL.iter().map(|footprint| footprint.extent().into()) {
            let count = if footprint == (4, 4) { 8_192 } else { 1_024 };
            for _ in 0..count {
                check(footprint, &random.block());
                let legal = std::iter::repeat_with(|| random.block());
                let legal = legal.take(1 << 16).find(|block| block_kind(footprint, block) == BlockKind::Ldr);
                check(footprint, &legal.expect("a legal block"));
            }
        }
    }

    /// The same with more blocks.
    #[test]
    #[ignore = "takes a minute in debug builds"]
    fn decoders_agree_on_many_blocks() {
        let mut random = Random(2);
        for footprint in [(4, 4), (5, 5), (6, 6), (8, 8), (12, 12)] {
            for _ in 0..65_536 {
                check(footprint, &random.block());
                let legal = std::iter::repeat_with(|| random.block());
                let legal =
                    legal.take(1 << 16).find(|block| block_kind(footprint, block) != BlockKind::Illegal);
                check(footprint, &legal.expect("a legal block"));
            }
        }
    }

    /// Compares the decoders on void extents: with and without an extent, with wrong ones, and with each
    /// reserved bit.
    #[test]
    fn decoders_agree_on_void_extents() {
        let mut random = Random(3);
        for _ in 0..4_096 {
            let bits = u128::from_le_bytes(random.block());
            let extent = match random.next() % 3 {
                0 => u128::from(u64::MAX << 12),
                1 => bits & u128::from(u64::MAX << 12),
                _ => bits & bits >> 1 & u128::from(u64::MAX << 12),
            };
            let colors = bits & !u128::from(u64::MAX);
            let reserved = if random.next().is_multiple_of(4) { random.next() & 0xe00 } else { 0xc00 };
            check((4, 4), &(colors | extent | u128::from(reserved) | 0x1fc).to_le_bytes());
        }
    }
}

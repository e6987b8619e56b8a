//! The parts of a block in every mode, partition and rotation.

use super::part::{Coding, PBits};
use crate::sample::Block;
use anyhow::Result;
use brickwork_texture::{BlockFormat, ImageViewMut, RoundingRule, Task, decode_into};

/// Weights of the second endpoint in 64ths, for indices of 2, 3 and 4 bits.
const WEIGHTS: [&[u16]; 3] = [
    &[0, 21, 43, 64],
    &[0, 9, 18, 27, 37, 46, 55, 64],
    &[0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
];

/// A mode whose texels have one index each.
struct Mode {
    number: u8,
    subsets: usize,
    partitions: usize,
    /// Bits of each channel of an endpoint.
    bits: u32,
    p_bits: PBits,
    has_alpha: bool,
    index_bits: usize,
}

const fn mode(
    number: u8,
    [subsets, partitions]: [usize; 2],
    bits: u32,
    p_bits: PBits,
    has_alpha: bool,
    index_bits: usize,
) -> Mode {
    Mode { number, subsets, partitions, bits, p_bits, has_alpha, index_bits }
}

const MODES: [Mode; 6] = [
    mode(0, [3, 16], 4, PBits::Own, false, 3),
    mode(1, [2, 64], 6, PBits::Shared, false, 3),
    mode(2, [3, 64], 5, PBits::None, false, 2),
    mode(3, [2, 64], 7, PBits::Own, false, 2),
    mode(6, [1, 1], 7, PBits::Own, true, 4),
    mode(7, [2, 64], 5, PBits::Own, true, 2),
];

/// A mode whose texels have two indices each: for three channels, and for one that is selected.
struct SplitMode {
    number: u8,
    /// Bits of each of the three channels, and of the selected one.
    bits: [u32; 2],
    /// Bits of their indices.
    index_bits: [usize; 2],
}

/// Mode 4 with both selections of its indices, and mode 5.
const SPLIT_MODES: [SplitMode; 3] = [
    SplitMode { number: 4, bits: [5, 6], index_bits: [2, 3] },
    SplitMode { number: 4, bits: [5, 6], index_bits: [3, 2] },
    SplitMode { number: 5, bits: [7, 8], index_bits: [2, 2] },
];

fn coding(bits: u32, p_bits: PBits, index_bits: usize) -> Coding {
    Coding { bits, p_bits, weights: WEIGHTS[index_bits - 2] }
}

/// Subset of each texel in every partition of two and of three subsets.
pub struct Partitions([Vec<[u8; 16]>; 2]);

impl Partitions {
    /// Reads the partitions from blocks that the library decodes. The endpoints of a block differ only
    /// between its subsets, and all indices are 0.
    pub fn new() -> Result<Self> {
        let subsets = |mode: u32, bits: u32, reds: &[u128], to_subset: fn(u8) -> u8| {
            let bytes = (0..64u128).flat_map(|partition| {
                let mut block = 1 << mode | partition << (mode + 1);
                for (endpoint, red) in reds.iter().enumerate() {
                    block |= red << (mode + 7 + bits * endpoint as u32);
                }
                block.to_le_bytes()
            });
            let blocks: Vec<u8> = bytes.collect();
            let decoded = decoded(&blocks)?;
            let of_block = |texels: &Block| texels.map(|[red, ..]| to_subset(red));
            Ok::<_, anyhow::Error>(decoded.iter().map(of_block).collect())
        };
        let two = subsets(1, 6, &[0, 0, 63, 63], |red| red / 128)?;
        let three = subsets(2, 5, &[0, 0, 15, 15, 31, 31], |red| red.div_ceil(128))?;
        Ok(Self([two, three]))
    }

    fn subset_of_each_texel(&self, subsets: usize, partition: usize) -> [u8; 16] {
        match subsets {
            1 => [0; 16],
            _ => self.0[subsets - 2][partition],
        }
    }
}

/// Returns the texels of blocks as the library decodes them.
pub fn decoded(blocks: &[u8]) -> Result<Vec<Block>> {
    let count = blocks.len() / 16;
    let width = 4 * count;
    let mut texels = vec![[0u8; 4]; 4 * width];
    let mut image = ImageViewMut::new(&mut texels[..], width as u32, 4)?;
    decode_into(BlockFormat::Bc7, blocks, RoundingRule::Exact, &mut image, &Task::new())?;
    let block = |b: usize| std::array::from_fn(|t| texels[t / 4 * width + 4 * b + t % 4]);
    Ok((0..count).map(block).collect())
}

/// A mode with a partition or rotation.
pub struct Layout {
    /// Number of the mode.
    pub mode: u8,
    /// Error that no endpoint changes: that of alpha where it is always 255.
    pub error: u32,
    /// For each part: its channels of its texels, and the form in which it is stored.
    pub parts: Vec<(Vec<Vec<u8>>, Coding)>,
}

/// Returns every layout of a block.
pub fn layouts(block: &Block, partitions: &Partitions) -> Vec<Layout> {
    let mut layouts = Vec::new();
    for mode in &MODES {
        let (channels, error) = match mode.has_alpha {
            true => (4, 0),
            false => (3, block.iter().map(|&[.., alpha]| u32::from(255 - alpha).pow(2)).sum()),
        };
        for partition in 0..mode.partitions {
            let subsets = partitions.subset_of_each_texel(mode.subsets, partition);
            let part = |subset: usize| {
                let texels = block.iter().zip(subsets).filter(|&(_, of_texel)| usize::from(of_texel) == subset);
                let texels = texels.map(|(texel, _)| texel[..channels].to_vec()).collect();
                (texels, coding(mode.bits, mode.p_bits, mode.index_bits))
            };
            layouts.push(Layout { mode: mode.number, error, parts: (0..mode.subsets).map(part).collect() });
        }
    }
    for mode in &SPLIT_MODES {
        for selected in 0..4 {
            let others: Vec<_> = (0..4).filter(|&channel| channel != selected).collect();
            let part = |channels: &[usize], place: usize| {
                let texels = block.iter().map(|texel| channels.iter().map(|&c| texel[c]).collect()).collect();
                (texels, coding(mode.bits[place], PBits::None, mode.index_bits[place]))
            };
            let parts = vec![part(&others, 0), part(&[selected], 1)];
            layouts.push(Layout { mode: mode.number, error: 0, parts });
        }
    }
    layouts
}

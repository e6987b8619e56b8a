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

/// Subset of each texel, and the anchor of each subset.
#[derive(Clone, Copy, Debug, Default)]
pub struct Partition {
    pub subsets: [u8; 16],
    pub anchors: [usize; 3],
}

/// The partitions of two and of three subsets.
pub struct Partitions([Vec<Partition>; 2]);

impl Partitions {
    /// Reads the partitions from blocks that the library decodes. In modes 1 and 2, only red differs. For the
    /// subsets, all indices are 0, and each subset has a red. For the anchors, each subset is from 0 to the
    /// largest red, and all bits of the indices are 1: an anchor's index lacks its highest bit.
    pub fn new() -> Result<Self> {
        let reds = |mode: u32, bits: u32, reds: &[u128], indices: u128| {
            let bytes = (0..64u128).flat_map(|partition| {
                let mut block = 1 << mode | partition << (mode + 1) | indices;
                for (endpoint, red) in reds.iter().enumerate() {
                    block |= red << (mode + 7 + bits * endpoint as u32);
                }
                block.to_le_bytes()
            });
            let blocks: Vec<u8> = bytes.collect();
            Ok::<_, anyhow::Error>(decoded(&blocks)?.into_iter().map(|block| block.map(|[red, ..]| red)))
        };
        let partition = |(subsets, range): ([u8; 16], [u8; 16])| {
            let mut partition = Partition { subsets, ..Partition::default() };
            for texel in (0..16).filter(|&texel| range[texel] < 200) {
                partition.anchors[usize::from(subsets[texel])] = texel;
            }
            partition
        };
        let two = reds(1, 6, &[0, 0, 63, 63], 0)?.map(|reds| reds.map(|red| red / 128));
        let three = reds(2, 5, &[0, 0, 15, 15, 31, 31], 0)?.map(|reds| reds.map(|red| red.div_ceil(128)));
        let two = two.zip(reds(1, 6, &[0, 63, 0, 63], u128::MAX << (128 - 46))?);
        let three = three.zip(reds(2, 5, &[0, 31, 0, 31, 0, 31], u128::MAX << (128 - 29))?);
        Ok(Self([two.map(partition).collect(), three.map(partition).collect()]))
    }

    fn get(&self, subsets: usize, partition: usize) -> Partition {
        match subsets {
            1 => Partition::default(),
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
    /// Values and widths of the fields after the mode.
    pub head: Vec<(usize, u32)>,
    /// Error that no endpoint changes: that of alpha where it is always 255.
    pub error: u32,
    /// Channels in the order in which their endpoints are stored.
    pub channels: Vec<usize>,
    pub parts: Vec<LayoutPart>,
}

/// A part of a layout.
pub struct LayoutPart {
    pub coding: Coding,
    pub channels: Vec<usize>,
    /// Numbers of the part's texels.
    pub places: Vec<usize>,
    /// The channels of these texels.
    pub texels: Vec<Vec<u8>>,
    /// Number of the anchor in `places`.
    pub anchor: usize,
}

impl LayoutPart {
    fn new(block: &Block, places: Vec<usize>, channels: &[usize], anchor: usize, coding: Coding) -> Self {
        Self {
            coding,
            channels: channels.to_vec(),
            texels: places.iter().map(|&t| channels.iter().map(|&c| block[t][c]).collect()).collect(),
            anchor: places.iter().position(|&t| t == anchor).unwrap_or(0),
            places,
        }
    }
}

/// Returns every layout of a block.
pub fn layouts(block: &Block, partitions: &Partitions) -> Vec<Layout> {
    let mut layouts = Vec::new();
    for mode in &MODES {
        let (channels, error): (&[usize], _) = match mode.has_alpha {
            true => (&[0, 1, 2, 3], 0),
            false => (&[0, 1, 2], block.iter().map(|&[.., alpha]| u32::from(255 - alpha).pow(2)).sum()),
        };
        for number in 0..mode.partitions {
            let Partition { subsets, anchors } = partitions.get(mode.subsets, number);
            let part = |subset: usize| {
                let places = (0..16).filter(|&texel| usize::from(subsets[texel]) == subset).collect();
                let coding = coding(mode.bits, mode.p_bits, mode.index_bits);
                LayoutPart::new(block, places, channels, anchors[subset], coding)
            };
            layouts.push(Layout {
                mode: mode.number,
                head: vec![(number, mode.partitions.ilog2())],
                error,
                channels: channels.to_vec(),
                parts: (0..mode.subsets).map(part).collect(),
            });
        }
    }
    for mode in &SPLIT_MODES {
        for selected in 0..4 {
            let others: Vec<_> = (0..4).filter(|&channel| channel != selected).collect();
            let part = |channels: &[usize], place: usize| {
                let coding = coding(mode.bits[place], PBits::None, mode.index_bits[place]);
                LayoutPart::new(block, (0..16).collect(), channels, 0, coding)
            };
            // Alpha is exchanged with the selected channel.
            let mut channels = vec![0, 1, 2, 3];
            channels.swap(selected, 3);
            let mut head = vec![((selected + 1) % 4, 2)];
            if mode.number == 4 {
                head.push((mode.index_bits[0] - 2, 1));
            }
            let parts = vec![part(&others, 0), part(&[selected], 1)];
            layouts.push(Layout { mode: mode.number, head, error: 0, channels, parts });
        }
    }
    layouts
}

//! Chunks of 2×2×2 superblocks: the least that is read and verified at a time.
//!
//! Bytes: the byte count of each superblock that lies in the volume, x fastest, in four bytes each less the
//! last one's; then the superblocks.

use super::{
    layout::{Position, brick_corner, superblocks},
    table::Table,
};
use crate::{
    BrickSize, Dims,
    brick::{MAX_NARROW, MOST_VOXELS, PADDING},
    superblock::{self, BRICKS, SIDE, SuperblockBox, SuperblockIndex, SuperblockValues},
    untyped::UntypedView,
};

/// Buffers that encoders of chunks use again.
#[derive(Default)]
pub(super) struct Scratch {
    values: Vec<u32>,
    bytes: Vec<u8>,
}

/// The bytes of the chunk at `chunk` of a component of `volume`.
pub(super) fn encode(
    volume: UntypedView,
    component: usize,
    brick: BrickSize,
    chunk: Position,
    table: Option<&Table>,
    scratch: &mut Scratch,
) -> Vec<u8> {
    let mut bodies = Vec::new();
    let mut lengths = Vec::new();
    for (corner, part) in superblocks(volume.dims(), brick, chunk) {
        let start = bodies.len();
        encode_superblock(volume, component, brick, (corner, part), table, scratch, &mut bodies);
        lengths.push((bodies.len() - start) as u32);
    }
    let mut out = Vec::with_capacity(4 * lengths.len() + bodies.len());
    for length in &lengths[..lengths.len().saturating_sub(1)] {
        out.extend_from_slice(&length.to_le_bytes());
    }
    out.extend_from_slice(&bodies);
    out
}

fn encode_superblock(
    volume: UntypedView,
    component: usize,
    brick: BrickSize,
    (corner, part): (Position, SuperblockBox),
    table: Option<&Table>,
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) {
    let voxels = brick.voxel_count();
    scratch.values.resize(BRICKS * voxels, 0);
    let (mut minima, mut ranges) = ([0; BRICKS], [0; BRICKS]);
    for (i, values) in scratch.values.chunks_exact_mut(voxels).enumerate() {
        if part.brick(i).is_none() {
            continue;
        }
        volume.copy_box(component, brick.dims(), brick_corner(corner, brick, i), values);
        if let Some(table) = table {
            for value in values.iter_mut() {
                *value = table.rank(*value);
            }
        }
        let (mut min, mut max) = (u32::MAX, 0);
        for &value in values.iter() {
            min = min.min(value);
            max = max.max(value);
        }
        for value in values.iter_mut() {
            *value -= min;
        }
        minima[i] = min;
        ranges[i] = max - min;
    }
    let values = SuperblockValues { part, minima, ranges, values: &scratch.values };
    superblock::encode(&values, &mut scratch.bytes, out);
}

/// Where a superblock lies in the volume and in its chunk.
pub(super) struct SuperblockPlace {
    /// Its corner in voxels.
    pub corner: Position,
    /// What of it lies in the volume.
    pub part: SuperblockBox,
    /// Its first byte in the chunk, and the byte after its last.
    pub start: usize,
    pub end: usize,
}

/// A chunk's bytes, followed by [`PADDING`] zeros, and where its superblocks are.
pub(super) struct Chunk {
    pub bytes: Vec<u8>,
    pub superblocks: Vec<SuperblockPlace>,
}

impl Chunk {
    /// The chunk at `chunk` of a volume of `dims`, from its bytes; `None` if they break the format's rules.
    pub fn new(mut bytes: Vec<u8>, dims: Dims, brick: BrickSize, chunk: Position) -> Option<Self> {
        let corners: Vec<_> = superblocks(dims, brick, chunk).collect();
        let mut start = 4 * (corners.len() - 1);
        let mut superblocks = Vec::with_capacity(corners.len());
        for (i, &(corner, part)) in corners.iter().enumerate() {
            let end = if i + 1 == corners.len() {
                bytes.len()
            } else {
                let length = bytes.get(4 * i..4 * i + 4)?.try_into().ok()?;
                start.checked_add(u32::from_le_bytes(length) as usize)?
            };
            if start > end || end > bytes.len() {
                return None;
            }
            superblocks.push(SuperblockPlace { corner, part, start, end });
            start = end;
        }
        bytes.resize(bytes.len() + PADDING, 0);
        Some(Self { bytes, superblocks })
    }

    /// Calls `with` for each brick that `wanted` accepts, with its corner in voxels, its minimum, its
    /// range and its voxels without the minimum. Returns `None` if bytes break the format's rules.
    pub fn bricks(
        &self,
        brick: BrickSize,
        wanted: impl Fn(Position, Dims) -> bool,
        mut with: impl FnMut(Position, u32, u32, BrickValues),
    ) -> Option<()> {
        let mut values = [0; MOST_VOXELS];
        let values = &mut values[..brick.voxel_count()];
        let mut narrow = [[0; 64]; 4];
        for &SuperblockPlace { corner, part, start, end } in &self.superblocks {
            if !wanted(corner, brick.dims().times(SIDE)) {
                continue;
            }
            let index = SuperblockIndex::read(&self.bytes, start, end, part)?;
            let place = |i: usize| brick_corner(corner, brick, i);
            // Whole bricks of 4³ are decoded four at a time; what is missing of the last four is one of them
            // again.
            let (mut four, mut count) = ([0; 4], 0);
            let mut decode = |four: [usize; 4], count: usize, with: &mut dyn FnMut(usize, BrickValues)| {
                index.four_bricks(&self.bytes, four, &mut narrow)?;
                for (&i, values) in four.iter().zip(&narrow).take(count) {
                    with(i, BrickValues::Narrow(values));
                }
                Some(())
            };
            let mut with =
                |i: usize, values: BrickValues| with(place(i), index.minima[i], index.ranges[i], values);
            for i in (0..BRICKS).filter(|&i| wanted(place(i), brick.dims())) {
                let Some(part) = part.brick(i) else { continue };
                if index.ranges[i] == 0 {
                    with(i, BrickValues::Constant);
                } else if brick == BrickSize::Four && part.is_whole() && index.ranges[i] <= MAX_NARROW {
                    four[count] = i;
                    count += 1;
                    if count == 4 {
                        decode(four, 4, &mut with)?;
                        count = 0;
                    }
                } else {
                    index.brick(&self.bytes, i, part, values)?;
                    with(i, BrickValues::Wide(values));
                }
            }
            if count > 0 {
                let one = four[0];
                four[count..].fill(one);
                decode(four, count, &mut with)?;
            }
        }
        Some(())
    }
}

/// The voxels of a brick, without its minimum.
#[derive(Clone, Copy)]
pub(super) enum BrickValues<'a> {
    /// All zero.
    Constant,
    /// Below 2¹⁶.
    Narrow(&'a [u16]),
    /// Any.
    Wide(&'a [u32]),
}

impl BrickValues<'_> {
    /// The `i`-th value.
    #[inline]
    pub fn get(&self, i: usize) -> u32 {
        match self {
            Self::Constant => 0,
            Self::Narrow(values) => values[i].into(),
            Self::Wide(values) => values[i],
        }
    }
}

//! Groups of 2×2×2 superblocks: the least that is read and verified at a time.
//!
//! Bytes: the byte count of each superblock that lies in the volume, x fastest, in four bytes each less the last one's; then the
//! superblocks.

use super::{GROUP_SIDE, table::Table};
use crate::{
    Dims, VolumeView, Voxel,
    brick::decode::{MAX_NARROW, PADDING},
    superblock::{self, BRICKS, Index, SIDE},
};

/// Buffers that encoders of groups use again.
#[derive(Default)]
pub(super) struct Scratch {
    values: Vec<u32>,
    bytes: Vec<u8>,
}

/// The superblocks of the group at `group` (in groups) that lie in a volume of `dims`, in voxels.
pub(super) fn superblocks(
    dims: Dims,
    brick_side: usize,
    group: (usize, usize, usize),
) -> impl Iterator<Item = (usize, usize, usize)> {
    let side = brick_side * SIDE;
    (0..GROUP_SIDE.pow(3)).filter_map(move |i| {
        let x = (group.0 * GROUP_SIDE + i % GROUP_SIDE) * side;
        let y = (group.1 * GROUP_SIDE + i / GROUP_SIDE % GROUP_SIDE) * side;
        let z = (group.2 * GROUP_SIDE + i / GROUP_SIDE / GROUP_SIDE) * side;
        (x < dims.x && y < dims.y && z < dims.z).then_some((x, y, z))
    })
}

/// The bytes of the group at `group` of `volume`.
pub(super) fn encode<T: Voxel>(
    volume: VolumeView<T>,
    brick_side: usize,
    group: (usize, usize, usize),
    table: Option<&Table>,
    scratch: &mut Scratch,
) -> Vec<u8> {
    let mut bodies = Vec::new();
    let mut lengths = Vec::new();
    for corner in superblocks(volume.dims(), brick_side, group) {
        let start = bodies.len();
        encode_superblock(volume, brick_side, corner, table, scratch, &mut bodies);
        lengths.push((bodies.len() - start) as u32);
    }
    let mut out = Vec::with_capacity(4 * lengths.len() + bodies.len());
    for length in &lengths[..lengths.len().saturating_sub(1)] {
        out.extend_from_slice(&length.to_le_bytes());
    }
    out.extend_from_slice(&bodies);
    out
}

fn encode_superblock<T: Voxel>(
    volume: VolumeView<T>,
    brick_side: usize,
    corner: (usize, usize, usize),
    table: Option<&Table>,
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) {
    let dims = volume.dims();
    let voxels = brick_side.pow(3);
    scratch.values.resize(BRICKS * voxels, 0);
    let (mut minima, mut ranges) = ([0; BRICKS], [0; BRICKS]);
    for (i, values) in scratch.values.chunks_exact_mut(voxels).enumerate() {
        let x = corner.0 + i % SIDE * brick_side;
        let y = corner.1 + i / SIDE % SIDE * brick_side;
        let z = corner.2 + i / SIDE / SIDE * brick_side;
        if x >= dims.x || y >= dims.y || z >= dims.z {
            // No voxel of this brick exists: it is what costs least. The first brick of a superblock always exists.
            minima[i] = minima[i - 1];
            continue;
        }
        volume.cube(brick_side, (x, y, z), values);
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
    let values = superblock::Values { brick_side, minima, ranges, values: &scratch.values };
    superblock::encode(&values, &mut scratch.bytes, out);
}

/// A group's bytes, followed by [`PADDING`] zeros, and where its superblocks are.
pub(super) struct Group {
    bytes: Vec<u8>,
    /// Corner in voxels, first and last byte of each superblock.
    superblocks: Vec<((usize, usize, usize), usize, usize)>,
}

impl Group {
    /// The group at `group` of a volume of `dims`, from its bytes; `None` if they break the format's rules.
    pub fn new(
        mut bytes: Vec<u8>,
        dims: Dims,
        brick_side: usize,
        group: (usize, usize, usize),
    ) -> Option<Self> {
        let corners: Vec<_> = superblocks(dims, brick_side, group).collect();
        let mut start = 4 * (corners.len() - 1);
        let mut superblocks = Vec::with_capacity(corners.len());
        for (i, &corner) in corners.iter().enumerate() {
            let end = if i + 1 == corners.len() {
                bytes.len()
            } else {
                let length = bytes.get(4 * i..4 * i + 4)?.try_into().ok()?;
                start.checked_add(u32::from_le_bytes(length) as usize)?
            };
            if start > end || end > bytes.len() {
                return None;
            }
            superblocks.push((corner, start, end));
            start = end;
        }
        bytes.resize(bytes.len() + PADDING, 0);
        Some(Self { bytes, superblocks })
    }

    /// Calls `with` for each brick that `wanted` says yes to, with its corner in voxels, its minimum, its range and its voxels
    /// without the minimum. Returns `None` if bytes break the format's rules.
    pub fn bricks(
        &self,
        brick_side: usize,
        wanted: impl Fn((usize, usize, usize), usize) -> bool,
        mut with: impl FnMut((usize, usize, usize), u32, u32, Values),
    ) -> Option<()> {
        let mut values = [0; 512];
        let values = &mut values[..brick_side.pow(3)];
        let mut narrow = [[0; 64]; 4];
        for &(corner, start, end) in &self.superblocks {
            if !wanted(corner, brick_side * SIDE) {
                continue;
            }
            let index = Index::read(&self.bytes, start, end)?;
            let place = |i: usize| {
                let x = corner.0 + i % SIDE * brick_side;
                let y = corner.1 + i / SIDE % SIDE * brick_side;
                let z = corner.2 + i / SIDE / SIDE * brick_side;
                (x, y, z)
            };
            // Bricks of 4³ are decoded four at a time; what is missing of the last four is one of them again.
            let (mut four, mut count) = ([0; 4], 0);
            let mut decode = |four: [usize; 4], count: usize, with: &mut dyn FnMut(usize, Values)| {
                index.four_bricks(&self.bytes, four, &mut narrow)?;
                for (&i, values) in four.iter().zip(&narrow).take(count) {
                    with(i, Values::Narrow(values));
                }
                Some(())
            };
            let mut with =
                |i: usize, values: Values| with(place(i), index.minima[i], index.ranges[i], values);
            for i in (0..BRICKS).filter(|&i| wanted(place(i), brick_side)) {
                if index.ranges[i] == 0 {
                    with(i, Values::Constant);
                } else if brick_side == 4 && index.ranges[i] <= MAX_NARROW {
                    four[count] = i;
                    count += 1;
                    if count == 4 {
                        decode(four, 4, &mut with)?;
                        count = 0;
                    }
                } else {
                    index.brick(&self.bytes, i, brick_side, values)?;
                    with(i, Values::Wide(values));
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
pub(super) enum Values<'a> {
    /// All zero.
    Constant,
    /// Below 2¹⁶.
    Narrow(&'a [u16]),
    /// Any.
    Wide(&'a [u32]),
}

impl Values<'_> {
    /// The `i`-th value.
    #[inline]
    pub fn get(&self, i: usize) -> u32 {
        match self {
            Values::Constant => 0,
            Values::Narrow(values) => values[i].into(),
            Values::Wide(values) => values[i],
        }
    }
}

//! From voxels to the bytes of a chunk.

use crate::{
    bits::width,
    brick::BrickEncoder,
    file::{
        chunk_box::ChunkBox,
        layout::{Position, brick_corner},
        parts::ALIGNMENT,
        table::Table,
    },
    patterns::{PatternCounts, Patterns},
    superblock::{BRICKS, CodedSuperblock, SuperblockBox, SuperblockValues},
    untyped::UntypedView,
};

/// A chunk of a component of a slab.
#[derive(Clone, Copy)]
pub(super) struct ChunkValues<'a> {
    pub slab: UntypedView<'a>,
    pub component: usize,
    /// Place in the slab.
    pub place: ChunkBox,
    pub table: Option<&'a Table>,
    pub encode: BrickEncoder,
}

/// A chunk whose bricks are coded.
pub(super) struct CodedChunk {
    superblocks: Vec<CodedSuperblock>,
    /// The least and the largest value.
    pub min: u32,
    pub max: u32,
}

impl CodedChunk {
    /// Codes the bricks. `values` is overwritten.
    pub fn new(chunk: ChunkValues, values: &mut Vec<u32>) -> Self {
        let mut coded = Self { superblocks: Vec::new(), min: u32::MAX, max: 0 };
        for (corner, part) in chunk.place.superblocks() {
            coded.add_superblock(chunk, corner, part, values);
        }
        coded
    }

    fn add_superblock(
        &mut self,
        chunk: ChunkValues,
        corner: Position,
        part: SuperblockBox,
        values: &mut Vec<u32>,
    ) {
        let brick = part.size();
        let voxels = brick.voxel_count();
        values.resize(BRICKS * voxels, 0);
        let (mut minima, mut ranges) = ([0; BRICKS], [0; BRICKS]);
        for (i, values) in values.chunks_exact_mut(voxels).enumerate() {
            if part.brick(i).is_none() {
                continue;
            }
            chunk.slab.copy_box(chunk.component, brick.dims(), brick_corner(corner, brick, i), values);
            if let Some(table) = chunk.table {
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
            (minima[i], ranges[i]) = (min, max - min);
            (self.min, self.max) = (self.min.min(min), self.max.max(max));
        }
        let encode = chunk.encode;
        let superblock = SuperblockValues { part, minima, ranges, values, encode };
        self.superblocks.push(CodedSuperblock::new(&superblock));
    }

    /// Counts the bricks.
    pub fn count(&self, counts: &mut PatternCounts) {
        for brick in self.superblocks.iter().flat_map(CodedSuperblock::bricks) {
            counts.add(brick);
        }
    }

    /// Returns the bytes that the file stores for `chunk`, with references to `patterns`.
    pub fn to_bytes(&self, chunk: ChunkValues, patterns: Option<&Patterns>) -> Vec<u8> {
        if self.min == self.max {
            return Vec::new();
        }
        let mut bodies = Vec::new();
        let mut lengths = Vec::with_capacity(self.superblocks.len());
        for superblock in &self.superblocks {
            let start = bodies.len();
            superblock.write(patterns, &mut bodies);
            lengths.push((bodies.len() - start) as u32);
        }
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let width = width(longest).div_ceil(8) as usize;
        let mut bytes = Vec::with_capacity(1 + width * lengths.len() + bodies.len() + ALIGNMENT);
        bytes.push(width as u8);
        for length in lengths {
            bytes.extend_from_slice(&length.to_le_bytes()[..width]);
        }
        bytes.extend_from_slice(&bodies);
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        if bytes.len() < chunk.place.raw_bytes() { bytes } else { raw(chunk) }
    }
}

/// Returns the values of a chunk, uncompressed.
fn raw(ChunkValues { slab, component, place, table, .. }: ChunkValues) -> Vec<u8> {
    let inside = place.inside();
    let mut ordinals = vec![0; inside.x * inside.y * inside.z];
    slab.copy_box(component, inside, place.corner(), &mut ordinals);
    let mut bytes = Vec::with_capacity(place.raw_bytes());
    for ordinal in ordinals {
        let value = table.map_or(ordinal, |table| table.rank(ordinal));
        bytes.extend_from_slice(&value.to_le_bytes()[..place.value_bytes()]);
    }
    bytes.resize(place.raw_bytes(), 0);
    bytes
}

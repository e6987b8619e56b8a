//! From the voxels of a slab to its chunks.

use super::encode_chunk::{ChunkValues, CodedChunk};
use crate::{
    BrickEffort, BrickSize, Cancelled, Task,
    brick::{encode, fast},
    file::{
        chunk_box::ChunkBox,
        header::Header,
        layout::{ChunkGrid, chunk_dims},
        table::Table,
    },
    patterns::{PatternCounts, Patterns},
    untyped::UntypedView,
};
use brickwork_base::parallel;
use std::collections::BTreeMap;

/// Maximum number of chunks of a component whose bricks are counted to find patterns.
const MAX_COUNTED_CHUNKS: usize = 64;

/// A slab that is being encoded.
pub(super) struct SlabEncoder<'a> {
    header: &'a Header,
    effort: BrickEffort,
    mip_level: usize,
    voxels: UntypedView<'a>,
    /// First slice in the frame, and layer of chunks.
    first_slice: usize,
    layer: usize,
    /// Rank table of each component.
    tables: Vec<Option<&'a Table>>,
    grid: ChunkGrid,
    /// Chunks that were coded to find patterns.
    coded: BTreeMap<usize, CodedChunk>,
}

/// Stored form of a chunk.
pub(super) struct EncodedChunk {
    pub bytes: Vec<u8>,
    /// The least and the largest value.
    pub min: u32,
    pub max: u32,
}

impl<'a> SlabEncoder<'a> {
    /// Returns the slab of a mip level whose first slice is `first_slice` of a frame.
    pub fn new(
        (header, effort): (&'a Header, BrickEffort),
        mip_level: usize,
        voxels: UntypedView<'a>,
        first_slice: usize,
        tables: Vec<Option<&'a Table>>,
    ) -> Self {
        let layer = first_slice / chunk_dims(header.brick, header.mip_level_dims(mip_level)).z;
        let grid = ChunkGrid::new(header, mip_level);
        Self { header, effort, mip_level, voxels, first_slice, layer, tables, grid, coded: BTreeMap::new() }
    }

    /// Returns the number of chunks.
    pub fn chunk_count(&self) -> usize {
        self.area() * self.tables.len()
    }

    /// Returns the number of chunks of each component.
    fn area(&self) -> usize {
        self.grid.dims.x * self.grid.dims.y
    }

    fn values(&self, number: usize) -> ChunkValues<'_> {
        let place = self.grid.place(number);
        let chunk = ChunkBox::new(self.header, self.mip_level, (place.x, place.y, self.layer));
        ChunkValues {
            slab: self.voxels,
            component: place.component,
            place: chunk.after_slice(self.first_slice),
            table: self.tables[place.component],
            encode: match self.effort {
                BrickEffort::Fast if self.header.brick == BrickSize::Four => fast::four,
                _ => encode::brick,
            },
        }
    }

    /// Returns the patterns of a component if they save more than `last`, those of an earlier slab; decides
    /// by a sample.
    pub fn patterns(
        &mut self,
        component: usize,
        last: Option<&Patterns>,
        task: &Task<'_>,
    ) -> Result<Option<Patterns>, Cancelled> {
        let step = self.area().div_ceil(MAX_COUNTED_CHUNKS);
        let numbers: Vec<usize> =
            (component * self.area()..(component + 1) * self.area()).step_by(step).collect();
        let coded = map(&numbers, task, |values, number| CodedChunk::new(self.values(number), values))?;
        let mut counts = PatternCounts::default();
        coded.iter().for_each(|chunk| chunk.count(&mut counts));
        self.coded.extend(numbers.into_iter().zip(coded));
        Ok(counts.best(step as u32, last))
    }

    /// Returns some of the chunks, with references to the patterns of their components.
    pub fn chunks(
        &self,
        numbers: &[usize],
        patterns: &[Option<&Patterns>],
        task: &Task<'_>,
    ) -> Result<Vec<EncodedChunk>, Cancelled> {
        map(numbers, task, |values, number| {
            let chunk = self.values(number);
            let new;
            let coded = match self.coded.get(&number) {
                Some(coded) => coded,
                None => {
                    new = CodedChunk::new(chunk, values);
                    &new
                }
            };
            let bytes = coded.to_bytes(chunk, patterns[chunk.component]);
            EncodedChunk { bytes, min: coded.min, max: coded.max }
        })
    }
}

/// Returns the results of `work` for all chunks, in parallel; `work` may overwrite the values.
fn map<R: Send>(
    numbers: &[usize],
    task: &Task<'_>,
    work: impl Fn(&mut Vec<u32>, usize) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    let work = |values: &mut Vec<u32>, number: usize| {
        task.check()?;
        Ok(work(values, number))
    };
    parallel::try_map_with(task, numbers.iter().copied(), Vec::new, work)
}

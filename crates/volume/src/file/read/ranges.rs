//! The byte ranges of a file that reading a region needs.

use super::{
    contents::{Body, BrickBody},
    open_file::OpenFile,
    region::touched,
    supplied::merged,
};
use crate::{
    Region, Selection, VolumeReadError,
    file::{
        layout::{ChunkGrid, ChunkPlace, chunk_dims},
        parts::Part,
    },
};
use std::ops::Range;

impl OpenFile<'_> {
    /// Returns the bytes that reading `region` needs, in ascending ranges that do not touch.
    pub fn ranges(self, selection: &Selection, region: &Region) -> Result<Vec<Range<u64>>, VolumeReadError> {
        let (frames, channels) = self.check(selection)?;
        let (level, words) = (selection.mip_level, self.header.voxel_type.word_count());
        let dims = self.header.mip_level_dims(level);
        region.check(dims)?;
        let components = channels.start * words..channels.end * words;
        let mut ranges = Vec::new();
        match self.body {
            Body::Bricks(body) => {
                let (grid, side) = (ChunkGrid::new(self.header, level), chunk_dims(self.header.brick, dims));
                for frame in frames {
                    for z in touched(&region.z, side.z) {
                        let slab = frame * grid.dims.z + z;
                        for component in components.clone() {
                            ranges.extend(body.table_ranges(level, slab, component));
                            for y in touched(&region.y, side.y) {
                                let chunk = |x| {
                                    body.chunk_at(grid, level, ChunkPlace { x, y, component, slab }).range()
                                };
                                ranges.extend(touched(&region.x, side.x).map(chunk));
                            }
                        }
                    }
                }
            }
            Body::Guthe2016(sections) => {
                for frame in frames {
                    let section = |component| sections.get(self.header, level, frame, component).range();
                    ranges.extend(components.clone().map(section));
                }
            }
        }
        Ok(merged(ranges))
    }
}

impl BrickBody {
    /// Returns the ranges of the tables of a component of a slab that are not read yet.
    pub fn table_ranges(
        &self,
        mip_level: usize,
        slab: usize,
        component: usize,
    ) -> impl Iterator<Item = Range<u64>> {
        let slab = &self.index.mip_levels[mip_level].slabs[slab];
        let table = slab.tables[component].checked_sub(1).map(|number| number as usize);
        let patterns = slab.patterns[component].checked_sub(1).map(|number| number as usize);
        let table = table.filter(|&number| self.tables[number].get().is_none());
        let patterns = patterns.filter(|&number| self.patterns[number].get().is_none());
        let table = table.map(|number| self.index.tables[number]);
        let patterns = patterns.map(|number| self.index.patterns[number]);
        table.into_iter().chain(patterns).map(Part::range)
    }
}

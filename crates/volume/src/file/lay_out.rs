//! The bricks of a file as they lie in memory: their own bytes, found in fewer steps.

use super::{
    chunk::{ChunkCoding, SuperblockPlace},
    contents::{Body, BrickBody, ChunkPart, OpenFile},
    layout::{ChunkGrid, ChunkPlace, Position, brick_corner, chunk_dims},
    reader::VolumeFile,
    source::ReadAt,
};
use crate::{
    BrickSize, Dims, ReadError,
    resident::{Builder, PackedSuperblock, ResidentOptions, encode_superblock},
    superblock::{BRICKS, SuperblockBox, SuperblockIndex},
};

impl<S: ReadAt> VolumeFile<S> {
    /// Lays out a word of what the options, which were checked, ask for of a file of bricks of 4³.
    pub(crate) fn lay_out(
        &self,
        options: &ResidentOptions,
        word: usize,
        builder: &mut Builder,
    ) -> Result<(), ReadError> {
        let file = self.as_open();
        let Body::Bricks(body) = file.body else { return Ok(()) };
        let mip_level = options.mip_level;
        let dims = file.header.mip_level_dims(mip_level);
        let grid = ChunkGrid::new(file.header, mip_level);
        let component = options.channel * file.header.voxel_type.word_count() + word;
        let depth = chunk_dims(file.header.brick, dims).z;
        for layer in 0..grid.dims.z {
            let slab = options.frame * grid.dims.z + layer;
            let chunk = |i: usize| {
                let (x, y) = (i % grid.dims.x, i / grid.dims.x);
                body.chunk_at(grid, mip_level, ChunkPlace { x, y, component, slab })
            };
            if let Some(number) =
                body.index.mip_levels[mip_level].slabs[slab].tables[component].checked_sub(1)
            {
                let table = file.numbered_table(body, number as usize)?;
                let slices = layer * depth..dims.z.min((layer + 1) * depth);
                builder.put_table(slices, number as usize, &table.ordinals);
            }
            // A row of chunks at a time.
            for row in 0..grid.dims.y {
                let row = row * grid.dims.x..(row + 1) * grid.dims.x;
                let work = |i: usize| file.packed(body, chunk(i), options.check);
                #[cfg(feature = "rayon")]
                let packed: Vec<_> = {
                    use rayon::prelude::*;
                    row.into_par_iter().map(work).collect::<Result<_, _>>()?
                };
                #[cfg(not(feature = "rayon"))]
                let packed: Vec<_> = row.map(work).collect::<Result<_, _>>()?;
                for (corner, superblock) in packed.iter().flatten() {
                    builder.put(*corner, superblock)?;
                }
            }
        }
        Ok(())
    }
}

impl OpenFile<'_> {
    /// The superblocks of a chunk, each with its first voxel.
    fn packed(
        self,
        body: &BrickBody,
        part: ChunkPart,
        check: bool,
    ) -> Result<Vec<(Position, PackedSuperblock)>, ReadError> {
        let chunk = self.chunk(body, part)?;
        let plain = |with: &dyn Fn(Position, SuperblockBox) -> PackedSuperblock| {
            chunk.superblocks().map(|(corner, part)| (corner, with(corner, part))).collect()
        };
        let places = match &chunk.coding {
            ChunkCoding::Constant(value) => return Ok(plain(&|_, _| PackedSuperblock::Constant(*value))),
            ChunkCoding::Raw => {
                return Ok(plain(&|corner, part| {
                    encode_superblock(part, |i, part, values| {
                        let (least, _) =
                            chunk.plain_brick(brick_corner(corner, BrickSize::Four, i), part, values);
                        values.iter_mut().for_each(|value| *value = value.wrapping_add(least));
                        part.repeat_edge(values);
                    })
                }));
            }
            ChunkCoding::Superblocks(places) => places,
        };
        if check {
            chunk.bricks(|_, _| true, |_, _, _, _| ()).ok_or_else(|| part.broken())?;
        }
        let packed = |&SuperblockPlace { corner, part: superblock, start, end }: &SuperblockPlace| {
            let mut index = SuperblockIndex::ZEROS;
            index.read(&chunk.bytes, start, end, superblock, chunk.patterns.as_ref())?;
            let mut bricks = [&[][..]; BRICKS];
            for (i, brick) in bricks.iter_mut().enumerate().filter(|(i, _)| index.ranges[*i] > 0) {
                *brick = chunk.bytes.get(index.starts[i] as usize..index.ends[i] as usize)?;
            }
            let inside: Dims = superblock.bricks_inside();
            Some((corner, PackedSuperblock::new(&index.minima, &index.ranges, &bricks, inside)))
        };
        places.iter().map(|place| packed(place).ok_or_else(|| part.broken())).collect()
    }
}

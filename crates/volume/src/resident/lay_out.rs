//! The layout of a file's bricks in memory: the bytes of the file, found in fewer steps.

use super::{
    ResidentOptions,
    build::{Builder, encode_superblock},
    superblock::PackedSuperblock,
};
use crate::{
    BrickSize, Dims, ReadAt, VolumeFile, VolumeReadError,
    file::{
        Body, BrickBody, ChunkCoding, ChunkGrid, ChunkPart, ChunkPlace, OpenFile, Position, SectionReader,
        Sections, SuperblockPlace, brick_corner, chunk_dims, corner_after,
    },
    guthe2016,
    superblock::{BRICKS, SIDE, SuperblockBox, SuperblockIndex},
};
use brickwork_base::parallel;

impl<S: ReadAt> VolumeFile<S> {
    /// Lays out one word of the selection of `options`, which were checked: the bricks of the file.
    pub(crate) fn lay_out(
        &self,
        options: &ResidentOptions,
        word: usize,
        builder: &mut Builder,
    ) -> Result<(), VolumeReadError> {
        let file = self.as_open();
        let component = options.channel * file.header.voxel_type.word_count() + word;
        let body = match file.body {
            Body::Bricks(body) => body,
            Body::Guthe2016(sections) => {
                return file.lay_out_sections(sections, options, component, builder);
            }
        };
        let mip_level = options.mip_level;
        let grid = ChunkGrid::new(file.header, mip_level);
        for layer in 0..grid.dims.z {
            let slab = options.frame * grid.dims.z + layer;
            let chunk = |i: usize| {
                let (x, y) = (i % grid.dims.x, i / grid.dims.x);
                body.chunk_at(grid, mip_level, ChunkPlace { x, y, component, slab })
            };
            file.put_table(body, options, component, layer, builder)?;
            // A row of chunks at a time.
            for row in 0..grid.dims.y {
                let row = row * grid.dims.x..(row + 1) * grid.dims.x;
                let task = builder.task();
                let work = |i: usize| {
                    task.check()?;
                    file.packed(body, chunk(i), options)
                };
                let packed = parallel::try_map(task, row, work)?;
                for (corner, superblock) in packed.iter().flatten() {
                    builder.put(*corner, superblock)?;
                }
                builder.report()?;
            }
        }
        Ok(())
    }
}

impl OpenFile<'_> {
    /// Gives the superblocks of a layer of chunks their rank table, if they have one.
    pub(super) fn put_table(
        self,
        body: &BrickBody,
        options: &ResidentOptions,
        component: usize,
        layer: usize,
        builder: &mut Builder,
    ) -> Result<(), VolumeReadError> {
        let mip_level = options.mip_level;
        let slab = options.frame * ChunkGrid::new(self.header, mip_level).dims.z + layer;
        let tables = &body.index.mip_levels[mip_level].slabs[slab].tables;
        let Some(number) = tables[component].checked_sub(1) else { return Ok(()) };
        let table = self.numbered_table(body, number as usize)?;
        let dims = self.header.mip_level_dims(mip_level);
        let depth = chunk_dims(self.header.brick, dims).z;
        let slices = layer * depth..dims.z.min((layer + 1) * depth);
        builder.put_table(slices, number as usize, &table.ordinals);
        Ok(())
    }

    /// Returns the superblocks of a chunk, each with its first voxel.
    pub(super) fn packed(
        self,
        body: &BrickBody,
        part: ChunkPart,
        options: &ResidentOptions,
    ) -> Result<Vec<(Position, PackedSuperblock)>, VolumeReadError> {
        let chunk = self.chunk(body, part)?;
        let plain = |with: &dyn Fn(Position, SuperblockBox) -> PackedSuperblock| {
            chunk.superblocks().map(|(corner, part)| (corner, with(corner, part))).collect()
        };
        let places = match &chunk.coding {
            ChunkCoding::Constant(value) => return Ok(plain(&|_, _| PackedSuperblock::Constant(*value))),
            ChunkCoding::Raw => {
                return Ok(plain(&|corner, part| {
                    encode_superblock(part, options.encoder(), |i, part, values| {
                        let (least, _) = chunk.plain_brick(brick_corner(corner, part.size, i), part, values);
                        values.iter_mut().for_each(|value| *value = value.wrapping_add(least));
                        part.repeat_edge(values);
                    })
                }));
            }
            ChunkCoding::Superblocks(places) => places,
        };
        if options.check {
            chunk.bricks(None, |_, _, _, _, _| ()).ok_or_else(|| part.broken())?;
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

    /// Lays out a component of the profile guthe2016.
    fn lay_out_sections(
        self,
        sections: &Sections,
        options: &ResidentOptions,
        component: usize,
        builder: &mut Builder,
    ) -> Result<(), VolumeReadError> {
        let dims = self.header.mip_level_dims(options.mip_level);
        let superblocks = dims.covered_by(BrickSize::Four.dims().times(SIDE));
        let task = builder.task();
        let row = |y: usize, z: usize| {
            let section = sections.get(self.header, options.mip_level, options.frame, component);
            let mut bricks = SectionReader::new(self.source, section)?;
            let one = |x: usize| {
                task.check()?;
                let corner = corner_after((0, 0, 0), BrickSize::Four.dims().times(SIDE), (x, y, z));
                Ok((corner, bricks.superblock(corner, dims, options.check)?))
            };
            (0..superblocks.x).map(one).collect::<Result<Vec<_>, VolumeReadError>>()
        };
        for z in 0..superblocks.z {
            let packed = parallel::try_map(task, 0..superblocks.y, |y| row(y, z))?;
            for (corner, superblock) in packed.iter().flatten() {
                builder.put(*corner, superblock)?;
            }
            builder.report()?;
        }
        Ok(())
    }
}

impl SectionReader<'_> {
    /// Returns the bricks of the superblock whose first voxel is `corner`.
    fn superblock(
        &mut self,
        corner: Position,
        dims: Dims,
        check: bool,
    ) -> Result<PackedSuperblock, VolumeReadError> {
        let part = SuperblockBox::at(BrickSize::Four, corner, dims).expect("a superblock of the volume");
        let (mut minima, mut ranges) = ([0; BRICKS], [0; BRICKS]);
        let (mut bytes, mut ends) = (Vec::new(), [0; BRICKS]);
        for i in 0..BRICKS {
            if part.brick(i).is_some() {
                let (x, y, z) = brick_corner(corner, BrickSize::Four, i);
                let side = guthe2016::SIDE;
                self.with_parts((x / side, y / side, z / side), |brick| {
                    (minima[i], ranges[i]) = (brick.min, brick.range);
                    bytes.extend_from_slice(brick.coded);
                    (!check || guthe2016::decode_values(brick.coded, brick.range).is_some()).then_some(())
                })?;
            }
            ends[i] = bytes.len();
        }
        let start = |i: usize| if i == 0 { 0 } else { ends[i - 1] };
        let bricks: [&[u8]; BRICKS] = std::array::from_fn(|i| &bytes[start(i)..ends[i]]);
        Ok(PackedSuperblock::new(&minima, &ranges, &bricks, part.bricks_inside()))
    }
}

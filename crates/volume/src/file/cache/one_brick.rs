//! Reading of one brick: a fast path for most bricks, and a general one.

use super::{
    chunk_cache::ChunkCache,
    voxels::{add, check_length, fill, ordinals},
};
use crate::{
    BrickAddress, BrickSize, Header, Selection, ShapeError, VolumeReadError,
    file::read::{Body, OpenFile, Ordinals, SectionReader},
    with_voxel_type,
};

impl ChunkCache {
    /// Fills `voxels`, bytes aligned for their type, with the numbers of a brick's channel.
    pub fn read_brick(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        match self.read_quickly(file.header, brick, voxels) {
            Some(()) => Ok(()),
            None => self.read_slowly(file, brick, voxels),
        }
    }

    /// Works like [`read_brick`](Self::read_brick) for any brick.
    #[cold]
    #[inline(never)]
    fn read_slowly(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        self.check(file, brick)?;
        check_length(file, 1, voxels)?;
        self.read_checked(file, brick, voxels)
    }

    /// Works like [`read_brick`](Self::read_brick) for a whole brick of 4³ and one word, with its chunk in
    /// memory and its record at the position of its number, as for nearly every brick. It takes few
    /// instructions, so that the processor soon reaches the next brick and also waits for its memory.
    #[inline]
    pub fn read_quickly(&self, header: &Header, brick: BrickAddress, voxels: &mut [u8]) -> Option<()> {
        let BrickAddress { x, y, z, mip_level, frame, channel } = brick;
        let shape = self.mip_levels.get(mip_level)?;
        let is_there = shape.quick.contains((x, y, z)) && frame < header.frames && channel < header.channels;
        if !is_there || voxels.len() != 64 * header.voxel_type.byte_count() {
            return None;
        }
        let (place, number) = shape.place(brick, channel);
        let loaded = self.slots.get(shape.first_slot + shape.grid.number(place))?.load();
        let mut values = [0; 64];
        let min = loaded.chunk()?.quick_brick(number, &mut values)?;
        with_voxel_type!(header.voxel_type, T => add::<T>(voxels, &values, min));
        Some(())
    }

    /// Checks that the brick exists.
    pub fn check(&self, file: OpenFile, brick: BrickAddress) -> Result<(), VolumeReadError> {
        let BrickAddress { x, y, z, mip_level: level, frame, channel } = brick;
        let frames = Some(frame..frame.saturating_add(1));
        file.check(&Selection { mip_level: level, frames, channel: Some(channel) })?;
        let bricks = self.mip_levels[level].bricks;
        if !bricks.contains((x, y, z)) {
            return Err(ShapeError::NoSuchBrick { place: [x, y, z], bricks }.into());
        }
        Ok(())
    }

    /// Reads all words of an existing brick into its number of voxels.
    #[inline]
    pub fn read_checked(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        for word in 0..file.header.voxel_type.word_count() {
            match file.header.brick {
                BrickSize::Four => self.read_word::<64>(file, brick, word, voxels)?,
                BrickSize::Eight => self.read_word::<512>(file, brick, word, voxels)?,
                BrickSize::Flat => self.read_word::<256>(file, brick, word, voxels)?,
            }
        }
        Ok(())
    }

    /// Reads one word for [`read_brick`](Self::read_brick). The brick has `COUNT` voxels and is inside the
    /// volume.
    fn read_word<const COUNT: usize>(
        &self,
        file: OpenFile,
        brick: BrickAddress,
        word: usize,
        voxels: &mut [u8],
    ) -> Result<(), VolumeReadError> {
        let BrickAddress { x, y, z, mip_level: level, frame, channel } = brick;
        let voxel_type = file.header.voxel_type;
        let component = channel * voxel_type.word_count() + word;
        let body = match file.body {
            Body::Bricks(body) => body,
            Body::Guthe2016(sections) => {
                let section = sections.get(file.header, level, frame, component);
                let ordinals = SectionReader::new(file.source, section)?.brick(x, y, z)?;
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, word, &ordinals, Ordinals::From(0)));
                return Ok(());
            }
        };
        let (part, number) = self.place(body, brick, component);
        let inside = self.mip_levels[level].inside(file.header.brick, brick);
        let inside = inside.ok_or_else(|| part.broken())?;
        self.with_chunk(file, body, part, |chunk| {
            if COUNT == 64 && inside.is_whole() && chunk.is_narrow(number) {
                let mut values = [0; 64];
                let minimum = chunk.narrow_brick(number, &mut values).ok_or_else(|| part.broken())?;
                let ordinals = ordinals(file, body, part, minimum)?;
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, word, &values, ordinals));
            } else {
                let mut values = [0; COUNT];
                let minimum =
                    chunk.brick((x, y, z), number, inside, &mut values).ok_or_else(|| part.broken())?;
                let ordinals = ordinals(file, body, part, minimum)?;
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, word, &values, ordinals));
            }
            Ok(())
        })
    }
}

//! Several bricks together: their memory is waited for once, and narrow ones are decoded by fours.

use super::{
    chunk_cache::ChunkCache,
    open_chunk::OpenChunk,
    voxels::{check_length, fill, ordinals},
};
use crate::{
    BrickAddress, BrickSize, Task, VolumeReadError,
    brick::BrickBox,
    file::read::{Body, BrickBody, OpenFile},
    with_voxel_type,
};
use std::array;

/// Bricks whose memory is waited for at once. (A thread can hold eight chunks without counting them.)
const AT_ONCE: usize = 8;

impl ChunkCache {
    /// Fills `voxels`, bytes aligned for their type, with the numbers of each brick's channel.
    pub fn read_bricks(
        &self,
        file: OpenFile,
        bricks: &[BrickAddress],
        voxels: &mut [u8],
        task: &Task<'_>,
    ) -> Result<(), VolumeReadError> {
        for &brick in bricks {
            self.check(file, brick)?;
        }
        let length = check_length(file, bricks.len(), voxels)?;
        for (bricks, voxels) in bricks.chunks(AT_ONCE).zip(voxels.chunks_mut(AT_ONCE * length)) {
            task.check()?;
            let mut is_done = [false; AT_ONCE];
            if let ([_, _, ..], Body::Bricks(body)) = (bricks, file.body) {
                self.read_together(file, body, bricks, voxels, &mut is_done)?;
            }
            let left = bricks.iter().zip(voxels.chunks_exact_mut(length)).zip(is_done);
            for ((&brick, voxels), _) in left.filter(|(_, is_done)| !is_done) {
                if self.read_quickly(file.header, brick, voxels).is_none() {
                    self.read_checked(file, brick, voxels)?;
                }
            }
        }
        Ok(())
    }

    /// Reads and marks those of up to [`AT_ONCE`] bricks that can be decoded four at a time. For the others,
    /// it prefetches the memory that reading them needs. One brick waits for three memory accesses in
    /// sequence; several bricks wait for theirs at the same time. (For a brick of two words this is the first
    /// word.)
    fn read_together(
        &self,
        file: OpenFile,
        body: &BrickBody,
        bricks: &[BrickAddress],
        voxels: &mut [u8],
        is_done: &mut [bool; AT_ONCE],
    ) -> Result<(), VolumeReadError> {
        let (size, voxel_type) = (file.header.brick, file.header.voxel_type);
        // In two steps: finding a chunk is an exchange, after which a processor starts over with loads.
        let chunks: [_; AT_ONCE] = array::from_fn(|i| {
            let &brick = bricks.get(i)?;
            let (part, number) = self.place(body, brick, brick.channel * voxel_type.word_count());
            Some((self.slot(part).1.load(), part, number))
        });
        let near = |i: usize| {
            let (chunk, part, number) = chunks[i].as_ref()?;
            Some((chunk.chunk()?, *part, *number))
        };
        for (chunk, _, number) in (0..AT_ONCE).filter_map(near) {
            chunk.touch(number);
        }
        if size != BrickSize::Four || voxel_type.word_count() != 1 {
            return Ok(());
        }
        let (mut narrow, mut count) = ([0; AT_ONCE], 0);
        for (i, &brick) in bricks.iter().enumerate() {
            let is_whole =
                self.mip_levels[brick.mip_level].inside(size, brick).is_some_and(BrickBox::is_whole);
            if is_whole && near(i).is_some_and(|(chunk, _, number)| chunk.is_narrow(number)) {
                narrow[count] = i;
                count += 1;
            }
        }
        let length = size.voxel_count() * voxel_type.byte_count();
        for &four in narrow[..count].as_chunks::<4>().0 {
            let [Some(a), Some(b), Some(c), Some(d)] = four.map(near) else { continue };
            let four_chunks = [a, b, c, d].map(|(chunk, _, number)| (chunk, number));
            let mut values = [[0; 64]; 4];
            // The error of a damaged brick comes from the read of this brick alone.
            let Some(fields) = OpenChunk::four_bricks(four_chunks, &mut values) else { continue };
            for (k, i) in four.into_iter().enumerate() {
                let ordinals = ordinals(file, body, [a, b, c, d][k].1, fields[k])?;
                let voxels = &mut voxels[i * length..(i + 1) * length];
                with_voxel_type!(voxel_type, T => fill::<T>(voxels, 0, &values[k], ordinals));
                is_done[i] = true;
            }
        }
        Ok(())
    }
}

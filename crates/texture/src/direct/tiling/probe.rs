//! Blocks that are copied into a texture to find their order, and evaluation of the texture's memory
//! afterwards.

use crate::{Cancelled, Task};

/// Number of slots between two checks for cancellation.
const SLOTS_AT_A_TIME: u32 = 1 << 16;

/// Distinct blocks that can be recognized in a read-back.
///
/// Block i, row by row, is 2 or 4 words of 32 bits, little-endian:
///
/// | word | value |
/// |---|---|
/// | 0 | i + 1 |
/// | 1 | a hash of word 0 and `salt` |
/// | 2 | the complement of word 0, if blocks have 16 bytes |
/// | 3 | the complement of word 1, if blocks have 16 bytes |
///
/// All other memory is treated as padding. This fails for memory that still contains an earlier probe. Each
/// probe of a process therefore needs a different `salt`, or memory that was cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Width of the texture in blocks.
    pub width: u32,
    /// Height of the texture in blocks.
    pub height: u32,
    /// Bytes per block: 8 or 16.
    pub bytes_per_block: u32,
    /// Number that distinguishes this probe from others.
    pub salt: u32,
}

/// The reason why a read-back does not show the position of each block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// A block occurs twice in memory.
    #[error("block {block:?} is in slots {} and {}", slots[0], slots[1])]
    Duplicate {
        /// x and y of the block.
        block: (u32, u32),
        /// The first two slots that contain it.
        slots: [u32; 2],
    },
    /// Blocks are missing.
    #[error("{count} of {of} blocks are not in the memory, the first is {block:?}")]
    Missing {
        /// x and y of the first missing block, row by row.
        block: (u32, u32),
        /// Number of missing blocks.
        count: u32,
        /// Number of blocks in the texture.
        of: u32,
    },
    /// The caller cancelled the [`Task`].
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Probe {
    fn count(&self) -> u32 {
        let count = self.width.checked_mul(self.height).filter(|&count| count < u32::MAX);
        count.expect("a probe has fewer than 2³² − 1 blocks")
    }

    /// Returns the block with the given number.
    fn words(&self, i: u32) -> [u32; 4] {
        let id = i + 1;
        // Finalizer of Appleby's MurmurHash3: each bit of the number and of the salt reaches every bit of the
        // hash.
        let mut check = id ^ self.salt.wrapping_mul(0x9e37_79b9);
        check = (check ^ check >> 16).wrapping_mul(0x85eb_ca6b);
        check = (check ^ check >> 13).wrapping_mul(0xc2b2_ae35);
        check ^= check >> 16;
        [id, check, !id, !check]
    }

    fn block_words(&self) -> usize {
        match self.bytes_per_block {
            8 => 2,
            16 => 4,
            other => panic!("blocks of {other} bytes"),
        }
    }

    /// Returns the blocks, row by row, for copying into the texture.
    ///
    /// # Panics
    /// If blocks have neither 8 nor 16 bytes, or if there are 2³² − 1 or more.
    pub fn blocks(&self) -> Vec<u8> {
        let words = self.block_words();
        (0..self.count())
            .flat_map(|i| self.words(i).into_iter().take(words))
            .flat_map(u32::to_le_bytes)
            .collect()
    }

    /// Returns the slot of each block, row by row, from the memory of the texture. Bytes after the last whole
    /// slot are ignored. The task reports nothing.
    ///
    /// # Errors
    /// [`ProbeError`].
    ///
    /// # Panics
    /// As [`blocks`](Self::blocks).
    pub fn slots(&self, memory: &[u8], task: &Task<'_>) -> Result<Vec<u32>, ProbeError> {
        let (count, words) = (self.count(), self.block_words());
        let block = |i: u32| (i % self.width, i / self.width);
        let mut slots = vec![None; count as usize];
        for (slot, bytes) in (0..).zip(memory.chunks_exact(4 * words)) {
            if slot % SLOTS_AT_A_TIME == 0 {
                task.check()?;
            }
            let mut found = [0; 4];
            for (word, bytes) in found.iter_mut().zip(bytes.chunks_exact(4)) {
                *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            }
            let i = found[0].wrapping_sub(1);
            if i >= count || found[..words] != self.words(i)[..words] {
                continue;
            }
            if let Some(first) = slots[i as usize].replace(slot) {
                return Err(ProbeError::Duplicate { block: block(i), slots: [first, slot] });
            }
        }
        let missing = |slots: &[Option<u32>]| slots.iter().filter(|slot| slot.is_none()).count() as u32;
        match (0..).zip(&slots).find(|(_, slot)| slot.is_none()) {
            Some((i, _)) => Err(ProbeError::Missing { block: block(i), count: missing(&slots), of: count }),
            None => Ok(slots.into_iter().flatten().collect()),
        }
    }
}

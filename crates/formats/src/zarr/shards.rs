//! Shards: files of several chunks with an index of their byte ranges (the codec `sharding_indexed`).

use super::{fault::fault, store::KeyFile};
use crate::{FormatError, ZarrFeature};
use std::{
    collections::HashMap,
    num::NonZeroU64,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};
use zarrs::metadata_ext::codec::sharding::{ShardingCodecConfigurationV1, ShardingIndexLocation};

/// Maximum number of chunks in a shard: their index takes 16 MiB.
pub const MAX_CHUNKS: u64 = 1 << 20;

/// Bytes of an entry of the index: offset and size of a chunk.
const ENTRY_BYTES: u64 = 16;

/// Offsets and sizes of the chunks of a shard; the largest numbers for a chunk that is not stored.
type Index = Arc<Vec<[u64; 2]>>;

/// Shards of an array.
pub struct Shards {
    /// Number of chunks in a shard along each axis.
    per_shard: Vec<u64>,
    is_index_first: bool,
    has_checksum: bool,
    /// Indices that were read, with at most `MAX_CHUNKS` entries.
    indices: Mutex<HashMap<Vec<u64>, Index>>,
}

impl Shards {
    /// Returns the shards of an array whose metadata has the key `key`.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] if shards do not consist of whole chunks, [`FormatError::Unsupported`] for other
    /// codecs of the index.
    pub fn new(
        key: &str,
        shard: &[NonZeroU64],
        inner: &ShardingCodecConfigurationV1,
    ) -> Result<Self, FormatError> {
        let chunk = &inner.chunk_shape;
        let is_whole = |(shard, chunk): (&NonZeroU64, &NonZeroU64)| shard.get().is_multiple_of(chunk.get());
        if shard.len() != chunk.len() || !shard.iter().zip(chunk).all(is_whole) {
            return Err(fault(key, format!("shards of {shard:?} do not consist of chunks of {chunk:?}")));
        }
        let per_shard: Vec<u64> =
            shard.iter().zip(chunk).map(|(shard, chunk)| shard.get() / chunk.get()).collect();
        let count = per_shard.iter().try_fold(1u64, |count, &side| count.checked_mul(side));
        if count.is_none_or(|count| count > MAX_CHUNKS) {
            return Err(fault(key, format!("shards of {per_shard:?} chunks are too large")));
        }
        let mut has_checksum = false;
        for codec in &inner.index_codecs {
            let endian = codec.configuration().and_then(|configuration| configuration.get("endian"));
            match codec.name() {
                "bytes" if endian.is_none_or(|endian| endian == "little") => {}
                "crc32c" => has_checksum = true,
                name => return Err(ZarrFeature::Codec(format!("{name} of a shard's index")).into()),
            }
        }
        let is_index_first = inner.index_location == ShardingIndexLocation::Start;
        Ok(Self { per_shard, is_index_first, has_checksum, indices: Mutex::default() })
    }

    /// Returns the number of shards along each axis of an array of so many chunks.
    pub fn counts(&self, chunks: &[u64]) -> Vec<u64> {
        chunks.iter().zip(&self.per_shard).map(|(count, per_shard)| count.div_ceil(*per_shard)).collect()
    }

    /// Returns the chunks of a shard, in an array of so many chunks along each axis.
    pub fn chunks_of(&self, shard: &[u64], chunks: &[u64]) -> Vec<Range<u64>> {
        let along = |(axis, count): (usize, &u64)| {
            let start = shard[axis] * self.per_shard[axis];
            start..start.saturating_add(self.per_shard[axis]).min(*count)
        };
        chunks.iter().enumerate().map(along).collect()
    }

    /// Returns the indices of the shard that contains a chunk.
    pub fn of_chunk(&self, chunk: &[u64]) -> Vec<u64> {
        chunk.iter().zip(&self.per_shard).map(|(index, count)| index / count).collect()
    }

    /// Reads the bytes of a chunk, at most `limit`; returns `None` if it is not stored.
    ///
    /// # Errors
    /// Reason why the shard is damaged or cannot be read.
    pub fn read(
        &self,
        mut file: KeyFile,
        shard: &[u64],
        chunk: &[u64],
        limit: u64,
    ) -> Result<Option<Vec<u8>>, String> {
        let index = self.index(&mut file, shard)?;
        let place =
            chunk.iter().zip(&self.per_shard).fold(0, |at, (index, count)| at * count + index % count);
        let [offset, size] = index[place as usize];
        if (offset, size) == (u64::MAX, u64::MAX) {
            return Ok(None);
        }
        let end = offset.checked_add(size).filter(|&end| end <= file.byte_count && size <= limit);
        let Some(end) = end else {
            let text = format!("inner chunk {chunk:?}: offset {offset} and size {size} are not allowed");
            return Err(text);
        };
        file.read(offset..end).map(Some).map_err(|error| error.to_string())
    }

    fn index(&self, file: &mut KeyFile, shard: &[u64]) -> Result<Index, String> {
        if let Some(index) = self.lock().get(shard) {
            return Ok(Arc::clone(index));
        }
        let count: u64 = self.per_shard.iter().product();
        let (entries, sum_bytes) = (count * ENTRY_BYTES, if self.has_checksum { 4 } else { 0 });
        let byte_count = entries + sum_bytes;
        let start = if self.is_index_first { Some(0) } else { file.byte_count.checked_sub(byte_count) };
        let start = start.filter(|_| byte_count <= file.byte_count);
        let start =
            start.ok_or_else(|| format!("the index takes {byte_count} bytes, more than there are"))?;
        let bytes = file.read(start..start + byte_count).map_err(|error| error.to_string())?;
        if bytes.len() as u64 != byte_count {
            return Err("the index ends too soon".to_owned());
        }
        let (bytes, sum) = bytes.split_at(entries as usize);
        if self.has_checksum && crc32c::crc32c(bytes).to_le_bytes() != *sum {
            return Err("the checksum of the index differs".to_owned());
        }
        let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let words: Vec<u64> = words.collect();
        let index = Arc::new(words.as_chunks::<2>().0.to_vec());
        let mut indices = self.lock();
        if (indices.len() as u64 + 1) * count > MAX_CHUNKS {
            indices.clear();
        }
        indices.insert(shard.to_vec(), Arc::clone(&index));
        Ok(index)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Vec<u64>, Index>> {
        self.indices.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

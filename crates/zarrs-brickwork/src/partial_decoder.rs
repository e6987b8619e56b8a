//! Parts of chunks, from the byte ranges that they need.

use crate::{
    failure::failure,
    shape::{chunk_shape, region},
};
use brickwork_volume::{ChunkReader, ChunkShape, Region, Strides, SuppliedBytes, Task};
use std::num::NonZeroU64;
use std::sync::Arc;
use zarrs::{
    array::{
        ArrayBytes, ArrayPartialDecoderTraits, BytesPartialDecoderTraits, CodecError, CodecOptions, DataType,
        FillValue, Indexer,
    },
    storage::{StorageError, byte_range::ByteRange},
};

/// Chunks of at most this many bytes of voxels are fetched whole: one request takes less time than two.
const MAX_WHOLE_BYTES: usize = 1 << 18;

/// Bytes that contain the index of most chunks.
const SUFFIX: u64 = 4096;

/// A chunk whose parts are decoded. It keeps no bytes.
pub(crate) struct PartialDecoder {
    input: Arc<dyn BytesPartialDecoderTraits>,
    sides: Vec<u64>,
    shape: ChunkShape,
    data_type: DataType,
    fill_value: FillValue,
}

impl PartialDecoder {
    /// Returns the decoder of a chunk; nothing is fetched.
    pub fn new(
        input: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<Self, CodecError> {
        Ok(Self {
            input,
            sides: shape.iter().map(|side| side.get()).collect(),
            shape: chunk_shape(shape, data_type)?,
            data_type: data_type.clone(),
            fill_value: fill_value.clone(),
        })
    }

    /// Fetches the index, or a small chunk as a whole; `None` if there is no such chunk.
    fn open(&self, options: &CodecOptions) -> Result<Option<ChunkReader<SuppliedBytes>>, CodecError> {
        let from_last = |last: Vec<u8>| ChunkReader::from_suffix(last, &self.shape).map_err(failure);
        let voxel_bytes = self.shape.voxel_type().byte_count();
        let byte_count = self.shape.dims().byte_count(voxel_bytes).map_err(failure)?;
        if byte_count > MAX_WHOLE_BYTES && self.input.supports_partial_decode() {
            // An error may mean a chunk of fewer bytes. All other errors occur again below.
            let last = self.input.partial_decode(ByteRange::Suffix(SUFFIX), options);
            if let Ok(None) = last {
                return Ok(None);
            }
            if let Ok(Some(last)) = last {
                match ChunkReader::suffix_bytes(&last) {
                    Some(count) if count <= last.len() as u64 => {
                        return from_last(last.into_owned()).map(Some);
                    }
                    Some(count) => {
                        let last = self.input.partial_decode(ByteRange::Suffix(count), options)?;
                        return last.map(|last| from_last(last.into_owned())).transpose();
                    }
                    None => {}
                }
            }
        }
        let all = self.input.decode(options)?;
        all.map(|all| from_last(all.into_owned())).transpose()
    }

    /// Returns the voxels of a region, dense; `None` if there is no such chunk.
    fn read(&self, region: &Region, options: &CodecOptions) -> Result<Option<Vec<u8>>, CodecError> {
        let Some(reader) = self.open(options)? else { return Ok(None) };
        let ranges = reader.ranges(region).map_err(failure)?;
        if !ranges.is_empty() {
            let requests: Vec<ByteRange> = ranges.iter().cloned().map(ByteRange::from).collect();
            let Some(parts) = self.input.partial_decode_many(Box::new(requests.into_iter()), options)? else {
                return Ok(None);
            };
            for (range, bytes) in ranges.iter().zip(parts) {
                reader.supply(range.start, bytes.into_owned()).map_err(failure)?;
            }
        }
        let dims = region.dims();
        let byte_count = dims.byte_count(self.shape.voxel_type().byte_count()).map_err(failure)?;
        let mut voxels = vec![0; byte_count];
        reader.read_region(region, &mut voxels, &Strides::dense(dims, 1), &Task::new()).map_err(failure)?;
        Ok(Some(voxels))
    }
}

impl ArrayPartialDecoderTraits for PartialDecoder {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn exists(&self) -> Result<bool, StorageError> {
        self.input.exists()
    }

    fn size_held(&self) -> usize {
        self.input.size_held()
    }

    fn partial_decode(
        &self,
        indexer: &dyn Indexer,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'_>, CodecError> {
        let fill =
            || ArrayBytes::new_fill_value(&self.data_type, indexer.len(), &self.fill_value).map_err(failure);
        if indexer.is_empty() {
            return fill();
        }
        if let Some(subset) = indexer.as_array_subset() {
            let voxels = self.read(&region(subset)?, options)?;
            return voxels.map_or_else(fill, |voxels| Ok(ArrayBytes::new_flen(voxels)));
        }
        // Single voxels: from the whole chunk.
        let Some(voxels) = self.read(&Region::all(self.shape.dims()), options)? else { return fill() };
        let whole = ArrayBytes::new_flen(voxels);
        Ok(whole.extract_array_subset(indexer, &self.sides, &self.data_type)?.into_owned())
    }

    fn supports_partial_decode(&self) -> bool {
        true
    }
}

//! A Zarr array: its metadata, checked, and its chunks.
//!
//! zarrs parses metadata and fill values, and decodes arrays from bytes. Files, compression, checksums and
//! shards are read here, within limits: zarrs allocates what a file claims, and adds up the offsets in the
//! index of a shard without a check.

use super::{bytes_codec::BytesCodec, chunk_files::ChunkFiles, fault::fault, shards::Shards, store::Store};
use crate::{FormatError, ZarrFeature};
use brickwork_volume::VoxelType;
use std::{num::NonZeroU64, ops::Range};
use zarrs::{
    array::{ArrayToBytesCodecTraits as _, CodecChain, CodecOptions, DataType, FillValue},
    metadata::{
        ChunkKeySeparator,
        v2::{ArrayMetadataV2, ArrayMetadataV2Order, DataTypeMetadataV2},
        v3::{ArrayMetadataV3, MetadataV3},
    },
    metadata_ext::{
        chunk_grid::regular::RegularChunkGridConfiguration, codec::sharding::ShardingCodecConfigurationV1,
    },
};
// Links the codec: zarrs finds it by its name.
use zarrs_brickwork as _;

/// Maximum size of a chunk in bytes: numcodecs refuses larger buffers.
pub const MAX_CHUNK_BYTES: u128 = (1 << 31) - 1;

/// Allowance for chunks that compression makes larger: twice the bytes of the voxels, and this many more.
const OVERHEAD_BYTES: usize = 1 << 16;

/// A Zarr array of version 2 or 3.
pub struct ZarrArray {
    store: Store,
    /// Path of the array in the store: empty, or with a slash at its end.
    pub prefix: String,
    /// Version of the Zarr format: 2 or 3.
    pub version: u8,
    pub voxel_type: VoxelType,
    pub shape: Vec<u64>,
    /// Sides of a chunk; of an inner chunk, if there are shards.
    pub chunk: Vec<NonZeroU64>,
    /// Number of bytes of a chunk's voxels.
    pub chunk_bytes: usize,
    /// Bytes of a number that is not stored, in the machine's order.
    pub fill: Vec<u8>,
    /// Names of the axes.
    pub names: Vec<Option<String>>,
    /// Names of the codecs.
    pub codecs: Vec<String>,
    /// Names of attributes that are not read, sorted.
    pub attributes: Vec<String>,
    keys: ChunkKeys,
    chain: CodecChain,
    /// True if the codec `bytes` makes the bytes, so that their number is known.
    is_plain: bool,
    bytes_codecs: Vec<BytesCodec>,
    pub shards: Option<Shards>,
    data_type: DataType,
    fill_value: FillValue,
    /// Bytes of memory for shards that the archive compresses.
    pub unpacked_bytes: u64,
}

/// Names of chunk files.
#[derive(Clone, Copy)]
struct ChunkKeys {
    start: &'static str,
    separator: &'static str,
}

/// Properties of an array that both versions state.
struct Parts {
    version: u8,
    key: String,
    voxel_type: VoxelType,
    shape: Vec<u64>,
    chunk: Vec<NonZeroU64>,
    names: Vec<Option<String>>,
    keys: ChunkKeys,
    chain: Vec<MetadataV3>,
    bytes_codecs: Vec<BytesCodec>,
    codecs: Vec<String>,
    attributes: Vec<String>,
    shards: Option<Shards>,
    fill: Result<FillValue, String>,
    data_type: DataType,
}

impl ZarrArray {
    /// Returns the array of version 3 with this metadata at `prefix` of the store.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] for metadata that is not allowed, [`FormatError::Unsupported`].
    pub fn of_v3(store: &Store, prefix: &str, metadata: ArrayMetadataV3) -> Result<Self, FormatError> {
        let key = format!("{prefix}zarr.json");
        let invalid = |error: &dyn std::fmt::Display| fault(&key, error.to_string());
        let extension = |what, name: &str| ZarrFeature::Extension { what, name: short(name) };
        let voxel_type = voxel_type_of(metadata.data_type.name())?;
        if let Some((name, _)) = metadata.additional_fields.iter().find(|(_, field)| field.must_understand())
        {
            return Err(extension("field", name).into());
        }
        if let Some(transformer) = metadata.storage_transformers.first() {
            return Err(extension("storage transformer", transformer.name()).into());
        }
        if metadata.chunk_grid.name() != "regular" {
            return Err(extension("chunk grid", metadata.chunk_grid.name()).into());
        }
        let grid = metadata.chunk_grid.to_typed_configuration::<RegularChunkGridConfiguration>();
        let grid = grid.map_err(|error| invalid(&error))?.chunk_shape;
        let keys = chunk_keys(&metadata.chunk_key_encoding).map_err(|error| match error {
            Some(reason) => fault(&key, reason),
            None => extension("chunk key encoding", metadata.chunk_key_encoding.name()).into(),
        })?;
        let (codecs, chunk, shards) = match &metadata.codecs[..] {
            [sharding] if sharding.name() == "sharding_indexed" => {
                let inner = sharding.to_typed_configuration::<ShardingCodecConfigurationV1>();
                let inner = inner.map_err(|error| invalid(&error))?;
                let shards = Shards::new(&key, &grid, &inner)?;
                (inner.codecs, inner.chunk_shape, Some(shards))
            }
            codecs => (codecs.to_vec(), grid, None),
        };
        let (mut chain, mut bytes_codecs) = (Vec::new(), Vec::new());
        let mut are_bytes = false;
        for codec in &codecs {
            let name = codec.name();
            match (BytesCodec::of_name(name), name) {
                (Some(of_bytes), _) if are_bytes => bytes_codecs.push(of_bytes),
                (None, "bytes" | "transpose" | "brickwork") if !are_bytes => {
                    // zarrs leaves out a codec with a bad configuration that need not be understood.
                    chain.push(codec.clone().with_must_understand(true));
                    are_bytes = name != "transpose";
                }
                // zarrs sorts codecs by their kind.
                (Some(_), _) | (None, "bytes" | "transpose" | "brickwork") => {
                    return Err(fault(&key, format!("codecs: {name} is in the wrong place")));
                }
                (None, _) => return Err(ZarrFeature::Codec(short(name)).into()),
            }
        }
        let data_type = data_type(voxel_type).map_err(|reason| fault(&key, reason))?;
        let fill = data_type.fill_value_v3(&metadata.fill_value);
        let fill = fill.map_err(|_| format!("fill_value {} is not allowed", metadata.fill_value));
        let names = metadata.dimension_names.unwrap_or_else(|| vec![None; metadata.shape.len()]);
        let parts = Parts {
            version: 3,
            key,
            voxel_type,
            shape: metadata.shape,
            chunk,
            names,
            keys,
            chain,
            bytes_codecs,
            codecs: codecs.iter().map(|codec| codec.name().to_owned()).collect(),
            attributes: unread(&metadata.attributes, "_zarrs"),
            shards,
            fill,
            data_type,
        };
        Self::new(store, prefix, parts)
    }

    /// Returns the array of version 2 with this metadata at `prefix` of the store.
    ///
    /// # Errors
    /// The errors of [`of_v3`](Self::of_v3).
    pub fn of_v2(store: &Store, prefix: &str, metadata: ArrayMetadataV2) -> Result<Self, FormatError> {
        let key = format!("{prefix}.zarray");
        let (voxel_type, endian) = match &metadata.dtype {
            DataTypeMetadataV2::Simple(name) => voxel_type_of_v2(name)?,
            DataTypeMetadataV2::Structured(_) => {
                return Err(ZarrFeature::Type(short(&metadata.dtype.to_string())).into());
            }
        };
        if let Some(filter) = metadata.filters.iter().flatten().next() {
            return Err(ZarrFeature::Codec(short(filter.id())).into());
        }
        let mut bytes_codecs = Vec::new();
        if let Some(compressor) = &metadata.compressor {
            let codec = BytesCodec::of_name(compressor.id());
            bytes_codecs.push(codec.ok_or_else(|| ZarrFeature::Codec(short(compressor.id())))?);
        }
        let axes = metadata.shape.len();
        let mut chain = Vec::new();
        if metadata.order == ArrayMetadataV2Order::F {
            let order: Vec<usize> = (0..axes).rev().collect();
            chain.push(codec("transpose", &serde_json::json!({ "order": order })));
        }
        chain.push(codec("bytes", &serde_json::json!({ "endian": endian })));
        let data_type = data_type(voxel_type).map_err(|reason| fault(&key, reason))?;
        let fill = data_type.fill_value_v2(&metadata.fill_value);
        let fill = fill.map_err(|_| format!("fill_value {} is not allowed", metadata.fill_value));
        // Names of the axes as xarray writes them.
        let names = metadata.attributes.get("_ARRAY_DIMENSIONS").and_then(serde_json::Value::as_array);
        let names: Vec<Option<String>> =
            names.into_iter().flatten().map(|name| name.as_str().map(str::to_owned)).collect();
        let parts = Parts {
            version: 2,
            key,
            voxel_type,
            shape: metadata.shape,
            chunk: metadata.chunks,
            names: if names.len() == axes { names } else { vec![None; axes] },
            keys: ChunkKeys { start: "", separator: separator(metadata.dimension_separator) },
            chain,
            bytes_codecs,
            codecs: metadata.compressor.iter().map(|codec| codec.id().to_owned()).collect(),
            attributes: unread(&metadata.attributes, "_ARRAY_DIMENSIONS"),
            shards: None,
            fill,
            data_type,
        };
        Self::new(store, prefix, parts)
    }

    fn new(store: &Store, prefix: &str, parts: Parts) -> Result<Self, FormatError> {
        let Parts { version, key, voxel_type, shape, chunk, names, keys, chain, .. } = parts;
        let Parts { bytes_codecs, codecs, attributes, shards, fill, data_type, .. } = parts;
        let axes = shape.len();
        if axes == 0 || chunk.len() != axes || names.len() != axes {
            let (chunk, names) = (chunk.len(), names.len());
            let reason = format!("shape has {axes} axes, the chunk shape {chunk}, dimension_names {names}");
            return Err(fault(&key, reason));
        }
        let numbers = chunk.iter().try_fold(1u128, |count, side| count.checked_mul(side.get().into()));
        let chunk_bytes = numbers.and_then(|count| count.checked_mul(voxel_type.byte_count() as u128));
        let chunk_bytes = chunk_bytes.unwrap_or(u128::MAX);
        if chunk_bytes > MAX_CHUNK_BYTES {
            return Err(ZarrFeature::Chunk(chunk_bytes.to_string()).into());
        }
        let fill_value = fill.map_err(|reason| fault(&key, reason))?;
        let is_plain = chain.iter().any(|codec| codec.name() == "bytes");
        let chain = CodecChain::from_metadata(&chain).map_err(|error| fault(&key, error.to_string()))?;
        let fill = fill_value.as_ne_bytes().to_vec();
        if fill.len() != voxel_type.byte_count() {
            return Err(fault(&key, "fill_value has another size than the numbers"));
        }
        let unpacked_bytes = if shards.is_some() { store.unpacked_bytes(prefix) } else { 0 };
        Ok(Self {
            store: store.clone(),
            prefix: prefix.to_owned(),
            version,
            voxel_type,
            shape,
            chunk,
            chunk_bytes: chunk_bytes as usize,
            fill,
            names,
            codecs,
            attributes,
            keys,
            chain,
            is_plain,
            bytes_codecs,
            shards,
            data_type,
            fill_value,
            unpacked_bytes,
        })
    }

    /// Returns the number of chunks along each axis.
    pub fn chunk_counts(&self) -> Vec<u64> {
        self.shape.iter().zip(&self.chunk).map(|(side, chunk)| side.div_ceil(chunk.get())).collect()
    }

    /// Returns a bound of the bytes in memory while a chunk is decoded: stored bytes and results of codecs,
    /// at most twice those of the voxels each, and the voxels. Blosc also needs the bytes before they are
    /// unshuffled. Not counted: the allowance for stored bytes, the window of a decompressor, and the
    /// capacity that growing vectors reserve beyond their bytes.
    pub fn decoding_bytes(&self) -> u64 {
        let copies = match (self.bytes_codecs.len(), self.is_plain) {
            (0, _) => 3,
            (1, true) => 4,
            _ => 6,
        };
        copies * self.chunk_bytes as u64
    }

    /// Returns the files of chunks or shards that exist in the array's folder, and its other entries.
    ///
    /// # Errors
    /// [`FormatError::Io`] if the folder cannot be read.
    pub fn files(&self) -> Result<ChunkFiles, FormatError> {
        let chunks = self.chunk_counts();
        let counts = self.shards.as_ref().map(|shards| shards.counts(&chunks));
        let ChunkKeys { start, separator } = self.keys;
        ChunkFiles::new(&self.store, &self.prefix, [start, separator], counts.unwrap_or(chunks))
    }

    /// Returns the key of the array's metadata.
    pub fn metadata_key(&self) -> String {
        format!("{}{}", self.prefix, if self.version == 2 { ".zarray" } else { "zarr.json" })
    }

    /// Returns the chunks in a file as ranges along each axis.
    pub fn chunks_of_file(&self, file: &[u64]) -> Vec<Range<u64>> {
        match &self.shards {
            None => file.iter().map(|&index| index..index + 1).collect(),
            Some(shards) => shards.chunks_of(file, &self.chunk_counts()),
        }
    }

    /// Returns the voxels of a chunk, padded to its full size, in the machine's byte order. Returns `None`
    /// if the chunk is not stored, so that it consists of the fill value. Uses no threads.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] if the chunk is damaged, [`FormatError::Io`].
    pub fn read_chunk(&self, indices: &[u64]) -> Result<Option<Vec<u8>>, FormatError> {
        let limit = (2 * self.chunk_bytes).saturating_add(OVERHEAD_BYTES);
        let (key, bytes) = match &self.shards {
            None => {
                let key = self.key(indices);
                (key.clone(), self.store.read(&key, limit as u64)?)
            }
            Some(shards) => {
                let shard = shards.of_chunk(indices);
                let key = self.key(&shard);
                let Some(file) = self.store.file(&key)? else { return Ok(None) };
                let bytes = shards.read(file, &shard, indices, limit as u64);
                let bytes = bytes.map_err(|reason| fault(&key, reason))?;
                (format!("{key}, inner chunk {indices:?}"), bytes)
            }
        };
        let Some(bytes) = bytes else { return Ok(None) };
        self.decode(bytes, limit).map(Some).map_err(|reason| fault(&key, reason))
    }

    fn decode(&self, mut bytes: Vec<u8>, limit: usize) -> Result<Vec<u8>, String> {
        for (index, codec) in self.bytes_codecs.iter().enumerate().rev() {
            // The first codec received the bytes of the voxels, if these have a known number.
            let limit = if index == 0 && self.is_plain { self.chunk_bytes } else { limit };
            bytes = codec.decode(bytes, limit)?;
        }
        if self.is_plain && bytes.len() != self.chunk_bytes {
            return Err(format!("has {} bytes of voxels, expected {}", bytes.len(), self.chunk_bytes));
        }
        let options = CodecOptions::default().with_concurrent_target(1);
        let chunk = self.chain.decode(bytes.into(), &self.chunk, &self.data_type, &self.fill_value, &options);
        let voxels = chunk.and_then(|chunk| Ok(chunk.into_fixed()?)).map_err(|error| error.to_string())?;
        Ok(voxels.into_owned())
    }

    /// Returns the key of a chunk's file, or of a shard's.
    fn key(&self, indices: &[u64]) -> String {
        let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
        let ChunkKeys { start, separator } = &self.keys;
        let start = if start.is_empty() { String::new() } else { format!("{start}{separator}") };
        format!("{}{start}{}", self.prefix, indices.join(separator))
    }
}

/// Returns the names of attributes, sorted, except the one that is read or only signs the array.
fn unread(attributes: &serde_json::Map<String, serde_json::Value>, known: &str) -> Vec<String> {
    let mut names: Vec<String> =
        attributes.keys().filter(|name| *name != known).map(|name| short(name)).collect();
    names.sort();
    names
}

/// Returns text as errors show it, cut short.
pub fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

fn voxel_type_of(name: &str) -> Result<VoxelType, ZarrFeature> {
    VoxelType::of_numpy_name(name).ok_or_else(|| ZarrFeature::Type(short(name)))
}

/// Returns the type of a `dtype` of version 2, such as `<u2`, and the value of the codec's `endian`.
fn voxel_type_of_v2(name: &str) -> Result<(VoxelType, &'static str), ZarrFeature> {
    let unknown = || ZarrFeature::Type(short(name));
    let (order, code) = name.split_at_checked(1).ok_or_else(unknown)?;
    let endian = match order {
        "<" | "|" => "little",
        ">" => "big",
        _ => return Err(unknown()),
    };
    Ok((VoxelType::of_numpy_code(code).ok_or_else(unknown)?, endian))
}

fn data_type(voxel_type: VoxelType) -> Result<DataType, String> {
    DataType::from_metadata(&MetadataV3::new(voxel_type.numpy_name())).map_err(|error| error.to_string())
}

/// Returns the metadata of a codec with a configuration, which is an object.
fn codec(name: &str, configuration: &serde_json::Value) -> MetadataV3 {
    let members = configuration.as_object().cloned().unwrap_or_default();
    MetadataV3::new_with_configuration(name, members)
}

const fn separator(separator: ChunkKeySeparator) -> &'static str {
    match separator {
        ChunkKeySeparator::Slash => "/",
        ChunkKeySeparator::Dot => ".",
    }
}

/// Returns the names of chunk files; the error is a reason, or `None` for an unknown encoding.
fn chunk_keys(encoding: &MetadataV3) -> Result<ChunkKeys, Option<String>> {
    let (start, default) = match encoding.name() {
        "default" => ("c", "/"),
        "v2" => ("", "."),
        _ => return Err(None),
    };
    let stated = encoding.configuration().and_then(|configuration| configuration.get("separator"));
    let separator = match stated.map(serde_json::Value::as_str) {
        None => default,
        Some(Some("/")) => "/",
        Some(Some(".")) => ".",
        Some(_) => return Err(Some("the separator of chunk_key_encoding is neither / nor .".to_owned())),
    };
    Ok(ChunkKeys { start, separator })
}

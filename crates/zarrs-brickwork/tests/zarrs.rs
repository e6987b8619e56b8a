//! Arrays written and read by zarrs: whole, by windows, sharded; refusals.

use brickwork_volume::{BrickSize, half::f16};
use std::sync::Arc;
use zarrs::{
    array::{Array, ArrayBuilder, ArrayMetadata, ArraySubset, DataType, data_type},
    storage::{
        ReadableStorageTraits as _, ReadableWritableListableStorage, StoreKey, WritableStorageTraits as _,
        storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter, store::MemoryStore,
    },
};
use zarrs_brickwork::BrickworkCodec;

const SHAPE: [u64; 3] = [70, 50, 90];

/// Returns voxels as in scans: a ramp with noise.
fn voxels(shape: &[u64]) -> Vec<u16> {
    let mut random = 1u32;
    let mut noise = || {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random as u16 & 0x1ff
    };
    (0..shape.iter().product()).map(|i: u64| (i % 997) as u16 * 20 + noise()).collect()
}

/// Returns the voxels of a window.
fn window(voxels: &[u16], shape: [u64; 3], starts: [u64; 3], sides: [u64; 3]) -> Vec<u16> {
    let mut found = Vec::new();
    for z in starts[0]..starts[0] + sides[0] {
        for y in starts[1]..starts[1] + sides[1] {
            let row = starts[2] + shape[2] * (y + shape[1] * z);
            found.extend_from_slice(&voxels[row as usize..(row + sides[2]) as usize]);
        }
    }
    found
}

fn store() -> ReadableWritableListableStorage {
    Arc::new(MemoryStore::new())
}

/// Writes an array and compares it, opened by its metadata, with the voxels.
fn compare(chunk: [u64; 3], subchunk: Option<[u64; 3]>, brick: BrickSize) {
    let (store, voxels) = (store(), voxels(&SHAPE));
    let mut builder = ArrayBuilder::new(SHAPE.to_vec(), chunk.to_vec(), data_type::uint16(), 7u16);
    builder.array_to_bytes_codec(Arc::new(BrickworkCodec::new(brick)));
    builder.subchunk_shape(subchunk.map(|sides| sides.to_vec()));
    let array = builder.build(store.clone(), "/array").expect("an array");
    array.store_metadata().expect("a store");
    array.store_array_subset(&array.subset_all(), &voxels).expect("a store");
    let array = Array::open(store, "/array").expect("the array");
    let all: Vec<u16> = array.retrieve_array_subset(&array.subset_all()).expect("voxels");
    assert!(all == voxels);
    let mut random = 9u64;
    for _ in 0..60 {
        let mut below = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % most
        };
        let starts = SHAPE.map(&mut below);
        let sides = [0, 1, 2].map(|axis| 1 + below((SHAPE[axis] - starts[axis]).min(40)));
        let subset = ArraySubset::new_with_start_shape(starts.to_vec(), sides.to_vec()).expect("three axes");
        let found: Vec<u16> = array.retrieve_array_subset(&subset).expect("voxels");
        assert!(found == window(&voxels, SHAPE, starts, sides), "{starts:?} {sides:?}");
    }
}

#[test]
fn arrays_come_back() {
    compare([64, 64, 64], None, BrickSize::Eight);
    compare([70, 50, 90], None, BrickSize::Four);
    compare([16, 50, 33], None, BrickSize::Flat);
}

#[test]
fn sharded_arrays_come_back() {
    compare([64, 64, 96], Some([32, 32, 32]), BrickSize::Four);
}

#[test]
fn a_window_is_read_from_few_bytes() {
    let (shape, sides) = ([128, 128, 128], [8, 8, 8]);
    let (store, voxels) = (Arc::new(MemoryStore::new()), voxels(&shape));
    let mut builder = ArrayBuilder::new(shape.to_vec(), shape.to_vec(), data_type::uint16(), 0u16);
    builder.array_to_bytes_codec(Arc::new(BrickworkCodec::new(BrickSize::Four)));
    let array = builder.build(store.clone(), "/array").expect("an array");
    array.store_metadata().expect("a store");
    array.store_array_subset(&array.subset_all(), &voxels).expect("a store");
    let size =
        store.size_key(&StoreKey::new("array/c/0/0/0").expect("a key")).expect("a store").expect("a chunk");
    let counted = Arc::new(PerformanceMetricsStorageAdapter::new(store));
    let array = Array::open(counted.clone(), "/array").expect("the array");
    counted.reset();
    let subset = ArraySubset::new_with_start_shape(vec![40, 50, 99], sides.to_vec()).expect("three axes");
    let found: Vec<u16> = array.retrieve_array_subset(&subset).expect("voxels");
    assert!(found == window(&voxels, shape, [40, 50, 99], sides));
    assert!(counted.bytes_read() as u64 * 20 < size, "{} of {size} bytes", counted.bytes_read());
}

/// Zeros in the first row of each chunk: the fill value.
#[test]
fn every_type_comes_back() {
    fn check<T>(data_type: DataType, fill: T, numbers: Vec<T>)
    where
        T: zarrs::array::ElementOwned
            + zarrs::array::Element
            + PartialEq
            + Copy
            + Into<zarrs::array::FillValue>,
    {
        let store = store();
        let mut builder = ArrayBuilder::new(vec![1, 30, 40], vec![1, 16, 16], data_type, fill.into());
        builder.array_to_bytes_codec(Arc::new(BrickworkCodec::new(BrickSize::Four)));
        let array = builder.build(store, "/array").expect("an array");
        array.store_array_subset(&array.subset_all(), &numbers).expect("a store");
        let found: Vec<T> = array.retrieve_array_subset(&array.subset_all()).expect("voxels");
        assert!(found == numbers);
    }
    let numbers = || (0..1200u32).map(|i| i.wrapping_mul(2_654_435_761) >> (i % 32));
    check(data_type::uint8(), 3u8, numbers().map(|n| n as u8).collect());
    check(data_type::int8(), -1i8, numbers().map(|n| n as i8).collect());
    check(data_type::uint16(), 0u16, numbers().map(|n| n as u16).collect());
    check(data_type::int16(), -5i16, numbers().map(|n| n as i16).collect());
    check(data_type::uint32(), 1u32, numbers().collect());
    check(data_type::int32(), i32::MIN, numbers().map(|n| n as i32).collect());
    check(data_type::uint64(), u64::MAX, numbers().map(|n| u64::from(n) << 20).collect());
    check(data_type::int64(), -1i64, numbers().map(|n| -i64::from(n)).collect());
    check(data_type::float32(), 0.5f32, numbers().map(|n| n as f32 - 1e6).collect());
    check(data_type::float64(), -0.0f64, numbers().map(|n| f64::from(n) / 3.0).collect());
    check(
        data_type::float16(),
        f16::NEG_ZERO,
        numbers().map(|n| f16::from_bits(n as u16 % 0x7c00)).collect(),
    );
}

fn metadata(data_type: &str, codec: &str) -> ArrayMetadata {
    let text = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [8, 8, 8], "data_type": "{data_type}",
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [8, 8, 8]}}}},
        "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0, "codecs": [{codec}]}}"#
    );
    ArrayMetadata::try_from(text.as_str()).expect("metadata")
}

#[test]
fn configurations_are_a_closed_set() {
    let open = |codec: &str| {
        let array = Array::new_with_metadata(store(), "/array", metadata("uint16", codec));
        array.map(drop).map_err(|error| error.to_string())
    };
    assert!(open(r#""brickwork""#).is_ok());
    assert!(open(r#"{"name": "brickwork", "configuration": {"brick": "16x16x1"}}"#).is_ok());
    let unknown = open(r#"{"name": "brickwork", "configuration": {"level": 3}}"#).expect_err("no such key");
    assert!(unknown.contains("level"), "{unknown}");
    assert!(open(r#"{"name": "brickwork", "configuration": {"brick": "5"}}"#).is_err());
}

#[test]
fn damaged_chunks_and_other_types_are_refused() {
    let array =
        Array::new_with_metadata(store(), "/array", metadata("uint16", r#""brickwork""#)).expect("an array");
    array.store_chunk(&[0, 0, 0], voxels(&[8, 8, 8])).expect("a store");
    let key = StoreKey::new("array/c/0/0/0").expect("a key");
    let mut bytes = array.storage().get(&key).expect("a store").expect("a chunk").to_vec();
    bytes[40] ^= 1;
    array.storage().set(&key, bytes.into()).expect("a store");
    let error = array.retrieve_chunk::<Vec<u16>>(&[0, 0, 0]).expect_err("damaged").to_string();
    assert!(error.contains("codec brickwork: chunk 0 at byte 1 is damaged"), "{error}");
    let array = Array::new_with_metadata(store(), "/array", metadata("bool", r#""brickwork""#));
    let stored = array.map(|array| array.store_chunk(&[0, 0, 0], vec![true; 512]).map_err(|e| e.to_string()));
    assert!(!matches!(stored, Ok(Ok(()))), "bool is no type of voxels");
}

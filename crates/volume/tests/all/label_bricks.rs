//! Label bricks in files and Zarr chunks, against the decoder written from the specification.

use crate::slow_decoder::{self, LABEL_BRICKS, zarr_chunk};
use brickwork_volume::{
    AnyView, BrickSize, BwvOptions, ChunkOptions, ChunkReader, ChunkShape, Dims, Header, Region, Selection,
    Strides, Task, VolumeFile, VoxelKind, VoxelType, encode_any, encode_chunk, with_voxel_type,
};

/// Numbers of distinct labels. A label brick has at most 17.
const LABEL_COUNTS: [u64; 6] = [2, 3, 5, 17, 18, 300];

const TYPES: [VoxelType; 5] = [VoxelType::U8, VoxelType::U16, VoxelType::U32, VoxelType::F32, VoxelType::U64];

/// Arrangement of the labels of a volume.
#[derive(Clone, Copy, Debug)]
enum Arrangement {
    /// Voronoi cells of random seeds.
    Blobs,
    /// Single voxels in a background.
    SingleVoxels,
    /// Sheets of one voxel's thickness in a background.
    Sheets,
    Checkerboard,
    Noise,
    /// 16 columns of 2×2 voxels in each brick, and few other voxels. If there are 17 or 18 labels, each brick
    /// of 8×8×8 has all of them.
    Columns,
}

const ARRANGEMENTS: [Arrangement; 6] = [
    Arrangement::Blobs,
    Arrangement::SingleVoxels,
    Arrangement::Sheets,
    Arrangement::Checkerboard,
    Arrangement::Noise,
    Arrangement::Columns,
];

impl Arrangement {
    /// Returns the labels of a volume, each less than `count`.
    fn labels(self, dims: Dims, count: u64) -> Vec<u64> {
        let mut state = 0x9e37_79b9_7f4a_7c15 ^ count;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % below
        };
        let voxels = 0..dims.voxel_count().expect("small dims");
        let positions = voxels.map(|i| {
            let (x, y, z) = dims.position(i);
            (i as u64, [x as u64, y as u64, z as u64])
        });
        match self {
            Self::Blobs => {
                let sides = [dims.x as u64, dims.y as u64, dims.z as u64];
                let seeds: Vec<[u64; 3]> = (0..count.max(12)).map(|_| sides.map(&mut random)).collect();
                let distance = |seed: &[u64; 3], at: [u64; 3]| {
                    (0..3).map(|axis| seed[axis].abs_diff(at[axis]).pow(2)).sum::<u64>()
                };
                let nearest =
                    |at| (0..seeds.len()).min_by_key(|&seed| distance(&seeds[seed], at)).expect("a seed");
                positions.map(|(_, at)| nearest(at) as u64 % count).collect()
            }
            Self::SingleVoxels => {
                positions.map(|_| if random(10) == 0 { 1 + random(count - 1) } else { 0 }).collect()
            }
            Self::Sheets => {
                let label = |[x, y, z]: [u64; 3]| match (x % 5, (x + y + z) % 11) {
                    (2, _) => 1 + x / 5 % (count - 1),
                    (_, 0) => (x + y + z) / 11 % count,
                    _ => 0,
                };
                positions.map(|(_, at)| label(at)).collect()
            }
            Self::Checkerboard => positions.map(|(_, [x, y, z])| (x + y + z) % count).collect(),
            Self::Noise => positions.map(|_| random(count)).collect(),
            Self::Columns => {
                let label = |(i, [x, y, _]): (u64, [u64; 3])| {
                    if i % 41 == 0 { count - 1 - i / 41 % 2 } else { (x / 2 % 4 + y / 2 % 4 * 4) % count }
                };
                positions.map(label).collect()
            }
        }
    }
}

/// Returns the bits of the number that represents a label. Labels are not consecutive numbers.
fn number(voxel_type: VoxelType, label: u64) -> u64 {
    let sparse = [7, 1000, 70_000][label as usize % 3] + label / 3 * 100_000;
    match voxel_type {
        VoxelType::U8 => (7 + 37 * label) % 256,
        VoxelType::U16 => (7 + 1000 * label) % 65_536,
        VoxelType::F32 => u64::from((sparse as f32).to_bits()),
        VoxelType::U64 => (label % 5) << 40 | sparse,
        _ => sparse,
    }
}

/// A volume of labels.
struct Sample {
    name: String,
    voxel_type: VoxelType,
    dims: Dims,
    /// Bits of the numbers.
    numbers: Vec<u64>,
}

/// Returns volumes of every arrangement and number of labels. Each arrangement has the largest dims
/// once, each time with another number of labels.
fn samples() -> Vec<Sample> {
    let every_dims = [(16, 16, 16), (33, 17, 9), (8, 8, 1), (70, 9, 40)];
    let mut samples = Vec::new();
    for (i, arrangement) in ARRANGEMENTS.into_iter().enumerate() {
        for (j, count) in LABEL_COUNTS.into_iter().enumerate() {
            for (k, (x, y, z)) in every_dims.into_iter().enumerate() {
                if k == 3 && (i + j) % 6 != 3 {
                    continue;
                }
                let (voxel_type, dims) = (TYPES[(i + j + k) % TYPES.len()], Dims::new(x, y, z));
                let name = format!("{arrangement:?}, {count} labels, {voxel_type}, {dims}");
                let numbers = arrangement.labels(dims, count);
                let numbers = numbers.into_iter().map(|label| number(voxel_type, label)).collect();
                samples.push(Sample { name, voxel_type, dims, numbers });
            }
        }
    }
    samples
}

impl Sample {
    /// Returns the numbers as in memory.
    fn bytes(&self) -> Vec<u8> {
        let number_bytes = self.voxel_type.byte_count();
        self.numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(number_bytes)).collect()
    }

    fn header(&self, kind: VoxelKind, brick: BrickSize) -> Header {
        Header::new(self.voxel_type, self.dims).with(|header| (header.kind, header.brick) = (kind, brick))
    }

    fn file(&self, header: &Header) -> Vec<u8> {
        let (voxels, mut file) = (self.bytes(), Vec::new());
        let view = AnyView::new(&voxels, self.voxel_type, self.dims, 1).expect("the right length");
        encode_any(&view, header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
        file
    }

    fn chunk(&self, brick: BrickSize) -> Vec<u8> {
        let voxels = self.bytes();
        let view = AnyView::new(&voxels, self.voxel_type, self.dims, 1).expect("the right length");
        encode_chunk(&view, &ChunkOptions::new(brick), &Task::new()).expect("memory")
    }
}

/// Returns the bits of numbers.
fn bits(bytes: &[u8], voxel_type: VoxelType) -> Vec<u64> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    bytes.chunks_exact(voxel_type.byte_count()).map(number).collect()
}

/// Asserts that the slow decoder has found label bricks of few and of the most labels.
fn assert_label_bricks() {
    let counts = LABEL_BRICKS.get();
    assert!([1, 2, 16].into_iter().all(|m| counts[m] > 0), "label bricks by M: {counts:?}");
}

#[test]
fn files_of_labels_come_back() {
    LABEL_BRICKS.set([0; 17]);
    for (i, sample) in samples().iter().enumerate() {
        let Sample { name, voxel_type, dims, numbers } = sample;
        let header = sample.header(VoxelKind::Labels, BrickSize::Eight);
        let header = header.with(|header| header.mip_levels = 1 + i % 2 * 2);
        let bytes = sample.file(&header);
        assert_eq!(bytes[8..10], [1, 0], "{name}");
        let slow = slow_decoder::decode(&bytes);
        assert_eq!(slow.dims, [dims.x, dims.y, dims.z]);
        assert_eq!(slow.levels.len(), header.mip_levels);
        assert!(&slow.levels[0] == numbers, "the slow decoder: {name}");

        let file = VolumeFile::new(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(file.header(), &header);
        for (mip_level, slow) in slow.levels.iter().enumerate() {
            let selection = Selection { mip_level, ..Selection::default() };
            let region = Region::all(header.mip_level_dims(mip_level));
            let found = with_voxel_type!(*voxel_type, T => {
                let found = file.read_selected::<T>(&selection, &region, &Task::new());
                bits(bytemuck::cast_slice(&found.expect("our own file")), *voxel_type)
            });
            assert!(&found == slow, "mip level {mip_level}: {name}");
        }
    }
    assert_label_bricks();
}

/// The kind of voxels is for mip levels: without a hint, labels have the same bricks.
#[test]
fn labels_need_no_hint() {
    LABEL_BRICKS.set([0; 17]);
    for sample in samples() {
        let Sample { name, numbers, .. } = &sample;
        let [hinted, plain] = [VoxelKind::Labels, VoxelKind::Intensity]
            .map(|kind| sample.file(&sample.header(kind, BrickSize::Eight)));
        assert_eq!([hinted[15], plain[15]], [1, 0], "{name}");
        // The header has the kind; the footer has a checksum of the header's.
        let after_header = |file: &[u8]| file[184..file.len() - 12].to_vec();
        assert!(after_header(&hinted) == after_header(&plain), "{name}");
        assert!(&slow_decoder::decode(&plain).levels[0] == numbers, "the slow decoder: {name}");
    }
    assert_label_bricks();
}

#[test]
fn chunks_of_labels_come_back() {
    LABEL_BRICKS.set([0; 17]);
    for sample in samples() {
        let Sample { name, voxel_type, dims, numbers } = &sample;
        let chunk = sample.chunk(BrickSize::Eight);
        assert_eq!((chunk[0], chunk[chunk.len() - 1] % 16), (1, 1), "{name}");
        let code = VoxelType::ALL.iter().position(|other| other == voxel_type).expect("a type") as u8;
        let slow = zarr_chunk::decode(&chunk, code, [dims.x, dims.y, dims.z]);
        assert!(&slow == numbers, "the slow decoder: {name}");

        let shape = ChunkShape::new(*voxel_type, *dims);
        let reader = ChunkReader::new(chunk, &shape).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut found = vec![0xa5; numbers.len() * voxel_type.byte_count()];
        reader
            .read_region(&Region::all(*dims), &mut found, &Strides::dense(*dims, 1), &Task::new())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bits(&found, *voxel_type) == *numbers, "{name}");
    }
    assert_label_bricks();
}

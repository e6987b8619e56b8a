//! Volumes to measure.

use crate::measure::BenchError;
use brickwork_volume::{Dims, Header, VoxelType};
use std::{
    fmt,
    fs::{self, File},
    path::Path,
};

/// The repository's folder of volumes, which exists if the program runs in the repository.
const TEST_DATA: &str = "test-data/volumes";

/// Reads a volume: its header, and its voxels with the least significant byte of each number first.
type Read<'a, E> = Box<dyn Fn() -> Result<(Header, Vec<u8>), E> + 'a>;

/// A volume to measure. `E` is the error of the caller's volumes.
pub struct Source<'a, E>(Kind<'a, E>);

enum Kind<'a, E> {
    Given {
        name: String,
        read: Read<'a, E>,
    },
    /// One of the repository's.
    TestData(&'static str),
    /// One that this module makes.
    Made,
}

impl<E> fmt::Debug for Source<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.name()).finish()
    }
}

impl<'a, E: From<BenchError>> Source<'a, E> {
    /// Returns a volume that `read` reads: its header, and its voxels with the least significant byte of each
    /// number first.
    pub fn new(name: String, read: impl Fn() -> Result<(Header, Vec<u8>), E> + 'a) -> Self {
        Self(Kind::Given { name, read: Box::new(read) })
    }

    /// Returns the volumes of the repository if the program runs in it, else a synthetic one.
    pub fn defaults() -> Vec<Self> {
        let is_there = |name: &&str| Path::new(TEST_DATA).join(format!("{name}.raw.zst")).exists();
        let found = ["aal", "hydrogen_f32"].into_iter().filter(is_there);
        let found: Vec<_> = found.map(|name| Self(Kind::TestData(name))).collect();
        if found.is_empty() { vec![Self(Kind::Made)] } else { found }
    }

    /// Returns the header and the voxels, the least significant byte of each number first.
    pub(super) fn read(&self) -> Result<(Header, Vec<u8>), E> {
        match &self.0 {
            Kind::Given { read, .. } => read(),
            Kind::TestData(name) => Ok(test_data(name).ok_or_else(|| BenchError::TestData.of(&self.name()))?),
            Kind::Made => Ok(made()),
        }
    }
}

impl<E> Source<'_, E> {
    pub(super) fn name(&self) -> String {
        match &self.0 {
            Kind::Given { name, .. } => name.clone(),
            Kind::TestData(name) => format!("{TEST_DATA}/{name}.raw.zst"),
            Kind::Made => "soft shapes and noise, made by the program".to_owned(),
        }
    }
}

/// Returns a volume of the repository, from a compressed file of raw voxels and their description as JSON.
fn test_data(name: &str) -> Option<(Header, Vec<u8>)> {
    let path = |end: &str| Path::new(TEST_DATA).join(name).with_extension(end);
    let sidecar: serde_json::Value = serde_json::from_slice(&fs::read(path("json")).ok()?).ok()?;
    let side = |i: usize| usize::try_from(sidecar["dims_xyz"][i].as_u64()?).ok();
    let voxel_type = VoxelType::of_numpy_name(sidecar["dtype"].as_str()?)?;
    let header = Header::new(voxel_type, Dims::new(side(0)?, side(1)?, side(2)?));
    let bytes = zstd::decode_all(File::open(path("raw.zst")).ok()?).ok()?;
    (bytes.len() == header.dims.byte_count(voxel_type.byte_count()).ok()?).then_some((header, bytes))
}

/// Returns a ball of 12 bits in a slope, with edges and noise, calculated in integers, so that it is the same
/// on every machine.
pub(super) fn made() -> (Header, Vec<u8>) {
    const SIDE: i32 = 96;
    let mut random = 1u32;
    let mut voxel = |i: i32| {
        let (x, y, z) = (i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (random >> 28) as i32;
        let far = (x - 50).pow(2) + (y - 44).pow(2) + (z - 40).pow(2);
        let value = match far {
            0..900 => 2000 - far + noise,
            900..1600 => 700 + 4 * z + noise,
            _ if x + y < 60 => 0,
            _ => 2 * x + y + noise / 4,
        };
        value as u16
    };
    let bytes = (0..SIDE.pow(3)).flat_map(|i| voxel(i).to_le_bytes()).collect();
    (Header::new(VoxelType::U16, Dims::new(SIDE as usize, SIDE as usize, SIDE as usize)), bytes)
}

//! Decoding of one brick anywhere in a volume in memory, compared with the chunk of Blosc2 that contains it.

use super::{codecs::Kind, measure::speed_ratio, python::Python, volume::Sample};
use anyhow::{Result, ensure};
use brickwork_volume::{
    BrickAddress, BrickCache, BrickSize, BwvOptions, Dims, Header, Region, Task, VolumeFile, VolumeView,
    encode, guthe2016::Compressed,
};
use cpu_time::ThreadTime;
use std::{cell::RefCell, hint::black_box};

/// Positions that are read per round.
const PLACES: usize = 50_000;
/// Number of bricks read in one call, if the format's reader supports this.
const AT_ONCE: usize = 50;

/// (x, y, z) in voxels.
type Place = (usize, usize, usize);

/// A way to a brick, and how long it takes.
pub struct Access {
    pub name: &'static str,
    pub unit: &'static str,
    /// CPU seconds per access, by round.
    seconds: Vec<Option<f64>>,
}

/// Returns all measurements, and a reason if the reference was not measured.
pub struct Accesses {
    pub ways: Vec<Access>,
    pub missing: Option<String>,
}

/// The way of callers that know many bricks they need.
const TOGETHER: &str = "Brickwork 4³, the same, 50 bricks a call";

impl Accesses {
    /// Returns the speed of a measurement as a multiple of Blosc2's.
    pub fn ratio(&self, way: &Access) -> Option<f64> {
        speed_ratio(&way.seconds, &self.ways[0].seconds)
    }
}

/// Returns the positions to read, the same for all.
pub fn places(dims: Dims) -> Vec<Place> {
    let mut state = 1_u64;
    let mut below = |count: usize| {
        // Knuth's MMIX generator; its upper bits are the good ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 32) * count as u64) >> 32) as usize
    };
    (0..PLACES).map(|_| (below(dims.x), below(dims.y), below(dims.z))).collect()
}

/// Measures all ways in `round_count` rounds.
pub fn measure<T: Sample>(
    voxels: &[T],
    dims: Dims,
    python: &RefCell<Python>,
    round_count: usize,
) -> Result<Accesses> {
    eprintln!("random access");
    let view = VolumeView::new(voxels, dims)?;
    let places = places(dims);
    let chunks = dims.covered_by(Dims::cube(16));
    let numbers: Vec<_> = places.iter().map(|&(x, y, z)| chunks.index(x / 16, y / 16, z / 16)).collect();
    let file = |brick| -> Result<_> {
        let mut file = Vec::new();
        encode(
            view,
            &Header::new(T::TYPE, dims).with(|header| header.brick = brick),
            &BwvOptions::default(),
            &mut file,
            &Task::new(),
        )?;
        Ok(VolumeFile::new(file)?)
    };
    let (four, eight) = (file(BrickSize::Four)?, file(BrickSize::Eight)?);
    let cached_four = BrickCache::new(file(BrickSize::Four)?, usize::MAX);
    let cached_eight = BrickCache::new(file(BrickSize::Eight)?, usize::MAX);
    let paper = Compressed::encode(view, false, &Task::new())?;

    // Reads from positions into consecutive bricks.
    type Read<'a, T> = Box<dyn FnMut(&[Place], &mut [T]) -> Result<()> + 'a>;
    let address = |cache: &BrickCache<Vec<u8>>, (x, y, z): Place| {
        let side = cache.file().header().brick.dims().x;
        BrickAddress::at(x / side, y / side, z / side)
    };
    let cached = |cache| -> Read<'_, T> {
        let cache: &BrickCache<Vec<u8>> = cache;
        Box::new(move |places, out| Ok(cache.read_brick(address(cache, places[0]), out)?))
    };
    let together = |cache| -> Read<'_, T> {
        let cache: &BrickCache<Vec<u8>> = cache;
        let mut bricks = Vec::with_capacity(AT_ONCE);
        Box::new(move |places, out| {
            bricks.clear();
            bricks.extend(places.iter().map(|&place| address(cache, place)));
            Ok(cache.read_bricks(&bricks, out, &Task::new())?)
        })
    };
    let region = |file| -> Read<'_, T> {
        let file: &VolumeFile<Vec<u8>> = file;
        let side = file.header().brick.dims().x;
        Box::new(move |places, out| {
            let region = brick_at(places[0], side, dims);
            let count = region.dims().voxel_count()?;
            Ok(file.read_into(&region, &mut out[..count], &Task::new())?)
        })
    };
    let ours: [(&str, usize, usize, Read<'_, T>); 7] = [
        ("Brickwork 4³, `BrickCache`, chunks verified before", 4, 1, cached(&cached_four)),
        ("Brickwork 8³, `BrickCache`, chunks verified before", 8, 1, cached(&cached_eight)),
        (TOGETHER, 4, AT_ONCE, together(&cached_four)),
        ("Brickwork 8³, the same, 50 bricks a call", 8, AT_ONCE, together(&cached_eight)),
        ("Brickwork 4³, `VolumeFile::read_into`, which verifies a chunk", 4, 1, region(&four)),
        ("Brickwork 8³, `VolumeFile::read_into`, which verifies a chunk", 8, 1, region(&eight)),
        (
            "Guthe & Goesele 2016, `Compressed::brick`",
            4,
            1,
            Box::new(|places, out| {
                let (x, y, z) = places[0];
                out.copy_from_slice(&paper.brick::<T>(x / 4, y / 4, z / 4)?);
                Ok(())
            }),
        ),
    ];
    let way = |name, unit| Access { name, unit, seconds: Vec::new() };
    let mut ways = vec![way("Blosc2, `decompress_chunk`", "16³")];
    let mut reads = Vec::new();
    for (name, side, at_once, mut read) in ours {
        // Once to check the voxels, which also verifies every chunk that is read later.
        let voxel_count = side * side * side;
        let mut out = vec![T::from_ordinal(1); voxel_count * at_once];
        for places in places.chunks(at_once) {
            read(places, &mut out)?;
            for (&(x, y, z), out) in places.iter().zip(out.chunks(voxel_count)) {
                // A region at the volume's edge is packed; a whole brick is not.
                let region = brick_at((x, y, z), side, dims).dims();
                let packed = if name.contains("read_into") { region } else { Dims::new(side, side, side) };
                let found = out[packed.index(x % side, y % side, z % side)];
                let expected = voxels[dims.index(x, y, z)];
                ensure!(found.to_ordinal() == expected.to_ordinal(), "{name}: another voxel");
            }
        }
        ways.push(way(name, if side == 4 { "4³" } else { "8³" }));
        reads.push((out, at_once, read));
    }
    let mut missing = None;
    for _ in 0..round_count {
        let chunk = python.borrow_mut().chunks(&numbers);
        missing = chunk.as_ref().err().cloned();
        ways[0].seconds.push(chunk.ok());
        for ((out, at_once, read), way) in reads.iter_mut().zip(&mut ways[1..]) {
            let start = ThreadTime::try_now()?;
            for places in places.chunks(*at_once) {
                read(places, out)?;
                black_box(&out);
            }
            way.seconds.push(Some(start.try_elapsed()?.as_secs_f64() / places.len() as f64));
        }
    }
    Ok(Accesses { ways, missing })
}

/// Returns the part, inside the volume, of the brick of `side` that contains (x, y, z).
fn brick_at((x, y, z): (usize, usize, usize), side: usize, dims: Dims) -> Region {
    let range = |i: usize, end: usize| i / side * side..end.min((i / side + 1) * side);
    Region { x: range(x, dims.x), y: range(y, dims.y), z: range(z, dims.z) }
}

/// Returns the description of the variant with which others are compared.
pub fn base() -> String {
    Kind::Blosc2(16, 16).name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lie_in_the_volume_and_reach_its_corners() {
        let dims = Dims::new(40, 3, 9);
        let places = places(dims);
        let largest = places.iter().fold((0, 0, 0), |m, p| (m.0.max(p.0), m.1.max(p.1), m.2.max(p.2)));
        assert_eq!(largest, (39, 2, 8));
        assert_eq!(places.iter().map(|p| p.0.min(p.1).min(p.2)).min(), Some(0));
        assert_eq!(brick_at((39, 2, 8), 8, dims), Region { x: 32..40, y: 0..3, z: 8..9 });
    }

    #[test]
    fn every_way_gives_the_voxels_and_a_missing_python_is_no_error() {
        let dims = Dims::new(37, 18, 21);
        let voxels: Vec<u16> = (0..37 * 18 * 21).map(|i| (i * i % 4099) as u16).collect();
        let python = RefCell::new(Python::none());
        let found = measure(&voxels, dims, &python, 1).unwrap();
        assert_eq!(found.missing.as_deref(), Some("no Python was started"));
        assert!(found.ways.iter().all(|way| found.ratio(way).is_none()));
        assert!(found.ways[1..].iter().all(|way| way.seconds[0].is_some()));
    }
}

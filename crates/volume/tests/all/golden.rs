//! Files stay readable, and the encoder's bytes do not change unnoticed.
//!
//! `test-data/bwv` contains a file for each case, written once and never again. `test-data/bwv-golden.txt`
//! has the hashes of the encoder's current output. `UPDATE=1` rewrites it, and writes missing files.

use crate::common;
use crate::slow_decoder;
use brickwork_volume::{
    BrickSize, BwvOptions, Dims, Header, Profile, Region, Selection, Task, VolumeFile, VolumeWriter, Voxel,
    VoxelKind, half::f16, with_voxel_type,
};
use std::{env, fmt::Write as _, fs, path::PathBuf};

/// Contents of a case; its voxels are those of `common::voxels` with its own seed.
struct Case {
    name: &'static str,
    header: Header,
    seed: u32,
    noise_bits: u32,
}

const DIMS: Dims = Dims::new(21, 13, 9);

fn case<T: Voxel>(name: &'static str, seed: u32, noise_bits: u32, change: impl Fn(&mut Header)) -> Case {
    let mut header = Header::new(T::TYPE, DIMS);
    header.metadata = format!("{{\"test\":{{\"name\":\"{name}\"}}}}");
    change(&mut header);
    Case { name, header, seed, noise_bits }
}

fn cases() -> Vec<Case> {
    vec![
        case::<u8>("u8", 1, 3, |_| ()),
        case::<i8>("i8-eight", 2, 4, |header| header.brick = BrickSize::Eight),
        case::<u16>("u16", 3, 7, |_| ()),
        case::<i16>("i16-eight", 4, 9, |header| header.brick = BrickSize::Eight),
        case::<u32>("u32", 5, 20, |_| ()),
        case::<i32>("i32-eight", 6, 28, |header| header.brick = BrickSize::Eight),
        case::<f32>("f32", 7, 25, |header| header.spacing.z = 2.5),
        case::<u64>("u64", 8, 40, |_| ()),
        case::<i64>("i64-eight", 9, 12, |header| header.brick = BrickSize::Eight),
        case::<f64>("f64-frames", 10, 50, |header| (header.frames, header.frame_spacing) = (2, 0.5)),
        case::<u8>("rgba-levels", 11, 5, |header| (header.channels, header.mip_levels) = (4, 6)),
        case::<u16>("labels-levels", 12, 1, |header| {
            (header.kind, header.mip_levels, header.dims) = (VoxelKind::Labels, 3, Dims::new(40, 13, 35));
        }),
        case::<u16>("labels-eight", 17, 1, |header| {
            let dims = Dims::new(70, 66, 5);
            (header.kind, header.brick, header.dims) = (VoxelKind::Labels, BrickSize::Eight, dims);
        }),
        case::<f32>("f32-decimals", 18, 9, |header| header.dims = Dims::new(35, 34, 6)),
        // Chunks have one value, and other sides in each mip level.
        case::<u8>("labels-constant-chunks", 21, 1, |header| {
            (header.kind, header.mip_levels, header.dims) = (VoxelKind::Labels, 3, Dims::new(70, 20, 70));
        }),
        case::<u16>("label-bricks", 22, 1, |header| {
            let dims = Dims::new(40, 21, 18);
            (header.kind, header.brick) = (VoxelKind::Labels, BrickSize::Eight);
            (header.dims, header.mip_levels) = (dims, 3);
        }),
        // Some voxels cannot be compressed, others need not be.
        case::<u16>("u16-noise-eight", 19, 16, |header| {
            (header.brick, header.dims) = (BrickSize::Eight, Dims::new(33, 17, 9));
        }),
        case::<i32>("i32-constant", 20, 0, |header| header.dims = Dims::new(9, 7, 5)),
        case::<u8>("u8-flat", 15, 4, |header| header.brick = BrickSize::Flat),
        case::<u16>("u16-flat-slices", 16, 8, |header| {
            (header.brick, header.dims, header.frames) = (BrickSize::Flat, Dims::new(75, 40, 1), 3);
        }),
        // Channels beyond colours: markers of a multiplexed image.
        case::<u16>("u16-channels", 24, 5, |header| {
            (header.channels, header.mip_levels, header.dims) = (11, 2, Dims::new(13, 9, 5));
        }),
        case::<f16>("f16-levels", 23, 11, |header| header.mip_levels = 3),
        case::<u16>("guthe2016", 13, 6, |header| {
            header.profile = Profile::Guthe2016 { second_level: false };
        }),
        case::<f32>("guthe2016-second-level", 14, 9, |header| {
            header.profile = Profile::Guthe2016 { second_level: true };
            (header.channels, header.mip_levels) = (2, 2);
        }),
    ]
}

impl Case {
    fn path(&self) -> PathBuf {
        folder().join("bwv").join(format!("{}.bwv", self.name))
    }

    fn voxels<T: Voxel>(&self) -> Vec<T> {
        let Dims { x, y, z } = self.header.dims;
        let long = Dims::new(x * self.header.channels, y, z * self.header.frames);
        let mut voxels = common::voxels::<T>(long, self.seed, self.noise_bits);
        let mut change = |of: fn(u64) -> u64| {
            voxels.iter_mut().for_each(|v| *v = T::from_ordinal(of(v.to_ordinal())));
        };
        match self.name {
            "f32-decimals" => change(|ordinal| ((ordinal % 60) as f32 / 100.0 - 0.1).to_ordinal()),
            "u16-noise-eight" => change(|ordinal| ordinal.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 41 & 0xffff),
            "i32-constant" => change(|_| 5),
            "labels-constant-chunks" => {
                for (i, voxel) in voxels.iter_mut().enumerate() {
                    let label = if i % 70 < 32 { 9 } else { voxel.to_ordinal() % 7 };
                    *voxel = T::from_ordinal(30 * label);
                }
            }
            // Layers that are not parallel to an axis.
            "label-bricks" => {
                for (i, voxel) in voxels.iter_mut().enumerate() {
                    let (x, y, z) = self.header.dims.position(i);
                    *voxel = T::from_ordinal(((x + 2 * y + 3 * z) / 15 % 5 * 300) as u64);
                }
            }
            _ if self.header.kind == VoxelKind::Labels => change(|ordinal| ordinal % 7 * 300),
            _ => {}
        }
        voxels
    }

    fn encode<T: Voxel>(&self) -> Vec<u8> {
        let mut writer = VolumeWriter::<_, T>::new(Vec::new(), &self.header, &BwvOptions::default()).unwrap();
        writer.write_voxels(&self.voxels::<T>(), &Task::new()).unwrap();
        writer.finish().unwrap().0
    }

    /// Reads `bytes` and compares everything with the case.
    fn compare<T: Voxel>(&self, bytes: &[u8]) {
        let file = VolumeFile::new(bytes).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        assert_eq!(file.header(), &self.header, "{}", self.name);
        assert_eq!(file.verify(&Task::new()).unwrap(), [], "{}", self.name);
        let slow = slow_decoder::decode(bytes);
        assert_eq!(slow.dims, [self.header.dims.x, self.header.dims.y, self.header.dims.z]);
        let voxels: Vec<u64> = self.voxels::<T>().into_iter().map(Voxel::to_ordinal).collect();
        for (level, slow) in slow.levels.iter().enumerate() {
            let region = Region::all(self.header.mip_level_dims(level));
            let selection = Selection { mip_level: level, ..Selection::default() };
            let read: Vec<T> = file.read_selected(&selection, &region, &Task::new()).unwrap();
            let ordinals: Vec<u64> = read.iter().map(|v| v.to_ordinal()).collect();
            assert!(level > 0 || ordinals == voxels, "{}", self.name);
            let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
            let bits = bytemuck::cast_slice::<T, u8>(&read).chunks_exact(size_of::<T>()).map(number);
            assert!(bits.eq(slow.iter().copied()), "the slow decoder: {} level {level}", self.name);
        }
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../test-data")
}

/// Calls `$case.$method::<T>($arguments)` with the type of the case's voxels.
macro_rules! typed {
    ($case:expr, $method:ident($($argument:expr),*)) => {{
        let case = $case;
        with_voxel_type!(case.header.voxel_type, T => case.$method::<T>($($argument),*))
    }};
}

#[test]
fn files_written_once_stay_readable() {
    for case in cases() {
        let path = case.path();
        if env::var_os("UPDATE").is_some() && !path.exists() {
            fs::write(&path, typed!(&case, encode())).unwrap();
        }
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        typed!(&case, compare(&bytes));
    }
}

/// Uses every feature of the format in these files.
#[test]
fn these_files_have_tables_of_each_kind() {
    let counts = |name: &str| {
        let bytes = fs::read(folder().join("bwv").join(name)).unwrap();
        let counts = VolumeFile::new(bytes).unwrap().counts();
        (counts.rank_tables, counts.pattern_tables)
    };
    assert_eq!(counts("f32-decimals.bwv"), (1, 0));
    assert_eq!((counts("labels-levels.bwv"), counts("labels-constant-chunks.bwv")), ((1, 1), (2, 2)));
    assert_eq!((counts("u16.bwv"), counts("i32-constant.bwv")), ((0, 1), (0, 0)));
}

#[test]
fn the_encoders_bytes_are_those_of_other_machines() {
    let mut found = String::new();
    for case in cases() {
        let bytes = typed!(&case, encode());
        typed!(&case, compare(&bytes));
        writeln!(found, "{:08x} {:6} {}", crc32c::crc32c(&bytes), bytes.len(), case.name).unwrap();
    }
    let path = folder().join("bwv-golden.txt");
    if env::var_os("UPDATE").is_some() {
        fs::write(path, found).unwrap();
        return;
    }
    let golden = fs::read_to_string(path).unwrap();
    assert_eq!(golden, found, "test-data/bwv-golden.txt; UPDATE=1 rewrites it");
}

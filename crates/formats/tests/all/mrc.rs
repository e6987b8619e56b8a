//! Maps of MRC and CCP4: files made here, field by field, from the format's specification.

use brickwork_formats::{
    FormatError, MrcNote, Note, OpenError, OpenedVolume, RawLayout, VolumeFormat, VolumeOpenOptions,
    VolumePipe, VolumeWriteOptions, WriteError, lost_fields, open, write_volume,
};
use brickwork_volume::{ByteOrder, Dims, ErrorKind, Header, Spacing, Task, VoxelStream, VoxelType};
use proptest::{collection::vec, prelude::*};
use std::{
    fs,
    io::{Cursor, Write as _},
    path::Path,
};

const IMOD_STAMP: i32 = 1_146_047_817;

/// A header by its fields, and what follows it.
#[derive(Clone)]
struct Map {
    order: ByteOrder,
    sizes: [i32; 3],
    mode: i32,
    starts: [i32; 3],
    grid: [i32; 3],
    cell: [f32; 3],
    angles: [f32; 3],
    axes: [i32; 3],
    extremes: [f32; 2],
    group: i32,
    extended: (i32, [u8; 4]),
    version: i32,
    imod_flags: Option<i32>,
    origin: [f32; 3],
    map: [u8; 4],
    stamp: [u8; 4],
    labels: Vec<&'static str>,
    /// Bytes after the header: those of the extended header, and the voxels.
    data: Vec<u8>,
}

impl Map {
    /// A little-endian volume of 2 Å.
    fn new(sizes: [i32; 3], mode: i32, data: Vec<u8>) -> Self {
        Self {
            order: ByteOrder::Little,
            sizes,
            mode,
            starts: [0; 3],
            grid: sizes,
            cell: sizes.map(|size| size as f32 * 2.0),
            angles: [90.0; 3],
            axes: [1, 2, 3],
            extremes: [0.0, -1.0],
            group: 1,
            extended: (0, [0; 4]),
            version: 20140,
            imod_flags: None,
            origin: [0.0; 3],
            map: *b"MAP ",
            stamp: [0x44, 0x44, 0, 0],
            labels: Vec::new(),
            data,
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let integer = |number: i32| match self.order {
            ByteOrder::Little => number.to_le_bytes(),
            ByteOrder::Big => number.to_be_bytes(),
        };
        let float = |number: f32| integer(number.to_bits() as i32);
        let mut words = vec![[0; 4]; 256];
        // Words are numbered from 1.
        let mut put =
            |word: usize, values: &[[u8; 4]]| words[word - 1..][..values.len()].copy_from_slice(values);
        put(1, &self.sizes.map(integer));
        put(4, &[integer(self.mode)]);
        put(5, &self.starts.map(integer));
        put(8, &self.grid.map(integer));
        put(11, &self.cell.map(float));
        put(14, &self.angles.map(float));
        put(17, &self.axes.map(integer));
        put(20, &self.extremes.map(float));
        put(23, &[integer(self.group), integer(self.extended.0)]);
        put(27, &[self.extended.1, integer(self.version)]);
        if let Some(flags) = self.imod_flags {
            put(39, &[integer(IMOD_STAMP), integer(flags)]);
        }
        put(50, &self.origin.map(float));
        put(53, &[self.map, self.stamp]);
        put(56, &[integer(self.labels.len() as i32)]);
        let mut bytes = words.concat();
        for (place, label) in bytes[224..].chunks_mut(80).zip(&self.labels) {
            place.fill(b' ');
            place[..label.len()].copy_from_slice(label.as_bytes());
        }
        bytes.extend(&self.data);
        bytes
    }
}

fn big(map: &mut Map) {
    (map.order, map.stamp) = (ByteOrder::Big, [0x11, 0x11, 0, 0]);
}

/// Header, notes, and voxels with the least significant byte first.
type Read = Result<(Header, Vec<Note>, Vec<u8>), String>;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn voxels(volume: OpenedVolume) -> Read {
    assert_eq!(volume.format, VolumeFormat::Mrc);
    let (header, notes, mut bytes) = (volume.header.clone(), volume.notes.clone(), Vec::new());
    write_volume(volume, VolumeFormat::Raw, &VolumeWriteOptions::default(), &mut bytes, &Task::new())
        .map_err(text)?;
    Ok((header, notes, bytes))
}

fn read_as(name: &str, bytes: &[u8]) -> Read {
    let folder = tempfile::tempdir().map_err(text)?;
    let path = folder.path().join(name);
    fs::write(&path, bytes).map_err(text)?;
    voxels(open(&path, &VolumeOpenOptions::default(), &Task::new()).map_err(text)?)
}

fn read(map: &Map) -> Read {
    read_as("a.mrc", &map.bytes())
}

fn piped(bytes: Vec<u8>) -> Read {
    let pipe = VolumePipe::new(Cursor::new(bytes)).map_err(text)?;
    voxels(pipe.open(&VolumeOpenOptions::default(), &Task::new()).map_err(text)?)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

fn spacing(header: &Header) -> [f64; 3] {
    [header.spacing.x, header.spacing.y, header.spacing.z]
}

#[test]
fn every_mode_is_read_in_both_byte_orders() {
    let halves = [0x3c00u16, 0xc000, 0x3555, 0x0001, 0x7bff, 0x8000];
    let floats = [1.0f32, -2.0, 0.333_251_95, 5.960_464_5e-8, 65504.0, -0.0];
    let shorts = [1u16, 2, 300, 0xfffe, 0x8000, 7];
    let both = |numbers: &[u16], is_big: bool| -> Vec<u8> {
        let bytes = |number: &u16| if is_big { number.to_be_bytes() } else { number.to_le_bytes() };
        numbers.iter().flat_map(bytes).collect()
    };
    for is_big in [false, true] {
        let float = |number: &f32| if is_big { number.to_be_bytes() } else { number.to_le_bytes() };
        let wide: Vec<u8> = floats.iter().flat_map(|number| number.to_le_bytes()).collect();
        let short = both(&shorts, false);
        for (mode, data, voxel_type, want, note) in [
            (0, vec![1, 2, 3, 254, 128, 0], VoxelType::I8, vec![1, 2, 3, 254, 128, 0], None),
            (1, both(&shorts, is_big), VoxelType::I16, short.clone(), None),
            (6, both(&shorts, is_big), VoxelType::U16, short, None),
            (2, floats.iter().flat_map(float).collect(), VoxelType::F32, wide, None),
            (12, both(&halves, is_big), VoxelType::F16, both(&halves, false), None),
            // The first voxel of a byte is in its low bits.
            (101, vec![0x21, 0xf3, 0x54, 0xf6], VoxelType::U8, vec![1, 2, 3, 4, 5, 6], None),
        ] {
            let map = Map::new([3, 2, 1], mode, data).with(|map| {
                if is_big {
                    big(map)
                }
            });
            for read in [read(&map), piped(map.bytes()), read_as("a.mrc.gz", &gzip(&map.bytes()))] {
                let (header, notes, bytes) = read.expect("a map");
                assert_eq!((header.dims, header.voxel_type), (Dims::new(3, 2, 1), voxel_type));
                assert_eq!(bytes, want, "mode {mode}, big-endian: {is_big}");
                assert_eq!(notes, note.clone().map(Note::Mrc).into_iter().collect::<Vec<_>>());
            }
        }
        for (mode, reason) in [
            (3, "mode 3 (complex of 2 i16) is not supported"),
            (4, "mode 4 (complex of 2 f32) is not supported"),
            (16, "mode 16 (colours of 3 bytes) is not supported"),
            (5, "the header's field MODE is 5, which is not allowed"),
            (-1, "the header's field MODE is -1, which is not allowed"),
        ] {
            let map = Map::new([3, 2, 1], mode, vec![0; 48]).with(|map| {
                if is_big {
                    big(map)
                }
            });
            assert_eq!(read(&map).expect_err("no such voxels"), reason);
        }
    }
}

#[test]
fn bytes_have_the_sign_that_the_file_states() {
    let of = |change: fn(&mut Map)| {
        let (header, notes, _) = read(&Map::new([3, 1, 1], 0, vec![1, 2, 200]).with(change)).expect("bytes");
        let noted = match notes[..] {
            [] => None,
            [Note::Mrc(MrcNote::Bytes { is_signed })] => Some(is_signed),
            _ => panic!("{notes:?}"),
        };
        (header.voxel_type == VoxelType::I8, noted)
    };
    assert_eq!(of(|_| ()), (true, None));
    assert_eq!(of(|map| map.imod_flags = Some(0)), (false, None));
    assert_eq!(of(|map| map.imod_flags = Some(1)), (true, None));
    // Without a version: IMOD's rule.
    for (extremes, is_signed) in [
        ([-5.0, 100.0], true),
        ([0.0, 200.0], false),
        ([-100.0, 130.0], true),
        ([-1.0, 255.0], false),
        ([0.0, 100.0], true),
        ([0.0, -1.0], true),
    ] {
        let map =
            Map::new([3, 1, 1], 0, vec![1, 2, 200]).with(|map| (map.version, map.extremes) = (0, extremes));
        let (header, notes, _) = read(&map).expect("bytes");
        assert_eq!(header.voxel_type == VoxelType::I8, is_signed, "{extremes:?}");
        assert_eq!(notes, [Note::Mrc(MrcNote::Bytes { is_signed })]);
    }
    let packed = Map::new([3, 1, 1], 0, vec![0; 3]).with(|map| map.imod_flags = Some(16));
    assert!(read(&packed).is_err_and(|error| error.contains("two voxels in a byte")));
}

#[test]
fn a_wrong_machine_stamp_does_not_turn_the_numbers() {
    let data = |is_big: bool| -> Vec<u8> {
        let bytes = |number: u16| if is_big { number.to_be_bytes() } else { number.to_le_bytes() };
        (0..6).flat_map(bytes).collect()
    };
    let want = data(false);
    for is_big in [false, true] {
        let order = if is_big { ByteOrder::Big } else { ByteOrder::Little };
        let other = if is_big { [0x44, 0x41, 0, 0] } else { [0x11, 0x11, 0, 0] };
        for stamp in [[0; 4], [0xff, 7, 1, 2], other] {
            let map =
                Map::new([3, 2, 1], 1, data(is_big)).with(|map| (map.order, map.stamp) = (order, stamp));
            let (_, notes, bytes) = read(&map).expect("a plausible header");
            assert_eq!((bytes, notes), (want.clone(), vec![Note::Mrc(MrcNote::MachineStamp { order })]));
        }
        // Before MRC2000, other numbers are in the places of ORIGIN, MAP and the stamp.
        let map = Map::new([3, 2, 1], 1, data(is_big)).with(|map| {
            (map.order, map.map, map.stamp, map.version) = (order, [0; 4], [0; 4], 0);
            map.origin = [f32::NAN, 1.0, 2.0];
        });
        for name in ["a.mrc", "a.map", "a.rec", "a.st"] {
            let (header, notes, bytes) = read_as(name, &map.bytes()).expect("a plausible header");
            assert_eq!((bytes, notes), (want.clone(), vec![Note::Mrc(MrcNote::OldHeader { order })]));
            assert_eq!(header.origin, [0.0; 3]);
        }
        assert!(read_as("a.dat", &map.bytes()).is_err_and(|error| error.contains("raw voxels need")));
    }
    let other = Map::new([3, 2, 1], 1, data(false)).with(|map| (map.map, map.axes) = ([0; 4], [0; 3]));
    assert_eq!(read(&other).expect_err("no map"), "not a MRC file");
}

/// The bytes of u16 numbers x + 10 y + 100 z in a file whose axes are these.
fn permuted(sizes: [usize; 3], axes: [usize; 3]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for section in 0..sizes[axes[2]] {
        for row in 0..sizes[axes[1]] {
            for column in 0..sizes[axes[0]] {
                let mut place = [0; 3];
                (place[axes[0]], place[axes[1]], place[axes[2]]) = (column, row, section);
                bytes.push((place[0] + 10 * place[1] + 100 * place[2]) as u16);
            }
        }
    }
    bytes.into_iter().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn axes_in_every_order_come_out_as_x_y_z() {
    let sizes = [5usize, 4, 3];
    let want = permuted(sizes, [0, 1, 2]);
    for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let data = permuted(sizes, axes);
        let map = Map::new(axes.map(|axis| sizes[axis] as i32), 6, data.clone()).with(|map| {
            map.axes = axes.map(|axis| axis as i32 + 1);
            // The cell is in the order of space, first indices in that of the file.
            (map.grid, map.cell) = ([10, 20, 40], [10.0, 30.0, 80.0]);
            map.starts = axes.map(|axis| [1, 2, 3][axis]);
        });
        for read in [read(&map), piped(map.bytes()), read_as("a.map.gz", &gzip(&map.bytes()))] {
            let (header, notes, bytes) = read.expect("a map");
            assert_eq!((header.dims, spacing(&header)), (Dims::new(5, 4, 3), [1e-7, 1.5e-7, 2e-7]));
            for (origin, want) in header.origin.into_iter().zip([1e-7, 3e-7, 6e-7]) {
                assert!((origin - want).abs() < 1e-20, "{axes:?}: {:?}", header.origin);
            }
            assert!(bytes == want && notes.is_empty(), "{axes:?}: {notes:?}");
        }
        let numbers = |bytes: &[u8]| -> Vec<u16> {
            bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair)).collect()
        };
        // Bytes of two voxels; a row starts at a byte.
        let rows = numbers(&data);
        let nibbles = rows.chunks(map.sizes[0] as usize).flat_map(|row| {
            row.chunks(2).map(|pair| (pair[0] & 15 | pair.get(1).map_or(0, |high| high & 15) << 4) as u8)
        });
        let map = map.with(|map| (map.mode, map.data) = (101, nibbles.collect()));
        let low: Vec<u8> = numbers(&want).into_iter().map(|number| number as u8 & 15).collect();
        assert!(read(&map).expect("nibbles").2 == low, "{axes:?}");
    }
    for axes in [[1, 1, 3], [0, 1, 2], [1, 2, 4], [-1, 2, 3], [0, 0, 0]] {
        let map = Map::new([3, 2, 1], 6, vec![0; 12]).with(|map| map.axes = axes);
        let error = read(&map).expect_err("no axes");
        assert!(
            error.starts_with("the header's field MAPC, MAPR, MAPS is") && error.contains("not allowed"),
            "{error}"
        );
    }
}

#[test]
fn extended_headers_are_skipped_with_a_note() {
    for (kind, name) in [
        (*b"FEI1", "type FEI1"),
        (*b"SERI", "type SERI"),
        (*b"CCP4", "type CCP4"),
        ([0; 4], "without a type"),
    ] {
        let data = [&[9; 160][..], &[1, 0, 2, 0]].concat();
        let map = Map::new([2, 1, 1], 6, data).with(|map| map.extended = (160, kind));
        for read in [read(&map), piped(map.bytes())] {
            let (_, notes, bytes) = read.expect("a map");
            assert_eq!(bytes, [1, 0, 2, 0]);
            assert!(
                matches!(&notes[..], [note] if text(note).contains("160 bytes") && text(note).contains(name)),
                "{notes:?}"
            );
        }
        let short = map.clone().with(|map| map.extended.0 = i32::MAX);
        assert_eq!(read(&short).expect_err("too short"), "the header has 1188 bytes, expected 2147484671");
        let negative = map.with(|map| map.extended.0 = -1);
        assert_eq!(
            read(&negative).expect_err("negative"),
            "the header's field NSYMBT is -1, which is not allowed"
        );
    }
}

#[test]
fn stacks_are_frames() {
    let stack = |group: i32, depth: i32| {
        let map = Map::new([2, 1, 6], 6, (0..24).collect()).with(|map| {
            (map.group, map.grid[2], map.cell[2]) = (group, depth, 3.0 * depth as f32);
        });
        let (header, notes, bytes) = read(&map)?;
        assert_eq!(bytes, (0..24).collect::<Vec<u8>>());
        Ok::<_, String>(((header.dims.z, header.frames), spacing(&header)[2], notes))
    };
    assert_eq!(
        stack(401, 2).expect("volumes"),
        ((2, 3), 3e-7, vec![Note::Mrc(MrcNote::Volumes { count: 3 })])
    );
    assert_eq!(stack(630, 6).expect("a volume"), ((6, 1), 3e-7, vec![]));
    assert_eq!(stack(0, 1).expect("images"), ((1, 6), 3e-7, vec![Note::Mrc(MrcNote::Images { count: 6 })]));
    let ambiguous = Note::Mrc(MrcNote::VolumeOfImages { depth: 6 });
    assert_eq!(stack(0, 6).expect("a volume"), ((6, 1), 3e-7, vec![ambiguous]));
    // CCP4's maps of a part of the cell.
    assert_eq!(stack(1, 1).expect("a volume"), ((6, 1), 3e-7, vec![]));
    assert_eq!(stack(19, 40).expect("a volume").0, (6, 1));
    for depth in [0, 4, 7, -2] {
        let error = stack(401, depth).expect_err("no volumes");
        assert_eq!(
            error,
            format!("the header's field MZ, of a stack of volumes, is {depth}, which is not allowed")
        );
    }
    let across = Map::new([2, 1, 6], 6, vec![0; 24]).with(|map| {
        (map.group, map.axes, map.grid) = (401, [3, 2, 1], [6, 1, 1]);
    });
    assert!(read(&across).is_err_and(|error| error.contains("not along z")));
    // Sections may have rows and columns exchanged.
    let across =
        across.with(|map| (map.axes, map.grid, map.data) = ([2, 1, 3], [1, 2, 3], (0..24).collect()));
    let (header, _, bytes) = read(&across).expect("volumes");
    assert_eq!((header.dims, header.frames, bytes), (Dims::new(1, 2, 3), 2, (0..24).collect()));
}

/// RELION's stacks have MZ = NZ. IMOD's volumes and older ones have ISPG 0, too.
#[test]
fn the_name_tells_stacks_of_images_from_volumes() {
    let map = Map::new([2, 1, 6], 6, (0..24).collect()).with(|map| map.group = 0);
    let shape = |name: &str, map: &Map| {
        let bytes = if name.ends_with(".gz") { gzip(&map.bytes()) } else { map.bytes() };
        let (header, notes, voxels) = read_as(name, &bytes).expect("a map");
        assert_eq!((voxels, spacing(&header)), ((0..24).collect(), [2e-7; 3]));
        (header.dims.z, header.frames, notes.iter().map(text).collect::<Vec<_>>().join(". "))
    };
    let note = "a stack of images by its name .mrcs and ISPG 0, although MZ is 6: its 6 images are frames";
    for name in ["a.mrcs", "A.MRCS", "a.mrcs.gz"] {
        assert_eq!(shape(name, &map), (1, 6, note.to_owned()), "{name}");
    }
    let note = "ISPG 0 means images, but MZ is 6: read as one volume; named .mrcs, as images";
    assert_eq!(shape("a.mrc", &map), (6, 1, note.to_owned()));
    let old = map.clone().with(|map| map.version = 0);
    assert_eq!(shape("a.mrc", &old), (6, 1, String::new()));
    let imod = map.clone().with(|map| map.imod_flags = Some(4));
    assert_eq!(shape("a.mrc", &imod), (6, 1, String::new()));
    // A volume by its space group.
    assert_eq!(shape("a.mrcs", &map.with(|map| map.group = 1)), (6, 1, String::new()));
}

#[test]
fn positions_are_origin_or_else_the_first_indices() {
    let at = |change: &dyn Fn(&mut Map)| {
        let map = Map::new([4, 4, 4], 6, vec![0; 128]).with(|map| change(map));
        let (header, notes, _) = read(&map).expect("a map");
        (header.origin, notes.iter().map(text).collect::<Vec<_>>().join("; "))
    };
    assert_eq!(at(&|_| ()), ([0.0; 3], String::new()));
    assert_eq!(at(&|map| map.origin = [0.5, -4.0, 0.1]), ([5e-8, -4e-7, 1e-8], String::new()));
    assert_eq!(at(&|map| map.starts = [-2, 1, 5]), ([-4e-7, 2e-7, 1e-6], String::new()));
    let agreed = |map: &mut Map| (map.origin, map.starts) = ([-4.0, 2.0, 10.0], [-2, 1, 5]);
    assert_eq!(at(&agreed), ([-4e-7, 2e-7, 1e-6], String::new()));
    let (origin, note) = at(&|map| (map.origin, map.starts) = ([-4.0, 2.0, 10.0], [-2, 1, 4]));
    assert_eq!(origin, [-4e-7, 2e-7, 1e-6]);
    assert!(note.contains("different positions: ORIGIN counts"), "{note}");
    // IMOD states the sign; a version states MRC2014's.
    let imod = |version: i32, flags: i32| {
        at(&|map| (map.origin, map.version, map.imod_flags) = ([3.0, 0.0, -4.0], version, Some(flags)))
    };
    let (origin, note) = imod(0, 1);
    assert!(origin == [-3e-7, 0.0, 4e-7] && note.contains("opposite sign"), "{origin:?} {note}");
    assert_eq!(imod(0, 5), ([3e-7, 0.0, -4e-7], String::new()));
    assert_eq!(imod(20140, 1), ([3e-7, 0.0, -4e-7], String::new()));
    // Numbers that were never set.
    let (origin, note) = at(&|map| (map.origin, map.starts) = ([1e30, 0.0, 0.0], [1, 0, 0]));
    assert!(origin == [2e-7, 0.0, 0.0] && note.starts_with("ORIGIN was never set"), "{origin:?} {note}");
    let (origin, note) = at(&|map| map.starts = [7, 1 << 30, 0]);
    assert!(origin == [0.0; 3] && note.starts_with("NXSTART, NYSTART, NZSTART was never set"), "{note}");
    let map = Map::new([4, 4, 4], 6, vec![0; 128]).with(|map| map.origin[1] = f32::NAN);
    assert!(read(&map).is_err_and(|error| error.contains("ORIGIN") && error.contains("not a finite number")));
}

#[test]
fn cells_are_distances_and_directions() {
    let of = |change: &dyn Fn(&mut Map)| {
        let map = Map::new([4, 4, 4], 6, vec![0; 128]).with(|map| change(map));
        read(&map).map(|(header, notes, _)| {
            (spacing(&header), header.orientation, notes.iter().map(text).collect::<Vec<_>>().join("; "))
        })
    };
    let straight = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let cell = of(&|map| (map.grid, map.cell) = ([256, 100, 512], [271.36, 107.3, 1740.8])).expect("a cell");
    assert_eq!(cell, ([1.06e-7, 1.073e-7, 3.4e-7], straight, String::new()));
    let (unknown, _, note) = of(&|map| map.cell = [0.0; 3]).expect("no cell");
    assert_eq!(unknown, [1e-7; 3]);
    assert_eq!(note, "the distance between voxels along x, y and z is unknown: it is taken as 0.0000001 mm");
    let (unknown, _, note) = of(&|map| map.cell[2] = 0.0).expect("no depth");
    assert!(unknown == [2e-7; 3] && note.contains("along z is unknown"), "{note}");
    let (unknown, _, note) = of(&|map| map.grid = [0, 0, 4]).expect("no grid");
    assert!(unknown == [2e-7; 3] && note.contains("along x and y is unknown"), "{note}");
    assert_eq!(of(&|map| map.angles = [0.0; 3]).expect("no angles").1, straight);
    let (_, directions, _) = of(&|map| map.angles = [90.0, 90.0, 120.0]).expect("a hexagonal cell");
    let want = [1.0, 0.0, 0.0, -0.5, 0.75f64.sqrt(), 0.0, 0.0, 0.0, 1.0];
    assert!(directions.iter().zip(want).all(|(have, want)| (have - want).abs() < 1e-12), "{directions:?}");
    for (change, field) in [
        (&(|map: &mut Map| map.cell[1] = -8.0) as &dyn Fn(&mut Map), "CELLA"),
        (&|map| map.cell[0] = f32::INFINITY, "CELLA"),
        (&|map| map.grid[2] = -4, "MZ"),
        (&|map| map.angles = [90.0, f32::NAN, 90.0], "CELLB"),
        (&|map| map.angles = [10.0, 20.0, 170.0], "CELLB"),
        (&|map| map.angles = [90.0, 90.0, 180.0], "CELLB"),
    ] {
        let error = of(change).expect_err(field);
        assert!(error.starts_with(&format!("the header's field {field} is")), "{error}");
    }
}

#[test]
fn sizes_of_files_are_checked() {
    let map = Map::new([3, 2, 1], 12, vec![0; 12]);
    for (length, reason) in [
        (11, "expected 12 bytes of voxels, but there are 11"),
        (0, "expected 12 bytes of voxels, but there are 0"),
    ] {
        let short = map.clone().with(|map| map.data.truncate(length));
        assert_eq!(read(&short).expect_err("too short"), reason);
        assert!(piped(short.bytes()).is_err());
        assert!(read_as("a.mrc.gz", &gzip(&short.bytes())).is_err());
        let across = short.with(|map| (map.axes, map.grid) = ([3, 2, 1], [1, 2, 3]));
        assert!(piped(across.bytes()).is_err());
        assert!(read_as("a.mrc.gz", &gzip(&across.bytes())).is_err());
    }
    let longer = map.clone().with(|map| map.data.extend([0; 5]));
    let (_, notes, bytes) = read(&longer).expect("a map");
    assert_eq!((&notes[..], bytes.len()), (&[Note::BytesAfterVoxels { count: 5 }][..], 12));
    let header = map.bytes();
    for length in [0, 3, 100, 216, 1023] {
        let error = read_as("a.mrc", &header[..length]).expect_err("too short");
        assert_eq!(error, format!("the header has {length} bytes, expected 1024"));
    }
    // Sizes that no memory has.
    for (sizes, reason) in [
        ([i32::MAX; 3], "more than this machine can address"),
        ([i32::MAX, 1, 1], "expected"),
        ([0, 2, 1], "the header's field NX is 0"),
        ([3, -2, 1], "the header's field NY is -2"),
        ([3, 2, i32::MIN], "the header's field NZ is -2147483648"),
    ] {
        for axes in [[1, 2, 3], [3, 2, 1]] {
            for mode in [2, 101, 12] {
                let map = Map::new(sizes, mode, vec![0; 24]).with(|map| map.axes = axes);
                let error = read(&map).expect_err("no such volume");
                assert!(error.contains(reason), "{sizes:?}: {error}");
                assert!(read_as("a.mrc.gz", &gzip(&map.bytes())).is_err());
            }
        }
    }
}

#[test]
fn maps_are_found_by_their_content() {
    let file = Map::new([2, 1, 1], 6, vec![1, 0, 2, 0])
        .with(|map| map.labels = vec!["made by hand", "", "b"])
        .bytes();
    for name in ["a.map", "a.rec", "a.st", "a.ali", "a.mrcs", "a.dat", "emd_1"] {
        let (header, notes, bytes) = read_as(name, &file).expect(name);
        assert_eq!((bytes, notes), (vec![1, 0, 2, 0], vec![]));
        assert_eq!(header.metadata, r#"{"mrc":{"labels":["made by hand","b"]}}"#);
        assert_eq!(read_as(name, &gzip(&file)).expect(name).2, [1, 0, 2, 0]);
    }
    assert_eq!(piped(gzip(&file)).expect("a pipe").2, [1, 0, 2, 0]);
    #[cfg(feature = "zstd")]
    assert_eq!(
        read_as("a.mrc", &zstd::encode_all(&file[..], 1).expect("memory")).expect("Zstandard").2.len(),
        4
    );
    // Raw voxels in files of these names are described.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.rec");
    fs::write(&path, [7; 8]).expect("a file");
    let raw = RawLayout::new(VoxelType::U8, Dims::new(2, 2, 2));
    let options = VolumeOpenOptions::default().with(|options| options.raw = raw);
    assert_eq!(open(&path, &options, &Task::new()).expect("raw voxels").format, VolumeFormat::Raw);
    let error = open(&path, &VolumeOpenOptions::default(), &Task::new()).expect_err("no map");
    assert!(matches!(error, OpenError::Undescribed), "{error}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let options = VolumeOpenOptions::default().with(|options| options.format = Some(VolumeFormat::Mrc));
    let error = open(path, &options, &Task::new()).expect_err("no map");
    assert!(matches!(error, OpenError::Format(FormatError::Other("MRC"))), "{error}");
}

/// Writes a volume, from a file or a pipe.
fn write(header: &Header, voxels: &[u8], once: bool) -> Result<Vec<u8>, WriteError> {
    let bytes = Cursor::new(voxels.to_vec());
    let voxels =
        if once { VoxelStream::Once(Box::new(bytes)) } else { VoxelStream::Rewindable(Box::new(bytes)) };
    let (format, order) = (VolumeFormat::Raw, ByteOrder::Little);
    let header = header.clone();
    let volume = OpenedVolume { format, header, order, voxels, files: Vec::new(), notes: Vec::new() };
    let mut file = Vec::new();
    write_volume(volume, VolumeFormat::Mrc, &VolumeWriteOptions::default(), &mut file, &Task::new())?;
    Ok(file)
}

fn float(file: &[u8], word: usize) -> f32 {
    f32::from_le_bytes(*file[4 * (word - 1)..].first_chunk().expect("a word"))
}

fn integer(file: &[u8], word: usize) -> i32 {
    float(file, word).to_bits() as i32
}

#[test]
fn every_type_that_mrc_has_is_written_and_read_back() {
    for &voxel_type in VoxelType::ALL {
        for channels in [1, 3] {
            let header = Header::new(voxel_type, Dims::new(3, 2, 2)).with(|header| {
                header.channels = channels;
                header.spacing = Spacing { x: 1.06e-7, y: 0.25, z: 0.34 };
                header.origin = [1.5e-7, -2.5, 3.0];
                header.metadata = r#"{"mrc":{"ISPG":19,"labels":["made by hand","é"]}}"#.to_owned();
            });
            let count = header.raw_bytes().expect("a shape") as usize;
            // Exponents of floats stay small.
            let voxels: Vec<u8> = (0..count).map(|i| (i * 37 % 120) as u8).collect();
            let file = match write(&header, &voxels, false) {
                Ok(file) => file,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Unsupported);
                    assert!(text(&error).starts_with("MRC does not hold"), "{error}");
                    assert!(channels > 1 || voxel_type.byte_count() > 2 && voxel_type != VoxelType::F32);
                    continue;
                }
            };
            let (read, notes, bytes) = read_as("a.mrc", &file).expect("our own file");
            assert!(channels == 1 && notes.is_empty(), "{notes:?}");
            if voxel_type == VoxelType::U8 {
                assert_eq!(read.voxel_type, VoxelType::U16);
                assert_eq!(bytes, voxels.iter().flat_map(|&byte| [byte, 0]).collect::<Vec<u8>>());
            } else {
                assert_eq!((read.voxel_type, &bytes), (voxel_type, &voxels));
            }
            assert_eq!((read.dims, read.spacing, read.origin), (header.dims, header.spacing, header.origin));
            assert_eq!(read.orientation, header.orientation);
            assert_eq!(read.metadata, r#"{"mrc":{"ISPG":19,"labels":["made by hand","?"]}}"#);
            assert_eq!((integer(&file, 23), integer(&file, 28)), (19, 20140));
            assert_eq!(&file[208..216], b"MAP \x44\x44\0\0");
        }
    }
}

#[test]
fn statistics_are_those_of_the_voxels_or_not_determined() {
    let header = Header::new(VoxelType::I16, Dims::new(4, 1, 1));
    let numbers: Vec<u8> = [30000i16, 30002, 29998, 30008].into_iter().flat_map(i16::to_le_bytes).collect();
    let file = write(&header, &numbers, false).expect("memory");
    let stated = |file: &[u8]| [20, 21, 22, 55].map(|word| float(file, word));
    assert_eq!(stated(&file), [29998.0, 30008.0, 30002.0, 14f32.sqrt()]);
    // A pipe, and numbers that have no mean.
    let [min, max, mean, deviation] = stated(&write(&header, &numbers, true).expect("memory"));
    assert!(max < min && mean < max && deviation < 0.0);
    let header = Header::new(VoxelType::F32, Dims::new(2, 1, 1));
    let numbers = [1.0, f32::NAN].map(f32::to_le_bytes).concat();
    assert_eq!(stated(&write(&header, &numbers, false).expect("memory")), [min, max, mean, deviation]);
}

#[test]
fn shapes_and_places_are_written() {
    let header = |dims: Dims, frames: usize| {
        Header::new(VoxelType::I8, dims).with(|header| {
            header.frames = frames;
            header.spacing = Spacing { x: 0.5, y: 0.25, z: 2.0 };
            header.origin = [-1.0, 0.75, 8.0];
        })
    };
    for (dims, frames, group, grid) in [
        (Dims::new(3, 2, 4), 1, 1, 4),
        (Dims::new(3, 2, 2), 2, 401, 2),
        (Dims::new(3, 2, 1), 4, 0, 1),
        (Dims::new(3, 2, 1), 1, 0, 1),
    ] {
        let header = header(dims, frames);
        let voxels = vec![5; header.raw_bytes().expect("a shape") as usize];
        let file = write(&header, &voxels, false).expect("memory");
        assert_eq!((integer(&file, 23), integer(&file, 10)), (group, grid));
        // The origin is at a voxel, so both conventions have it.
        assert_eq!([5, 6, 7].map(|word| integer(&file, word)), [-2, 3, 4]);
        let (read, ..) = read_as("a.mrc", &file).expect("our own file");
        assert_eq!((read.dims, read.frames), (dims, frames));
        assert_eq!((read.spacing, read.origin), (header.spacing, header.origin));
    }
    // Directions: those of a cell are kept, others are noted.
    let mut skewed = header(Dims::new(3, 2, 4), 1);
    skewed.orientation = [1.0, 0.0, 0.0, -0.5, 0.75f64.sqrt(), 0.0, 0.0, 0.6, 0.8];
    assert_eq!(lost_fields(&skewed, VolumeFormat::Mrc), []);
    let (read, ..) =
        read_as("a.mrc", &write(&skewed, &[0; 24], false).expect("memory")).expect("our own file");
    let differs = |(have, want): (f64, f64)| (have - want).abs() > 1e-6;
    assert!(!read.orientation.into_iter().zip(skewed.orientation).any(differs), "{:?}", read.orientation);
    skewed.orientation = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    skewed.frame_spacing = 2.0;
    let notes: Vec<String> = lost_fields(&skewed, VolumeFormat::Mrc).iter().map(text).collect();
    assert_eq!(notes, ["fields of the volume that are not written: directions, time between frames"]);
}

proptest! {
    /// Any words in a header give a volume or an error.
    #[test]
    fn any_header_is_read_or_refused(changes in vec((0..56usize, any::<[u8; 4]>()), 0..4), is_packed: bool) {
        let mut bytes = Map::new([3, 2, 1], 6, vec![0; 12]).with(|map| map.axes = [3, 1, 2]).bytes();
        for (word, value) in changes {
            bytes[4 * word..][..4].copy_from_slice(&value);
        }
        let bytes = if is_packed { gzip(&bytes) } else { bytes };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.mrc");
        fs::write(&path, bytes).expect("a file");
        if let Ok(volume) = open(&path, &VolumeOpenOptions::default(), &Task::new()) {
            let read = voxels(volume);
            prop_assert!(is_packed || read.is_ok(), "{read:?}");
        }
    }
}

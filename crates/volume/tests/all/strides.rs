//! Voxels at any strides, against a naive copy.

use crate::common::voxels;
use brickwork_volume::{
    AnyView, BwvOptions, Dims, ErrorKind, Header, Region, Selection, ShapeError, Strides, Task, VolumeFile,
    VolumeReadError, VolumeView, VolumeWriter, Voxel, VoxelType, encode, encode_any,
};
use proptest::prelude::*;

/// Memory layout: the order of the axes from the fastest on, the flipped axes, and numbers between neighbours
/// along each axis.
#[derive(Clone, Debug)]
pub struct Layout {
    order: [usize; 5],
    flipped: [bool; 5],
    gaps: [usize; 5],
}

pub fn layouts() -> impl Strategy<Value = Layout> {
    let order = Just([0, 1, 2, 3, 4]).prop_shuffle();
    (order, any::<[bool; 5]>(), prop::array::uniform5(0usize..3)).prop_map(|(order, flipped, gaps)| Layout {
        order,
        flipped,
        gaps,
    })
}

impl Layout {
    /// Returns the strides for counts of channels, voxels along x, y and z, and frames, and the number of
    /// numbers they need.
    pub fn strides(&self, counts: [usize; 5]) -> (Strides, usize) {
        let (mut steps, mut first, mut extent) = ([0; 5], 3, 1);
        for &axis in &self.order {
            let step = extent + self.gaps[axis];
            extent += step * (counts[axis] - 1);
            steps[axis] = step as isize;
            if self.flipped[axis] {
                first += step * (counts[axis] - 1);
                steps[axis] = -steps[axis];
            }
        }
        let [channel, x, y, z, frame] = steps;
        (Strides { first, channel, x, y, z, frame }, extent + 3)
    }
}

/// Returns the position of a number, by the definition.
pub fn place(strides: &Strides, [channel, x, y, z, frame]: [usize; 5]) -> usize {
    let steps =
        [(strides.channel, channel), (strides.x, x), (strides.y, y), (strides.z, z), (strides.frame, frame)];
    let sum: isize = steps.iter().map(|&(step, index)| step * index as isize).sum();
    usize::try_from(strides.first as isize + sum).expect("a place")
}

/// Calls `with` for each index of a shape, in the order of dense voxels.
fn indices(counts: [usize; 5]) -> Vec<[usize; 5]> {
    let [channels, width, height, depth, frames] = counts;
    let mut all = Vec::new();
    for frame in 0..frames {
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    all.extend((0..channels).map(|channel| [channel, x, y, z, frame]));
                }
            }
        }
    }
    all
}

/// Reads a region with a layout, as numbers and as misaligned bytes.
fn check_reading<T: Voxel + PartialEq>(dims: Dims, region: &Region, channels: usize, layout: &Layout) {
    let frames = 2;
    let mut header = Header::new(T::TYPE, dims);
    (header.channels, header.frames) = (channels, frames);
    let all = Dims::new(dims.x * channels, dims.y, dims.z * frames);
    let mut writer = VolumeWriter::new(Vec::new(), &header, &BwvOptions::default()).expect("a header");
    writer.write_voxels(&voxels::<T>(all, 7, 6), &Task::new()).expect("memory");
    let file = VolumeFile::new(writer.finish().expect("memory").0).expect("our own file");
    let dense: Vec<T> = file.read(region, &Task::new()).expect("our own file");

    let counts = [channels, region.x.len(), region.y.len(), region.z.len(), frames];
    let (strides, count) = layout.strides(counts);
    let blank = T::from_ordinal(1);
    let mut expected = vec![blank; count];
    for (index, &number) in indices(counts).into_iter().zip(&dense) {
        expected[place(&strides, index)] = number;
    }
    let selection = Selection::default();
    let mut found = vec![blank; count];
    file.read_strided(&selection, region, &mut found, &strides, &Task::new()).expect("room for all");
    let bytes = |numbers: &[T]| bytemuck::cast_slice::<T, u8>(numbers).to_vec();
    assert!(bytes(&found) == bytes(&expected), "{strides:?}");
    // The bytes are one byte off the alignment of every type.
    let number_bytes = T::TYPE.byte_count();
    let mut memory = vec![0u64; count * number_bytes / 8 + 2];
    let misaligned = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut memory)[1..=count * number_bytes];
    misaligned.copy_from_slice(&bytes(&vec![blank; count]));
    file.read_bytes_into(&selection, region, misaligned, &strides, &Task::new()).expect("room for all");
    assert!(misaligned == bytes(&expected), "{strides:?}, bytes");
}

/// Encodes voxels with a layout, at an odd address, and compares with the file of dense ones.
fn check_encoding<T: Voxel>(dims: Dims, channels: usize, layout: &Layout, seed: u32) {
    let dense = voxels::<T>(Dims { x: dims.x * channels, ..dims }, seed, 5);
    check_file(&dense, dims, channels, layout, 1);
}

/// Encodes voxels with a layout, `offset` bytes after an aligned address, and compares with the file of dense
/// ones. Returns the number of rank tables.
fn check_file<T: Voxel>(dense: &[T], dims: Dims, channels: usize, layout: &Layout, offset: usize) -> usize {
    let header = Header::new(T::TYPE, dims).with(|header| header.channels = channels);
    let view = VolumeView::interleaved(dense, dims, channels).expect("voxels");
    let mut expected = Vec::new();
    encode(view, &header, &BwvOptions::default(), &mut expected, &Task::new()).expect("memory");

    let counts = [channels, dims.x, dims.y, dims.z, 1];
    let (strides, count) = layout.strides(counts);
    let number_bytes = T::TYPE.byte_count();
    // The buffer has words, so its bytes are aligned for every type.
    let mut memory = vec![0x5555_5555_5555_5555u64; (offset + count * number_bytes).div_ceil(8)];
    let memory = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut memory)[offset..];
    for (index, number) in
        indices(counts).into_iter().zip(bytemuck::cast_slice::<T, u8>(dense).chunks(number_bytes))
    {
        memory[place(&strides, index) * number_bytes..][..number_bytes].copy_from_slice(number);
    }
    let view = AnyView::with_strides(memory, T::TYPE, dims, channels, strides).expect("voxels");
    let mut found = Vec::new();
    encode_any(&view, &header, &BwvOptions::default(), &mut found, &Task::new()).expect("memory");
    assert!(found == expected, "{strides:?}");
    VolumeFile::new(found).expect("our own file").counts().rank_tables
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_strides_are_read(
        (x, y, z) in (1usize..40, 1usize..20, 1usize..70),
        channels in 1usize..4,
        layout in layouts(),
    ) {
        let dims = Dims::new(x, y, z);
        let region = Region { x: x / 3..x, y: 0..y.div_ceil(2), z: z / 4..z };
        check_reading::<u8>(dims, &region, channels, &layout);
        check_reading::<i16>(dims, &region, channels, &layout);
        check_reading::<f32>(dims, &region, channels, &layout);
        check_reading::<u64>(dims, &region, channels, &layout);
    }

    #[test]
    fn any_strides_are_encoded(
        (x, y, z) in (1usize..40, 1usize..20, 1usize..70),
        channels in 1usize..4,
        layout in layouts(),
        seed: u32,
    ) {
        let dims = Dims::new(x, y, z);
        check_encoding::<u8>(dims, channels, &layout, seed);
        check_encoding::<u16>(dims, channels, &layout, seed);
        check_encoding::<i32>(dims, channels, &layout, seed);
        check_encoding::<f64>(dims, channels, &layout, seed);
    }
}

/// Rank tables are made from memory where voxels fill it, else from copies. Both are the same.
#[test]
fn rank_tables_do_not_depend_on_the_order_of_memory() {
    let dims = Dims::new(12, 10, 40);
    for channels in [1, 2] {
        let numbers: Vec<u64> = voxels(Dims { x: dims.x * channels, ..dims }, 5, 4);
        let short: Vec<u16> = numbers.iter().map(|number| (number % 9 * 300) as u16).collect();
        // The channels have other values.
        let long = |i: usize| ((numbers[i] % 7) << 33) + (i % channels) as u64;
        let long: Vec<u64> = (0..numbers.len()).map(long).collect();
        for order in [[0, 1, 2, 3, 4], [0, 3, 2, 1, 4], [0, 2, 3, 1, 4], [1, 0, 2, 3, 4]] {
            for (is_flipped, gap) in [(false, 0), (true, 0), (true, 1)] {
                let flipped = [false, is_flipped, false, is_flipped, false];
                let layout = Layout { order, flipped, gaps: [0, 0, gap, 0, 0] };
                assert!(check_file(&short, dims, channels, &layout, 0) > 0, "{layout:?}");
                assert!(check_file(&long, dims, channels, &layout, 0) > 0, "{layout:?}");
            }
        }
    }
}

#[test]
fn two_channels_are_not_two_frames() {
    let dims = Dims::new(4, 3, 2);
    let numbers: Vec<u16> = (0..48).collect();
    let view = AnyView::new(bytemuck::cast_slice(&numbers), VoxelType::U16, dims, 2).expect("a view");
    let header = Header::new(VoxelType::U16, dims).with(|header| header.frames = 2);
    let error = encode_any(&view, &header, &BwvOptions::default(), &mut Vec::new(), &Task::new());
    let error = error.expect_err("other channels").to_string();
    assert_eq!(error, "channels × frames are 1×2 in the header, 2×1 in the voxels");
}

#[test]
fn strides_out_of_the_memory_are_refused() {
    let dims = Dims::new(4, 3, 2);
    let numbers: Vec<u16> = (0..24).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&numbers);
    let view = |strides| AnyView::with_strides(bytes, VoxelType::U16, dims, 1, strides);
    let dense = Strides::dense(dims, 1);
    assert!(view(dense).is_ok());
    let flipped = Strides { first: 12, z: -12, ..dense };
    assert!(view(flipped).is_ok());
    for (strides, ends) in [
        (Strides { first: 11, ..flipped }, (-1, 22)),
        (Strides { first: 1, ..dense }, (1, 24)),
        (Strides { y: -4, ..dense }, (-8, 15)),
    ] {
        match view(strides) {
            Err(ShapeError::Strides { first, last, actual: 24 }) => assert_eq!((first, last), ends),
            other => panic!("{other:?}"),
        }
    }
    for step in [isize::MIN, isize::MAX] {
        let far = Strides { first: usize::MAX, channel: step, x: step, y: step, z: step, frame: step };
        assert!(view(far).is_err());
    }
    // Exactly the existing number of bytes is accepted.
    for length in [0, 46, 47, 49] {
        let some = vec![0; length];
        assert!(AnyView::new(&some, VoxelType::U16, dims, 1).is_err(), "{length}");
    }

    let mut file = Vec::new();
    let whole = AnyView::new(bytes, VoxelType::U16, dims, 1).expect("voxels");
    let header = Header::new(VoxelType::U16, dims);
    encode_any(&whole, &header, &BwvOptions::default(), &mut file, &Task::new()).expect("memory");
    let other = Header::new(VoxelType::U8, dims);
    let wrong = encode_any(&whole, &other, &BwvOptions::default(), &mut Vec::new(), &Task::new());
    assert_eq!(wrong.expect_err("another type").kind(), ErrorKind::Argument);
    let file = VolumeFile::new(file).expect("our own file");
    let mut short = vec![0; 47];
    let read = |short: &mut [u8]| {
        file.read_bytes_into(&Selection::default(), &Region::all(dims), short, &dense, &Task::new())
    };
    match read(&mut short) {
        Err(VolumeReadError::Shape(ShapeError::Strides { first: 0, last: 23, actual: 23 })) => {}
        other => panic!("{other:?}"),
    }
    let mut long = vec![9; 49];
    read(&mut long).expect("room for all");
    assert!(long[..48] == *bytes && long[48] == 9);
}

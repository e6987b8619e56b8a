//! Stacks and folders of slices, sound and damaged.

use brickwork_formats::{FormatError, OpenedVolume, VolumeOpenOptions, folder, tiff_stack};
use brickwork_volume::{ByteOrder, Dims, Header, Task, VoxelStream, VoxelType};
use std::{fs, io::Read as _};
use tempfile::tempdir;
use tiff::encoder::{
    TiffEncoder, TiffValue,
    colortype::{self, Gray16},
};

type Opened = Result<OpenedVolume, FormatError>;

fn open(folder: &std::path::Path) -> Opened {
    folder::open(folder, &VolumeOpenOptions::default(), &Task::new())
}

/// Returns the voxels of a slice of 5×4.
fn plane(z: u16) -> Vec<u16> {
    (0..20).map(|i| i * 3001 + z * 7).collect()
}

fn png(width: u32, height: u32, voxels: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let voxels: Vec<u8> = voxels.iter().flat_map(|v| v.to_be_bytes()).collect();
    encoder.write_header().unwrap().write_image_data(&voxels).unwrap();
    bytes
}

fn tiff(pages: u16) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    for z in 0..pages {
        encoder.write_image::<Gray16>(5, 4, &plane(z)).unwrap();
    }
    bytes.into_inner()
}

/// Reads all voxels as numbers.
fn read(opened: Opened) -> Result<(Header, Vec<u16>), FormatError> {
    let OpenedVolume { header, order, voxels, .. } = opened?;
    let VoxelStream::Rewindable(mut voxels) = voxels else { panic!("files can be read again") };
    voxels.read_exact(&mut [0; 3])?;
    voxels.rewind()?;
    let mut bytes = Vec::new();
    voxels.read_to_end(&mut bytes)?;
    let word = |b: &[u8; 2]| match order {
        ByteOrder::Little => u16::from_le_bytes(*b),
        ByteOrder::Big => u16::from_be_bytes(*b),
    };
    Ok((header, bytes.as_chunks::<2>().0.iter().map(word).collect()))
}

fn refused(opened: Opened, reason: &str) {
    let error = read(opened).expect_err(reason).to_string();
    assert!(error.contains(reason), "{error}\n{reason}");
}

#[test]
fn slices_are_read_in_the_order_of_their_numbers() {
    let folder = tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    for z in 0..12 {
        write(&format!("slice{z}.png"), &png(5, 4, &plane(z)));
    }
    write(".hidden.png", b"no picture");
    write("notes.txt", b"no picture");
    let (header, voxels) = read(open(folder.path())).unwrap();
    assert_eq!((header.voxel_type, header.dims), (VoxelType::U16, Dims::new(5, 4, 12)));
    assert!(voxels == (0..12).flat_map(plane).collect::<Vec<_>>());

    write("slice7.png", &png(4, 5, &plane(7)));
    refused(open(folder.path()), "slice7.png: is 4x5 u16, but the first slice is 5x4 u16");
    write("slice7.png", &png(5, 4, &plane(7))[..60]);
    refused(open(folder.path()), "slice7.png: ");
    write("slice7.png", &[]);
    refused(open(folder.path()), "slice7.png: ");
    write("slice12.tif", &tiff(1));
    refused(open(folder.path()), "has slices of several formats: slice0.png and slice12.tif");
    refused(open(tempdir().unwrap().path()), "has no slices");
}

#[test]
fn pages_are_slices() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.tif");
    fs::write(&path, tiff(9)).unwrap();
    let (header, voxels) = read(tiff_stack::open(&path, &Task::new())).unwrap();
    assert_eq!((header.voxel_type, header.dims), (VoxelType::U16, Dims::new(5, 4, 9)));
    assert!(voxels == (0..9).flat_map(plane).collect::<Vec<_>>());
    refused(open(folder.path()), "a.tif: a file of several pages among slices is not supported");
}

/// Reads a page of 2×1 whose three channels are in planes, byte by byte (TIFF 6.0, section 2).
#[test]
fn channels_in_planes_become_voxels() {
    let short = |tag: u16, value: u16| {
        [&tag.to_le_bytes()[..], &[3, 0, 1, 0, 0, 0], &value.to_le_bytes(), &[0, 0]].concat()
    };
    let longer = |tag: u16, kind: u8, at: u32| {
        [&tag.to_le_bytes()[..], &[kind, 0, 3, 0, 0, 0], &at.to_le_bytes()].concat()
    };
    // The file has a header of 8 bytes, 10 entries, the lists, and then the planes.
    let lists = 8 + 2 + 10 * 12 + 4;
    let planes = lists + 6 + 12 + 12;
    let entries = [
        short(256, 2),
        short(257, 1),
        longer(258, 3, lists),
        short(259, 1),
        short(262, 2),
        longer(273, 4, lists + 6),
        short(277, 3),
        short(278, 1),
        longer(279, 4, lists + 18),
        short(284, 2),
    ];
    let mut file = [b"II*\0".to_vec(), 8u32.to_le_bytes().to_vec(), 10u16.to_le_bytes().to_vec()].concat();
    file.extend(entries.concat());
    file.extend([0; 4]);
    file.extend([8u16; 3].map(u16::to_le_bytes).concat());
    file.extend([planes, planes + 2, planes + 4].map(u32::to_le_bytes).concat());
    file.extend([2u32; 3].map(u32::to_le_bytes).concat());
    file.extend(b"RrGgBb");
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.tif");
    fs::write(&path, file).unwrap();
    let (voxel_type, channels, _, bytes) = read_bytes(tiff_stack::open(&path, &Task::new()));
    assert_eq!((voxel_type, channels, bytes.as_slice()), (VoxelType::U8, 3, &b"RGBrgb"[..]));
}

/// Returns type, channels and byte order of a file's voxels, and their bytes.
fn read_bytes(opened: Opened) -> (VoxelType, usize, ByteOrder, Vec<u8>) {
    let OpenedVolume { header, order, mut voxels, .. } = opened.unwrap();
    let mut bytes = Vec::new();
    voxels.read_to_end(&mut bytes).unwrap();
    assert_eq!(header.raw_bytes().unwrap(), bytes.len() as u64);
    (header.voxel_type, header.channels, order, bytes)
}

#[test]
fn colours_of_png_are_channels() {
    use png::{BitDepth, ColorType};
    for (color, channels) in
        [(ColorType::Grayscale, 1), (ColorType::GrayscaleAlpha, 2), (ColorType::Rgb, 3), (ColorType::Rgba, 4)]
    {
        for (depth, voxel_type) in [(BitDepth::Eight, VoxelType::U8), (BitDepth::Sixteen, VoxelType::U16)] {
            let folder = tempdir().unwrap();
            let voxels: Vec<u8> =
                (0..20 * channels * voxel_type.byte_count()).map(|i| (i * 3) as u8).collect();
            for name in ["a.png", "b.png"] {
                let mut bytes = Vec::new();
                let mut encoder = png::Encoder::new(&mut bytes, 5, 4);
                encoder.set_color(color);
                encoder.set_depth(depth);
                encoder.write_header().unwrap().write_image_data(&voxels).unwrap();
                fs::write(folder.path().join(name), bytes).unwrap();
            }
            let want = (voxel_type, channels, ByteOrder::Big, voxels.repeat(2));
            assert!(read_bytes(open(folder.path())) == want, "{color:?} {depth:?}");
            let grey = png(5, 4, &plane(0));
            fs::write(folder.path().join("b.png"), grey).unwrap();
            if channels > 1 {
                let of =
                    format!("is 5x4 u16, but the first slice is 5x4 {voxel_type} of {channels} channels");
                refused(open(folder.path()), &of);
            }
        }
    }
}

#[test]
fn colours_and_wide_numbers_of_tiff_are_read() {
    fn check<C: colortype::ColorType<Inner: Clone>>(
        voxel_type: VoxelType,
        channels: usize,
        numbers: &[C::Inner],
    ) where
        [C::Inner]: TiffValue,
    {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.tif");
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
        for _ in 0..3 {
            encoder.write_image::<C>(5, 4, numbers).unwrap();
        }
        fs::write(&path, bytes.into_inner()).unwrap();
        let want = numbers.data().repeat(3);
        let have = read_bytes(tiff_stack::open(&path, &Task::new()));
        assert_eq!((have.0, have.1), (voxel_type, channels));
        assert!(have.3 == want, "{voxel_type} of {channels}");
    }
    let numbers = |count: usize| (0..count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    check::<colortype::RGB8>(VoxelType::U8, 3, &numbers(60).map(|n| n as u8).collect::<Vec<_>>());
    check::<colortype::RGBA8>(VoxelType::U8, 4, &numbers(80).map(|n| n as u8).collect::<Vec<_>>());
    check::<colortype::RGB16>(VoxelType::U16, 3, &numbers(60).map(|n| n as u16).collect::<Vec<_>>());
    check::<colortype::RGBA16>(VoxelType::U16, 4, &numbers(80).map(|n| n as u16).collect::<Vec<_>>());
    check::<colortype::Gray64Float>(VoxelType::F64, 1, &numbers(20).map(|n| n as f64).collect::<Vec<_>>());
    check::<colortype::Gray64>(VoxelType::U64, 1, &numbers(20).collect::<Vec<_>>());
    check::<colortype::GrayI64>(VoxelType::I64, 1, &numbers(20).map(|n| n as i64).collect::<Vec<_>>());
}

#[test]
fn a_png_that_claims_to_be_huge_gets_no_memory() {
    let folder = tempdir().unwrap();
    let mut bytes = png(5, 4, &plane(0));
    bytes[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    let crc = flate2_crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    fs::write(folder.path().join("a.png"), bytes).unwrap();
    refused(open(folder.path()), "a slice of a file so short");
}

fn flate2_crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[test]
fn a_damaged_stack_is_an_error_or_other_voxels_never_a_panic() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.tif");
    let good = tiff(3);
    for at in 0..good.len() {
        for bit in [0, 3, 7] {
            let mut damaged = good.clone();
            damaged[at] ^= 1 << bit;
            fs::write(&path, &damaged).unwrap();
            let _ = read(tiff_stack::open(&path, &Task::new()));
        }
        fs::write(&path, &good[..at]).unwrap();
        assert!(read(tiff_stack::open(&path, &Task::new())).is_err(), "cut at {at}");
    }
}

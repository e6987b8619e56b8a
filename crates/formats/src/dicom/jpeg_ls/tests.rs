use super::*;
use crate::dicom::test_images::{self, assert_error, assert_no_panic, assert_refused, unpacked};
use brickwork_volume::VoxelType;

const GREY: SliceShape = SliceShape { width: 23, height: 17, voxel_type: VoxelType::U8, channels: 1 };
const COLOR: SliceShape = SliceShape { width: 18, height: 15, voxel_type: VoxelType::U8, channels: 3 };

fn image(file: &str) -> Vec<u8> {
    test_images::image(file, &[0xff, 0xd8, 0xff])
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = image("ls_u8.dcm");
    let frame = good.windows(2).position(|pair| pair == [0xff, 0xf7]).expect("a frame");
    let scan = good.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    let changes = [
        (1, 0xd9, "does not start with a JPEG image"),
        (frame + 1, 0xc0, "JPEG-LS with a frame of another process of JPEG is not supported"),
        (frame + 1, 0xfe, "a JPEG scan comes before the frame header"),
        (frame + 4, 9, "JPEG of 9 bits for u8 is not supported"),
        (frame + 4, 1, "JPEG of 1 bits for u8 is not supported"),
        (frame + 6, 200, "a JPEG image of 23x200 in a slice of 23x17 u8 is not supported"),
        (frame + 9, 3, "JPEG of 3 components for 1 is not supported"),
        (scan + 4, 0, "a JPEG scan's header is invalid"),
        (scan + 5, 8, "a JPEG scan names what is not there"),
        (scan + 6, 1, "JPEG-LS with mapping tables is not supported"),
        (scan + 7, 128, "the JPEG image's parameters are invalid"),
        (scan + 8, 3, "a JPEG scan's header is invalid"),
        (scan + 9, 1, "JPEG-LS with a point transform is not supported"),
    ];
    assert_refused(unpack, &good, GREY, &changes);
    for (segment, reason) in [
        (&b"\xff\xdd\0\x04\0\x05"[..], "JPEG-LS with restarts is not supported"),
        (b"\xff\xe8\0\x07mrfx\x01", "JPEG-LS with a colour transform (mrfx) is not supported"),
        (b"\xff\xf8\0\x05\x02\x01\x01", "JPEG-LS with mapping tables is not supported"),
        (b"\xff\xf8\0\x0d\x01\0\xff\0\x09\0\x04\0\x15\0\x40", "the JPEG image's parameters are invalid"),
        (b"\xff\xf8\0\x0d\x01\0\xff\0\x03\0\x07\0\x15\0\x02", "the JPEG image's parameters are invalid"),
        (b"\xff\xf8\0\x02", "the JPEG image's parameters are invalid"),
        (b"\xff\xf8\0\x03\x05", "the JPEG image's parameters are invalid"),
        (b"\xff\xf8\0\x05\x04\x02\x01", "JPEG-LS with a size beyond 65535 is not supported"),
    ] {
        let bad = [&good[..scan], segment, &good[scan..]].concat();
        assert_error(unpack, &bad, GREY, reason);
    }
    assert!(unpacked(unpack, &good, SliceShape { voxel_type: VoxelType::F32, ..GREY }).is_err());
}

/// Stated defaults change nothing, other parameters do.
#[test]
fn parameters_are_obeyed() {
    let good = image("ls_u8.dcm");
    let scan = good.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    let want = unpacked(unpack, &good, GREY).expect("sound");
    let with = |values: [u8; 10]| [&good[..scan], b"\xff\xf8\0\x0d\x01", &values, &good[scan..]].concat();
    let stated = unpacked(unpack, &with([0, 255, 0, 3, 0, 7, 0, 21, 0, 64]), GREY).expect("sound");
    assert!(stated == want);
    assert!(unpacked(unpack, &with([0; 10]), GREY).expect("sound") == want);
    assert!(
        unpacked(unpack, &with([0, 255, 0, 4, 0, 9, 0, 21, 0, 32]), GREY).map_or(true, |other| other != want)
    );
}

/// A scan without differences takes a bit per row, so its length does not limit the time for many.
#[test]
fn a_component_is_scanned_once() {
    let good = image("ls_rgb_planes.dcm");
    let mut scans = (0..good.len()).filter(|&at| good[at..].starts_with(&[0xff, 0xda]));
    let (first, second) = (scans.next().expect("a scan"), scans.next().expect("another"));
    let twice = [&good[..second], &good[first..]].concat();
    assert_error(unpack, &twice, COLOR, "a JPEG scan names what is not there");
}

#[test]
fn a_damaged_image_is_an_error_or_another_never_a_panic() {
    for (file, shape) in [("ls_u8.dcm", GREY), ("ls_near_rgb.dcm", COLOR), ("ls_rgb_planes.dcm", COLOR)] {
        assert_no_panic(unpack, &image(file), shape, 8, 8);
    }
}

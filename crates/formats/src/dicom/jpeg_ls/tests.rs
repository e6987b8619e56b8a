use super::*;
use brickwork_volume::VoxelType;

const GREY: SliceShape = SliceShape { width: 23, height: 17, voxel_type: VoxelType::U8, channels: 1 };
const COLOR: SliceShape = SliceShape { width: 18, height: 15, voxel_type: VoxelType::U8, channels: 3 };

/// Returns the first image of a file in `test-data/jpegs`.
macro_rules! image {
    ($name:literal) => {{
        let file = include_bytes!(concat!("../../../test-data/jpegs/", $name, ".dcm"));
        let start = file.windows(3).position(|bytes| bytes == [0xff, 0xd8, 0xff]).expect("an image");
        let end = file.windows(2).rposition(|bytes| bytes == [0xff, 0xd9]).expect("an end");
        file[start..end + 2].to_vec()
    }};
}

fn unpacked(stream: &[u8], shape: SliceShape) -> Result<Vec<u8>, FormatError> {
    let mut bytes = vec![0; shape.header(1)?.raw_bytes()? as usize];
    unpack(stream, shape, &mut bytes).map(|()| bytes)
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = image!("ls_u8");
    let frame = good.windows(2).position(|pair| pair == [0xff, 0xf7]).expect("a frame");
    let scan = good.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    for (at, byte, reason) in [
        (1, 0xd9, "does not start with a JPEG image"),
        (frame + 1, 0xc0, "JPEG-LS with a frame of another process of JPEG is not supported"),
        (frame + 1, 0xfe, "a JPEG scan comes before the frame header"),
        (frame + 4, 9, "JPEG of 9 bits for u8 is not supported"),
        (frame + 4, 1, "JPEG of 1 bits for u8 is not supported"),
        (frame + 6, 200, "a JPEG image of 23x200 in a slice of 23x17 u8 is not supported"),
        (frame + 9, 3, "JPEG of 3 components for 1 is not supported"),
        (scan + 4, 0, "a JPEG scan's header is invalid"),
        (scan + 5, 8, "a JPEG scan names what is not there"),
        (scan + 6, 1, "JPEG-LS with a palette is not supported"),
        (scan + 7, 128, "the JPEG image's parameters are invalid"),
        (scan + 8, 3, "a JPEG scan's header is invalid"),
        (scan + 9, 1, "JPEG-LS with shifted samples is not supported"),
    ] {
        let mut bad = good.clone();
        bad[at] = byte;
        let error = unpacked(&bad, GREY).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}, not {reason}");
    }
    for (segment, reason) in [
        (&b"\xff\xdd\0\x04\0\x05"[..], "JPEG-LS with restarts is not supported"),
        (b"\xff\xe8\0\x07mrfx\x01", "JPEG-LS with a transform of colours is not supported"),
        (b"\xff\xf8\0\x05\x02\x01\x01", "JPEG-LS with a palette is not supported"),
        (b"\xff\xf8\0\x0d\x01\0\xff\0\x09\0\x04\0\x15\0\x40", "the JPEG image's parameters are invalid"),
        (b"\xff\xf8\0\x0d\x01\0\xff\0\x03\0\x07\0\x15\0\x02", "the JPEG image's parameters are invalid"),
    ] {
        let bad = [&good[..scan], segment, &good[scan..]].concat();
        let error = unpacked(&bad, GREY).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}, not {reason}");
    }
    assert!(unpacked(&good, SliceShape { voxel_type: VoxelType::F32, ..GREY }).is_err());
}

/// The default parameters, stated.
#[test]
fn parameters_are_obeyed() {
    let good = image!("ls_u8");
    let scan = good.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    let want = unpacked(&good, GREY).expect("sound");
    let with = |values: [u8; 10]| [&good[..scan], b"\xff\xf8\0\x0d\x01", &values, &good[scan..]].concat();
    let stated = unpacked(&with([0, 255, 0, 3, 0, 7, 0, 21, 0, 64]), GREY).expect("sound");
    assert!(stated == want);
    assert!(unpacked(&with([0; 10]), GREY).expect("sound") == want);
    assert!(unpacked(&with([0, 255, 0, 4, 0, 9, 0, 21, 0, 32]), GREY).map_or(true, |other| other != want));
}

#[test]
fn a_damaged_image_is_an_error_or_another_never_a_panic() {
    for (good, shape) in
        [(image!("ls_u8"), GREY), (image!("ls_near_rgb"), COLOR), (image!("ls_rgb_planes"), COLOR)]
    {
        assert!(unpacked(&good, shape).is_ok());
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = unpacked(&bad, shape);
            }
            for byte in [0, 0xff] {
                let mut bad = good.clone();
                bad[at] = byte;
                let _ = unpacked(&bad, shape);
            }
            if at + 8 < good.len() {
                assert!(unpacked(&good[..at], shape).is_err(), "cut at {at}");
            }
        }
    }
}

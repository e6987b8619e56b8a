use super::*;
use crate::dicom::test_images::{self, assert_error, assert_no_panic, assert_refused};
use brickwork_volume::VoxelType;

const GREY: SliceShape = SliceShape { width: 23, height: 17, voxel_type: VoxelType::U8, channels: 1 };
const COLOR: SliceShape = SliceShape { width: 18, height: 15, voxel_type: VoxelType::U8, channels: 3 };

fn unpack(stream: &[u8], shape: SliceShape, bytes: &mut [u8]) -> Result<(), FormatError> {
    super::unpack(stream, shape, bytes).map(drop)
}

fn image(file: &str) -> Vec<u8> {
    test_images::image(file, &[0xff, 0x4f, 0xff, 0x51])
}

#[test]
fn what_differs_from_the_slice_or_takes_too_much_is_refused() {
    let good = image("j2k_u8.dcm");
    let cod = good.windows(2).position(|pair| pair == [0xff, 0x52]).expect("parameters");
    let changes = [
        (1, 0, "does not start with a JPEG image"),
        (6, 0x80, "JPEG 2000 with extensions is not supported"),
        (11, 24, "a JPEG image of 24x17 in a slice of 23x17 u8 is not supported"),
        (15, 1, "a JPEG image of 23x1 in a slice of 23x17 u8 is not supported"),
        (19, 1, "JPEG 2000 with an image or tile offset is not supported"),
        (27, 0, "JPEG 2000 with a tile without texels, or of more than 2^30 is not supported"),
        (27, 1, "the JPEG 2000 image is damaged"),
        (41, 3, "JPEG of 3 components for 1 is not supported"),
        (42, 8, "JPEG of 9 bits for u8 is not supported"),
        (42, 0x87, "JPEG 2000 of 8 bits with a sign for u8 is not supported"),
        (43, 2, "JPEG with components of different sizes is not supported"),
        (cod + 6, 0xff, "JPEG 2000 with more than 32 layers is not supported"),
        (cod + 7, 33, "JPEG 2000 with more than 32 layers is not supported"),
        (cod + 7, 0, "the JPEG image's parameters are invalid"),
        (cod + 10, 9, "the JPEG image's parameters are invalid"),
        (cod + 12, 0x80, "JPEG 2000 with blocks of two kinds is not supported"),
    ];
    assert_refused(unpack, &good, GREY, &changes);
    let tile = good.windows(2).position(|pair| pair == [0xff, 0x90]).expect("a tile");
    for (place, segment, reason) in [
        (tile, &b"\xff\x5e\0\x05\0\0\x01"[..], "JPEG 2000 with a region of interest is not supported"),
        (
            tile,
            b"\xff\x5f\0\x09\0\0\0\x01\x01\x01\0",
            "JPEG 2000 with progression order changes (POC) is not supported",
        ),
        (tile, b"\xff\x60\0\x03\0", "JPEG 2000 with packed packet headers (PPM, PPT) is not supported"),
        (tile + 12, b"\xff\x52\0\x02", "JPEG 2000 with coding parameters in a tile header is not supported"),
    ] {
        let bad = [&good[..place], segment, &good[place..]].concat();
        assert_error(unpack, &bad, GREY, reason);
    }
    // Many tiles, and small precincts.
    let large = SliceShape { width: 53, height: 41, ..GREY };
    let mut tiles = image("j2k_tiles.dcm");
    (tiles[27], tiles[31]) = (1, 1);
    assert_error(unpack, &tiles, large, "tiles of less than 256 samples");
    let mut layers = image("j2k_layers.dcm");
    let cod = layers.windows(2).position(|pair| pair == [0xff, 0x52]).expect("parameters");
    layers[cod + 14] = 0x22;
    assert_error(unpack, &layers, GREY, "precincts of less than 8 samples");
}

#[test]
fn a_damaged_image_is_an_error_or_another_never_a_panic() {
    let large = SliceShape { width: 53, height: 41, ..GREY };
    for (file, shape, bits) in [
        ("j2k_u8.dcm", GREY, 8),
        ("j2k_rct.dcm", COLOR, 8),
        ("j2k_layers.dcm", GREY, 8),
        ("j2k_tiles.dcm", large, 1),
        ("ht_u8.dcm", GREY, 8),
        ("ht_rct.dcm", COLOR, 8),
        ("ht_tiles.dcm", large, 8),
    ] {
        assert_no_panic(unpack, &image(file), shape, bits, 2);
    }
}

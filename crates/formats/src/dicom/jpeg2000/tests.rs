use super::*;
use brickwork_volume::VoxelType;

const GREY: SliceShape = SliceShape { width: 23, height: 17, voxel_type: VoxelType::U8, channels: 1 };
const COLOR: SliceShape = SliceShape { width: 18, height: 15, voxel_type: VoxelType::U8, channels: 3 };

/// Returns the image of a file in `test-data/jpegs`, from the start of its codestream.
macro_rules! image {
    ($name:literal) => {{
        let file = include_bytes!(concat!("../../../test-data/jpegs/", $name, ".dcm"));
        let start = file.windows(4).position(|bytes| bytes == b"\xff\x4f\xff\x51").expect("an image");
        let end = file.windows(2).rposition(|bytes| bytes == [0xff, 0xd9]).expect("an end");
        file[start..end + 2].to_vec()
    }};
}

fn unpacked(stream: &[u8], shape: SliceShape) -> Result<Vec<u8>, FormatError> {
    let mut bytes = vec![0; shape.header(1)?.raw_bytes()? as usize];
    unpack(stream, shape, &mut bytes).map(|()| bytes)
}

#[test]
fn what_differs_from_the_slice_or_takes_too_much_is_refused() {
    let good = image!("j2k_u8");
    let cod = good.windows(2).position(|pair| pair == [0xff, 0x52]).expect("parameters");
    for (at, byte, reason) in [
        (1, 0, "does not start with a JPEG image"),
        (6, 0x80, "JPEG 2000 with extensions is not supported"),
        (11, 24, "a JPEG image of 24x17 in a slice of 23x17 u8 is not supported"),
        (15, 1, "a JPEG image of 23x1 in a slice of 23x17 u8 is not supported"),
        (19, 1, "JPEG 2000 with an offset is not supported"),
        (27, 0, "JPEG 2000 with a tile without texels, or of more than 2^30 is not supported"),
        (27, 1, "the JPEG 2000 image is damaged"),
        (41, 3, "JPEG of 3 components for 1 is not supported"),
        (42, 8, "JPEG of 9 bits for u8 is not supported"),
        (42, 0x87, "JPEG 2000 of 8 bits with a sign for u8 is not supported"),
        (43, 2, "JPEG with components of different sizes is not supported"),
        (cod + 6, 0xff, "JPEG 2000 with more layers than samples in a block is not supported"),
        (cod + 10, 9, "the JPEG image's parameters are invalid"),
        (cod + 12, 0x40, "JPEG 2000 with blocks of HTJ2K is not supported"),
    ] {
        let mut bad = good.clone();
        bad[at] = byte;
        let error = unpacked(&bad, GREY).expect_err(reason).to_string();
        assert!(error.contains(reason), "{at}: {error}, not {reason}");
    }
    let tile = good.windows(2).position(|pair| pair == [0xff, 0x90]).expect("a tile");
    for (place, segment, reason) in [
        (tile, &b"\xff\x5e\0\x05\0\0\x01"[..], "JPEG 2000 with a region of interest is not supported"),
        (tile, b"\xff\x5f\0\x09\0\0\0\x01\x01\x01\0", "JPEG 2000 with changes of its order is not supported"),
        (tile, b"\xff\x60\0\x03\0", "JPEG 2000 with headers of packets apart is not supported"),
        (tile + 12, b"\xff\x52\0\x02", "JPEG 2000 with parameters of a tile is not supported"),
    ] {
        let bad = [&good[..place], segment, &good[place..]].concat();
        let error = unpacked(&bad, GREY).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}, not {reason}");
    }
    // Many tiles, and small precincts.
    let large = SliceShape { width: 53, height: 41, ..GREY };
    let mut tiles = image!("j2k_tiles");
    (tiles[27], tiles[31]) = (1, 1);
    let error = unpacked(&tiles, large).expect_err("2173 tiles").to_string();
    assert!(error.contains("tiles of less than 256 samples"), "{error}");
    let mut layers = image!("j2k_layers");
    let cod = layers.windows(2).position(|pair| pair == [0xff, 0x52]).expect("parameters");
    layers[cod + 14] = 0x22;
    let error = unpacked(&layers, GREY).expect_err("precincts of 4").to_string();
    assert!(error.contains("precincts of less than 8 samples"), "{error}");
}

#[test]
fn a_damaged_image_is_an_error_or_another_never_a_panic() {
    let large = SliceShape { width: 53, height: 41, ..GREY };
    let images = [
        (image!("j2k_u8"), GREY, 8),
        (image!("j2k_rct"), COLOR, 8),
        (image!("j2k_layers"), GREY, 8),
        (image!("j2k_tiles"), large, 1),
    ];
    for (good, shape, bits) in images {
        assert!(unpacked(&good, shape).is_ok());
        for at in 0..good.len() {
            for bit in 0..bits {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = unpacked(&bad, shape);
            }
            for byte in [0, 0xff] {
                let mut bad = good.clone();
                bad[at] = byte;
                let _ = unpacked(&bad, shape);
            }
            if at + 2 < good.len() {
                assert!(unpacked(&good[..at], shape).is_err(), "cut at {at}");
            }
        }
    }
}

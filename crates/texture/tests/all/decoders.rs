//! Tests that blocks of BC2 to BC5 and BC7, with any bytes, decode as in other decoders.

use crate::common::Random;
use brickwork_texture::{BlockFormat, ImageViewMut, RoundingRule, Task, decode_into};

/// Returns the texels of one block from our decoder.
fn ours(format: BlockFormat, block: &[u8], decoder: RoundingRule) -> [[u8; 4]; 16] {
    let mut texels = [[0; 4]; 16];
    crate::common::decode(format, block, 4, 4, decoder, &mut texels).unwrap();
    texels
}

/// Returns texels that `texture2ddecoder` packs as blue, green, red, alpha, starting with the lowest byte.
fn from_bgra(texels: [u32; 16]) -> [[u8; 4]; 16] {
    texels.map(|texel| {
        let [b, g, r, a] = texel.to_le_bytes();
        [r, g, b, a]
    })
}

/// Returns random blocks of 16 bytes. Some have equal or extreme endpoints.
fn blocks(count: usize) -> Vec<[u8; 16]> {
    let mut random = Random(11);
    (0..count)
        .map(|i| {
            let mut block = [random.next(), random.next()].map(u64::to_le_bytes).concat();
            let ends = [[0, 255], [128, 127], [0x80, 0x81], [77, 77], [127, 128]];
            if let Some(ends) = ends.get(i % 9) {
                block[..2].copy_from_slice(ends);
                block[8..10].copy_from_slice(ends);
            }
            block.try_into().unwrap()
        })
        .collect()
}

#[test]
fn bc7_is_what_other_decoders_decode_in_every_mode() {
    for (i, mut block) in blocks(80_000).into_iter().enumerate() {
        // Modes 0 to 7, and no mode.
        let mode = i % 10;
        block[0] = if mode < 8 { (block[0] | 1) << mode } else { 0 };
        let found = ours(BlockFormat::Bc7, &block, RoundingRule::ALL[i % RoundingRule::ALL.len()]);
        let mut bcdec = [0; 64];
        bcdec_rs::bc7(&block, &mut bcdec, 16);
        assert_eq!(found.as_flattened(), bcdec, "{block:02x?}");
        if mode < 8 {
            let mut other = [0; 16];
            texture2ddecoder::decode_bc7_block(&block, &mut other);
            assert_eq!(found, from_bgra(other), "{block:02x?}");
        } else {
            assert_eq!(found, [[0; 4]; 16]);
        }
    }
}

/// The weights were read back from an H200; the formats' are sevenths and fifths.
#[test]
fn nvidia_has_weights_of_its_own() {
    for block in blocks(20_000) {
        let value = |block: &[u8], t: usize| {
            let (r0, r1) = (f64::from(block[0]), f64::from(block[1]));
            let bits = u64::from_le_bytes(block.try_into().unwrap());
            let index = (bits >> (16 + 3 * t)) as usize & 7;
            let weights: &[_] = match r0 > r1 {
                true => &[257.0, 0.0, 221.0, 185.0, 144.0, 113.0, 72.0, 36.0],
                false => &[257.0, 0.0, 209.0, 161.0, 96.0, 48.0],
            };
            weights.get(index).map_or((index % 2) as f64, |w| (w * r0 + (257.0 - w) * r1) / 65535.0)
        };
        let rule = RoundingRule::Nvidia;
        let mut texels = [[0.0f32; 4]; 16];
        let mut image = ImageViewMut::new(&mut texels[..], 4, 4).unwrap();
        decode_into(BlockFormat::Bc5Unorm, &block, rule, &mut image, &Task::new()).unwrap();
        let bytes = ours(BlockFormat::Bc5Unorm, &block, rule);
        for t in 0..16 {
            for (c, half) in block.chunks(8).enumerate() {
                let expected = value(half, t);
                assert!((f64::from(texels[t][c]) - expected).abs() < 1e-6, "{block:02x?}");
                assert_eq!(bytes[t][c], (255.0 * expected).round() as u8, "{block:02x?}");
            }
        }
        assert_eq!(ours(BlockFormat::Bc4Unorm, &block[..8], rule)[5][0], bytes[5][0]);
        // Alpha is rounded to 8 bits, with finer weights: 1759 of 2048 are 220.7 of 257.
        let alpha = f64::from(ours(BlockFormat::Bc3, &block, rule)[9][3]);
        assert!((alpha - 255.0 * value(&block[..8], 9)).abs() <= 2.0, "{block:02x?}");
    }
    // Signed endpoints 127 and -127, in 258ths, then a step of 1/32767 towards the endpoint.
    let block = [127, 0x81, 0b01_111_010, 0b1, 0, 0, 0, 0];
    let mut texels = [[0.0f32; 4]; 16];
    let mut image = ImageViewMut::new(&mut texels[..], 4, 4).unwrap();
    decode_into(BlockFormat::Bc4Snorm, &block, RoundingRule::Nvidia, &mut image, &Task::new()).unwrap();
    let expected = [(222 - 36) * 127 + 1, (36 - 222) * 127 - 1, (114 - 144) * 127 + 1];
    for (texel, expected) in texels.iter().zip(expected) {
        assert!((2.0 * texel[0] - 1.0 - expected as f32 / 32767.0).abs() < 1e-6, "{texel:?}");
    }
}

#[test]
fn bc4_and_bc5_are_what_bcdec_decodes() {
    for block in blocks(40_000) {
        let (mut red, mut both) = ([0; 16], [0; 32]);
        bcdec_rs::bc4(&block[..8], &mut red, 4, false);
        bcdec_rs::bc5(&block, &mut both, 8, false);
        assert_eq!(
            ours(BlockFormat::Bc4Unorm, &block[..8], RoundingRule::Exact),
            red.map(|r| [r, 0, 0, 255])
        );
        let texels = ours(BlockFormat::Bc5Unorm, &block, RoundingRule::Exact);
        for (texel, &[r, g]) in texels.iter().zip(both.as_chunks().0) {
            assert_eq!(*texel, [r, g, 0, 255], "{block:02x?}");
        }
    }
}

/// Signed values −127 to 127 are 0 to 255 in our texels.
#[test]
fn signed_bc4_and_bc5_are_what_bcdec_decodes() {
    let unsigned = |v: u8| ((f64::from(v as i8) / 127.0 + 1.0) * 127.5).round() as u8;
    for block in blocks(40_000) {
        let (mut red, mut both) = ([0; 16], [0; 32]);
        bcdec_rs::bc4(&block[..8], &mut red, 4, true);
        bcdec_rs::bc5(&block, &mut both, 8, true);
        let expected = red.map(|r| [unsigned(r), 0, 0, 255]);
        assert_eq!(ours(BlockFormat::Bc4Snorm, &block[..8], RoundingRule::Exact), expected, "{block:02x?}");
        let texels = ours(BlockFormat::Bc5Snorm, &block, RoundingRule::Trunc);
        for (texel, &[r, g]) in texels.iter().zip(both.as_chunks().0) {
            assert_eq!(*texel, [unsigned(r), unsigned(g), 0, 255], "{block:02x?}");
        }
    }
}

#[test]
fn trunc_is_what_texture2ddecoder_decodes() {
    for block in blocks(40_000) {
        let mut theirs = [0; 16];
        texture2ddecoder::decode_bc3_block(&block, &mut theirs);
        let (theirs, texels) = (from_bgra(theirs), ours(BlockFormat::Bc3, &block, RoundingRule::Trunc));
        // Its colours are those of BC1, which have three colours for one order of the endpoints.
        let is_four_color = block[8..10].iter().rev().gt(block[10..12].iter().rev());
        if is_four_color {
            assert_eq!(texels, theirs, "{block:02x?}");
        }
        assert_eq!(texels.map(|texel| texel[3]), theirs.map(|texel| texel[3]), "{block:02x?}");
        let mut theirs = [0; 16];
        texture2ddecoder::decode_bc5_block(&block, &mut theirs);
        let theirs = from_bgra(theirs).map(|[r, g, ..]| [r, g]);
        let texels = ours(BlockFormat::Bc5Unorm, &block, RoundingRule::Trunc);
        assert_eq!(texels.map(|[r, g, ..]| [r, g]), theirs, "{block:02x?}");
    }
}

/// bcdec rounds the alpha of BC3 differently from all others, (6a + b + 1) / 7. Its colours and BC2 are
/// exact.
#[test]
fn bc2_and_bc3_are_what_bcdec_decodes() {
    for block in blocks(40_000) {
        let mut theirs = [0; 64];
        bcdec_rs::bc2(&block, &mut theirs, 16);
        assert_eq!(
            ours(BlockFormat::Bc2, &block, RoundingRule::Exact).as_flattened(),
            theirs,
            "{block:02x?}"
        );
        bcdec_rs::bc3(&block, &mut theirs, 16);
        let texels = ours(BlockFormat::Bc3, &block, RoundingRule::Exact);
        let mut alpha = [0; 16];
        bcdec_rs::bc4(&block[..8], &mut alpha, 4, false);
        for ((texel, theirs), alpha) in texels.iter().zip(theirs.as_chunks::<4>().0).zip(alpha) {
            assert_eq!((&texel[..3], texel[3]), (&theirs[..3], alpha), "{block:02x?}");
        }
    }
}

#[test]
fn edges_are_those_of_whole_blocks() {
    let blocks = blocks(9).concat();
    for (format, block_bytes) in [(BlockFormat::Bc1, 8), (BlockFormat::Bc3, 16), (BlockFormat::Bc7, 16)] {
        for [width, height] in (1..=12).flat_map(|width| (1..=12).map(move |height| [width, height])) {
            let [columns, rows] = [width, height].map(|size: usize| size.div_ceil(4));
            let blocks = &blocks[..columns * rows * block_bytes];
            let decode = |width: usize, height: usize| {
                let mut texels = vec![[7; 4]; width * height];
                let (width, height) = (width as u32, height as u32);
                crate::common::decode(format, blocks, width, height, RoundingRule::Exact, &mut texels)
                    .unwrap();
                texels
            };
            let whole = decode(4 * columns, 4 * rows);
            let cropped: Vec<_> =
                whole.chunks_exact(4 * columns).take(height).flat_map(|row| row[..width].to_vec()).collect();
            assert_eq!(decode(width, height), cropped, "{format}, {width}×{height}");
        }
    }
}

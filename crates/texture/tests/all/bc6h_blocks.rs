//! Tests that BC6H blocks decode as in other decoders.

use crate::common::Random;
use brickwork_base::testing;
use brickwork_texture::{
    BlockFormat, ChannelType, DecodeOptions, DecodedTexels, ImageIndex, ImageViewMut, RoundingRule, Task,
    Texture, TextureDesc, bc::bc6h::block_mode, decode_into, half::f16,
};
use std::path::Path;

/// Prefixes of modes 1 to 14 and of the four reserved modes, with their number of bits.
const PREFIXES: [(u8, u32); 18] = [
    (0, 2),
    (1, 2),
    (2, 5),
    (6, 5),
    (10, 5),
    (14, 5),
    (18, 5),
    (22, 5),
    (26, 5),
    (30, 5),
    (3, 5),
    (7, 5),
    (11, 5),
    (15, 5),
    (19, 5),
    (23, 5),
    (27, 5),
    (31, 5),
];

/// Returns random blocks, with the same number for each mode, including the reserved ones.
fn blocks(count: usize) -> Vec<[u8; 16]> {
    let mut random = Random(23);
    (0..count)
        .map(|i| {
            let block = [random.next(), random.next()].map(u64::to_le_bytes).concat();
            let mut block: [u8; 16] = block.try_into().unwrap();
            // Fields of zeros and ones, where numbers are at the ends of their ranges.
            let round = i / PREFIXES.len();
            let place = round / 8;
            match round % 8 {
                0 => block[1 + place % 15] = 0,
                1 => block[1 + place % 15] = 0xff,
                2 => block[..8].fill([0, 0xff][place % 2]),
                _ => {}
            }
            let (prefix, bits) = PREFIXES[i % PREFIXES.len()];
            block[0] = block[0] >> bits << bits | prefix;
            block
        })
        .collect()
}

/// Returns the bit patterns of one block's texels from our decoder.
fn ours(format: BlockFormat, block: &[u8]) -> [[u16; 4]; 16] {
    let mut texels = [[f16::ZERO; 4]; 16];
    let mut image = ImageViewMut::new(&mut texels[..], 4, 4).unwrap();
    decode_into(format, block, RoundingRule::Exact, &mut image, &Task::new()).unwrap();
    texels.map(|texel| texel.map(f16::to_bits))
}

#[test]
fn bc6h_is_what_bcdec_decodes_in_every_mode() {
    for (i, block) in blocks(90_000).into_iter().enumerate() {
        let place = i % PREFIXES.len();
        assert_eq!(block_mode(&block), (place < 14).then_some(place as u8 + 1));
        for (format, is_signed) in [(BlockFormat::Bc6hUfloat, false), (BlockFormat::Bc6hSfloat, true)] {
            let mut theirs = [0; 48];
            bcdec_rs::bc6h_half(&block, &mut theirs, 12, is_signed);
            for (texel, theirs) in ours(format, &block).into_iter().zip(theirs.as_chunks::<3>().0) {
                // An interpolated -1 is scaled to 0. We write it as -0 (0x8000), bcdec as 0: equal numbers.
                let numbers = |bits: &[u16]| bits.iter().map(|&b| if b == 0x8000 { 0 } else { b }).collect();
                let [found, expected]: [Vec<u16>; 2] = [numbers(&texel[..3]), numbers(theirs)];
                assert_eq!((found, texel[3]), (expected, f16::ONE.to_bits()), "{format} {block:02x?}");
                assert!(place < 14 || texel[..3] == [0; 3]);
            }
        }
    }
}

/// Tests that imagecodecs, whose decoder is bcdec in C, decodes random blocks of every mode to the same
/// numbers.
#[test]
fn bc6h_is_what_imagecodecs_decodes() {
    let Some(python) = testing::python("imagecodecs") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bc6h_peer.py");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let blocks = blocks(80_000);
    for (format, sign) in [(BlockFormat::Bc6hUfloat, "unsigned"), (BlockFormat::Bc6hSfloat, "signed")] {
        let texels = blocks.iter().flat_map(|block| ours(format, block));
        let halves: Vec<u8> = texels.flat_map(|[r, g, b, _]| [r, g, b]).flat_map(u16::to_le_bytes).collect();
        let [blocks_path, halves_path] =
            ["blocks", "halves"].map(|end| folder.join(format!("bc6h-{sign}.{end}")));
        std::fs::write(&blocks_path, blocks.as_flattened()).unwrap();
        std::fs::write(&halves_path, halves).unwrap();
        let [blocks_path, halves_path] = [&blocks_path, &halves_path].map(|path| path.to_str().unwrap());
        let output = python(&[script, blocks_path, halves_path, sign]);
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{sign}: {said}");
        println!("{sign}: {said}");
    }
}

/// Tests -0x8000, which only mode 14 can store and random blocks never contain.
#[test]
fn the_lowest_signed_number_of_mode_14_is_minus_infinity() {
    // Red of the first endpoint starts with bits 0 to 9 at bit 5; bits 15 to 10 start at bit 39.
    let block = (0b01111u128 | 1 << 39).to_le_bytes();
    assert_eq!(block_mode(&block), Some(14));
    let minus_infinity = f16::NEG_INFINITY.to_bits();
    assert_eq!(ours(BlockFormat::Bc6hSfloat, &block), [[minus_infinity, 0, 0, f16::ONE.to_bits()]; 16]);
    // Unsigned, the value is half of the range: 0x8000 · 31 / 64.
    assert_eq!(ours(BlockFormat::Bc6hUfloat, &block)[0], [0x3e00, 0, 0, f16::ONE.to_bits()]);
    // -0x7fff is the lowest finite number. (Its bit 0 is bit 5 of the block.)
    let block = (0b01111u128 | 1 << 39 | 1 << 5).to_le_bytes();
    assert_eq!(ours(BlockFormat::Bc6hSfloat, &block)[0][0], f16::MIN.to_bits());
}

#[test]
fn bc6h_decodes_to_half_floats_and_is_clamped_to_other_types() {
    // Mode 11 with red 1023 of 1023: 65504 in each texel.
    let block = (0b00011u128 | 0x3ff << 5 | 0x3ff << 35).to_le_bytes();
    let desc = TextureDesc::new_2d(BlockFormat::Bc6hUfloat, 5, 3);
    let texture = Texture::new(desc, [block, block].concat()).unwrap();
    let decode = |options: DecodeOptions| {
        texture.decode(ImageIndex::default(), &options, &Task::new()).unwrap().into_texels()
    };
    let halves = decode(DecodeOptions::default());
    assert_eq!(halves, DecodedTexels::RgbaF16(vec![[f16::MAX, f16::ZERO, f16::ZERO, f16::ONE]; 15]));
    let bytes = decode(DecodeOptions::default().with(|o| o.channel_type = Some(ChannelType::U8)));
    assert_eq!(bytes.as_rgba8(), Some(&[[255, 0, 0, 255]; 15][..]));
}

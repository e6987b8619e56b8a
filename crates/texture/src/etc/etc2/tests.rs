//! Tests of the encoder.

use crate::{
    ColorSpace, EncodeOptions, Quality, Task,
    bc::{Codec, ImageProperties, RowDecoder, RowEncoder},
    block_row::BlockRow,
    etc::{RGB, RGB_A1},
    random::Random,
    simd::{AvailableLevel, SimdLevel},
};

/// Width of the test image: sixteen blocks and a part of one.
const WIDTH: usize = 66;

const IMAGE: ImageProperties = ImageProperties { has_alpha: true, color_space: ColorSpace::Linear };

/// Four rows of texels.
type Rows = [[[u8; 4]; WIDTH]; 4];

/// Returns rows of noise, gradients, two colours, solid colours and small differences, some with cut-outs.
fn images() -> Vec<Rows> {
    let mut state = 1u32;
    let mut random = move |below: i32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(state) * below as u64) >> 32) as i32
    };
    let mut images = Vec::new();
    for kind in 0..24 {
        let mut rows = [[[0; 4]; WIDTH]; 4];
        for block in 0..WIDTH.div_ceil(4) {
            let a = [(); 4].map(|()| random(256));
            let b = [(); 4].map(|()| random(256));
            let slopes = [(); 4].map(|()| [random(30) - 15, random(30) - 15]);
            for (y, row) in rows.iter_mut().enumerate() {
                for x in 0..4usize.min(WIDTH - 4 * block) {
                    let chosen = if random(3) == 0 { a } else { b };
                    let grey = random(120) - 60;
                    let texel: [i32; 4] = std::array::from_fn(|c| match kind % 6 {
                        0 => random(256),
                        1 => a[c] + slopes[c][0] * x as i32 + slopes[c][1] * y as i32,
                        2 => chosen[c],
                        3 => a[c],
                        4 => a[c] + random(8),
                        _ => chosen[c] + grey,
                    });
                    let alpha = if kind < 12 || random(4) > 0 { 255 } else { random(256) };
                    let [r, g, b, _] = texel.map(|value| value.clamp(0, 255) as u8);
                    row[4 * block + x] = [r, g, b, alpha as u8];
                }
            }
        }
        images.push(rows);
    }
    images
}

fn encode_at(
    level: AvailableLevel,
    codec: &Codec,
    quality: Quality,
    rows: [&[[u8; 4]]; 4],
    visible_rows: u32,
) -> Vec<u8> {
    let options = EncodeOptions::default().with(|options| options.quality = quality);
    let RowEncoder::Rgba8(encode) = (codec.rows.unwrap())(&options, level, IMAGE) else {
        unreachable!("the encoder takes bytes")
    };
    let mut blocks = vec![0; 8 * rows[0].len().div_ceil(4)];
    encode(&BlockRow { rows, visible_rows }, &mut blocks, &Task::new()).unwrap();
    blocks
}

fn encode(codec: &Codec, quality: Quality, rows: &Rows, visible_rows: u32) -> Vec<u8> {
    let rows = rows.each_ref().map(|row| row.as_slice());
    let mut found: Option<Vec<u8>> = None;
    for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
        let blocks = encode_at(level, codec, quality, rows, visible_rows);
        assert_eq!(*found.get_or_insert_with(|| blocks.clone()), blocks, "{level:?} {quality:?}");
    }
    found.unwrap()
}

fn decode(codec: &Codec, blocks: &[u8]) -> Vec<[u8; 4]> {
    let RowDecoder::Rgba8(decode) = (codec.decoder)(Default::default()) else {
        unreachable!("the decoder gives bytes")
    };
    let mut texels = vec![[0; 4]; 4 * WIDTH];
    decode(blocks, WIDTH, WIDTH, &mut texels);
    texels
}

/// Returns the squared error of each block. Transparent texels have none.
fn errors(codec: &Codec, blocks: &[u8], rows: &Rows, visible_rows: u32) -> Vec<u32> {
    let has_alpha = std::ptr::eq(codec, &RGB_A1);
    let mut errors = vec![0; WIDTH.div_ceil(4)];
    for (i, found) in decode(codec, blocks).into_iter().enumerate().take(visible_rows as usize * WIDTH) {
        let (x, y) = (i % WIDTH, i / WIDTH);
        let source = rows[y][x];
        if has_alpha && source[3] < 128 {
            assert_eq!(found, [0; 4]);
            continue;
        }
        assert_eq!(found[3], 255);
        for c in 0..3 {
            errors[x / 4] += u32::from(source[c].abs_diff(found[c])).pow(2);
        }
    }
    errors
}

#[test]
fn a_higher_quality_is_never_worse_and_instruction_sets_agree() {
    for codec in [&RGB, &RGB_A1] {
        for (i, rows) in images().iter().enumerate() {
            let visible_rows = [4, 4, 2, 1][i % 4];
            let mut last = vec![u32::MAX; WIDTH.div_ceil(4)];
            for &quality in Quality::ALL {
                let blocks = encode(codec, quality, rows, visible_rows);
                let errors = errors(codec, &blocks, rows, visible_rows);
                for (block, (error, last)) in errors.iter().zip(&last).enumerate() {
                    assert!(error <= last, "{} {quality:?} {i} {block}: {last} to {error}", codec.name);
                }
                last = errors;
            }
        }
    }
}

/// Each block has the same bytes alone as in a row. The halves of some are too far from each other for a
/// differential block, those of others nearly so. One block in a hundred fails if lanes take the search of
/// their neighbours.
#[test]
fn blocks_do_not_depend_on_their_neighbors() {
    const BLOCKS: usize = 16;
    let (level, mut random) = (AvailableLevel::detect(), Random(5));
    for (codec, quality) in [(&RGB, Quality::Fast), (&RGB_A1, Quality::Fast), (&RGB, Quality::Normal)] {
        for _ in 0..64 {
            let mut rows = [[[0, 0, 0, 255]; 4 * BLOCKS]; 4];
            for block in 0..BLOCKS {
                let base = [(); 3].map(|()| random.bits(5));
                let step = [(); 3].map(|()| if block == 0 { 120 } else { random.bits(6) - 32 });
                for row in &mut rows {
                    for (x, texel) in row[4 * block..][..4].iter_mut().enumerate() {
                        let grey = random.bits(6) - 32;
                        for c in 0..3 {
                            let value = base[c] + grey + random.bits(3) + if x < 2 { 0 } else { step[c] };
                            texel[c] = value.clamp(0, 255) as u8;
                        }
                    }
                }
            }
            let rows = rows.each_ref().map(|row| row.as_slice());
            let blocks = encode_at(level, codec, quality, rows, 4);
            for (column, expected) in blocks.chunks(8).enumerate() {
                let alone = rows.map(|row| &row[4 * column..][..4]);
                let found = encode_at(level, codec, quality, alone, 4);
                assert_eq!(found, expected, "{} {quality:?} {column}", codec.name);
            }
        }
    }
}

#[test]
fn solid_colors_have_the_nearest_sum_of_base_and_modifier() {
    let rows = &images()[3];
    let expected: Vec<u32> = (0..WIDTH.div_ceil(4))
        .map(|block| {
            let color = rows[0][4 * block];
            let modifiers = super::tables::MODIFIERS.as_flattened().iter().flat_map(|&m| [m, -m]);
            let of_modifier = |modifier: i32| {
                let error = |c: usize| {
                    let values =
                        (0..32).map(|code| (super::tables::expand::<5>(code) + modifier).clamp(0, 255));
                    values.map(|value| (value - i32::from(color[c])).pow(2) as u32).min().unwrap()
                };
                error(0) + error(1) + error(2)
            };
            modifiers.map(of_modifier).min().unwrap() * if block == WIDTH / 4 { 8 } else { 16 }
        })
        .collect();
    for &quality in Quality::ALL {
        let blocks = encode(&RGB, quality, rows, 4);
        for (error, expected) in errors(&RGB, &blocks, rows, 4).into_iter().zip(&expected) {
            assert!(error <= *expected, "{quality:?}: {error} instead of {expected}");
        }
    }
}

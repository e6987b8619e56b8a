//! Tests of the encoder.

use super::{Kind, SNORM, UNORM, batch, indices, kind::ALPHA, pack::BatchBlocks};
use crate::{
    EncodeOptions, Quality, Task,
    bc::{
        Codec, RowEncoder,
        batch::{BATCH, BatchTexels},
    },
    block_row::BlockRow,
    etc::{R11_SNORM, R11_UNORM, RG11_SNORM, RG11_UNORM, effort::Effort},
    random::Random,
    simd::{AvailableLevel, SimdLevel},
};

const KINDS: [Kind; 3] = [ALPHA, UNORM, SNORM];

/// Returns batches of sources, 0 to 255: noise, narrow and wide ranges, gradients, two values, single values.
fn sources() -> Vec<[[i32; 16]; BATCH]> {
    let mut state = 1u32;
    let mut random = move |below: i32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(state) * below as u64) >> 32) as i32
    };
    let mut block = move |i: usize| {
        let (low, span) = (random(256), 1 + random(64));
        let (a, b, c) = (random(256), random(20) - 10, random(20) - 10);
        std::array::from_fn(|t| match i % 6 {
            0 => random(256),
            1 => low + random(span),
            2 => a + b * (t as i32 % 4) + c * (t as i32 / 4),
            3 => [low, a][random(2) as usize],
            4 => low,
            _ => [low + random(4), a + random(4)][random(2) as usize],
        })
        .map(|source: i32| source.clamp(0, 255))
    };
    (0..60).map(|_| std::array::from_fn(&mut block)).collect()
}

fn targets(kind: &Kind, batch: &[[i32; 16]; BATCH]) -> BatchTexels {
    std::array::from_fn(|t| std::array::from_fn(|lane| kind.target(batch[lane][t], 255)))
}

fn encode(kind: &Kind, quality: Quality, targets: &BatchTexels, visible: i32) -> BatchBlocks {
    let mut found: Option<BatchBlocks> = None;
    for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
        let mut blocks = BatchBlocks::default();
        batch::encode(level, kind, Effort::Quality(quality), targets, &[visible; BATCH], &mut blocks);
        assert_eq!(*found.get_or_insert(blocks), blocks, "{level:?}");
    }
    found.unwrap()
}

/// Returns the squared error of the visible texels of the block in a lane.
fn error(kind: &Kind, blocks: &BatchBlocks, targets: &BatchTexels, lane: usize, visible: i32) -> i32 {
    let block = u64::from_be_bytes(batch::bytes(blocks, lane));
    let (palette, index) = (kind.palette(block), indices(block));
    let inside = (0..16).filter(|t| visible >> t & 1 == 1);
    inside.map(|t| (palette[index(t)] - targets[t][lane]).pow(2)).sum()
}

#[test]
fn a_higher_quality_is_never_worse_and_instruction_sets_agree() {
    for kind in KINDS {
        for (i, batch) in sources().iter().enumerate() {
            let (visible, [right, lower]) = [(0xffff, [3, 3]), (0x0333, [1, 2]), (0x000f, [3, 0])][i % 3];
            let targets = targets(&kind, batch);
            // Texels outside the image repeat its edge.
            let targets = std::array::from_fn(|t| targets[4 * (t / 4).min(lower) + (t % 4).min(right)]);
            let mut last = [i32::MAX; BATCH];
            for &quality in Quality::ALL {
                let blocks = encode(&kind, quality, &targets, visible);
                for (lane, last) in last.iter_mut().enumerate() {
                    let error = error(&kind, &blocks, &targets, lane, visible);
                    assert!(error <= *last, "{kind:?} {quality:?} {:?}", batch[lane]);
                    *last = error;
                    assert!(kind != ALPHA || blocks[0][lane] >> 20 & 15 != 0, "multiplier 0");
                }
            }
        }
    }
}

#[test]
fn single_values_are_exact() {
    for kind in KINDS {
        for first in (0..256).step_by(BATCH) {
            let batch = std::array::from_fn(|lane| [(first + lane) as i32; 16]);
            let targets = targets(&kind, &batch);
            for &quality in Quality::ALL {
                let blocks = encode(&kind, quality, &targets, 0xffff);
                for lane in 0..BATCH {
                    assert_eq!(error(&kind, &blocks, &targets, lane, 0xffff), 0, "{kind:?} {quality:?}");
                }
            }
        }
    }
}

#[test]
fn the_best_quality_is_the_optimum() {
    for kind in KINDS {
        for batch in sources().iter().step_by(20) {
            let targets = targets(&kind, batch);
            let blocks = encode(&kind, Quality::Best, &targets, 0xffff);
            for lane in 0..BATCH {
                let mut least = i32::MAX;
                for head in 0..1u64 << 16 {
                    if kind == ALPHA && head >> 4 & 15 == 0 {
                        continue;
                    }
                    let palette = kind.palette(head << 48);
                    let mut sum = 0;
                    for targets in &targets {
                        sum += palette.iter().map(|value| (value - targets[lane]).pow(2)).min().unwrap();
                        if sum >= least {
                            break;
                        }
                    }
                    least = least.min(sum);
                }
                assert_eq!(
                    error(&kind, &blocks, &targets, lane, 0xffff),
                    least,
                    "{kind:?} {:?}",
                    batch[lane]
                );
            }
        }
    }
}

/// Encodes a row of blocks of 16-bit texels.
fn encode_deep(codec: &Codec, quality: Quality, rows: &BlockRow<'_, [u16; 4]>) -> Vec<[u8; 8]> {
    let options = EncodeOptions::default().with(|options| options.quality = quality);
    let mut found: Option<Vec<[u8; 8]>> = None;
    for level in SimdLevel::ALL.iter().filter_map(|&level| AvailableLevel::of(level)) {
        let Some(RowEncoder::Rgba16(encode)) = codec.deep.unwrap()(&options, level) else {
            unreachable!("the encoder takes 16 bits")
        };
        let mut blocks = vec![[0; 8]; rows.width().div_ceil(4) * codec.block_bytes / 8];
        encode(rows, blocks.as_flattened_mut(), &Task::new()).unwrap();
        assert_eq!(*found.get_or_insert_with(|| blocks.clone()), blocks, "{level:?}");
    }
    found.unwrap()
}

/// The blocks of 16-bit texels are those of the nearest values of each channel: one full batch and two
/// blocks, of which the last one has two columns.
#[test]
fn sources_of_16_bits_become_blocks_of_the_nearest_values() {
    const WIDTH: usize = 4 * BATCH + 6;
    let mut random = Random(16);
    let codecs = [(&R11_UNORM, UNORM), (&R11_SNORM, SNORM), (&RG11_UNORM, UNORM), (&RG11_SNORM, SNORM)];
    for (codec, kind) in codecs {
        let channels = codec.block_bytes / 8;
        for visible_rows in [4, 3] {
            // Noise, or the lower 8 bits alone.
            let noise = random.bits(1) == 1;
            let base = random.bits(16);
            let mut texel =
                || [(); 4].map(|()| if noise { random.bits(16) } else { base & 0xff00 | random.bits(8) });
            let mut texels: [[[u16; 4]; WIDTH]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| texel().map(|value| value as u16)));
            for y in visible_rows..4 {
                texels[y] = texels[visible_rows - 1];
            }
            let rows = texels.each_ref().map(|row| row.as_slice());
            let rows = BlockRow { rows, visible_rows: visible_rows as u32 };
            for &quality in Quality::ALL {
                let found = encode_deep(codec, quality, &rows);
                for (first, channel) in
                    [0, 1].into_iter().flat_map(|first| (0..channels).map(move |c| (first, c)))
                {
                    let (mut targets, mut visible) = ([[0; BATCH]; 16], [0xffff; BATCH]);
                    let columns = BATCH * first..WIDTH.div_ceil(4).min(BATCH * (first + 1));
                    for (lane, column) in columns.clone().enumerate() {
                        let width = (WIDTH - 4 * column).min(4);
                        let inside = |t: &usize| t % 4 < width && t / 4 < visible_rows;
                        visible[lane] = (0..16).filter(inside).map(|t| 1 << t).sum();
                        for (t, targets) in targets.iter_mut().enumerate() {
                            let texel = texels[t / 4][4 * column + (t % 4).min(width - 1)];
                            targets[lane] = kind.target(texel[channel].into(), 65535);
                        }
                    }
                    let mut words = BatchBlocks::default();
                    batch::encode(
                        AvailableLevel::detect(),
                        &kind,
                        Effort::Quality(quality),
                        &targets,
                        &visible,
                        &mut words,
                    );
                    for (lane, column) in columns.enumerate() {
                        let expected = batch::bytes(&words, lane);
                        let found = found[channels * column + channel];
                        assert_eq!(found, expected, "{} {quality:?} {column} {channel}", codec.name);
                    }
                }
            }
        }
    }
}

/// Single values of 16 bits become the nearest of 11, which the 8 bits of a byte do not state.
#[test]
fn single_values_of_16_bits_are_those_of_11() {
    for (codec, kind) in [(&R11_UNORM, UNORM), (&R11_SNORM, SNORM)] {
        let texels: Vec<[u16; 4]> = (0..4 * 256).map(|x| [(x / 4 * 257) as u16 ^ 0x55; 4]).collect();
        let rows = BlockRow { rows: [texels.as_slice(); 4], visible_rows: 4 };
        for &quality in Quality::ALL {
            for (column, block) in encode_deep(codec, quality, &rows).into_iter().enumerate() {
                let block = u64::from_be_bytes(block);
                let (palette, index) = (kind.palette(block), indices(block));
                let source = f64::from(texels[4 * column][0]) / 65535.0;
                let [least, greatest] = kind.range.map(f64::from);
                let exact = least + source * (greatest - least);
                for t in 0..16 {
                    assert!((f64::from(palette[index(t)]) - exact).abs() <= 0.5, "{quality:?} {column}");
                }
            }
        }
    }
}

#[test]
fn sources_become_the_nearest_values() {
    for kind in KINDS {
        let [least, greatest] = kind.range.map(f64::from);
        for top in [255, 65535] {
            for source in 0..=top {
                let exact = least + f64::from(source) * (greatest - least) / f64::from(top);
                assert!((f64::from(kind.target(source, top)) - exact).abs() <= 0.5);
            }
        }
        for source in 0..=255 {
            assert_eq!(i32::from(kind.byte(kind.target(source, 255))), source);
        }
    }
}

//! Tests of the encoder.

use super::{Kind, SNORM, UNORM, batch, indices, kind::ALPHA, pack::BatchBlocks};
use crate::{
    Quality,
    bc::batch::{BATCH, BatchTexels},
    etc::effort::Effort,
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

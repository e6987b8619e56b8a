//! Tests that the GPU's blocks of BC1 to BC5 in real time equal the CPU's, byte for byte.

use crate::common::{self, compare, gpu_encoder};
use brickwork_texture::{BlockFormat, EncodeOptions, RealTime};

const FORMATS: [BlockFormat; 7] = [
    BlockFormat::Bc1,
    BlockFormat::Bc2,
    BlockFormat::Bc3,
    BlockFormat::Bc4Unorm,
    BlockFormat::Bc4Snorm,
    BlockFormat::Bc5Unorm,
    BlockFormat::Bc5Snorm,
];

#[test]
fn bc1_to_bc5_in_real_time_give_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for format in FORMATS {
        for &level in RealTime::ALL {
            for (width, height) in common::SIZES {
                for fixture in common::fixtures(width, height) {
                    let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
                    compare(&gpu, &fixture, format, &options);
                }
            }
        }
    }
}

#[test]
fn bc1_s_threshold_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for alpha_threshold in [0, 1, 200, 255] {
        for fixture in common::fixtures(33, 9) {
            let options = EncodeOptions::default().with(|o| {
                o.real_time = Some(RealTime::Level1);
                o.bc1.alpha_threshold = alpha_threshold;
            });
            compare(&gpu, &fixture, BlockFormat::Bc1, &options);
        }
    }
}

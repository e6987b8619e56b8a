//! Tests that the GPU's blocks of BC2 to BC5 equal the CPU's, byte for byte.

use crate::common::{self, compare, gpu_encoder};
use brickwork_texture::{BlockFormat, EncodeOptions, Quality, RoundingRule};

fn every_quality_gives_the_twin_s_bytes(formats: &[BlockFormat]) {
    let Some(gpu) = gpu_encoder() else { return };
    let is_large = std::env::var_os("BRICKWORK_LARGE").is_some();
    for &format in formats {
        for &quality in Quality::ALL {
            use RoundingRule::{Exact, Nvidia, Real, Trunc};
            for decoder in [Real, Exact, Trunc, Nvidia] {
                for (width, height) in common::SIZES {
                    // Mesa's lavapipe 22.3 leaks some memory with every dispatch.
                    if width > 33 && (quality >= Quality::High || decoder != Real) {
                        continue;
                    }
                    if !is_large && decoder != Real && (width, height) != (5, 7) {
                        continue;
                    }
                    for fixture in common::fixtures(width, height) {
                        let options = EncodeOptions::default().with(|o| {
                            o.quality = quality;
                            o.rounding_rule = decoder;
                        });
                        compare(&gpu, &fixture, format, &options);
                    }
                }
            }
        }
    }
}

#[test]
fn bc4_and_bc5_give_the_twin_s_bytes() {
    use BlockFormat::{Bc4Snorm, Bc4Unorm, Bc5Snorm, Bc5Unorm};
    every_quality_gives_the_twin_s_bytes(&[Bc4Unorm, Bc4Snorm, Bc5Unorm, Bc5Snorm]);
}

#[test]
fn bc2_and_bc3_give_the_twin_s_bytes() {
    every_quality_gives_the_twin_s_bytes(&[BlockFormat::Bc2, BlockFormat::Bc3]);
}

/// NVIDIA's extra steps of signed endpoints are 1/32767. They decide in few texels, so there are many.
#[test]
fn signed_values_of_nvidia_are_the_twin_s() {
    let Some(gpu) = gpu_encoder() else { return };
    let (width, height) = (256, 256);
    let mut random = common::Random(64);
    let texels = (0..width * height).map(|_| [random.byte(), random.byte(), 0, 255]).collect();
    let noise = common::Fixture { name: "noise", texels, width, height };
    let options = EncodeOptions::default().with(|o| {
        o.quality = Quality::Ultrafast;
        o.rounding_rule = RoundingRule::Nvidia;
    });
    compare(&gpu, &noise, BlockFormat::Bc5Snorm, &options);
}

//! Tests that the GPU's blocks of BC2 to BC5 equal the CPU's, byte for byte.

use crate::common::{self, assert_same_blocks, gpu_encoder};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, Encoder, ImageView, Quality, RoundingRule, Task, gpu::GpuEncoder,
};

fn compare(gpu: &GpuEncoder, fixture: &common::Fixture, format: BlockFormat, options: &EncodeOptions) {
    let common::Fixture { name, width, height, ref texels } = *fixture;
    let image = ImageView::new(texels, width, height).unwrap();
    let encode = |encoder: Encoder| {
        let mut blocks = vec![0; format.image_bytes(width, height) as usize];
        encoder.encode_into(&image, format, options, &mut blocks, &Task::new()).unwrap();
        blocks
    };
    let what = format!("{format} {name} {width}×{height}, {options:?}");
    assert_same_blocks(&encode(CpuEncoder::new().into()), &encode(gpu.clone().into()), &what);
}

fn every_quality_gives_the_twin_s_bytes(formats: &[BlockFormat]) {
    let Some(gpu) = gpu_encoder() else { return };
    let is_large = std::env::var_os("BRICKWORK_LARGE").is_some();
    for &format in formats {
        for &quality in Quality::ALL {
            for decoder in [RoundingRule::Real, RoundingRule::Exact, RoundingRule::Trunc] {
                for (width, height) in common::SIZES {
                    // Mesa's lavapipe 22.3 leaks some memory with every dispatch.
                    if width > 33 && (quality >= Quality::High || decoder != RoundingRule::Real) {
                        continue;
                    }
                    if !is_large && decoder != RoundingRule::Real && (width, height) != (5, 7) {
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

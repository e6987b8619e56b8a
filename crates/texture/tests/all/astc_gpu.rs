//! Tests that the GPU's blocks of ASTC in real time equal the CPU's, byte for byte.

use crate::common::{self, assert_same_blocks, gpu_encoder};
use brickwork_texture::{
    AlphaMode, AstcFootprint, BlockFormat, ColorSpace, CpuEncoder, EncodeError, EncodeOptions, Encoder,
    ImageView, RealTime, Task, TextureDesc, encode_texture, gpu::GpuEncoder,
};

const FORMAT: BlockFormat = BlockFormat::Astc(AstcFootprint::B4x4);

fn compare(gpu: &GpuEncoder, fixture: &common::Fixture, color_space: ColorSpace, options: &EncodeOptions) {
    let common::Fixture { name, width, height, ref texels } = *fixture;
    let image = ImageView::new(texels, width, height).unwrap();
    let desc = TextureDesc::of_image(&image, FORMAT)
        .with_color_space(color_space)
        .with_alpha_mode(AlphaMode::Straight);
    let encode = |encoder: Encoder| {
        encode_texture(&encoder, &image, &desc, options, &Task::new()).unwrap().data().to_vec()
    };
    let what = format!("{name} {width}×{height}, {color_space:?}, {options:?}");
    assert_same_blocks(&encode(CpuEncoder::new().into()), &encode(gpu.clone().into()), &what);
}

#[test]
fn astc_in_real_time_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for &level in RealTime::ALL {
        let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
        // Bytes of the GPU, not of the CPU in its place.
        assert!(gpu.max_region(FORMAT, &options).is_ok());
        for color_space in [ColorSpace::Linear, ColorSpace::Srgb] {
            for (width, height) in common::SIZES {
                for fixture in common::fixtures(width, height) {
                    compare(&gpu, &fixture, color_space, &options);
                }
            }
        }
    }
}

#[test]
fn other_qualities_have_no_kernels() {
    let Some(gpu) = gpu_encoder() else { return };
    let refused = EncodeError::NoKernels { format: FORMAT.name() };
    assert_eq!(gpu.max_region(FORMAT, &EncodeOptions::default()), Err(refused));
}

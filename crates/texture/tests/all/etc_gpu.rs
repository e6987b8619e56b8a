//! Tests that the GPU's blocks of ETC2 and EAC in real time equal the CPU's, byte for byte.

use crate::common::{self, assert_same_blocks, gpu_encoder};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeError, EncodeOptions, Encoder, ImageView, RealTime, Task, gpu::GpuEncoder,
};

const FORMATS: [BlockFormat; 7] = [
    BlockFormat::Etc2Rgb,
    BlockFormat::Etc2RgbA1,
    BlockFormat::Etc2Rgba,
    BlockFormat::EacR11Unorm,
    BlockFormat::EacR11Snorm,
    BlockFormat::EacRg11Unorm,
    BlockFormat::EacRg11Snorm,
];

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

#[test]
fn etc_in_real_time_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for format in FORMATS {
        for &level in RealTime::ALL {
            let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
            // Bytes of the GPU, not of the CPU in its place.
            assert!(gpu.max_region(format, &options).is_ok(), "{format}");
            for (width, height) in common::SIZES {
                for fixture in common::fixtures(width, height) {
                    compare(&gpu, &fixture, format, &options);
                }
            }
        }
    }
}

#[test]
fn other_qualities_have_no_kernels() {
    let Some(gpu) = gpu_encoder() else { return };
    for format in FORMATS {
        let refused = EncodeError::NoKernels { format: format.name() };
        assert_eq!(gpu.max_region(format, &EncodeOptions::default()), Err(refused), "{format}");
    }
}

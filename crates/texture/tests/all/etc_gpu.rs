//! Tests that the GPU's blocks of ETC2 and EAC in real time equal the CPU's, byte for byte.

use crate::common::{self, compare, gpu_encoder};
use brickwork_texture::{BlockFormat, EncodeError, EncodeOptions, RealTime};

const FORMATS: [BlockFormat; 7] = [
    BlockFormat::Etc2Rgb,
    BlockFormat::Etc2RgbA1,
    BlockFormat::Etc2Rgba,
    BlockFormat::EacR11Unorm,
    BlockFormat::EacR11Snorm,
    BlockFormat::EacRg11Unorm,
    BlockFormat::EacRg11Snorm,
];

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

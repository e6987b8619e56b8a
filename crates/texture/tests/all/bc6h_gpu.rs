//! Tests that the GPU's blocks of BC6H equal the CPU's, byte for byte.

use crate::{
    bc6h_encoder::{Halves, blocks, images, in_real_time},
    common::{self, Random, gpu_encoder},
};
use brickwork_texture::{
    BlockFormat, EncodeError, EncodeOptions, Encoder, ImageView, Quality, RealTime, Task,
    bc::bc6h::Bc6hMetric, gpu::GpuEncoder, half::f16,
};

const FORMATS: [BlockFormat; 2] = [BlockFormat::Bc6hUfloat, BlockFormat::Bc6hSfloat];

fn compare(gpu: &GpuEncoder, image: &Halves, format: BlockFormat, quality: Quality) {
    compare_with(gpu, image, format, EncodeOptions::default().with(|o| o.quality = quality));
}

fn compare_with(gpu: &GpuEncoder, image: &Halves, format: BlockFormat, options: EncodeOptions) {
    let view = ImageView::new(&image.texels, image.width, image.height).unwrap();
    common::compare_image(gpu, &view, format, &options, image.name);
}

/// Returns an image whose blocks are those of `blocks`, which are different in every way.
fn mosaic(columns: u32, rows: u32, is_signed: bool) -> Halves {
    let blocks = blocks((columns * rows) as usize, is_signed);
    let texel =
        |x: u32, y: u32| blocks[(y / 4 * columns + x / 4) as usize].texels[(y % 4 * 4 + x % 4) as usize];
    let texels = (0..4 * rows).flat_map(|y| (0..4 * columns).map(move |x| (x, y)));
    Halves {
        name: "mosaic",
        width: 4 * columns,
        height: 4 * rows,
        texels: texels.map(|(x, y)| texel(x, y)).collect(),
    }
}

/// Returns an image with all 65,536 halves, in random order.
fn every_half(width: u32, height: u32) -> Halves {
    let mut random = Random(5);
    let half = |at: u32| f16::from_bits((at.wrapping_mul(0x9e37).wrapping_add(at / 7)) as u16);
    let texels = (0..width * height).map(|at| {
        let other = random.next() as u32;
        [half(at), half(other), half(at ^ other)]
    });
    Halves { name: "every half", width, height, texels: texels.collect() }
}

#[test]
fn bc6h_gives_the_twin_s_bytes_at_every_quality() {
    let Some(gpu) = gpu_encoder() else { return };
    for format in FORMATS {
        let is_signed = format == BlockFormat::Bc6hSfloat;
        for &quality in Quality::ALL {
            for (width, height) in [(1, 1), (5, 7), (33, 9), (129, 65)] {
                if width > 33 && quality > Quality::Fast || width > 5 && quality == Quality::Best {
                    continue;
                }
                for image in images(width, height, is_signed) {
                    compare(&gpu, &image, format, quality);
                }
            }
        }
    }
}

#[test]
fn bc6h_in_real_time_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for format in FORMATS {
        let is_signed = format == BlockFormat::Bc6hSfloat;
        for (&level, rows) in RealTime::ALL.iter().zip([64, 16, 16]) {
            let options = in_real_time(level);
            compare_with(&gpu, &mosaic(32, rows, is_signed), format, options);
            compare_with(&gpu, &every_half(256, 4 * rows), format, options);
            for (width, height) in [(1, 1), (5, 7), (33, 9), (129, 65)] {
                for image in images(width, height, is_signed) {
                    compare_with(&gpu, &image, format, options);
                }
            }
        }
    }
}

#[test]
fn bc6h_gives_the_twin_s_bytes_for_blocks_of_every_contrast() {
    let Some(gpu) = gpu_encoder() else { return };
    for format in FORMATS {
        let is_signed = format == BlockFormat::Bc6hSfloat;
        for (quality, rows) in Quality::ALL.iter().zip([64, 32, 16, 4, 2]) {
            compare(&gpu, &mosaic(32, rows, is_signed), format, *quality);
        }
    }
}

#[test]
fn bc6h_gives_the_twin_s_bytes_for_special_values() {
    let Some(gpu) = gpu_encoder() else { return };
    for format in FORMATS {
        for (quality, height) in Quality::ALL.iter().zip([256, 64, 16, 8, 4]) {
            compare(&gpu, &every_half(256, height), format, *quality);
        }
    }
}

#[test]
fn metrics_without_kernels_are_refused() {
    let Some(gpu) = gpu_encoder() else { return };
    let texels = [[f16::ONE; 3]; 16];
    let view = ImageView::new(&texels, 4, 4).unwrap();
    for (format, default) in FORMATS.into_iter().zip([Bc6hMetric::Pattern, Bc6hMetric::Log]) {
        for &metric in Bc6hMetric::ALL {
            let options = EncodeOptions::default().with(|o| o.bc6h.metric = Some(metric));
            let encoder = Encoder::from(gpu.clone());
            let result = encoder.encode_into(&view, format, &options, &mut [0; 16], &Task::new());
            let is_refused = matches!(result, Err(EncodeError::NoMetricKernels));
            assert!(is_refused || result.is_ok(), "{result:?}");
            assert_eq!(is_refused, metric != default, "{format} {metric:?}");
            // Real time ignores the metric.
            let options = options.with(|o| o.real_time = Some(RealTime::Level1));
            encoder.encode_into(&view, format, &options, &mut [0; 16], &Task::new()).unwrap();
        }
    }
}

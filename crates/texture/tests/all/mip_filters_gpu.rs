//! Tests that the GPU's mip levels by filters of radius 1 to 3 equal the CPU's, byte for byte.

use crate::{
    common::{self, gpu_encoder},
    mips_gpu::{encode, fast, level_after, texels},
};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, CpuEncoder, EncodeOptions, Encoder, Image, ImageView, MipFilter,
    MipWrap, Progress, Quality, Task, TexelFormat, TextureDesc, encode_texture,
    gpu::GpuEncoder,
    mips::{MipOptions, MipTexels},
};
use half::f16;
use std::{
    num::NonZeroU8,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

const FILTERS: [MipFilter; 5] =
    [MipFilter::Triangle, MipFilter::Kaiser, MipFilter::Mitchell, MipFilter::CatmullRom, MipFilter::Lanczos3];

/// The combinations in which colours are weighted, converted, or neither.
const MIPS: [MipOptions; 4] = [
    MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight),
    MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque),
    MipOptions::new(ColorSpace::Srgb, AlphaMode::Premultiplied),
    MipOptions::new(ColorSpace::Linear, AlphaMode::Straight),
];

fn wraps() -> impl Iterator<Item = [MipWrap; 2]> {
    MipWrap::ALL.iter().flat_map(|&x| MipWrap::ALL.iter().map(move |&y| [x, y]))
}

/// Compares the next mip level with the CPU's, and the blocks with those that were encoded without it.
fn compare(gpu: &GpuEncoder, image: &dyn Image, format: BlockFormat, mips: MipOptions) {
    let [width, height] = image.size();
    let what = format!("{format}, {width}×{height}, {mips:?}");
    let bytes = format.image_bytes(width, height) as usize;
    let (mut alone, mut blocks) = (vec![0; bytes], vec![0; bytes]);
    let found = encode(gpu, image, format, mips, &mut blocks);
    let is_float = matches!(format, BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat);
    let texel_format = if is_float { TexelFormat::RgbaF16 } else { TexelFormat::Rgba8 };
    let expected = level_after(image, texel_format, mips);
    assert_eq!(found.size(), expected.size(), "{what}");
    let differs = match (found.texels(), expected.texels()) {
        (MipTexels::Rgba8(found), MipTexels::Rgba8(expected)) => {
            (0..found.len()).find(|&i| found[i] != expected[i])
        }
        (MipTexels::RgbaF16(found), MipTexels::RgbaF16(expected)) => {
            (0..found.len()).find(|&i| found[i].map(f16::to_bits) != expected[i].map(f16::to_bits))
        }
        _ => panic!("{what}: other texels"),
    };
    if let Some(i) = differs {
        let [x, y] = [i % found.width() as usize, i / found.width() as usize];
        panic!("{what}: texel {x}, {y} differs");
    }
    gpu.encode_into(image, format, &fast(), &mut alone, &Task::new()).unwrap();
    common::assert_same_blocks(&alone, &blocks, &what);
}

#[test]
fn every_filter_and_edge_gives_the_cpu_s_level() {
    let Some(gpu) = gpu_encoder() else { return };
    for [width, height] in [[1, 1], [5, 7], [33, 17]] {
        let texels = texels(width, height);
        let image = ImageView::new(&texels, width, height).unwrap();
        for filter in FILTERS {
            for wrap in wraps() {
                for mips in MIPS {
                    compare(
                        &gpu,
                        &image,
                        BlockFormat::Bc1,
                        mips.with(|o| {
                            o.filter = filter;
                            o.wrap = wrap;
                        }),
                    );
                }
            }
        }
    }
    for [width, height] in [[101, 67], [256, 256]] {
        let texels = texels(width, height);
        let image = ImageView::new(&texels, width, height).unwrap();
        for (i, filter) in FILTERS.into_iter().enumerate() {
            for (k, wrap) in MipWrap::ALL.iter().enumerate() {
                let mips = MIPS[(i + k) % 4].with(|o| o.filter = filter);
                compare(
                    &gpu,
                    &image,
                    BlockFormat::Bc1,
                    mips.with(|o| o.wrap = [*wrap, MipWrap::ALL[(k + i) % 3]]),
                );
            }
        }
    }
}

#[test]
fn half_floats_give_the_cpu_s_level() {
    let Some(gpu) = gpu_encoder() else { return };
    for [width, height] in [[1, 1], [5, 7], [33, 17], [64, 32]] {
        let rgba: Vec<[f16; 4]> = texels(width, height)
            .into_iter()
            .map(|[r, g, b, a]| {
                let [r, g, b] = [r, g, b].map(|v| f16::from_f32((f32::from(v) - 20.0) * f32::from(v) / 50.0));
                [r, g, b, f16::from_f32(f32::from(a) / 255.0)]
            })
            .collect();
        let rgb: Vec<[f32; 3]> = rgba.iter().map(|&[r, g, b, _]| [r, g, b].map(f32::from)).collect();
        for (i, filter) in FILTERS.into_iter().enumerate() {
            let wrap = [MipWrap::ALL[i % 3], MipWrap::ALL[(i + 1) % 3]];
            for mips in [MIPS[0], MIPS[1]] {
                let mips = mips.with(|o| {
                    o.filter = filter;
                    o.wrap = wrap;
                });
                for format in [BlockFormat::Bc6hUfloat, BlockFormat::Bc6hSfloat] {
                    compare(&gpu, &ImageView::new(&rgba, width, height).unwrap(), format, mips);
                    compare(&gpu, &ImageView::new(&rgb, width, height).unwrap(), format, mips);
                }
            }
        }
    }
}

#[test]
fn texel_types_and_strides_give_the_cpu_s_level() {
    let Some(gpu) = gpu_encoder() else { return };
    for [width, height] in [[37, 11], [22, 10]] {
        let texels = texels(width, height);
        macro_rules! check {
            ($channel:ty, $of:expr) => {{
                let rgba: Vec<[$channel; 4]> = texels.iter().map(|t| t.map($of)).collect();
                let rgb: Vec<[$channel; 3]> = rgba.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
                let two: Vec<[$channel; 2]> = rgba.iter().map(|&[r, g, ..]| [r, g]).collect();
                let grey: Vec<$channel> = rgba.iter().map(|&[r, ..]| r).collect();
                for mips in [MIPS[0], MIPS[3]] {
                    let wrap = [MipWrap::Repeat, MipWrap::Mirror];
                    let mips = mips.with(|o| {
                        o.filter = MipFilter::Lanczos3;
                        o.wrap = wrap;
                    });
                    let strided = ImageView::with_stride(&rgb, width - 6, height, width as usize).unwrap();
                    let images: [&dyn Image; 5] = [
                        &ImageView::new(&rgba, width, height).unwrap(),
                        &ImageView::new(&rgb, width, height).unwrap(),
                        &ImageView::new(&two, width, height).unwrap(),
                        &ImageView::new(&grey, width, height).unwrap(),
                        &strided,
                    ];
                    images.into_iter().for_each(|image| compare(&gpu, image, BlockFormat::Bc1, mips));
                }
            }};
        }
        check!(u8, |v| v);
        check!(u16, |v| (u16::from(v) * 257).saturating_add(u16::from(v) % 120));
        check!(f32, |v| match v {
            7 => f32::NAN,
            9 => f32::INFINITY,
            11 => -3.0,
            _ => (f32::from(v) - 4.5) / 250.0,
        });
        check!(f16, |v| f16::from_f32((f32::from(v) - 4.5) / 250.0));
    }
}

/// Encodes an image until the encoder's bands for these options have the minimum size, 64 blocks.
fn shrink_bands(gpu: &GpuEncoder, options: &EncodeOptions) {
    let texels = texels(256, 64);
    let image = ImageView::new(&texels, 256, 64).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(256, 64) as usize];
    for _ in 0..3 {
        // Each band takes a second by this clock.
        let readings = AtomicU64::new(0);
        let clock = move || Duration::from_secs(readings.fetch_add(1, Ordering::Relaxed));
        let encoding = gpu.start(&image, BlockFormat::Bc1, options, None, &mut blocks).unwrap();
        let mut encoding = encoding.with_clock(clock);
        while !encoding.poll().unwrap() {
            std::thread::yield_now();
        }
    }
}

/// Encodes in bands of parts of a row of blocks, then of a few rows. Each needs texels of its neighbours.
#[test]
fn bands_have_a_halo() {
    let Some(gpu) = gpu_encoder() else { return };
    let sizes = [[301, 173], [300, 172], [2051, 9], [2050, 12], [5, 5003]];
    for (i, [width, height]) in sizes.into_iter().enumerate() {
        let gpu = GpuEncoder::new(gpu.context().clone());
        let texels = texels(width, height);
        let image = ImageView::new(&texels, width, height).unwrap();
        let options = fast().with(|o| {
            o.mip_filter = Some(FILTERS[(i + 1) % 5]);
            o.mip_wrap = [MipWrap::ALL[(i + 1) % 3], MipWrap::ALL[i % 3]];
        });
        shrink_bands(&gpu, &options);
        let desc = TextureDesc::of_image(&image, BlockFormat::Bc1)
            .with_color_space(ColorSpace::Srgb)
            .with_alpha_mode(AlphaMode::Straight)
            .with_full_mips();
        let steps = Mutex::new(Vec::new());
        let callback = |progress: Progress| steps.lock().unwrap().push(progress.done);
        let task = Task::new().with_progress(&callback);
        let found = encode_texture(&gpu.clone().into(), &image, &desc, &options, &task).unwrap();
        let expected = encode_texture(&CpuEncoder::new().into(), &image, &desc, &options, &Task::new());
        let what = format!("{width}×{height}");
        common::assert_same_blocks(expected.unwrap().data(), found.data(), &what);
        let of_level_0 = u64::from(image.block_columns()) * u64::from(height.div_ceil(4));
        let mut steps = steps.into_inner().unwrap();
        steps.retain(|&done| done < of_level_0);
        assert!(!steps.is_empty(), "{what}: one band");
        // In wide images, a band ends within a row.
        assert!(width < 256 || steps.iter().any(|done| done % u64::from(image.block_columns()) != 0));
    }
}

/// Options whose work after a level stays on the CPU.
#[test]
fn textures_are_the_cpu_s() {
    let Some(gpu) = gpu_encoder() else { return };
    let texels = texels(101, 67);
    let image = ImageView::new(&texels, 101, 67).unwrap();
    let desc = |format| TextureDesc::of_image(&image, format).with_full_mips();
    let colors =
        desc(BlockFormat::Bc3).with_color_space(ColorSpace::Srgb).with_alpha_mode(AlphaMode::Straight);
    let options = fast().with(|o| o.mip_filter = Some(MipFilter::Kaiser));
    let normal = EncodeOptions::default().with(|o| o.quality = Quality::Normal);
    for (desc, options) in [
        // Normal quality has the Kaiser filter by default.
        (colors, normal),
        (colors, options),
        (colors, options.with(|o| o.keep_coverage = NonZeroU8::new(128))),
        (colors, options.with(|o| o.alpha_is_data = true)),
        (colors, options.with(|o| o.dither = true)),
        (desc(BlockFormat::Bc5Unorm), options.with(|o| o.normals = true)),
    ] {
        let [expected, found] = [Encoder::from(CpuEncoder::new()), gpu.clone().into()]
            .map(|encoder| encode_texture(&encoder, &image, &desc, &options, &Task::new()).unwrap());
        common::assert_same_blocks(expected.data(), found.data(), &format!("{options:?}"));
    }
}

//! Tests that the GPU's mip levels equal the CPU's, byte for byte.

use crate::common::{self, gpu_encoder};
use brickwork_texture::{
    AlphaMode, BlockFormat, CancelToken, Cancelled, ColorSpace, CpuEncoder, EncodeError, EncodeOptions,
    Encoder, Image, ImageIndex, ImageView, Progress, Quality, Task, TexelFormat, TextureDesc, encode_texture,
    gpu::GpuEncoder,
    mips::{MipLevel, MipOptions, MipTexels, next_level},
};
use half::f16;
use std::sync::Mutex;

pub fn level_after(image: &dyn Image, format: TexelFormat, options: MipOptions) -> MipLevel {
    next_level(image, format, options, &Task::new()).unwrap()
}

pub fn fast() -> EncodeOptions {
    let mut options = EncodeOptions::default();
    options.quality = Quality::Ultrafast;
    options
}

const ALL_MIPS: [MipOptions; 6] = [
    MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight),
    MipOptions::new(ColorSpace::Srgb, AlphaMode::Opaque),
    MipOptions::new(ColorSpace::Srgb, AlphaMode::Premultiplied),
    MipOptions::new(ColorSpace::Linear, AlphaMode::Straight),
    MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque),
    MipOptions::new(ColorSpace::Linear, AlphaMode::Premultiplied),
];

fn assert_same_level(expected: &MipLevel, found: &MipLevel, what: &str) {
    assert_eq!(expected.size(), found.size(), "{what}");
    let (MipTexels::Rgba8(of_expected), MipTexels::Rgba8(of_found)) = (expected.texels(), found.texels())
    else {
        panic!("{what}: not 8 bits")
    };
    if let Some(i) = (0..of_expected.len()).find(|&i| of_expected[i] != of_found[i]) {
        let (x, y) = (i % expected.width() as usize, i / expected.width() as usize);
        panic!("{what}: texel {x}, {y} is {:?}, not {:?}", of_found[i], of_expected[i]);
    }
}

/// Encodes an image with its next mip level.
pub fn encode(
    gpu: &GpuEncoder,
    image: &dyn Image,
    format: BlockFormat,
    mips: MipOptions,
    blocks: &mut [u8],
) -> MipLevel {
    let mut encoding = gpu.start(image, format, &fast(), Some(mips), blocks).unwrap();
    while !encoding.poll().unwrap() {
        std::thread::yield_now();
    }
    encoding.into_next_level().unwrap()
}

/// Compares the next mip level with the CPU's, and the blocks with those that were encoded without it.
fn compare(gpu: &GpuEncoder, image: &dyn Image, mips: MipOptions, what: &str) {
    let [width, height] = image.size();
    let what = format!("{what} {width}×{height} {mips:?}");
    let bytes = BlockFormat::Bc1.image_bytes(width, height) as usize;
    let (mut alone, mut blocks) = (vec![0; bytes], vec![0; bytes]);
    let found = encode(gpu, image, BlockFormat::Bc1, mips, &mut blocks);
    assert_same_level(&level_after(image, TexelFormat::Rgba8, mips), &found, &what);
    gpu.encode_into(image, BlockFormat::Bc1, &fast(), &mut alone, &Task::new()).unwrap();
    common::assert_same_blocks(&alone, &blocks, &what);
}

/// Returns noise with special areas: dark, fully transparent, opaque.
pub fn texels(width: u32, height: u32) -> Vec<[u8; 4]> {
    let mut random = common::Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(width) << 20 ^ u64::from(height));
    let mut texels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let [r, g, b, a] = [(); 4].map(|()| random.byte());
            texels.push(match (x / 6 + y / 5) % 5 {
                0 => [r / 16, g / 64, b, a],
                1 => [r, g, b, 0],
                2 => [r, g, b, 255],
                3 => [255, 255, 255, a & 1],
                _ => [r, g, b, a],
            });
        }
    }
    texels
}

const SIZES: [[u32; 2]; 14] = [
    [1, 1],
    [1, 7],
    [5, 1],
    [2, 1],
    [1, 2],
    [3, 5],
    [4, 9],
    [5, 5],
    [9, 8],
    [16, 17],
    [33, 9],
    [64, 64],
    [255, 2],
    [257, 129],
];

#[test]
fn every_size_and_option_gives_the_cpu_s_level() {
    let Some(gpu) = gpu_encoder() else { return };
    for [width, height] in SIZES {
        let texels = texels(width, height);
        let image = ImageView::new(&texels, width, height).unwrap();
        for mips in ALL_MIPS {
            compare(&gpu, &image, mips, "noise");
        }
        let clear = vec![[10u8, 200, 30, 0]; texels.len()];
        let image = ImageView::new(&clear, width, height).unwrap();
        compare(&gpu, &image, ALL_MIPS[0], "transparent");
    }
}

#[test]
fn wide_images_need_sums_of_two_words() {
    let Some(gpu) = gpu_encoder() else { return };
    for [width, height] in [[16383, 3], [3, 9001], [20001, 5], [16384, 3], [7, 16384], [131_071, 1]] {
        let texels = texels(width, height);
        let image = ImageView::new(&texels, width, height).unwrap();
        for mips in [ALL_MIPS[0], ALL_MIPS[4]] {
            compare(&gpu, &image, mips, "wide");
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
                let what = |channels: u32| format!("{channels} {}", stringify!($channel));
                for mips in [ALL_MIPS[0], ALL_MIPS[3], ALL_MIPS[2]] {
                    compare(&gpu, &ImageView::new(&rgba, width, height).unwrap(), mips, &what(4));
                    compare(&gpu, &ImageView::new(&rgb, width, height).unwrap(), mips, &what(3));
                    compare(&gpu, &ImageView::new(&two, width, height).unwrap(), mips, &what(2));
                    compare(&gpu, &ImageView::new(&grey, width, height).unwrap(), mips, &what(1));
                    let strided = ImageView::with_stride(&rgb, width - 6, height, width as usize).unwrap();
                    compare(&gpu, &strided, mips, &what(3));
                }
            }};
        }
        check!(u8, |v| v);
        check!(u16, |v| (u16::from(v) * 257).saturating_add(u16::from(v) % 120));
        // Also values below 0, above 1, infinite and NaN.
        check!(f32, |v| match v {
            7 => f32::NAN,
            9 => f32::INFINITY,
            11 => -3.0,
            _ => (f32::from(v) - 4.5) / 250.0,
        });
        check!(f16, |v| match v {
            7 => f16::NAN,
            9 => f16::NEG_INFINITY,
            _ => f16::from_f32((f32::from(v) - 4.5) / 250.0),
        });
    }
}

/// Encodes in bands of a few rows of blocks, then in parts of a row.
#[test]
fn bands_make_the_level_together() {
    let Some(gpu) = gpu_encoder() else { return };
    for [width, height] in
        [[301, 173], [300, 172], [1001, 335], [16387, 9], [16386, 12], [40003, 5], [5, 40003]]
    {
        // An encoder that has not yet measured its speed starts with small bands.
        let gpu = GpuEncoder::new(gpu.context().clone());
        let texels = texels(width, height);
        let image = ImageView::new(&texels, width, height).unwrap();
        let steps = Mutex::new(Vec::new());
        let callback = |progress: Progress| steps.lock().unwrap().push(progress.done);
        let task = Task::new().with_progress(&callback);
        let desc = TextureDesc::of_image(&image, BlockFormat::Bc1).with_mip_levels(2);
        encode_texture(&gpu.clone().into(), &image, &desc, &fast(), &task).unwrap();
        let steps = steps.into_inner().unwrap();
        // Again in small bands.
        let gpu = GpuEncoder::new(gpu.context().clone());
        let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
        let found = encode(&gpu, &image, BlockFormat::Bc1, ALL_MIPS[0], &mut blocks);
        assert!(steps.len() > 1, "{width}×{height}: one band");
        // In wide images, a band ends within a row.
        assert!(width < 16000 || steps.iter().any(|done| done % u64::from(image.block_columns()) != 0));
        assert_same_level(
            &level_after(&image, TexelFormat::Rgba8, ALL_MIPS[0]),
            &found,
            &format!("{width}×{height}"),
        );
    }
}

#[test]
fn a_chain_is_the_cpu_s_and_its_progress_rises() {
    let Some(gpu) = gpu_encoder() else { return };
    let (width, height) = (203, 77);
    let texels = texels(width, height);
    let image = ImageView::new(&texels, width, height).unwrap();
    let desc = TextureDesc::of_image(&image, BlockFormat::Bc1)
        .with_full_mips()
        .with_color_space(ColorSpace::Srgb)
        .with_alpha_mode(AlphaMode::Straight);
    let (blocks, options, mips) = (desc.data_bytes() / 8, fast(), ALL_MIPS[0]);
    let (cpu, gpu) = (Encoder::from(CpuEncoder::new()), Encoder::from(gpu));
    let [by_cpu, by_gpu] = [&cpu, &gpu].map(|encoder| {
        let steps = Mutex::new(Vec::new());
        let callback = |progress: Progress| steps.lock().unwrap().push((progress.done, progress.total));
        let task = Task::new().with_progress(&callback);
        let texture = encode_texture(encoder, &image, &desc, &options, &task).unwrap();
        let mut steps = steps.into_inner().unwrap();
        steps.sort_unstable();
        assert_eq!(steps.last(), Some(&(blocks, blocks)));
        assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0), "{steps:?}");
        texture
    });
    // Level by level from the CPU's mip levels, without `encode_texture`.
    let mut level = level_after(&image, TexelFormat::Rgba8, mips);
    for index in 1..desc.mip_levels {
        let mut blocks = vec![0; desc.mip_level_bytes(index) as usize];
        cpu.encode_into(&level, BlockFormat::Bc1, &options, &mut blocks, &Task::new()).unwrap();
        common::assert_same_blocks(
            &blocks,
            by_cpu.image(0, 0, index).unwrap(),
            &format!("CPU, mip level {index}"),
        );
        common::assert_same_blocks(
            &blocks,
            by_gpu.image(0, 0, index).unwrap(),
            &format!("GPU, mip level {index}"),
        );
        level = level_after(&level, TexelFormat::Rgba8, mips);
    }
    assert_eq!(by_cpu, by_gpu);

    let token = CancelToken::new();
    let callback = |_: Progress| token.cancel();
    let task = Task::new().with_progress(&callback).with_cancel(&token);
    let stopped = encode_texture(&gpu, &image, &desc, &options, &task);
    assert_eq!(stopped, Err(EncodeError::Cancelled(Cancelled)));
    let other = TextureDesc::new_2d(BlockFormat::Bc1, 204, 77);
    let wrong = encode_texture(&gpu, &image, &other, &options, &Task::new());
    assert_eq!(
        wrong,
        Err(EncodeError::Size { index: ImageIndex::default(), texture: [204, 77], image: [203, 77] })
    );
}

#[test]
fn a_polled_encoding_gives_the_level_when_it_is_done() {
    let Some(gpu) = gpu_encoder() else { return };
    let texels = texels(97, 35);
    let image = ImageView::new(&texels, 97, 35).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(97, 35) as usize];
    let (format, options, mips) = (BlockFormat::Bc1, fast(), Some(ALL_MIPS[0]));
    let early = gpu.start(&image, format, &options, mips, &mut blocks).unwrap();
    assert_eq!(early.into_next_level(), None);
    let mut encoding = gpu.start(&image, format, &options, mips, &mut blocks).unwrap();
    while !encoding.poll().unwrap() {
        std::thread::yield_now();
    }
    let expected = level_after(&image, TexelFormat::Rgba8, ALL_MIPS[0]);
    assert_eq!(encoding.into_next_level(), Some(expected));
    let mut encoding = gpu.start(&image, format, &options, None, &mut blocks).unwrap();
    while !encoding.poll().unwrap() {
        std::thread::yield_now();
    }
    assert_eq!(encoding.into_next_level(), None);
}

//! Tests that the GPU's blocks equal the CPU's, byte for byte.

use crate::common::{self, assert_same_blocks, gpu_encoder, option_sets};
use brickwork_base::testing::skip;
use brickwork_texture::{
    BlockFormat, ChannelWeights, CpuEncoder, EncodeOptions, Encoder, Image, ImageView, Quality, RoundingRule,
    Task, bc::bc1::Method, gpu::GpuEncoder,
};
use half::f16;

fn encode(encoder: impl Into<Encoder>, image: &dyn Image, options: &EncodeOptions) -> Vec<u8> {
    let [width, height] = image.size();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
    encoder.into().encode_into(image, BlockFormat::Bc1, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

fn compare(gpu: &GpuEncoder, image: &dyn Image, options: &EncodeOptions, what: &str) {
    let expected = encode(CpuEncoder::new(), image, options);
    let found = encode(gpu.clone(), image, options);
    let [width, height] = image.size();
    assert_same_blocks(&expected, &found, &format!("{what} {width}×{height}, {options:?}"));
}

#[test]
fn every_quality_and_option_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for &quality in Quality::ALL {
        for (set, options) in option_sets(quality).into_iter().enumerate() {
            for (width, height) in common::SIZES {
                // Mesa's lavapipe 22.3 leaks some memory with every dispatch, 7 GiB for these images.
                let largest = if std::env::var_os("BRICKWORK_LARGE").is_some() { 257 } else { 33 };
                if width > largest || width > 33 && (quality >= Quality::High || set > 0) {
                    continue;
                }
                for fixture in common::fixtures(width, height) {
                    let image = ImageView::new(&fixture.texels, width, height).unwrap();
                    compare(&gpu, &image, &options, fixture.name);
                }
            }
        }
    }
}

/// Tests blocks of two colours: distant, close, or with the same red, and with one of them rare or not. At
/// the edge, some texels do not count.
#[test]
fn blocks_of_two_colours_give_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    let mut random = common::Random(29);
    let (width, height) = (255, 256);
    let mut texels = vec![[0; 4]; (width * height) as usize];
    for block in 0..64 * 64 {
        let mut byte = || random.byte();
        let first = [byte(), byte(), byte()];
        let other = match block % 4 {
            0 => first.map(|v| v.saturating_add(byte() % 16)),
            1 => first.map(|v| if v < 128 { 255 - byte() % 8 } else { byte() % 8 }),
            2 => [first[0], byte(), byte()],
            _ => [byte(), byte(), byte()],
        };
        let share = [128, 16, 60][block % 3];
        for t in 0..16 {
            let (x, y) = (block % 64 * 4 + t % 4, block / 64 * 4 + t / 4);
            if x < width as usize {
                let [r, g, b] = if byte() < share { other } else { first };
                texels[y * width as usize + x] = [r, g, b, 255];
            }
        }
    }
    let image = ImageView::new(&texels, width, height).unwrap();
    for &decoder in RoundingRule::ALL {
        for [red, green, blue] in [[1, 1, 1], [254, 1, 1], [1, 1, 254], [127, 2, 127], [54, 183, 19]] {
            let weights = ChannelWeights::new(red, green, blue).unwrap();
            let options = EncodeOptions::default().with(|o| {
                o.quality = Quality::Fast;
                o.rounding_rule = decoder;
            });
            compare(&gpu, &image, &options.with(|o| o.weights = weights), "two colours");
        }
    }
}

/// Tests one of the few blocks for which NVIDIA's rounding of green, which depends on the higher endpoint,
/// matters. The code of the second endpoint is the outer one.
#[test]
fn a_block_of_two_colours_by_nvidia_s_rounding_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    let mut texels = [[170_u8, 91, 170, 255]; 16];
    texels[0] = [85, 38, 85, 255];
    let image = ImageView::new(&texels, 4, 4).unwrap();
    let options = EncodeOptions::default().with(|o| {
        o.quality = Quality::Fast;
        o.rounding_rule = RoundingRule::Nvidia;
    });
    compare(&gpu, &image, &options, "two colours");
}

#[test]
fn lsdxt_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    for &quality in Quality::ALL {
        // The widest search differs from the others only in its radius.
        let sets = if quality == Quality::Best { 1 } else { usize::MAX };
        for (set, mut options) in option_sets(quality).into_iter().take(sets).enumerate() {
            options.bc1.method = Method::Lsdxt;
            for (width, height) in common::SIZES {
                let most = match quality {
                    Quality::Ultrafast | Quality::Fast if set == 0 => 257,
                    Quality::Ultrafast | Quality::Fast | Quality::Normal => 33,
                    Quality::High => 16,
                    Quality::Best => 5,
                    _ => unreachable!("a kind that the tests do not know"),
                };
                if width > most {
                    continue;
                }
                // The large images are for their number of blocks, not for what is in them.
                let step = if width > 33 { 4 } else { 1 };
                for fixture in common::fixtures(width, height).into_iter().step_by(step) {
                    let image = ImageView::new(&fixture.texels, width, height).unwrap();
                    compare(&gpu, &image, &options, fixture.name);
                }
            }
        }
    }
}

#[test]
fn texel_types_and_strides_give_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    let options = EncodeOptions::default();
    let (width, height) = (33, 9);
    for fixture in common::fixtures(width, height).into_iter().take(7) {
        macro_rules! check {
            ($channel:ty, $of:expr) => {{
                let rgba: Vec<[$channel; 4]> = fixture.texels.iter().map(|t| t.map($of)).collect();
                let rgb: Vec<[$channel; 3]> = rgba.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
                let two: Vec<[$channel; 2]> = rgba.iter().map(|&[r, g, ..]| [r, g]).collect();
                let grey: Vec<$channel> = rgba.iter().map(|&[r, ..]| r).collect();
                let what = |channels: u32| format!("{} {channels} {}", fixture.name, stringify!($channel));
                compare(&gpu, &ImageView::new(&rgba, width, height).unwrap(), &options, &what(4));
                compare(&gpu, &ImageView::new(&rgb, width, height).unwrap(), &options, &what(3));
                compare(&gpu, &ImageView::new(&two, width, height).unwrap(), &options, &what(2));
                compare(&gpu, &ImageView::new(&grey, width, height).unwrap(), &options, &what(1));
                let strided = ImageView::with_stride(&rgb, width - 5, height, width as usize).unwrap();
                compare(&gpu, &strided, &options, &what(3));
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

#[test]
fn kernels_are_timed_and_give_the_same_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    let (width, height) = (257, 129);
    let fixture = common::fixtures(width, height).remove(0);
    let image = ImageView::new(&fixture.texels, width, height).unwrap();
    let options = EncodeOptions::default();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
    let start = std::time::Instant::now();
    let times = gpu.time_kernels(&image, BlockFormat::Bc1, &options, &mut blocks).unwrap();
    let all = start.elapsed();
    assert_same_blocks(&encode(CpuEncoder::new(), &image, &options), &blocks, fixture.name);
    let Some(times) = times else {
        return skip("no timestamps");
    };
    let names: Vec<_> = times.iter().map(|kernel| kernel.name.as_str()).collect();
    let stages = ["simple", "two colors", "order", "search, 4 starts", "descend", "climb", "finish"]
        .map(|s| format!("bc1 {s}"));
    let expected: Vec<_> = ["load"].into_iter().chain(stages.iter().map(String::as_str)).collect();
    assert_eq!(names, expected);
    assert!(times.iter().all(|kernel| !kernel.time.is_zero()), "{times:?}");
    assert!(
        times.iter().map(|kernel| kernel.time).sum::<std::time::Duration>() < all,
        "{times:?} of {all:?}"
    );
}

/// At quality best, the search processes some 2,000 blocks per dispatch. Bands become larger if most blocks
/// have one colour.
#[test]
fn a_search_over_several_dispatches_gives_the_twin_s_bytes() {
    let Some(gpu) = gpu_encoder() else { return };
    let mut random = common::Random(77);
    let (width, height) = (512, 512);
    let mut texels = vec![[90, 120, 60, 255]; (width * height) as usize];
    for block in (0..width * height / 16).step_by(509) {
        let (x, y) = (block % (width / 4) * 4, block / (width / 4) * 4);
        for t in 0..16 {
            let at = (y + t / 4) * width + x + t % 4;
            texels[at as usize] = [random.byte(), 100 + random.byte() / 4, random.byte() / 2, 255];
        }
    }
    let image = ImageView::new(&texels, width, height).unwrap();
    let mut options = EncodeOptions::default();
    options.bc1.method = Method::Lsdxt;
    options.quality = Quality::Best;
    compare(&gpu, &image, &options, "sparse noise");
}

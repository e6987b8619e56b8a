//! Tests of rate–distortion optimisation: blocks compress better, stay close to the image, and are the same
//! everywhere.

use crate::common::{self, assert_same_blocks};
#[cfg(feature = "io")]
use brickwork_image::image_file::{ImageReadOptions, Texels};
use brickwork_texture::pictures;
use brickwork_texture::{
    BlockFormat, CancelToken, Cancelled, ChannelWeights, CpuEncoder, EncodeError, EncodeOptions, Encoder,
    Image, ImageView, Progress, Quality, RdoLambda, RoundingRule, SimdLevel, Task, TextureDesc,
    bc::{
        bc1::Bc1Options,
        bc7::{ModeSet, block_mode},
    },
    encode_texture, metrics, optimize_texture,
};
use std::{num::NonZeroUsize, sync::Mutex};

/// Formats of colours, whose errors are weighted by channel.
const COLORS: [BlockFormat; 3] = [BlockFormat::Bc1, BlockFormat::Bc3, BlockFormat::Bc7];

/// Formats whose channels are separate units.
const CHANNELS: [BlockFormat; 4] =
    [BlockFormat::Bc4Unorm, BlockFormat::Bc4Snorm, BlockFormat::Bc5Unorm, BlockFormat::Bc5Snorm];

/// Formats that together use every code path.
const FORMATS: [BlockFormat; 5] =
    [BlockFormat::Bc1, BlockFormat::Bc3, BlockFormat::Bc4Snorm, BlockFormat::Bc5Unorm, BlockFormat::Bc7];

fn fast() -> EncodeOptions {
    EncodeOptions::default().with(|o| o.quality = Quality::Fast)
}

fn with(lambda: f32) -> EncodeOptions {
    fast().with(|o| o.rdo = RdoLambda::new(lambda).unwrap())
}

fn encode(encoder: &Encoder, image: &dyn Image, format: BlockFormat, options: &EncodeOptions) -> Vec<u8> {
    let [width, height] = image.size();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    encoder.encode_into(image, format, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

fn on_cpu(image: &dyn Image, format: BlockFormat, options: &EncodeOptions) -> Vec<u8> {
    encode(&Encoder::default(), image, format, options)
}

fn decoded(blocks: &[u8], size: [u32; 2], format: BlockFormat, decoder: RoundingRule) -> Vec<[u8; 4]> {
    let mut texels = vec![[0; 4]; (size[0] * size[1]) as usize];
    common::decode(format, blocks, size[0], size[1], decoder, &mut texels).unwrap();
    texels
}

#[cfg(feature = "io")]
fn zstd_bytes(blocks: &[u8]) -> usize {
    zstd::bulk::compress(blocks, 19).unwrap().len()
}

/// Returns an image like a photograph, with several strips: soft shapes with noise, and a part with soft
/// alpha.
fn large(width: u32, height: u32) -> Vec<[u8; 4]> {
    let mut random = common::Random(7);
    let texel = |at: u32| {
        let (x, y) = ((at % width) as f32, (at / width) as f32);
        let light = 110.0 + 60.0 * (x / 37.0).sin() + 50.0 * (y / 23.0).cos();
        let noise = f32::from(random.byte() % 16);
        let alpha = if y < 60.0 { (x * 255.0 / width as f32) as u8 } else { 255 };
        [(light + noise) as u8, (light * 0.8 + noise) as u8, (200.0 - light * 0.6) as u8, alpha]
    };
    (0..width * height).map(texel).collect()
}

#[test]
fn threads_instruction_sets_and_the_kind_of_call_give_the_same_bytes() {
    // Three strips.
    let texels = large(514, 500);
    let image = ImageView::new(&texels, 514, 500).unwrap();
    for format in FORMATS {
        let options = with(3.0);
        let expected = on_cpu(&image, format, &options);
        assert_ne!(expected, on_cpu(&image, format, &fast()), "{format}");
        for threads in [1, 2, 3] {
            let encoder = CpuEncoder::new().with_threads(NonZeroUsize::new(threads).unwrap());
            let found = encode(&encoder.into(), &image, format, &options);
            assert_same_blocks(&expected, &found, &format!("{format} {threads} threads"));
        }
        for &level in SimdLevel::ALL {
            let Some(encoder) = CpuEncoder::new().with_simd_level(level) else { continue };
            let found = encode(&encoder.into(), &image, format, &options);
            assert_same_blocks(&expected, &found, &format!("{format} {}", level.name()));
        }
        let desc = TextureDesc::new_2d(format, 514, 500);
        let texture = encode_texture(&Encoder::default(), &image, &desc, &options, &Task::new()).unwrap();
        assert_same_blocks(&expected, texture.data(), &format!("{format} encode_texture"));
    }
}

#[cfg(feature = "gpu")]
#[test]
fn what_gpus_encode_is_optimized_to_the_same_bytes_with_mip_levels() {
    use brickwork_texture::{
        TexelFormat,
        gpu::{BlockRegion, BlockTarget, Recording, TexelSource, filled_buffer, wgpu},
    };

    let Some(gpu) = common::gpu_encoder() else { return };
    for format in FORMATS {
        for (width, height) in [(5, 7), (130, 97)] {
            let texels = large(width, height);
            let image = ImageView::new(&texels, width, height).unwrap();
            let desc = TextureDesc::of_image(&image, format).with_full_mips();
            let [expected, found] = [Encoder::default(), gpu.clone().into()]
                .map(|encoder| encode_texture(&encoder, &image, &desc, &with(4.0), &Task::new()).unwrap());
            assert_same_blocks(expected.data(), found.data(), &format!("{format} {width}×{height}"));
        }
    }
    // Calls that do not wait for all blocks refuse the option for formats that support it.
    let texels = large(8, 8);
    let image = ImageView::new(&texels, 8, 8).unwrap();
    let mut blocks = vec![0; 64];
    let started = gpu.start(&image, BlockFormat::Bc7, &with(1.0), None, &mut blocks);
    assert_eq!(started.err(), Some(EncodeError::Rdo));
    let mut blocks = vec![0; 32];
    let started = gpu.start(&image, BlockFormat::Bc4Unorm, &with(1.0), None, &mut blocks);
    assert_eq!(started.err(), Some(EncodeError::Rdo));
    let mut blocks = vec![0; 64];
    assert!(gpu.start(&image, BlockFormat::Bc2, &with(1.0), None, &mut blocks).is_ok());
    let context = gpu.context();
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let source = filled_buffer(context.device(), "source", bytemuck::cast_slice(&texels), usage);
    let target = filled_buffer(context.device(), "target", &[0; 32], usage);
    let mut commands = context.device().create_command_encoder(&Default::default());
    let recorded = gpu.record(
        &mut commands,
        &Recording::new(
            TexelSource::Buffer { buffer: &source, texels: TexelFormat::Rgba8, offset: 0, bytes_per_row: 32 },
            BlockRegion { origin: [0, 0], size: [8, 8] },
            BlockTarget::Buffer { buffer: &target, offset: 0, bytes_per_row: 16 },
        ),
        BlockFormat::Bc1,
        &with(1.0),
    );
    assert_eq!(recorded.err(), Some(EncodeError::Rdo));
}

#[test]
fn zero_and_formats_without_it_change_nothing() {
    for fixture in common::fixtures(33, 21) {
        let image = ImageView::new(&fixture.texels, 33, 21).unwrap();
        for format in FORMATS {
            assert_eq!(on_cpu(&image, format, &with(0.0)), on_cpu(&image, format, &fast()));
        }
        assert_eq!(on_cpu(&image, BlockFormat::Bc2, &with(50.0)), on_cpu(&image, BlockFormat::Bc2, &fast()));
    }
}

/// Tests edges, tiny images and every kind of texel at a λ that allows all changes.
#[test]
fn alpha_and_exact_colours_stay() {
    let decoders = [RoundingRule::Exact, RoundingRule::Trunc];
    for (width, height) in [(5, 7), (1, 1), (64, 48)] {
        for fixture in common::fixtures(width, height) {
            let image = ImageView::new(&fixture.texels, width, height).unwrap();
            for (format, decoder) in
                FORMATS.iter().flat_map(|&format| decoders.map(|decoder| (format, decoder)))
            {
                let decode = |lambda| {
                    let blocks = on_cpu(&image, format, &with(lambda).with(|o| o.rounding_rule = decoder));
                    decoded(&blocks, [width, height], format, decoder)
                };
                let (before, after) = (decode(0.0), decode(100.0));
                for (place, (source, (before, after))) in
                    fixture.texels.iter().zip(before.iter().zip(&after)).enumerate()
                {
                    let what = format!("{format} {width}×{height} {} texel {place}", fixture.name);
                    let is_exact = [0, 255].contains(&source[3]) && before[3] == source[3];
                    if is_exact || format == BlockFormat::Bc1 {
                        assert_eq!(before[3], after[3], "{what}");
                    }
                }
            }
        }
    }
    // If nothing changes, copies cost no error.
    let texels = [[200, 17, 90, 255]; 64 * 64];
    let image = ImageView::new(&texels, 64, 64).unwrap();
    let blocks = on_cpu(&image, BlockFormat::Bc7, &with(100.0));
    assert!(decoded(&blocks, [64, 64], BlockFormat::Bc7, RoundingRule::Exact) == texels);
}

#[test]
fn modes_and_three_colours_that_are_not_allowed_do_not_come() {
    let texels = large(256, 128);
    let image = ImageView::new(&texels, 256, 128).unwrap();
    for modes in ["1,4", "5", "6,7"] {
        let modes: ModeSet = modes.parse().unwrap();
        let options = with(5.0).with(|o| o.bc7.modes = modes);
        let blocks = on_cpu(&image, BlockFormat::Bc7, &options);
        assert!(
            blocks.as_chunks().0.iter().all(|block| modes.contains(block_mode(block).unwrap())),
            "{modes}"
        );
    }
    let four = Bc1Options::default().with(|o| {
        o.three_color = false;
        o.alpha_threshold = 0;
    });
    let blocks = on_cpu(&image, BlockFormat::Bc1, &with(5.0).with(|o| o.bc1 = four));
    let before = on_cpu(&image, BlockFormat::Bc1, &fast().with(|o| o.bc1 = four));
    let has_three = |blocks: &[u8]| {
        let ends = |block: &[u8; 8]| [0, 2].map(|at| u16::from_le_bytes([block[at], block[at + 1]]));
        blocks.as_chunks().0.iter().any(|block| ends(block)[0] <= ends(block)[1])
    };
    assert!(!has_three(&before) && !has_three(&blocks));
}

#[test]
fn weights_count() {
    let texels = large(256, 256);
    let image = ImageView::new(&texels, 256, 256).unwrap();
    for format in COLORS {
        let green = |weights| {
            let blocks = on_cpu(&image, format, &with(8.0).with(|o| o.weights = weights));
            metrics::compare_blocks(&image, format, &blocks, RoundingRule::Exact, &Task::new())
                .unwrap()
                .psnr_channel(1)
        };
        let heavy = ChannelWeights::new(1, 9, 1).unwrap();
        assert!(green(heavy) > green(ChannelWeights::UNIFORM), "{format}");
    }
}

/// λ is per unit of weight. Doubling the weights doubles the error, and the choices are the same.
#[test]
fn lambda_grows_with_the_weights() {
    let texels = large(128, 128);
    let image = ImageView::new(&texels, 128, 128).unwrap();
    for format in [BlockFormat::Bc1, BlockFormat::Bc3] {
        let double = ChannelWeights::new(2, 2, 2).unwrap();
        let blocks = on_cpu(&image, format, &with(6.0));
        assert_same_blocks(
            &blocks,
            &on_cpu(&image, format, &with(6.0).with(|o| o.weights = double)),
            format.name(),
        );
    }
}

/// The unit that is written costs at most as much as the encoder's, whose 8 bytes cost at most 11 bits each.
/// Therefore, the squared error of a block's channel rises by at most λ · 88.
#[test]
fn the_error_of_no_channel_rises_by_more_than_its_bits_are_worth() {
    const LAMBDA: f32 = 2.0;
    let (width, height) = (132, 61);
    let texels = large(width, height);
    let image = ImageView::new(&texels, width, height).unwrap();
    for format in CHANNELS {
        let squares = |options: &EncodeOptions, channel: usize| {
            let blocks = on_cpu(&image, format, &options.with(|o| o.rounding_rule = RoundingRule::Exact));
            let found = decoded(&blocks, [width, height], format, RoundingRule::Exact);
            let mut sums = vec![0i32; (width.div_ceil(4) * height.div_ceil(4)) as usize];
            for (at, (source, found)) in (0..).zip(texels.iter().zip(&found)) {
                let block = at / width / 4 * width.div_ceil(4) + at % width / 4;
                sums[block as usize] += (i32::from(source[channel]) - i32::from(found[channel])).pow(2);
            }
            sums
        };
        for channel in 0..format.block_bytes() / 8 {
            let (before, after) = (squares(&fast(), channel), squares(&with(LAMBDA), channel));
            assert_ne!(before, after, "{format}");
            for (block, (before, after)) in before.iter().zip(&after).enumerate() {
                let most = before + (88.0 * LAMBDA) as i32;
                assert!(*after <= most, "{format} channel {channel} block {block}: {before}, then {after}");
            }
        }
    }
}

/// λ is per squared level, for values in levels and for values in eighths of a level.
#[test]
fn lambda_means_the_same_under_all_rules_of_values() {
    let texels = large(256, 128);
    let image = ImageView::new(&texels, 256, 128).unwrap();
    for format in CHANNELS {
        let rules = [RoundingRule::Real, RoundingRule::Exact, RoundingRule::Nvidia];
        let [real, exact, nvidia] = rules.map(|rule| {
            let lost = |lambda| {
                let blocks = on_cpu(&image, format, &with(lambda).with(|o| o.rounding_rule = rule));
                let compared = metrics::compare_blocks(&image, format, &blocks, rule, &Task::new()).unwrap();
                compared.mse_colors(format)
            };
            lost(30.0) - lost(0.0)
        });
        assert!(exact > 0.0, "{format}: {exact}");
        for other in [real, nvidia] {
            assert!(other > 0.5 * exact && other < 2.0 * exact, "{format}: {other} and {exact}");
        }
    }
}

/// The blocks are the same on every machine, and stay the same until they are changed on purpose.
/// test-data/rdo-golden.txt contains a hash for each format and λ. `UPDATE=1` rewrites the file.
#[test]
fn blocks_are_the_golden_ones() {
    // Only integers are used, because sines differ between machines.
    let mut random = common::Random(11);
    let texel = |i: u32| {
        let (x, y) = (i % 258, i / 258);
        let light = x * 90 / 258 + y * 110 / 130 + u32::from(random.byte() % 12);
        [light as u8, (light / 2 + y % 32) as u8, (220 - light) as u8, (x + y).min(255) as u8]
    };
    let texels: Vec<[u8; 4]> = (0..258 * 130).map(texel).collect();
    let image = ImageView::new(&texels, 258, 130).unwrap();
    let mut found = String::new();
    for format in COLORS.into_iter().chain(CHANNELS) {
        for lambda in [0.5, 4.0, 20.0] {
            let hash = crate::twins::hash(&on_cpu(&image, format, &with(lambda)));
            found += &format!("{format} {lambda} {hash:016x}\n");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/rdo-golden.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap();
    for (golden, found) in golden.lines().zip(found.lines()) {
        assert_eq!(golden, found, "test-data/rdo-golden.txt; UPDATE=1 rewrites it");
    }
    assert_eq!(golden.lines().count(), found.lines().count(), "test-data/rdo-golden.txt");
}

#[test]
fn progress_counts_every_block_twice_and_cancelling_stops_the_second_pass() {
    let texels = large(64, 40);
    let image = ImageView::new(&texels, 64, 40).unwrap();
    let desc = TextureDesc::new_2d(BlockFormat::Bc1, 64, 40).with_mip_levels(2);
    let told = Mutex::new(Vec::new());
    let callback = |told_now: Progress| told.lock().unwrap().push((told_now.done, told_now.total));
    let task = Task::new().with_progress(&callback);
    encode_texture(&Encoder::default(), &image, &desc, &with(1.0), &task).unwrap();
    let mut told = told.into_inner().unwrap();
    told.sort_unstable();
    told.dedup();
    // 160 and 40 blocks in 10 and 5 rows.
    assert_eq!((told.len(), *told.last().unwrap()), (30, (400, 400)));
    let token = CancelToken::new();
    let callback = |progress: Progress| {
        if progress.done > 160 {
            token.cancel()
        }
    };
    let task = Task::new().with_progress(&callback).with_cancel(&token);
    let one = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
    let mut blocks = vec![0; 160 * 8];
    let ran = one.encode_into(&image, BlockFormat::Bc1, &with(1.0), &mut blocks, &task);
    assert_eq!(ran, Err(EncodeError::Cancelled(Cancelled)));
}

/// Returns size and texels of an image in test-data.
#[cfg(feature = "io")]
fn test_image(name: &str) -> ([u32; 2], Vec<[u8; 3]>) {
    let path = format!("{}/../../test-data/{name}.png", env!("CARGO_MANIFEST_DIR"));
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let picture = pictures::read(file, Some("png"), &ImageReadOptions::default(), &Task::new()).unwrap();
    let size = [picture.width, picture.height];
    let Texels::Rgb8(texels) = picture.texels else { panic!("not 8-bit RGB") };
    (size, texels)
}

/// Tests that blocks of a normal map compress better with every step of λ, for more error.
#[cfg(feature = "io")]
#[test]
fn normal_maps_get_smaller() {
    let ([width, height], texels) = test_image("textures/leather-normal");
    // A quarter of the image is enough.
    let texels = &texels[..texels.len() / 4];
    let image = ImageView::new(texels, width, height / 4).unwrap();
    for format in [BlockFormat::Bc4Snorm, BlockFormat::Bc5Unorm] {
        let measure = |lambda| {
            let blocks = on_cpu(&image, format, &with(lambda));
            let metrics =
                metrics::compare_blocks(&image, format, &blocks, RoundingRule::Real, &Task::new()).unwrap();
            (zstd_bytes(&blocks), metrics.psnr_colors(format))
        };
        let (mut last_size, mut last_psnr) = measure(0.0);
        for lambda in [4.0, 16.0, 64.0] {
            let (size, psnr) = measure(lambda);
            println!("{format} λ {lambda}: {size} of {last_size} bytes, {psnr:.2} of {last_psnr:.2} dB");
            assert!(size < last_size && psnr < last_psnr, "{format} λ {lambda}");
            (last_size, last_psnr) = (size, psnr);
        }
    }
}

/// Tests the documentation's promises on photographs.
#[cfg(feature = "io")]
#[test]
fn files_get_smaller_for_little_error() {
    // Minimum percentage saved and maximum loss in dB for each λ, on Kodak 7 and 21.
    let promises = [
        (BlockFormat::Bc7, [(1.0, 10.0, 0.4), (2.0, 20.0, 1.2), (4.0, 31.0, 2.5)]),
        (BlockFormat::Bc1, [(2.0, 5.0, 0.05), (6.0, 14.0, 0.3), (12.0, 30.0, 0.8)]),
    ];
    for name in ["kodim07", "kodim21"] {
        let ([width, height], texels) = test_image(&format!("kodak/{name}"));
        let image = ImageView::new(&texels, width, height).unwrap();
        for (format, promises) in promises {
            let measure = |lambda| {
                let blocks = on_cpu(&image, format, &with(lambda));
                let metrics =
                    metrics::compare_blocks(&image, format, &blocks, RoundingRule::Exact, &Task::new())
                        .unwrap();
                (zstd_bytes(&blocks), metrics.psnr_rgb())
            };
            let (size, psnr) = measure(0.0);
            let (mut last_size, mut last_psnr) = (size, f64::INFINITY);
            for (lambda, percent, decibels) in promises {
                let (now_size, now_psnr) = measure(lambda);
                let saved = 100.0 - 100.0 * now_size as f64 / size as f64;
                let lost = psnr - now_psnr;
                println!("{name} {format} λ {lambda}: {saved:.1} % saved for {lost:.2} dB");
                assert!(now_size < last_size && now_psnr < last_psnr, "{name} {format} λ {lambda}");
                assert!(saved >= percent, "{name} {format} λ {lambda}: {saved:.1} % saved");
                assert!(lost <= decibels, "{name} {format} λ {lambda}: {lost:.2} dB lost");
                (last_size, last_psnr) = (now_size, now_psnr);
            }
        }
    }
}

/// Blocks that were encoded before give the same texture, with mip levels, dithering and 16 bits.
#[test]
fn a_texture_is_optimised_later() {
    let side = 100u32;
    let texel = |i: u32| {
        let (x, y) = (i % side, i / side);
        [x * 600 + y * 7, y * 650, (x ^ y) * 500, 40_000 + x * 200].map(|v| v.min(65_535) as u16)
    };
    let wide: Vec<[u16; 4]> = (0..side * side).map(texel).collect();
    let narrow: Vec<[u8; 4]> = wide.iter().map(|texel| texel.map(|v| (v >> 8) as u8)).collect();
    let images: [&dyn Image; 2] =
        [&ImageView::new(&narrow, side, side).unwrap(), &ImageView::new(&wide, side, side).unwrap()];
    for format in FORMATS {
        for (image, dither) in images.iter().zip([true, false]) {
            let desc = TextureDesc::of_image(image, format).with_full_mips();
            let encoder = Encoder::default();
            let options = |lambda| with(lambda).with(|o| o.dither = dither);
            let encode =
                |lambda| encode_texture(&encoder, image, &desc, &options(lambda), &Task::new()).unwrap();
            let base = encode(0.0);
            for lambda in [0.0, 3.0, 40.0] {
                let later = optimize_texture(&encoder, image, &base, &options(lambda), &Task::new()).unwrap();
                assert!(later == encode(lambda), "{format} λ {lambda} dither {dither}");
                assert_eq!(lambda > 0.0, later.data() != base.data(), "{format} λ {lambda}");
            }
        }
    }
}

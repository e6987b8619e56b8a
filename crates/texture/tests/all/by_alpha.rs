//! Colours weighed by alpha: the weighted error is lower, the bytes are the same everywhere, and nothing
//! changes if alpha is the same everywhere.

use crate::common::{self, Fixture, Random, assert_same_blocks};
#[cfg(feature = "io")]
use brickwork_image::image_file::{ImageReadOptions, Texels};
use brickwork_texture::pictures;
use brickwork_texture::{
    BlockFormat, CancelToken, Cancelled, ChannelWeights, CpuEncoder, EncodeError, EncodeOptions, Encoder,
    Image, ImageView, Progress, Quality, RdoLambda, RealTime, RoundingRule, SimdLevel, Task, TextureDesc,
    encode_texture, optimize_texture,
};
use std::{num::NonZeroUsize, sync::Mutex};

const FORMATS: [BlockFormat; 2] = [BlockFormat::Bc2, BlockFormat::Bc3];

/// Hash of the blocks at each quality.
const GOLDEN: [(BlockFormat, [u64; 5]); 2] = [
    (
        BlockFormat::Bc3,
        [
            17969038680196224746,
            11078326032493578645,
            8922831942578730756,
            6940134459766027035,
            9844788608784393876,
        ],
    ),
    (
        BlockFormat::Bc7,
        [
            2586642371316289667,
            5452089551717597240,
            7127287988811279274,
            12780690289022219075,
            662502790763226635,
        ],
    ),
];

fn options(quality: Quality) -> EncodeOptions {
    EncodeOptions::default().with(|o| o.quality = quality)
}

fn weighed(quality: Quality) -> EncodeOptions {
    options(quality).with(|o| o.weigh_by_alpha = true)
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

/// Returns Σ alpha · squared error of colours, and the bytes of the alpha halves.
fn weighted_error(fixture: &Fixture, format: BlockFormat, options: &EncodeOptions) -> (u64, Vec<u8>) {
    let &Fixture { width, height, ref texels, .. } = fixture;
    let image = ImageView::new(texels, width, height).unwrap();
    let blocks = on_cpu(&image, format, options);
    let mut decoded = vec![[0; 4]; texels.len()];
    common::decode(format, &blocks, width, height, options.rounding_rule, &mut decoded).unwrap();
    let error = |(texel, decoded): (&[u8; 4], &[u8; 4])| {
        let squares = (0..3).map(|c| u64::from(texel[c].abs_diff(decoded[c])).pow(2));
        let weights = options.weights.rgb().map(u64::from);
        u64::from(texel[3]) * squares.zip(weights).map(|(square, weight)| square * weight).sum::<u64>()
    };
    let alpha = blocks.as_chunks::<8>().0.iter().step_by(2).copied().collect::<Vec<_>>().concat();
    (texels.iter().zip(&decoded).map(error).sum(), alpha)
}

/// Returns a part of a photograph. `alpha` computes alpha from the position, the texel and a random number.
#[cfg(feature = "io")]
fn with_alpha(
    file: &str,
    name: &'static str,
    alpha: impl Fn(u32, u32, [u8; 3], &mut Random) -> u8,
) -> Fixture {
    let path = format!("{}/../../test-data/{file}", env!("CARGO_MANIFEST_DIR"));
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let picture = pictures::read(file, Some("png"), &ImageReadOptions::default(), &Task::new()).unwrap();
    let Texels::Rgb8(texels) = picture.texels else { panic!("not 8-bit RGB") };
    let (width, height) = (256, 128);
    let mut random = Random(5);
    let texel = |i: u32| {
        let (x, y) = (i % width, i / width);
        let [r, g, b] = texels[((y + 100) * picture.width + x + 100) as usize];
        [r, g, b, alpha(x, y, [r, g, b], &mut random)]
    };
    Fixture { name, width, height, texels: (0..width * height).map(texel).collect() }
}

/// Returns pictures with soft alpha, cut-outs and noise.
#[cfg(feature = "io")]
fn pictures() -> Vec<Fixture> {
    let disc = |x: u32, y: u32| {
        let [dx, dy] = [x % 40, y % 40].map(|v| f64::from(v) - 20.0);
        (dx * dx + dy * dy).sqrt()
    };
    let leather = "textures/leather-base-color.png";
    vec![
        with_alpha(leather, "leather, soft discs", |x, y, _, _| (255.0 - 12.0 * disc(x, y)).max(0.0) as u8),
        with_alpha(leather, "leather, alpha from red", |_, _, [r, ..], _| r),
        with_alpha(
            "kodak/kodim05.png",
            "kodim05, cut-out discs",
            |x, y, _, _| {
                if disc(x, y) < 17.0 { 255 } else { 0 }
            },
        ),
        with_alpha("kodak/kodim23.png", "kodim23, soft edges", |x, y, _, _| {
            (255.0 * (18.0 - disc(x, y)).clamp(0.0, 1.0)) as u8
        }),
        with_alpha("kodak/kodim23.png", "kodim23, noise", |_, _, _, random| random.byte()),
        with_alpha(
            "kodak/kodim13.png",
            "kodim13, leaves",
            |_, _, [r, g, b], _| {
                if g > r && g > b { 255 } else { 20 }
            },
        ),
    ]
}

#[cfg(feature = "io")]
#[test]
fn the_weighted_error_is_lower_at_every_quality() {
    for fixture in pictures() {
        for format in FORMATS {
            let mut last = u64::MAX;
            for &quality in Quality::ALL {
                let (before, alpha) = weighted_error(&fixture, format, &options(quality));
                let (after, same_alpha) = weighted_error(&fixture, format, &weighed(quality));
                let ratio = after as f64 / before as f64;
                println!("{} {format} {}: {ratio:.3} of {before}", fixture.name, quality.name());
                assert!(after < before, "{} {format} {quality:?}", fixture.name);
                assert!(after <= last, "{} {format} {quality:?}", fixture.name);
                assert!(alpha == same_alpha, "{} {format}: alpha is as it was", fixture.name);
                last = after;
            }
        }
    }
}

#[test]
fn every_decoder_and_all_weights_of_channels_gain() {
    let mut fixtures = common::fixtures(64, 48);
    fixtures.retain(|fixture| matches!(fixture.name, "soft alpha" | "cut-out"));
    for fixture in fixtures {
        for &decoder in RoundingRule::ALL {
            for weights in [ChannelWeights::UNIFORM, ChannelWeights::LUMA] {
                let with = |options: EncodeOptions| {
                    options.with(|o| {
                        o.rounding_rule = decoder;
                        o.weights = weights;
                    })
                };
                let (before, _) = weighted_error(&fixture, BlockFormat::Bc3, &with(options(Quality::Normal)));
                let (after, _) = weighted_error(&fixture, BlockFormat::Bc3, &with(weighed(Quality::Normal)));
                assert!(after < before, "{} {decoder:?} {weights:?}: {after}, {before}", fixture.name);
            }
        }
    }
}

/// This includes the blocks that were optimal without weights.
#[test]
fn the_weighted_error_of_no_block_rises() {
    let (width, height) = (132, 63);
    let mut random = Random(3);
    for Fixture { name, mut texels, .. } in common::fixtures(width, height) {
        for texel in &mut texels {
            texel[3] = [0, 9, 128, 255][usize::from(random.byte()) % 4];
        }
        let image = ImageView::new(&texels, width, height).unwrap();
        for quality in [Quality::Ultrafast, Quality::Fast, Quality::Normal] {
            let mut decoded = [options(quality), weighed(quality)].map(|options| {
                let blocks = on_cpu(&image, BlockFormat::Bc3, &options);
                let mut decoded = vec![[0; 4]; texels.len()];
                common::decode(BlockFormat::Bc3, &blocks, width, height, RoundingRule::Exact, &mut decoded)
                    .unwrap();
                decoded
            });
            let mut errors = [(); 2].map(|()| vec![0u64; (width.div_ceil(4) * height.div_ceil(4)) as usize]);
            for (errors, decoded) in errors.iter_mut().zip(&mut decoded) {
                for (i, (texel, decoded)) in texels.iter().zip(decoded).enumerate() {
                    let (x, y) = (i as u32 % width, i as u32 / width);
                    let squares = (0..3).map(|c| u64::from(texel[c].abs_diff(decoded[c])).pow(2));
                    errors[(y / 4 * width.div_ceil(4) + x / 4) as usize] +=
                        u64::from(texel[3].max(1)) * squares.sum::<u64>();
                }
            }
            for (block, (before, after)) in errors[0].iter().zip(&errors[1]).enumerate() {
                assert!(after <= before, "{name} {quality:?} block {block}: {after}, not {before}");
            }
        }
    }
}

/// Without the option, blocks are the same if all their texels have one alpha, at any value, and in other
/// formats.
#[test]
fn equal_alpha_and_other_formats_change_nothing() {
    for fixture in common::fixtures(33, 21) {
        let Fixture { width, height, name, mut texels } = fixture;
        for (alpha, every) in [(255, true), (90, true), (0, true), (0, false)] {
            for (i, texel) in texels.iter_mut().enumerate() {
                // The alpha of whole blocks.
                let column = i as u32 % width / 4;
                texel[3] = if every || column.is_multiple_of(2) { alpha } else { 200 };
            }
            let image = ImageView::new(&texels, width, height).unwrap();
            for format in FORMATS {
                let expected = on_cpu(&image, format, &options(Quality::Normal));
                let found = on_cpu(&image, format, &weighed(Quality::Normal));
                assert_same_blocks(&expected, &found, &format!("{name} {format} alpha {alpha}"));
            }
        }
        let image = ImageView::new(&texels, width, height).unwrap();
        for format in [BlockFormat::Bc1, BlockFormat::Bc4Unorm, BlockFormat::Bc5Unorm, BlockFormat::Bc7] {
            let expected = on_cpu(&image, format, &options(Quality::Fast));
            let found = on_cpu(&image, format, &weighed(Quality::Fast));
            assert_same_blocks(&expected, &found, &format!("{name} {format}"));
        }
    }
}

/// One texel is visible, fifteen are not. The colour of the visible one is nearly as close as BC1 allows.
#[test]
fn a_single_visible_texel_gets_its_colour() {
    let mut texels: Vec<[u8; 4]> = (0..16).map(|t| [t * 16, 255 - t * 9, 77, 0]).collect();
    texels[5] = [201, 34, 99, 255];
    let alone = [[201, 34, 99, 255]; 16];
    for &quality in Quality::ALL {
        let decoded = |texels: &[[u8; 4]], options: &EncodeOptions| {
            let blocks = on_cpu(&ImageView::new(texels, 4, 4).unwrap(), BlockFormat::Bc3, options);
            let mut decoded = [[0; 4]; 16];
            common::decode(BlockFormat::Bc3, &blocks, 4, 4, RoundingRule::Exact, &mut decoded).unwrap();
            decoded[5]
        };
        let distance = |color: [u8; 4]| -> u32 {
            (0..3).map(|c| u32::from(color[c].abs_diff(alone[0][c])).pow(2)).sum()
        };
        let best = distance(decoded(&alone, &options(quality)));
        let found = distance(decoded(&texels, &weighed(quality)));
        let without = distance(decoded(&texels, &options(quality)));
        assert!(found <= best + 32 && 100 * found < without, "{quality:?}: {found}, {without}, alone {best}");
    }
}

#[test]
fn instruction_sets_threads_and_texel_types_give_the_same_bytes() {
    for (width, height) in common::SIZES {
        for fixture in common::fixtures(width, height) {
            if !matches!(fixture.name, "soft alpha" | "cut-out") || width > 33 {
                continue;
            }
            let image = ImageView::new(&fixture.texels, width, height).unwrap();
            let wide: Vec<[u16; 4]> = fixture.texels.iter().map(|t| t.map(|v| u16::from(v) * 257)).collect();
            let wide = ImageView::new(&wide, width, height).unwrap();
            for &quality in Quality::ALL {
                for options in [
                    weighed(quality),
                    weighed(quality).with(|o| {
                        o.rounding_rule = RoundingRule::Nvidia;
                        o.weights = ChannelWeights::LUMA;
                    }),
                ] {
                    let expected = on_cpu(&image, BlockFormat::Bc3, &options);
                    for &level in SimdLevel::ALL {
                        let Some(encoder) = CpuEncoder::new().with_simd_level(level) else { continue };
                        let encoder = encoder.with_threads(NonZeroUsize::MIN).into();
                        let found = encode(&encoder, &image, BlockFormat::Bc3, &options);
                        let what = format!("{} {width}×{height} {} {options:?}", fixture.name, level.name());
                        assert_same_blocks(&expected, &found, &what);
                    }
                    let found = on_cpu(&wide, BlockFormat::Bc3, &options);
                    assert_same_blocks(&expected, &found, "16 bits");
                }
            }
        }
    }
    let fixture = &common::fixtures(257, 129)[7];
    let image = ImageView::new(&fixture.texels, 257, 129).unwrap();
    for format in FORMATS {
        let expected = on_cpu(&image, format, &weighed(Quality::Fast));
        for threads in [1, 2, 3, 7] {
            let encoder = CpuEncoder::new().with_threads(NonZeroUsize::new(threads).unwrap());
            let found = encode(&encoder.into(), &image, format, &weighed(Quality::Fast));
            assert_same_blocks(&expected, &found, &format!("{format} {threads} threads"));
        }
    }
}

#[cfg(feature = "gpu")]
#[test]
fn what_gpus_encode_is_weighed_to_the_same_bytes_with_mip_levels() {
    use brickwork_texture::{
        TexelFormat,
        gpu::{BlockRegion, BlockTarget, Recording, TexelSource, filled_buffer, wgpu},
    };

    let Some(gpu) = common::gpu_encoder() else { return };
    for format in FORMATS {
        for (width, height) in [(5, 7), (66, 33)] {
            for fixture in common::fixtures(width, height).into_iter().skip(7) {
                let image = ImageView::new(&fixture.texels, width, height).unwrap();
                let desc = TextureDesc::of_image(&image, format).with_full_mips();
                let [expected, found] = [Encoder::default(), gpu.clone().into()].map(|encoder| {
                    encode_texture(&encoder, &image, &desc, &weighed(Quality::Normal), &Task::new()).unwrap()
                });
                assert_same_blocks(expected.data(), found.data(), &format!("{format} {width}×{height}"));
                let plain = encode_texture(
                    &gpu.clone().into(),
                    &image,
                    &desc,
                    &options(Quality::Normal),
                    &Task::new(),
                )
                .unwrap();
                assert_ne!(plain.data(), found.data(), "{format} {width}×{height}");
            }
        }
    }
    // Calls that do not wait for all blocks refuse the option for formats that support it.
    let fixture = &common::fixtures(8, 8)[8];
    let image = ImageView::new(&fixture.texels, 8, 8).unwrap();
    let mut blocks = vec![0; 64];
    let started = gpu.start(&image, BlockFormat::Bc3, &weighed(Quality::Fast), None, &mut blocks);
    assert_eq!(started.err(), Some(EncodeError::ByAlpha));
    let mut others = vec![0; 32];
    assert!(gpu.start(&image, BlockFormat::Bc1, &weighed(Quality::Fast), None, &mut others).is_ok());
    let context = gpu.context();
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let source = filled_buffer(context.device(), "source", bytemuck::cast_slice(&fixture.texels), usage);
    let target = filled_buffer(context.device(), "target", &[0; 64], usage);
    let mut commands = context.device().create_command_encoder(&Default::default());
    let recorded = gpu.record(
        &mut commands,
        &Recording::new(
            TexelSource::Buffer { buffer: &source, texels: TexelFormat::Rgba8, offset: 0, bytes_per_row: 32 },
            BlockRegion { origin: [0, 0], size: [8, 8] },
            BlockTarget::Buffer { buffer: &target, offset: 0, bytes_per_row: 32 },
        ),
        BlockFormat::Bc2,
        &weighed(Quality::Fast),
    );
    assert_eq!(recorded.err(), Some(EncodeError::ByAlpha));
}

#[test]
fn rdo_excludes_it_where_both_would_work() {
    let texels = [[7u8, 8, 9, 10]; 16];
    let image = ImageView::new(&texels, 4, 4).unwrap();
    let both = weighed(Quality::Fast).with(|o| o.rdo = RdoLambda::new(1.0).unwrap());
    let encode = |format: BlockFormat| {
        CpuEncoder::new().encode_into(&image, format, &both, &mut vec![0; format.block_bytes()], &Task::new())
    };
    assert_eq!(encode(BlockFormat::Bc3), Err(EncodeError::ByAlphaWithRdo));
    assert_eq!(encode(BlockFormat::Bc7), Err(EncodeError::ByAlphaWithRdo));
    // RDO does not apply to BC2, and weighing by alpha does not apply to BC1.
    assert_eq!(encode(BlockFormat::Bc2), Ok(()));
    assert_eq!(encode(BlockFormat::Bc1), Ok(()));
}

/// Without a λ, `optimize_texture` has nothing to do: errors are weighed already.
#[test]
fn a_weighed_texture_stays_when_it_is_optimised_without_lambda() {
    let fixture = &common::fixtures(129, 65)[7];
    let image = ImageView::new(&fixture.texels, 129, 65).unwrap();
    for format in [BlockFormat::Bc2, BlockFormat::Bc3, BlockFormat::Bc7] {
        let desc = TextureDesc::of_image(&image, format).with_mip_levels(3);
        let (encoder, options) = (Encoder::default(), weighed(Quality::Ultrafast));
        let base = encode_texture(&encoder, &image, &desc, &options, &Task::new()).unwrap();
        let later = optimize_texture(&encoder, &image, &base, &options, &Task::new()).unwrap();
        assert_same_blocks(base.data(), later.data(), &format.to_string());
    }
}

/// Real time has no second pass for alpha, as it has no weights.
#[test]
fn real_time_ignores_it() {
    let fixture = &common::fixtures(64, 40)[7];
    let image = ImageView::new(&fixture.texels, 64, 40).unwrap();
    for format in [BlockFormat::Bc2, BlockFormat::Bc3, BlockFormat::Bc7] {
        for &level in RealTime::ALL {
            let with = |options: EncodeOptions| options.with(|o| o.real_time = Some(level));
            let [plain, weighed] =
                [options, weighed].map(|of| on_cpu(&image, format, &with(of(Quality::Fast))));
            assert_same_blocks(&plain, &weighed, &format!("{format}, level {}", level.name()));
        }
    }
}

#[test]
fn progress_counts_every_block_twice_and_cancelling_stops_the_second_pass() {
    let fixture = &common::fixtures(64, 40)[7];
    let image = ImageView::new(&fixture.texels, 64, 40).unwrap();
    let desc = TextureDesc::new_2d(BlockFormat::Bc3, 64, 40).with_mip_levels(2);
    let told = Mutex::new(Vec::new());
    let callback = |told_now: Progress| told.lock().unwrap().push((told_now.done, told_now.total));
    let task = Task::new().with_progress(&callback);
    encode_texture(&Encoder::default(), &image, &desc, &weighed(Quality::Fast), &task).unwrap();
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
    let mut blocks = vec![0; 160 * 16];
    let ran = one.encode_into(&image, BlockFormat::Bc3, &weighed(Quality::Fast), &mut blocks, &task);
    assert_eq!(ran, Err(EncodeError::Cancelled(Cancelled)));
}

/// The blocks are the same on every machine, and stay the same until they are changed on purpose.
#[test]
fn blocks_are_the_golden_ones() {
    let mut random = Random(23);
    let texel = |i: u32| {
        let (x, y) = (i % 66, i / 66);
        let light = x * 3 + u32::from(random.byte() % 40);
        let alpha = if x < 33 { (y * 9).min(255) as u8 } else { (random.byte() & 1) * 255 };
        [light as u8, (light / 2 + y) as u8, (220 - light.min(220)) as u8, alpha]
    };
    let texels: Vec<[u8; 4]> = (0..66 * 35).map(texel).collect();
    let image = ImageView::new(&texels, 66, 35).unwrap();
    for (format, golden) in GOLDEN {
        let hash = |quality: usize| on_cpu(&image, format, &weighed(Quality::ALL[quality]));
        let hashes = [0, 1, 2, 3, 4].map(|quality| crate::twins::hash(&hash(quality)));
        assert_eq!(hashes, golden, "{format}");
    }
}

/// Returns Σ alpha · squared error of colours + Σ 255 · squared error of alpha of BC7.
fn whole_error(fixture: &Fixture, options: &EncodeOptions) -> u64 {
    let &Fixture { width, height, ref texels, .. } = fixture;
    let image = ImageView::new(texels, width, height).unwrap();
    let blocks = on_cpu(&image, BlockFormat::Bc7, options);
    let mut decoded = vec![[0; 4]; texels.len()];
    common::decode(BlockFormat::Bc7, &blocks, width, height, options.rounding_rule, &mut decoded).unwrap();
    let error = |(texel, decoded): (&[u8; 4], &[u8; 4])| {
        let square = |c: usize| u64::from(texel[c].abs_diff(decoded[c])).pow(2);
        u64::from(texel[3].max(1)) * (square(0) + square(1) + square(2)) + 255 * square(3)
    };
    texels.iter().zip(&decoded).map(error).sum()
}

#[cfg(feature = "io")]
#[test]
fn the_weighted_error_of_bc7_is_lower_at_every_quality() {
    for mut fixture in pictures() {
        // A part suffices.
        fixture.texels.truncate((fixture.width * 24) as usize);
        fixture.height = 24;
        let mut last = u64::MAX;
        for &quality in Quality::ALL {
            let before = whole_error(&fixture, &options(quality));
            let after = whole_error(&fixture, &weighed(quality));
            println!("{} {}: {:.3} of {before}", fixture.name, quality.name(), after as f64 / before as f64);
            assert!(after < before, "{} {quality:?}", fixture.name);
            assert!(after <= last, "{} {quality:?}", fixture.name);
            last = after;
        }
        // Each mode alone, and the same alpha everywhere.
        for mode in 4..8 {
            let modes = format!("{mode}").parse().unwrap();
            let with = |options: EncodeOptions| options.with(|o| o.bc7.modes = modes);
            let before = whole_error(&fixture, &with(options(Quality::Fast)));
            let after = whole_error(&fixture, &with(weighed(Quality::Fast)));
            assert!(after < before, "{} mode {mode}: {after} of {before}", fixture.name);
        }
        fixture.texels.iter_mut().for_each(|texel| texel[3] = 77);
        let image = ImageView::new(&fixture.texels, fixture.width, fixture.height).unwrap();
        let [plain, same] = [options, weighed].map(|of| on_cpu(&image, BlockFormat::Bc7, &of(Quality::Fast)));
        assert_same_blocks(&plain, &same, fixture.name);
    }
}

#[test]
fn bc7_gives_the_same_bytes_everywhere() {
    let mut fixtures = common::fixtures(61, 43);
    fixtures.retain(|fixture| fixture.name == "soft alpha");
    let Fixture { width, height, ref texels, .. } = fixtures[0];
    let image = ImageView::new(texels, width, height).unwrap();
    let options = weighed(Quality::Normal);
    let expected = on_cpu(&image, BlockFormat::Bc7, &options);
    assert!(expected != on_cpu(&image, BlockFormat::Bc7, &self::options(Quality::Normal)));
    for level in SimdLevel::ALL {
        let Some(encoder) = CpuEncoder::new().with_simd_level(*level) else { continue };
        for threads in [1, 3] {
            let encoder = encoder.with_threads(NonZeroUsize::new(threads).unwrap());
            let found = encode(&encoder.into(), &image, BlockFormat::Bc7, &options);
            assert_same_blocks(&expected, &found, level.name());
        }
    }
    #[cfg(feature = "gpu")]
    if let Some(encoder) = common::gpu_encoder() {
        let found = encode(&encoder.into(), &image, BlockFormat::Bc7, &options);
        assert_same_blocks(&expected, &found, "GPU");
    }
}

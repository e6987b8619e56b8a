//! Comparisons of the kernels with the CPU, without an encoder.

use super::{
    FilterMaker,
    kernels::{FilterParams, sums_kernel},
};
use crate::{
    AlphaMode, ColorSpace, Image, ImageView, MipFilter, MipWrap, Task, TexelFormat,
    gpu::mip::{MipArea, MipSource},
    mips::{MipLevel, MipOptions, next_level},
    wgsl::WGSL,
};
use brickwork_gpu::{
    Binding, Context, Download, Kernel, filled_buffer,
    testing::{context, layout, offsets},
    wgpu,
};
use half::f16;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }
}

#[test]
fn structs_lie_in_memory_as_the_kernels_say() {
    let (members, size) = layout(&sums_kernel(TexelFormat::Rgba8), "Filter");
    let expected = offsets!(
        FilterParams: "columns" columns, "rows" rows, "covered_columns" covered_columns,
        "covered_rows" covered_rows, "size" size, "first" first, "level_pitch" level_pitch,
        "first_row" first_row, "row_count" row_count, "offset" offset, "pitch" pitch, "channels" channels,
        "channel_type" channel_type, "by_alpha" by_alpha, "side" side);
    assert_eq!((members, size), (expected, size_of::<FilterParams>()));
}

/// Returns the bits of a number whose exponent field is near `field`: often with few digits, so that sums and
/// products are ties.
fn number(random: &mut Random, field: u32) -> u32 {
    let bits = random.next();
    let digits = match random.next() % 4 {
        0 => bits & 0x7ff_000,
        1 => 0x7f_ffff - (bits & 3),
        _ => bits & 0x7f_ffff,
    };
    let field = (field + random.next() % 54).saturating_sub(27).min(254);
    bits & 0x8000_0000 | field << 23 | digits
}

/// Compares with the CPU's own floats, which IEEE 754 defines.
#[test]
fn operations_are_those_of_single_floats() {
    let Some(context) = context() else { return };
    const COUNT: u32 = 1 << 14;
    let mut random = Random(1);
    let mut pairs = Vec::new();
    for i in 0..4 * COUNT {
        let (a, b) = match i % 8 {
            // Subnormal numbers and those beside them.
            0 => (number(&mut random, 0), number(&mut random, 127)),
            1 => (number(&mut random, 0), number(&mut random, 0)),
            2 => (number(&mut random, 50), number(&mut random, 70)),
            3 => (number(&mut random, 133), 0),
            4 => (0, number(&mut random, 133)),
            // Numbers that cancel.
            5 => {
                let a = number(&mut random, 127);
                (a, (a ^ 0x8000_0000).wrapping_add(random.next() % 5).wrapping_sub(2))
            }
            _ => (number(&mut random, 127), number(&mut random, 127)),
        };
        pairs.push([a, b]);
    }
    let kernel = Kernel::new("operations", &[Binding::Read, Binding::Read, Binding::Write])
        .file(&WGSL, "gpu/filter/single.wgsl")
        .part(
            "@group(0) @binding(0) var<storage, read> first: array<vec4<u32>>;
            @group(0) @binding(1) var<storage, read> second: array<vec4<u32>>;
            @group(0) @binding(2) var<storage, read_write> results: array<vec4<u32>>;
            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                let a = first[id.x];
                let b = second[id.x];
                results[4u * id.x] = product_of(a, b);
                results[4u * id.x + 1u] = sum_of(a, b);
                results[4u * id.x + 2u] = quotient_of(a, b);
                results[4u * id.x + 3u] = integers_of(a, vec4(65535u, 255u, 65535u, 255u));
            }",
        );
    let pipeline = context.pipeline(&kernel).unwrap();
    let device = context.device();
    let side = |k: usize| {
        let words: Vec<u32> = pairs.iter().map(|pair| pair[k]).collect();
        filled_buffer(device, "numbers", bytemuck::cast_slice(&words), wgpu::BufferUsages::STORAGE)
    };
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let results = context.buffer("results", 64 * u64::from(COUNT), usage).unwrap();
    let buffers = [&side(0), &side(1), &results];
    let bound = pipeline.bind(device, &buffers.map(wgpu::Buffer::as_entire_binding));
    let mut commands = device.create_command_encoder(&Default::default());
    pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, COUNT / 64);
    context.queue().submit([commands.finish()]);
    let found = Download::new(&context, &results, 0..results.size()).unwrap().wait(&context).unwrap();
    let found: Vec<u32> = found.as_chunks::<4>().0.iter().map(|&word| u32::from_ne_bytes(word)).collect();
    let mut compared = [0u32; 4];
    for (i, &bits) in pairs.iter().enumerate() {
        let [a, b] = bits.map(f32::from_bits);
        let most = if i % 2 == 0 { 65535.0 } else { 255.0 };
        let expected = [a * b, a + b, a / b].map(f32::to_bits);
        let expected = [expected[0], expected[1], expected[2], (a.clamp(0.0, most) + 0.5) as u32];
        for (k, expected) in expected.into_iter().enumerate() {
            if k < 3 && !f32::from_bits(expected).is_finite() {
                continue;
            }
            let found = found[(i / 4 * 4 + k) * 4 + i % 4];
            assert_eq!(
                found, expected,
                "operation {k} of {a:e} ({:08x}) and {b:e} ({:08x})",
                bits[0], bits[1]
            );
            compared[k] += 1;
        }
    }
    assert!(compared.iter().all(|&count| count > 2 * COUNT), "{compared:?}");
}

/// Returns the next mip level, made as one band.
fn made(context: &Context, image: &dyn Image, format: TexelFormat, options: MipOptions) -> Vec<u8> {
    let (side, texel_type) = (image.size(), image.texel_type());
    let options = options.for_sums_of_floats(format.channel_type(), image.has_alpha()).unwrap();
    let maker = FilterMaker::new(context, format, options, side, image.has_alpha()).unwrap();
    let area = MipArea::new(side, [0; 2], side);
    let rect = maker.source(&area, [0; 2], side);
    let (mut texels, texel_bytes) = (Vec::new(), texel_type.bytes() as usize);
    for y in 0..rect.size[1] as usize {
        let row = image.bytes_of_row(rect.row(y));
        for x in 0..rect.size[0] as usize {
            let column = rect.columns(x, side[0]).start as usize;
            texels.extend(&row[column * texel_bytes..][..texel_bytes]);
        }
    }
    texels.resize(texels.len().next_multiple_of(4), 0);
    let source = filled_buffer(context.device(), "source", &texels, wgpu::BufferUsages::STORAGE);
    let level_texel_bytes = if format == TexelFormat::Rgba8 { 4 } else { 8 };
    let bytes = level_texel_bytes * u64::from(area.texels());
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let level = context.buffer("level", bytes, usage).unwrap();
    let mut commands = context.device().create_command_encoder(&Default::default());
    let from = MipSource { buffer: &source, pitch: rect.size[0] * texel_type.bytes(), texel_type };
    maker.record(context, &mut commands, &area, &rect, &from, &level).unwrap();
    context.queue().submit([commands.finish()]);
    Download::new(context, &level, 0..bytes).unwrap().wait(context).unwrap().to_vec()
}

fn compare(context: &Context, image: &dyn Image, format: TexelFormat, options: MipOptions) {
    let mut expected: MipLevel = next_level(image, format, options, &Task::new()).unwrap();
    let found = made(context, image, format, options);
    let width = expected.width() as usize;
    let texel_bytes = if format == TexelFormat::Rgba8 { 4 } else { 8 };
    let expected = expected.texels_mut().bytes_mut();
    assert_eq!(found.len(), expected.len());
    let texels = found.chunks(texel_bytes).zip(expected.chunks(texel_bytes)).enumerate();
    for (i, (found, expected)) in texels {
        let what =
            || format!("{format:?}, {:?}, {options:?}: texel {}, {}", image.size(), i % width, i / width);
        assert_eq!(found, expected, "{}", what());
    }
}

const ALPHA_MODES: [AlphaMode; 3] = [AlphaMode::Straight, AlphaMode::Opaque, AlphaMode::Premultiplied];

#[test]
fn wide_texels_give_the_cpu_s_level() {
    let Some(context) = context() else { return };
    let mut random = Random(7);
    for [width, height] in [[1, 1], [2, 3], [5, 7], [33, 17], [64, 30]] {
        // Regions of transparent, nearly transparent and opaque texels.
        let texels: Vec<[u16; 4]> = (0..width * height)
            .map(|i| {
                let [a, b, c] = [random.next(), random.next(), random.next()];
                let alpha =
                    [0, c % 2, 65535, c >> 16, c % 40, 0][(i % width / 7 + i / width / 4) as usize % 6];
                [a as u16, (a >> 16) as u16, (b >> (b % 16)) as u16 & 0xff, alpha as u16]
            })
            .collect();
        // All bit patterns: negative, infinite and subnormal numbers, and NaN.
        let halves: Vec<[f16; 4]> = texels.iter().map(|texel| texel.map(f16::from_bits)).collect();
        let tame: Vec<[f16; 4]> =
            texels.iter().map(|texel| texel.map(|v| f16::from_f32(f32::from(v) / 9000.0))).collect();
        let images: [&dyn Image; 3] = [
            &ImageView::new(&texels, width, height).unwrap(),
            &ImageView::new(&halves, width, height).unwrap(),
            &ImageView::new(&tame, width, height).unwrap(),
        ];
        for (i, image) in images.into_iter().enumerate() {
            for (k, &filter) in MipFilter::ALL.iter().filter(|&&filter| filter != MipFilter::Box).enumerate()
            {
                for alpha_mode in ALPHA_MODES {
                    for format in [TexelFormat::Rgba16, TexelFormat::RgbaF16] {
                        let wrap = [MipWrap::ALL[(i + k) % 3], MipWrap::ALL[(i + 2 * k + 1) % 3]];
                        let options = MipOptions::new(ColorSpace::Linear, alpha_mode);
                        compare(
                            &context,
                            image,
                            format,
                            options.with(|o| {
                                o.filter = filter;
                                o.wrap = wrap;
                            }),
                        );
                    }
                }
            }
            // The box filter with weighted colours is a sum of floats, too.
            let weighted = MipOptions::new(ColorSpace::Linear, AlphaMode::Straight);
            let weighted = MipOptions { weighs_wide: true, ..weighted };
            compare(&context, image, TexelFormat::Rgba16, weighted);
            compare(&context, image, TexelFormat::RgbaF16, weighted);
        }
    }
}

/// A level of 4100×50 texels has two columns of pieces, each of two rows.
#[test]
fn pieces_make_the_level_together() {
    let Some(context) = context() else { return };
    let mut random = Random(3);
    for [width, height] in [[8200, 101], [8193, 100]] {
        let texels: Vec<[u8; 4]> = (0..width * height).map(|_| random.next().to_le_bytes()).collect();
        let image = ImageView::new(&texels, width, height).unwrap();
        let options =
            MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight).with(|o| o.filter = MipFilter::Triangle);
        compare(
            &context,
            &image,
            TexelFormat::Rgba8,
            options.with(|o| o.wrap = [MipWrap::Repeat, MipWrap::Mirror]),
        );
    }
}

/// Sums and quotients are largest and smallest where alpha is.
#[test]
fn extreme_values_give_the_cpu_s_level() {
    let Some(context) = context() else { return };
    let mut random = Random(5);
    let extremes = [0, 1, 2, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x8001, 0xfbff, 0xfc00, 0x7e00];
    let texels: Vec<[f16; 4]> = (0..40 * 21)
        .map(|_| [(); 4].map(|()| f16::from_bits(extremes[random.next() as usize % extremes.len()])))
        .collect();
    let image = ImageView::new(&texels, 40, 21).unwrap();
    let bytes: Vec<[u8; 4]> = (0..40 * 21)
        .map(|_| random.next().to_le_bytes().map(|byte| [0, 0, 0, 1, 2, 254, 255, 255][byte as usize % 8]))
        .collect();
    let image_of_bytes = ImageView::new(&bytes, 40, 21).unwrap();
    for &filter in MipFilter::ALL.iter().filter(|&&filter| filter != MipFilter::Box) {
        for alpha_mode in ALPHA_MODES {
            for color_space in [ColorSpace::Srgb, ColorSpace::Linear] {
                let options = MipOptions::new(color_space, alpha_mode).with(|o| o.filter = filter);
                compare(&context, &image, TexelFormat::RgbaF16, options);
                compare(&context, &image_of_bytes, TexelFormat::Rgba8, options);
            }
        }
    }
}

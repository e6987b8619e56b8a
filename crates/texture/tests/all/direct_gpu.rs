//! Tests of blocks that are written straight into textures. Shaders sample the same blocks as the CPU's, in
//! every mip level and layer, whole and in part.

use crate::{
    common::{self, assert_same_blocks, gpu_encoder},
    record_gpu::{at, read, read_blocks},
};
use brickwork_texture::{
    BlockFormat, CancelToken, Cancelled, ColorSpace, CpuEncoder, EncodeError, EncodeOptions, ImageView,
    Quality, RealTime, Task, TextureDesc,
    direct::{CompressedTarget, Strategy, TargetError},
    gpu::{
        Binding, BlockRegion, BlockTarget, Context, ContextOptions, GpuEncoder, GpuError, Kernel, Recording,
        TexelSource, filled_buffer, wgpu,
    },
};
use wgpu::{TextureFormat, TextureUsages};

const SIZES: [[u32; 2]; 4] = [[64, 64], [260, 132], [1, 1], [5, 7]];

/// Returns formats with options that cover all ways from texels to blocks.
fn encodings() -> Vec<(BlockFormat, EncodeOptions)> {
    let fast = EncodeOptions::default().with(|o| o.quality = Quality::Ultrafast);
    let bc7 = |level| EncodeOptions::default().with(|o| o.real_time = Some(level));
    vec![
        (BlockFormat::Bc1, fast),
        (BlockFormat::Bc3, fast),
        (BlockFormat::Bc5Unorm, fast),
        (BlockFormat::Bc7, fast),
        (BlockFormat::Bc7, bc7(RealTime::Level1)),
        (BlockFormat::Bc7, bc7(RealTime::Level2)),
    ]
}

/// Returns noise, colours and alpha of several kinds, different for each mip level.
fn texels([width, height]: [u32; 2], salt: u32) -> Vec<[u8; 4]> {
    let kinds = common::fixtures(width, height);
    (0..(width * height) as usize)
        .map(|at| {
            let x = at % width as usize + 16 * salt as usize;
            kinds[x / 16 % kinds.len()].texels[at]
        })
        .collect()
}

fn encoded(
    texels: &[[u8; 4]],
    [width, height]: [u32; 2],
    format: BlockFormat,
    options: &EncodeOptions,
) -> Vec<u8> {
    let image = ImageView::new(texels, width, height).unwrap();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    CpuEncoder::new().encode_into(&image, format, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

/// Returns a texture with these texels or blocks, row by row.
fn uploaded(
    gpu: &GpuEncoder,
    bytes: &[u8],
    [width, height]: [u32; 2],
    format: TextureFormat,
) -> wgpu::Texture {
    let (device, queue) = (gpu.context().device(), gpu.context().queue());
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("uploaded"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let (_, block_height) = format.block_dimensions();
    let bytes_per_row = Some(bytes.len() as u32 / height.div_ceil(block_height));
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), bytes, layout, texture.size());
    texture
}

/// Returns a texture as an application would have drawn it.
fn source(gpu: &GpuEncoder, texels: &[[u8; 4]], size: [u32; 2], format: TextureFormat) -> wgpu::Texture {
    let floats: Vec<u8> = texels
        .iter()
        .flat_map(|texel| texel.map(|channel| f32::from(channel) / 255.0))
        .flat_map(f32::to_le_bytes)
        .collect();
    let bytes: &[u8] = match format {
        TextureFormat::Rgba32Float => &floats,
        _ => texels.as_flattened(),
    };
    uploaded(gpu, bytes, size, format)
}

/// Returns every texel of a mip level as a shader reads it, as 8-bit numbers.
fn sampled(
    gpu: &GpuEncoder,
    commands: &mut wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    [width, height]: [u32; 2],
    mip_level: u32,
    layer: u32,
) -> wgpu::Buffer {
    let kernel = Kernel::new("sample", &[Binding::Uniform, Binding::Texture, Binding::Write]).part(
        "@group(0) @binding(0) var<uniform> size: vec4<u32>;
         @group(0) @binding(1) var source: texture_2d<f32>;
         @group(0) @binding(2) var<storage, read_write> found: array<u32>;
         @compute @workgroup_size(8, 8)
         fn main(@builtin(global_invocation_id) at: vec3<u32>) {
             if all(at.xy < size.xy) {
                 found[at.y * size.x + at.x] = pack4x8unorm(textureLoad(source, at.xy, 0));
             }
         }",
    );
    let context = gpu.context();
    let device = context.device();
    let pipeline = context.pipeline(&kernel).unwrap();
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        format: Some(texture.format().remove_srgb_suffix()),
        dimension: Some(wgpu::TextureViewDimension::D2),
        base_mip_level: mip_level,
        mip_level_count: Some(1),
        base_array_layer: layer,
        array_layer_count: Some(1),
        ..Default::default()
    });
    let size = [width, height, 0, 0].map(u32::to_le_bytes);
    let size = filled_buffer(device, "size", size.as_flattened(), wgpu::BufferUsages::UNIFORM);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let found = context.buffer("found", u64::from(4 * width * height), usage).unwrap();
    let bound = pipeline.bind(
        device,
        &[size.as_entire_binding(), wgpu::BindingResource::TextureView(&view), found.as_entire_binding()],
    );
    let mut pass = commands.begin_compute_pass(&Default::default());
    pipeline.dispatch_grid(&mut pass, &bound, [width.div_ceil(8), height.div_ceil(8)]);
    drop(pass);
    found
}

/// Returns every texel as a shader reads it from a texture into which `blocks` were uploaded. GPUs differ in
/// how they decode blocks, but each decodes the same blocks alike.
fn read_uploaded(gpu: &GpuEncoder, blocks: &[u8], size: [u32; 2], format: BlockFormat) -> Vec<u8> {
    let format = match format {
        BlockFormat::Bc1 => TextureFormat::Bc1RgbaUnorm,
        BlockFormat::Bc3 => TextureFormat::Bc3RgbaUnorm,
        BlockFormat::Bc5Unorm => TextureFormat::Bc5RgUnorm,
        BlockFormat::Bc7 => TextureFormat::Bc7RgbaUnorm,
        other => panic!("{other}"),
    };
    let texture = uploaded(gpu, blocks, size.map(|texels| texels.next_multiple_of(4)), format);
    let mut commands = gpu.context().device().create_command_encoder(&Default::default());
    let found = sampled(gpu, &mut commands, &texture, size, 0, 0);
    gpu.context().checked("reading", || gpu.context().queue().submit([commands.finish()])).unwrap();
    read(gpu, &found)
}

fn assert_same_texels(found: &[u8], expected: &[u8], what: &str) {
    assert_eq!(found.len(), expected.len());
    let mut texels = found.as_chunks::<4>().0.iter().zip(expected.as_chunks::<4>().0).enumerate();
    let different = texels.find(|(_, (found, expected))| found != expected);
    assert!(different.is_none(), "{what}: texel, found and expected: {different:?}");
}

/// Returns the target, or `None` if this device does not support the strategy. Lavapipe must support it.
fn target(gpu: &GpuEncoder, desc: &TextureDesc, strategy: Strategy) -> Option<CompressedTarget> {
    match CompressedTarget::with_strategy(gpu, desc, strategy, &Task::new()) {
        Ok(target) => Some(target),
        Err(TargetError::Refused { .. }) if !is_lavapipe(gpu) => None,
        Err(error) => panic!("{strategy}: {error}"),
    }
}

fn is_lavapipe(gpu: &GpuEncoder) -> bool {
    gpu.context().info().is_some_and(|info| info.name.contains("llvmpipe"))
}

fn is_swiftshader(gpu: &GpuEncoder) -> bool {
    gpu.context().info().is_some_and(|info| info.name.contains("SwiftShader"))
}

#[test]
fn every_strategy_writes_the_twin_s_blocks_where_they_are_sampled() {
    let Some(gpu) = gpu_encoder() else { return };
    for ((format, options), &strategy) in
        encodings().iter().flat_map(|of| Strategy::ALL.iter().map(move |strategy| (of, strategy)))
    {
        for [width, height] in SIZES {
            let color_space = if format.has_srgb() { ColorSpace::Srgb } else { ColorSpace::Linear };
            let desc = TextureDesc::new_2d(*format, width, height)
                .with_full_mips()
                .with_layers(2)
                .with_color_space(color_space);
            let Some(target) = target(&gpu, &desc, strategy) else { continue };
            assert_eq!(target.strategy(), strategy);
            // All work is in one submission: each level is sampled, written and sampled again.
            let mut commands = gpu.context().device().create_command_encoder(&Default::default());
            let mut parts = Vec::new();
            for mip_level in 0..desc.mip_levels {
                for layer in 0..2 {
                    let [width, height, _] = desc.mip_level_size(mip_level);
                    let size = [width, height];
                    let before = sampled(&gpu, &mut commands, target.texture(), size, mip_level, layer);
                    let texels = texels(size, mip_level + 5 * layer);
                    let form =
                        if layer == 0 { TextureFormat::Rgba8Unorm } else { TextureFormat::Rgba32Float };
                    let source = source(&gpu, &texels, size, form);
                    gpu.record(
                        &mut commands,
                        &Recording::new(
                            TexelSource::Texture { texture: &source, mip_level: 0, layer: 0 },
                            BlockRegion { origin: [0, 0], size },
                            BlockTarget::Direct { target: &target, mip_level, layer, origin: [0, 0] },
                        ),
                        *format,
                        options,
                    )
                    .unwrap();
                    let after = sampled(&gpu, &mut commands, target.texture(), size, mip_level, layer);
                    parts.push((mip_level, layer, size, texels, before, after));
                }
            }
            gpu.context()
                .checked("submitting", || gpu.context().queue().submit([commands.finish()]))
                .unwrap();
            for (mip_level, layer, size, texels, before, after) in parts {
                let what = format!(
                    "{strategy}, {format}, {options:?}, {width}×{height}, {mip_level}, layer {layer}"
                );
                // SwiftShader's compute shaders read zeros from any block-compressed texture.
                let reads = !is_swiftshader(&gpu);
                if reads {
                    let zero = vec![0; format.image_bytes(size[0], size[1]) as usize];
                    let expected = read_uploaded(&gpu, &zero, size, *format);
                    assert_same_texels(&read(&gpu, &before), &expected, &format!("{what}, before"));
                }
                let blocks = encoded(&texels, size, *format, options);
                if reads {
                    let expected = read_uploaded(&gpu, &blocks, size, *format);
                    let after = read(&gpu, &after);
                    assert_same_texels(&after, &expected, &what);
                    // The few texels of the smallest levels may be black before and after.
                    let may_be_equal = size[0] * size[1] < 64;
                    assert!(may_be_equal || after != read(&gpu, &before), "{what}: a shader sees no change");
                }
                let count = size.map(|texels| texels.div_ceil(4));
                let found = read_blocks(&gpu, at(target.texture(), mip_level, layer), count);
                assert_same_blocks(&blocks, &found, &what);
            }
        }
    }
}

/// A tile of a virtual texture is written into a part of a mip level. Its surroundings do not change.
#[test]
fn a_tile_goes_into_a_part_of_a_mip_level() {
    let Some(gpu) = gpu_encoder() else { return };
    // The tile's size, its origin in the source, and its position in the target, at a corner and at the edge.
    let tiles = [([16, 8], [3, 5], [12, 20]), ([9, 6], [0, 0], [56, 28]), ([65, 33], [1, 1], [0, 0])];
    for ((format, options), &strategy) in
        encodings().iter().flat_map(|of| Strategy::ALL.iter().map(move |strategy| (of, strategy)))
    {
        let desc = TextureDesc::new_2d(*format, 130, 66).with_mip_levels(3).with_layers(2);
        let Some(target) = target(&gpu, &desc, strategy) else { continue };
        let level = [65, 33];
        let count = level.map(|texels: u32| texels.div_ceil(4));
        let bytes = format.block_bytes();
        let mut expected = vec![0; count[0] as usize * count[1] as usize * bytes];
        let whole = texels([80, 60], 0);
        let source = source(&gpu, &whole, [80, 60], TextureFormat::Rgba8Unorm);
        for (size, from, to) in tiles {
            let region = BlockRegion { origin: from, size };
            let mut commands = gpu.context().device().create_command_encoder(&Default::default());
            gpu.record(
                &mut commands,
                &Recording::new(
                    TexelSource::Texture { texture: &source, mip_level: 0, layer: 0 },
                    region,
                    BlockTarget::Direct { target: &target, mip_level: 1, layer: 1, origin: to },
                ),
                *format,
                options,
            )
            .unwrap();
            gpu.context()
                .checked("submitting", || gpu.context().queue().submit([commands.finish()]))
                .unwrap();
            let first = (from[1] * 80 + from[0]) as usize;
            let image = ImageView::with_stride(&whole[first..], size[0], size[1], 80).unwrap();
            let mut blocks = vec![0; format.image_bytes(size[0], size[1]) as usize];
            CpuEncoder::new().encode_into(&image, *format, options, &mut blocks, &Task::new()).unwrap();
            let row_bytes = size[0].div_ceil(4) as usize * bytes;
            for (row, blocks) in blocks.chunks(row_bytes).enumerate() {
                let start = ((to[1] as usize / 4 + row) * count[0] as usize + to[0] as usize / 4) * bytes;
                expected[start..start + row_bytes].copy_from_slice(blocks);
            }
            let found = read_blocks(&gpu, at(target.texture(), 1, 1), count);
            assert_same_blocks(&expected, &found, &format!("{strategy}, {format}, {options:?}, {size:?}"));
            let other = read_blocks(&gpu, at(target.texture(), 1, 0), count);
            assert!(other.iter().all(|&byte| byte == 0), "{strategy}: another layer");
        }
    }
}

#[test]
fn the_best_strategy_is_found_and_says_why() {
    let Some(gpu) = gpu_encoder() else { return };
    let desc = TextureDesc::new_2d(BlockFormat::Bc7, 64, 64);
    let target = CompressedTarget::new(&gpu, &desc, &Task::new()).unwrap();
    if is_lavapipe(&gpu) {
        assert_eq!(target.strategy(), Strategy::BlockView, "{}", target.reason());
    }
    if is_swiftshader(&gpu) {
        assert_eq!(target.strategy(), Strategy::WritesSwizzled);
        let reason = target.reason().to_string();
        assert!(reason.contains("no block view, "), "{reason}");
        assert!(reason.contains("FORMAT_NOT_SUPPORTED"), "{reason}");
    }
    println!("{}: {}", target.strategy(), target.reason());
}

#[test]
fn what_does_not_fit_is_a_named_error() {
    let Some(gpu) = gpu_encoder() else { return };
    let good = TextureDesc::new_2d(BlockFormat::Bc7, 64, 64);
    let error = |desc: &TextureDesc| CompressedTarget::new(&gpu, desc, &Task::new()).map(drop).unwrap_err();
    assert!(matches!(error(&good.with_mip_levels(8)), EncodeError::Texture(_)));
    assert!(matches!(error(&TextureDesc::new_2d(BlockFormat::Bc7, 0, 4)), EncodeError::Texture(_)));
    assert!(matches!(error(&TextureDesc::new_cube(BlockFormat::Bc7, 64)), EncodeError::Shape(_)));
    assert!(matches!(error(&TextureDesc::new_3d(BlockFormat::Bc7, 8, 8, 8)), EncodeError::Shape(_)));
    let huge = error(&TextureDesc::new_2d(BlockFormat::Bc7, 1 << 20, 4));
    assert!(matches!(huge, EncodeError::Gpu(GpuError::Limit { .. })), "{huge}");

    // A device that was opened without support for BC textures.
    let options = ContextOptions::default().with(|o| o.plain = true);
    let plain = GpuEncoder::new(Context::open(&options).unwrap());
    for &strategy in Strategy::ALL {
        let error =
            CompressedTarget::with_strategy(&plain, &good, strategy, &Task::new()).unwrap_err().to_string();
        assert!(error.contains("TEXTURE_COMPRESSION_BC"), "{strategy}: {error}");
    }

    let token = CancelToken::new();
    token.cancel();
    let cancelled = CompressedTarget::new(&gpu, &good, &Task::new().with_cancel(&token));
    assert_eq!(cancelled.map(drop), Err(EncodeError::Cancelled(Cancelled)));

    let target = CompressedTarget::new(&gpu, &good, &Task::new()).unwrap();
    let source = source(&gpu, &texels([64, 64], 0), [64, 64], TextureFormat::Rgba8Unorm);
    let record = |format, mip_level, layer, origin| {
        let mut commands = gpu.context().device().create_command_encoder(&Default::default());
        let from = TexelSource::Texture { texture: &source, mip_level: 0, layer: 0 };
        let region = BlockRegion { origin: [0, 0], size: [32, 32] };
        let to = BlockTarget::Direct { target: &target, mip_level, layer, origin };
        let error = gpu
            .record(&mut commands, &Recording::new(from, region, to), format, &EncodeOptions::default())
            .map(drop);
        // The commands are still usable.
        gpu.context().checked("submitting", || gpu.context().queue().submit([commands.finish()])).unwrap();
        error.unwrap_err().to_string()
    };
    for (error, part) in [
        (record(BlockFormat::Bc1, 0, 0, [0, 0]), "Bc7RgbaUnorm is not Bc1"),
        (record(BlockFormat::Bc7, 1, 0, [0, 0]), "no mip level 1"),
        (record(BlockFormat::Bc7, 0, 1, [0, 0]), "no layer 1"),
        (record(BlockFormat::Bc7, 0, 0, [2, 0]), "not a multiple of 4"),
        (record(BlockFormat::Bc7, 0, 0, [36, 0]), "ends at 68×32"),
    ] {
        assert!(error.contains(part), "{error}");
    }
}

//! Tests of commands that are recorded for the caller. Blocks equal the CPU's for every source and target.
//! Mistakes give named errors instead of a panic when the caller finishes its commands.

use crate::common::{self, assert_same_blocks, gpu_encoder};
use brickwork_base::testing::skip;
use brickwork_texture::{
    AstcFootprint, BlockFormat, ColorSpace, CpuEncoder, EncodeError, EncodeOptions, Encoder, ErrorKind,
    ImageView, Quality, RealTime, Task, TexelFormat, TextureDesc,
    bc::bc1::Method,
    encode_texture,
    gpu::{
        BlockRegion, BlockTarget, Download, GpuEncoder, GpuError, Recording, TexelSource, filled_buffer, wgpu,
    },
};
use wgpu::{AstcBlock, AstcChannel, BufferUsages, TextureFormat, TextureUsages};

/// A size that is not a multiple of the block size.
const SIZE: [u32; 2] = [61, 43];
/// The whole image, one texel, edges in the middle of blocks, whole blocks at odd positions, and the last row
/// and column.
const REGIONS: [BlockRegion; 7] = [
    BlockRegion { origin: [0, 0], size: SIZE },
    BlockRegion { origin: [60, 42], size: [1, 1] },
    BlockRegion { origin: [3, 5], size: [30, 21] },
    BlockRegion { origin: [1, 2], size: [16, 8] },
    BlockRegion { origin: [0, 42], size: [61, 1] },
    BlockRegion { origin: [60, 0], size: [1, 43] },
    BlockRegion { origin: [8, 12], size: [32, 4] },
];

/// Returns an encoder if the device samples BC1 textures.
#[track_caller]
fn gpu_encoder_with_bc() -> Option<GpuEncoder> {
    let gpu = gpu_encoder()?;
    let has = gpu.context().device().features().contains(wgpu::Features::TEXTURE_COMPRESSION_BC);
    if !has {
        skip("an adapter without BC textures");
    }
    has.then_some(gpu)
}

/// Returns texels that are opaque on the left, with soft and cut-out alpha on the right.
fn texels([width, height]: [u32; 2]) -> Vec<[u8; 4]> {
    let kinds = common::fixtures(width, height);
    let of = |name| &kinds.iter().find(|kind| kind.name == name).unwrap().texels;
    let parts = [of("soft noise"), of("one colour a block"), of("soft alpha"), of("cut-out")];
    (0..(width * height) as usize).map(|at| parts[at % width as usize * 4 / width as usize][at]).collect()
}

fn options(quality: Quality, method: Method) -> EncodeOptions {
    let mut options = EncodeOptions::default();
    options.quality = quality;
    options.bc1.method = method;
    options
}

fn blocks_of([width, height]: [u32; 2]) -> [u32; 2] {
    [width.div_ceil(4), height.div_ceil(4)]
}

/// Returns the twin's blocks of a region.
fn expected(texels: &[[u8; 4]], width: u32, region: BlockRegion, options: &EncodeOptions) -> Vec<u8> {
    let [x, y] = region.origin;
    let from = &texels[(y * width + x) as usize..];
    let image = ImageView::with_stride(from, region.size[0], region.size[1], width as usize).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(image.width(), image.height()) as usize];
    CpuEncoder::new().encode_into(&image, BlockFormat::Bc1, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

/// Copies rows of blocks to the positions that a target expects.
fn place(into: &mut [u8], blocks: &[u8], columns: u32, offset: u32, bytes_per_row: u32) {
    for (row, from) in blocks.chunks_exact(8 * columns as usize).enumerate() {
        into[offset as usize + row * bytes_per_row as usize..][..from.len()].copy_from_slice(from);
    }
}

fn storage(gpu: &GpuEncoder, contents: &[u8]) -> wgpu::Buffer {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    filled_buffer(gpu.context().device(), "test", contents, usage)
}

fn submit(gpu: &GpuEncoder, commands: wgpu::CommandEncoder) {
    gpu.context().checked("submitting", || gpu.context().queue().submit([commands.finish()])).unwrap();
}

fn commands(gpu: &GpuEncoder) -> wgpu::CommandEncoder {
    gpu.context().device().create_command_encoder(&Default::default())
}

pub fn read(gpu: &GpuEncoder, buffer: &wgpu::Buffer) -> Vec<u8> {
    Download::new(gpu.context(), buffer, 0..buffer.size()).unwrap().wait(gpu.context()).unwrap()
}

/// Returns a texture with two layers and three mip levels.
fn texture(gpu: &GpuEncoder, format: TextureFormat, size: [u32; 2], usage: TextureUsages) -> wgpu::Texture {
    let linear = [format.remove_srgb_suffix()];
    gpu.context().device().create_texture(&wgpu::TextureDescriptor {
        label: Some("test"),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 2 },
        mip_level_count: 3,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: if format.is_srgb() { &linear } else { &[] },
    })
}

pub fn at(texture: &wgpu::Texture, mip_level: u32, layer: u32) -> wgpu::TexelCopyTextureInfo<'_> {
    let origin = wgpu::Origin3d { x: 0, y: 0, z: layer };
    wgpu::TexelCopyTextureInfo { texture, mip_level, origin, aspect: wgpu::TextureAspect::All }
}

/// Fills a mip level of a layer with `rows` rows of bytes.
fn write(gpu: &GpuEncoder, to: wgpu::TexelCopyTextureInfo<'_>, bytes: &[u8], rows: u32, size: [u32; 2]) {
    let bytes_per_row = Some(bytes.len() as u32 / rows);
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    let size = wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 };
    gpu.context().queue().write_texture(to, bytes, layout, size);
}

/// Returns the blocks of a whole mip level of a layer.
pub fn read_blocks(gpu: &GpuEncoder, from: wgpu::TexelCopyTextureInfo<'_>, blocks: [u32; 2]) -> Vec<u8> {
    let block_bytes = from.texture.format().block_copy_size(None).unwrap();
    let pitch = (block_bytes * blocks[0]).next_multiple_of(256);
    let buffer = storage(gpu, &vec![0; (pitch * blocks[1]) as usize]);
    let usage = BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
    let buffer = gpu.context().buffer("test", buffer.size(), usage).unwrap();
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: None };
    let size = wgpu::Extent3d { width: 4 * blocks[0], height: 4 * blocks[1], depth_or_array_layers: 1 };
    let mut commands = commands(gpu);
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    commands.copy_texture_to_buffer(from, to, size);
    submit(gpu, commands);
    let rows = read(gpu, &buffer);
    let row_bytes = (block_bytes * blocks[0]) as usize;
    rows.chunks(pitch as usize).flat_map(|row| &row[..row_bytes]).copied().collect()
}

#[test]
fn a_buffer_s_region_gives_the_twin_s_blocks_in_a_buffer() {
    let Some(gpu) = gpu_encoder() else { return };
    let texels = texels(SIZE);
    let options = EncodeOptions::default();
    for region in REGIONS {
        // Bytes before the first texel and after each row; bytes before the first block, and blocks after
        // each row.
        for (before, after, offset, gap) in [(0, 0, 0, 0), (4, 12, 8, 0), (252, 4, 16, 3)] {
            let mut source = vec![0xa5; before];
            for row in texels.chunks(SIZE[0] as usize) {
                source.extend_from_slice(row.as_flattened());
                source.resize(source.len() + after, 0x5a);
            }
            let [columns, rows] = blocks_of(region.size);
            let bytes_per_row = 8 * (columns + gap);
            // A target that is just large enough for the last block.
            let mut wanted = vec![0xee; (offset + bytes_per_row * (rows - 1) + 8 * columns) as usize];
            let (source, target) = (storage(&gpu, &source), storage(&gpu, &wanted));
            let blocks = expected(&texels, SIZE[0], region, &options);
            place(&mut wanted, &blocks, columns, offset, bytes_per_row);
            let from = TexelSource::Buffer {
                texels: TexelFormat::Rgba8,
                buffer: &source,
                offset: before as u32,
                bytes_per_row: 4 * SIZE[0] + after as u32,
            };
            let to = BlockTarget::Buffer { buffer: &target, offset, bytes_per_row };
            let mut commands = commands(&gpu);
            gpu.record(&mut commands, &Recording::new(from, region, to), BlockFormat::Bc1, &options).unwrap();
            submit(&gpu, commands);
            assert_same_blocks(&wanted, &read(&gpu, &target), &format!("{region:?} {before} {offset}"));
        }
    }
}

#[test]
fn a_texture_s_region_gives_the_twin_s_blocks_in_a_bc1_texture() {
    let Some(gpu) = gpu_encoder_with_bc() else { return };
    let options = EncodeOptions::default();
    let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    let bc1_usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
    // Mip levels of 100×92, 50×46 and 25×23 texels. The last two end within a block.
    let bc1_size = [100, 92];
    for (format, bc1, from_level, to_level, origin) in [
        (TextureFormat::Rgba8Unorm, TextureFormat::Bc1RgbaUnorm, 0, 0, [4, 8]),
        (TextureFormat::Rgba8UnormSrgb, TextureFormat::Bc1RgbaUnormSrgb, 1, 0, [36, 48]),
        (TextureFormat::Rgba8UnormSrgb, TextureFormat::Bc1RgbaUnorm, 0, 1, [20, 24]),
        (TextureFormat::Rgba8Unorm, TextureFormat::Bc1RgbaUnormSrgb, 2, 2, [8, 12]),
    ] {
        let level_size = SIZE.map(|side| side >> from_level);
        let source = texture(&gpu, format, SIZE, usage);
        let texels = texels(level_size);
        write(&gpu, at(&source, from_level, 1), texels.as_flattened(), level_size[1], level_size);
        let to_size = bc1_size.map(|side: u32| side >> to_level);
        let to_blocks = blocks_of(to_size);
        for region in REGIONS {
            let [columns, rows] = blocks_of(region.size);
            let place_at = origin.map(|texel| texel / 4);
            let fits_source = (0..2).all(|i| region.origin[i] + region.size[i] <= level_size[i]);
            if !fits_source || place_at[0] + columns > to_blocks[0] || place_at[1] + rows > to_blocks[1] {
                continue;
            }
            // Both layers are filled, and bytes outside the region must not change.
            let mut wanted = vec![0xee; (8 * to_blocks[0] * to_blocks[1]) as usize];
            let target = texture(&gpu, bc1, bc1_size, bc1_usage);
            for layer in 0..2 {
                let whole = to_blocks.map(|blocks| 4 * blocks);
                write(&gpu, at(&target, to_level, layer), &wanted, to_blocks[1], whole);
            }
            let untouched = wanted.clone();
            let blocks = expected(&texels, level_size[0], region, &options);
            let first = 8 * (place_at[1] * to_blocks[0] + place_at[0]);
            place(&mut wanted, &blocks, columns, first, 8 * to_blocks[0]);
            let from = TexelSource::Texture { texture: &source, mip_level: from_level, layer: 1 };
            let to = BlockTarget::Texture { texture: &target, mip_level: to_level, layer: 1, origin };
            let mut commands = commands(&gpu);
            gpu.record(&mut commands, &Recording::new(from, region, to), BlockFormat::Bc1, &options).unwrap();
            submit(&gpu, commands);
            let what = format!("{format:?} {from_level} → {bc1:?} {to_level}, {region:?}");
            assert_same_blocks(&wanted, &read_blocks(&gpu, at(&target, to_level, 1), to_blocks), &what);
            assert_eq!(untouched, read_blocks(&gpu, at(&target, to_level, 0), to_blocks), "{what}: layer 0");
        }
    }
}

#[test]
fn every_format_is_recorded_into_its_own_textures() {
    let Some(gpu) = gpu_encoder_with_bc() else { return };
    let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    let source = texture(&gpu, TextureFormat::Rgba8Unorm, SIZE, usage);
    let texels = texels(SIZE);
    write(&gpu, at(&source, 0, 0), texels.as_flattened(), SIZE[1], SIZE);
    let (origin, size) = ([8, 4], [40, 24]);
    let part =
        ImageView::with_stride(&texels[(4 * SIZE[0] + 8) as usize..], 40, 24, SIZE[0] as usize).unwrap();
    for (format, texture_format) in [
        (BlockFormat::Bc2, TextureFormat::Bc2RgbaUnorm),
        (BlockFormat::Bc3, TextureFormat::Bc3RgbaUnormSrgb),
        (BlockFormat::Bc4Unorm, TextureFormat::Bc4RUnorm),
        (BlockFormat::Bc4Snorm, TextureFormat::Bc4RSnorm),
        (BlockFormat::Bc5Unorm, TextureFormat::Bc5RgUnorm),
        (BlockFormat::Bc5Snorm, TextureFormat::Bc5RgSnorm),
        (BlockFormat::Bc7, TextureFormat::Bc7RgbaUnormSrgb),
    ] {
        for quality in [Quality::Ultrafast, Quality::Normal] {
            let options = EncodeOptions::default().with(|o| o.quality = quality);
            let mut wanted = vec![0; format.image_bytes(40, 24) as usize];
            CpuEncoder::new().encode_into(&part, format, &options, &mut wanted, &Task::new()).unwrap();
            let usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
            let target = texture(&gpu, texture_format, size, usage);
            let from = TexelSource::Texture { texture: &source, mip_level: 0, layer: 0 };
            let to = BlockTarget::Texture { texture: &target, mip_level: 0, layer: 1, origin: [0, 0] };
            let mut commands = commands(&gpu);
            gpu.record(
                &mut commands,
                &Recording::new(from, BlockRegion { origin, size }, to),
                format,
                &options,
            )
            .unwrap();
            submit(&gpu, commands);
            let found = read_blocks(&gpu, at(&target, 0, 1), blocks_of(size));
            assert_same_blocks(&wanted, &found, &format!("{format} {quality:?}"));
        }
    }
}

/// Textures of phones: ASTC in sRGB has other blocks than linear ones.
#[test]
fn formats_of_phones_are_recorded_in_real_time() {
    let Some(gpu) = gpu_encoder() else { return };
    let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    let source = texture(&gpu, TextureFormat::Rgba8Unorm, SIZE, usage);
    let texels = texels(SIZE);
    write(&gpu, at(&source, 0, 0), texels.as_flattened(), SIZE[1], SIZE);
    let size = [40, 24];
    let part = ImageView::with_stride(&texels, 40, 24, SIZE[0] as usize).unwrap();
    let astc = |channel| TextureFormat::Astc { block: AstcBlock::B4x4, channel };
    for (format, texture_format) in [
        (BlockFormat::Astc(AstcFootprint::B4x4), astc(AstcChannel::Unorm)),
        (BlockFormat::Astc(AstcFootprint::B4x4), astc(AstcChannel::UnormSrgb)),
        (BlockFormat::Etc2Rgb, TextureFormat::Etc2Rgb8UnormSrgb),
        (BlockFormat::Etc2RgbA1, TextureFormat::Etc2Rgb8A1Unorm),
        (BlockFormat::Etc2Rgba, TextureFormat::Etc2Rgba8UnormSrgb),
        (BlockFormat::EacR11Snorm, TextureFormat::EacR11Snorm),
        (BlockFormat::EacRg11Unorm, TextureFormat::EacRg11Unorm),
    ] {
        let has_texture = gpu.context().device().features().contains(texture_format.required_features());
        if !has_texture {
            skip(format_args!("an adapter without {texture_format:?}"));
        }
        for &level in RealTime::ALL {
            let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
            let wanted = |color_space| {
                let desc = TextureDesc::of_image(&part, format).with_color_space(color_space);
                let encoder = Encoder::default();
                encode_texture(&encoder, &part, &desc, &options, &Task::new()).unwrap().into_data()
            };
            let record = |to: BlockTarget<'_>| {
                let from = TexelSource::Texture { texture: &source, mip_level: 0, layer: 0 };
                let region = BlockRegion { origin: [0, 0], size };
                let mut commands = commands(&gpu);
                gpu.record(&mut commands, &Recording::new(from, region, to), format, &options).unwrap();
                submit(&gpu, commands);
            };
            let what = format!("{texture_format:?} {level:?}");
            let linear = wanted(ColorSpace::Linear);
            let buffer = storage(&gpu, &vec![0; linear.len()]);
            let bytes_per_row = linear.len() as u32 / blocks_of(size)[1];
            record(BlockTarget::Buffer { buffer: &buffer, offset: 0, bytes_per_row });
            assert_same_blocks(&linear, &read(&gpu, &buffer), &what);
            if has_texture {
                let usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
                let target = texture(&gpu, texture_format, size, usage);
                record(BlockTarget::Texture { texture: &target, mip_level: 0, layer: 1, origin: [0, 0] });
                let is_srgb = texture_format.is_srgb();
                let wanted = wanted(if is_srgb { ColorSpace::Srgb } else { ColorSpace::Linear });
                assert_same_blocks(&wanted, &read_blocks(&gpu, at(&target, 0, 1), blocks_of(size)), &what);
            }
        }
    }
}

/// Recordings share scratch memory. Their sizes are small, large, small, and one has options whose kernels
/// need different buffers.
#[test]
fn several_recordings_of_one_submission_do_not_meet() {
    let Some(gpu) = gpu_encoder() else { return };
    let texels = texels(SIZE);
    let source = storage(&gpu, texels.as_flattened());
    let mut cut_out = options(Quality::High, Method::ClusterFit);
    let bc1 = cut_out.bc1.with(|o| {
        o.transparent_black = true;
        o.alpha_threshold = 200;
    });
    cut_out.bc1 = bc1;
    let recordings = [
        (REGIONS[3], options(Quality::Normal, Method::ClusterFit)),
        (REGIONS[0], options(Quality::Ultrafast, Method::ClusterFit)),
        (REGIONS[2], cut_out),
        (REGIONS[6], options(Quality::Fast, Method::Lsdxt)),
        (REGIONS[1], options(Quality::Best, Method::ClusterFit)),
        (REGIONS[0], options(Quality::Normal, Method::ClusterFit)),
        (REGIONS[3], options(Quality::Normal, Method::Lsdxt)),
        (REGIONS[5], options(Quality::Ultrafast, Method::ClusterFit)),
    ];
    // All in one command buffer; one command buffer each, submitted together; one each, submitted in reverse
    // order.
    for order in ["one", "each", "reversed"] {
        let mut buffers = Vec::new();
        let mut wanted = Vec::new();
        let mut offset = 0;
        let total: u64 =
            recordings.iter().map(|(r, _)| BlockFormat::Bc1.image_bytes(r.size[0], r.size[1])).sum();
        let target = storage(&gpu, &vec![0xee; total as usize]);
        let mut shared = commands(&gpu);
        for (region, options) in &recordings {
            let bytes_per_row = 8 * blocks_of(region.size)[0];
            let from = TexelSource::Buffer {
                buffer: &source,
                texels: TexelFormat::Rgba8,
                offset: 0,
                bytes_per_row: 4 * SIZE[0],
            };
            let to = BlockTarget::Buffer { buffer: &target, offset, bytes_per_row };
            if order == "one" {
                gpu.record(&mut shared, &Recording::new(from, *region, to), BlockFormat::Bc1, options)
                    .unwrap();
            } else {
                let mut own = commands(&gpu);
                gpu.record(&mut own, &Recording::new(from, *region, to), BlockFormat::Bc1, options).unwrap();
                buffers.push(own.finish());
            }
            wanted.push(expected(&texels, SIZE[0], *region, options));
            offset += wanted.last().unwrap().len() as u32;
        }
        buffers.push(shared.finish());
        if order == "reversed" {
            buffers.reverse();
        }
        gpu.context().queue().submit(buffers);
        let found = read(&gpu, &target);
        let mut rest = &found[..];
        for (wanted, (region, options)) in wanted.iter().zip(&recordings) {
            let (found, after) = rest.split_at(wanted.len());
            assert_same_blocks(wanted, found, &format!("{order}: {region:?} {options:?}"));
            rest = after;
        }
    }
}

/// Mistakes are reported before anything is recorded. The commands and the device stay valid.
#[test]
fn what_does_not_fit_is_a_named_error() {
    let Some(gpu) = gpu_encoder() else { return };
    let options = EncodeOptions::default();
    let texels = texels(SIZE);
    let source = storage(&gpu, texels.as_flattened());
    let bytes_per_row = 4 * SIZE[0];
    let from = TexelSource::Buffer { buffer: &source, texels: TexelFormat::Rgba8, offset: 0, bytes_per_row };
    let target = storage(&gpu, &[0; 16 * 11 * 8]);
    let to = BlockTarget::Buffer { buffer: &target, offset: 0, bytes_per_row: 16 * 8 };
    let whole = REGIONS[0];
    let region = |origin, size| BlockRegion { origin, size };
    let uncopied = gpu.context().buffer("test", 1 << 16, BufferUsages::COPY_DST).unwrap();
    let mut commands = commands(&gpu);
    let mut fails = |from: TexelSource<'_>, region: BlockRegion, to: BlockTarget<'_>, said: &str| {
        let error = gpu
            .record(&mut commands, &Recording::new(from, region, to), BlockFormat::Bc1, &options)
            .expect_err(said);
        assert!(
            matches!(&error, EncodeError::Record { .. } | EncodeError::Gpu(GpuError::Limit { .. })),
            "{error:?}"
        );
        assert!(error.to_string().contains(said), "\"{error}\" does not say \"{said}\"");
    };
    for size in [[0, 0], [0, 4], [4, 0]] {
        fails(from, region([0, 0], size), to, "the region: it is empty");
    }
    let limit = gpu.max_region(BlockFormat::Bc1, &options).unwrap();
    for size in [[u32::MAX; 2], [u32::MAX, 1], [1 << 31, 1 << 31], [limit as u32 + 4, 1]] {
        fails(from, region([0, 0], size), to, "a region in texels needs");
    }
    for region in [
        region([1, 0], SIZE),
        region([0, 1], SIZE),
        region([0, 43], [1, 1]),
        region([u32::MAX; 2], [1, 1]),
        region([0, u32::MAX], [1, 1]),
    ] {
        fails(from, region, to, "the source: the region ends at byte");
    }
    let from_buffer = |buffer, offset, bytes_per_row| TexelSource::Buffer {
        buffer,
        texels: TexelFormat::Rgba8,
        offset,
        bytes_per_row,
    };
    fails(from_buffer(&source, 4, bytes_per_row), whole, to, "the source: the region ends at byte");
    fails(
        from_buffer(&source, u32::MAX - 3, bytes_per_row),
        whole,
        to,
        "the source: the region ends at byte",
    );
    fails(from_buffer(&source, 0, u32::MAX - 3), whole, to, "the source: the region ends at byte");
    fails(
        from_buffer(&source, 2, bytes_per_row),
        whole,
        to,
        "the source: its offset is 2, not a multiple of 4",
    );
    fails(
        from_buffer(&source, 0, 246),
        whole,
        to,
        "the source: its bytes per row are 246, not a multiple of 4",
    );
    fails(from_buffer(&source, 0, 240), whole, to, "the source: a row has 244 bytes, but rows are 240 apart");
    fails(
        from_buffer(&uncopied, 0, bytes_per_row),
        whole,
        to,
        "the source: the buffer's usage lacks STORAGE",
    );
    let to_buffer = |buffer, offset, bytes_per_row| BlockTarget::Buffer { buffer, offset, bytes_per_row };
    fails(from, whole, to_buffer(&target, 8, 128), "the target: the region ends at byte 1416");
    fails(from, whole, to_buffer(&target, 0, 136), "the target: the region ends at byte");
    fails(from, whole, to_buffer(&target, u32::MAX - 7, 128), "the target: the region ends at byte");
    fails(from, whole, to_buffer(&target, 4, 128), "the target: its offset is 4, not a multiple of 8");
    fails(
        from,
        whole,
        to_buffer(&target, 0, 132),
        "the target: its bytes per row are 132, not a multiple of 8",
    );
    fails(from, whole, to_buffer(&target, 0, 120), "the target: a row has 128 bytes, but rows are 120 apart");
    fails(from, whole, to_buffer(&uncopied, 0, 128), "the target: the buffer's usage lacks STORAGE");
    // Nothing was recorded, and the commands can still be used.
    gpu.record(&mut commands, &Recording::new(from, whole, to), BlockFormat::Bc1, &options).unwrap();
    submit(&gpu, commands);
    assert_same_blocks(&expected(&texels, SIZE[0], whole, &options), &read(&gpu, &target), "after errors");
}

#[test]
fn a_search_that_a_watchdog_would_stop_is_refused() {
    let Some(gpu) = gpu_encoder() else { return };
    let mut options = EncodeOptions::default().with(|o| o.quality = Quality::Best);
    options.bc1.method = Method::Lsdxt;
    assert_eq!(gpu.max_region(BlockFormat::Bc1, &options).unwrap(), 1 << 18);
    let source = storage(&gpu, &[0; 4]);
    let from = TexelSource::Buffer {
        buffer: &source,
        texels: TexelFormat::Rgba8,
        offset: 0,
        bytes_per_row: 4 * 516,
    };
    let to = BlockTarget::Buffer { buffer: &source, offset: 0, bytes_per_row: 129 * 8 };
    let region = BlockRegion { origin: [0, 0], size: [516, 512] };
    let mut commands = commands(&gpu);
    let error =
        gpu.record(&mut commands, &Recording::new(from, region, to), BlockFormat::Bc1, &options).unwrap_err();
    assert!(
        matches!(error, EncodeError::Gpu(GpuError::Limit { needed: 264_192, limit: 262_144, .. })),
        "{error:?}"
    );
}

#[test]
fn a_texture_that_does_not_fit_is_a_named_error() {
    let Some(gpu) = gpu_encoder_with_bc() else { return };
    let options = EncodeOptions::default();
    let texels = texels(SIZE);
    let buffer = storage(&gpu, texels.as_flattened());
    let from = TexelSource::Buffer {
        buffer: &buffer,
        texels: TexelFormat::Rgba8,
        offset: 0,
        bytes_per_row: 4 * SIZE[0],
    };
    let target = storage(&gpu, &[0; 16 * 11 * 8]);
    let to = BlockTarget::Buffer { buffer: &target, offset: 0, bytes_per_row: 16 * 8 };
    let whole = REGIONS[0];
    let read_usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
    let bc1_usage = TextureUsages::COPY_DST | TextureUsages::TEXTURE_BINDING;
    let rgba = texture(&gpu, TextureFormat::Rgba8Unorm, SIZE, read_usage);
    let whole_numbers = texture(&gpu, TextureFormat::Rgba8Uint, SIZE, read_usage);
    let unread = texture(&gpu, TextureFormat::Rgba8Unorm, SIZE, TextureUsages::COPY_DST);
    let bc1 = texture(&gpu, TextureFormat::Bc1RgbaUnorm, [64, 44], bc1_usage);
    let bc4 = texture(&gpu, TextureFormat::Bc4RUnorm, [64, 44], bc1_usage);
    let unwritten = texture(&gpu, TextureFormat::Bc1RgbaUnorm, [64, 44], TextureUsages::TEXTURE_BINDING);
    let describe = |dimension, depth_or_array_layers, sample_count| {
        let usage = TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST;
        let sampled = TextureUsages::TEXTURE_BINDING | TextureUsages::RENDER_ATTACHMENT;
        gpu.context().device().create_texture(&wgpu::TextureDescriptor {
            label: Some("test"),
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers },
            mip_level_count: 1,
            sample_count,
            dimension,
            format: TextureFormat::Rgba8UnormSrgb,
            usage: if sample_count > 1 { sampled } else { usage },
            view_formats: &[],
        })
    };
    let solid = describe(wgpu::TextureDimension::D3, 2, 1);
    let unviewable = describe(wgpu::TextureDimension::D2, 1, 1);
    let multisampled = describe(wgpu::TextureDimension::D2, 1, 4);
    let mut commands = commands(&gpu);
    let mut fails = |from: TexelSource<'_>, region: BlockRegion, to: BlockTarget<'_>, said: &str| {
        let error = gpu
            .record(&mut commands, &Recording::new(from, region, to), BlockFormat::Bc1, &options)
            .expect_err(said);
        let is_of_wgpu = matches!(&error, EncodeError::Gpu(GpuError::Validation { .. }));
        let is_expected =
            if said == "the source: " { is_of_wgpu } else { error.kind() == ErrorKind::Argument };
        assert!(is_expected, "{error:?}");
        assert!(error.to_string().contains(said), "\"{error}\" does not say \"{said}\"");
    };
    let source = |texture, mip_level, layer| TexelSource::Texture { texture, mip_level, layer };
    let ends = "the source: the region ends at";
    fails(source(&rgba, 0, 0), BlockRegion { origin: [1, 0], size: SIZE }, to, ends);
    fails(source(&rgba, 1, 0), BlockRegion { origin: [0, 0], size: [30, 22] }, to, ends);
    fails(source(&rgba, 0, 0), BlockRegion { origin: [u32::MAX; 2], size: [1, 1] }, to, ends);
    fails(source(&rgba, 3, 0), REGIONS[1], to, "the source: there is no mip level 3 of 3");
    fails(source(&rgba, 0, 2), whole, to, "the source: there is no layer 2 of 2");
    fails(source(&whole_numbers, 0, 0), whole, to, "the source: Rgba8Uint is not loaded as floats");
    fails(source(&unread, 0, 0), whole, to, "the source: the texture's usage lacks TEXTURE_BINDING");
    fails(source(&solid, 0, 0), whole, to, "the source: the texture is D3, not D2");
    fails(source(&multisampled, 0, 0), whole, to, "the source: the texture has 4 samples");
    // These are wgpu's own words.
    fails(source(&unviewable, 0, 0), whole, to, "the source: ");
    let target =
        |texture, mip_level, layer, origin| BlockTarget::Texture { texture, mip_level, layer, origin };
    fails(from, whole, target(&rgba, 0, 0, [0, 0]), "the target: Rgba8Unorm is not Bc1RgbaUnorm");
    fails(from, whole, target(&bc4, 0, 0, [0, 0]), "the target: Bc4RUnorm is not Bc1RgbaUnorm");
    fails(from, whole, target(&unwritten, 0, 0, [0, 0]), "the target: the texture's usage lacks COPY_DST");
    fails(from, whole, target(&bc1, 0, 2, [0, 0]), "the target: there is no layer 2 of 2");
    fails(from, whole, target(&bc1, 3, 0, [0, 0]), "the target: there is no mip level 3 of 3");
    fails(
        from,
        REGIONS[3],
        target(&bc1, 0, 0, [2, 4]),
        "the target: its origin is [2, 4], not a multiple of 4",
    );
    let ends = "the target: the region ends at";
    fails(from, whole, target(&bc1, 0, 0, [4, 0]), ends);
    fails(from, whole, target(&bc1, 0, 0, [0, 4]), ends);
    fails(from, whole, target(&bc1, 1, 0, [0, 0]), ends);
    fails(from, REGIONS[1], target(&bc1, 0, 0, [u32::MAX - 3; 2]), ends);
    gpu.record(
        &mut commands,
        &Recording::new(from, whole, target(&bc1, 0, 0, [0, 0])),
        BlockFormat::Bc1,
        &options,
    )
    .unwrap();
    submit(&gpu, commands);
    gpu.context().poll().unwrap();
}

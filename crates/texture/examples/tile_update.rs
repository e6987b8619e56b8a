//! A virtual texture: tiles are compressed into a sub-rectangle of a texture that exists, and into the part
//! of its mip levels that shows the same, while the rest stays. The texture is then sampled.
//!
//! `cargo run --release -p brickwork-texture --features gpu --example tile_update [PNG]`
//!
//! The image, mip level 0 with the others below it, goes to `target/tile_update.png` unless said otherwise.

use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, RealTime, Task, TextureDesc,
    direct::CompressedTarget,
    gpu::{
        Binding, BlockRegion, BlockTarget, Context, Download, GpuEncoder, Kernel, Recording, TexelSource,
        filled_buffer, wgpu,
    },
};
use std::{error::Error, fs, io::BufWriter, path::PathBuf};
use wgpu::{TextureFormat, TextureUsages};

/// The texture, its tiles, and its mip levels; a tile is at least a block in each of them.
const SIZE: u32 = 512;
const TILE: u32 = 64;
const LEVELS: u32 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).map_or_else(|| "target/tile_update.png".into(), PathBuf::from);
    let (how, (texels, [width, height])) = update(pollster::block_on(open())?)?;
    println!("{how}");
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let texels = PngTexels::Rgba8(&texels);
    write_png(
        &mut BufWriter::new(fs::File::create(&file)?),
        width,
        height,
        texels,
        ColorSpace::Srgb,
        &Task::new(),
    )?;
    println!("{}", file.display());
    Ok(())
}

async fn open() -> Result<(wgpu::Device, wgpu::Queue), Box<dyn Error>> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = instance.request_adapter(&Default::default()).await?;
    let description = wgpu::DeviceDescriptor {
        required_features: wgpu::Features::TEXTURE_COMPRESSION_BC,
        ..Default::default()
    };
    Ok(adapter.request_device(&description).await?)
}

/// A page that was loaded: a disc on a ground, both of the tile's own colours.
fn page(x: u32, y: u32) -> Vec<[u8; 4]> {
    let shade = |at: u32, phase: u32| (128.0 + 110.0 * (at as f32 * 0.8 + phase as f32).sin()) as u8;
    let (ground, disc) =
        ([shade(x, 0), shade(y, 1), shade(x + y, 2), 255], [shade(y, 4), shade(x, 5), 90, 255]);
    let middle = (TILE - 1) as f32 / 2.0;
    let inside = |at: u32| {
        let [dx, dy] = [at % TILE, at / TILE].map(|place| place as f32 - middle);
        dx.hypot(dy) < 0.38 * TILE as f32
    };
    (0..TILE * TILE).map(|at| if inside(at) { disc } else { ground }).collect()
}

/// The mean of each 2×2 texels.
fn halved(texels: &[[u8; 4]], side: usize) -> Vec<[u8; 4]> {
    let mean = |x: usize, y: usize, c: usize| {
        let sum: u32 =
            [0, 1, side, side + 1].map(|d| u32::from(texels[2 * y * side + 2 * x + d][c])).iter().sum();
        ((sum + 2) / 4) as u8
    };
    let half = side / 2;
    (0..half * half).map(|at| [0, 1, 2, 3].map(|c| mean(at % half, at / half, c))).collect()
}

/// Texels, width and height.
type Picture = (Vec<[u8; 4]>, [u32; 2]);

/// Writes tiles, and returns the strategy and the sampled mip levels in one image.
fn update((device, queue): (wgpu::Device, wgpu::Queue)) -> Result<(String, Picture), Box<dyn Error>> {
    let context = Context::adopt(device.clone(), queue.clone());
    let encoder = GpuEncoder::new(context.clone());
    let options = EncodeOptions::default().with(|o| o.real_time = Some(RealTime::Level2));
    let desc = TextureDesc::new_2d(BlockFormat::Bc7, SIZE, SIZE).with_mip_levels(LEVELS);
    let atlas = CompressedTarget::new(&encoder, &desc, &Task::new())?;

    // Every other tile, as if the others were not needed yet.
    for (x, y) in (0..SIZE / TILE).flat_map(|y| (0..SIZE / TILE).map(move |x| (x, y))) {
        if (x + y) % 2 == 1 {
            continue;
        }
        let mut texels = page(x, y);
        let mut commands = device.create_command_encoder(&Default::default());
        for mip_level in 0..LEVELS {
            let side = TILE >> mip_level;
            let page = upload(&device, &queue, &texels, side);
            encoder.record(
                &mut commands,
                &Recording::new(
                    TexelSource::Texture { texture: &page, mip_level: 0, layer: 0 },
                    BlockRegion { origin: [0, 0], size: [side, side] },
                    BlockTarget::Direct { target: &atlas, mip_level, layer: 0, origin: [x * side, y * side] },
                ),
                BlockFormat::Bc7,
                &options,
            )?;
            texels = halved(&texels, side as usize);
        }
        queue.submit([commands.finish()]);
    }
    let how = format!("{}, {}: {}", device.adapter_info().name, atlas.strategy(), atlas.reason());
    Ok((how, sample(&context, atlas.texture())?))
}

fn upload(device: &wgpu::Device, queue: &wgpu::Queue, texels: &[[u8; 4]], side: u32) -> wgpu::Texture {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("page"),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: TextureFormat::Rgba8Unorm,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * side), rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), texels.as_flattened(), layout, texture.size());
    texture
}

/// A shader reads all mip levels: the largest, and the others side by side below it.
fn sample(context: &Context, texture: &wgpu::Texture) -> Result<Picture, Box<dyn Error>> {
    let kernel = Kernel::new("sample levels", &[Binding::Texture, Binding::Write]).part(
        "@group(0) @binding(0) var source: texture_2d<f32>;
         @group(0) @binding(1) var<storage, read_write> found: array<u32>;
         @compute @workgroup_size(8, 8)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {
             let width = textureDimensions(source, 0).x;
             let height = width + width / 2u;
             if id.x >= width || id.y >= height { return; }
             var level = 0;
             var at = id.xy;
             if id.y >= width {
                 at.y -= width;
                 level = 1;
                 while level < 4 && at.x >= (width >> u32(level)) { at.x -= width >> u32(level); level++; }
             }
             let is_inside = level < 4 && at.y < (width >> u32(level));
             let texel = textureLoad(source, at, min(level, 3));
             found[id.y * width + id.x] = pack4x8unorm(select(vec4(0.0, 0.0, 0.0, 1.0), texel, is_inside));
         }",
    );
    let [width, height] = [SIZE, SIZE + SIZE / 2];
    let device = context.device();
    let pipeline = context.pipeline(&kernel)?;
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let found = filled_buffer(device, "found", &vec![0; (4 * width * height) as usize], usage);
    let view = texture.create_view(&Default::default());
    let bound = [wgpu::BindingResource::TextureView(&view), found.as_entire_binding()];
    let bound = pipeline.bind(device, &bound);
    let mut commands = device.create_command_encoder(&Default::default());
    let mut pass = commands.begin_compute_pass(&Default::default());
    pipeline.dispatch_grid(&mut pass, &bound, [width.div_ceil(8), height.div_ceil(8)]);
    drop(pass);
    context.queue().submit([commands.finish()]);
    let bytes = Download::new(context, &found, 0..found.size())?.wait(context)?;
    Ok((bytes.as_chunks().0.to_vec(), [width, height]))
}

#[test]
fn tiles_are_where_they_belong() {
    let opened = match pollster::block_on(open()) {
        Ok(opened) => opened,
        Err(error) => return brickwork_base::testing::skip_without_gpu(error),
    };
    let (how, (texels, [width, _])) = update(opened).unwrap();
    // In each mip level, the middle of each tile is its disc, or still nothing.
    for (x, y) in (0..SIZE / TILE).flat_map(|y| (0..SIZE / TILE).map(move |x| (x, y))) {
        let expected =
            if (x + y) % 2 == 1 { [0; 4] } else { page(x, y)[(TILE * TILE / 2 + TILE / 2) as usize] };
        for level in 0..LEVELS {
            let side = TILE >> level;
            let left: u32 = (1..level).map(|level| SIZE >> level).sum();
            let top = if level == 0 { 0 } else { SIZE };
            let at = (top + y * side + side / 2) * width + left + x * side + side / 2;
            let found = texels[at as usize];
            let is_close = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 8);
            assert!(is_close, "{how}: tile ({x}, {y}), level {level}: {found:?}, not {expected:?}");
        }
    }
}

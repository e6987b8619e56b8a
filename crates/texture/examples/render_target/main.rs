//! An application with its own wgpu device compresses what it draws, every frame, and draws with the
//! compressed textures, all in one submission:
//!
//! ```text
//! scene → render target (Rgba8UnormSrgb) → GpuEncoder::record → BC7 and BC1 textures
//!       → a second pass samples them → image: BC7 at the left, BC1 at the right
//! ```
//!
//! Blocks are written straight into the textures where the device allows it: `CompressedTarget` finds out.
//!
//! `cargo run --release -p brickwork-texture --features gpu --example render_target [PNG]`
//!
//! The last frame goes to `target/render_target.png` unless said otherwise.

mod scene;

use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{
    BlockFormat, ColorSpace, CpuEncoder, EncodeOptions, ImageView, ImageViewMut, Quality, RealTime,
    RoundingRule, Task, TextureDesc, decode_into,
    direct::CompressedTarget,
    gpu::{BlockRegion, BlockTarget, Context, Download, GpuEncoder, Recording, TexelSource, wgpu},
    metrics,
};
use scene::Scene;
use std::{collections::HashSet, error::Error, fs, io::BufWriter, path::PathBuf};
use wgpu::{TextureFormat, TextureUsages};

/// The render target. Its rows of 4-byte texels are multiples of 256 bytes, as copies to buffers require.
const SIZE: [u32; 2] = [768, 512];
const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;
const FRAMES: u32 = 4;
/// In dB. BC1 gives such an image about 40 dB.
const MIN_PSNR: f64 = 30.0;

/// The formats of the two halves of the image.
fn encodings() -> [(BlockFormat, EncodeOptions); 2] {
    [
        (BlockFormat::Bc7, EncodeOptions::default().with(|o| o.real_time = Some(RealTime::Level2))),
        (BlockFormat::Bc1, EncodeOptions::default().with(|o| o.quality = Quality::Ultrafast)),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).map_or_else(|| "target/render_target.png".into(), PathBuf::from);
    let (device, queue) = pollster::block_on(open())?;
    let name = device.adapter_info().name;
    let frame = draw(device, queue)?;
    println!("{name}: {FRAMES} frames, {} colours in the last", frame.colors);
    for half in &frame.halves {
        println!("{}, {}", half.name, half.how);
        println!("  {:.2} dB RGB of what was sampled against what was drawn", half.psnr);
        println!("  {:.2} dB by the CPU's encoder and decoder", half.psnr_of_cpu);
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let texels = PngTexels::Rgba8(&frame.sampled);
    write_png(
        &mut BufWriter::new(fs::File::create(&file)?),
        SIZE[0],
        SIZE[1],
        texels,
        ColorSpace::Srgb,
        &Task::new(),
    )?;
    println!("{}", file.display());
    let is_good = frame.halves.iter().all(|half| half.psnr > MIN_PSNR);
    if is_good { Ok(()) } else { Err("a compressed texture is not what was drawn".into()) }
}

/// The application's own device. Brickwork needs the default limits; BC textures are a feature.
async fn open() -> Result<(wgpu::Device, wgpu::Queue), Box<dyn Error>> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = instance.request_adapter(&Default::default()).await?;
    let description = wgpu::DeviceDescriptor {
        required_features: wgpu::Features::TEXTURE_COMPRESSION_BC,
        ..Default::default()
    };
    Ok(adapter.request_device(&description).await?)
}

/// The last frame.
struct Frame {
    /// Colours that were drawn.
    colors: usize,
    sampled: Vec<[u8; 4]>,
    halves: Vec<Half>,
}

/// The result of one half.
struct Half {
    name: String,
    how: String,
    psnr: f64,
    psnr_of_cpu: f64,
}

impl Half {
    fn new(
        place: usize,
        target: &CompressedTarget,
        drawn: &[[u8; 4]],
        sampled: &[[u8; 4]],
    ) -> Result<Self, Box<dyn Error>> {
        let (format, options) = encodings()[place];
        let [width, height] = SIZE;
        let mut blocks = vec![0; format.image_bytes(width, height) as usize];
        let image = ImageView::new(drawn, width, height)?;
        CpuEncoder::new().encode_into(&image, format, &options, &mut blocks, &Task::new())?;
        let mut decoded = vec![[0; 4]; drawn.len()];
        let mut view = ImageViewMut::new(&mut decoded[..], width, height)?;
        decode_into(format, &blocks, RoundingRule::Exact, &mut view, &Task::new())?;
        let psnr = |texels: &[[u8; 4]]| -> Result<f64, Box<dyn Error>> {
            let [drawn, texels] = [drawn, texels].map(|all| {
                ImageView::with_stride(&all[place * width as usize / 2..], width / 2, height, width as usize)
            });
            Ok(metrics::compare(&drawn?, &texels?, &Task::new())?.psnr_rgb())
        };
        Ok(Self {
            name: format!("{format}"),
            how: format!("{}: {}", target.strategy(), target.reason()),
            psnr: psnr(sampled)?,
            psnr_of_cpu: psnr(&decoded)?,
        })
    }
}

fn draw(device: wgpu::Device, queue: wgpu::Queue) -> Result<Frame, Box<dyn Error>> {
    let texture = |label, usage, view_formats| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage,
            view_formats,
        })
    };
    let attachment = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
    // The encoder views the texture as its linear format: it encodes the sRGB values as they are stored.
    let drawn = texture("drawn", attachment | TextureUsages::TEXTURE_BINDING, &[TextureFormat::Rgba8Unorm]);
    let picture = texture("picture", attachment, &[]);

    // Once: the encoder on the application's device, the textures that it writes, then the application's own
    // pipelines.
    let context = Context::adopt(device.clone(), queue.clone());
    let encoder = GpuEncoder::new(context.clone());
    let mut targets = Vec::new();
    for (format, _) in encodings() {
        let desc = TextureDesc::new_2d(format, SIZE[0], SIZE[1]).with_color_space(ColorSpace::Srgb);
        targets.push(CompressedTarget::new(&encoder, &desc, &Task::new())?);
    }
    let (scene, screen) = (Scene::new(&device, FORMAT), Screen::new(&device, &targets));

    // Every frame: draw, compress, draw with the compressed textures. Nothing is read back.
    for frame in 0..FRAMES {
        let mut commands = device.create_command_encoder(&Default::default());
        scene.draw(&device, &mut commands, &drawn, frame);
        for (target, (format, options)) in targets.iter().zip(encodings()) {
            let source = TexelSource::Texture { texture: &drawn, mip_level: 0, layer: 0 };
            let region = BlockRegion { origin: [0, 0], size: SIZE };
            let target = BlockTarget::Direct { target, mip_level: 0, layer: 0, origin: [0, 0] };
            encoder.record(&mut commands, &Recording::new(source, region, target), format, &options)?;
        }
        screen.draw(&mut commands, &picture);
        queue.submit([commands.finish()]);
    }

    // Only to show the result.
    let read = |texture: &wgpu::Texture| -> Result<Vec<[u8; 4]>, Box<dyn Error>> {
        let bytes = 4 * u64::from(SIZE[0]) * u64::from(SIZE[1]);
        let staging = Download::staging(&context, bytes)?;
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE[0]), rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: &staging, layout };
        let mut commands = device.create_command_encoder(&Default::default());
        commands.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        let bytes = Download::submitted(&staging, bytes, queue.submit([commands.finish()])).wait(&context)?;
        Ok(bytes.as_chunks().0.to_vec())
    };
    let (drawn, sampled) = (read(&drawn)?, read(&picture)?);
    let halves = targets.iter().enumerate();
    let halves = halves.map(|(place, target)| Half::new(place, target, &drawn, &sampled));
    let halves = halves.collect::<Result<_, _>>()?;
    Ok(Frame { colors: drawn.iter().collect::<HashSet<_>>().len(), sampled, halves })
}

/// Draws one texture over the left half of the image, and another over the right.
struct Screen {
    pipeline: wgpu::RenderPipeline,
    bound: Vec<wgpu::BindGroup>,
}

impl Screen {
    fn new(device: &wgpu::Device, targets: &[CompressedTarget]) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("show.wgsl"));
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("screen"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("cover"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("show"),
                compilation_options: Default::default(),
                targets: &[Some(FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&Default::default());
        let bound = targets.iter().map(|target| {
            let view = target.texture().create_view(&Default::default());
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("screen"),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
                ],
            })
        });
        let bound = bound.collect();
        Self { pipeline, bound }
    }

    fn draw(&self, commands: &mut wgpu::CommandEncoder, target: &wgpu::Texture) {
        let mut pass = commands.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("screen"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.create_view(&Default::default()),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        for (place, bound) in (0..).zip(&self.bound) {
            pass.set_bind_group(0, bound, &[]);
            pass.set_scissor_rect(place * SIZE[0] / 2, 0, SIZE[0] / 2, SIZE[1]);
            pass.draw(0..3, 0..1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compressed_textures_show_what_was_drawn() {
        let (device, queue) = match pollster::block_on(open()) {
            Ok(opened) => opened,
            Err(error) => return brickwork_base::testing::skip_without_gpu(error),
        };
        let frame = draw(device, queue).unwrap();
        // Not just the sky.
        assert!(frame.colors > 1000);
        for Half { name, how, psnr, psnr_of_cpu } in &frame.halves {
            // The blocks are those of the CPU; GPUs round differently when they decode BC1.
            let is_close = *psnr > MIN_PSNR && (psnr - psnr_of_cpu).abs() < 1.0;
            assert!(is_close, "{name}, {how}: {psnr} dB, by the CPU {psnr_of_cpu} dB");
        }
    }
}

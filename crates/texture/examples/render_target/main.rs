//! An application with its own wgpu device compresses what it has drawn, and draws with the compressed
//! texture, all in one submission:
//!
//! ```text
//! scene → render target (Rgba8UnormSrgb) → GpuEncoder::record → BC1 texture
//!       → a second pass samples it → picture
//! ```
//!
//! `cargo run --release -p brickwork-texture --features gpu --example render_target [PNG]`
//!
//! The picture goes to `target/render_target.png` unless said otherwise.

mod scene;

use brickwork_texture::{
    BlockFormat, ColorSpace, CpuEncoder, Decoder, EncodeOptions, ImageView,
    gpu::{BlockTarget, Context, Download, GpuEncoder, Region, TexelSource, wgpu},
    image_file::{PngTexels, write_png},
    metrics,
};
use scene::Scene;
use std::{error::Error, fs, io::BufWriter, path::PathBuf};
use wgpu::{TextureFormat, TextureUsages};

/// The render target. Its rows of 4-byte texels are multiples of 256 bytes, as copies to buffers require.
const SIZE: [u32; 2] = [768, 512];
const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;
/// In dB. BC1 gives such a picture more than 40 dB.
const LEAST_PSNR: f64 = 30.0;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).map_or_else(|| "target/render_target.png".into(), PathBuf::from);
    let (device, queue) = pollster::block_on(open())?;
    let frame = draw(device, queue)?;
    let psnr = frame.psnr()?;
    println!("{}: {psnr:.2} dB RGB of what was sampled against what was drawn", frame.adapter);
    println!("{:.2} dB by the CPU's encoder and decoder", frame.psnr_of_cpu()?);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let texels = PngTexels::Rgba8(&frame.sampled);
    write_png(&mut BufWriter::new(fs::File::create(&file)?), SIZE[0], SIZE[1], texels, ColorSpace::Srgb)?;
    println!("{}", file.display());
    if psnr > LEAST_PSNR { Ok(()) } else { Err("the BC1 texture is not what was drawn".into()) }
}

/// The application's own device. Brickwork needs the default limits; BC1 textures are a feature.
async fn open() -> Result<(wgpu::Device, wgpu::Queue), Box<dyn Error>> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = instance.request_adapter(&Default::default()).await?;
    let description = wgpu::DeviceDescriptor {
        required_features: wgpu::Features::TEXTURE_COMPRESSION_BC,
        ..Default::default()
    };
    Ok(adapter.request_device(&description).await?)
}

/// What was drawn, and what the GPU sampled from the BC1 texture.
struct Frame {
    adapter: String,
    drawn: Vec<[u8; 4]>,
    sampled: Vec<[u8; 4]>,
}

impl Frame {
    fn view(texels: &[[u8; 4]]) -> Result<ImageView<'_, [u8; 4]>, Box<dyn Error>> {
        Ok(ImageView::new(texels, SIZE[0], SIZE[1])?)
    }

    fn psnr(&self) -> Result<f64, Box<dyn Error>> {
        Ok(metrics::compare(&Self::view(&self.drawn)?, &Self::view(&self.sampled)?)?.psnr_rgb())
    }

    fn psnr_of_cpu(&self) -> Result<f64, Box<dyn Error>> {
        let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(SIZE[0], SIZE[1]) as usize];
        let image = Self::view(&self.drawn)?;
        CpuEncoder::new().encode_into(&image, BlockFormat::Bc1, &EncodeOptions::default(), &mut blocks)?;
        Ok(metrics::compare_blocks(&image, BlockFormat::Bc1, &blocks, Decoder::Exact)?.psnr_rgb())
    }
}

fn draw(device: wgpu::Device, queue: wgpu::Queue) -> Result<Frame, Box<dyn Error>> {
    let texture = |label, format, usage, view_formats| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats,
        })
    };
    let attachment = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
    // The encoder views the texture as its linear format: it encodes the sRGB values as they are stored.
    let drawn =
        texture("drawn", FORMAT, attachment | TextureUsages::TEXTURE_BINDING, &[TextureFormat::Rgba8Unorm]);
    let bc1_usage = TextureUsages::COPY_DST | TextureUsages::TEXTURE_BINDING;
    let bc1 = texture("bc1", TextureFormat::Bc1RgbaUnormSrgb, bc1_usage, &[]);
    let picture = texture("picture", FORMAT, attachment, &[]);

    // Once: the encoder on the application's device, then the application's own pipelines.
    let context = Context::adopt(device.clone(), queue.clone());
    let encoder = GpuEncoder::new(context.clone());
    let (scene, screen) = (Scene::new(&device, FORMAT), Screen::new(&device, &bc1));

    // Every frame: draw, compress, draw with the compressed texture. Nothing is read back.
    let mut commands = device.create_command_encoder(&Default::default());
    scene.draw(&device, &mut commands, &drawn);
    let source = TexelSource::Texture { texture: &drawn, mip_level: 0, layer: 0 };
    let target = BlockTarget::Texture { texture: &bc1, mip_level: 0, layer: 0, origin: [0, 0] };
    let region = Region { origin: [0, 0], size: SIZE };
    encoder.record(&mut commands, source, region, target, BlockFormat::Bc1, &EncodeOptions::default())?;
    screen.draw(&mut commands, &picture);

    // Only to show the result.
    let bytes = 4 * u64::from(SIZE[0]) * u64::from(SIZE[1]);
    let mut copy = |texture: &wgpu::Texture| -> Result<wgpu::Buffer, Box<dyn Error>> {
        let staging = Download::staging(&context, bytes)?;
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE[0]), rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: &staging, layout };
        commands.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        Ok(staging)
    };
    let (drawn, sampled) = (copy(&drawn)?, copy(&picture)?);
    let submission = queue.submit([commands.finish()]);
    let read = |staging| -> Result<Vec<[u8; 4]>, Box<dyn Error>> {
        let bytes = Download::submitted(staging, bytes, submission.clone()).wait(&context)?;
        Ok(bytes.as_chunks().0.to_vec())
    };
    Ok(Frame { adapter: device.adapter_info().name, drawn: read(&drawn)?, sampled: read(&sampled)? })
}

/// Draws one texture over the whole picture.
struct Screen {
    pipeline: wgpu::RenderPipeline,
    bound: wgpu::BindGroup,
}

impl Screen {
    fn new(device: &wgpu::Device, texture: &wgpu::Texture) -> Self {
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
        let view = texture.create_view(&Default::default());
        let sampler = device.create_sampler(&Default::default());
        let bound = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("screen"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
            ],
        });
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
        pass.set_bind_group(0, &self.bound, &[]);
        pass.draw(0..3, 0..1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_bc1_texture_shows_what_was_drawn() {
        let (device, queue) = match pollster::block_on(open()) {
            Ok(opened) => opened,
            Err(error) if std::env::var_os("BRICKWORK_REQUIRE_GPU").is_some() => panic!("{error}"),
            Err(error) => return println!("skipped: no adapter with BC textures ({error})"),
        };
        let frame = draw(device, queue).unwrap();
        // Not just the sky.
        assert!(frame.drawn.iter().collect::<HashSet<_>>().len() > 1000);
        let (psnr, cpu) = (frame.psnr().unwrap(), frame.psnr_of_cpu().unwrap());
        // The blocks are those of the CPU; GPUs round differently when they decode.
        assert!(psnr > LEAST_PSNR && (psnr - cpu).abs() < 1.0, "{psnr} dB, by the CPU {cpu} dB");
    }
}

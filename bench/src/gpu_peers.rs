//! Brickwork's encoder for GPUs against block_compression's, on one device in one process.
//!
//! Both read the same texture and write blocks to a buffer. The time is the GPU's own, between two timestamps
//! around the commands of one image, without upload and read-back.

use crate::{
    gpu_clock::Clock,
    picture::Picture,
    quality,
    report::three_digits,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result, ensure};
use block_compression::{CompressionVariant, GpuBlockCompressor};
use brickwork_texture::{
    BlockFormat, EncodeOptions, Quality, RoundingRule,
    bc::bc1::Bc1Options,
    gpu::{
        AdapterInfo, BlockRegion, BlockTarget, Context, Download, GpuEncoder, Recording, TexelSource, wgpu,
    },
};
use wgpu::{BufferUsages, TextureUsages};

/// An encoder on a GPU, which writes the blocks of one picture to a buffer.
enum Encoder {
    BlockCompression(Box<GpuBlockCompressor>),
    Brickwork(GpuEncoder, EncodeOptions),
}

struct Contestant {
    name: String,
    encoder: Encoder,
    /// Blocks of each picture, as encoded first.
    blocks: Vec<Vec<u8>>,
    exact_db: f64,
    trunc_db: f64,
    /// Milliseconds that all pictures took, per round.
    milliseconds: Vec<f64>,
}

/// A picture on the GPU, and where its blocks go.
struct Uploaded {
    texture: wgpu::Texture,
    blocks: wgpu::Buffer,
}

impl Uploaded {
    fn new(context: &Context, picture: &Picture) -> Result<Self> {
        let size = wgpu::Extent3d { width: picture.width, height: picture.height, depth_or_array_layers: 1 };
        let texture = context.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * picture.width),
            rows_per_image: None,
        };
        context.queue().write_texture(texture.as_image_copy(), picture.bytes(), layout, size);
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        Ok(Self {
            blocks: context.buffer("blocks", picture.block_bytes(BlockFormat::Bc1) as u64, usage)?,
            texture,
        })
    }
}

impl Encoder {
    fn record(&mut self, commands: &mut wgpu::CommandEncoder, picture: &Uploaded) -> Result<()> {
        let Uploaded { texture, blocks } = picture;
        let size = [texture.width(), texture.height()];
        match self {
            Self::BlockCompression(compressor) => {
                let view = texture.create_view(&Default::default());
                let [width, height] = size;
                let variant = CompressionVariant::BC1;
                compressor.add_compression_task(variant, &view, width, height, blocks, None, None);
                compressor.compress(&mut commands.begin_compute_pass(&Default::default()));
            }
            Self::Brickwork(encoder, options) => {
                let source = TexelSource::Texture { texture, mip_level: 0, layer: 0 };
                let target = BlockTarget::Buffer { buffer: blocks, offset: 0, bytes_per_row: 2 * size[0] };
                encoder.record(
                    commands,
                    &Recording::new(source, BlockRegion { origin: [0, 0], size }, target),
                    BlockFormat::Bc1,
                    options,
                )?;
            }
        }
        Ok(())
    }

    /// Encodes a picture; how many milliseconds the GPU took.
    fn run(&mut self, context: &Context, clock: &Clock, picture: &Uploaded) -> Result<f64> {
        let mut commands = context.device().create_command_encoder(&Default::default());
        clock.note(&mut commands, 0);
        self.record(&mut commands, picture)?;
        clock.note(&mut commands, 1);
        clock.resolve(&mut commands);
        context.checked("encoding", || context.queue().submit([commands.finish()]))?;
        clock.milliseconds(context)
    }
}

fn contestants(context: &Context) -> Vec<Contestant> {
    let contestant = |name, encoder| Contestant {
        name,
        encoder,
        blocks: Vec::new(),
        exact_db: 0.0,
        trunc_db: 0.0,
        milliseconds: Vec::new(),
    };
    let compressor = GpuBlockCompressor::new(context.device().clone(), context.queue().clone());
    let name = format!("{} (GPU)", crate::peers::package("block_compression"));
    let mut all = vec![contestant(name, Encoder::BlockCompression(Box::new(compressor)))];
    for rule in [RoundingRule::Exact, RoundingRule::Trunc] {
        for &quality in Quality::ALL {
            let opaque = Bc1Options::new().with_alpha_threshold(0);
            let options =
                EncodeOptions::new().with_quality(quality).with_rounding_rule(rule).with_bc1(opaque);
            let suffix = if rule == RoundingRule::Trunc { ", for trunc" } else { "" };
            let encoder = Encoder::Brickwork(GpuEncoder::new(context.clone()), options);
            all.push(contestant(format!("Brickwork {}{suffix}", quality.name()), encoder));
        }
    }
    all
}

/// Encodes all pictures once for the quality, then `round_count` times for the time, one encoder after the
/// other in each round, and returns the table. For a software adapter it contains only ratios of times.
pub fn run(context: &Context, pictures: &[Picture], round_count: usize) -> Result<String> {
    let uploaded =
        pictures.iter().map(|picture| Uploaded::new(context, picture)).collect::<Result<Vec<_>>>()?;
    let clock = Clock::new(context.device())?;
    let mut all = contestants(context);
    for contestant in &mut all {
        eprintln!("quality: {}", contestant.name);
        for (picture, uploaded) in pictures.iter().zip(&uploaded) {
            contestant.encoder.run(context, &clock, uploaded)?;
            let size = uploaded.blocks.size();
            let blocks = Download::new(context, &uploaded.blocks, 0..size)?.wait(context)?;
            let exact = quality::decode(picture, BlockFormat::Bc1, &blocks, RoundingRule::Exact)?;
            ensure!(exact.transparent_count == 0, "{} makes texels transparent", contestant.name);
            contestant.exact_db += exact.psnr_db / pictures.len() as f64;
            let trunc = quality::decode(picture, BlockFormat::Bc1, &blocks, RoundingRule::Trunc)?;
            contestant.trunc_db += trunc.psnr_db / pictures.len() as f64;
            contestant.blocks.push(blocks);
        }
    }
    for round in 0..round_count {
        eprintln!("time: round {} of {round_count}", round + 1);
        for contestant in &mut all {
            let mut milliseconds = 0.0;
            for uploaded in &uploaded {
                milliseconds += contestant.encoder.run(context, &clock, uploaded)?;
            }
            contestant.milliseconds.push(milliseconds);
            // The timed work is the compared work.
            let (last, blocks) = uploaded.iter().zip(&contestant.blocks).next_back().context("no picture")?;
            let size = last.blocks.size();
            let again = Download::new(context, &last.blocks, 0..size)?.wait(context)?;
            ensure!(again == *blocks, "{} gives other blocks in round {}", contestant.name, round + 1);
        }
    }
    let is_software = context.info().is_some_and(AdapterInfo::is_software);
    Ok(table(&all, pictures, is_software).to_markdown())
}

fn table(all: &[Contestant], pictures: &[Picture], is_software: bool) -> Table {
    let texel_count: usize = pictures.iter().map(Picture::texel_count).sum();
    let ratio = |contestant: &Contestant| {
        let ratios = contestant.milliseconds.iter().zip(&all[0].milliseconds).map(|(own, peer)| own / peer);
        three_digits(crate::measure::median(ratios.collect()))
    };
    let mut columns =
        vec![Text("encoder"), Number("exact, dB"), Number("trunc, dB"), Number("time ÷ peer's")];
    if !is_software {
        columns.extend([Number("ms per image"), Number("Mpix/s")]);
    }
    let mut table = Table::new(&columns);
    for contestant in all {
        let [exact, trunc] =
            [contestant.exact_db, contestant.trunc_db].map(|psnr_db| format!("{psnr_db:.3}"));
        let (name, ratio) = (contestant.name.clone(), ratio(contestant));
        if is_software {
            table.push([name, exact, trunc, ratio]);
        } else {
            let milliseconds = crate::measure::median(contestant.milliseconds.clone());
            let each = format!("{:.4}", milliseconds / pictures.len() as f64);
            let rate = three_digits(texel_count as f64 / 1e3 / milliseconds);
            table.push([name, exact, trunc, ratio, each, rate]);
        }
    }
    table
}

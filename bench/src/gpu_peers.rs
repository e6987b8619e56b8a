//! Brickwork's encoder for GPUs against block_compression's, on one device in one process.
//!
//! Both write blocks to a buffer. Both read the same texture, except for BC6H, whose texels Brickwork reads
//! from a buffer. The time is the GPU's own, between two timestamps around the commands of one image, without
//! upload and read-back.

use crate::{
    gpu_clock::{Clock, Filler},
    hdr,
    picture::Picture,
    quality,
    report::three_digits,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result, ensure};
use block_compression::{BC6HSettings, BC7Settings, CompressionVariant, GpuBlockCompressor};
use brickwork_texture::{
    BlockFormat, EncodeOptions, ImageView, Quality, RealTime, RoundingRule, Task, TexelFormat,
    gpu::{
        AdapterInfo, BlockRegion, BlockTarget, Context, Download, GpuEncoder, Recording, TexelSource, wgpu,
    },
    half::f16,
    metrics::{HdrRange, compare_hdr_blocks},
};
use std::{cell::RefCell, rc::Rc};
use wgpu::{BufferUsages, TextureUsages};

/// The images of one format, all of one kind.
pub enum Pictures {
    /// Opaque images of 8 bits per channel.
    Unorm(Vec<Picture>),
    /// Images of half floats, none negative.
    Half(Vec<hdr::Picture>),
}

/// An encoder on a GPU, which writes the blocks of one picture to a buffer.
enum Encoder {
    BlockCompression(Rc<RefCell<GpuBlockCompressor>>, CompressionVariant),
    Brickwork(GpuEncoder, EncodeOptions),
}

struct Contestant {
    name: String,
    encoder: Encoder,
    /// Mean PSNR over the pictures by the exact decoder, in dB.
    psnr_db: f64,
    /// Milliseconds that the large image took, per round.
    milliseconds: Vec<f64>,
}

/// A picture on the GPU, and where its blocks go.
struct Uploaded {
    texture: wgpu::Texture,
    /// The texels of BC6H, for Brickwork.
    texels: Option<wgpu::Buffer>,
    blocks: wgpu::Buffer,
}

/// An image in memory.
#[derive(Clone, Copy)]
struct Source<'a> {
    width: u32,
    height: u32,
    texels: &'a [u8],
}

impl Uploaded {
    fn new(context: &Context, format: BlockFormat, source: Source<'_>) -> Result<Self> {
        let Source { width, height, texels } = source;
        let is_half = format == BlockFormat::Bc6hUfloat;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = context.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: match is_half {
                true => wgpu::TextureFormat::Rgba16Float,
                false => wgpu::TextureFormat::Rgba8Unorm,
            },
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(texels.len() as u32 / height),
            rows_per_image: None,
        };
        context.queue().write_texture(texture.as_image_copy(), texels, layout, size);
        let upload = || -> Result<wgpu::Buffer> {
            let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
            let buffer = context.buffer("texels", texels.len() as u64, usage)?;
            context.queue().write_buffer(&buffer, 0, texels);
            Ok(buffer)
        };
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        Ok(Self {
            texels: is_half.then(upload).transpose()?,
            blocks: context.buffer("blocks", format.image_bytes(width, height), usage)?,
            texture,
        })
    }

    fn read_blocks(&self, context: &Context) -> Result<Vec<u8>> {
        Ok(Download::new(context, &self.blocks, 0..self.blocks.size())?.wait(context)?)
    }
}

impl Encoder {
    fn record(
        &mut self,
        commands: &mut wgpu::CommandEncoder,
        format: BlockFormat,
        picture: &Uploaded,
    ) -> Result<()> {
        let Uploaded { texture, texels, blocks } = picture;
        let size = [texture.width(), texture.height()];
        match self {
            Self::BlockCompression(compressor, variant) => {
                let view = texture.create_view(&Default::default());
                let [width, height] = size;
                let mut compressor = compressor.borrow_mut();
                compressor.add_compression_task(*variant, &view, width, height, blocks, None, None);
                compressor.compress(&mut commands.begin_compute_pass(&Default::default()));
            }
            Self::Brickwork(encoder, options) => {
                let source = match texels {
                    None => TexelSource::Texture { texture, mip_level: 0, layer: 0 },
                    Some(buffer) => TexelSource::Buffer {
                        buffer,
                        texels: TexelFormat::RgbaF16,
                        offset: 0,
                        bytes_per_row: 8 * size[0],
                    },
                };
                let bytes_per_row = format.image_bytes(size[0], 4) as u32;
                let target = BlockTarget::Buffer { buffer: blocks, offset: 0, bytes_per_row };
                let region = BlockRegion { origin: [0, 0], size };
                encoder.record(commands, &Recording::new(source, region, target), format, options)?;
            }
        }
        Ok(())
    }

    /// Encodes a picture. Returns how many milliseconds the GPU took.
    fn run(
        &mut self,
        context: &Context,
        clock: &Clock,
        format: BlockFormat,
        picture: &Uploaded,
    ) -> Result<f64> {
        let mut commands = context.device().create_command_encoder(&Default::default());
        clock.note(&mut commands, 0);
        self.record(&mut commands, format, picture)?;
        clock.note(&mut commands, 1);
        clock.resolve(&mut commands);
        context.checked("encoding", || context.queue().submit([commands.finish()]))?;
        clock.milliseconds(context)
    }
}

/// Returns the peer's qualities of a format.
fn peers(format: BlockFormat) -> Result<Vec<(&'static str, CompressionVariant)>> {
    use CompressionVariant::{BC1, BC6H, BC7};
    Ok(match format {
        BlockFormat::Bc1 => vec![("", BC1)],
        BlockFormat::Bc6hUfloat => vec![
            (" very fast", BC6H(BC6HSettings::very_fast())),
            (" fast", BC6H(BC6HSettings::fast())),
            (" basic", BC6H(BC6HSettings::basic())),
            (" slow", BC6H(BC6HSettings::slow())),
            (" very slow", BC6H(BC6HSettings::very_slow())),
        ],
        BlockFormat::Bc7 => vec![
            (" ultra fast", BC7(BC7Settings::opaque_ultra_fast())),
            (" very fast", BC7(BC7Settings::opaque_very_fast())),
            (" fast", BC7(BC7Settings::opaque_fast())),
            (" basic", BC7(BC7Settings::opaque_basic())),
            (" slow", BC7(BC7Settings::opaque_slow())),
        ],
        other => anyhow::bail!("{} is none of bc1, bc6h, bc7", other.name()),
    })
}

/// The formats that both encode.
pub const FORMATS: [BlockFormat; 3] = [BlockFormat::Bc1, BlockFormat::Bc7, BlockFormat::Bc6hUfloat];

/// Returns one of [`FORMATS`] by its name.
pub fn parse_format(name: &str) -> Result<BlockFormat, String> {
    let format = FORMATS.into_iter().find(|format| format.name() == name);
    format.ok_or_else(|| "none of bc1, bc7, bc6h".to_owned())
}

/// Returns Brickwork's qualities of a format.
fn own(format: BlockFormat) -> Vec<(String, EncodeOptions)> {
    let mut all = Vec::new();
    if format != BlockFormat::Bc1 {
        for (level, real_time) in (1..).zip(RealTime::ALL) {
            let options = EncodeOptions::default().with(|o| o.real_time = Some(*real_time));
            all.push((format!("real time {level}"), options));
        }
    }
    let of_quality = |&quality: &Quality| {
        (
            quality.name().to_owned(),
            EncodeOptions::default().with(|o| {
                o.quality = quality;
                o.bc1.alpha_threshold = 0;
            }),
        )
    };
    all.extend(Quality::ALL.iter().map(of_quality));
    all
}

fn contestants(context: &Context, format: BlockFormat) -> Result<Vec<Contestant>> {
    let contestant = |name, encoder| Contestant { name, encoder, psnr_db: 0.0, milliseconds: Vec::new() };
    let package = crate::peers::package("block_compression");
    let mut all = Vec::new();
    // One compressor: each compiles its kernels, and those of BC6H take long.
    let compressor = GpuBlockCompressor::new(context.device().clone(), context.queue().clone());
    let compressor = Rc::new(RefCell::new(compressor));
    for (setting, variant) in peers(format)? {
        let encoder = Encoder::BlockCompression(Rc::clone(&compressor), variant);
        all.push(contestant(format!("{package} (GPU){setting}"), encoder));
    }
    let gpu = GpuEncoder::new(context.clone());
    for (name, options) in own(format) {
        all.push(contestant(format!("Brickwork {name}"), Encoder::Brickwork(gpu.clone(), options)));
    }
    Ok(all)
}

/// Returns the title of the column of a format's PSNR.
fn psnr_title(format: BlockFormat) -> &'static str {
    match format {
        BlockFormat::Bc1 => "exact, dB",
        BlockFormat::Bc6hUfloat => "halfPSNR, dB",
        _ => "RGBA, dB",
    }
}

impl Pictures {
    pub fn len(&self) -> usize {
        match self {
            Self::Unorm(all) => all.len(),
            Self::Half(all) => all.len(),
        }
    }

    pub fn texel_count(&self) -> usize {
        match self {
            Self::Unorm(all) => all.iter().map(Picture::texel_count).sum(),
            Self::Half(all) => all.iter().map(|picture| picture.texels.len()).sum(),
        }
    }

    fn source(&self, index: usize) -> Source<'_> {
        match self {
            Self::Unorm(all) => {
                let Picture { width, height, .. } = all[index];
                Source { width, height, texels: all[index].bytes() }
            }
            Self::Half(all) => {
                let hdr::Picture { width, height, texels, .. } = &all[index];
                Source { width: *width, height: *height, texels: bytemuck::cast_slice(texels.as_flattened()) }
            }
        }
    }

    /// Returns the bytes of a square of all pictures, side by side and repeated.
    fn tiled(&self, side: u32) -> Vec<u8> {
        match self {
            Self::Unorm(all) => {
                let all: Vec<_> = all.iter().map(|picture| (picture.width, &picture.texels[..])).collect();
                tiled(&all, side).into_flattened()
            }
            Self::Half(all) => {
                let all: Vec<_> = all.iter().map(|picture| (picture.width, &picture.texels[..])).collect();
                bytemuck::cast_slice(tiled::<[f16; 4]>(&all, side).as_flattened()).to_vec()
            }
        }
    }

    /// Returns the PSNR of one picture's blocks.
    fn psnr(&self, index: usize, format: BlockFormat, blocks: &[u8]) -> Result<f64> {
        match self {
            Self::Unorm(all) => {
                let channels = quality::channels(format, all);
                let rule = RoundingRule::Exact;
                let decoded = quality::decode(&all[index], format, channels, blocks, rule)?;
                let is_opaque = decoded.transparent_count == 0 || format != BlockFormat::Bc1;
                ensure!(is_opaque, "texels became transparent");
                Ok(decoded.psnr_db)
            }
            Self::Half(all) => {
                let hdr::Picture { width, height, texels, .. } = &all[index];
                let image = ImageView::new(texels, *width, *height)?;
                let metrics = compare_hdr_blocks(&image, format, blocks, HdrRange::Unsigned, &Task::new())?;
                Ok(metrics.half_psnr())
            }
        }
    }
}

/// Returns a square of pictures, given with their widths, in cells of the size of the first.
pub fn tiled<T: Copy>(pictures: &[(u32, &[T])], side: u32) -> Vec<T> {
    let (width, texels) = pictures[0];
    let (across, down) = (width as usize, texels.len() / width as usize);
    let side = side as usize;
    let mut tiled = Vec::with_capacity(side * side);
    for y in 0..side {
        for x in 0..side {
            let (width, texels) = pictures[(x / across + 3 * (y / down)) % pictures.len()];
            let (width, height) = (width as usize, texels.len() / width as usize);
            tiled.push(texels[x % across % width + y % down % height * width]);
        }
    }
    tiled
}

/// Encodes all pictures once for the quality, then a square of `side` texels made of them `round_count` times
/// for the time, one encoder after the other in each round. Returns the table. For a software adapter it
/// contains only ratios of times.
pub fn run(
    context: &Context,
    format: BlockFormat,
    pictures: &Pictures,
    side: u32,
    round_count: usize,
) -> Result<String> {
    // A recording of BC6H holds fewer blocks: its kernels keep more between them.
    let side = if format == BlockFormat::Bc6hUfloat { side.min(2048) } else { side };
    let clock = Clock::new(context.device())?;
    let mut all = contestants(context, format)?;
    let uploaded = (0..pictures.len())
        .map(|index| Uploaded::new(context, format, pictures.source(index)))
        .collect::<Result<Vec<_>>>()?;
    let count = pictures.len() as f64;
    for contestant in &mut all {
        eprintln!("quality: {}", contestant.name);
        for (index, uploaded) in uploaded.iter().enumerate() {
            contestant.encoder.run(context, &clock, format, uploaded)?;
            let found = pictures.psnr(index, format, &uploaded.read_blocks(context)?);
            contestant.psnr_db += found.with_context(|| contestant.name.clone())? / count;
        }
    }
    drop(uploaded);
    let texels = pictures.tiled(side);
    let large = Uploaded::new(context, format, Source { width: side, height: side, texels: &texels })?;
    let filler = Filler::new(context)?;
    let mut blocks = vec![None; all.len()];
    for round in 0..=round_count {
        filler.warm_up(context)?;
        eprintln!("time: round {round} of {round_count}");
        for (contestant, blocks) in all.iter_mut().zip(&mut blocks) {
            filler.submit(context, 40);
            let milliseconds = contestant.encoder.run(context, &clock, format, &large)?;
            let found = large.read_blocks(context)?;
            // The timed work is the same in all rounds. The first compiles.
            match blocks {
                None => *blocks = Some(found),
                Some(blocks) => {
                    ensure!(*blocks == found, "{} gives other blocks in round {round}", contestant.name);
                    contestant.milliseconds.push(milliseconds);
                }
            }
        }
    }
    let is_software = context.info().is_some_and(AdapterInfo::is_software);
    Ok(table(&all, format, side, is_software).to_markdown())
}

fn table(all: &[Contestant], format: BlockFormat, side: u32, is_software: bool) -> Table {
    let ratio = |contestant: &Contestant| {
        let ratios = contestant.milliseconds.iter().zip(&all[0].milliseconds).map(|(own, peer)| own / peer);
        three_digits(crate::measure::median(ratios.collect()))
    };
    let mut columns = vec![Text("encoder"), Number(psnr_title(format)), Number("time ÷ the first's")];
    let speed = format!("Gpix/s, {side}²");
    if !is_software {
        columns.push(Number(&speed));
    }
    let mut table = Table::new(&columns);
    for contestant in all {
        let psnr_db = format!("{:.3}", contestant.psnr_db);
        let mut row = vec![contestant.name.clone(), psnr_db, ratio(contestant)];
        if !is_software {
            let milliseconds = crate::measure::median(contestant.milliseconds.clone());
            row.push(three_digits(f64::from(side).powi(2) / milliseconds / 1e6));
        }
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_the_pictures_in_turn() {
        let [a, b] = [[1, 2, 3, 4], [5, 6, 7, 8]];
        let tiled = tiled(&[(2, &a[..]), (2, &b)], 4);
        assert_eq!(tiled, [1, 2, 5, 6, 3, 4, 7, 8, 5, 6, 1, 2, 7, 8, 3, 4]);
    }

    /// A wrong stride, texel format or channel order of any encoder gives another picture.
    #[test]
    fn every_encoder_gets_the_picture() {
        let Some(context) = brickwork_gpu::testing::context() else { return };
        let texel = |i: u16| [i % 16 + i / 64, i / 8 % 30, 40 - i % 40];
        let unorm = (0..256).map(|i| {
            let [r, g, b] = texel(i).map(|n| 5 * n as u8);
            [r, g, b, 255]
        });
        let half = (0..256).map(|i| {
            let [r, g, b] = texel(i).map(|n| f16::from_f32(f32::from(n) / 4.0));
            [r, g, b, f16::ONE]
        });
        let unorm = Picture { width: 16, height: 16, texels: unorm.collect() };
        let half = hdr::Picture { name: "ramp".into(), width: 16, height: 16, texels: half.collect() };
        let half = Pictures::Half(vec![half]);
        let unorm = Pictures::Unorm(vec![unorm]);
        for (format, pictures) in
            [(BlockFormat::Bc1, &unorm), (BlockFormat::Bc7, &unorm), (BlockFormat::Bc6hUfloat, &half)]
        {
            let table = run(&context, format, pictures, 16, 1).unwrap();
            for row in table.lines().skip(2) {
                let psnr_db: f64 = row.split('|').nth(2).unwrap().trim().parse().unwrap();
                assert!(psnr_db > 24.0, "{}: {row}", format.name());
            }
        }
    }
}

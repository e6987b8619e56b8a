//! Blocks written directly into the sampled texture, compared with blocks written to a buffer and copied, and
//! the cost of sampling each of the resulting textures.

use crate::{
    command::{Adapter, profile_option},
    gpu_clock::{Clock, Filler},
    machine,
    paths::root,
    picture::{Picture, read_directory},
    report::{three_digits, write_section},
    table::{
        Column::{Number, Text},
        Table,
    },
};
use anyhow::{Context as _, Result, ensure};
use brickwork_texture::{
    BlockFormat, EncodeOptions, Quality, RealTime, Task, TextureDesc,
    direct::{CompressedTarget, Strategy, TargetError},
    gpu::{
        AdapterInfo, Binding, BlockRegion, BlockTarget, Context, Download, GpuEncoder, Kernel, Pipeline,
        Recording, TexelSource, filled_buffer, wgpu,
    },
};
use std::num::NonZeroUsize;
use wgpu::{BufferUsages, TextureUsages};

const SECTION: &str = "direct";

#[derive(clap::Args)]
pub struct Direct {
    /// Widths and heights of the textures, in texels
    #[arg(long, value_name = "N,N…", value_delimiter = ',', default_value = "256,512,1024,2048,4096")]
    sizes: Vec<u32>,
    /// Rounds. Default: 100, as in the article; 5 on a software adapter
    #[arg(long, value_name = "N")]
    repeat: Option<NonZeroUsize>,
    #[command(flatten)]
    adapter: Adapter,
    /// Puts the tables into docs/direct.md
    #[arg(long)]
    write: bool,
}

/// A case of encoding.
struct Encoding {
    name: &'static str,
    format: BlockFormat,
    options: EncodeOptions,
}

fn encodings() -> [Encoding; 3] {
    let bc7 = |name, level| Encoding {
        name,
        format: BlockFormat::Bc7,
        options: EncodeOptions::default().with(|o| o.real_time = Some(level)),
    };
    [
        bc7("BC7, level 1", RealTime::Level1),
        bc7("BC7, level 2", RealTime::Level2),
        Encoding {
            name: "BC1, ultrafast",
            format: BlockFormat::Bc1,
            options: EncodeOptions::default().with(|o| o.quality = Quality::Ultrafast),
        },
    ]
}

/// A strategy to write a texture, and the times of its rounds in milliseconds.
struct Way {
    target: CompressedTarget,
    /// Every command from the first kernel to the end of a copy, by the GPU's clock.
    encoding: Vec<f64>,
    /// Times of a kernel that samples the texture, by the GPU's clock.
    sampling: Vec<f64>,
}

fn best(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The objects that all cases use.
struct Bench {
    context: Context,
    encoder: GpuEncoder,
    clock: Clock,
    sampler: Pipeline,
    filler: Filler,
    rounds: usize,
}

pub fn run(arguments: &Direct) -> Result<()> {
    let context = arguments.adapter.open()?;
    let info = context.info().context("the device has no adapter")?.clone();
    let rounds = arguments.repeat.map_or(if info.is_software() { 5 } else { 100 }, NonZeroUsize::get);
    let bench = Bench {
        encoder: GpuEncoder::new(context.clone()),
        clock: Clock::new(context.device())?,
        sampler: context.pipeline(&sampling_kernel())?,
        filler: Filler::new(&context)?,
        rounds,
        context,
    };
    let photographs = read_directory(&root().join("test-data/kodak"), None, true)?;
    let mut table = new_table();
    let mut reasons = Vec::new();
    for &side in &arguments.sizes {
        let texture = bench.upload(&photographs, side)?;
        for encoding in encodings() {
            let texture_name = format!("{side}×{side}, {}", encoding.name);
            eprintln!("{texture_name}");
            table.push(ratios(texture_name, &bench.ways(&encoding, &texture, &mut reasons)?));
        }
    }
    let bandwidth = match info.is_software() {
        true => None,
        false => Some(bench.copy_bandwidth()?),
    };
    let text = report(arguments, &info, rounds, bandwidth, &reasons) + &table.to_markdown();
    print!("{text}");
    if arguments.write {
        write_section(&root().join("docs/direct.md"), SECTION, &text)?;
    }
    Ok(())
}

/// Returns the strategies that are compared with a copy.
fn direct() -> impl Iterator<Item = Strategy> {
    Strategy::ALL.iter().copied().filter(|strategy| *strategy != Strategy::Copy)
}

fn new_table() -> Table {
    let mut columns = vec![Text("texture")];
    let names: Vec<_> = direct().map(|way| way.name().to_owned()).collect();
    let sampled: Vec<_> = names.iter().map(|name| format!("sampled: {name}")).collect();
    columns.extend(names.iter().chain(&sampled).map(|title| Number(title)));
    Table::new(&columns)
}

/// Returns the row of a texture: ratios to blocks that are copied.
fn ratios(texture: String, ways: &[Way]) -> Vec<String> {
    let of = |strategy: Strategy| ways.iter().find(|way| way.target.strategy() == strategy);
    let ratio = |strategy: Strategy, times: &dyn Fn(&Way) -> &[f64]| {
        let (Some(way), Some(copied)) = (of(strategy), of(Strategy::Copy)) else { return "–".to_owned() };
        format!("{:.2}", best(times(way)) / best(times(copied)))
    };
    let encoded = direct().map(|strategy| ratio(strategy, &|way| &way.encoding[..]));
    let sampled = direct().map(|strategy| ratio(strategy, &|way| &way.sampling[..]));
    [texture].into_iter().chain(encoded).chain(sampled).collect()
}

fn report(
    arguments: &Direct,
    info: &AdapterInfo,
    rounds: usize,
    bandwidth: Option<f64>,
    reasons: &[String],
) -> String {
    let repeat = arguments.repeat.map_or_else(String::new, |rounds| format!(" --repeat {rounds}"));
    let write = if arguments.write { " --write" } else { "" };
    let mut about = vec![
        format!("Command: `cargo run {} -p brickwork-bench -- direct{repeat}{write}`", profile_option()),
        format!("Device: {info}"),
        format!("Rounds: {rounds}, one way after the other in each; ratios are of the best"),
        format!("Date: {}", machine::date()),
    ];
    if info.is_software() {
        about.push("A **software adapter**: ratios only".to_owned());
    }
    if let Some(bandwidth) = bandwidth {
        about.push(format!("Copying a buffer: {} GB/s, read and written", three_digits(bandwidth)));
    }
    about.extend(reasons.iter().cloned());
    about.iter().map(|line| format!("- {line}\n")).collect::<String>() + "\n"
}

/// Reads every texel once, in rows across those of the texture: neighbours in a workgroup are neighbours in
/// the texture.
fn sampling_kernel() -> Kernel {
    Kernel::new("sample", &[Binding::Texture, Binding::Write]).part(
        "@group(0) @binding(0) var source: texture_2d<f32>;
         @group(0) @binding(1) var<storage, read_write> sums: array<f32>;
         @compute @workgroup_size(8, 8)
         fn main(@builtin(global_invocation_id) id: vec3<u32>) {
             let size = textureDimensions(source);
             let corner = 4u * id.yx;
             if any(corner >= size) { return; }
             var sum = vec4(0.0);
             for (var t = 0u; t < 16u; t++) {
                 sum += textureLoad(source, min(corner + vec2(t >> 2u, t & 3u), size - 1u), 0);
             }
             let total = sum.x + sum.y + sum.z + sum.w;
             // Never true, but compilers do not know that.
             if total < 0.0 { sums[0] = total; }
         }",
    )
}

impl Bench {
    /// Returns a texture that repeats photographs.
    fn upload(&self, photographs: &[Picture], side: u32) -> Result<wgpu::Texture> {
        let texture = self.context.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let side = side as usize;
        let mut texels = Vec::with_capacity(side * side);
        for y in 0..side {
            for x in 0..side {
                // Photographs of different sizes in squares of 512.
                let photograph = &photographs[(y / 512 * 7 + x / 512) % photographs.len()];
                let (width, height) = (photograph.width as usize, photograph.height as usize);
                texels.push(photograph.texels[(y % 512 % height) * width + x % 512 % width]);
            }
        }
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * side as u32),
            rows_per_image: None,
        };
        let bytes = texels.as_flattened();
        self.context.queue().write_texture(texture.as_image_copy(), bytes, layout, texture.size());
        Ok(texture)
    }

    /// Measures every strategy of this device, in turn in each round.
    fn ways(
        &self,
        encoding: &Encoding,
        source: &wgpu::Texture,
        reasons: &mut Vec<String>,
    ) -> Result<Vec<Way>> {
        let desc = TextureDesc::new_2d(encoding.format, source.width(), source.height());
        let mut ways = Vec::new();
        for &strategy in Strategy::ALL {
            match CompressedTarget::with_strategy(&self.encoder, &desc, strategy, &Task::new()) {
                Ok(target) => {
                    ways.push(Way { target, encoding: Vec::new(), sampling: Vec::new() });
                }
                Err(TargetError::Refused { refusal, .. }) => {
                    let reason = format!("No {strategy}: {refusal}");
                    if !reasons.contains(&reason) {
                        reasons.push(reason);
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        // Once for the blocks: they must be the same.
        let mut blocks = Vec::new();
        for way in &ways {
            self.encode(encoding, source, way)?;
            blocks.push(self.blocks(way)?);
        }
        ensure!(blocks.windows(2).all(|two| two[0] == two[1]), "two ways give different blocks");
        self.filler.warm_up(&self.context)?;
        for _ in 0..self.rounds {
            for way in &mut ways {
                way.encoding.push(self.encode(encoding, source, way)?);
            }
            for way in &mut ways {
                way.sampling.push(self.sample(way)?);
            }
        }
        Ok(ways)
    }

    /// Returns the milliseconds by the GPU's clock.
    fn encode(&self, encoding: &Encoding, source: &wgpu::Texture, way: &Way) -> Result<f64> {
        let mut commands = self.context.device().create_command_encoder(&Default::default());
        self.clock.note(&mut commands, 0);
        self.encoder.record(
            &mut commands,
            &Recording::new(
                TexelSource::Texture { texture: source, mip_level: 0, layer: 0 },
                BlockRegion { origin: [0, 0], size: [source.width(), source.height()] },
                BlockTarget::Direct { target: &way.target, mip_level: 0, layer: 0, origin: [0, 0] },
            ),
            encoding.format,
            &encoding.options,
        )?;
        self.clock.note(&mut commands, 1);
        self.clock.resolve(&mut commands);
        self.context.checked("encoding", || self.context.queue().submit([commands.finish()]))?;
        self.clock.milliseconds(&self.context)
    }

    /// Returns the milliseconds that a kernel takes to read all texels, by the GPU's clock.
    fn sample(&self, way: &Way) -> Result<f64> {
        let (device, texture) = (self.context.device(), way.target.texture());
        let view = texture.create_view(&Default::default());
        let sums = filled_buffer(device, "sums", &[0; 16], BufferUsages::STORAGE);
        let bound = [wgpu::BindingResource::TextureView(&view), sums.as_entire_binding()];
        let bound = self.sampler.bind(device, &bound);
        let mut commands = device.create_command_encoder(&Default::default());
        self.clock.note(&mut commands, 0);
        let mut pass = commands.begin_compute_pass(&Default::default());
        let groups = [texture.height(), texture.width()].map(|texels| texels.div_ceil(32));
        self.sampler.dispatch_grid(&mut pass, &bound, groups);
        drop(pass);
        self.clock.note(&mut commands, 1);
        self.clock.resolve(&mut commands);
        self.context.checked("sampling", || self.context.queue().submit([commands.finish()]))?;
        self.clock.milliseconds(&self.context)
    }

    /// Returns the texture's blocks, row by row; rows are multiples of 256 bytes.
    fn blocks(&self, way: &Way) -> Result<Vec<u8>> {
        let texture = way.target.texture();
        let [columns, rows] = [texture.width(), texture.height()].map(|texels| texels.div_ceil(4));
        let pitch = (columns * way.target.desc().format.block_bytes() as u32).next_multiple_of(256);
        let bytes = u64::from(pitch) * u64::from(rows);
        let staging = Download::staging(&self.context, bytes)?;
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: None };
        let mut commands = self.context.device().create_command_encoder(&Default::default());
        let to = wgpu::TexelCopyBufferInfo { buffer: &staging, layout };
        commands.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        let submission =
            self.context.checked("reading blocks", || self.context.queue().submit([commands.finish()]))?;
        Ok(Download::submitted(&staging, bytes, submission).wait(&self.context)?)
    }

    /// Returns the GB/s read and written while a buffer of 128 MiB is copied; the best of the rounds.
    fn copy_bandwidth(&self) -> Result<f64> {
        const BYTES: u64 = 128 << 20;
        let buffer = || {
            let usage = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            self.context.buffer("copied", BYTES, usage)
        };
        let (from, to) = (buffer()?, buffer()?);
        let mut best = f64::INFINITY;
        self.filler.warm_up(&self.context)?;
        for _ in 0..self.rounds {
            let mut commands = self.context.device().create_command_encoder(&Default::default());
            self.clock.note(&mut commands, 0);
            commands.copy_buffer_to_buffer(&from, 0, &to, 0, BYTES);
            self.clock.note(&mut commands, 1);
            self.clock.resolve(&mut commands);
            self.context.checked("copying", || self.context.queue().submit([commands.finish()]))?;
            best = best.min(self.clock.milliseconds(&self.context)?);
        }
        Ok(2.0 * BYTES as f64 / best / 1e6)
    }
}

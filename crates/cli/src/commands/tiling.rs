//! `brickwork tiling`: where a GPU keeps the blocks of textures.

use crate::{
    device::open_gpu,
    exit::Exit,
    failure::Failure,
    json,
    output::{self, Existing, Output},
    report,
};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeError, Task, TextureDesc,
    direct::{CompressedTarget, OrderMap, Strategy, Tiling},
    gpu::GpuError,
    image_file::{PngTexels, write_png},
};
use brickwork_toolkit::device::Gpu;
use brickwork_toolkit::report::{TiledLevelReport, TiledTextureReport, TilingReport};
use std::{fmt::Write as _, path::PathBuf};

/// Find out how a GPU lays out block-compressed textures in memory
///
/// Numbered blocks are copied into textures, and the textures' memory is read back. The order found is
/// checked block by block; where none explains all blocks, the report says so. The library uses the order to
/// write blocks straight into textures, where there is no better way (docs/direct.md).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork tiling
  brickwork tiling --format bc7 --size 4096x4096
  brickwork tiling --format bc1 --size 256x256 -o order.png
  brickwork tiling --adapter 1 --json

The picture shows the order of the first texture: dark blocks come first, white lines separate macro tiles.")]
pub struct Args {
    /// Format of the textures [default: bc1 and bc7, one for each size of a block]
    #[arg(long, value_name = "NAME")]
    format: Option<BlockFormat>,

    /// Width and height of a texture in texels; may be repeated [default: 1024x1024 and 1000x600]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Vec<[u32; 2]>,

    /// GPU to look at, by its number or part of its name in "brickwork devices" [default: the best]
    #[arg(long, value_name = "NUMBER|NAME", help_heading = "Machine")]
    adapter: Option<String>,

    /// Draw the order of blocks of the first texture as a PNG file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Replace the output if it exists
    #[arg(long, requires = "output", help_heading = "Output")]
    force: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Sides of the picture in texels, at most.
const MAP_SIDE: u32 = 1024;

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |side: &str| side.parse().ok().filter(|&side| side > 0 && side <= 1 << 20);
    let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| "expected WIDTHxHEIGHT, such as 1024x1024".to_owned())
}

/// Looks at the textures.
///
/// # Errors
/// [`Failure`] if there is no GPU or it fails, or nothing can be written.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let output = args.output.as_deref().map(Output::of);
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    if let Some(output) = &output {
        if args.json && *output == Output::Stdout {
            return Err(Failure::usage("--json and -o - both take standard output"));
        }
        output.check(existing, &[])?;
    }
    let gpu = open_gpu(args.adapter.as_deref())?;
    let formats = args.format.map_or_else(|| vec![BlockFormat::Bc1, BlockFormat::Bc7], |format| vec![format]);
    let sizes = if args.size.is_empty() { vec![[1024, 1024], [1000, 600]] } else { args.size.clone() };
    let (mut textures, mut orders) = (Vec::new(), Vec::<Vec<String>>::new());
    let mut map = None;
    for &format in &formats {
        for &size in &sizes {
            let (report, tilings) = look(&gpu, format, size)?;
            orders.push(tilings.iter().map(ToString::to_string).collect());
            if textures.is_empty() {
                map = tilings.into_iter().next();
            }
            textures.push(report);
        }
    }
    gpu.save_kernels();
    if let Some(output) = output {
        let tiling = map.ok_or_else(|| {
            Failure::new(Exit::Unsupported, "the order of blocks in the first texture is not known")
        })?;
        let OrderMap { width, height, texels, .. } = OrderMap::new(&tiling, MAP_SIDE);
        output::write(&output, existing, |sink| {
            let texels: &[[u8; 4]] = &texels;
            Ok(write_png(sink, width, height, PngTexels::Rgba8(texels), ColorSpace::Srgb, &Task::new())?)
        })?;
    }
    let info = gpu.context().info();
    let adapter = info.map_or_else(String::new, |info| info.name.clone());
    let driver = info.map_or_else(String::new, |info| info.driver.clone());
    let report = TilingReport { command: "tiling", adapter, driver, textures };
    if args.json {
        json::print(&report, false)?;
    } else {
        output::print(&text(&report, &orders), false)?;
    }
    Ok(Exit::Ok)
}

/// One texture, and the order of blocks of each of its mip levels.
fn look(
    gpu: &Gpu,
    format: BlockFormat,
    [width, height]: [u32; 2],
) -> Result<(TiledTextureReport, Vec<Tiling>), Failure> {
    let desc = TextureDesc::new_2d(format, width, height).with_full_mips();
    let encoder = gpu.gpu_encoder();
    let best = CompressedTarget::new(encoder, &desc).map_err(failure)?;
    let (strategy, reason) = (best.strategy().name(), report::one_line(best.reason()));
    drop(best);
    let (tilings, unknown): (Vec<Tiling>, _) =
        match CompressedTarget::with_strategy(encoder, &desc, Strategy::WritesSwizzled) {
            Ok(target) => {
                ((0..desc.mip_levels).map_while(|level| target.tiling(level, 0).cloned()).collect(), None)
            }
            Err(EncodeError::Gpu(GpuError::Unsupported { reason, .. })) => (Vec::new(), Some(reason)),
            Err(EncodeError::Gpu(error @ GpuError::Limit { .. })) => (Vec::new(), Some(error.to_string())),
            Err(error) => return Err(failure(error)),
        };
    let report = TiledTextureReport {
        format: format.name(),
        width,
        height,
        strategy,
        reason,
        mip_levels: tilings.iter().map(level_report).collect(),
        unknown,
    };
    Ok((report, tilings))
}

fn failure(error: EncodeError) -> Failure {
    match error {
        EncodeError::Gpu(error) => Failure::new(Exit::Runtime, report::one_line(error)),
        error => error.into(),
    }
}

fn level_report(tiling: &Tiling) -> TiledLevelReport {
    let of = tiling.description();
    TiledLevelReport {
        order: of.order,
        blocks: of.blocks,
        tile: of.tile,
        tile_slots: of.tile_slots,
        pitch: of.pitch,
        base: of.base,
        slot_bits: of.slot_bits,
    }
}

/// The report in words; `orders` has a line for each mip level of each texture.
fn text(report: &TilingReport, orders: &[Vec<String>]) -> String {
    let mut text = format!("{} ({})\n", report.adapter, report.driver);
    for (texture, orders) in report.textures.iter().zip(orders) {
        let TiledTextureReport { format, width, height, strategy, reason, mip_levels, unknown } = texture;
        let _ = write!(text, "\n{format}, {width}×{height}\n  written by {strategy}: {reason}\n");
        if let Some(reason) = unknown {
            let _ = writeln!(text, "  order unknown: {reason}");
        }
        for (number, (level, order)) in mip_levels.iter().zip(orders).enumerate() {
            let size = level.blocks.map(|count| count.to_string()).join("×");
            let _ = writeln!(text, "  level {number:<4} {size:>9} blocks: {order}");
        }
    }
    text
}

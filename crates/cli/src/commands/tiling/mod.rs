//! `brickwork tiling`: the layout of textures' blocks in a GPU's memory.

mod examine;

pub use examine::{TILING_FORMATS, TILING_SIZES, examine_tilings};

use crate::{
    device::open_gpu,
    exit::Exit,
    failure::Failure,
    json,
    output::{self, Output},
    report::{TiledTextureReport, TilingReport},
    words::one_line,
};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{BlockFormat, ColorSpace, EncodeError, Task, direct::Tiling};
use std::{fmt::Write as _, path::PathBuf};

/// Determine how a GPU lays out block-compressed textures in memory
///
/// Numbered blocks are copied into textures, and the textures' memory is read back. The order found is
/// checked block by block. If no order explains all blocks, the report states this. The library uses the
/// order to write blocks straight into textures if there is no better way (docs/direct.md).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork tiling
  brickwork tiling --format bc7 --size 4096x4096
  brickwork tiling --format bc1 --size 256x256 -o order.png
  brickwork tiling --adapter 1 --json

The picture shows the order of the first texture: dark blocks come first, white lines separate macro tiles.")]
pub struct Args {
    /// Format of the textures [default: bc1 and bc7, one for each block size]
    #[arg(long, value_name = "NAME")]
    format: Option<BlockFormat>,

    /// Width and height of a texture in texels; may be repeated [default: 1024x1024 and 1000x600]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Vec<[u32; 2]>,

    /// GPU to examine, by its number or part of its name in "brickwork devices" [default: the best]
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

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |side: &str| side.parse().ok().filter(|&side| side > 0 && side <= 1 << 20);
    let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| "expected WIDTHxHEIGHT, such as 1024x1024".to_owned())
}

/// Examines the textures.
///
/// # Errors
/// [`Failure`] if there is no GPU or it fails, or nothing can be written.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let output = args.output.as_deref().map(Output::of);
    let existing = output::existing(args.force);
    if let Some(output) = &output {
        if args.json && *output == Output::Stdout {
            return Err(Failure::usage("--json and -o - both take standard output"));
        }
        output.check(existing, &[])?;
    }
    let gpu = open_gpu(args.adapter.as_deref())?;
    let formats = args.format.map_or_else(|| TILING_FORMATS.to_vec(), |format| vec![format]);
    let sizes = if args.size.is_empty() { &TILING_SIZES[..] } else { &args.size };
    let examined = examine_tilings(&gpu, &formats, sizes, &Task::new()).map_err(failure)?;
    if let Some(output) = output {
        let map = examined.order_map().ok_or_else(|| {
            Failure::new(Exit::Unsupported, "the order of blocks in the first texture is not known")
        })?;
        output::write(&output, existing, |sink| {
            let (width, height, texels) = (map.width, map.height, PngTexels::Rgba8(&map.texels));
            Ok(write_png(sink, width, height, texels, ColorSpace::Srgb, &Task::new())?)
        })?;
    }
    let report = &examined.report;
    if args.json {
        json::print(report, false)?;
    } else {
        output::print(&text(report, &examined.tilings), false)?;
    }
    Ok(Exit::Ok)
}

fn failure(error: EncodeError) -> Failure {
    match error {
        EncodeError::Gpu(error) => Failure::new(Exit::Runtime, one_line(error)),
        error => error.into(),
    }
}

/// Returns the report in words. `orders` contains the orders of each mip level of each texture.
fn text(report: &TilingReport, orders: &[Vec<Tiling>]) -> String {
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

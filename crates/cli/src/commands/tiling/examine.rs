//! Order in which a GPU keeps the blocks of textures.

use crate::report::{TiledLevelReport, TiledTextureReport, TilingReport};
use brickwork_base::{Stage, Task};
use brickwork_texture::{
    BlockFormat, EncodeError, TextureDesc,
    direct::{CompressedTarget, OrderMap, Strategy, TargetError, Tiling},
};
use brickwork_toolkit::device::Gpu;

/// Formats of the textures that are examined by default: one for each block size.
pub const TILING_FORMATS: [BlockFormat; 2] = [BlockFormat::Bc1, BlockFormat::Bc7];

/// Widths and heights of the textures that are examined by default: powers of two, and others.
pub const TILING_SIZES: [[u32; 2]; 2] = [[1024, 1024], [1000, 600]];

/// Maximum side of the image of an order, in texels.
const MAP_SIDE: u32 = 1024;

/// Textures that were examined on a GPU.
#[derive(Clone, Debug)]
pub struct ExaminedTilings {
    /// The report.
    pub report: TilingReport,
    /// Orders of the blocks in the mip levels of each texture; empty if they are not known.
    pub tilings: Vec<Vec<Tiling>>,
}

/// Examines textures with all mip levels, in each format and size. The task reports [`Stage::Analyzing`] in
/// textures, and can stop between them.
///
/// # Errors
/// [`EncodeError`] if the GPU fails or the task is cancelled.
pub fn examine_tilings(
    gpu: &Gpu,
    formats: &[BlockFormat],
    sizes: &[[u32; 2]],
    task: &Task<'_>,
) -> Result<ExaminedTilings, EncodeError> {
    let (mut textures, mut tilings) = (Vec::new(), Vec::new());
    let total = (formats.len() * sizes.len()) as u64;
    for &format in formats {
        for &[width, height] in sizes {
            task.check()?;
            task.report(Stage::Analyzing, textures.len() as u64, total);
            let (report, orders) = examine(gpu, format, width, height, task)?;
            textures.push(report);
            tilings.push(orders);
        }
    }
    task.report(Stage::Analyzing, total, total);
    gpu.save_kernels();
    let info = gpu.context().info();
    let adapter = info.map_or_else(String::new, |info| info.name.clone());
    let driver = info.map_or_else(String::new, |info| info.driver.clone());
    let report = TilingReport { command: "tiling", adapter, driver, textures };
    Ok(ExaminedTilings { report, tilings })
}

impl ExaminedTilings {
    /// Returns an image of the order of blocks in the first texture, or `None` if the order is not known.
    pub fn order_map(&self) -> Option<OrderMap> {
        let tiling = self.tilings.first()?.first()?;
        Some(OrderMap::new(tiling, MAP_SIDE))
    }
}

/// Examines a texture.
fn examine(
    gpu: &Gpu,
    format: BlockFormat,
    width: u32,
    height: u32,
    task: &Task<'_>,
) -> Result<(TiledTextureReport, Vec<Tiling>), EncodeError> {
    let desc = TextureDesc::new_2d(format, width, height).with_full_mips();
    let encoder = gpu.gpu_encoder();
    let best = CompressedTarget::new(encoder, &desc, task)?;
    let (strategy, reason) = (best.strategy().name(), one_line(&best.reason().to_string()));
    drop(best);
    let (tilings, unknown): (Vec<Tiling>, _) =
        match CompressedTarget::with_strategy(encoder, &desc, Strategy::WritesSwizzled, task) {
            Ok(target) => {
                ((0..desc.mip_levels).map_while(|level| target.tiling(level, 0).cloned()).collect(), None)
            }
            Err(TargetError::Refused { refusal, .. }) => (Vec::new(), Some(refusal.to_string())),
            Err(TargetError::Encode(error)) => return Err(error),
        };
    let mip_levels = tilings.iter().map(level_report).collect();
    let format = format.name();
    let report = TiledTextureReport { format, width, height, strategy, reason, mip_levels, unknown };
    Ok((report, tilings))
}

fn level_report(tiling: &Tiling) -> TiledLevelReport {
    let description = tiling.description();
    TiledLevelReport {
        order: description.order,
        blocks: description.blocks,
        tile: description.tile,
        tile_slots: description.tile_slots,
        pitch: description.pitch,
        base: description.base,
        slot_bits: description.slot_bits,
    }
}

/// Returns the words of a driver's message in one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

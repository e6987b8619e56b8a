//! Inputs of the ray casters' kernels as bytes: a look, a view, and the buffer that becomes the rendering.
//! `gpu/` uploads them with wgpu, and the web package with WebGPU.
//!
//! | file | contents |
//! |---|---|
//! | `mode.rs` | modes: one kernel each |
//! | `params.rs` | parameters of a dispatch |

mod mode;
mod params;

pub use mode::Mode;
#[cfg(all(test, feature = "gpu"))]
pub(super) use params::DisplayParams;
pub(super) use params::{PagingParams, ViewParams};
#[cfg(feature = "gpu")]
pub(super) use params::{RULE_HASH, RULE_SCALE, RULE_SHIFT};

use super::{RenderError, RenderStatistics, Renderer, View, dvr, look::LookMode};
use crate::{Dims, resident::SlotShape};
use bytemuck::Zeroable;
use std::num::NonZeroU32;

/// Counts at the end of the pixels, of two words each.
pub const COUNTS: usize = 4;

/// A look of a volume, in the form of the kernels.
#[derive(Clone, Debug)]
pub struct LookInputs {
    /// Mode, which selects the kernel.
    pub mode: Mode,
    /// Transfer entries or visible labels, then the numbers by which kernels skip cells and blocks.
    pub words: Vec<u32>,
    params: ViewParams,
}

/// Pages that are loaded as rays need them.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "hosts fill each field")]
pub struct Paging {
    /// Number and size of slots.
    pub slots: SlotShape,
    /// Number of pages of the volume.
    pub page_count: usize,
}

/// Inputs of a rendering.
#[derive(Clone, Copy, Debug)]
pub struct RenderingInputs {
    /// Parameters of a dispatch that starts with the first tile.
    pub(super) params: ViewParams,
    /// Words of the buffer: pixels, counts, sums of channels and the data of paging, all zeros.
    pub words: usize,
    /// Number of tiles, each a workgroup.
    pub tiles: u32,
}

impl LookInputs {
    /// Returns the look of a renderer.
    pub fn new(renderer: &Renderer) -> Self {
        let mode = Mode::of(&renderer.look().0);
        let mut params = ViewParams::zeroed();
        params.background = renderer.background();
        params.display = (&renderer.bricks().display()).into();
        let mut words: Vec<u32> = Vec::new();
        match &renderer.look().0 {
            LookMode::Mip { table } | LookMode::Dvr { table } => {
                words.extend(table.entries().iter().flatten().map(|entry| entry.to_bits()));
                params.transfer_first = table.first();
                params.transfer_shift = table.shift();
                params.transfer_span = table.span();
                params.fade = table.span() as f32 * dvr::FADE;
            }
            LookMode::Iso { threshold, color: [red, green, blue] } => {
                params.threshold = *threshold;
                params.color = [*red, *green, *blue, 1.0];
            }
            LookMode::Labels { labels } => words = labels.bits(),
        }
        let occupancy = renderer.occupancy();
        let largest = |ranges: &[[u16; 2]]| ranges.iter().map(|range| range[1].into()).collect();
        let [cells, blocks] = match renderer.skipped_ranges() {
            Some(ranges) if mode == Mode::Mip => [largest(&ranges.cells), largest(&ranges.blocks)],
            // No cell is skipped: each may have a larger sample.
            None if mode == Mode::Mip => occupancy.counts().map(|count| vec![0xffff; count]),
            _ => [occupancy.cells().to_vec(), occupancy.blocks().to_vec()],
        };
        params.cells = words.len() as u32;
        words.extend(&cells);
        params.blocks = words.len() as u32;
        words.extend(&blocks);
        Self { mode, words, params }
    }

    /// Returns the inputs of a rendering of a view, in which every `tile_step`-th tile is drawn. `is_added`
    /// is true for one of several channels: each adds its colours to those of the channels before it, in the
    /// same buffer, of the most words.
    ///
    /// # Errors
    /// [`RenderError::OtherVolume`] if the view is that of a volume of other dims than `dims`.
    pub fn rendering(
        &self,
        view: &View,
        dims: Dims,
        tile_step: NonZeroU32,
        has_statistics: bool,
        is_added: bool,
        paging: Option<Paging>,
    ) -> Result<RenderingInputs, RenderError> {
        view.check(dims)?;
        let rays = &view.rays;
        let pixel_count = rays.width as usize * rays.height as usize;
        let mut words = pixel_count + 2 * COUNTS;
        let sums = if is_added { words as u32 } else { 0 };
        words += if is_added { 2 * pixel_count } else { 0 };
        let paging = paging.map_or_else(PagingParams::default, |Paging { slots, page_count }| {
            let mut reserve = |count: usize| (words as u32, words += count).0;
            let bits = page_count.div_ceil(32);
            PagingParams {
                rays: reserve(8 * pixel_count),
                slots: reserve(page_count),
                missing: reserve(bits),
                asked: reserve(bits),
                waiting: reserve(1),
                buffer_pages: slots.buffer_pages,
                page_words: slots.page_words,
                is_first: 1,
            }
        });
        let tiles = [rays.width.div_ceil(8), rays.height.div_ceil(4)];
        let params = ViewParams {
            rays: *rays,
            light: view.light,
            tiles_of_row: tiles[0],
            tile_step: tile_step.get(),
            statistics: if has_statistics { pixel_count as u32 } else { 0 },
            sums,
            paging,
            ..self.params
        };
        Ok(RenderingInputs { params, words, tiles: (tiles[0] * tiles[1]).div_ceil(tile_step.get()) })
    }
}

/// Offset of the first tile's number in the parameters, in bytes. The number has 4 bytes.
pub const FIRST_TILE: usize = std::mem::offset_of!(ViewParams, first_tile);

/// Offset of a number of 4 bytes in the parameters, in bytes: 1 if rays start in the dispatch, 0 if they
/// continue.
pub const IS_FIRST: usize =
    std::mem::offset_of!(ViewParams, paging) + std::mem::offset_of!(PagingParams, is_first);

impl RenderingInputs {
    /// Returns the parameters of a dispatch that starts with the first tile, for a uniform buffer.
    pub fn param_bytes(&self) -> &[u8] {
        bytemuck::bytes_of(&self.params)
    }

    /// Returns the offsets of the paging data in the rendering's buffer, in words: the slot of each page, a
    /// bit for each missing page, a bit for each requested page, and the number of waiting rays.
    pub const fn paging_words(&self) -> [u32; 4] {
        let PagingParams { slots, missing, asked, waiting, .. } = self.params.paging;
        [slots, missing, asked, waiting]
    }
}

/// Returns the statistics of a rendering from its counts.
pub fn statistics_of(counts: [u64; COUNTS], dims: Dims) -> RenderStatistics {
    let [samples, brick_lookups, misses, brick_reads] = counts;
    let bricks = dims.covered_by(Dims::cube(4));
    let bricks = (bricks.x * bricks.y * bricks.z) as u64;
    RenderStatistics { samples, brick_lookups, misses, brick_reads, bricks }
}

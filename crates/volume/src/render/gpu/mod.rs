//! Rendering of volumes on a GPU, which decodes bricks as rays meet them.
//!
//! | file | contents |
//! |---|---|
//! | `kernels.rs` | the kernels: the files `*.wgsl` beside their Rust twins |
//! | `params.rs` | the parameters that they receive from Rust |
//! | `converge.rs` | volumes of which a part is on the device |
//! | `pace.rs` | how much is submitted at a time |

mod converge;
mod kernels;
mod pace;
mod params;
#[cfg(test)]
mod tests;

pub(crate) use kernels::all as kernels;

use super::{RenderError, RenderStatistics, Renderer, Rendering, View, dvr, look::LookMode};
use crate::{
    Stage, Task,
    gpu::{GpuVolume, check_rendered},
};
use brickwork_gpu::{Download, GpuError, Pipeline, filled_buffer, wgpu};
use bytemuck::Zeroable;
use kernels::{Mode, Source, kernel, source};
use pace::{Pace, Stopwatch};
use params::{PagingParams, ViewParams};
use std::{
    num::NonZeroU32,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};
use wgpu::BufferUsages as Usage;

/// Counts at the end of the rendering's buffer, of two words each.
const COUNTS: usize = 4;

/// A [`Renderer`] on a GPU, which renders the compressed volume. Each channel of a pixel is within 1 of the
/// CPU's. Any number of views are rendered without uploading anything again.
#[derive(Debug)]
pub struct GpuRenderer {
    volume: Arc<GpuVolume>,
    mode: Mode,
    pipeline: Pipeline,
    /// The volume's ordinals, uncompressed.
    texture: Option<wgpu::Texture>,
    looks: wgpu::Buffer,
    params: ViewParams,
    has_statistics: bool,
    /// The last rendering's buffer for read-back: new memory that both sides use takes longer than the copy.
    staging: Mutex<Option<wgpu::Buffer>>,
    pace: Pace,
}

impl GpuRenderer {
    /// Prepares rendering of `renderer`'s look for the same volume on a GPU.
    ///
    /// # Errors
    /// [`RenderError::OtherVolume`] if the volumes' dims differ. [`RenderError::GpuVolume`] for numbers of 64
    /// bits (see [`NarrowVoxels`](super::NarrowVoxels)) and for bricks of other sizes than 4³.
    /// [`RenderError::Gpu`].
    pub fn new(volume: Arc<GpuVolume>, renderer: &Renderer) -> Result<Self, RenderError> {
        let (seen, dims) = (renderer.bricks().dims(), volume.dims());
        if seen != dims {
            return Err(RenderError::OtherVolume { seen, dims });
        }
        check_rendered(volume.voxel_type(), volume.coding())?;
        let mode = Mode::of(&renderer.look().0);
        let context = volume.context();
        let bound = volume.bound_pages();
        if volume.page_count() > bound {
            let (needed, limit) = (volume.page_count() as u64, bound as u64);
            return Err(GpuError::Limit { what: "the volume's pages", needed, limit }.into());
        }
        let pipeline = context.pipeline(&kernel(mode, source(&volume, true)))?;
        let mut params = ViewParams::zeroed();
        params.background = renderer.background();
        params.display = (&renderer.bricks().display()).into();
        let mut looks: Vec<u32> = Vec::new();
        match &renderer.look().0 {
            LookMode::Mip { table } | LookMode::Dvr { table } => {
                looks.extend(table.entries().iter().flatten().map(|entry| entry.to_bits()));
                params.transfer_first = table.first();
                params.transfer_shift = table.shift();
                params.transfer_span = table.span();
                params.fade = table.span() as f32 * dvr::FADE;
            }
            LookMode::Iso { threshold, color: [red, green, blue] } => {
                params.threshold = *threshold;
                params.color = [*red, *green, *blue, 1.0];
            }
            LookMode::Labels { labels } => looks = labels.bits(),
        }
        let occupancy = renderer.occupancy();
        let largest = |ranges: &[[u16; 2]]| ranges.iter().map(|range| range[1].into()).collect();
        let [cells, blocks] = match renderer.skipped_ranges() {
            Some(ranges) if mode == Mode::Mip => [largest(&ranges.cells), largest(&ranges.blocks)],
            // No cell is skipped: each may have a larger sample.
            None if mode == Mode::Mip => occupancy.counts().map(|count| vec![0xffff; count]),
            _ => [occupancy.cells.clone(), occupancy.blocks.clone()],
        };
        params.cells = looks.len() as u32;
        looks.extend(&cells);
        params.blocks = looks.len() as u32;
        looks.extend(&blocks);
        let size = 4 * looks.len() as u64;
        let buffer = context.buffer("what a picture shows", size, Usage::STORAGE | Usage::COPY_DST)?;
        context.checked("uploading", || {
            context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&looks));
        })?;
        Ok(Self {
            volume,
            mode,
            pipeline,
            texture: None,
            looks: buffer,
            params,
            has_statistics: false,
            staging: Mutex::default(),
            pace: Pace::default(),
        })
    }

    /// Renders the same with a cache of one brick alone: to measure the gain by the cache.
    ///
    /// # Errors
    /// [`RenderError::Gpu`].
    pub fn without_cache(self) -> Result<Self, RenderError> {
        let pipeline = self.volume.context().pipeline(&kernel(self.mode, source(&self.volume, false)))?;
        Ok(Self { pipeline, ..self })
    }

    /// Renders the same from a 3D texture of the whole volume, uncompressed: to measure the cost
    /// of compression.
    ///
    /// # Errors
    /// [`RenderError::Gpu`], such as [`GpuError::Limit`] where a side of the volume is longer than the
    /// device's textures can be.
    pub fn from_texture(self) -> Result<Self, RenderError> {
        let texture = Some(self.volume.ordinals_texture()?);
        let pipeline = self.volume.context().pipeline(&kernel(self.mode, Source::Texture))?;
        Ok(Self { pipeline, texture, ..self })
    }

    /// Counts the cost of renderings, which makes them slightly slower.
    #[must_use]
    pub fn with_statistics(self) -> Self {
        Self { has_statistics: true, ..self }
    }

    /// Renders a view of this volume, and counts pixels. Waits for the GPU without blocking: browsers wake
    /// the future; on native devices something else must poll the context meanwhile.
    ///
    /// # Errors
    /// [`RenderError::OtherVolume`] if the view is that of a volume of other dims; [`RenderError::Gpu`];
    /// [`RenderError::Cancelled`], after which the GPU may finish what it has begun.
    pub async fn render_async(&self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
        self.render_tiles(view, 1, None, task).await
    }

    /// Returns the statistics of every `tile_step`-th tile of 8×4 pixels of a rendering: enough to know the
    /// shares of all of it where the device is slow. Waits as [`render_async`](Self::render_async).
    ///
    /// # Errors
    /// The errors of [`render_async`](Self::render_async).
    pub async fn statistics_async(
        &self,
        view: &View,
        tile_step: NonZeroU32,
        task: &Task<'_>,
    ) -> Result<RenderStatistics, RenderError> {
        Ok(self.render_tiles(view, tile_step.get(), None, task).await?.statistics)
    }

    /// Works like [`render_async`](Self::render_async), but blocks. Reads the clock: the faster the device,
    /// the more is submitted at a time.
    ///
    /// # Errors
    /// The errors of [`render_async`](Self::render_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn render(&self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
        let rendering = self.render_tiles(view, 1, Some(Instant::now), task);
        self.volume.context().run(rendering, || Ok(task.check()?))
    }

    /// Works like [`statistics_async`](Self::statistics_async), but blocks.
    ///
    /// # Errors
    /// The errors of [`render_async`](Self::render_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn statistics(
        &self,
        view: &View,
        tile_step: NonZeroU32,
        task: &Task<'_>,
    ) -> Result<RenderStatistics, RenderError> {
        let rendering = self.render_tiles(view, tile_step.get(), Some(Instant::now), task);
        Ok(self.volume.context().run(rendering, || Ok(task.check()?))?.statistics)
    }

    async fn render_tiles(
        &self,
        view: &View,
        tile_step: u32,
        now: Option<fn() -> Instant>,
        task: &Task<'_>,
    ) -> Result<Rendering, RenderError> {
        view.check(self.volume.dims())?;
        task.check()?;
        let (rays, context) = (&view.rays, self.volume.context());
        let pixel_count = rays.width as usize * rays.height as usize;
        let mut words = pixel_count + 2 * COUNTS;
        let paging = self.volume.pool().map_or_else(PagingParams::default, |pool| {
            let mut reserve = |count: usize| (words as u32, words += count).0;
            let bits = pool.page_count().div_ceil(32);
            PagingParams {
                rays: reserve(8 * pixel_count),
                slots: reserve(pool.page_count()),
                missing: reserve(bits),
                asked: reserve(bits),
                waiting: reserve(1),
                buffer_pages: pool.buffer_pages,
                page_words: pool.page_words,
                is_first: 1,
            }
        });
        let size = 4 * words as u64;
        let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        let picture = context.buffer("a picture", size, usage)?;
        let tiles = [rays.width.div_ceil(8), rays.height.div_ceil(4)];
        let params = ViewParams {
            rays: *rays,
            light: view.light,
            tiles_of_row: tiles[0],
            tile_step,
            statistics: if self.has_statistics { pixel_count as u32 } else { 0 },
            paging,
            ..self.params
        };
        let all = (tiles[0] * tiles[1]).div_ceil(tile_step);
        let mut stopwatch = Stopwatch::new(&self.pace, now);
        let (mut last, mut first) = (None, 0);
        while first < all {
            let count = self.pace.tiles().min(all - first);
            let params = ViewParams { first_tile: first * tile_step, ..params };
            if let Some(pool) = self.volume.pool() {
                self.converge(pool, params, &picture, count, task).await?;
            } else {
                let started = stopwatch.start(count);
                self.submit(params, &picture, count)?;
                // One runs while the next one waits.
                if let Some((last, started)) = last.replace((context.finished(), started)) {
                    last.await?;
                    stopwatch.finish(started);
                }
            }
            first += count;
            let done = u64::from(first) * pixel_count as u64 / u64::from(all);
            task.report(Stage::Rendering, done, pixel_count as u64);
            task.check()?;
        }
        let (pixels, counts) = self.read_back(&picture, pixel_count).await?;
        if let Some((_, started)) = last {
            // The read-back, which is short, counts as well.
            stopwatch.finish(started);
        }
        let count = |i: usize| counts[i];
        let bricks = self.volume.dims().covered_by(crate::Dims::cube(4));
        let statistics = RenderStatistics {
            samples: count(0),
            brick_lookups: count(1),
            misses: count(2),
            brick_reads: count(3),
            bricks: (bricks.x * bricks.y * bricks.z) as u64,
        };
        Ok(Rendering { width: rays.width, height: rays.height, pixels, statistics })
    }

    /// Waits for a rendering's pixels and counts.
    async fn read_back(
        &self,
        picture: &wgpu::Buffer,
        pixel_count: usize,
    ) -> Result<(Vec<[u8; 4]>, [u64; COUNTS]), GpuError> {
        let context = self.volume.context();
        let size = 4 * (pixel_count + 2 * COUNTS) as u64;
        let kept = || self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        let large_enough = kept().take().filter(|staging| staging.size() >= size);
        let staging = large_enough.map_or_else(|| Download::staging(context, size), Ok)?;
        let mut commands = context.device().create_command_encoder(&Default::default());
        commands.copy_buffer_to_buffer(picture, 0, &staging, 0, size);
        let submission = context.checked("read-back", || context.queue().submit([commands.finish()]))?;
        let download = Download::submitted(&staging, size, submission);
        download.arrival().await;
        let read = download.take_with(context, |bytes| {
            let (pixels, counts) = bytes.split_at(4 * pixel_count);
            let counts = counts.as_chunks::<8>().0.iter().map(|&count| u64::from_le_bytes(count));
            let mut all = [0; COUNTS];
            all.iter_mut().zip(counts).for_each(|(all, count)| *all = count);
            (bytemuck::pod_collect_to_vec(pixels), all)
        })?;
        *kept() = Some(staging);
        Ok(read)
    }

    /// Waits for bytes of a buffer.
    async fn download(&self, buffer: &wgpu::Buffer, range: Range<u64>) -> Result<Vec<u8>, GpuError> {
        let context = self.volume.context();
        Download::new(context, buffer, range)?.bytes(context).await
    }

    fn submit(&self, params: ViewParams, picture: &wgpu::Buffer, tiles: u32) -> Result<(), GpuError> {
        let context = self.volume.context();
        let device = context.device();
        context.checked("rendering", || {
            let params = filled_buffer(device, "a view", bytemuck::bytes_of(&params), Usage::UNIFORM);
            let mut resources = self.volume.index().to_vec();
            resources.extend([&params, &self.looks, picture]);
            let view = self.texture.as_ref().map(|texture| texture.create_view(&Default::default()));
            if view.is_none() {
                let (_, pages) = self.volume.page_groups(self.volume.bound_pages()).next().expect("a page");
                resources.extend(pages);
            }
            let resources = resources.into_iter().map(|buffer| buffer.as_entire_binding());
            let resources: Vec<_> =
                resources.chain(view.as_ref().map(wgpu::BindingResource::TextureView)).collect();
            let bound = self.pipeline.bind(device, &resources);
            let mut commands = device.create_command_encoder(&Default::default());
            self.pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, tiles);
            context.queue().submit([commands.finish()]);
        })
    }
}

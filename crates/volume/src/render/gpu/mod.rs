//! Rendering of volumes on a GPU, which decodes bricks as rays meet them.
//!
//! | file | contents |
//! |---|---|
//! | `kernels.rs` | the kernels: the files `*.wgsl` beside their Rust twins |
//! | `converge.rs` | volumes of which a part is on the device |
//! | `pace.rs` | how much is submitted at a time |

mod converge;
mod kernels;
mod pace;
#[cfg(test)]
mod tests;

pub(crate) use kernels::{all as kernels, browser as browser_kernels};

use super::{
    RenderError, RenderStatistics, Renderer, Rendering, View,
    inputs::{COUNTS, LookInputs, Paging, RenderingInputs, ViewParams, statistics_of},
};
use crate::{
    Stage, Task,
    gpu::{GpuVolume, check_rendered},
};
use brickwork_gpu::{Download, GpuError, Pipeline, filled_buffer, wgpu};
use kernels::{Source, kernel, source};
use pace::{Pace, Started, Stopwatch};
use std::{
    num::NonZeroU32,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};
use wgpu::BufferUsages as Usage;

/// A [`Renderer`] on a GPU, which renders the compressed volume. Each channel of a pixel is within 1 of the
/// CPU's. Any number of views are rendered without uploading anything again.
#[derive(Debug)]
pub struct GpuRenderer {
    volume: Arc<GpuVolume>,
    pipeline: Pipeline,
    /// The volume's ordinals, uncompressed.
    texture: Option<wgpu::Texture>,
    look: LookInputs,
    /// The look's words on the device.
    looks: wgpu::Buffer,
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
        let look = LookInputs::new(renderer);
        let context = volume.context();
        let bound = volume.bound_pages();
        if volume.page_count() > bound {
            let (needed, limit) = (volume.page_count() as u64, bound as u64);
            return Err(GpuError::Limit { what: "the volume's pages", needed, limit }.into());
        }
        let pipeline = context.pipeline(&kernel(look.mode, source(&volume, true)))?;
        let size = 4 * look.words.len() as u64;
        let buffer = context.buffer("what a picture shows", size, Usage::STORAGE | Usage::COPY_DST)?;
        context.checked("uploading", || {
            context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&look.words));
        })?;
        Ok(Self {
            volume,
            pipeline,
            texture: None,
            look,
            looks: buffer,
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
        let pipeline =
            self.volume.context().pipeline(&kernel(self.look.mode, source(&self.volume, false)))?;
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
        let pipeline = self.volume.context().pipeline(&kernel(self.look.mode, Source::Texture))?;
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
        self.render_tiles(&[], view, NonZeroU32::MIN, None, task).await
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
        Ok(self.render_tiles(&[], view, tile_step, None, task).await?.statistics)
    }

    /// Works like [`render_async`](Self::render_async), but blocks. Reads the clock: the faster the device,
    /// the more is submitted at a time.
    ///
    /// # Errors
    /// The errors of [`render_async`](Self::render_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn render(&self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
        self.render_with(&[], view, task)
    }

    /// Renders this channel and `others` of a volume, and adds them up, as
    /// [`Renderer::render_with`](super::Renderer::render_with) does. All must be on the same device. Blocks.
    ///
    /// # Errors
    /// The errors of [`render_async`](Self::render_async).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn render_with(
        &self,
        others: &[&Self],
        view: &View,
        task: &Task<'_>,
    ) -> Result<Rendering, RenderError> {
        let rendering = self.render_tiles(others, view, NonZeroU32::MIN, Some(Instant::now), task);
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
        let rendering = self.render_tiles(&[], view, tile_step, Some(Instant::now), task);
        Ok(self.volume.context().run(rendering, || Ok(task.check()?))?.statistics)
    }

    async fn render_tiles(
        &self,
        others: &[&Self],
        view: &View,
        tile_step: NonZeroU32,
        now: Option<fn() -> Instant>,
        task: &Task<'_>,
    ) -> Result<Rendering, RenderError> {
        let channels: Vec<&Self> = std::iter::once(self).chain(others.iter().copied()).collect();
        let inputs = channels.iter().map(|channel| channel.inputs(view, tile_step, !others.is_empty()));
        let inputs: Vec<RenderingInputs> = inputs.collect::<Result<_, _>>()?;
        let words = inputs.iter().fold(0, |most, inputs| most.max(inputs.words));
        task.check()?;
        let context = self.volume.context();
        let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        let picture = context.buffer("a picture", 4 * words as u64, usage)?;
        let pixel_count = view.pixel_count() as usize;
        let mut last = None;
        for (number, (channel, inputs)) in channels.iter().zip(inputs).enumerate() {
            let place = [number, channels.len()].map(|count| (count * pixel_count) as u64);
            last = channel.cast(inputs, &picture, place, now, task).await?;
        }
        let (pixels, counts) = self.read_back(&picture, pixel_count).await?;
        if let Some((mut stopwatch, started)) = last {
            // The read-back, which is short, counts as well.
            stopwatch.finish(started);
        }
        let (width, height) = (view.width(), view.height());
        let statistics = statistics_of(counts, self.volume.dims());
        Ok(Rendering { width, height, pixels, statistics })
    }

    fn inputs(
        &self,
        view: &View,
        tile_step: NonZeroU32,
        is_added: bool,
    ) -> Result<RenderingInputs, RenderError> {
        let paging = self.volume.pool();
        let paging = paging.map(|pool| Paging { slots: pool.shape, page_count: pool.page_count() });
        self.look.rendering(view, self.volume.dims(), tile_step, self.has_statistics, is_added, paging)
    }

    /// Casts the rays of one channel. `before` and `total` are pixels of the channels before it, and of all.
    /// Returns the stopwatch of the last dispatch of the last channel, which may still run.
    async fn cast(
        &self,
        inputs: RenderingInputs,
        picture: &wgpu::Buffer,
        [before, total]: [u64; 2],
        now: Option<fn() -> Instant>,
        task: &Task<'_>,
    ) -> Result<Option<(Stopwatch<'_>, Started)>, RenderError> {
        let RenderingInputs { params, tiles: all, .. } = inputs;
        let context = self.volume.context();
        let pixel_count = u64::from(params.rays.width) * u64::from(params.rays.height);
        let mut stopwatch = Stopwatch::new(&self.pace, now);
        let (mut last, mut first) = (None, 0);
        while first < all {
            let count = self.pace.tiles().min(all - first);
            let params = ViewParams { first_tile: first * params.tile_step, ..params };
            if let Some(pool) = self.volume.pool() {
                self.converge(pool, params, picture, count, task).await?;
            } else {
                let started = stopwatch.start(count);
                self.submit(params, picture, count)?;
                // One runs while the next one waits.
                if let Some((last, started)) = last.replace((context.finished(), started)) {
                    last.await?;
                    stopwatch.finish(started);
                }
            }
            first += count;
            task.report(Stage::Rendering, before + u64::from(first) * pixel_count / u64::from(all), total);
            task.check()?;
        }
        match last {
            Some((finished, started)) if before + pixel_count < total => {
                finished.await?;
                stopwatch.finish(started);
                Ok(None)
            }
            last => Ok(last.map(|(_, started)| (stopwatch, started))),
        }
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

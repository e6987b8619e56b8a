//! Pictures of volumes on a GPU, which decodes bricks as rays meet them.

use super::{
    Display, DisplayRule, Light, Look, Rays, RenderStatistics, Renderer, Rendering, View,
    display::{INFINITY, MINUS_INFINITY},
    dvr, iso, labels,
    sample::HALF,
    shade,
};
use crate::gpu::{
    GpuVolume, Lanes,
    pages::{self, MOST_PAGES},
    pool::Pool,
    with_decode_brick, with_resident,
};
use brickwork_gpu::{Binding, Download, GpuError, Kernel, Pipeline, filled_buffer, wgpu};
use bytemuck::{Pod, Zeroable};
use wgpu::BufferUsages as Usage;

/// What a kernel takes from Rust, as WGSL's `View`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct ViewParams {
    pub rays: Rays,
    pub light: Light,
    pub background: [f32; 4],
    pub color: [f32; 4],
    pub display: DisplayParams,
    pub cells: u32,
    pub blocks: u32,
    pub transfer_first: u32,
    pub transfer_shift: u32,
    pub transfer_span: u32,
    pub threshold: u32,
    pub fade: f32,
    pub first_tile: u32,
    pub tiles_of_row: u32,
    pub statistics: u32,
    padding: [u32; 2],
    pub paging: PagingParams,
}

/// Where paging keeps what, as WGSL's `Paging`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct PagingParams {
    pub rays: u32,
    pub slots: u32,
    pub missing: u32,
    pub asked: u32,
    pub waiting: u32,
    pub buffer_pages: u32,
    pub page_words: u32,
    pub is_first: u32,
}

/// A [`DisplayRule`], as WGSL's `DisplayParams`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct DisplayParams {
    pub rule: u32,
    padding: [u32; 3],
    pub numbers: [u32; 4],
}

/// The numbers of rules in WGSL; 0 is `Flip`.
const RULE_SHIFT: u32 = 1;
const RULE_SCALE: u32 = 2;
const RULE_HASH: u32 = 3;

impl From<&Display> for DisplayParams {
    fn from(display: &Display) -> Self {
        let (rule, numbers) = match display.rule() {
            DisplayRule::Flip { flip } => (0, [flip, 0, 0, 0]),
            DisplayRule::Shift { low, shift } => (RULE_SHIFT, [low, shift, 0, 0]),
            DisplayRule::Scale { low, high, low_value, scale } => {
                (RULE_SCALE, [low, high, low_value.to_bits(), scale.to_bits()])
            }
            DisplayRule::Hash { zero, is_float } => (RULE_HASH, [zero, is_float.into(), 0, 0]),
        };
        Self { rule, padding: [0; 3], numbers }
    }
}

/// The kernel that a [`Look`] needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Mip,
    Dvr,
    Iso,
    Labels,
}

impl Mode {
    #[cfg(test)]
    pub const ALL: [Self; 4] = [Self::Mip, Self::Dvr, Self::Iso, Self::Labels];

    const fn of(look: &Look) -> Self {
        match look {
            Look::Mip { .. } => Self::Mip,
            Look::Dvr { .. } => Self::Dvr,
            Look::Iso { .. } => Self::Iso,
            Look::Labels { .. } => Self::Labels,
        }
    }
}

/// Entries of the cache. The paper has 23 for volumes of 16 bits.
const ENTRIES: u32 = 23;

/// Where a kernel gets voxels from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Compressed bricks, of which so many pages are bound.
    Bricks { pages: usize, has_subgroups: bool, has_cache: bool },
    /// Compressed bricks in a pool of pages.
    Pool { has_subgroups: bool },
    /// A 3D texture.
    Texture,
}

/// Tiles of 8×4 pixels, one per workgroup, that are submitted at a time, so that no driver takes them for a
/// hang.
const TILES: u32 = 4096;

/// So many dispatches may end with as many rays waiting as the one before.
const MOST_IDLE: u32 = 40;

/// Counts at the end of the picture's buffer, of two words each.
const COUNTS: usize = 4;

/// The kernel of a mode.
pub(super) fn kernel(mode: Mode, source: Source) -> Kernel {
    macro_rules! name {
        ($mode:literal) => {
            match source {
                Source::Texture => concat!("volume ", $mode, ", texture"),
                Source::Pool { has_subgroups: false } => concat!("volume ", $mode, ", pool"),
                Source::Pool { has_subgroups: true } => concat!("volume ", $mode, ", pool, subgroups"),
                Source::Bricks { pages, has_subgroups, has_cache } => {
                    match (pages, has_subgroups, has_cache) {
                        (1, false, true) => concat!("volume ", $mode, ", 1 page"),
                        (2, false, true) => concat!("volume ", $mode, ", 2 pages"),
                        (_, false, true) => concat!("volume ", $mode, ", 4 pages"),
                        (1, true, true) => concat!("volume ", $mode, ", subgroups, 1 page"),
                        (2, true, true) => concat!("volume ", $mode, ", subgroups, 2 pages"),
                        (_, true, true) => concat!("volume ", $mode, ", subgroups, 4 pages"),
                        (1, false, false) => concat!("volume ", $mode, ", no cache, 1 page"),
                        (2, false, false) => concat!("volume ", $mode, ", no cache, 2 pages"),
                        (_, false, false) => concat!("volume ", $mode, ", no cache, 4 pages"),
                        (1, true, false) => concat!("volume ", $mode, ", no cache, subgroups, 1 page"),
                        (2, true, false) => concat!("volume ", $mode, ", no cache, subgroups, 2 pages"),
                        (_, true, false) => concat!("volume ", $mode, ", no cache, subgroups, 4 pages"),
                    }
                }
            }
        };
    }
    let (name, parts): (_, &[&str]) = match mode {
        Mode::Mip => {
            let parts = &[include_str!("mip.wgsl"), include_str!("shows_larger.wgsl"), SAMPLE, TRANSFER];
            (name!("mip"), parts)
        }
        Mode::Dvr => {
            (name!("dvr"), &[include_str!("dvr.wgsl"), include_str!("shows_bits.wgsl"), SAMPLE, TRANSFER])
        }
        Mode::Iso => (name!("iso"), &[include_str!("iso.wgsl"), include_str!("shows_bits.wgsl"), SAMPLE]),
        Mode::Labels => (name!("labels"), &[include_str!("labels.wgsl"), include_str!("shows_bits.wgsl")]),
    };
    let mut bindings = vec![Binding::Uniform, Binding::Read, Binding::Read, Binding::Uniform];
    bindings.extend([Binding::Read, Binding::Write]);
    match source {
        Source::Texture => bindings.push(Binding::Texture3d),
        Source::Bricks { pages, .. } => bindings.extend(vec![Binding::Read; pages]),
        Source::Pool { .. } => bindings.extend(vec![Binding::Read; MOST_PAGES]),
    }
    let kernel = match source {
        Source::Texture => Kernel::new(name, &bindings)
            .part("struct Shape { voxels: vec3u, bricks: vec3u, superblocks: vec3u }")
            .parts(&[include_str!("gather_texture.wgsl"), Lanes::Workgroup.entry(), KEEP_NOTHING])
            .constant("LANES", 32),
        Source::Bricks { pages, has_subgroups, has_cache } => {
            let entries = if has_cache { ENTRIES } else { 1 };
            let kept = include_str!("all_pages.wgsl");
            with_cache(Kernel::new(name, &bindings), pages, has_subgroups, entries, false)
                .parts(&[kept, KEEP_NOTHING])
        }
        Source::Pool { has_subgroups } => {
            let kept = include_str!("some_pages.wgsl");
            with_cache(Kernel::new(name, &bindings), MOST_PAGES, has_subgroups, ENTRIES, true).part(kept)
        }
    };
    kernel
        .parts(parts)
        .parts(&[include_str!("picture.wgsl"), include_str!("rays.wgsl"), include_str!("space.wgsl")])
        .parts(&[include_str!("display.wgsl"), include_str!("shade.wgsl")])
        .constants([
            ("HALVINGS", iso::HALVINGS),
            ("NEIGHBOURS", labels::NEIGHBOURS),
            ("INFINITY", INFINITY),
            ("MINUS_INFINITY", MINUS_INFINITY),
            ("RULE_SHIFT", RULE_SHIFT),
            ("RULE_SCALE", RULE_SCALE),
            ("RULE_HASH", RULE_HASH),
        ])
        .constants([
            ("AMBIENT", shade::AMBIENT),
            ("DIFFUSE", shade::DIFFUSE),
            ("SPECULAR", shade::SPECULAR),
            ("FLAT", shade::FLAT),
            ("LEAST_TRANSMITTANCE", dvr::LEAST_TRANSMITTANCE),
        ])
        .table("EXP2", &shade::EXP2)
        .constant("SHIFT", if mode == Mode::Labels { 0 } else { HALF })
}

/// The kernel with what reads compressed bricks, of which `count` buffers are bound after everything else.
fn with_cache(kernel: Kernel, count: usize, has_subgroups: bool, entries: u32, are_shared: bool) -> Kernel {
    let first_page = kernel.bindings().len() - count;
    let lanes = if has_subgroups { Lanes::Subgroups(1) } else { Lanes::Workgroup };
    let least = match lanes {
        Lanes::Workgroup => include_str!("least_workgroup.wgsl"),
        Lanes::Subgroups(_) => include_str!("least_subgroup.wgsl"),
    };
    with_resident(with_decode_brick(kernel, lanes))
        .part(&pages::wgsl(count, first_page, are_shared))
        .parts(&[include_str!("cache.wgsl"), least, lanes.entry()])
        .constant("ENTRIES", entries)
}

const KEEP_NOTHING: &str = include_str!("keep_nothing.wgsl");
const SAMPLE: &str = include_str!("sample.wgsl");
const TRANSFER: &str = include_str!("transfer.wgsl");

/// Where kernels get a volume's voxels from.
fn source(volume: &GpuVolume, has_cache: bool) -> Source {
    let has_subgroups = volume.has_wide_subgroups();
    match volume.pool() {
        Some(_) => Source::Pool { has_subgroups },
        None => Source::Bricks { pages: volume.bound_pages(), has_subgroups, has_cache },
    }
}

/// A [`Renderer`]'s pictures, made by a GPU from the compressed volume: each channel of a pixel is within 1 of
/// the CPU's.
#[derive(Debug)]
pub struct GpuRenderer<'a> {
    volume: &'a GpuVolume,
    mode: Mode,
    pipeline: Pipeline,
    /// The volume's ordinals, uncompressed.
    texture: Option<wgpu::Texture>,
    looks: wgpu::Buffer,
    params: ViewParams,
    has_statistics: bool,
}

impl<'a> GpuRenderer<'a> {
    /// What `renderer` shows, of the same volume on a GPU.
    ///
    /// # Errors
    /// [`GpuError`].
    ///
    /// # Panics
    /// If the volumes' dims differ.
    pub fn new(volume: &'a GpuVolume, renderer: &Renderer) -> Result<Self, GpuError> {
        assert_eq!(volume.dims(), renderer.bricks().dims(), "another volume");
        let mode = Mode::of(renderer.look());
        let context = volume.context();
        let bound = volume.bound_pages();
        if volume.page_count() > bound {
            let (needed, limit) = (volume.page_count() as u64, bound as u64);
            return Err(GpuError::Limit { what: "the volume's pages", needed, limit });
        }
        let pipeline = context.pipeline(&kernel(mode, source(volume, true)))?;
        let mut params = ViewParams::zeroed();
        params.background = renderer.background();
        params.display = (&renderer.bricks().display()).into();
        let mut looks: Vec<u32> = Vec::new();
        match renderer.look() {
            Look::Mip { table } | Look::Dvr { table } => {
                looks.extend(table.entries().iter().flatten().map(|entry| entry.to_bits()));
                params.transfer_first = table.first();
                params.transfer_shift = table.shift();
                params.transfer_span = table.span();
                params.fade = table.span() as f32 * dvr::FADE;
            }
            Look::Iso { threshold, color: [red, green, blue], fade } => {
                params.threshold = *threshold;
                params.color = [*red, *green, *blue, 1.0];
                params.fade = *fade;
            }
            Look::Labels { labels } => looks = labels.bits(),
        }
        let occupancy = renderer.occupancy();
        let [cells, blocks] = match renderer.largest_values() {
            Some(largest) => largest,
            // Everything may be larger than anything.
            None if mode == Mode::Mip => occupancy.counts().map(|count| vec![0xffff; count]),
            None => [occupancy.cells.clone(), occupancy.blocks.clone()],
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
        Ok(Self { volume, mode, pipeline, texture: None, looks: buffer, params, has_statistics: false })
    }

    /// The same pictures with a cache of one brick alone: to measure what the cache gains.
    ///
    /// # Errors
    /// [`GpuError`].
    pub fn without_cache(self) -> Result<Self, GpuError> {
        let pipeline = self.volume.context().pipeline(&kernel(self.mode, source(self.volume, false)))?;
        Ok(Self { pipeline, ..self })
    }

    /// The same pictures from a 3D texture of the whole volume, uncompressed: to measure what compression costs.
    ///
    /// # Errors
    /// [`GpuError`], such as [`GpuError::Limit`] where a side of the volume is longer than that of the device's
    /// textures.
    pub fn from_texture(self) -> Result<Self, GpuError> {
        let texture = Some(self.volume.ordinals_texture()?);
        let pipeline = self.volume.context().pipeline(&kernel(self.mode, Source::Texture))?;
        Ok(Self { pipeline, texture, ..self })
    }

    /// Counts what pictures take, which makes them take a little longer.
    #[must_use]
    pub fn with_statistics(self) -> Self {
        Self { has_statistics: true, ..self }
    }

    /// Makes the picture of a view. `progress` is called with the pixels submitted and the pixels in all.
    ///
    /// # Errors
    /// [`GpuError`].
    ///
    /// # Panics
    /// If the view is one of another volume's dims.
    pub fn render(&self, view: &View, progress: &dyn Fn(u64, u64)) -> Result<Rendering, GpuError> {
        let (rays, dims, context) = (&view.rays, self.volume.dims(), self.volume.context());
        let is_same = rays.dims.map(|side| side as usize) == [dims.x, dims.y, dims.z];
        assert!(is_same, "a view of another volume");
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
            statistics: if self.has_statistics { pixel_count as u32 } else { 0 },
            paging,
            ..self.params
        };
        let all = tiles[0] * tiles[1];
        let mut last = None;
        for first_tile in (0..all).step_by(TILES as usize) {
            let count = TILES.min(all - first_tile);
            let params = ViewParams { first_tile, ..params };
            if let Some(pool) = self.volume.pool() {
                self.converge(pool, params, &picture, count)?;
            } else {
                let submission = self.submit(params, &picture, count)?;
                // One runs while the next one waits.
                if let Some(last) = last.replace(submission) {
                    context.wait_for(&last)?;
                }
            }
            let done = u64::from(first_tile + count) * pixel_count as u64 / u64::from(all);
            progress(done, pixel_count as u64);
        }
        let size = 4 * (pixel_count + 2 * COUNTS) as u64;
        let bytes = Download::new(context, &picture, 0..size)?.wait(context)?;
        let (pixels, counts) = bytes.split_at(4 * pixel_count);
        let count = |i: usize| {
            let bytes = counts[8 * i..8 * i + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        let bricks = self.volume.dims().covered_by(crate::Dims::cube(4));
        let statistics = RenderStatistics {
            samples: count(0),
            brick_lookups: count(1),
            misses: count(2),
            brick_reads: count(3),
            bricks: (bricks.x * bricks.y * bricks.z) as u64,
        };
        let pixels = bytemuck::pod_collect_to_vec(pixels);
        Ok(Rendering { width: rays.width, height: rays.height, pixels, statistics })
    }

    /// Casts the rays of some tiles again and again, with the pages that they waited for, until none waits.
    fn converge(
        &self,
        pool: &Pool,
        params: ViewParams,
        picture: &wgpu::Buffer,
        tiles: u32,
    ) -> Result<(), GpuError> {
        let context = self.volume.context();
        let PagingParams { slots, missing, asked, waiting, .. } = params.paging;
        let bits = (asked - missing) as usize;
        let mut params = params;
        let (mut last_waiting, mut idle) = (u32::MAX, 0);
        loop {
            let table = pool.lock().of_page.clone();
            context.checked("rendering", || {
                context.queue().write_buffer(picture, 4 * u64::from(slots), bytemuck::cast_slice(&table));
                // Nothing is missing yet, nothing asked for, no ray waits.
                context.queue().write_buffer(picture, 4 * u64::from(missing), &vec![0; 4 * (2 * bits + 1)]);
            })?;
            self.submit(params, picture, tiles)?;
            let range = 4 * u64::from(missing)..4 * u64::from(waiting + 1);
            let bytes = Download::new(context, picture, range)?.wait(context)?;
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
            let now_waiting = words[2 * bits];
            if now_waiting == 0 {
                return Ok(());
            }
            pool.load(context, self.volume.page_buffers(), &words[..bits], &words[bits..2 * bits])?;
            params.paging.is_first = 0;
            // Where rays wait for more pages than there are slots, those of fewer tiles come first.
            idle = if now_waiting < last_waiting { 0 } else { idle + 1 };
            last_waiting = now_waiting;
            if idle > MOST_IDLE && tiles == 1 {
                let reason = "rays wait for pages again and again".to_owned();
                return Err(GpuError::Validation { what: "rendering", reason });
            }
            if idle > MOST_IDLE {
                let half = tiles / 2;
                self.converge(pool, params, picture, half)?;
                let first_tile = params.first_tile + half;
                return self.converge(pool, ViewParams { first_tile, ..params }, picture, tiles - half);
            }
        }
    }

    fn submit(
        &self,
        params: ViewParams,
        picture: &wgpu::Buffer,
        tiles: u32,
    ) -> Result<wgpu::SubmissionIndex, GpuError> {
        let context = self.volume.context();
        let device = context.device();
        context.checked("rendering", || {
            let params = filled_buffer(device, "a view", bytemuck::bytes_of(&params), Usage::UNIFORM);
            let mut resources = self.volume.index().to_vec();
            resources.extend([&params, &self.looks, picture]);
            let view = self.texture.as_ref().map(|texture| texture.create_view(&Default::default()));
            if view.is_none() {
                let (_, pages) = self.volume.page_groups().next().expect("a page");
                resources.extend(pages);
            }
            let resources = resources.into_iter().map(|buffer| buffer.as_entire_binding());
            let resources: Vec<_> =
                resources.chain(view.as_ref().map(wgpu::BindingResource::TextureView)).collect();
            let bound = self.pipeline.bind(device, &resources);
            let mut commands = device.create_command_encoder(&Default::default());
            self.pipeline.dispatch(&mut commands.begin_compute_pass(&Default::default()), &bound, tiles);
            context.queue().submit([commands.finish()])
        })
    }
}

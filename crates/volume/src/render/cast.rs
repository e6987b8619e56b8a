//! The ray caster: tiles of pixels, shared by threads.

use super::{
    bricks::DisplayBricks,
    camera::View,
    dvr,
    focus::Focus,
    iso, labels,
    look::Look,
    mip, parallel,
    rays::Ray,
    sample::HALF,
    sampler::{RenderStatistics, Sampler},
    shade::Light,
    space::{BLOCK_BITS, CELL_BITS, CellRanges, Occupancy, samples_to_leave},
};
use std::{
    fmt,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
};

/// Pixels along the side of a tile.
const TILE: u32 = 16;

/// A rendered picture.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendering {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, row by row from the top; alpha is straight.
    pub pixels: Vec<[u8; 4]>,
    /// What it took. Reads depend on which thread came to what.
    pub statistics: RenderStatistics,
}

/// A volume, and what is to be shown of it: pictures are made from any number of views.
pub struct Renderer<'a> {
    bricks: &'a dyn DisplayBricks,
    look: Look,
    background: [f32; 4],
    occupancy: Occupancy,
    /// Of MIP.
    ranges: Option<CellRanges>,
}

impl fmt::Debug for Renderer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer").field("look", &self.look).finish_non_exhaustive()
    }
}

impl<'a> Renderer<'a> {
    /// Prepares pictures of a volume over a transparent background. Asks for the range of each brick.
    pub fn new(bricks: &'a dyn DisplayBricks, look: Look) -> Self {
        let ranges = CellRanges::new(bricks, !matches!(look, Look::Labels { .. }));
        let occupancy = match &look {
            Look::Mip { .. } => Occupancy::new(&ranges, |_| true),
            Look::Dvr { table } => Occupancy::new(&ranges, |range| table.shows(range)),
            Look::Iso { threshold, .. } => {
                Occupancy::new(&ranges, |[_, largest]| u32::from(largest) << 8 >= *threshold)
            }
            Look::Labels { labels } => Occupancy::new(&ranges, |range| labels.has_any(range)),
        };
        let ranges = matches!(look, Look::Mip { .. }).then_some(ranges);
        Self { bricks, look, background: [0.0; 4], occupancy, ranges }
    }

    /// Takes red, green, blue and straight alpha, from 0 to 1, as the background.
    #[must_use]
    pub fn with_background(self, background: [f32; 4]) -> Self {
        Self { background, ..self }
    }

    /// Looks at every cell, also where nothing can show: to test and to measure. The pictures are the same.
    #[must_use]
    pub fn without_skipping(self) -> Self {
        Self { occupancy: Occupancy::full(self.bricks.dims()), ranges: None, ..self }
    }

    /// The bricks.
    pub const fn bricks(&self) -> &'a dyn DisplayBricks {
        self.bricks
    }

    /// The background: red, green, blue and straight alpha.
    pub const fn background(&self) -> [f32; 4] {
        self.background
    }

    /// What a camera may focus on: the cells where something may show well, but for outliers. Of MIP these
    /// are where values are above the lower quarter of the table. None if nothing shows.
    pub fn focus(&self) -> Option<Focus> {
        let dims = self.bricks.dims();
        let of = |shows: &dyn Fn([u16; 2]) -> bool| {
            let ranges = CellRanges::new(self.bricks, true);
            Focus::of_occupied(&Occupancy::new(&ranges, shows), dims)
        };
        match &self.look {
            Look::Mip { table } => {
                let least = table.first() + table.span() / 4;
                of(&|[_, largest]| u32::from(largest) << 8 >= least)
            }
            Look::Dvr { table } => of(&|range| table.shows_well(range)),
            Look::Iso { .. } | Look::Labels { .. } => Focus::of_occupied(&self.occupancy, dims),
        }
    }

    /// What is shown.
    pub const fn look(&self) -> &Look {
        &self.look
    }

    /// The largest display values of cells, then of blocks, where those that are not larger than what was
    /// found are skipped.
    #[cfg(feature = "gpu")]
    pub(super) fn largest_values(&self) -> Option<[Vec<u32>; 2]> {
        let ranges = self.ranges.as_ref()?;
        let largest = |ranges: &[[u16; 2]]| ranges.iter().map(|range| range[1].into()).collect();
        Some([largest(&ranges.cells), largest(&ranges.blocks)])
    }

    /// Where something may show.
    pub const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Makes the picture of a view of this volume. `progress` is called from any thread with the pixels done
    /// and the pixels in all. The pixels do not depend on the number of threads.
    ///
    /// # Panics
    /// If the view is one of another volume's dims.
    pub fn render(&self, view: &View, progress: &(dyn Fn(u64, u64) + Sync)) -> Rendering {
        let (rays, dims) = (&view.rays, self.bricks.dims());
        let is_same = rays.dims.map(|side| side as usize) == [dims.x, dims.y, dims.z];
        assert!(is_same, "a view of another volume");
        let tiles = [rays.width.div_ceil(TILE), rays.height.div_ceil(TILE)];
        let total = u64::from(rays.width) * u64::from(rays.height);
        let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
        let parts = parallel::on_each_thread(|| {
            let mut state = Caster::new(self, view);
            let mut drawn = Vec::new();
            loop {
                let tile = next.fetch_add(1, Ordering::Relaxed);
                if tile >= tiles[0] as usize * tiles[1] as usize {
                    return (drawn, state.sampler.statistics);
                }
                let corner = [TILE * (tile as u32 % tiles[0]), TILE * (tile as u32 / tiles[0])];
                let pixels = self.tile(&mut state, view, corner);
                let count = pixels.len() as u64;
                drawn.push((corner, pixels));
                progress(done.fetch_add(count, Ordering::Relaxed) + count, total);
            }
        });
        let mut pixels = vec![[0; 4]; total as usize];
        let mut statistics = RenderStatistics::default();
        for (drawn, took) in parts {
            statistics += took;
            for (corner, tile) in drawn {
                let width = (rays.width - corner[0]).min(TILE) as usize;
                for (y, row) in tile.chunks_exact(width).enumerate() {
                    let start = (corner[1] as usize + y) * rays.width as usize + corner[0] as usize;
                    pixels[start..][..width].copy_from_slice(row);
                }
            }
        }
        Rendering { width: rays.width, height: rays.height, pixels, statistics }
    }

    /// The pixels of a tile, row by row.
    fn tile(&self, state: &mut Caster, view: &View, corner: [u32; 2]) -> Vec<[u8; 4]> {
        let width = (view.rays.width - corner[0]).min(TILE);
        let height = (view.rays.height - corner[1]).min(TILE);
        let mut pixels = vec![[0; 4]; (width * height) as usize];
        // In Morton order: rays side by side meet the same bricks.
        for i in 0..TILE * TILE {
            let every_second = |bits: u32| (0..4).fold(0, |sum, bit| sum | (bits >> (2 * bit) & 1) << bit);
            let (x, y) = (every_second(i), every_second(i >> 1));
            if x < width && y < height {
                let ray = view.rays.ray(corner[0] + x, corner[1] + y);
                let color = if ray.first < ray.end { self.pixel(state, &ray) } else { [0.0; 4] };
                pixels[(y * width + x) as usize] = over(color, self.background);
            }
        }
        pixels
    }

    /// What a ray sees: colour multiplied by alpha, and alpha.
    fn pixel(&self, state: &mut Caster, ray: &Ray) -> [f32; 4] {
        match &self.look {
            Look::Mip { table } => {
                let largest = mip::cast(state, ray, self.ranges.as_ref());
                let [red, green, blue, _] = table.look_up(largest);
                [red, green, blue, 1.0]
            }
            Look::Dvr { table } => dvr::cast(state, ray, table),
            Look::Iso { threshold, color, fade } => iso::cast(state, ray, *threshold, *color, *fade),
            Look::Labels { labels } => labels::cast(state, ray, labels),
        }
    }
}

/// What a thread casts rays with.
pub struct Caster<'a> {
    pub sampler: Sampler<'a>,
    pub occupancy: &'a Occupancy,
    pub light: &'a Light,
}

impl<'a> Caster<'a> {
    fn new(renderer: &'a Renderer<'a>, view: &'a View) -> Self {
        Self { sampler: Sampler::new(renderer.bricks), occupancy: &renderer.occupancy, light: &view.light }
    }

    /// Gives the samples of a ray that may show to `run`, in order and cell by cell: the numbers of the first
    /// and of the one after the last. It says whether to go on. `shift` is what positions are moved back by
    /// to find their cells: half a voxel, or nothing for labels.
    #[inline(always)]
    pub fn walk(&mut self, ray: &Ray, shift: i32, mut run: impl FnMut(&mut Self, u32, u32) -> bool) {
        let mut k = ray.first;
        while k < ray.end {
            let at = ray.at(k).map(|position| position - shift);
            let place = at.map(|at| at.max(0) as u32);
            if !self.occupancy.has_block(place.map(|place| place >> BLOCK_BITS)) {
                k = k.saturating_add(samples_to_leave(at, place, ray.step, BLOCK_BITS));
                continue;
            }
            let end = k.saturating_add(samples_to_leave(at, place, ray.step, CELL_BITS)).min(ray.end);
            if self.occupancy.has_cell(place.map(|place| place >> CELL_BITS)) && !run(self, k, end) {
                return;
            }
            k = end;
        }
    }
}

/// Where cells of interpolated samples start.
pub const INTERPOLATED: i32 = HALF;

/// A colour multiplied by its alpha, over a background of straight alpha, as 8 bits of straight alpha.
fn over(color: [f32; 4], background: [f32; 4]) -> [u8; 4] {
    let behind = (1.0 - color[3]) * background[3];
    let alpha = color[3] + behind;
    let scale = if alpha > 0.0 { 1.0 / alpha } else { 0.0 };
    let bits = |x: f32| (x * 255.0 + 0.5) as u8;
    let channel = |i: usize| bits((color[i] + behind * background[i]) * scale);
    [channel(0), channel(1), channel(2), bits(alpha)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_show_through() {
        assert_eq!(over([0.0; 4], [1.0, 0.5, 0.0, 1.0]), [255, 128, 0, 255]);
        assert_eq!(over([0.5, 0.5, 0.5, 0.5], [1.0, 0.0, 0.0, 1.0]), [255, 128, 128, 255]);
        assert_eq!(over([0.25, 0.0, 0.0, 0.5], [1.0; 4].map(|_| 0.0)), [128, 0, 0, 128]);
        assert_eq!(over([0.0; 4], [0.0; 4]), [0; 4]);
        assert_eq!(over([2.0, 0.0, 0.0, 1.0], [0.0; 4]), [255, 0, 0, 255]);
    }
}

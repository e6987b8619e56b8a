//! Casting of rays: tiles of pixels, shared by threads.

use super::{
    RenderError, Renderer, View, caster::Caster, dvr, iso, labels, look::LookMode, mip, rays::Ray,
    sampler::RenderStatistics,
};
use crate::{Cancelled, Stage, Task, steps::Steps};
use brickwork_base::parallel;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pixels along the side of a tile.
const TILE: u32 = 16;

/// A rendering.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendering {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, row by row from the top; alpha is straight.
    pub pixels: Vec<[u8; 4]>,
    /// Samples taken and bricks read. Reads depend on which thread came to which tile.
    pub statistics: RenderStatistics,
}

/// A tile: position of its first pixel, and its pixels row by row.
type Tile = ([u32; 2], Vec<[u8; 4]>);

impl Renderer {
    /// Renders a view of this volume on the CPU, and counts pixels. The pixels do not depend on the number of
    /// threads.
    ///
    /// # Errors
    /// [`RenderError::OtherVolume`] if the view is that of a volume of other dims;
    /// [`RenderError::Cancelled`].
    pub fn render(&self, view: &View, task: &Task<'_>) -> Result<Rendering, RenderError> {
        self.render_with(&[], view, task)
    }

    /// Renders this channel and `others` of a volume as [`render`](Self::render) does, and adds them up: each
    /// channel is cast alone, and the colours and opacities of a pixel are added, at most to 1, before the
    /// background of this one is behind them. Layers of napari with additive blending do the same. Channels
    /// do not hide each other.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn render_with(
        &self,
        others: &[&Self],
        view: &View,
        task: &Task<'_>,
    ) -> Result<Rendering, RenderError> {
        let channels: Vec<&Self> = std::iter::once(self).chain(others.iter().copied()).collect();
        for channel in &channels {
            view.check(channel.bricks().dims())?;
        }
        let [width, height] = [view.width(), view.height()];
        let tiles = [width.div_ceil(TILE), height.div_ceil(TILE)];
        let next = AtomicUsize::new(0);
        let steps = Steps::new(task, Stage::Rendering, view.pixel_count());
        let tile_count = tiles[0] as usize * tiles[1] as usize;
        let parts = parallel::try_each_thread(task, tile_count, || {
            let mut casters: Vec<(&Self, Caster)> = channels
                .iter()
                .map(|&channel| (channel, Caster::new(channel.bricks(), channel.occupancy(), &view.light)))
                .collect();
            let mut drawn = Vec::new();
            loop {
                let tile = next.fetch_add(1, Ordering::Relaxed);
                if tile >= tile_count {
                    let mut statistics = RenderStatistics::default();
                    casters.iter().for_each(|(_, caster)| statistics += caster.sampler.statistics);
                    return Ok::<(Vec<Tile>, RenderStatistics), Cancelled>((drawn, statistics));
                }
                let corner = [TILE * (tile as u32 % tiles[0]), TILE * (tile as u32 / tiles[0])];
                let pixels = render_tile(&mut casters, self.background(), view, corner, &steps)?;
                let count = pixels.len() as u64;
                drawn.push((corner, pixels));
                steps.add(count);
            }
        })?;
        let mut pixels = vec![[0; 4]; view.pixel_count() as usize];
        let mut statistics = RenderStatistics::default();
        for (drawn, counted) in parts {
            statistics += counted;
            for (corner, tile) in drawn {
                let row_width = (width - corner[0]).min(TILE) as usize;
                for (y, row) in tile.chunks_exact(row_width).enumerate() {
                    let start = (corner[1] as usize + y) * width as usize + corner[0] as usize;
                    pixels[start..][..row_width].copy_from_slice(row);
                }
            }
        }
        Ok(Rendering { width, height, pixels, statistics })
    }

    /// Returns the colour of a ray, multiplied by alpha, and alpha.
    fn pixel(&self, caster: &mut Caster, ray: &Ray) -> [f32; 4] {
        match &self.look().0 {
            LookMode::Mip { table } => {
                let largest = mip::cast(caster, ray, self.skipped_ranges());
                let [red, green, blue, _] = table.look_up(largest);
                [red, green, blue, 1.0]
            }
            LookMode::Dvr { table } => dvr::cast(caster, ray, table),
            LookMode::Iso { threshold, color } => iso::cast(caster, ray, *threshold, *color),
            LookMode::Labels { labels } => labels::cast(caster, ray, labels),
        }
    }
}

/// Renders the pixels of a tile, row by row.
fn render_tile(
    casters: &mut [(&Renderer, Caster<'_>)],
    background: [f32; 4],
    view: &View,
    corner: [u32; 2],
    steps: &Steps<'_>,
) -> Result<Vec<[u8; 4]>, Cancelled> {
    let width = (view.width() - corner[0]).min(TILE);
    let height = (view.height() - corner[1]).min(TILE);
    let mut pixels = vec![[0; 4]; (width * height) as usize];
    // In Morton order: rays side by side meet the same bricks.
    for i in 0..TILE * TILE {
        let every_second = |bits: u32| (0..4).fold(0, |sum, bit| sum | (bits >> (2 * bit) & 1) << bit);
        let (x, y) = (every_second(i), every_second(i >> 1));
        if x < width && y < height {
            steps.check()?;
            let ray = view.rays.ray(corner[0] + x, corner[1] + y);
            let color = match &mut *casters {
                _ if ray.first >= ray.end => [0.0; 4],
                [(renderer, caster)] => renderer.pixel(caster, &ray),
                several => several
                    .iter_mut()
                    .fold([0.0; 4], |sum, (renderer, caster)| added(sum, renderer.pixel(caster, &ray))),
            };
            pixels[(y * width + x) as usize] = over(color, background);
        }
    }
    Ok(pixels)
}

/// Returns the sum of two colours, at most 1, in 16 bits: the twin of `sum_of` in picture.wgsl, which keeps
/// the sum in memory while another channel is cast.
fn added(sum: [f32; 4], color: [f32; 4]) -> [f32; 4] {
    let bits = |x: f32| (x.clamp(0.0, 1.0) * 65535.0 + 0.5).floor();
    std::array::from_fn(|i| bits(sum[i] + color[i]) / 65535.0)
}

/// Returns a colour multiplied by its alpha, over a background of straight alpha, as 8 bits of straight
/// alpha.
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

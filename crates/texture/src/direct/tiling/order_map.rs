//! Image of the order of slots.

use super::Tiling;

/// Image with one square per block. The colour is the block's position in the order of its macro tile, from
/// dark violet to light yellow. Lines separate macro tiles. If squares are large enough, a path through their
/// centres goes from slot to slot. Texels are 8-bit sRGB with alpha, row by row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OrderMap {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width` × `height` texels, all opaque.
    pub texels: Vec<[u8; 4]>,
}

/// Sides of squares in texels: maximum, minimum for lines between macro tiles, and minimum for a path.
const MAX_SQUARE: u32 = 40;
const BORDER_SQUARE: u32 = 3;
const PATH_SQUARE: u32 = 9;
/// Colours of lines on dark and on light squares.
const LIGHT: [f32; 3] = [1.0, 1.0, 1.0];
const DARK: [f32; 3] = [0.012, 0.006, 0.03];

impl OrderMap {
    /// Returns a map with sides of at most `most` texels. If a texture has more blocks along a side, the map
    /// shows its upper left part.
    pub fn new(tiling: &Tiling, most: u32) -> Self {
        let longer = tiling.width().max(tiling.height());
        let square = (most / longer).clamp(1, MAX_SQUARE);
        let [width, height] = [tiling.width(), tiling.height()].map(|side| side.min(most.max(1)));
        let mut canvas = Canvas::new(width * square, height * square);
        let tile = tiling.tile();
        // Linear memory is one tile.
        let is_linear = tile.slot_count() == 1;
        let slots = if is_linear { tiling.slot_count() - tiling.base() } else { tile.slot_count() };
        let scale = 1.0 / (slots - 1).max(1) as f32;
        for y in 0..height {
            for x in 0..width {
                let slot = tiling.slot(x, y) - tiling.base();
                let along = if is_linear { slot } else { slot & (tile.slot_count() - 1) };
                canvas.fill([x * square, y * square], square, ramp(along as f32 * scale));
            }
        }
        if square >= BORDER_SQUARE && !is_linear {
            // White with dark edges is visible on every colour.
            for (thickness, color, opacity) in [(4.0, DARK, 0.5), (1.6, LIGHT, 1.0)] {
                for x in (tile.width()..width).step_by(tile.width() as usize) {
                    let x = (x * square) as f32;
                    canvas.line([x, 0.0], [x, canvas.height as f32], thickness, color, opacity);
                }
                for y in (tile.height()..height).step_by(tile.height() as usize) {
                    let y = (y * square) as f32;
                    canvas.line([0.0, y], [canvas.width as f32, y], thickness, color, opacity);
                }
            }
        }
        if square >= PATH_SQUARE {
            canvas.path(tiling, square, scale);
        }
        let texels = canvas.texels.iter().map(|&color| to_srgb(color)).collect();
        Self { width: canvas.width, height: canvas.height, texels }
    }
}

/// Returns a colour between dark violet and light yellow, in linear light. Lightness increases evenly in
/// Oklab (Ottosson 2020, "A perceptual color space for image processing"), so equal steps of slots look
/// equal.
fn ramp(along: f32) -> [f32; 3] {
    let lightness = 0.28 + 0.64 * along;
    // The hue goes from violet through blue and green to yellow. Chroma is lower at the ends, where sRGB has
    // less.
    let hue = (300.0 - 195.0 * along).to_radians();
    let chroma = 0.085 + 0.075 * (std::f32::consts::PI * (0.15 + 0.75 * along)).sin();
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let cube = |root: f32| root * root * root;
    let l = cube(lightness + 0.396_337_78 * a + 0.215_803_76 * b);
    let m = cube(lightness - 0.105_561_346 * a - 0.063_854_17 * b);
    let s = cube(lightness - 0.089_484_18 * a - 1.291_485_5 * b);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(|light| light.clamp(0.0, 1.0))
}

fn to_srgb(color: [f32; 3]) -> [u8; 4] {
    let encoded = color.map(|light| {
        let light = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
        (light * 255.0 + 0.5) as u8
    });
    [encoded[0], encoded[1], encoded[2], 255]
}

/// Texels in linear light.
struct Canvas {
    width: u32,
    height: u32,
    texels: Vec<[f32; 3]>,
}

impl Canvas {
    fn new(width: u32, height: u32) -> Self {
        Self { width, height, texels: vec![[0.0; 3]; width as usize * height as usize] }
    }

    fn texel(&mut self, x: u32, y: u32) -> &mut [f32; 3] {
        &mut self.texels[y as usize * self.width as usize + x as usize]
    }

    fn fill(&mut self, [left, top]: [u32; 2], side: u32, color: [f32; 3]) {
        for y in top..top + side {
            for x in left..left + side {
                *self.texel(x, y) = color;
            }
        }
    }

    /// Draws a path from slot to slot in each macro tile; in linear memory, also from row to row.
    fn path(&mut self, tiling: &Tiling, square: u32, scale: f32) {
        let tile_slots = if tiling.tile().slot_count() == 1 { u32::MAX } else { tiling.tile().slot_count() };
        let center = |(x, y): (u32, u32)| [x, y].map(|at| (at as f32 + 0.5) * square as f32);
        let width = (square as f32 / 14.0).clamp(1.0, 2.2);
        let mut last: Option<(u32, [f32; 2])> = None;
        for slot in tiling.base()..tiling.slot_count() {
            let Some(block) = tiling.block(slot) else { continue };
            let place = slot - tiling.base();
            let (tile, to) = (place / tile_slots, center(block));
            if let Some((_, from)) = last.filter(|(of, _)| *of == tile) {
                // Jumps are fainter, which keeps the squares below visible.
                let distance = (to[0] - from[0]).hypot(to[1] - from[1]) / square as f32;
                let opacity = if distance < 1.1 { 0.95 } else { (1.1 / distance).clamp(0.25, 0.8) };
                let is_on_dark = ((place % tile_slots) as f32) * scale < 0.7;
                // In linear light, dark lines need a higher opacity to be equally clear.
                let (color, opacity) = if is_on_dark { (LIGHT, opacity) } else { (DARK, opacity.powf(0.6)) };
                self.line(from, to, width, color, opacity);
            }
            last = Some((tile, to));
        }
    }

    /// Draws a line with soft edges. The coverage of a texel depends on the distance of its centre.
    fn line(&mut self, from: [f32; 2], to: [f32; 2], width: f32, color: [f32; 3], opacity: f32) {
        let reach = width / 2.0 + 1.0;
        let span = |i: usize, side: u32| {
            let (least, most) = (from[i].min(to[i]) - reach, from[i].max(to[i]) + reach);
            least.max(0.0) as u32..(most.max(0.0) as u32 + 1).min(side)
        };
        let along = [to[0] - from[0], to[1] - from[1]];
        let length2 = (along[0] * along[0] + along[1] * along[1]).max(1e-6);
        for y in span(1, self.height) {
            for x in span(0, self.width) {
                let at = [x as f32 + 0.5 - from[0], y as f32 + 0.5 - from[1]];
                let t = ((at[0] * along[0] + at[1] * along[1]) / length2).clamp(0.0, 1.0);
                let distance = (at[0] - t * along[0]).hypot(at[1] - t * along[1]);
                let cover = (width / 2.0 + 0.5 - distance).clamp(0.0, 1.0) * opacity;
                if cover > 0.0 {
                    let texel = self.texel(x, y);
                    *texel = std::array::from_fn(|i| texel[i] + (color[i] - texel[i]) * cover);
                }
            }
        }
    }
}

//! Pictures of a page: 8-bit texels, reduced or cut out, as PNG in data URIs.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageWriteError, PngTexels, write_png};
use brickwork_texture::ColorSpace;

/// Texels of one image, row by row without gaps.
#[derive(Clone, Debug)]
pub(super) struct Pixels<T> {
    pub width: u32,
    pub height: u32,
    pub texels: Vec<T>,
}

/// A rectangle of texels within an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl<T: Copy> Pixels<T> {
    pub fn new(width: u32, height: u32, texels: Vec<T>) -> Self {
        Self { width, height, texels }
    }

    /// Returns the picture in which one texel replaces each square of `factor`×`factor` texels. At the edges,
    /// the squares are cut. `add` adds a texel to the sum of its square, which begins as `start`; `one` makes
    /// the texel from the sum and the number of texels.
    fn reduced_by<S: Copy>(
        &self,
        factor: u32,
        start: S,
        add: impl Fn(S, T) -> S,
        one: impl Fn(S, u64) -> T,
    ) -> Self {
        if factor <= 1 {
            return self.clone();
        }
        let (width, height) = (self.width.div_ceil(factor), self.height.div_ceil(factor));
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        // The sums of a row of squares.
        let mut sums = vec![(start, 0u64); width as usize];
        for first in (0..self.height).step_by(factor as usize) {
            sums.fill((start, 0));
            for y in first..first.saturating_add(factor).min(self.height) {
                for (part, (sum, count)) in self.row(y).chunks(factor as usize).zip(&mut sums) {
                    *sum = part.iter().fold(*sum, |sum, &texel| add(sum, texel));
                    *count += part.len() as u64;
                }
            }
            texels.extend(sums.iter().map(|&(sum, count)| one(sum, count)));
        }
        Self { width, height, texels }
    }

    fn row(&self, y: u32) -> &[T] {
        let width = self.width as usize;
        &self.texels[y as usize * width..][..width]
    }

    /// Returns a part of the picture, which must be within it.
    pub fn cut(&self, area: Area) -> Self {
        let columns = area.x as usize..(area.x + area.width) as usize;
        let rows = area.y..area.y + area.height;
        let texels = rows.flat_map(|y| self.row(y)[columns.clone()].iter().copied()).collect();
        Self { width: area.width, height: area.height, texels }
    }
}

impl Pixels<[u8; 4]> {
    /// Returns the picture with the means of `factor`×`factor` texels.
    pub fn reduced(&self, factor: u32) -> Self {
        // (`map` of an array takes several times as long where the program is optimised for size.)
        let add = |mut sum: [u64; 4], texel: [u8; 4]| {
            sum.iter_mut().zip(texel).for_each(|(sum, value)| *sum += u64::from(value));
            sum
        };
        self.reduced_by(factor, [0; 4], add, |sum, count| {
            sum.map(|sum| ((sum + count / 2) / count.max(1)) as u8)
        })
    }

    /// Returns the colours as PNG in a data URI, and alpha as another if any texel is not opaque. Apart from
    /// alpha, browsers keep colours exactly.
    pub fn data_uris(&self, task: &Task<'_>) -> Result<(String, Option<String>), ImageWriteError> {
        let colors: Vec<_> = self.texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        let colors = data_uri(self.width, self.height, PngTexels::Rgb8(&colors), task)?;
        if self.texels.iter().all(|texel| texel[3] == 255) {
            return Ok((colors, None));
        }
        let alpha: Vec<_> = self.texels.iter().map(|texel| texel[3]).collect();
        Ok((colors, Some(data_uri(self.width, self.height, PngTexels::Grey8(&alpha), task)?)))
    }
}

impl Pixels<[u8; 4]> {
    /// Returns colours and alpha as one PNG in a data URI.
    pub fn one_data_uri(&self, task: &Task<'_>) -> Result<String, ImageWriteError> {
        if self.texels.iter().any(|texel| texel[3] < 255) {
            return data_uri(self.width, self.height, PngTexels::Rgba8(&self.texels), task);
        }
        Ok(self.data_uris(task)?.0)
    }
}

impl Pixels<[f32; 3]> {
    /// Returns the picture with the mean light of `factor`×`factor` texels. Numbers that are not displayed
    /// count as 0, and infinity as the largest half float.
    pub fn reduced(&self, factor: u32) -> Self {
        let shown = |light: f32| if light > 0.0 { light.min(65504.0) } else { 0.0 };
        let add = |sum: [f32; 3], light: [f32; 3]| [0, 1, 2].map(|c| sum[c] + shown(light[c]));
        self.reduced_by(factor, [0.0; 3], add, |sum, count| sum.map(|sum| sum / count.max(1) as f32))
    }

    /// Returns the light as two PNGs in data URIs: a byte m for each channel, and a common exponent e as a
    /// grey value. A channel is m · 2^(e − 136), rounded down (G. Ward, "Real Pixels", 1991).
    pub fn data_uris(&self, task: &Task<'_>) -> Result<[String; 2], ImageWriteError> {
        let texels: Vec<_> = self.texels.iter().map(|&light| shared_exponent(light)).collect();
        let colors: Vec<_> = texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        let exponents: Vec<_> = texels.iter().map(|texel| texel[3]).collect();
        Ok([
            data_uri(self.width, self.height, PngTexels::Rgb8(&colors), task)?,
            data_uri(self.width, self.height, PngTexels::Grey8(&exponents), task)?,
        ])
    }
}

/// Returns the bytes of three channels and their exponent.
fn shared_exponent(light: [f32; 3]) -> [u8; 4] {
    let light = light.map(|light| if light > 0.0 { light.min(65504.0) } else { 0.0 });
    let largest = light.into_iter().fold(0.0, f32::max);
    // Half floats are not smaller.
    if largest < 1.0 / (1u32 << 25) as f32 {
        return [0; 4];
    }
    // The largest channel is from 128 to 255.
    let exponent = (largest.to_bits() >> 23) as i32 - 126;
    let scale = 2f32.powi(8 - exponent);
    let [r, g, b] = light.map(|light| (light * scale) as u8);
    [r, g, b, (exponent + 128) as u8]
}

impl Pixels<u8> {
    /// Returns the picture with the largest value of `factor`×`factor` texels.
    pub fn reduced(&self, factor: u32) -> Self {
        self.reduced_by(factor, 0, u8::max, |largest, _| largest)
    }

    /// Returns the picture as a grey PNG in a data URI.
    pub fn data_uri(&self, task: &Task<'_>) -> Result<String, ImageWriteError> {
        data_uri(self.width, self.height, PngTexels::Grey8(&self.texels), task)
    }

    /// Returns the square of at most `side` texels about the largest sum of squares.
    pub fn worst_area(&self, side: u32) -> Area {
        /// Side of the tiles whose sums are compared, in texels.
        const TILE: u32 = 64;
        let columns = self.width.div_ceil(TILE) as usize;
        let mut sums = vec![0u64; columns * self.height.div_ceil(TILE) as usize];
        for y in 0..self.height {
            let first = (y / TILE) as usize * columns;
            for (tile, errors) in self.row(y).chunks(TILE as usize).enumerate() {
                sums[first + tile] += errors.iter().map(|&error| u64::from(error).pow(2)).sum::<u64>();
            }
        }
        // The first of equal sums.
        let largest = sums.iter().copied().max().unwrap_or(0);
        let worst = sums.iter().position(|&sum| sum == largest).unwrap_or(0);
        let middle = |tile: usize| tile as u32 * TILE + TILE / 2;
        let start = |tile, size: u32, side: u32| middle(tile).saturating_sub(side / 2).min(size - side);
        let (width, height) = (side.min(self.width), side.min(self.height));
        let (x, y) = (start(worst % columns, self.width, width), start(worst / columns, self.height, height));
        Area { x, y, width, height }
    }
}

/// Returns a PNG in a data URI. Numbers are shown as they are: the page states no other colour space than
/// sRGB.
fn data_uri(
    width: u32,
    height: u32,
    texels: PngTexels<'_>,
    task: &Task<'_>,
) -> Result<String, ImageWriteError> {
    let mut png = Vec::new();
    write_png(&mut png, width, height, texels, ColorSpace::Srgb, &task.without_progress())?;
    Ok("data:image/png;base64,".to_owned() + &BASE64_STANDARD.encode(png))
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::half;

    #[test]
    fn pictures_are_reduced_and_cut() {
        let texels = (0..15).map(|i| [i * 10, 0, 255, 255]).collect();
        let small = Pixels::new(5, 3, texels).reduced(2);
        assert_eq!((small.width, small.height), (3, 2));
        // The first is the mean of 0, 10, 50 and 60; at the corner, 140 is alone.
        assert_eq!(
            small.texels.iter().map(|texel| texel[0]).collect::<Vec<_>>(),
            [30, 50, 65, 105, 125, 140]
        );
        // A square that is larger than the picture needs no more memory than the picture.
        let one = Pixels::new(5, 1, vec![[200, 0, 0, 255]; 5]).reduced(1 << 31);
        assert_eq!((one.width, one.height, one.texels), (1, 1, vec![[200, 0, 0, 255]]));
        let errors = Pixels::new(5, 3, (0..15).collect());
        assert_eq!(errors.reduced(2).texels, [6, 8, 9, 11, 13, 14]);
        let cut = errors.cut(Area { x: 1, y: 1, width: 2, height: 2 });
        assert_eq!(cut.texels, [6, 7, 11, 12]);
    }

    #[test]
    fn light_has_a_common_exponent() {
        // 128 · 2^(129 − 136) is 1, and 192 · 2^(139 − 136) is 1536.
        assert_eq!(shared_exponent([1.0, 0.5, 0.25]), [128, 64, 32, 129]);
        assert_eq!(shared_exponent([0.0, 1536.0, -5.0]), [0, 192, 0, 139]);
        assert_eq!(shared_exponent([f32::NAN, 0.0, -1.0]), [0; 4]);
        assert_eq!(shared_exponent([f32::INFINITY, 65504.0, 1.0]), [255, 255, 0, 144]);
        let light = vec![[4.0, 0.0, 0.0], [-2.0, 1.0, f32::INFINITY]];
        assert_eq!(Pixels::new(2, 1, light).reduced(2).texels, [[2.0, 0.5, 32752.0]]);
        // Every half float is at most 1 of 128 larger.
        for bits in 1..0x7c00 {
            let light = half::f16::from_bits(bits).to_f32();
            let [byte, _, _, exponent] = shared_exponent([light, 0.0, 0.0]);
            let stored = f32::from(byte) * 2f32.powi(i32::from(exponent) - 136);
            assert!(stored <= light && light <= stored * (129.0 / 128.0), "{light}, {stored}");
        }
    }

    #[test]
    fn the_worst_area_is_within_the_picture() {
        let mut errors = Pixels::new(200, 100, vec![1u8; 20_000]);
        errors.texels[99 * 200 + 199] = 255;
        assert_eq!(errors.worst_area(80), Area { x: 120, y: 20, width: 80, height: 80 });
        assert_eq!(errors.worst_area(512), Area { x: 0, y: 0, width: 200, height: 100 });
        errors.texels[0] = 255;
        errors.texels[1] = 255;
        assert_eq!(errors.worst_area(80), Area { x: 0, y: 0, width: 80, height: 80 });
    }
}

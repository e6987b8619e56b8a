//! Grey pixels: flipped, and stretched to true proportions.

/// Most pixels of a picture that is stretched.
const MAX_PIXELS: f64 = (1u32 << 28) as f64;

/// Grey pixels, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Turns the picture upside down.
    pub fn flip(&mut self) {
        let rows: Vec<u8> = self.pixels.chunks_exact(self.width).rev().flatten().copied().collect();
        self.pixels = rows;
    }

    /// Returns the picture in another size: pixels between the centres of others are mixed in proportion, or,
    /// of labels, the nearest.
    #[must_use]
    pub fn stretched(&self, width: usize, height: usize, is_labels: bool) -> Self {
        let (columns, rows) = (places(self.width, width), places(self.height, height));
        let mut pixels = Vec::with_capacity(width * height);
        for &(y, dy) in &rows {
            let upper = &self.pixels[y * self.width..][..self.width];
            let lower = &self.pixels[(y + 1).min(self.height - 1) * self.width..][..self.width];
            for &(x, dx) in &columns {
                let right = (x + 1).min(self.width - 1);
                pixels.push(if is_labels {
                    let row = if dy < 0.5 { upper } else { lower };
                    row[if dx < 0.5 { x } else { right }]
                } else {
                    let mix = |row: &[u8]| f64::from(row[x]) * (1.0 - dx) + f64::from(row[right]) * dx;
                    (mix(upper) * (1.0 - dy) + mix(lower) * dy).round() as u8
                });
            }
        }
        Self { width, height, pixels }
    }
}

/// The positions of the centres of `to` pixels among those of `from`: the pixel before, and the fraction.
fn places(from: usize, to: usize) -> Vec<(usize, f64)> {
    let place = |i: usize| {
        let at = ((i as f64 + 0.5) * from as f64 / to as f64 - 0.5).clamp(0.0, (from - 1) as f64);
        (at as usize, at.fract())
    };
    (0..to).map(place).collect()
}

/// Returns the size of a picture of `width`×`height` voxels `spacing` apart whose pixels are square: the
/// closer voxels have a pixel each. Where the spacing says nothing, it is that of the voxels.
///
/// # Errors
/// The size, if that is too large.
pub fn true_size([width, height]: [usize; 2], spacing: [f64; 2]) -> Result<[usize; 2], [f64; 2]> {
    let [x, y] = spacing;
    let least = x.min(y);
    if !(least.is_normal() && least > 0.0 && x.is_finite() && y.is_finite()) {
        return Ok([width, height]);
    }
    let sides = [(width as f64 * x / least).round(), (height as f64 * y / least).round()];
    let is_stretched = sides != [width as f64, height as f64];
    if is_stretched && sides[0] * sides[1] > MAX_PIXELS {
        return Err(sides);
    }
    Ok(sides.map(|side| side as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_stretched_and_flipped() {
        let mut picture = Picture { width: 2, height: 2, pixels: vec![0, 100, 200, 100] };
        let wide = picture.stretched(4, 2, false);
        assert_eq!(wide.pixels, [0, 25, 75, 100, 200, 175, 125, 100]);
        assert_eq!(picture.stretched(4, 2, true).pixels, [0, 0, 100, 100, 200, 200, 100, 100]);
        assert_eq!(picture.stretched(2, 2, false), picture);
        picture.flip();
        assert_eq!(picture.pixels, [200, 100, 0, 100]);
        let one = Picture { width: 1, height: 1, pixels: vec![7] };
        assert_eq!(one.stretched(1, 3, false).pixels, [7; 3]);
    }

    #[test]
    fn sizes_are_true_where_the_spacing_is() {
        assert_eq!(true_size([10, 10], [0.5, 2.0]), Ok([10, 40]));
        assert_eq!(true_size([10, 10], [2.0, 0.5]), Ok([40, 10]));
        for nothing in [[0.0, 1.0], [f64::NAN, 1.0], [1.0, f64::INFINITY], [-1.0, 1.0], [1.0, 1.0]] {
            assert_eq!(true_size([10, 20], nothing), Ok([10, 20]), "{nothing:?}");
        }
        assert!(true_size([1000, 1000], [1e-6, 1.0]).is_err());
    }
}

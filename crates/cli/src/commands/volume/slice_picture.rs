//! A slice as a grey picture: true proportions, the head up, and its physical size in the PNG.

use brickwork_volume::Header;

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
    /// Turns it upside down.
    pub fn flip(&mut self) {
        let rows: Vec<u8> = self.pixels.chunks_exact(self.width).rev().flatten().copied().collect();
        self.pixels = rows;
    }

    /// The picture in another size: pixels between the centres of others are mixed in proportion, or, of
    /// labels, the nearest.
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

/// Where the centres of `to` pixels lie among those of `from`: after which one, and how far.
fn places(from: usize, to: usize) -> Vec<(usize, f64)> {
    let place = |i: usize| {
        let at = ((i as f64 + 0.5) * from as f64 / to as f64 - 0.5).clamp(0.0, (from - 1) as f64);
        (at as usize, at.fract())
    };
    (0..to).map(place).collect()
}

/// The size of a picture of `width`×`height` voxels `spacing` apart whose pixels are square: the closer
/// voxels have a pixel each. Where the spacing says nothing, it is that of the voxels.
///
/// # Errors
/// The size, if that is too large.
pub fn true_size(width: usize, height: usize, spacing: [f64; 2]) -> Result<(usize, usize), (f64, f64)> {
    let [x, y] = spacing;
    let least = x.min(y);
    if !(least.is_normal() && least > 0.0 && x.is_finite() && y.is_finite()) {
        return Ok((width, height));
    }
    let sides = [(width as f64 * x / least).round(), (height as f64 * y / least).round()];
    let is_stretched = sides != [width as f64, height as f64];
    if is_stretched && sides[0] * sides[1] > MAX_PIXELS {
        return Err((sides[0], sides[1]));
    }
    Ok((sides[0] as usize, sides[1] as usize))
}

/// Whether a picture whose rows follow each other along axis `down` (1 for y, 2 for z) shows the head, or in
/// axial slices the front, below: then it is turned over.
pub fn is_upside_down(header: &Header, down: usize) -> bool {
    let direction = &header.orientation[3 * down..][..3];
    let [left, back, up] = [direction[0], direction[1], direction[2]];
    if !header.is_anatomical() {
        return false;
    }
    if up.abs() >= back.abs().max(left.abs()) { up > 0.0 } else { back.abs() >= left.abs() && back < 0.0 }
}

/// A PNG file that also says that a pixel is so many millimetres wide and high (chunk pHYs; PNG 11.3.4.3).
pub fn with_physical_size(png: &[u8], millimetres: [f64; 2]) -> Vec<u8> {
    // Right after the header, which always has this length.
    let (head, rest) = png.split_at(33.min(png.len()));
    let mut chunk = b"pHYs".to_vec();
    for side in millimetres {
        chunk.extend(((1000.0 / side).round() as u32).to_be_bytes());
    }
    // Of a metre.
    chunk.push(1);
    let mut crc = flate2::Crc::new();
    crc.update(&chunk);
    let length = (chunk.len() as u32 - 4).to_be_bytes();
    [head, &length, &chunk, &crc.sum().to_be_bytes(), rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};

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
        assert_eq!(true_size(10, 10, [0.5, 2.0]), Ok((10, 40)));
        assert_eq!(true_size(10, 10, [2.0, 0.5]), Ok((40, 10)));
        for nothing in [[0.0, 1.0], [f64::NAN, 1.0], [1.0, f64::INFINITY], [-1.0, 1.0], [1.0, 1.0]] {
            assert_eq!(true_size(10, 20, nothing), Ok((10, 20)), "{nothing:?}");
        }
        assert!(true_size(1000, 1000, [1e-6, 1.0]).is_err());
    }

    #[test]
    fn heads_are_up() {
        let mut header = Header::new(VoxelType::U8, Dims::new(1, 1, 1));
        assert!(!is_upside_down(&header, 2));
        header.metadata = "{\"dicom\":{}}".to_owned();
        // z runs up, y to the back.
        assert_eq!([1, 2].map(|down| is_upside_down(&header, down)), [false, true]);
        // y runs to the front, z down.
        header.orientation = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0];
        assert_eq!([1, 2].map(|down| is_upside_down(&header, down)), [true, false]);
        // As of sagittal slices: y runs down.
        header.orientation = [0.0, 1.0, 0.0, 0.0, 0.0, -1.0, -1.0, 0.0, 0.0];
        assert_eq!([1, 2].map(|down| is_upside_down(&header, down)), [false, false]);
    }
}

//! Pixels of a slice: turned, and stretched to true proportions.

use super::SlicePlane;

/// Maximum number of pixels of a stretched image.
const MAX_PIXELS: f64 = (1u32 << 28) as f64;

/// Pixels, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture<T> {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<T>,
}

impl<T: Copy> Picture<T> {
    /// Creates the image that `plane` shows from pixels in storage order: x before y before z.
    pub fn of_plane(pixels: Vec<T>, [width, height]: [usize; 2], plane: SlicePlane) -> Self {
        let mut picture = Self { width, height, pixels };
        if plane.across.axis > plane.down.axis {
            let columns = (0..width).flat_map(|x| (0..height).map(move |y| y * width + x));
            let pixels = columns.map(|place| picture.pixels[place]).collect();
            picture = Self { width: height, height: width, pixels };
        }
        if plane.across.is_flipped {
            picture.pixels.chunks_exact_mut(picture.width).for_each(<[T]>::reverse);
        }
        if plane.down.is_flipped {
            let rows: Vec<T> = picture.pixels.chunks_exact(picture.width).rev().flatten().copied().collect();
            picture.pixels = rows;
        }
        picture
    }

    /// Converts each pixel.
    pub fn map<U>(&self, pixel: impl Fn(T) -> U) -> Picture<U> {
        let pixels = self.pixels.iter().map(|&value| pixel(value)).collect();
        Picture { width: self.width, height: self.height, pixels }
    }

    /// Changes each pixel depending on its position, counted from the left and from the top.
    pub fn map_places(&mut self, pixel: impl Fn([usize; 2], T) -> T) {
        for (y, row) in self.pixels.chunks_exact_mut(self.width).enumerate() {
            for (x, value) in row.iter_mut().enumerate() {
                *value = pixel([x, y], *value);
            }
        }
    }

    /// Returns the image in another size, using the nearest pixels.
    #[must_use]
    pub fn repeated(&self, [width, height]: [usize; 2]) -> Self {
        let nearest = |side: usize, places: Vec<(usize, f64)>| -> Vec<usize> {
            places
                .into_iter()
                .map(|(place, part)| if part < 0.5 { place } else { (place + 1).min(side - 1) })
                .collect()
        };
        let columns = nearest(self.width, places(self.width, width));
        let rows = nearest(self.height, places(self.height, height));
        let row = |y: usize| columns.iter().map(move |&x| self.pixels[y * self.width + x]);
        Self { width, height, pixels: rows.into_iter().flat_map(row).collect() }
    }
}

impl Picture<u8> {
    /// Returns the image in another size. Pixels between the centres of others are interpolated linearly.
    #[must_use]
    pub fn mixed(&self, [width, height]: [usize; 2]) -> Self {
        if [width, height] == [self.width, self.height] {
            return self.clone();
        }
        let (columns, rows) = (places(self.width, width), places(self.height, height));
        let mut pixels = Vec::with_capacity(width * height);
        for &(y, dy) in &rows {
            let upper = &self.pixels[y * self.width..][..self.width];
            let lower = &self.pixels[(y + 1).min(self.height - 1) * self.width..][..self.width];
            for &(x, dx) in &columns {
                let right = (x + 1).min(self.width - 1);
                let mix = |row: &[u8]| f64::from(row[x]) * (1.0 - dx) + f64::from(row[right]) * dx;
                pixels.push((mix(upper) * (1.0 - dy) + mix(lower) * dy).round() as u8);
            }
        }
        Self { width, height, pixels }
    }
}

/// Returns the positions of the centres of `to` pixels among those of `from`: the preceding pixel, and the
/// fraction.
fn places(from: usize, to: usize) -> Vec<(usize, f64)> {
    let place = |i: usize| {
        let at = ((i as f64 + 0.5) * from as f64 / to as f64 - 0.5).clamp(0.0, (from - 1) as f64);
        (at as usize, at.fract())
    };
    (0..to).map(place).collect()
}

/// Returns the size of an image of `width`×`height` voxels `spacing` apart with square pixels. In the
/// direction of the smaller spacing, each voxel has one pixel. If the spacing is unusable, the size is that
/// of the voxels.
///
/// # Errors
/// The size, if it is too large.
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
    use crate::volume::SliceAxis;

    #[test]
    fn pictures_are_stretched() {
        let picture = Picture { width: 2, height: 2, pixels: vec![0, 100, 200, 100] };
        assert_eq!(picture.mixed([4, 2]).pixels, [0, 25, 75, 100, 200, 175, 125, 100]);
        assert_eq!(picture.repeated([4, 2]).pixels, [0, 0, 100, 100, 200, 200, 100, 100]);
        assert_eq!(picture.mixed([2, 2]), picture);
        let one = Picture { width: 1, height: 1, pixels: vec![7] };
        assert_eq!(one.mixed([1, 3]).pixels, [7; 3]);
    }

    #[test]
    fn pictures_are_turned() {
        let axis = |axis, is_flipped| SliceAxis { axis, is_flipped };
        let of = |across, down| {
            Picture::of_plane(vec![1, 2, 3, 4, 5, 6], [3, 2], SlicePlane { normal: 2, across, down })
        };
        assert_eq!(of(axis(0, false), axis(1, false)).pixels, [1, 2, 3, 4, 5, 6]);
        assert_eq!(of(axis(0, true), axis(1, true)).pixels, [6, 5, 4, 3, 2, 1]);
        let turned = of(axis(1, false), axis(0, true));
        assert_eq!((turned.width, turned.height), (2, 3));
        assert_eq!(turned.pixels, [3, 6, 2, 5, 1, 4]);
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

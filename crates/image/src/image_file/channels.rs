//! Statistics of the channels of a picture of integers.

use super::Picture;
use crate::{Cancelled, Task};

/// Minimum range of a channel that varies: eight steps of 8 bits.
pub(super) const MIN_RANGE: f64 = 8.0 / 255.0;
/// Maximum deviation of the sum of weights from 1: four steps of 8 bits.
const WEIGHT_TOLERANCE: f64 = 4.5 / 255.0;
/// Minimum variance of the differences of a channel that is no gradient: a third of a step of 8 bits.
const MIN_ROUGHNESS: f64 = 1e-6;
/// Maximum number of texels that are examined.
const MAX_TEXELS: usize = 1 << 18;
/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 14;

/// Statistics of red, green, blue and alpha from 0 to 1, of evenly distributed texels.
pub(super) struct Channels {
    /// Minimum and maximum of each channel.
    pub ranges: [[f64; 2]; 4],
    /// Share of the texels whose colours, or colours and alpha, have the sum 1.
    pub weight_share: f64,
    /// Share of the texels whose alpha is 1.
    pub opaque_share: f64,
    /// Number of colours among 16³.
    pub color_count: u32,
    /// Sums of the values.
    values: Moments,
    /// Sums of the differences between neighbours in a row.
    differences: Moments,
}

impl Channels {
    /// Examines a picture.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn of(picture: &Picture, task: &Task<'_>) -> Result<Self, Cancelled> {
        let (count, width) = (picture.texels.texel_count(), picture.width as usize);
        // A step without common divisor with most widths visits all columns.
        let step = match count.div_ceil(MAX_TEXELS) {
            0 | 1 => 1,
            step => step | 1,
        };
        let mut ranges = [[f64::INFINITY, f64::NEG_INFINITY]; 4];
        let (mut values, mut differences) = (Moments::default(), Moments::default());
        let (mut visited, mut weights, mut opaque, mut colors) = (0u64, 0u64, 0u64, [0u64; 64]);
        for (number, index) in (0..count).step_by(step).enumerate() {
            if number.is_multiple_of(TEXELS_AT_A_TIME) {
                task.check()?;
            }
            let texel = picture.texels.unit(index).map(f64::from);
            for (range, value) in ranges.iter_mut().zip(texel) {
                *range = [range[0].min(value), range[1].max(value)];
            }
            let [r, g, b, alpha] = texel;
            visited += 1;
            opaque += u64::from(alpha == 1.0);
            let is_1 = |sum: f64| (sum - 1.0).abs() <= WEIGHT_TOLERANCE;
            weights += u64::from(is_1(r + g + b) || is_1(r + g + b + alpha));
            let [x, y, z] = [r, g, b].map(|value| (value * 15.999) as usize & 15);
            colors[x * 4 + y / 4] |= 1 << (y % 4 * 16 + z);
            values.add([r, g, b]);
            if (index + 1) % width != 0 && index + 1 < count {
                let next = picture.texels.unit(index + 1).map(f64::from);
                differences.add(std::array::from_fn(|channel| next[channel] - texel[channel]));
            }
        }
        let [weight_share, opaque_share] =
            [weights, opaque].map(|count| count as f64 / visited.max(1) as f64);
        let color_count = colors.iter().map(|bits| bits.count_ones()).sum();
        Ok(Self { ranges, weight_share, opaque_share, color_count, values, differences })
    }

    /// Returns the maximum of a channel minus its minimum.
    pub fn range(&self, channel: usize) -> f64 {
        let [min, max] = self.ranges[channel];
        (max - min).max(0.0)
    }

    /// True if the differences between neighbours vary.
    pub fn is_rough(&self, channel: usize) -> bool {
        self.differences.covariance(channel, channel) >= MIN_ROUGHNESS
    }

    /// Returns the correlation of two channels, from −1 to 1: the larger one of the values' and of the
    /// differences'.
    pub fn correlation(&self, a: usize, b: usize) -> f64 {
        self.values.correlation(a, b).max(self.differences.correlation(a, b))
    }
}

/// Sums for the correlation of three numbers.
#[derive(Default)]
struct Moments {
    count: f64,
    sums: [f64; 3],
    products: [[f64; 3]; 3],
}

impl Moments {
    fn add(&mut self, values: [f64; 3]) {
        self.count += 1.0;
        for (a, value) in values.into_iter().enumerate() {
            self.sums[a] += value;
            for (product, other) in self.products[a].iter_mut().zip(values) {
                *product += value * other;
            }
        }
    }

    /// Returns the mean product of the deviations of two numbers; NaN if there are none.
    fn covariance(&self, a: usize, b: usize) -> f64 {
        let [a_mean, b_mean] = [a, b].map(|index| self.sums[index] / self.count);
        self.products[a][b] / self.count - a_mean * b_mean
    }

    /// Returns the correlation; 0 if one of the numbers does not vary.
    fn correlation(&self, a: usize, b: usize) -> f64 {
        let variances = self.covariance(a, a) * self.covariance(b, b);
        if variances > 1e-12 { self.covariance(a, b) / variances.sqrt() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_those_of_the_numbers() {
        let mut moments = Moments::default();
        for i in 0..100u32 {
            let (ramp, noise) = (f64::from(i), f64::from(i * 37 % 100));
            moments.add([ramp, 5.0 - 2.0 * ramp, noise]);
        }
        assert!((moments.correlation(0, 1) + 1.0).abs() < 1e-9);
        assert!(moments.correlation(0, 2).abs() < 0.2);
        let mut still = Moments::default();
        still.add([0.5, 1.0, 1.0]);
        still.add([0.5, 0.0, 1.0]);
        assert_eq!([still.correlation(0, 1), Moments::default().correlation(0, 1)], [0.0; 2]);
    }
}

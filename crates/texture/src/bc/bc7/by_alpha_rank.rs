//! Distances of weighted texels from lines, which rank partitions.

use super::by_alpha_fit::Problem;

/// Weight, weighted channels and weighted products of two channels, of one texel or several.
pub(super) type Moments = [f64; 15];

/// Channels of the products.
const PAIRS: [[usize; 2]; 10] =
    [[0, 0], [1, 1], [2, 2], [3, 3], [0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

impl Problem {
    /// Returns the moments of each texel. Its weight is the sum of those of its channels.
    pub fn moments(&self) -> [Moments; 16] {
        std::array::from_fn(|t| {
            let (texel, weight) = self.weighted_texel(t);
            let mut moments = [weight; 15];
            for c in 0..4 {
                moments[1 + c] *= texel[c];
            }
            for (moment, [c, d]) in moments[5..].iter_mut().zip(PAIRS) {
                *moment *= texel[c] * texel[d];
            }
            moments
        })
    }
}

/// Returns the moments of some texels. They are sums of integers, and thus exact.
pub(super) fn sum_of(moments: &[Moments; 16], texels: u16) -> Moments {
    let mut sum = [0.0; 15];
    for (t, moments) in moments.iter().enumerate() {
        if texels >> t & 1 == 1 {
            for (sum, moment) in sum.iter_mut().zip(moments) {
                *sum += moment;
            }
        }
    }
    sum
}

/// Returns the sum of the weighted squared distances of texels from their principal axis, after three steps
/// of the power method.
pub(super) fn distance_from_line(moments: &Moments) -> f64 {
    let [weight, sums @ .., _, _, _, _, _, _, _, _, _, _] = *moments;
    if weight == 0.0 {
        return 0.0;
    }
    let mut variance = [[0.0; 4]; 4];
    for (moment, [c, d]) in moments[5..].iter().zip(PAIRS) {
        variance[c][d] = moment - sums[c] * sums[d] / weight;
        variance[d][c] = variance[c][d];
    }
    let trace = (0..4).map(|c| variance[c][c]).sum::<f64>();
    let largest = (0..4).fold(0, |best, c| if variance[c][c] > variance[best][best] { c } else { best });
    let mut axis = variance[largest];
    let mut along = 0.0;
    for _ in 0..3 {
        let square = axis.iter().map(|x| x * x).sum::<f64>();
        if square <= 0.0 {
            return trace.max(0.0);
        }
        let next: [f64; 4] = std::array::from_fn(|c| (0..4).map(|d| variance[c][d] * axis[d]).sum());
        along = axis.iter().zip(&next).map(|(a, b)| a * b).sum::<f64>() / square;
        let length = square.sqrt();
        axis = next.map(|x| x / length);
    }
    (trace - along).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_from_the_line() {
        // Red and green on a line, and alpha 3 above and below it.
        let texel = |t: u8| [20 * (t / 2), 10 * (t / 2), 7, if t.is_multiple_of(2) { 100 } else { 106 }];
        let texels: [[u8; 4]; 16] = std::array::from_fn(|t| texel(t as u8));
        let problem = Problem::new(&texels, u16::MAX, [1; 4]);
        let moments = problem.moments();
        let weight = sum_of(&moments, u16::MAX)[0];
        let distance = distance_from_line(&sum_of(&moments, u16::MAX));
        assert!((distance / weight - 9.0).abs() < 0.1, "{distance} {weight}");
        let even = distance_from_line(&sum_of(&moments, 0x5555));
        assert!(even < 1e-3, "{even}");
        assert_eq!(distance_from_line(&sum_of(&moments, 0)), 0.0);
    }
}

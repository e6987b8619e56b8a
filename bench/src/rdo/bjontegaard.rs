//! Bjøntegaard difference in rate between two rate–distortion curves.
//!
//! It is the mean difference of log₁₀(rate) over the PSNRs that both curves reach, as a ratio of rates.
//! G. Bjøntegaard (VCEG-M33, 2001) fitted one cubic polynomial to four points. As in JCT-VC's tables, curves
//! are interpolated by piecewise cubic polynomials that do not overshoot: Hermite's, with the slopes of
//! Fritsch and Butland, and of three points at the ends (`pchip` of MATLAB and SciPy).

/// Point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Rate in any unit; both curves have the same.
    pub rate: f64,
    pub psnr_db: f64,
}

/// Returns the difference in rate of `tested` from `anchor` at the same PSNR: −0.1 for 10 % less. None if the
/// curves have no PSNR in common.
pub fn rate_difference(anchor: &[Point], tested: &[Point]) -> Option<f64> {
    let curve = |points: &[Point]| {
        Curve::new(frontier(points).iter().map(|point| (point.psnr_db, point.rate.log10())).unzip())
    };
    mean_difference(&curve(anchor)?, &curve(tested)?).map(|difference| 10f64.powf(difference) - 1.0)
}

/// Returns the points in ascending order, without those that another point of the curve beats in rate and
/// PSNR, and without infinite PSNRs.
fn frontier(points: &[Point]) -> Vec<Point> {
    let mut points: Vec<_> =
        points.iter().copied().filter(|point| point.psnr_db.is_finite() && point.rate > 0.0).collect();
    points.sort_by(|a, b| a.rate.total_cmp(&b.rate).then(b.psnr_db.total_cmp(&a.psnr_db)));
    let mut best = f64::NEG_INFINITY;
    points.retain(|point| {
        let is_better = point.psnr_db > best;
        best = best.max(point.psnr_db);
        is_better
    });
    points
}

/// Returns the mean of `tested` minus the mean of `anchor` over the x of both.
fn mean_difference(anchor: &Curve, tested: &Curve) -> Option<f64> {
    let low = anchor.x[0].max(tested.x[0]);
    let high = anchor.last().min(tested.last());
    let integral = |curve: &Curve| curve.integral_to(high) - curve.integral_to(low);
    (high > low).then(|| (integral(tested) - integral(anchor)) / (high - low))
}

/// Function through points whose x and y ascend.
struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    slopes: Vec<f64>,
}

impl Curve {
    /// Returns the curve through at least two points.
    fn new((x, y): (Vec<f64>, Vec<f64>)) -> Option<Self> {
        if x.len() < 2 {
            return None;
        }
        let slopes = slopes(&x, &y);
        Some(Self { x, y, slopes })
    }

    fn last(&self) -> f64 {
        self.x[self.x.len() - 1]
    }

    /// Returns the integral from the first x to `end`, which is not beyond the last.
    fn integral_to(&self, end: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.x.len() - 1 {
            if end <= self.x[i] {
                break;
            }
            let width = self.x[i + 1] - self.x[i];
            // Hermite's basis functions, integrated from 0 to t.
            let t = ((end - self.x[i]) / width).min(1.0);
            let (t2, t3, t4) = (t * t, t * t * t, t * t * t * t);
            let heights = self.y[i] * (t - t3 + t4 / 2.0) + self.y[i + 1] * (t3 - t4 / 2.0);
            let slopes = self.slopes[i] * (t2 / 2.0 - 2.0 / 3.0 * t3 + t4 / 4.0)
                + self.slopes[i + 1] * (t4 / 4.0 - t3 / 3.0);
            sum += width * (heights + width * slopes);
        }
        sum
    }
}

/// Returns the slope of a curve at each of at least two points. All secants ascend.
fn slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let widths: Vec<_> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let secants: Vec<_> =
        y.windows(2).zip(&widths).map(|(pair, width)| (pair[1] - pair[0]) / width).collect();
    let last = secants.len() - 1;
    if last == 0 {
        return vec![secants[0]; 2];
    }
    // The parabola through three points, but not against the direction of the curve.
    let end = |near: usize, far: usize| {
        let (width, next) = (widths[near], widths[far]);
        (((2.0 * width + next) * secants[near] - width * secants[far]) / (width + next)).max(0.0)
    };
    let mut slopes = vec![end(0, 1)];
    for i in 1..=last {
        // Harmonic mean of both secants; that of the shorter interval has more weight.
        let (before, after) = (widths[i] * 2.0 + widths[i - 1], widths[i] + widths[i - 1] * 2.0);
        slopes.push((before + after) / (before / secants[i - 1] + after / secants[i]));
    }
    slopes.push(end(last, last - 1));
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(all: &[(f64, f64)]) -> Vec<Point> {
        all.iter().map(|&(rate, psnr_db)| Point { rate, psnr_db }).collect()
    }

    /// Between two points, curves are lines. At p dB, log₁₀(rate) is (p − 30) / 10 of one and
    /// 0.5 + (p − 30) / 20 of the other. The difference is 0.5 at 30 dB, 0 at 40 dB, and 0.25 in the mean.
    #[test]
    fn lines_have_the_difference_of_a_calculation_by_hand() {
        let anchor = points(&[(1.0, 30.0), (10.0, 40.0)]);
        let tested = points(&[(10f64.sqrt(), 30.0), (10.0, 40.0)]);
        let found = rate_difference(&anchor, &tested).unwrap();
        assert!((found - (10f64.powf(0.25) - 1.0)).abs() < 1e-12, "{found}");
    }

    /// Widths 1 and 2 and secants 1 and ½ give the slopes 7/6, 9/13 and 1/6. An interval's integral is
    /// width · (a + b) / 2 + width² · (slope at a − slope at b) / 12.
    #[test]
    fn the_integral_through_three_points_is_that_of_a_calculation_by_hand() {
        let curve = Curve::new((vec![0.0, 1.0, 3.0], vec![0.0, 1.0, 2.0])).unwrap();
        for (found, expected) in curve.slopes.iter().zip([7.0 / 6.0, 9.0 / 13.0, 1.0 / 6.0]) {
            assert!((found - expected).abs() < 1e-12, "{:?}", curve.slopes);
        }
        assert!((curve.integral_to(1.0) - (0.5 + 37.0 / 936.0)).abs() < 1e-12);
        assert!((curve.integral_to(3.0) - (3.5 + 67.0 / 312.0)).abs() < 1e-12);
        assert_eq!(curve.integral_to(0.0), 0.0);
    }

    #[test]
    fn scaled_rates_are_found_exactly() {
        let anchor = points(&[(0.5, 30.0), (1.0, 33.5), (2.0, 36.0), (4.0, 37.5), (7.0, 38.0)]);
        let scaled: Vec<_> = anchor.iter().map(|p| Point { rate: 0.9 * p.rate, ..*p }).collect();
        let found = rate_difference(&anchor, &scaled).unwrap();
        assert!((found + 0.1).abs() < 1e-12, "{found}");
        assert_eq!(rate_difference(&anchor, &anchor), Some(0.0));
    }

    #[test]
    fn beaten_points_are_left_out_and_curves_apart_have_no_difference() {
        let anchor = points(&[(4.0, 36.0), (1.0, 30.0), (2.0, 29.0), (3.0, 36.0), (5.0, f64::INFINITY)]);
        assert_eq!(frontier(&anchor), points(&[(1.0, 30.0), (3.0, 36.0)]));
        let apart = points(&[(10.0, 40.0), (20.0, 50.0)]);
        assert_eq!(rate_difference(&anchor, &apart), None);
        assert_eq!(rate_difference(&anchor, &apart[..1]), None);
    }
}

//! Lengths as text: in millimetres, or in a smaller unit for small voxels.

/// Units below a millimetre: the spacing below which each is used, and their number per millimetre.
const UNITS: [(&str, f64, f64); 2] = [("nm", 1e-4, 1e6), ("µm", 1e-1, 1e3)];

/// Returns three lengths of a volume as text: `0.5, 0.5, 2 mm`, or `0.25, 0.25, 1 µm`. The lengths are in
/// millimetres. The unit of the text depends on `spacing`, the distance of voxels along each axis.
pub fn lengths_text(lengths: [f64; 3], spacing: [f64; 3]) -> String {
    let largest = spacing.into_iter().fold(0.0, f64::max);
    let (name, factor) = UNITS
        .into_iter()
        .find(|&(_, limit, _)| largest > 0.0 && largest < limit)
        .map_or(("mm", 1.0), |(name, _, factor)| (name, factor));
    // The digits of the product of two decimals, without rounding errors.
    let decimal = |length: f64| {
        let product = length * factor;
        if factor == 1.0 { product } else { format!("{product:.12e}").parse().unwrap_or(product) }
    };
    let [x, y, z] = lengths.map(decimal);
    format!("{x}, {y}, {z} {name}")
}

/// Returns seconds with at most six significant digits.
pub fn seconds_text(seconds: f64) -> String {
    format!("{seconds:.5e}").parse().unwrap_or(seconds).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_six_digits() {
        let texts = [0.033100000000000004, 10.0, 86390.27, 0.1 + 0.2, 1234567.0].map(seconds_text);
        assert_eq!(texts, ["0.0331", "10", "86390.3", "0.3", "1234570"]);
    }

    #[test]
    fn small_lengths_have_a_small_unit() {
        for (spacing, want) in [
            ([0.5, 0.25, 2.0], "0.5, 0.25, 2 mm"),
            ([0.1, 0.1, 0.1], "0.1, 0.1, 0.1 mm"),
            ([0.00025, 0.00025, 0.001], "0.25, 0.25, 1 µm"),
            ([0.0000046, 0.0000046, 0.00003], "4.6, 4.6, 30 nm"),
            ([0.0003, 0.0003, 0.003], "0.3, 0.3, 3 µm"),
            ([f64::NAN, 0.0, -1.0], "NaN, 0, -1 mm"),
        ] {
            assert_eq!(lengths_text(spacing, spacing), want);
        }
        assert_eq!(lengths_text([0.001, -0.002, 0.0], [0.00025; 3]), "1, -2, 0 µm");
    }
}

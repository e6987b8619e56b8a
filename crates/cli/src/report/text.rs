//! Numbers and names in readable form.

use std::{fmt, time::Duration};

/// Time of work and its rate in bytes of voxels per second: `  2.4 s, 412 MB/s`, or
/// `  31.0 s, 8.3 kB/s`. Empty for work of less than
/// a second.
pub struct Pace(pub u64, pub Duration);

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.1.as_secs_f64();
        if seconds < 1.0 {
            return Ok(());
        }
        let (rate, digits, unit) = match self.0 as f64 / 1e3 / seconds {
            rate if rate < 100.0 => (rate, usize::from(rate < 10.0), "kB"),
            rate => (rate / 1e3, usize::from(rate < 10e3), "MB"),
        };
        write!(f, "  {seconds:.1} s, {rate:.digits$} {unit}/s")
    }
}

/// Ratio of two sizes: `6:1`, `5.9:1`, `1:2.5`.
pub struct Ratio(pub u64, pub u64);

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(before, after) = *self;
        let (larger, smaller) = (before.max(after), before.min(after).max(1));
        let ratio = format!("{:.1}", larger as f64 / smaller as f64);
        let ratio = ratio.strip_suffix(".0").unwrap_or(&ratio);
        if before < after { write!(f, "1:{ratio}") } else { write!(f, "{ratio}:1") }
    }
}

/// PSNR: `37.12 dB`, or `∞ dB` for equal texels.
pub struct Decibels(pub f64);

impl fmt::Display for Decibels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_infinite() { write!(f, "∞ dB") } else { write!(f, "{:.2} dB", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(Ratio(1_179_648, 196_736).to_string(), "6:1");
        assert_eq!([Ratio(9, 2), Ratio(3, 156)].map(|ratio| ratio.to_string()), ["4.5:1", "1:52"]);
        assert_eq!(Decibels(37.123).to_string(), "37.12 dB");
        assert_eq!(Decibels(f64::INFINITY).to_string(), "∞ dB");
        assert_eq!(Pace(824_000_000, Duration::from_secs(2)).to_string(), "  2.0 s, 412 MB/s");
        let slow = [256_000, 31_000_000, 1_240_000_000]
            .map(|bytes| Pace(bytes, Duration::from_secs(31)).to_string());
        assert_eq!(slow, ["  31.0 s, 8.3 kB/s", "  31.0 s, 1.0 MB/s", "  31.0 s, 40 MB/s"]);
        assert_eq!(Pace(824_000_000, Duration::from_millis(999)).to_string(), "");
    }
}

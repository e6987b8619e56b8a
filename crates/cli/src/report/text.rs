//! Numbers and names in readable form.

use std::{fmt, time::Duration};

/// Number of bytes with at most three significant digits: `192 KiB`, `1.1 MiB`.
pub struct Bytes(pub u64);

/// Time of work and its rate in bytes of voxels per second: `  2.4 s, 412 MB/s`. Empty for work of less than
/// a second.
pub struct Pace(pub u64, pub Duration);

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.1.as_secs_f64();
        if seconds < 1.0 {
            return Ok(());
        }
        write!(f, "  {seconds:.1} s, {:.0} MB/s", self.0 as f64 / 1e6 / seconds)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
        let mut value = self.0 as f64;
        let mut unit = "B";
        for larger in UNITS {
            if value < 1023.5 {
                break;
            }
            (value, unit) = (value / 1024.0, larger);
        }
        if unit == "B" || value >= 9.95 {
            write!(f, "{value:.0} {unit}")
        } else {
            write!(f, "{value:.1} {unit}")
        }
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

/// Returns `1 thread`, `2 threads`.
pub fn counted(count: impl fmt::Display, noun: &str) -> String {
    let count = count.to_string();
    if count == "1" { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns the words of a text of several lines, such as a message of a driver or shader compiler, in one
/// line.
pub fn one_line(text: impl fmt::Display) -> String {
    text.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = |bytes| Bytes(bytes).to_string();
        assert_eq!([0, 1, 999, 1023].map(shown), ["0 B", "1 B", "999 B", "1023 B"]);
        assert_eq!([1024, 1_179_648, 196_736].map(shown), ["1.0 KiB", "1.1 MiB", "192 KiB"]);
        assert_eq!([1 << 30, (1 << 20) - 1].map(shown), ["1.0 GiB", "1.0 MiB"]);
        assert_eq!(Ratio(1_179_648, 196_736).to_string(), "6:1");
        assert_eq!([Ratio(9, 2), Ratio(3, 156)].map(|ratio| ratio.to_string()), ["4.5:1", "1:52"]);
        assert_eq!(Decibels(37.123).to_string(), "37.12 dB");
        assert_eq!(Decibels(f64::INFINITY).to_string(), "∞ dB");
        assert_eq!(Pace(824_000_000, Duration::from_secs(2)).to_string(), "  2.0 s, 412 MB/s");
        assert_eq!(Pace(824_000_000, Duration::from_millis(999)).to_string(), "");
        assert_eq!([counted(1, "thread"), counted(2, "thread")], ["1 thread", "2 threads"]);
    }
}

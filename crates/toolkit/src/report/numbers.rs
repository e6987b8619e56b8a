//! Numbers in texts and pages.

use std::fmt;

/// Number of bytes with at most three significant digits: `192 KiB`, `1.1 MiB`. It is rounded to the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it is the number that it displays")]
pub struct Bytes(pub u64);

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

/// Returns `1 thread`, `2 threads`.
pub fn counted(count: impl fmt::Display, noun: &str) -> String {
    let count = count.to_string();
    if count == "1" { format!("1 {noun}") } else { format!("{count} {noun}s") }
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
        assert_eq!([counted(1, "thread"), counted(2, "thread")], ["1 thread", "2 threads"]);
    }
}

//! Numbers as people read them.

use std::fmt;

/// A count of bytes with at most three significant digits: `192 KiB`, `1.1 MiB`.
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
        let digits = usize::from(unit != "B" && value < 9.95);
        write!(f, "{value:.digits$} {unit}")
    }
}

/// Returns a number of a volume, with as many digits as a step of `step` needs: `1200`, `0.034`.
pub fn number(value: f64, step: f64) -> String {
    let digits = if step > 0.0 { (1.0 - step.log10()).ceil().clamp(0.0, 9.0) as usize } else { 3 };
    let text = format!("{value:.*}", if step >= 1.0 { 0 } else { digits });
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { "0".to_owned() } else { text }
}

/// A time: `12 ms`, `1.3 s`.
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            s if s < 0.00995 => write!(f, "{:.1} ms", s * 1e3),
            s if s < 0.9995 => write!(f, "{:.0} ms", s * 1e3),
            s => write!(f, "{s:.1} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = |bytes| Bytes(bytes).to_string();
        assert_eq!([0, 1023, 1024, 196_736].map(shown), ["0 B", "1023 B", "1.0 KiB", "192 KiB"]);
        assert_eq!(Bytes(1 << 30).to_string(), "1.0 GiB");
        let shown = |seconds| Seconds(seconds).to_string();
        assert_eq!([0.0012, 0.0471, 1.26].map(shown), ["1.2 ms", "47 ms", "1.3 s"]);
        assert_eq!(number(1200.4, 4.0), "1200");
        assert_eq!(number(0.034_44, 0.001), "0.0344");
        assert_eq!(number(-0.0001, 0.1), "0");
    }
}

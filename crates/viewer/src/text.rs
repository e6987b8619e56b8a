//! Numbers as people read them.

pub use brickwork_toolkit::report::Bytes;
use std::fmt;

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
        let shown = |seconds| Seconds(seconds).to_string();
        assert_eq!([0.0012, 0.0471, 1.26].map(shown), ["1.2 ms", "47 ms", "1.3 s"]);
        assert_eq!(number(1200.4, 4.0), "1200");
        assert_eq!(number(0.034_44, 0.001), "0.0344");
        assert_eq!(number(-0.0001, 0.1), "0");
    }
}

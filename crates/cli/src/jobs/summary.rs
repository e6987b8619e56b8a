//! What became of many files, in a line.

use crate::report::{Bytes, Ratio, counted};
use serde::Serialize;
use std::time::Duration;

/// What became of many files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Files written.
    pub written: u64,
    /// Files left alone because they are newer than their inputs.
    pub up_to_date: u64,
    /// Inputs that failed.
    pub failed: u64,
    /// Bytes of the texels or blocks that were read.
    pub input_bytes: u64,
    /// Bytes of the files that were written.
    pub output_bytes: u64,
    /// From the first input to the last output.
    pub seconds: f64,
}

impl Summary {
    /// Adds a written file.
    pub fn add(&mut self, [input_bytes, output_bytes]: [u64; 2]) {
        self.written += 1;
        self.input_bytes += input_bytes;
        self.output_bytes += output_bytes;
    }

    /// The summary in a line: `12 files, 34 MiB → 5.6 MiB (6:1) in 2.3 s`.
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        if self.written > 0 {
            let (before, after) = (self.input_bytes, self.output_bytes);
            let files = counted(self.written, "file");
            let [from, to] = [before, after].map(Bytes);
            let seconds = seconds(Duration::from_secs_f64(self.seconds));
            parts.push(format!("{files}, {from} → {to} ({}) in {seconds}", Ratio(before, after)));
        }
        if self.up_to_date > 0 {
            parts.push(format!("{} up to date", self.up_to_date));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        parts.join(", ") + "\n"
    }
}

/// `0.25 s`, `12 s`, `3 min 7 s`.
fn seconds(time: Duration) -> String {
    let whole = time.as_secs_f64().round() as u64;
    match whole {
        60.. => format!("{} min {} s", whole / 60, whole % 60),
        10.. => format!("{whole} s"),
        _ => format!("{:.2} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_what_there_is_to_say() {
        let mut summary = Summary::default();
        summary.add([6 << 20, 1 << 20]);
        summary.add([6 << 20, 1 << 20]);
        summary.seconds = 0.25;
        assert_eq!(summary.text(), "2 files, 12 MiB → 2.0 MiB (6:1) in 0.25 s\n");
        summary.up_to_date = 3;
        summary.failed = 1;
        summary.seconds = 187.2;
        let expected = "2 files, 12 MiB → 2.0 MiB (6:1) in 3 min 7 s, 3 up to date, 1 failed\n";
        assert_eq!(summary.text(), expected);
        assert_eq!(Summary { up_to_date: 5, ..Summary::default() }.text(), "5 up to date\n");
    }
}

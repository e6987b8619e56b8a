//! One-line summary of many files.

use crate::report::{BatchSummary, Bytes, Ratio, counted};
use std::time::Duration;

/// Returns the summary in one line: `12 files, 34 MiB → 5.6 MiB (6:1) in 2.3 s`.
pub fn text(summary: &BatchSummary) -> String {
    let mut parts = Vec::new();
    if summary.written > 0 {
        let (before, after) = (summary.input_bytes, summary.output_bytes);
        let files = counted(summary.written, "file");
        let [from, to] = [before, after].map(Bytes);
        let seconds = seconds(Duration::from_secs_f64(summary.seconds));
        parts.push(format!("{files}, {from} → {to} ({}) in {seconds}", Ratio(before, after)));
    }
    if summary.up_to_date > 0 {
        parts.push(format!("{} up to date", summary.up_to_date));
    }
    if summary.from_cache > 0 {
        parts.push(format!("{} from the cache", summary.from_cache));
    }
    if summary.failed > 0 {
        parts.push(format!("{} failed", summary.failed));
    }
    parts.join(", ") + "\n"
}

/// Returns `0.25 s`, `12 s` or `3 min 7 s`.
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
        let mut summary = BatchSummary::default();
        summary.add([6 << 20, 1 << 20]);
        summary.add([6 << 20, 1 << 20]);
        summary.seconds = 0.25;
        assert_eq!(text(&summary), "2 files, 12 MiB → 2.0 MiB (6:1) in 0.25 s\n");
        summary.up_to_date = 3;
        summary.failed = 1;
        summary.seconds = 187.2;
        let expected = "2 files, 12 MiB → 2.0 MiB (6:1) in 3 min 7 s, 3 up to date, 1 failed\n";
        assert_eq!(text(&summary), expected);
        let untouched = BatchSummary { up_to_date: 5, ..BatchSummary::default() };
        assert_eq!(text(&untouched), "5 up to date\n");
        let copied = BatchSummary { from_cache: 2, ..untouched };
        assert_eq!(text(&copied), "5 up to date, 2 from the cache\n");
    }
}

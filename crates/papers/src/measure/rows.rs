//! Rows of tables of times.

use super::{PublishedTime, TimeFigures, times::Measured};

/// Returns the figures that a document publishes, in milliseconds.
pub(crate) fn published(rows: &[(&'static str, f64)]) -> Vec<PublishedTime> {
    rows.iter().map(|&(name, ms)| PublishedTime { name, ms }).collect()
}

/// Returns a row for the kernels that are selected by name.
pub(crate) fn row(name: &str, measured: &Measured, kernel: impl Fn(&str) -> bool) -> TimeFigures {
    let milliseconds = |time: f64| time * 1e3 * measured.scale();
    TimeFigures {
        name: name.to_owned(),
        kernel_ms: measured.kernels(kernel).map(milliseconds),
        whole_ms: milliseconds(measured.whole()),
        sha256: measured.sha256().to_owned(),
        candidates_per_second: None,
        scaled_from: measured.scaled_from(),
    }
}

//! The tables as text.

use super::{
    hash::{SHOWN_DIGITS, shown},
    report::{BenchPapersReport, TimeFigures, TimeTable},
};
use std::fmt;

/// Report, or one of its tables, as text.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "a wrapper")]
pub struct Text<'a, T>(pub &'a T);

/// The width of names.
const NAMES: usize = 38;

impl fmt::Display for Text<'_, BenchPapersReport> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.gpu {
            Some(gpu) => {
                let software = if gpu.kind == "software" { ": the CPU emulates a GPU" } else { "" };
                writeln!(f, "GPU    {} ({}, {}){software}", gpu.name, gpu.backend, gpu.driver)?;
            }
            None => writeln!(f, "GPU    none")?,
        }
        writeln!(f, "CPU    {} threads, {}", self.0.cpu.threads, self.0.cpu.instruction_set)?;
        if !self.0.tables.is_empty() {
            let [width, height] = self.0.image;
            writeln!(f, "image  {width}×{height}, made by the program; medians of several runs")?;
        }
        self.0.tables.iter().try_for_each(|table| write!(f, "\n{}", Text(table)))?;
        write!(f, "\n{}", Text(&self.0.volumes))?;
        self.0.pictures.iter().try_for_each(|pictures| write!(f, "\n{}", Text(pictures)))
    }
}

impl fmt::Display for Text<'_, TimeTable> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, table {}: {}", self.0.paper, self.0.number, self.0.title)?;
        for row in &self.0.published {
            writeln!(f, "  {:<NAMES$} {:>13}", row.name, Milliseconds(row.ms))?;
        }
        let hash = "SHA-256";
        let kernels = self.0.kernels;
        writeln!(f, "  {:<NAMES$} {kernels:>13} {:>13}  {hash:<SHOWN_DIGITS$}", "here", "whole")?;
        self.0.measured.iter().try_for_each(|row| writeln!(f, "  {}", Text(row)))
    }
}

impl fmt::Display for Text<'_, TimeFigures> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.0.kernel_ms.map(|ms| Milliseconds(ms).to_string()).unwrap_or_default();
        let whole = Milliseconds(self.0.whole_ms).to_string();
        write!(f, "{:<NAMES$} {kernel:>13} {whole:>13}  {}", self.0.name, shown(&self.0.sha256))?;
        if let Some(rate) = self.0.candidates_per_second {
            write!(f, "  {:.3} G candidates/s", rate / 1e9)?;
        }
        match self.0.scaled_from {
            Some([width, height]) => write!(f, "  (scaled from {width}×{height})"),
            None => Ok(()),
        }
    }
}

/// A time in ms or s, to the precision that matters.
struct Milliseconds(f64);

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, digits, unit) = match self.0 {
            ms if ms < 1.0 => (ms, 4, "ms"),
            ms if ms < 10.0 => (ms, 3, "ms"),
            ms if ms < 10_000.0 => (ms, 2, "ms"),
            ms if ms < 100_000.0 => (ms / 1e3, 2, "s "),
            ms => (ms / 1e3, 0, "s "),
        };
        f.pad(&format!("{value:.digits$} {unit}"))
    }
}

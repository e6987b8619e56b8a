//! The tables as text.

use super::{Report, Row, Table};
use std::fmt;

/// The width of names.
const NAMES: usize = 38;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.gpu {
            Some(gpu) => {
                let software = if gpu.kind == "software" { ": the CPU emulates a GPU" } else { "" };
                writeln!(f, "GPU    {} ({}, {}){software}", gpu.name, gpu.backend, gpu.driver)?;
            }
            None => writeln!(f, "GPU    none")?,
        }
        writeln!(f, "CPU    {} threads, {}", self.cpu.threads, self.cpu.instruction_set)?;
        if !self.tables.is_empty() {
            let [width, height] = self.image;
            writeln!(f, "image  {width}×{height}, made by the program; medians of several runs")?;
        }
        self.tables.iter().try_for_each(|table| write!(f, "\n{table}"))?;
        write!(f, "\n{}", self.volumes)?;
        self.pictures.iter().try_for_each(|pictures| write!(f, "\n{pictures}"))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, table {}: {}", self.paper, self.number, self.title)?;
        for row in &self.published {
            writeln!(f, "  {:<NAMES$} {:>13}", row.name, Milliseconds(row.ms))?;
        }
        writeln!(f, "  {:<NAMES$} {:>13} {:>13}", "here", self.kernels, "whole")?;
        self.measured.iter().try_for_each(|row| writeln!(f, "  {row}"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.kernel_ms.map(|ms| Milliseconds(ms).to_string()).unwrap_or_default();
        let whole = Milliseconds(self.whole_ms).to_string();
        write!(f, "{:<NAMES$} {kernel:>13} {whole:>13}", self.name)?;
        if let Some(rate) = self.candidates_per_second {
            write!(f, "  {:.3} G candidates/s", rate / 1e9)?;
        }
        match self.scaled_from {
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

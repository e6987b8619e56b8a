//! Figures kept in a file, and the comparison with new ones.

use super::figures::{COLUMNS, Figures, INVERSE_THROUGHPUT, Row, SCRATCH, SPILLS, WAVES};
use anyhow::{Context as _, Result};
use std::fmt::Write as _;

/// Largest accepted growth of inverse throughput, which is an estimate.
const TOLERANCE: f64 = 1.1;

/// Figures as they were recorded.
pub struct Record {
    /// Device and driver.
    pub device: String,
    rows: Vec<(String, Figures)>,
}

/// Returns the file's text: a line on the device, the columns' titles, a line per kernel; tabs between the
/// cells.
pub fn to_text(device: &str, rows: &[Row]) -> String {
    let titles = COLUMNS.map(|column| column.title).join("\t");
    let mut text = format!("{device}\nkernel\t{titles}\n");
    for row in rows {
        let figures = row.figures.map(|figure| figure.map_or_else(|| "–".to_owned(), |it| it.to_string()));
        let _ = writeln!(text, "{}\t{}", row.kernel, figures.join("\t"));
    }
    text
}

impl Record {
    /// Reads the output of [`to_text`].
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        let device = lines.next().context("an empty file")?.to_owned();
        let rows = lines.skip(1).map(|line| {
            let mut cells = line.split('\t');
            let kernel = cells.next().unwrap_or_default().to_owned();
            let mut figures = [None; COLUMNS.len()];
            for (figure, cell) in figures.iter_mut().zip(&mut cells) {
                *figure = match cell {
                    "–" => None,
                    cell => Some(cell.parse().with_context(|| format!("{kernel}: {cell:?}"))?),
                };
            }
            Ok((kernel, figures))
        });
        Ok(Self { device, rows: rows.collect::<Result<_>>()? })
    }

    /// Regressions from the record, a line each, and kernels that are new or gone. Only recorded kernels that
    /// are wanted (`is_wanted`) count.
    pub fn faults(&self, rows: &[Row], is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut faults = Vec::new();
        for row in rows {
            match self.rows.iter().find(|(kernel, _)| *kernel == row.kernel) {
                Some((_, recorded)) => faults.extend(worse(&row.kernel, recorded, &row.figures)),
                None => faults.push(format!("{}: not recorded", row.kernel)),
            }
        }
        for (kernel, _) in self.rows.iter().filter(|(kernel, _)| is_wanted(kernel)) {
            if !rows.iter().any(|row| row.kernel == *kernel) {
                faults.push(format!("{kernel}: recorded, but gone"));
            }
        }
        faults
    }
}

fn worse(kernel: &str, recorded: &Figures, now: &Figures) -> Vec<String> {
    let is_worse = |c: usize, was: u64, is: u64| match c {
        WAVES => is < was,
        SPILLS | SCRATCH => is > was,
        INVERSE_THROUGHPUT => is as f64 > TOLERANCE * was as f64,
        // Registers are compared as waves; the other figures explain the inverse throughput.
        _ => false,
    };
    let figure = |c: usize| Some((c, recorded[c]?, now[c]?));
    (0..COLUMNS.len())
        .filter_map(figure)
        .filter(|&(c, was, is)| is_worse(c, was, is))
        .map(|(c, was, is)| format!("{kernel}: {} {was} → {is}", COLUMNS[c].title))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kernel: &str, figures: [u64; 8]) -> Row {
        Row { kernel: kernel.to_owned(), figures: figures.map(Some), statistics: Vec::new() }
    }

    #[test]
    fn what_is_worse_is_named() {
        let recorded = [96, 16, 0, 0, 0, 1000, 2000, 500];
        let text = to_text("a device", &[row("search", recorded), row("old", recorded)]);
        let record = Record::parse(&text).unwrap();
        assert_eq!(record.device, "a device");
        let faults = |rows: &[Row]| record.faults(rows, |kernel| kernel != "old");
        assert!(faults(&[row("search", recorded)]).is_empty());
        // Better, or worse where it does not matter.
        assert!(faults(&[row("search", [100, 17, 0, 0, 64, 1500, 3000, 550])]).is_empty());
        let found = faults(&[row("search", [128, 10, 2, 16, 0, 1000, 2000, 551])]);
        let expected = [
            "search: waves 16 → 10",
            "search: spills 0 → 2",
            "search: scratch 0 → 16",
            "search: inverse throughput 500 → 551",
        ];
        assert_eq!(found, expected);
        let all = record.faults(&[row("search", recorded), row("other", recorded)], |_| true);
        assert_eq!(all, ["other: not recorded", "old: recorded, but gone"]);
    }

    #[test]
    fn figures_that_a_driver_does_not_tell_are_kept_as_such() {
        let mut untold = row("a", [1; 8]);
        untold.figures[WAVES] = None;
        let untold_figures = untold.figures;
        let record = Record::parse(&to_text("d", &[untold])).unwrap();
        assert_eq!(record.rows, [("a".to_owned(), untold_figures)]);
        assert!(Record::parse("d\nkernel\na\tx\n").is_err());
    }
}

//! Compilers' statistics, in the same columns for every driver.

use super::vulkan::Statistic;
use crate::table::{
    Column::{Number, Text},
    Table,
};
use brickwork_gpu::Kernel;
use std::fmt::Write as _;

/// A column that each driver names differently.
pub struct Column {
    pub title: &'static str,
    /// Drivers' names for it; several figures of one driver are added.
    names: &'static [&'static str],
}

/// Common columns: the names of RADV, NAK, Honeykrisp and Turnip, in this order; docs/kernels.md explains
/// them.
pub const COLUMNS: [Column; 8] = [
    Column { title: "registers", names: &["VGPRs", "Number of GPRs", "GPRs", "Registers used"] },
    Column {
        title: "waves",
        names: &["Subgroups per SIMD", "Max warps/SM", "Threads", "Max Waves Per Core"],
    },
    Column {
        title: "spills",
        names: &["Spilled SGPRs", "Spilled VGPRs", "Spills to memory", "Spills", "STP Count", "LDP Count"],
    },
    Column { title: "scratch", names: &["Scratch size", "SLM size", "Scratch"] },
    Column { title: "workgroup memory", names: &["LDS size"] },
    Column { title: "instructions", names: &["Instructions", "Instruction count", "Instruction Count"] },
    Column { title: "latency", names: &["Latency", "Static cycle count"] },
    Column { title: "inverse throughput", names: &["Inverse Throughput", "ALU"] },
];
pub const WAVES: usize = 1;
pub const SPILLS: usize = 2;
pub const SCRATCH: usize = 3;
pub const INVERSE_THROUGHPUT: usize = 7;

/// A kernel's figures, by column; `None` where the driver does not tell.
pub type Figures = [Option<u64>; COLUMNS.len()];

/// A compiler's statistics of one kernel.
pub struct Row {
    pub kernel: String,
    pub figures: Figures,
    /// Everything that the driver tells.
    pub statistics: Vec<Statistic>,
}

fn column_of(statistic: &Statistic) -> Option<usize> {
    COLUMNS.iter().position(|column| column.names.contains(&statistic.name.as_str()))
}

/// Returns a kernel's name, and the values of its override constants.
pub fn name(kernel: &Kernel) -> String {
    let mut values: Vec<_> =
        kernel.overrides().iter().map(|(name, value)| format!("{name} {value}")).collect();
    values.sort();
    match values.is_empty() {
        true => kernel.name().to_owned(),
        false => format!("{} ({})", kernel.name(), values.join(", ")),
    }
}

impl Row {
    pub fn new(kernel: String, statistics: Vec<Statistic>) -> Self {
        let mut figures = [None; COLUMNS.len()];
        for statistic in &statistics {
            if let Some(c) = column_of(statistic) {
                *figures[c].get_or_insert(0) += statistic.value as u64;
            }
        }
        Self { kernel, figures, statistics }
    }

    /// True if registers are spilled to memory.
    fn spills(&self) -> bool {
        [SPILLS, SCRATCH].iter().any(|&c| self.figures[c].is_some_and(|figure| figure > 0))
    }
}

/// Returns the notable rows, and the table. `with_all` adds the figures that are in no common column, and the
/// driver's description of each.
pub fn to_markdown(rows: &[Row], with_all: bool) -> String {
    let told = (0..COLUMNS.len()).filter(|&c| rows.iter().any(|row| row.figures[c].is_some()));
    let told: Vec<_> = told.collect();
    let mut known: Vec<&Statistic> = Vec::new();
    for statistic in rows.iter().flat_map(|row| &row.statistics).filter(|_| with_all) {
        if !known.iter().any(|known| known.name == statistic.name) {
            known.push(statistic);
        }
    }
    let meanings: String =
        known.iter().map(|statistic| format!("- {}: {}\n", statistic.name, statistic.meaning)).collect();
    let others: Vec<_> = known.iter().filter(|statistic| column_of(statistic).is_none()).collect();
    let mut columns = vec![Text("kernel")];
    columns.extend(told.iter().map(|&c| Number(COLUMNS[c].title)));
    columns.extend(others.iter().map(|statistic| Number(&statistic.name)));
    let mut table = Table::new(&columns);
    for row in rows {
        let in_columns = told.iter().map(|&c| row.figures[c].map(|figure| figure.to_string()));
        let others = others.iter().map(|other| {
            let found = row.statistics.iter().find(|statistic| statistic.name == other.name);
            found.map(|statistic| statistic.value.to_string())
        });
        let figures = in_columns.chain(others).map(|figure| figure.unwrap_or_else(|| "–".to_owned()));
        let name = if row.spills() { format!("**{}**", row.kernel) } else { row.kernel.clone() };
        table.push([name].into_iter().chain(figures).collect::<Vec<_>>());
    }
    format!("{}{meanings}\n{}", summary(rows), table.to_markdown())
}

/// Numbers of waves in a line.
const COUNTS_OF_LINE: usize = 9;

/// Returns the number of kernels with spills or scratch, and the kernels with the fewest waves.
fn summary(rows: &[Row]) -> String {
    let count = rows.iter().filter(|row| row.spills()).count();
    let mut text = match count {
        0 => format!("- Spills or scratch: in none of {} kernels\n", rows.len()),
        _ => format!("- Spills or scratch: in {count} of {} kernels, in bold\n", rows.len()),
    };
    let mut waves: Vec<_> = rows.iter().filter_map(|row| row.figures[WAVES]).collect();
    waves.sort_unstable();
    let counts: Vec<_> =
        waves.chunk_by(|a, b| a == b).map(|same| format!("{} in {}", same[0], same.len())).collect();
    if !counts.is_empty() {
        let lines: Vec<_> = counts.chunks(COUNTS_OF_LINE).map(|counts| counts.join(", ")).collect();
        let _ = writeln!(text, "- Waves: {}", lines.join(",\n  "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kernel: &str, figures: &[(&str, f64)]) -> Row {
        let statistic = |&(name, value): &(&str, f64)| Statistic {
            name: name.to_owned(),
            meaning: "words".to_owned(),
            value,
        };
        Row::new(kernel.to_owned(), figures.iter().map(statistic).collect())
    }

    #[test]
    fn drivers_names_become_columns() {
        let amd = row("a", &[("VGPRs", 96.0), ("Spilled SGPRs", 2.0), ("Spilled VGPRs", 3.0), ("Hash", 7.0)]);
        assert_eq!((amd.figures[0], amd.figures[SPILLS], amd.figures[WAVES]), (Some(96), Some(5), None));
        let nvidia = row("b", &[("Max warps/SM", 8.0), ("SLM size", 16.0)]);
        assert_eq!((nvidia.figures[WAVES], nvidia.figures[SCRATCH]), (Some(8), Some(16)));
        let text = to_markdown(&[amd, nvidia], true);
        assert!(
            text.starts_with("- Spills or scratch: in 2 of 2 kernels, in bold\n- Waves: 8 in 1\n"),
            "{text}"
        );
        assert!(text.contains("| kernel | registers | waves | spills | scratch | Hash |"), "{text}");
        assert!(text.contains("| **b**  |         – |     8 |      – |      16 |    – |"), "{text}");
        assert!(!to_markdown(&[row("c", &[("Hash", 7.0)])], false).contains("Hash"));
        let many: Vec<_> = (1..=10).map(|i| row("d", &[("Max warps/SM", f64::from(i))])).collect();
        assert!(to_markdown(&many, false).contains("8 in 1, 9 in 1,\n  10 in 1\n"));
    }

    #[test]
    fn a_name_has_the_values_of_override_constants() {
        let kernel = Kernel::new("search", &[]);
        assert_eq!(name(&kernel), "search");
        assert_eq!(name(&kernel.with("SIDE", 3.0).with("GROUP", 64.0)), "search (GROUP 64, SIDE 3)");
    }
}

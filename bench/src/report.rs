//! The comparison as text, and its place in docs/measured.

use crate::{
    measure::Measurement,
    peers::Role,
    table::{Column, Table},
};
use anyhow::{Context, Result};
use brickwork_texture::{BlockFormat, RoundingRule};
use std::{fmt::Write, path::Path};

/// The name of the section that `peers` writes.
pub const PEERS_SECTION: &str = "peers";

/// Returns the peer whose speed is the unit.
pub fn base(measurements: &[Measurement]) -> Option<&Measurement> {
    measurements.iter().find(|measurement| measurement.role == Role::Base)
}

fn best_first(measurements: &[Measurement]) -> Vec<&Measurement> {
    let mut rows: Vec<_> = measurements.iter().collect();
    rows.sort_by(|a, b| b.exact_db.total_cmp(&a.exact_db));
    rows
}

fn name(row: &Measurement) -> String {
    if row.role == Role::Ours { format!("**{}**", row.name) } else { row.name.clone() }
}

fn speed(row: &Measurement, base: Option<&Measurement>) -> String {
    base.map_or_else(|| "–".to_owned(), |base| three_digits(row.speed_against(base)))
}

/// Returns quality and speed of the encoders of one format, best first.
pub fn of_format(
    about: &[String],
    format: BlockFormat,
    channels: &str,
    measurements: &[Measurement],
) -> String {
    use Column::{Number, Text};
    let base = base(measurements);
    let exact = RoundingRule::Real.for_format(format).name();
    let exact = format!("{channels}, {exact}, dB");
    let against = base.map_or_else(String::new, |base| format!("÷ {}", base.name));
    let mut columns = vec![Text("encoder"), Number(&exact), Number(&against), Number("spread")];
    // Only BC1's encoders have a rounding rule that users choose.
    let has_trunc = format == BlockFormat::Bc1;
    if has_trunc {
        columns.insert(2, Number("trunc, dB"));
    }
    let mut table = Table::new(&columns);
    for row in best_first(measurements) {
        let mut cells = vec![name(row), format!("{:.3}", row.exact_db)];
        cells.extend(has_trunc.then(|| format!("{:.3}", row.trunc_db)));
        cells.extend([speed(row, base), format!("{:.0} %", row.spread() * 100.0)]);
        table.push(cells);
    }
    let mut text: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let _ = write!(text, "\n{}", table.to_markdown());
    for measurement in measurements.iter().filter(|measurement| !measurement.faults.is_empty()) {
        let _ = writeln!(text, "\n{}: {}", measurement.name, measurement.faults.join("; "));
    }
    text
}

/// Returns quality and speed of LSDxt.
pub fn lsdxt(measurements: &[Measurement]) -> String {
    use Column::{Number, Text};
    let mut table = Table::new(&[
        Text("encoder"),
        Number("exact, dB"),
        Number("trunc, dB"),
        Number("Mpix/s"),
        Number("spread"),
    ]);
    for row in measurements {
        table.push([
            row.name.clone(),
            format!("{:.3}", row.exact_db),
            format!("{:.3}", row.trunc_db),
            three_digits(row.speed()),
            format!("{:.0} %", row.spread() * 100.0),
        ]);
    }
    table.to_markdown()
}

/// Returns a number with three significant digits.
pub fn three_digits(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Puts `section` between the two markers of this name, `<!-- name:begin -->` and `<!-- name:end -->`, of the
/// document at `path`. Cells of tables lose the spaces that align them in a terminal.
pub fn write_section(path: &Path, name: &str, section: &str) -> Result<()> {
    let document =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let document = replace_section(&document, name, section)
        .with_context(|| format!("{} has no section {name}", path.display()))?;
    std::fs::write(path, document).with_context(|| format!("cannot write {}", path.display()))
}

fn replace_section(document: &str, name: &str, section: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name}:begin -->"), format!("<!-- {name}:end -->"));
    let (before, rest) = document.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    let section: Vec<_> = section.trim_end().lines().map(compact).collect();
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", section.join("\n")))
}

/// Returns a line of Markdown, without alignment if it is a row of a table.
fn compact(line: &str) -> String {
    if !line.starts_with('|') {
        return line.to_owned();
    }
    if line.contains(|c| !"|-: ".contains(c)) {
        return line.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let rules = line.trim_matches('|').split('|').map(|cell| if cell.contains(':') { "---:" } else { "---" });
    format!("|{}|", rules.collect::<Vec<_>>().join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_the_rest_is_kept() {
        let document = "a\n<!-- peers:begin -->\nold\n<!-- peers:end -->\nb\n";
        let expected = "a\n<!-- peers:begin -->\n\nnew\n\n<!-- peers:end -->\nb\n";
        assert_eq!(replace_section(document, "peers", "new\n").as_deref(), Some(expected));
        assert_eq!(replace_section(document, "gpu-peers", ""), None);
        assert_eq!(replace_section("<!-- peers:end --><!-- peers:begin -->", "peers", ""), None);
    }

    #[test]
    fn tables_are_written_without_alignment() {
        let mut table = Table::new(&[Column::Text("an encoder"), Column::Number("dB")]);
        table.push(["a".into(), "36.0".into()]);
        let lines: Vec<_> = table.to_markdown().lines().map(compact).collect();
        assert_eq!(lines, ["| an encoder | dB |", "|---|---:|", "| a | 36.0 |"]);
        assert_eq!(compact("- a  b"), "- a  b");
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(
            [3450.2, 123.4, 40.06, 1.574, 0.3004].map(three_digits),
            ["3450", "123", "40.1", "1.57", "0.300"]
        );
    }
}

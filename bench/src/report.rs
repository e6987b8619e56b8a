//! The comparison as text, and its place in docs/measured and docs/performance.md.

use crate::{
    goals,
    measure::Measurement,
    peers::Role,
    table::{Column, Table},
};
use anyhow::{Context, Result};
use brickwork_texture::{BlockFormat, RoundingRule};
use std::{fmt::Write, path::Path};

/// The name of the section that `peers` writes.
pub const PEERS_SECTION: &str = "peers";

/// The titles of the tables of encoders, in order.
const TITLES: [&str; 4] = [EXACT, PEERS, TRUNC, LEVELS];
const EXACT: &str = "### Brickwork, for the exact decoder";
const PEERS: &str = "### Peers";
const TRUNC: &str = "### Brickwork, for the trunc decoder";
const LEVELS: &str = "### Brickwork by instruction set";

/// Returns the title of a contestant's table.
fn title(role: Role) -> &'static str {
    match role {
        Role::Exact(_) | Role::RealTime => EXACT,
        Role::RangeFit | Role::ClusterFit | Role::Base | Role::Peer => PEERS,
        Role::Trunc(_) => TRUNC,
        Role::Level(_) => LEVELS,
    }
}

/// Returns the tables of a run, below the lines that state how it was made.
pub fn to_markdown(about: &[String], measurements: &[Measurement]) -> String {
    let mut text = String::new();
    for line in about {
        let _ = writeln!(text, "- {line}");
    }
    for title in TITLES {
        let _ = write!(text, "\n{title}\n\n{}", encoders(measurements, title).to_markdown());
    }
    let _ = write!(text, "\n### Must reach\n\n{}", goals::table(measurements).to_markdown());
    let mut faults = measurements.iter().filter(|measurement| !measurement.faults.is_empty()).peekable();
    if faults.peek().is_some() {
        text += "\n### Faults seen\n\n";
    }
    for measurement in faults {
        let _ = writeln!(text, "- {}: {}", measurement.name, measurement.faults.join("; "));
    }
    text
}

fn encoders(measurements: &[Measurement], table_title: &str) -> Table {
    use Column::{Number, Text};
    let mut table = Table::new(&[
        Text("encoder"),
        Number("exact, dB"),
        Number("trunc, dB"),
        Number("Mpix/s"),
        Number("÷ range fit"),
        Number("÷ cluster fit"),
        Number("spread"),
    ]);
    let base = |role: Role| measurements.iter().find(|measurement| measurement.role == role);
    let (range, cluster) = (base(Role::RangeFit), base(Role::ClusterFit));
    for row in measurements.iter().filter(|measurement| title(measurement.role) == table_title) {
        let against = |base: Option<&Measurement>| {
            base.map_or_else(|| "–".to_owned(), |base| three_digits(row.speed_against(base)))
        };
        table.push([
            row.name.clone(),
            format!("{:.3}", row.exact_db),
            format!("{:.3}", row.trunc_db),
            three_digits(row.speed()),
            against(range),
            against(cluster),
            format!("{:.0} %", row.spread() * 100.0),
        ]);
    }
    table
}

/// Returns the table of docs/performance.md: quality and speed of Brickwork and its peers, best first.
pub fn summary(measurements: &[Measurement]) -> String {
    use Column::{Number, Text};
    let mut table = Table::new(&[Text("encoder"), Number("RGB PSNR, dB"), Number("÷ cluster fit's speed")]);
    let cluster = measurements.iter().find(|measurement| measurement.role == Role::ClusterFit);
    let mut rows: Vec<_> =
        measurements.iter().filter(|row| [EXACT, PEERS].contains(&title(row.role))).collect();
    rows.sort_by(|a, b| b.exact_db.total_cmp(&a.exact_db));
    for row in rows {
        let name = match row.role {
            Role::Exact(_) => format!("**{}**", row.name),
            _ => row.name.clone(),
        };
        let speed = cluster.map_or_else(|| "–".to_owned(), |base| three_digits(row.speed_against(base)));
        table.push([name, format!("{:.3}", row.exact_db), speed]);
    }
    table.to_markdown()
}

/// Returns quality and speed of the encoders of one format, best first.
pub fn of_format(about: &[String], format: BlockFormat, measurements: &[Measurement]) -> String {
    use Column::{Number, Text};
    let base = measurements.iter().find(|measurement| measurement.role == Role::Base);
    let channels = crate::quality::channels(format);
    // All decoders agree on BC7.
    let decoders = [RoundingRule::Real, RoundingRule::Trunc].map(|rule| rule.for_format(format).name());
    let decoders = if format == BlockFormat::Bc7 { &decoders[..1] } else { &decoders[..] };
    let titles: Vec<_> = decoders.iter().map(|decoder| format!("{channels}, {decoder}, dB")).collect();
    let against = base.map_or_else(String::new, |base| format!("÷ {}", base.name));
    let mut columns = vec![Text("encoder")];
    columns.extend(titles.iter().map(|title| Number(title)));
    columns.extend([Number("Mpix/s"), Number(&against), Number("spread")]);
    let mut table = Table::new(&columns);
    let mut rows: Vec<_> = measurements.iter().collect();
    rows.sort_by(|a, b| b.exact_db.total_cmp(&a.exact_db));
    for row in rows {
        let is_ours = row.role.is_ours();
        let mut cells = vec![if is_ours { format!("**{}**", row.name) } else { row.name.clone() }];
        let psnrs = [row.exact_db, row.trunc_db].into_iter().take(decoders.len());
        cells.extend(psnrs.map(|psnr_db| format!("{psnr_db:.3}")));
        cells.extend([
            three_digits(row.speed()),
            base.map_or_else(|| "–".to_owned(), |base| three_digits(row.speed_against(base))),
            format!("{:.0} %", row.spread() * 100.0),
        ]);
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
/// document at `path`.
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
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", section.trim_end()))
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
    fn numbers_have_three_digits() {
        assert_eq!(
            [3450.2, 123.4, 40.06, 1.574, 0.3004].map(three_digits),
            ["3450", "123", "40.1", "1.57", "0.300"]
        );
    }
}

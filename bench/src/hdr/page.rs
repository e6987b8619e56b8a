//! The measurements as tables of docs/measured/bc6h.md.

use super::{Picture, measure::Measured};
use crate::{
    report::three_digits,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use brickwork_texture::metrics::HdrMetrics;
use std::fmt::Write as _;

/// Start and end of the name of the encoder that speeds are multiples of.
const BASE: [&str; 2] = ["intel_tex_2 ", " basic"];

/// Returns the tables of a run, below the lines that state how it was made.
pub fn to_markdown(about: &[String], pictures: &[Picture], rows: &[Measured], is_signed: bool) -> String {
    let mut text: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let _ = write!(text, "\n{}", encoders(rows).to_markdown());
    if is_signed {
        let _ = write!(
            text,
            "\n### log2 RMSE of each picture\n\n{}",
            rmse_by_picture(pictures, rows).to_markdown()
        );
    }
    text
}

fn name(row: &Measured) -> String {
    if row.is_own { format!("**{}**", row.name) } else { row.name.clone() }
}

fn encoders(rows: &[Measured]) -> Table {
    let base = rows.iter().find(|row| row.name.starts_with(BASE[0]) && row.name.ends_with(BASE[1]));
    let mut columns = vec![Text("encoder"), Number("halfPSNR, dB"), Number("log2 RMSE")];
    columns.extend(base.map(|_| Number("÷ intel basic")));
    let mut table = Table::new(&columns);
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|a, b| b.mean(HdrMetrics::half_psnr).total_cmp(&a.mean(HdrMetrics::half_psnr)));
    for row in rows {
        let mut cells = vec![
            name(row),
            format!("{:.3}", row.mean(HdrMetrics::half_psnr)),
            format!("{:.5}", row.mean(HdrMetrics::log2_rmse)),
        ];
        cells.extend(base.map(|base| three_digits(row.speed_against(base))));
        table.push(cells);
    }
    table
}

fn rmse_by_picture(pictures: &[Picture], rows: &[Measured]) -> Table {
    let names: Vec<_> = rows.iter().map(name).collect();
    let mut columns = vec![Text("picture")];
    columns.extend(names.iter().map(|name| Number(name)));
    let mut table = Table::new(&columns);
    for (index, picture) in pictures.iter().enumerate() {
        let cells = rows.iter().map(|row| format!("{:.5}", row.metrics[index].log2_rmse()));
        table.push([picture.name.clone()].into_iter().chain(cells).collect::<Vec<_>>());
    }
    table
}

//! The measurements as tables of docs/measured/bc6h.md.

use super::{Picture, measure::Measured};
use crate::{
    report::three_digits,
    table::{
        Column::{Number, Text},
        Table,
    },
};
use brickwork_texture::{Quality, metrics::HdrMetrics};
use std::fmt::Write as _;

/// Start of the names of Intel's encoders.
const INTEL: &str = "intel_tex_2 ";

/// Setting of Intel's encoder that speeds are multiples of.
const BASE: &str = "basic";

/// The peer that each quality has to pass, and its setting.
const MUST_PASS: [(Quality, &str, &str); 5] = [
    (Quality::Ultrafast, INTEL, "veryfast"),
    (Quality::Fast, INTEL, "fast"),
    (Quality::Normal, INTEL, BASE),
    (Quality::High, INTEL, "slow"),
    (Quality::Best, "nvtt ", ""),
];

/// Returns the tables of a run, below the lines that state how it was made.
pub fn to_markdown(about: &[String], pictures: &[Picture], rows: &[Measured], is_signed: bool) -> String {
    let mut text: String = about.iter().map(|line| format!("- {line}\n")).collect();
    let _ = write!(text, "\n{}", encoders(rows).to_markdown());
    if !is_signed {
        let _ = write!(text, "\n### Each quality and the peer to pass\n\n{}", passed(rows).to_markdown());
    }
    let (title, number): (_, fn(&HdrMetrics) -> f64) = match is_signed {
        true => ("log2 RMSE", HdrMetrics::log2_rmse),
        false => ("halfPSNR, dB", HdrMetrics::half_psnr),
    };
    let _ =
        write!(text, "\n### {title} of each picture\n\n{}", by_picture(pictures, rows, number).to_markdown());
    text
}

/// Returns the row of a peer with a setting, or without one.
fn peer<'a>(rows: &'a [Measured], program: &str, setting: &str) -> Option<&'a Measured> {
    let is_set = |name: &str| setting.is_empty() || name.ends_with(&format!(" {setting}"));
    rows.iter().find(|row| row.name.starts_with(program) && is_set(&row.name))
}

fn name(row: &Measured) -> String {
    if row.quality.is_some() { format!("**{}**", row.name) } else { row.name.clone() }
}

fn encoders(rows: &[Measured]) -> Table {
    let base = peer(rows, INTEL, BASE);
    let mut columns = vec![
        Text("encoder"),
        Number("halfPSNR, dB"),
        Number("log2 RMSE"),
        Number("mPSNR, dB"),
        Number("Mpix/s"),
    ];
    columns.extend(base.map(|_| Number("÷ intel basic")));
    let mut table = Table::new(&columns);
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|a, b| b.mean(HdrMetrics::half_psnr).total_cmp(&a.mean(HdrMetrics::half_psnr)));
    for row in rows {
        let mut cells = vec![
            name(row),
            format!("{:.3}", row.mean(HdrMetrics::half_psnr)),
            format!("{:.5}", row.mean(HdrMetrics::log2_rmse)),
            format!("{:.3}", row.mean(HdrMetrics::multi_exposure_psnr)),
            three_digits(row.speed()),
        ];
        cells.extend(base.map(|base| three_digits(row.speed_against(base))));
        table.push(cells);
    }
    table
}

/// Returns each quality's lead over the peer that it has to pass.
fn passed(rows: &[Measured]) -> Table {
    let mut table = Table::new(&[
        Text("quality"),
        Text("peer"),
        Number("speed ÷ peer"),
        Number("halfPSNR, dB"),
        Number("log2 RMSE ÷ peer"),
        Number("mPSNR, dB"),
        Number("pictures below"),
    ]);
    for (quality, program, setting) in MUST_PASS {
        let ours = rows.iter().find(|row| row.quality == Some(quality));
        let (Some(ours), Some(peer)) = (ours, peer(rows, program, setting)) else { continue };
        let lead = |number: fn(&HdrMetrics) -> f64| format!("{:+.3}", ours.mean(number) - peer.mean(number));
        let pairs = ours.metrics.iter().zip(&peer.metrics);
        let below = pairs.filter(|(ours, peer)| ours.half_psnr() < peer.half_psnr()).count();
        let rmse = HdrMetrics::log2_rmse;
        table.push([
            quality.name().to_owned(),
            peer.name.clone(),
            three_digits(ours.speed_against(peer)),
            lead(HdrMetrics::half_psnr),
            format!("{:.3}", ours.mean(rmse) / peer.mean(rmse)),
            lead(HdrMetrics::multi_exposure_psnr),
            below.to_string(),
        ]);
    }
    table
}

fn by_picture(pictures: &[Picture], rows: &[Measured], number: fn(&HdrMetrics) -> f64) -> Table {
    let names: Vec<_> = rows.iter().map(name).collect();
    let mut columns = vec![Text("picture")];
    columns.extend(names.iter().map(|name| Number(name)));
    let mut table = Table::new(&columns);
    let digits = if rows.iter().any(|row| row.mean(number) < 1.0) { 5 } else { 2 };
    for (index, picture) in pictures.iter().enumerate() {
        let cells = rows.iter().map(|row| format!("{:.digits$}", number(&row.metrics[index])));
        table.push([picture.name.clone()].into_iter().chain(cells).collect::<Vec<_>>());
    }
    table
}

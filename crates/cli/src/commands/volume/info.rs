//! `brickwork volume info`: what a `.bwv` file holds, from its header and index alone.

use super::{CommonArgs, open};
use crate::{
    exit::Exit,
    failure::Failure,
    report::{Bytes, Ratio, counted, printable},
};
use serde::Serialize;
use std::{fmt::Write as _, path::PathBuf};

/// Show what a .bwv file holds
#[derive(clap::Args)]
pub struct Args {
    /// Volume in a .bwv file
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    #[command(flatten)]
    common: CommonArgs,
}

/// Tells of the file that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let file = open(&args.input)?;
    let header = file.header();
    let voxel_count = header.dims.voxel_count().map_err(Failure::usage)? as u64;
    let raw_bytes = voxel_count * header.voxel_type.byte_count() as u64;
    let bits = |bytes: u64| 8.0 * bytes as f64 / voxel_count as f64;
    let (groups, tables) = file.counts();
    let report = Report {
        command: "volume info",
        file: args.input.display().to_string(),
        file_bytes: file.file_bytes(),
        dims: [header.dims.x, header.dims.y, header.dims.z],
        voxel_type: header.voxel_type.name(),
        spacing: [header.spacing.x, header.spacing.y, header.spacing.z],
        origin: header.origin,
        orientation: header.orientation,
        brick: header.brick.side(),
        groups,
        rank_tables: tables,
        raw_bytes,
        bits_per_voxel: bits(file.file_bytes()),
        bits_per_voxel_without_index: bits(file.group_bytes()),
        metadata: serde_json::from_str(&header.metadata).ok(),
    };
    let mut text = format!("{}  {}\n", printable(&report.file), Bytes(report.file_bytes));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<14} {}", printable(&value));
    };
    line("voxels", format!("{} {}", header.dims, report.voxel_type));
    let [x, y, z] = report.spacing;
    line("spacing", format!("{x}, {y}, {z}"));
    let [x, y, z] = report.origin;
    line("origin", format!("{x}, {y}, {z}"));
    line("bricks", format!("{0}×{0}×{0}, in {1}", report.brick, counted(groups, "group")));
    line("rank tables", tables.to_string());
    line("raw", format!("{}, {}", Bytes(raw_bytes), Ratio(raw_bytes, report.file_bytes)));
    line(
        "bits a voxel",
        format!("{:.3} ({:.3} without index)", report.bits_per_voxel, report.bits_per_voxel_without_index),
    );
    if !header.metadata.is_empty() {
        line("metadata", header.metadata.clone());
    }
    args.common.print(&text, &report, false)?;
    Ok(Exit::Ok)
}

/// `volume info --json`.
#[derive(Serialize)]
struct Report {
    command: &'static str,
    file: String,
    file_bytes: u64,
    dims: [usize; 3],
    voxel_type: &'static str,
    spacing: [f64; 3],
    origin: [f64; 3],
    orientation: [f64; 9],
    brick: usize,
    groups: usize,
    rank_tables: usize,
    raw_bytes: u64,
    bits_per_voxel: f64,
    bits_per_voxel_without_index: f64,
    metadata: Option<serde_json::Value>,
}

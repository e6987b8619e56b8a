//! `brickwork volume info`: the properties of a volume, from its header and index only, or for a `.bwv` file
//! from all its bricks.

use super::{
    args::CommonArgs,
    failure::read_failure,
    input::{AnyVolume, MemoryArgs, RawArgs, open_any, print_notes, shape},
    lengths::{lengths_text, seconds_text},
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    report::{
        BwvInfoReport, Bytes, OtherVolumeInfoReport, Ratio, StatisticsReport, counted, printable,
        with_progress,
    },
};
use brickwork_formats::OpenedVolume;
use brickwork_toolkit::volume::{BwvBytes, labels};
use brickwork_volume::{Dims, Header, Profile, Rescale, Rescaling, Statistics, VolumeFile, VoxelKind};
use std::{fmt::Write as _, path::PathBuf};

/// Show the properties of a volume
///
/// The volume may be of any format that "brickwork volume convert" reads. Only headers are read for shape and
/// sizes. --statistics reads all bricks of a .bwv file. It shows how many are constant or duplicates, how
/// they are predicted and coded, and how many bits an arithmetic coder would need per voxel (the "entropy" of
/// Guthe & Goesele 2016, table 2) and per residual.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume info scan.bwv
  brickwork volume info scan.bwv --statistics
  brickwork volume info scan.nii.gz
  brickwork volume info ct/                               a folder of DICOM or PNG slices")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Read all bricks and show how they are coded
    #[arg(long)]
    statistics: bool,

    #[command(flatten)]
    raw: RawArgs,

    #[command(flatten)]
    memory: MemoryArgs,

    #[command(flatten)]
    common: CommonArgs,
}

/// Shows the volume that the command line names.
///
/// # Errors
/// [`Failure`].
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = Input::of(&args.input);
    match open_any(&input, &args.raw, args.memory.max_memory)? {
        AnyVolume::Bwv(file) => of_bwv(&file, &input, args),
        AnyVolume::Other(..) if args.statistics => {
            let failure = Failure::usage("--statistics is for .bwv files").of(input.name());
            Err(failure.hint("`brickwork volume encode` makes one"))
        }
        AnyVolume::Other(volume, smaller) => {
            print_notes(&volume.notes, &input.name(), args.common.quiet);
            of_other(&volume, &smaller, &input, args)
        }
    }
}

/// Shows a volume of another format.
fn of_other(volume: &OpenedVolume, smaller: &[Dims], input: &Input, args: &Args) -> Result<Exit, Failure> {
    let header = &volume.header;
    let report =
        OtherVolumeInfoReport::new(input.name(), volume, 1 + smaller.len()).map_err(Failure::usage)?;
    let size = report.file_bytes.map_or(String::new(), |bytes| format!("  {}", Bytes(bytes)));
    let mut text = format!("{}{size}\n", printable(&report.file));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<14} {}", printable(&value));
    };
    let files = if report.files > 1 { format!(", {} files", report.files) } else { String::new() };
    line("format", format!("{}{files}", volume.format.title()));
    common_lines(header, report.levels, smaller.last().copied(), &mut line);
    line("raw", Bytes(report.raw_bytes).to_string());
    label_lines(header, &mut line);
    if !header.metadata.is_empty() {
        line("metadata", header.metadata.clone());
    }
    args.common.print(&text, &report, false)?;
    Ok(Exit::Ok)
}

/// Maximum number of labels in a line.
const SHOWN_LABELS: usize = 12;

/// Returns the names of labels, if the file has them.
fn label_lines(header: &Header, line: &mut impl FnMut(&str, String)) {
    let mut labels = labels(header);
    labels.retain(|label| !label.name.is_empty());
    if labels.is_empty() {
        return;
    }
    let shown: Vec<String> =
        labels.iter().take(SHOWN_LABELS).map(|label| format!("{} {}", label.value, label.name)).collect();
    let more = labels.len().saturating_sub(SHOWN_LABELS);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    line("labels", shown.join(", ") + &rest);
}

/// Adds the lines that all volumes have.
fn common_lines(header: &Header, levels: usize, smallest: Option<Dims>, line: &mut impl FnMut(&str, String)) {
    line("voxels", shape(header));
    if let Some(rescaling) = header.rescaling() {
        line("physical", physical(&rescaling));
    }
    if header.kind == VoxelKind::Labels {
        line("kind", "labels".to_owned());
    }
    if header.frame_spacing > 0.0 {
        line("frames", format!("{} s apart", seconds_text(header.frame_spacing)));
    }
    if let Some(smallest) = smallest {
        line("levels", format!("{levels}, the smallest {smallest}"));
    }
    let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
    line("spacing", lengths_text(spacing, spacing));
    line("origin", lengths_text(header.origin, spacing));
    if header.orientation != IDENTITY {
        line("directions", directions_text(&header.orientation));
    }
}

/// Directions of axes that are those of the world.
const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Returns the directions of x, y and z in the world with at most six decimals.
fn directions_text(orientation: &[f64; 9]) -> String {
    let number = |part: &f64| ((part * 1e6).round() / 1e6 + 0.0).to_string();
    let axes = orientation.chunks(3).map(|axis| axis.iter().map(number).collect::<Vec<_>>().join(", "));
    let axes: Vec<_> =
        ["x", "y", "z"].iter().zip(axes).map(|(name, axis)| format!("{name} ({axis})")).collect();
    axes.join(", ")
}

fn of_bwv(file: &VolumeFile<BwvBytes>, input: &Input, args: &Args) -> Result<Exit, Failure> {
    let statistics = if args.statistics {
        args.common.start()?;
        Some(statistics(file, input, args)?)
    } else {
        None
    };
    let report = BwvInfoReport::new(input.name(), file, statistics.as_ref()).map_err(Failure::usage)?;
    let header = file.header();
    let mut text = format!("{}  {}\n", printable(&report.file), Bytes(report.file_bytes));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<14} {}", printable(&value));
    };
    let smallest = (header.mip_levels > 1).then(|| header.mip_level_dims(header.mip_levels - 1));
    common_lines(header, header.mip_levels, smallest, &mut line);
    if header.profile == Profile::Bricks {
        line("bricks", format!("{}, in {}", header.brick, counted(report.chunks, "chunk")));
        line("rank tables", table_count(report.rank_tables, header));
        line("pattern tables", table_count(report.pattern_tables, header));
    } else {
        line("profile", report.profile.to_owned());
    }
    line("raw", format!("{}, {}", Bytes(report.raw_bytes), Ratio(report.raw_bytes, report.file_bytes)));
    line(
        "bits per voxel",
        format!("{:.3} ({:.3} without index)", report.bits_per_voxel, report.bits_per_voxel_without_index),
    );
    label_lines(header, &mut line);
    if !header.metadata.is_empty() {
        line("metadata", header.metadata.clone());
    }
    if let (Some(statistics), Some(report)) = (&statistics, &report.statistics) {
        text += &describe(statistics, report);
    }
    args.common.print(&text, &report, false)?;
    Ok(Exit::Ok)
}

/// Returns `stored × 1 − 1024 HU`, with ranges if slices differ: `stored × (0.5 to 2) + 0, by slice`.
fn physical(rescaling: &Rescaling) -> String {
    let range = |of: fn(&Rescale) -> f64| {
        let numbers = || rescaling.lines().iter().map(of);
        [numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max)]
    };
    let slope = match range(|line| line.slope) {
        [low, high] if low == high => low.to_string(),
        [low, high] => format!("({low} to {high})"),
    };
    let intercept = match range(|line| line.intercept) {
        [low, high] if low == high && low < 0.0 => format!("− {}", -low),
        [low, high] if low == high => format!("+ {low}"),
        [low, high] => format!("+ ({low} to {high})"),
    };
    let unit = rescaling.unit().map(|unit| format!(" {unit}")).unwrap_or_default();
    let by_slice = if rescaling.uniform().is_none() { ", by slice" } else { "" };
    format!("stored × {slope} {intercept}{unit}{by_slice}")
}

/// Returns the number of tables, and the purpose of each. A volume from a pipe has no rank table of the whole
/// volume.
fn table_count(tables: usize, header: &Header) -> String {
    // A channel has two if its numbers have 64 bits.
    let whole = header.channels * header.voxel_type.word_count();
    match tables {
        0 => "none".to_owned(),
        _ if tables <= whole => format!("{tables}, for the whole volume"),
        _ => format!("{tables}, slab by slab"),
    }
}

/// Reads all bricks.
fn statistics(file: &VolumeFile<BwvBytes>, input: &Input, args: &Args) -> Result<Statistics, Failure> {
    let quiet = args.common.quiet || args.common.json;
    let read = with_progress(&input.name(), quiet, |task| Statistics::of(file, task));
    read.map_err(|error| read_failure(&error).of(input.name()))
}

/// Returns the statistics as lines.
fn describe(statistics: &Statistics, report: &StatisticsReport) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<14} {value}");
    };
    let entropy = |bits: Option<f64>| bits.map_or("too many to count".to_owned(), |b| format!("{b:.3} bits"));
    line(
        "entropy",
        format!(
            "{} of voxels, {} of residuals",
            entropy(statistics.value_entropy),
            entropy(statistics.residual_entropy)
        ),
    );
    line(
        "spent on",
        format!(
            "{:.3} bits per voxel on bricks, {:.3} on their minima, ranges and lengths, {:.3} on the rest",
            report.brick_bits_per_voxel, report.superblock_bits_per_voxel, report.other_bits_per_voxel
        ),
    );
    let of = |count: u64, all: u64| format!("{:.1} %", 100.0 * count as f64 / all.max(1) as f64);
    let bricks = |count| of(count, statistics.bricks);
    let about = if statistics.duplicate_is_exact { "" } else { "about " };
    line("bricks", statistics.bricks.to_string());
    line("constant", bricks(statistics.constant));
    line("stored raw", bricks(statistics.raw));
    line("duplicates", format!("{about}{}", bricks(statistics.duplicate)));
    line("references", bricks(statistics.reference));
    line("dictionary", bricks(statistics.dictionary));
    line("wide", bricks(statistics.wide));
    line("label bricks", bricks(statistics.label));
    let mut shares: Vec<_> = statistics.predictors.iter().enumerate().filter(|share| *share.1 > 0).collect();
    shares.sort_by_key(|&(predictor, count)| (std::cmp::Reverse(*count), predictor));
    let shares: Vec<_> =
        shares.iter().map(|(predictor, count)| format!("{predictor}: {}", bricks(**count))).collect();
    for (i, shares) in shares.chunks(6).enumerate() {
        line(if i == 0 { "predictors" } else { "" }, shares.join(", "));
    }
    let groups = statistics.groups;
    let all = groups.zero + groups.rice + groups.half;
    line(
        "groups of eight",
        format!(
            "{} without bits, {} Rice codes, {} Rice codes of half steps",
            of(groups.zero, all),
            of(groups.rice, all),
            of(groups.half, all)
        ),
    );
    text
}

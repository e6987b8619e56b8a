//! `brickwork volume stats`: statistics of the values of a volume, and of those inside labels.

use super::{
    args::CommonArgs,
    failure::{failure, volume_failure},
    input::{MemoryArgs, RawArgs, print_notes, shape},
    overlay::{elsewhere, open_labels},
    values::window,
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::Input,
    report::{PartStatisticsReport, ValuesReport, VolumeStatisticsReport, note, printable, with_progress},
};
use brickwork_toolkit::volume::{VolumeError, VolumeStatistics, geometry_difference, volume_statistics};
use brickwork_volume::{StatisticsError, ValueStatisticsOptions};
use std::{fmt::Write as _, path::PathBuf};

/// Show statistics of a volume's values, also of those inside labels
///
/// The volume may be of any format that "brickwork volume convert" reads. Every frame and channel has its
/// count, minimum, maximum, mean, standard deviation (of the population) and percentiles (interpolated
/// linearly, exact). NaN and infinite values are counted, and left out of the others. With --labels, the same
/// is shown for the values inside each label, with its volume, box and centroid; a volume of labels shows its
/// own. Label 0 is the background. Voxels are read as a stream. Percentiles of values inside labels need
/// several passes. Types of 32 and 64 bits, and values whose slope or intercept differs from slice to slice,
/// need several for all percentiles, and for a histogram without --range.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork volume stats scan.bwv
  brickwork volume stats scan.nii.gz --labels regions.nii.gz --percentiles 5,50,95
  brickwork volume stats scan.bwv --histogram 64 --range -1000..2000 --json
  brickwork volume stats atlas.nii.gz --labels atlas.nii.gz    places of labels")]
pub struct Args {
    /// Volume, folder of slices, or - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Volume of labels (segmentation IDs) of the same dimensions, of any format; one frame is used for all
    #[arg(long, value_name = "FILE", help_heading = "Statistics")]
    labels: Option<PathBuf>,

    /// Percentiles, 0 to 100, or none
    #[arg(
        long,
        value_name = "P,P,…",
        value_parser = percentiles,
        default_value = "1,5,25,50,75,95,99",
        help_heading = "Statistics"
    )]
    percentiles: Percentiles,

    /// Count the values in this many bins of equal width; with --json, each bin is printed
    #[arg(long, value_name = "BINS", help_heading = "Statistics")]
    histogram: Option<usize>,

    /// Range of the histogram [default: from the minimum to the maximum]
    #[arg(
        long,
        value_name = "LOW..HIGH",
        value_parser = window,
        allow_hyphen_values = true,
        requires = "histogram",
        help_heading = "Statistics"
    )]
    range: Option<[f64; 2]>,

    /// Use stored numbers, even if the file states how to compute physical values
    #[arg(long, help_heading = "Statistics")]
    stored: bool,

    /// Mip level of a .bwv file or an OME-Zarr group: 0 is the volume itself, 1 half its size, …
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Selection")]
    level: usize,

    /// A single frame, counted from 0 [default: all]
    #[arg(long, value_name = "N", help_heading = "Selection")]
    frame: Option<usize>,

    /// A single channel, counted from 0 [default: all]
    #[arg(long, value_name = "N", help_heading = "Selection")]
    channel: Option<usize>,

    #[command(flatten)]
    raw: RawArgs,

    #[command(flatten)]
    memory: MemoryArgs,

    #[command(flatten)]
    common: CommonArgs,
}

/// Value of `--percentiles`.
#[derive(Clone, Debug, PartialEq)]
struct Percentiles(Vec<f64>);

/// Parses `5,50,95` or `none`.
fn percentiles(text: &str) -> Result<Percentiles, String> {
    if text == "none" {
        return Ok(Percentiles(Vec::new()));
    }
    let one = |text: &str| text.trim().parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    let all: Option<Vec<f64>> = text.split(',').map(one).collect();
    all.map(Percentiles).ok_or_else(|| "expected numbers from 0 to 100, such as 5,50,95, or none".to_owned())
}

/// Measures the volume that the command line names.
///
/// # Errors
/// [`Failure`] with the name of the file that failed.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = Input::of(&args.input);
    let name = input.name();
    let quiet = args.common.quiet;
    args.common.start()?;
    let volume = args.raw.open_input(&input, args.memory.max_memory)?;
    print_notes(volume.notes(), &name, quiet);
    let open = |path: &PathBuf| open_labels("--labels", path, args.memory.max_memory, quiet);
    let (labels, label_name) = args.labels.as_ref().map(open).transpose()?.unzip();
    let options = ValueStatisticsOptions::default().with(|o| {
        o.percentiles.clone_from(&args.percentiles.0);
        o.bins = args.histogram;
        o.range = args.range;
        o.stored_values = args.stored;
        o.frames = args.frame.map(|frame| frame..frame.saturating_add(1));
        o.channel = args.channel;
    });
    let level = args.level;
    let found = with_progress(&name, quiet || args.common.json, |task| {
        volume_statistics(volume, labels, level, &options, task)
    });
    let found = found.map_err(|error| match (error, &label_name) {
        (VolumeError::Statistics(error), Some(labels)) if error.is_of_labels() => {
            let failure = failure(error.kind(), &error);
            let failure = match error {
                StatisticsError::LabelChannels(_) => {
                    failure.hint("`brickwork volume extract --channel` makes a file of one")
                }
                _ => failure,
            };
            failure.of(format!("{labels}, {name}"))
        }
        (error, _) => volume_failure(error).of(&name),
    })?;
    if let (Some(name_of_labels), Some(labels)) = (&label_name, &found.labels)
        && let Some(distance) = geometry_difference(&found.header, labels)
        && !quiet
    {
        note(&elsewhere(name_of_labels, &name, distance));
    }
    let report = VolumeStatisticsReport::new(name, label_name, &found, &options, level);
    args.common.print(&text(&report, &found), &report, false)?;
    Ok(Exit::Ok)
}

/// Returns a number with at most seven significant digits.
fn significant(value: f64) -> String {
    let rounded: f64 = format!("{value:.6e}").parse().unwrap_or(value);
    if rounded != 0.0 && !(1e-4..1e12).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), significant)
}

/// Returns the report as lines and tables.
fn text(report: &VolumeStatisticsReport, found: &VolumeStatistics) -> String {
    let unit = report.unit.as_ref().map(|unit| format!(", {}", printable(unit))).unwrap_or_default();
    let mut text = format!("{}  {}{unit}\n", printable(&report.file), shape(&found.header));
    let several = report.parts.len() > 1;
    for part in &report.parts {
        if several {
            let _ = writeln!(text, "frame {}, channel {}", part.frame, part.channel);
        }
        for (name, value) in counts(&part.values).into_iter().chain(numbers(&part.values)) {
            let _ = writeln!(text, "  {name:<14} {value}");
        }
        text += &histogram(part);
        text += &table(part);
    }
    text
}

/// Returns names and counts.
fn counts(values: &ValuesReport) -> Vec<(String, String)> {
    let counts = [("count", values.count), ("NaN", values.nan), ("infinite", values.infinite)];
    let shown = counts.into_iter().filter(|&(name, count)| count > 0 || name == "count");
    shown.map(|(name, count)| (name.to_owned(), count.to_string())).collect()
}

/// Returns names and numbers of the finite values.
fn numbers(values: &ValuesReport) -> Vec<(String, String)> {
    let moments = [
        ("minimum", values.minimum),
        ("maximum", values.maximum),
        ("mean", values.mean),
        ("deviation", values.deviation),
    ];
    let moments = moments.into_iter().map(|(name, value)| (name.to_owned(), optional(value)));
    let percentiles = values.percentiles.iter();
    moments.chain(percentiles.map(|at| (format!("{} %", at.percent), optional(at.value)))).collect()
}

/// Maximum number of bins in the text.
const SHOWN_BINS: usize = 64;

/// Width of the bar of the fullest bin.
const BAR: f64 = 40.0;

fn histogram(part: &PartStatisticsReport) -> String {
    let Some(histogram) = &part.histogram else { return String::new() };
    let count = histogram.counts.len();
    if count > SHOWN_BINS {
        return format!("  histogram      {count} bins, printed with --json\n");
    }
    let most = histogram.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let edges: Vec<String> = histogram.edges.iter().map(|&edge| significant(edge)).collect();
    let width = edges.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::from("  histogram\n");
    for (edge, &count) in edges.iter().zip(&histogram.counts) {
        let bar = "█".repeat((BAR * count as f64 / most).round() as usize);
        let line = format!("  {edge:>width$}  {count:>12}  {bar}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(text, "  {:>width$}", edges[count]);
    text
}

/// Returns a row for each label.
fn table(part: &PartStatisticsReport) -> String {
    if part.labels.is_empty() {
        return String::new();
    }
    let mut rows = Vec::new();
    for label in &part.labels {
        let [x, y, z] = label.region.map(|[start, end]| format!("{start}..{end}"));
        let mut row = vec![
            label.label.to_string(),
            label.name.as_deref().map(|name| printable(name).to_string()).unwrap_or_default(),
            label.voxel_count.to_string(),
            significant(label.volume_mm3),
            format!("{x},{y},{z}"),
            label.position.map(|side| ((100.0 * side).round() / 100.0).to_string()).join(", "),
        ];
        row.extend(label.values.iter().flat_map(numbers).map(|(_, value)| value));
        rows.push(row);
    }
    let name = if part.labels.iter().any(|label| label.name.is_some()) { "name" } else { "" };
    let head = ["label", name, "voxels", "mm³", "region", "centroid (mm)"].map(str::to_owned);
    let values = part.labels.iter().find_map(|label| label.values.as_ref());
    let more = values.map(numbers).unwrap_or_default().into_iter().map(|(name, _)| name);
    rows.insert(0, head.into_iter().chain(more).collect());
    let columns = rows[0].len();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        // Names are aligned to the left. A column without any text is left out.
        let cells = cells.filter(|(_, (_, width))| **width > 0).map(|(column, (cell, &width))| {
            if matches!(column, 1 | 4 | 5) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(text, "  {}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_numbers_or_none() {
        assert_eq!(percentiles("5, 50,99.9"), Ok(Percentiles(vec![5.0, 50.0, 99.9])));
        assert_eq!(percentiles("none"), Ok(Percentiles(Vec::new())));
        for bad in ["", "5,", "101", "-1", "NaN", "a"] {
            assert!(percentiles(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_have_seven_digits() {
        let texts = [1.0 / 3.0, -1024.0, 123_456_789.0, 0.0, 1e-7, -2e15].map(significant);
        assert_eq!(texts, ["0.3333333", "-1024", "123456800", "0", "1e-7", "-2e15"]);
    }
}

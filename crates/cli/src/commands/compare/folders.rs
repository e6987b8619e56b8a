//! Comparison of the files of two folders.

use super::{
    Args, ComparedLevel,
    text::{heading, row},
};
use crate::{
    exit::Exit,
    failure::Failure,
    input::{image_extensions, texture_extensions},
    json, output,
    report::{self, counted, printable},
};
use brickwork_texture::Task;
use brickwork_toolkit::{
    report::CompareFoldersReport,
    texture::{FileComparison, FilePair, ImageComparison, Measure, pair_folders},
};

/// Largest width of the column of names.
const MAX_WIDTH: usize = 40;

/// A pair and its comparison.
struct Compared {
    pair: FilePair,
    result: Result<FileComparison, Failure>,
    failures: Vec<String>,
}

/// Compares the files of two folders.
///
/// # Errors
/// [`Failure`] if a folder cannot be listed or nothing can be printed. Failures of pairs are reported and
/// determine the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let extensions = [texture_extensions(), image_extensions()].concat();
    let found = pair_folders([&args.a, &args.b], &extensions, args.recursive, &Task::new())?;
    let compare = |pair: FilePair| {
        let [a, b] = &pair.inputs;
        let result = args.compare([a, b]);
        let failures = result.as_ref().map(|files| args.failures(files)).unwrap_or_default();
        if let Ok(files) = &result {
            args.print_notes(files);
        }
        Compared { pair, result, failures }
    };
    let mut pairs: Vec<_> = found.pairs.into_iter().map(compare).collect();
    let measure = args.limits().next().map_or(Measure::PsnrRgb, |limit| limit.measure);
    pairs.sort_by(|a, b| badness(b, measure).total_cmp(&badness(a, measure)));

    let is_strict = args.exact || args.limits().next().is_some();
    let names = [&args.a, &args.b].map(|folder| folder.display().to_string());
    let mut failures: Vec<(String, String)> = Vec::new();
    for (lacking, unpaired) in names.iter().rev().zip(&found.unpaired) {
        for name in unpaired {
            let reason = format!("{name} is missing");
            match is_strict {
                true => failures.push((lacking.clone(), reason)),
                false if !args.quiet => report::note(&format!("{lacking}: {reason}")),
                false => {}
            }
        }
    }
    if !args.json && !args.quiet {
        output::print(&text(&pairs), false)?;
    }
    let mut exit = Exit::Ok;
    let mut note_exit = |new: Exit| {
        if exit == Exit::Ok {
            exit = new;
        }
    };
    for Compared { pair, result, failures: of_pair } in &pairs {
        match result {
            Ok(_) => failures.extend(of_pair.iter().map(|failure| (pair.inputs[1].name(), failure.clone()))),
            Err(failure) => {
                report::complain(failure);
                note_exit(failure.exit);
            }
        }
    }
    for (file, failure) in &failures {
        report::complain(&Failure::new(Exit::Differs, failure).of(file));
        note_exit(Exit::Differs);
    }
    if args.json {
        let failures = failures.iter().map(|(file, failure)| format!("{file}: {failure}")).collect();
        let pairs = pairs.into_iter().map(|pair| {
            let all_levels = args.level == ComparedLevel::All;
            let report = pair.result.map(|files| files.report(all_levels, pair.failures));
            match report {
                Ok(Some(report)) => json::entry(Ok(report)),
                Ok(None) => json::entry(Err(Failure::new(Exit::Runtime, "nothing was compared"))),
                Err(failure) => json::entry(Err(failure)),
            }
        });
        let [a, b] = names;
        let [only_in_a, only_in_b] = found.unpaired;
        let pairs = pairs.collect();
        let report = CompareFoldersReport { command: "compare", a, b, pairs, only_in_a, only_in_b, failures };
        json::print(&report, false)?;
    }
    Ok(exit)
}

/// Returns a number by which pairs are sorted: that of the worst mip level, larger if it is worse. Failures
/// and measures that are not defined come first.
fn badness(compared: &Compared, measure: Measure) -> f64 {
    let Ok(files) = &compared.result else { return f64::INFINITY };
    let of_level = |comparison: &ImageComparison| match measure.value(comparison) {
        Some(value) if measure.is_error() => value,
        Some(value) => -value,
        None => f64::MAX,
    };
    files.levels().iter().map(of_level).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns a table with a line for each pair, or for each of their mip levels.
fn text(pairs: &[Compared]) -> String {
    let names = pairs.iter().flat_map(|compared| {
        let count = compared.result.as_ref().map_or(0, |files| files.levels().len());
        let several = count > 1;
        (0..count).map(move |level| match several {
            true => format!("{} level {level}", printable(&compared.pair.name)),
            false => printable(&compared.pair.name),
        })
    });
    let names: Vec<_> = names.collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(MAX_WIDTH);
    let comparisons =
        pairs.iter().filter_map(|pair| pair.result.as_ref().ok()).flat_map(FileComparison::levels);
    let rows: String =
        names.iter().zip(comparisons).map(|(name, comparison)| row(name, width, comparison)).collect();
    format!("{}{rows}{}\n", heading(width), counted(pairs.len(), "pair"))
}

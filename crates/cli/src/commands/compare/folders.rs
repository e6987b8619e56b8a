//! Comparison of the files of two folders.

use super::{
    Args, ComparedLevel, failure_text,
    notes::{self, Note},
    text::{cells, heading, row},
};
use crate::{
    commands::compare::{Measure, MeasureLimit, Violation},
    exit::Exit,
    failure::Failure,
    folder_pairs::{self, FilePair, LeftOut},
    json, output,
    report::{self, CompareFoldersReport, CompareReport, counted, printable},
};

/// A pair and its comparison, without the texels.
struct Compared {
    pair: FilePair,
    result: Result<Measured, Failure>,
    failures: Vec<String>,
}

struct Measured {
    /// Number by which pairs are sorted: that of the worst mip level, larger if it is worse.
    badness: f64,
    /// Measures of each mip level as text.
    cells: Vec<String>,
    report: Option<CompareReport>,
    /// Measures with a limit that the pair does not have.
    undefined: Vec<Measure>,
}

/// Compares the files of two folders.
///
/// # Errors
/// [`Failure`] if a folder cannot be listed or nothing can be printed. Failures of pairs are reported and
/// determine the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let folders = [args.a.as_path(), args.b.as_path()];
    let mut found = match (args.rules.as_deref(), &args.target[..]) {
        (None, []) => folder_pairs::find(folders, args.recursive)?,
        (rules, targets) => folder_pairs::find_ruled(folders, rules, targets, args.recursive)?,
    };
    found.exclude(&args.exclude);
    let measure = args.limits().next().map_or(Measure::Psnr, |limit| limit.measure);
    let limits: Vec<MeasureLimit> = args.limits().collect();
    let mut notes: Vec<Note> = Vec::new();
    let compare = |pair: FilePair| {
        let [a, b] = &pair.inputs;
        let (mut failures, mut undefined) = (Vec::new(), Vec::new());
        let files = match &pair.making {
            Some(making) => args.compare_made(making, [a, b]),
            None => args.compare([a, b]),
        };
        let result = files.map(|files| {
            notes.extend(notes::notes_of(&files));
            notes.extend(notes::visible_note(&files));
            for (level, violation) in args.violations(&files) {
                match violation {
                    // Counted over all pairs.
                    Violation::Undefined { measure, .. } => undefined.push(measure),
                    violation => failures.push(failure_text(&files, level, &violation)),
                }
            }
            Measured {
                badness: files.badness(measure),
                cells: files.levels().iter().map(cells).collect(),
                report: files.report(args.level == ComparedLevel::All, failures.clone()),
                undefined,
            }
        });
        Compared { pair, result, failures }
    };
    let left_out = folder_pairs::left_out(&found);
    let mut pairs: Vec<_> = found.pairs.into_iter().map(compare).collect();
    let of =
        |compared: &Compared| compared.result.as_ref().map_or(f64::INFINITY, |measured| measured.badness);
    pairs.sort_by(|a, b| of(b).total_cmp(&of(a)));

    if !args.quiet {
        notes::print_counted(&notes);
    }
    let is_strict = args.exact || !limits.is_empty();
    let names = [&args.a, &args.b].map(|folder| folder.display().to_string());
    let mut failures: Vec<(String, String)> = Vec::new();
    for LeftOut { subject, reason, is_unpaired } in left_out {
        match is_strict && !(args.allow_unpaired && is_unpaired) {
            true => failures.push((subject, reason)),
            false if !args.quiet => report::note(&format!("{subject}: {reason}")),
            false => {}
        }
    }
    let undefined = failures_of_undefined(args, &limits, &pairs);
    failures.extend(undefined.into_iter().map(|failure| (names[1].clone(), failure)));
    if !args.json && !args.quiet {
        output::print(&text(&pairs), false)?;
    }
    let mut exit = Exit::Ok;
    for Compared { pair, result, failures: of_pair } in &pairs {
        match result {
            Ok(_) => failures.extend(of_pair.iter().map(|failure| (pair.inputs[1].name(), failure.clone()))),
            Err(failure) => {
                report::complain(failure);
                exit = exit.or(failure.exit);
            }
        }
    }
    for (file, failure) in &failures {
        report::complain(&Failure::new(Exit::Differs, failure).of(file));
        exit = exit.or(Exit::Differs);
    }
    if args.json {
        let failures = failures.iter().map(|(file, failure)| format!("{file}: {failure}")).collect();
        let pairs = pairs.into_iter().map(|pair| match pair.result {
            Ok(Measured { report: Some(report), .. }) => json::entry(Ok(report)),
            Ok(_) => json::entry(Err(Failure::new(Exit::Runtime, "nothing was compared"))),
            Err(failure) => json::entry(Err(failure)),
        });
        let [a, b] = names;
        let [only_in_a, only_in_b] = found.unpaired;
        let [left_out_in_a, left_out_in_b] = found.left_out;
        let report = CompareFoldersReport {
            command: "compare",
            a,
            b,
            pairs: pairs.collect(),
            only_in_a,
            only_in_b,
            left_out_in_a,
            left_out_in_b,
            failures,
        };
        json::print(&report, false)?;
    }
    Ok(exit)
}

/// Counts the pairs to which a limit does not apply, because they do not have its measure, in a note. Returns
/// the failures of limits that apply to no pair.
fn failures_of_undefined(args: &Args, limits: &[MeasureLimit], pairs: &[Compared]) -> Vec<String> {
    let compared: Vec<_> = pairs.iter().filter_map(|pair| pair.result.as_ref().ok()).collect();
    let mut measures: Vec<Measure> = Vec::new();
    for limit in limits {
        if !measures.contains(&limit.measure) {
            measures.push(limit.measure);
        }
    }
    let mut failures = Vec::new();
    for measure in measures {
        let hint = match measure {
            Measure::Angle if !args.normal => "; --normal measures angles in all pairs",
            _ => "",
        };
        match compared.iter().filter(|pair| pair.undefined.contains(&measure)).count() {
            0 => {}
            count if count == compared.len() => {
                failures.push(format!("{measure} has a limit, but no pair has this measure{hint}"));
            }
            count if !args.quiet => report::note(&format!(
                "the limit of {measure} does not apply to {count} of {}, which do not have the measure{hint}",
                counted(compared.len(), "pair")
            )),
            _ => {}
        }
    }
    failures
}

/// Returns a table with a line for each pair, or for each of their mip levels.
fn text(pairs: &[Compared]) -> String {
    let mut lines = Vec::new();
    for Compared { pair, result, .. } in pairs {
        let cells = result.as_ref().map_or(&[][..], |measured| &measured.cells);
        for (level, of_level) in cells.iter().enumerate() {
            let name = printable(&pair.name);
            lines.push((if cells.len() > 1 { format!("{name} level {level}") } else { name }, of_level));
        }
    }
    let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let rows: String = lines.iter().map(|(name, cells)| row(name, width, cells)).collect();
    format!("{}{rows}{}\n", heading(width), counted(pairs.len(), "pair"))
}

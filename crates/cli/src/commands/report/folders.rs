//! A page of the files of two folders.

use super::{Args, fail, failure, line};
use crate::{
    commands::report::html::{HtmlReportOptions, write_html_folders_report},
    exit::Exit,
    failure::Failure,
    folder_pairs::{self, LeftOut},
    json,
    output::{self, Output},
    report::{self, Bytes, FileEntry, HtmlFoldersReport, counted, printable, with_stages},
};
use brickwork_toolkit::texture::TextureJobError;
use std::path::Path;

/// Compares the files of two folders in pairs, and writes the page.
///
/// # Errors
/// [`Failure`] if a folder cannot be listed or the page cannot be written. Failures of pairs are reported and
/// determine the exit code.
pub fn run(args: &Args, folders: [&Path; 2], output: &Output) -> Result<Exit, Failure> {
    args.machine.start_threads()?;
    let mut found = match (args.rules.as_deref(), &args.target[..]) {
        (None, []) => folder_pairs::find(folders, args.recursive)?,
        (rules, targets) => folder_pairs::find_ruled(folders, rules, targets, args.recursive)?,
    };
    found.exclude(&args.exclude);
    let options = args.options(HtmlReportOptions::max_folders_page_bytes(found.pairs.len()))?;
    let mut failures: Vec<Failure> = Vec::new();
    let mut failed = |error: TextureJobError| {
        let failure = Failure::from(error);
        let error = json::error(&failure);
        failures.push(failure);
        error
    };
    let (existing, max_memory) = (args.existing(), args.machine.max_memory);
    let name = folders[1].display().to_string();
    let made = with_stages(&name, args.quiet, |task| {
        write_html_folders_report(&found, output, &options, existing, max_memory, &mut failed, task)
    });
    let mut exit = Exit::Ok;
    for failure in &failures {
        report::complain(failure);
        exit = exit.or(failure.exit);
    }
    let report = made.map_err(failure)?;
    if !args.quiet {
        for LeftOut { subject, reason, .. } in folder_pairs::left_out(&found) {
            report::note(&format!("{subject}: {reason}"));
        }
        print_notes(&report);
    }
    let to_stderr = *output == Output::Stdout;
    if args.json {
        json::print(&report, to_stderr)?;
    } else if !args.quiet {
        output::print(&text(&report), to_stderr)?;
    }
    Ok(exit.or(fail(&report.failures)))
}

fn print_notes(report: &HtmlFoldersReport) {
    let pairs = report.pairs.iter().filter_map(FileEntry::done);
    pairs.flat_map(|pair| &pair.notes).chain(&report.notes).for_each(|note| report::note(note));
    if report.without_pictures > 0 {
        report::note(&format!(
            "{}: no space for the pictures of {}; --max-page-size raises the limit",
            printable(&report.output),
            counted(report.without_pictures, "pair")
        ));
    }
}

/// Returns a line for each pair, and one for the page.
fn text(report: &HtmlFoldersReport) -> String {
    let pairs = report.pairs.iter().filter_map(FileEntry::done);
    let lines: String = pairs.map(|pair| line(&pair.texture)).collect();
    let [a, b, page] = [&report.a, &report.b, &report.output].map(|name| printable(name));
    let refused = report.pairs.iter().filter(|pair| pair.error().is_some()).count();
    let mut count = counted(report.pairs.len() - refused, "pair");
    if refused > 0 {
        count += &format!(", {refused} refused");
    }
    format!("{lines}{a} ↔ {b} → {page}  {}  {count}\n", Bytes(report.file_bytes))
}

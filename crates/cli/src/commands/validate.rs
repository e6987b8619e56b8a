//! `brickwork validate`: violations of a container's specification.

use crate::{
    batch::find,
    exit::Exit,
    failure::Failure,
    input::{Input, texture_extensions},
    json,
    machine::MachineArgs,
    output,
    report::{self, FilesReport, TextureValidateReport, counted, printable},
};
use brickwork_image::image_file::ImageReadError;
use brickwork_texture::{
    Task,
    container::{
        self, ContainerError, ContainerFormat, Rule, TextureReadOptions, Validation, validation_rules,
    },
};
use brickwork_toolkit::texture::TextureJobError;
use std::{fmt::Write as _, path::PathBuf};

/// Check DDS, KTX2 and .astc files against the specifications of their containers
///
/// Each violation has a stable number, which --list-rules explains, and the position in the file. Damaged
/// and truncated files are checked as far as possible. All formats are checked, also those that Brickwork
/// does not decode. Blocks are not decoded, but Zstandard's data is decompressed and its length compared.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork validate photo.ktx2
  brickwork validate out/ --recursive --warnings-as-errors
  brickwork validate photo.dds photo.ktx2 --json
  brickwork validate --list-rules

The exit code is 3 if a file has an error.")]
pub struct Args {
    /// DDS, KTX2 and .astc files, folders of them, or - for standard input
    #[arg(required_unless_present = "list_rules", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Exit with 3 if a file has a warning, too
    #[arg(long, help_heading = "Verdict")]
    warnings_as_errors: bool,

    /// Also search the subfolders of folders
    #[arg(short, long)]
    recursive: bool,

    /// Print only errors; the exit code gives the verdict
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Print all rules: number, severity, requirement and clause of the specification
    #[arg(long, exclusive = true, help_heading = "Output")]
    list_rules: bool,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Checks the files that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be printed. A file's own failure is reported and determines the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    if args.list_rules {
        let line = |rule: &Rule| {
            format!("{:<8}  {:<7}  {} ({})\n", rule.id, rule.severity.name(), rule.requirement, rule.clause)
        };
        output::print(&validation_rules().map(line).collect::<String>(), false)?;
        return Ok(Exit::Ok);
    }
    let mut exit = Exit::Ok;
    let mut entries = Vec::new();
    let (mut valid, mut invalid, mut warned) = (0, 0, 0);
    for found in find(&args.files, &texture_extensions(), args.recursive, &Task::new())? {
        let result = found.map_err(Failure::from).and_then(|found| report_of(&found.inputs[0], args));
        let failure = match &result {
            Ok(report) => {
                valid += usize::from(report.valid);
                invalid += usize::from(!report.valid);
                warned += usize::from(report.valid && report.warnings > 0);
                if !args.json && !args.quiet {
                    output::print(&text(report), false)?;
                }
                failure_of(report)
            }
            Err(failure) => Some(failure.clone()),
        };
        if let Some(failure) = failure {
            report::complain(&failure);
            exit = exit.or(failure.exit);
        }
        entries.push(json::entry(result));
    }
    if entries.len() > 1 && !args.json && !args.quiet {
        let with_warnings = format!("valid ({warned} with warnings)");
        let of_valid = if warned > 0 { &with_warnings } else { "valid" };
        let counts =
            [(valid, of_valid), (invalid, "not valid"), (entries.len() - valid - invalid, "not checked")];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = counts.map(|(count, verdict)| format!("{count} {verdict}")).collect();
        output::print(&format!("{}: {}\n", counted(entries.len(), "file"), counts.join(", ")), false)?;
    }
    if args.json {
        json::print(&FilesReport { command: "validate", files: entries, summary: None }, false)?;
    }
    Ok(exit)
}

fn report_of(input: &Input, args: &Args) -> Result<TextureValidateReport, Failure> {
    let validation = validate_file(input, args.machine.max_memory, &Task::new())?;
    Ok(TextureValidateReport::new(input.name(), &validation, args.warnings_as_errors))
}

/// Returns the failure of a file that is not valid.
fn failure_of(report: &TextureValidateReport) -> Option<Failure> {
    (!report.valid).then(|| Failure::new(Exit::Invalid, counts(report)).of(&report.file))
}

/// Returns `2 errors, 1 warning`, without numbers that are 0.
fn counts(report: &TextureValidateReport) -> String {
    let counts = [(report.errors, "error"), (report.warnings, "warning")];
    let counts: Vec<_> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun)).collect();
    counts.join(", ")
}

fn text(report: &TextureValidateReport) -> String {
    let verdict = match (report.valid, report.findings.is_empty()) {
        (true, true) => "valid".to_owned(),
        (true, false) => format!("valid, {}", counts(report)),
        (false, _) => counts(report),
    };
    let mut text = format!("{}  {verdict}\n", printable(&report.file));
    for finding in &report.findings {
        let message = printable(&finding.message);
        let _ = writeln!(
            text,
            "  {:<7} {}  byte {}: {message}\n{:20}{} ({})",
            finding.severity, finding.id, finding.offset, "", finding.requirement, finding.clause
        );
    }
    text
}

/// Checks a DDS, KTX2 or .astc file. If its first bytes are unknown, the extension determines the container.
/// The task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input: it cannot be read, is no such file, or needs more than
/// `max_memory` bytes. Violations are no errors.
pub fn validate_file(input: &Input, max_memory: u64, task: &Task<'_>) -> Result<Validation, TextureJobError> {
    let stream = input.open(max_memory, task)?;
    let claimed = input.extension().and_then(ContainerFormat::of_extension);
    let options = TextureReadOptions::default().with(|o| o.max_memory = max_memory);
    container::validate(stream, claimed, &options, task).map_err(|error| match error {
        ContainerError::UnknownContainer { .. } => TextureJobError::NotATexture { input: input.name() },
        error => TextureJobError::Read { input: input.name(), error: ImageReadError::from(error) },
    })
}

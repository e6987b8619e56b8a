//! `brickwork audit`: the GPU memory that textures take, and the memory that block formats would save.
//!
//! Audit of folders: the GPU memory that textures take, and the saving and loss of block formats.
//!
//! ```text
//! folders → plan (files; glTF → model → uses of images) → run, side by side: file → picture → memory
//!   today → keep (reasons to leave it alone), or trial (sample, encoded and measured) → report → page
//! ```
//!
//! `uri` keeps glTF files from naming files outside of the folder.

mod error;
mod file;
mod keep;
mod memory;
mod model;
mod options;
mod page;
mod picture;
mod plan;
mod rules;
mod run;
mod sample;
mod subject;
#[cfg(test)]
mod tests;
mod text;
mod trial;
mod uri;
mod uses;

use super::report::command_line;
use crate::{
    batch::FileId,
    device::DeviceArgs,
    exit::Exit,
    failure::Failure,
    input::note_unread_images,
    json,
    machine::MachineArgs,
    output::{self, Output},
    reading::ReadArgs,
    report::{self, AuditReport, Bar, FileEntry},
};
use brickwork_texture::Task;
use brickwork_toolkit::{report::path_text, texture::FormatFamily};
use clap::builder::{PossibleValuesParser, TypedValueParser};
pub use error::AuditError;
pub use options::AuditOptions;
pub use page::audit_page;
pub use plan::AuditPlan;
use std::path::PathBuf;

/// Extensions of glTF files.
const MODEL_EXTENSIONS: [&str; 2] = ["gltf", "glb"];

/// Show the GPU memory that textures take, and the saving and loss of block formats
///
/// FOLDER is searched with its subfolders for images, DDS, KTX2 and glTF files. Nothing is changed. The
/// format is that of encode -f auto --family. Materials in glTF files state the kind of their textures, and
/// images within glTF files are audited, too.
///
/// Memory: an image counts as an uncompressed texture with all mip levels: 4 bytes per texel, 1 if it is
/// grey, twice as many for 16 bits per channel. DDS and KTX2 files count as they are.
///
/// Loss: mip level 0 is encoded in memory with -q ultrafast, and its PSNR measured: that of the stored
/// channels, or of alpha if it is lower. For HDR it is the mPSNR. Above 4 million texels, a sample of tiles
/// of 32×32 texels is encoded, and the number has an asterisk.
///
/// Files are left alone if they are in a block format already, take at most 4 KiB, would not become smaller,
/// or would lose too much. So are HDR with alpha, and data with 16 bits per channel. Notes report block
/// formats that do not suit the use of a texture, such as normals in bc1 or etc2.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("file").multiple(true)))]
#[command(after_help = "Examples:
  brickwork audit textures/
  brickwork audit textures/ -o audit.html         a page with a table that can be sorted
  brickwork audit textures/ --write-rules advice.toml   rules for encode, by the advice
  brickwork audit textures/ --min-psnr 36 --json  bc7 where bc1 has less than 36 dB
  brickwork audit textures/ --family astc         for phones

The exit code is that of the first file with an error. Findings in glTF files, such as a missing
image, are notes. BC1 below --min-psnr is replaced by BC7.")]
pub struct Args {
    /// Folders with images, textures and glTF files, or such files
    #[arg(required = true, value_name = "FOLDER")]
    paths: Vec<PathBuf>,

    /// PSNR in dB below which an image is left alone
    #[arg(long, value_name = "DB", default_value_t = AuditOptions::MIN_PSNR, value_parser = min_psnr,
        help_heading = "Verdict")]
    min_psnr: f64,

    /// Block formats that are tried: for desktop computers, for phones, or for phones without ASTC
    #[arg(long, value_name = "NAME", default_value = "bc", value_parser = family_parser(),
        help_heading = "Verdict")]
    family: FormatFamily,

    /// Also write the report as an HTML page, or - for standard output
    #[arg(short, long, value_name = "FILE", group = "file", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Also write the advice as a rule file for encode --rules; FOLDER is then one folder
    ///
    /// The file has a rule for each format and kind, with the images that it is for, and one for those that
    /// are left alone. It is a start: patterns of names are shorter, and also match later images.
    #[arg(long, value_name = "FILE", group = "file", help_heading = "Output")]
    write_rules: Option<PathBuf>,

    /// Replace existing files
    #[arg(long, requires = "file", help_heading = "Output")]
    force: bool,

    /// Print only errors
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    quiet: bool,

    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    device: DeviceArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

fn family_parser() -> impl TypedValueParser<Value = FormatFamily> {
    let names = FormatFamily::ALL.iter().map(|family| family.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<FormatFamily>())
}

fn min_psnr(text: &str) -> Result<f64, String> {
    let decibels = text.parse().ok().filter(|decibels: &f64| (0.0..=100.0).contains(decibels));
    decibels.ok_or_else(|| "expected a number of decibels from 0 to 100".to_owned())
}

/// Audits the folders and files that the command line names.
///
/// # Errors
/// [`Failure`] if nothing can be printed or the page cannot be written. A file's own failure is reported and
/// determines the exit code.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let existing = output::existing(args.force);
    let page = args.output.as_deref().map(Output::of);
    if let Some(page) = &page {
        if !matches!(page, Output::Stdout) && !["html", "htm"].iter().any(|name| page.has_extension(name)) {
            return Err(Failure::usage("the page is HTML").of(page.name()).hint("use the extension .html"));
        }
        let inputs: Vec<_> = args.paths.iter().filter_map(|path| FileId::of(path)).collect();
        page.check(existing, &inputs)?;
    }
    let rules = args.write_rules.as_deref().map(Output::of);
    let folder = match (&rules, &args.paths[..]) {
        (None, _) => None,
        (Some(_), [folder]) if folder.is_dir() => Some(folder),
        (Some(_), _) => return Err(Failure::usage("--write-rules is for one folder")),
    };
    if let Some(rules) = &rules {
        rules.check(existing, &[])?;
    }
    args.machine.start_threads()?;
    if !args.quiet {
        note_unread_images(&args.paths, true)?;
    }
    let devices = args.device.open(args.quiet)?;
    let (exit, report) = audit(args, &devices)?;
    devices.save_kernels();
    if !args.quiet {
        print_notes(&report);
    }
    if let Some(page) = &page {
        let title = args.paths.iter().map(|path| path_text(path)).collect::<Vec<_>>().join(", ");
        let folder = match &args.paths[..] {
            [folder] if folder.is_dir() => path_text(folder),
            _ => String::new(),
        };
        let html = audit_page(&report, &title, &folder, Some(&command_line()));
        output::write(page, existing, |writer| {
            writer.write_all(html.as_bytes()).map_err(|error| Failure::io(&error))
        })?;
    }
    if let (Some(rules), Some(folder)) = (&rules, folder) {
        let text = rules::rules_of(&report, folder);
        output::write(rules, existing, |writer| {
            writer.write_all(text.as_bytes()).map_err(|error| Failure::io(&error))
        })?;
    }
    let to_stderr = [&page, &rules].contains(&&Some(Output::Stdout));
    if args.json {
        json::print(&report, to_stderr)?;
    } else if !args.quiet {
        output::print(&text::table(&report), to_stderr)?;
    }
    Ok(exit)
}

/// Audits all files, and reports failures. Returns the exit code, which is that of the first failure.
fn audit(args: &Args, devices: &crate::device::Devices) -> Result<(Exit, AuditReport), Failure> {
    let max_memory = args.machine.max_memory;
    let mut plan = AuditPlan::new(&args.paths, max_memory, &Task::new())?;
    let options = AuditOptions {
        min_psnr: args.min_psnr,
        family: args.family,
        thumbnails: args.output.is_some(),
        reading: args.reading.options(),
    };
    let bar = Bar::files(plan.unit_count() as u64, args.quiet);
    let (mut exit, mut files) = (Exit::Ok, Vec::new());
    let mut failed = |error: AuditError| {
        let failure = Failure::from(error);
        bar.pause(|| report::complain(&failure));
        exit = exit.or(failure.exit);
        failure
    };
    let models: Vec<_> =
        plan.take_models().into_iter().map(|model| json::entry(model.map_err(&mut failed))).collect();
    let done = |entries: Vec<_>| {
        files.extend(entries.into_iter().map(|entry: Result<_, _>| json::entry(entry.map_err(&mut failed))));
        bar.step();
    };
    let lanes = rayon::current_num_threads();
    plan.run(&options, devices.inner(), lanes, max_memory, done, &Task::new())?;
    bar.finish();
    Ok((exit, AuditReport::new(args.min_psnr, args.family.name(), files, models)))
}

/// Prints notes about files, and findings about glTF files.
fn print_notes(report: &AuditReport) {
    for file in report.files.iter().filter_map(FileEntry::done) {
        file.notes.iter().for_each(|note| report::note(&format!("{}: {note}", file.name())));
    }
    for model in report.models.iter().filter_map(FileEntry::done) {
        model.findings.iter().for_each(|finding| {
            report::note(&format!("{}, {}", model.file, finding.message));
        });
    }
}

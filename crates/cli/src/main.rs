//! `brickwork`, the program. `commands` contains one file per command, which parses, calls the library and
//! reports. All algorithms are in the library.

mod batch;
#[cfg(test)]
mod cancel_tests;
mod commands;
mod device;
mod exit;
mod extensions;
mod face_names;
mod failure;
mod folder_pairs;
mod half_floats;
mod input;
mod jobs;
mod json;
mod machine;
mod misuse;
mod option_rows;
mod output;
mod reading;
mod report;
mod selection;
mod targets;
mod tone_map;
mod values;
mod words;

use brickwork_toolkit::{device::check_simd_variables, report::path_text};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
#[cfg(feature = "papers")]
use commands::bench;
use commands::{
    assemble, audit, compare, completions, convert, decode, encode, extract, info, init, schema, serve,
    validate, view, volume,
};
#[cfg(feature = "gpu")]
use commands::{devices, tiling};
use exit::Exit;
use failure::Failure;
use std::{
    ffi::OsString,
    panic,
    path::PathBuf,
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

/// Compress images to GPU textures and volumes to bricks, and back
#[derive(Parser)]
#[command(
    name = "brickwork",
    version,
    subcommand_required = true,
    subcommand_value_name = "COMMAND",
    subcommand_help_heading = "Commands",
    max_term_width = 100,
    after_help = "Examples:
  brickwork encode photo.png                   photo.dds, in BC1, beside it
  brickwork encode textures/ -o out/ --mips    every image of a folder, with mip levels
  brickwork info photo.dds
  brickwork decode photo.dds -o back.png
  brickwork compare photo.png photo.dds
  brickwork volume encode scan.nrrd            scan.bwv beside it

\"brickwork COMMAND --help\" describes each command.",
    after_long_help = "Examples:
  brickwork encode photo.png                   photo.dds, in BC1, beside it
  brickwork encode textures/ -o out/ --mips    every image of a folder, with mip levels
  brickwork info photo.dds
  brickwork decode photo.dds -o back.png
  brickwork compare photo.png photo.dds
  brickwork volume encode scan.nrrd            scan.bwv beside it

\"brickwork COMMAND --help\" describes each command.

Exit codes:
  0  done
  1  invalid command line or environment variable
  2  a file could not be found, read or written, or already exists
  3  an input file breaks its format's rules
  4  encoding or decoding failed, the GPU failed, or the memory limit is too low
  5  the file or the options need something that Brickwork does not support
  7  a comparison failed: by --exact or a limit, or because the sizes or types differ
  130  ended by Ctrl-C"
)]
struct Cli {
    /// Print details on standard error: the device and the reason for it, and the time of each step
    #[arg(short, long, global = true, display_order = 900)]
    verbose: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Encode(Box<encode::EncodeArgs>),
    Assemble(Box<assemble::Args>),
    Decode(decode::Args),
    Extract(extract::Args),
    Convert(convert::Args),
    Info(info::Args),
    Validate(validate::Args),
    Compare(compare::Args),
    Report(commands::report::Args),
    Audit(audit::Args),
    Init(init::Args),
    Volume(volume::Args),
    View(view::Args),
    Serve(serve::Args),
    #[cfg(feature = "gpu")]
    Devices(devices::Args),
    #[cfg(feature = "gpu")]
    Tiling(tiling::Args),
    #[cfg(feature = "papers")]
    Bench(bench::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
}

fn main() -> ExitCode {
    let cli = misuse::with_negative_values(Cli::command())
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match cli {
        Ok(cli) => cli,
        Err(error) => return misuse::not_understood(Cli::command(), &error).into(),
    };
    if let Err(error) = check_simd_variables() {
        report::complain(&Failure::usage(error));
        return Exit::Usage.into();
    }
    output::clean_up_on_interrupt();
    if cli.verbose {
        report::be_verbose();
    }
    // Decoders of image files may panic on damaged files. The library catches that: one message is enough.
    panic::set_hook(Box::new(|info| {
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    let result = panic::catch_unwind(|| match &cli.command {
        Command::Encode(args) => encode::run(args),
        Command::Assemble(args) => assemble::run(args),
        Command::Decode(args) => decode::run(args),
        Command::Extract(args) => extract::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Info(args) => info::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Report(args) => commands::report::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Init(args) => init::run(args),
        Command::Volume(args) => volume::run(args),
        Command::View(args) => view::run(args),
        Command::Serve(args) => serve::run(args),
        #[cfg(feature = "gpu")]
        Command::Devices(args) => devices::run(args),
        #[cfg(feature = "gpu")]
        Command::Tiling(args) => tiling::run(args),
        #[cfg(feature = "papers")]
        Command::Bench(args) => bench::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => completions::run_man(args, Cli::command()),
    });
    let result = result.unwrap_or_else(|_| {
        let panic = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        Err(bug(&panic, std::env::args_os()))
    });
    let exit = result.unwrap_or_else(|failure| {
        report::complain(&failure);
        failure.exit
    });
    exit.into()
}

/// Returns the failure for a panic. It names the files among the program's arguments.
fn bug(panic: &str, arguments: impl Iterator<Item = OsString>) -> Failure {
    // The first two are the program and the command.
    let paths = arguments.skip(2).map(PathBuf::from).filter(|path| path.exists());
    let names: Vec<String> = paths.take(MAX_NAMES).map(|path| path_text(&path)).collect();
    let failure = Failure::new(Exit::Runtime, format!("a bug in Brickwork, please report it: {panic}"));
    if names.is_empty() { failure } else { failure.of(names.join(", ")) }
}

/// Maximum number of files that the failure for a panic names.
const MAX_NAMES: usize = 4;

/// The message of the last panic.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn bugs_name_the_files() {
        let bug = |words: &str| bug("at x.rs:1", words.split(' ').map(OsString::from)).to_string();
        let text = "a bug in Brickwork, please report it: at x.rs:1";
        assert_eq!(bug("brickwork info Cargo.toml none.dds src"), format!("Cargo.toml, src: {text}"));
        assert_eq!(bug("brickwork devices"), text);
    }

    /// Prose is wrapped; examples must fit.
    #[test]
    fn examples_fit_a_terminal_of_100_columns() {
        fn check(command: &clap::Command) -> usize {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<_> = help.lines().filter(|line| line.starts_with("  ")).collect();
            for example in &examples {
                assert!(example.chars().count() <= 100, "{}: {example}", command.get_name());
            }
            examples.len() + command.get_subcommands().map(check).sum::<usize>()
        }
        assert!(check(&Cli::command()) > 60);
    }
}

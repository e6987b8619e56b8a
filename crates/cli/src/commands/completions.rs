//! `brickwork completions` and `brickwork man`: the commands' completions in shells, and their man pages.

use crate::{
    exit::Exit,
    failure::Failure,
    output::{self, Output},
};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use std::{fs, path::PathBuf};

/// Print a script that completes commands and options in a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork completions bash > ~/.local/share/bash-completion/completions/brickwork
  brickwork completions zsh > ~/.zfunc/_brickwork         a folder of $fpath
  brickwork completions fish > ~/.config/fish/completions/brickwork.fish
  brickwork completions powershell >> $PROFILE")]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// [`Failure`] if nothing can be printed.
pub fn run(args: &Args, mut command: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "brickwork", &mut script);
    output::print(&String::from_utf8_lossy(&script), false)?;
    Ok(Exit::Ok)
}

/// Write man pages, one for each command
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork man -o ~/.local/share/man/man1/")]
pub struct ManArgs {
    /// Folder for the pages; it is created if missing
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// Writes the pages.
///
/// # Errors
/// [`Failure`] if one cannot be written.
pub fn run_man(args: &ManArgs, mut command: Command) -> Result<Exit, Failure> {
    fs::create_dir_all(&args.output).map_err(|error| Failure::io(&error).of_path(&args.output))?;
    command.build();
    let existing = output::existing(args.force);
    for (name, page) in pages(&command, "brickwork") {
        let output = Output::File(args.output.join(format!("{name}.1")));
        output.check(existing, &[])?;
        output::write(&output, existing, |writer| {
            writer.write_all(&page).map_err(|error| Failure::io(&error))
        })?;
    }
    Ok(Exit::Ok)
}

/// Returns the page of a command and those of its subcommands: name, and text in roff.
fn pages(command: &Command, name: &str) -> Vec<(String, Vec<u8>)> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).expect("memory takes all");
    let mut all = vec![(name.to_owned(), page)];
    let is_shown = |command: &&Command| command.get_name() != "help" && !command.is_hide_set();
    let subcommands = command.get_subcommands().filter(is_shown);
    all.extend(subcommands.flat_map(|command| pages(command, &format!("{name}-{}", command.get_name()))));
    all
}

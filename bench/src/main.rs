//! Measures Brickwork against its peers.

mod goals;
mod machine;
mod measure;
mod peers;
mod picture;
mod quality;
mod report;
mod table;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

#[derive(Parser)]
#[command(name = "brickwork-bench", about = "Measures Brickwork against its peers")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compares BC1 encoders: RGB PSNR and speed on one thread
    Peers(Peers),
}

#[derive(clap::Args)]
struct Peers {
    /// Folder of PNG files. Default: the odd Kodak images, test-data/kodak
    directory: Option<PathBuf>,
    /// Puts the tables into docs/performance.md and README.md
    #[arg(long, conflicts_with = "images_limit")]
    write: bool,
    /// Rounds; slow encoders sit out two of three
    #[arg(long, value_name = "N", default_value = "5")]
    repeat: NonZeroUsize,
    /// Uses the first N images only, for a quick look
    #[arg(long, value_name = "N")]
    images_limit: Option<NonZeroUsize>,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Peers(arguments) => peers(&arguments),
    }
}

fn peers(arguments: &Peers) -> Result<()> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let directory = arguments.directory.clone().unwrap_or_else(|| root.join("test-data/kodak"));
    let pictures = picture::read_directory(&directory, arguments.images_limit.map(NonZeroUsize::get))?;
    let contestants = peers::contestants(&pictures)?;
    // Before this thread is pinned, which hides the other CPUs.
    let machine = machine::describe();
    let measurements = measure::run(&pictures, &contestants, arguments.repeat.get())?;
    let texel_count: usize = pictures.iter().map(picture::Picture::texel_count).sum();
    let command_line: Vec<_> = std::env::args().skip(1).collect();
    let about = [
        format!("Command: `cargo run {} -p brickwork-bench -- {}`", profile_option(), command_line.join(" ")),
        format!(
            "Images: {} of {}, {:.2} Mpix; {} rounds",
            pictures.len(),
            arguments.directory.as_deref().unwrap_or(Path::new("test-data/kodak")).display(),
            texel_count as f64 / 1e6,
            arguments.repeat,
        ),
        format!("Machine: {machine}"),
        format!("Date: {}", machine::date()),
    ];
    let text = report::to_markdown(&about, &measurements);
    print!("{text}");
    if arguments.write {
        report::write_section(&root.join("docs/performance.md"), &text)?;
        report::write_section(&root.join("README.md"), &report::summary(&measurements))?;
    }
    Ok(())
}

/// The option that makes Cargo build with the profile this program was built with.
fn profile_option() -> String {
    // (Cargo names the folder after the profile.)
    let program = std::env::current_exe().ok();
    let profile = program.as_deref().and_then(Path::parent).and_then(Path::file_name);
    match profile.and_then(|name| name.to_str()) {
        Some("release") => "--release".to_owned(),
        Some("debug") | None => String::new(),
        Some(profile) => format!("--profile {profile}"),
    }
}

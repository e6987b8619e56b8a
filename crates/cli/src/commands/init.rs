//! `brickwork init`: a rule file for an engine.

use crate::{
    batch::Output,
    exit::Exit,
    failure::Failure,
    output::{self, existing},
    values::named,
};
use brickwork_toolkit::{
    report::path_text,
    texture::{Engine, RULE_FILE},
};
use std::path::PathBuf;

/// Write a rule file with the names of an engine's textures
///
/// DIR/brickwork.toml states the format, colour space and mip levels of each name, which normal maps have
/// green mirrored, and how channels are packed. "brickwork encode DIR" uses it; edit it as needed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork init unity textures/         textures/brickwork.toml
  brickwork encode textures/ -r -o out/  by these rules
  brickwork init bevy --force            replaces ./brickwork.toml")]
pub struct Args {
    /// Engine; bevy is also for other readers of glTF
    #[arg(value_parser = named(Engine::ALL, Engine::name))]
    engine: Engine,

    /// Folder of the images, which exists
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,

    /// Replace an existing rule file
    #[arg(long)]
    force: bool,
}

/// Writes the rule file.
///
/// # Errors
/// [`Failure`] if there is no folder, the file exists, or the system cannot write it.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    if !args.folder.is_dir() {
        return Err(Failure::new(Exit::Io, "no such folder").of_path(&args.folder));
    }
    let path = args.folder.join(RULE_FILE);
    output::write(&Output::File(path.clone()), existing(args.force), |sink| {
        sink.write_all(args.engine.rules().as_bytes()).map_err(|error| Failure::io(&error))
    })?;
    output::print(&format!("{}  rules for {}\n", path_text(&path), args.engine.name()), false)?;
    Ok(Exit::Ok)
}

//! `brickwork view`: starts the viewer, if it is installed.

use crate::{exit::Exit, failure::Failure};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

/// Show a volume in a window, with the viewer brickwork-view
///
/// The viewer is a separate program: the one beside brickwork, else the first in PATH. "brickwork-view
/// --help" lists its options.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork view scan.bwv
  brickwork view ct/ --mode mip")]
pub struct Args {
    /// Arguments of brickwork-view, such as a volume and --mode mip
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Starts the viewer and waits until its window is closed.
///
/// # Errors
/// [`Failure`] if the viewer is not installed or cannot be started.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let viewer = find().ok_or_else(|| {
        Failure::new(Exit::Unsupported, "the viewer, brickwork-view, is not installed")
            .hint("install it from the repository: cargo install --path crates/viewer")
    })?;
    let status = Command::new(&viewer).args(&args.arguments).status();
    let status = status.map_err(|error| Failure::io(&error).of_path(&viewer))?;
    // The viewer has printed its own error. Its exit codes are those of this program.
    let exits = [Exit::Ok, Exit::Usage, Exit::Io, Exit::Invalid, Exit::Runtime, Exit::Unsupported];
    let found = exits.into_iter().find(|&exit| status.code() == Some(exit as i32));
    found.ok_or_else(|| Failure::new(Exit::Runtime, format!("ended early: {status}")).of_path(&viewer))
}

/// Returns the viewer beside this program, else the first in PATH.
fn find() -> Option<PathBuf> {
    let beside = env::current_exe().ok().and_then(|program| program.parent().map(Path::to_owned));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(env::split_paths(&path));
    let name = format!("brickwork-view{}", env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&name)).find(|path| path.is_file())
}

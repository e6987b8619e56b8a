//! `brickwork serve` of a program without the feature `serve`.

use crate::{exit::Exit, failure::Failure};
use std::ffi::OsString;

/// Serve the web site and a folder of files to browsers on this machine
#[derive(clap::Args)]
#[command(hide = true, disable_help_flag = true)]
pub struct Args {
    /// Arguments of the command in other programs
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

/// Reports how to install a program with the command.
///
/// # Errors
/// Always a [`Failure`].
pub fn run(_: &Args) -> Result<Exit, Failure> {
    let reason = "this program was built without the feature serve, the web server";
    let hint = "in the repository, run `cargo install --locked --path crates/cli --features serve`";
    Err(Failure::new(Exit::Unsupported, reason).hint(hint))
}

//! `brickwork-view`, the program: shows volumes in a window.
//!
//! | folder | contents |
//! |---|---|
//! | `volume/` | a volume is opened, compressed in memory, and its values are counted |
//! | `state/` | the state: camera, look, transfer function, slices; no window |
//! | `work/` | the threads for renderings and slices |
//! | `ui/` | the window |
//!
//! The window is eframe's, by the same release of wgpu as that of `brickwork-gpu`. Renderings are still made
//! on a separate device, which has Brickwork's limits and features, and arrive as pixels. Long work does not
//! delay the window's frames, and a lost device does not end the window. The price is that pixels are read
//! back and uploaded, a millisecond for two million.

mod args;
mod failure;
mod state;
mod text;
mod ui;
mod volume;
mod work;

use args::Args;
use brickwork_toolkit::device::{Devices, check_simd_variables};
use clap::{Parser as _, error::ErrorKind};
use failure::{Exit, Failure};
use std::{io::Write as _, process::ExitCode};

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
                // A reader that stops early (`--help | head`) is not a failure.
                let _ = error.print();
                return ExitCode::SUCCESS;
            }
            let text = error.render().to_string();
            complain(text.strip_prefix("error: ").unwrap_or(&text).trim_end());
            return Exit::Usage.into();
        }
    };
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&failure.to_string());
            failure.exit.into()
        }
    }
}

fn run(args: Args) -> Result<(), Failure> {
    check_simd_variables().map_err(|error| Failure::new(Exit::Usage, error))?;
    let devices = Devices::open(args.device()?)?;
    let result = ui::run(args, devices.device().clone());
    // The next start finds them compiled.
    devices.save_kernels();
    result
}

fn complain(text: &str) {
    // If standard error is closed, nothing is left to report to.
    let _ = writeln!(std::io::stderr(), "brickwork-view: error: {text}");
}

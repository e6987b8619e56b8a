//! Runs over many files, for the commands that turn files into files: options, reports, the exit code.

mod batch;
mod summary;

pub use batch::{BatchArgs, Outcome, run};

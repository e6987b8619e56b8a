//! Runs of commands that convert many files: options, reports, the exit code.

mod batch;
mod summary;

pub use batch::{Acceptance, BatchArgs, JobsAndUpkeep, Outcome, Upkeep, run, run_incremental};

//! Options of a batch.

use super::Recipe;
use brickwork_base::whole_file::Existing;
use std::thread;

/// Options of [`run`](super::run()).
#[derive(Clone, Copy, Debug)]
pub struct BatchOptions {
    /// Treatment of existing outputs. Default: they are kept, and their jobs fail.
    pub existing: Existing,
    /// Rule for outputs that need not be written. Default: [`UpdateRule::Always`].
    pub update: UpdateRule,
    /// True to report which outputs would be written, and write none. Default: false.
    pub dry_run: bool,
    /// Number of jobs that run side by side, at least 1. Default: the number of CPU threads.
    pub lanes: usize,
    /// Memory that all running jobs may use together, in bytes. Default: 4 GiB.
    pub max_memory: u64,
    /// Options that the jobs share. They are recorded in the user's caches for each output that is written.
    /// Default: none, so that only times decide.
    pub recipe: Option<Recipe>,
    /// True to read the reports of outputs that are not made again. Default: true.
    pub reads_reports: bool,
}

/// A rule for outputs that need not be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateRule {
    /// Every output is written.
    #[default]
    Always,
    /// An output is not written if it is at least as new as each of its inputs, and was not written with
    /// another [`Recipe`].
    IfOlder,
}

impl Default for BatchOptions {
    fn default() -> Self {
        Self {
            existing: Existing::Keep,
            update: UpdateRule::Always,
            dry_run: false,
            lanes: thread::available_parallelism().map_or(1, usize::from),
            max_memory: 4 << 30,
            recipe: None,
            reads_reports: true,
        }
    }
}

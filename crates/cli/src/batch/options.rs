//! Options of a batch.

use super::Recipe;
use brickwork_base::whole_file::Existing;
use std::thread;

/// Options of [`run`](super::run()).
#[derive(Clone, Copy, Debug)]
pub struct BatchOptions {
    existing: Existing,
    update: UpdateRule,
    dry_run: bool,
    lanes: usize,
    max_memory: u64,
    recipe: Option<Recipe>,
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

impl BatchOptions {
    /// Returns the defaults.
    pub fn new() -> Self {
        Self {
            existing: Existing::Keep,
            update: UpdateRule::Always,
            dry_run: false,
            lanes: thread::available_parallelism().map_or(1, usize::from),
            max_memory: 4 << 30,
            recipe: None,
        }
    }

    /// Sets the treatment of existing outputs. Default: they are kept, and their jobs fail.
    #[must_use]
    pub const fn with_existing(self, existing: Existing) -> Self {
        Self { existing, ..self }
    }

    /// Sets the rule for outputs that need not be written. Default: [`UpdateRule::Always`].
    #[must_use]
    pub const fn with_update(self, update: UpdateRule) -> Self {
        Self { update, ..self }
    }

    /// Reports which outputs would be written, and writes none. Default: false.
    #[must_use]
    pub const fn with_dry_run(self, dry_run: bool) -> Self {
        Self { dry_run, ..self }
    }

    /// Sets the number of jobs that run side by side, at least 1. Default: the number of CPU threads.
    #[must_use]
    pub const fn with_lanes(self, lanes: usize) -> Self {
        Self { lanes, ..self }
    }

    /// Sets the memory that all running jobs may use together, in bytes. Default: 4 GiB.
    #[must_use]
    pub const fn with_max_memory(self, max_memory: u64) -> Self {
        Self { max_memory, ..self }
    }

    /// Sets the options that the jobs share. They are recorded in the user's caches for each output that is
    /// written. Default: none, so that only times decide.
    #[must_use]
    pub const fn with_recipe(self, recipe: Option<Recipe>) -> Self {
        Self { recipe, ..self }
    }

    /// Returns the options that the jobs share.
    pub const fn recipe(&self) -> Option<Recipe> {
        self.recipe
    }

    /// Returns the treatment of existing outputs.
    pub const fn existing(&self) -> Existing {
        self.existing
    }

    /// Returns the rule for outputs that need not be written.
    pub const fn update(&self) -> UpdateRule {
        self.update
    }

    /// True if nothing is written.
    pub const fn dry_run(&self) -> bool {
        self.dry_run
    }

    /// Returns the number of jobs that run side by side.
    pub const fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns the memory that all running jobs may use together, in bytes.
    pub const fn max_memory(&self) -> u64 {
        self.max_memory
    }
}

impl Default for BatchOptions {
    fn default() -> Self {
        Self::new()
    }
}

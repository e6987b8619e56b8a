//! Many files at once, for the commands that turn files into files.
//!
//! ```text
//! inputs and folders → plan (which input becomes which output) → run (side by side, within the memory limit)
//!                    → report in the order of the inputs → summary
//! ```

mod batch;
mod plan;
mod run;
mod summary;

pub use batch::{BatchArgs, Outcome, run};
pub use plan::{Job, plan};
pub use run::Turn;

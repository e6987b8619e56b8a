//! Many files in one run.
//!
//! ```text
//! paths and folders → find → plan (inputs and output of each job) → run (side by side, within the memory
//!                   limit) → results in the order of the jobs, summary
//! ```
//!
//! A job has any number of inputs and one output: a picture becomes a texture, six pictures become a cube.

mod build;
mod cache;
mod digest;
mod examine;
mod file_id;
mod file_state;
mod find;
mod incremental;
mod keeper;
mod kept;
mod manifest;
mod names;
mod options;
mod outdated;
mod output;
mod plan;
mod recipe;
mod run;
mod scope;
mod shard;
mod side_by_side;
mod stale;
mod turn;
mod update;

use brickwork_toolkit::batch::{BatchError, BatchFault, Input, InputGroup};
pub use build::Build;
pub use examine::examine;
pub use file_id::FileId;
pub use find::{files_in_folders, find, similar_file};
pub use incremental::Incremental;
pub use kept::{Kept, Preview};
pub use options::{BatchOptions, UpdateRule};
pub use output::Output;
pub use plan::{Job, is_folder, plan};
pub use recipe::Recipe;
pub use run::{JobResult, Untouched, Written, run};
pub use scope::Scope;
pub use shard::Shard;
pub use stale::{StaleFate, StaleOutput};
pub use turn::Turn;

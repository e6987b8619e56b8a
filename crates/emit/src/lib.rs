//! Data of the web package (`web/src/generated`), from the planners and kernels of this workspace. No number
//! of a chain is typed again in TypeScript.
//!
//! ```text
//! formats × qualities → chains → kernels → WGSL in parts
//!                              → tables
//!                              → words of parameters, each a constant or a field of the dispatch
//! modes of rendering → ray casters of volumes → WGSL in parts; their inputs are made at run time, by
//! crates/wasm-volume
//! ```
//!
//! [`emit`] returns the files. `UPDATE=1 cargo test -p brickwork-emit` writes them; otherwise, that test
//! compares them.

mod chain;
mod code;
mod containers;
mod error;
mod files;
mod filters;
mod format;
mod minify;
mod mips;
mod parts;
mod tables;
mod template;
mod volume;

pub use chain::{ChainData, DISPATCH_FIELDS, StepData, WorkData, chains, dispatch_values, work_case};
pub use error::EmitError;
pub use files::{EmittedFile, emit};
pub use minify::{minified, uses_subgroups};
pub use template::{Template, Word};

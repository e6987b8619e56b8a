//! Rule files: options of textures by the names of their pictures.
//!
//! ```toml
//! [target.desktop]
//! container = "ktx2"
//!
//! [target.mobile]
//! container = "ktx2"
//! max-size = 512
//!
//! [[rule]]
//! files = "*_n.png"
//! kind = "normal"
//! format = "bc5"
//! ```
//!
//! Options have four sources; each overrides the ones before: the program's defaults, the base options
//! (those of the command line), the target, and each matching rule in the order of the file.
//!
//! ```text
//! file → rules and targets (every key and value checked) → options and output name of each picture and
//!      target → plan of the batch
//! ```

mod assign;
mod book;
mod error;
mod keys;
mod parse;
mod pattern;
#[cfg(test)]
mod tests;
mod value;

pub use assign::{Assignment, Choice};
pub use book::{RULE_FILE, RuleBook};
pub use error::{RuleError, RuleFault};

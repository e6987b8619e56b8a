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
//! Options have four sources; each overrides the ones before: the base options, the target, each matching
//! rule in the order of the file, and the [overrides](Overrides) (those of the command line).
//!
//! ```text
//! file → rules and targets (every key and value checked) → options and output name of each picture and
//!      target → plan of the batch
//! ```

mod assign;
mod book;
mod error;
mod named;
mod overrides;
mod parse;
mod pattern;
mod setting;
mod stated;
#[cfg(test)]
mod tests;
mod unused;

pub use assign::{Assignment, Choice};
pub use book::{RULE_FILE, RuleBook, rule_file_in};
pub use error::{RuleError, RuleFault};
pub use named::{NamedOptionError, NamedOptions};
pub use overrides::Overrides;
pub use pattern::Pattern;
pub use unused::unused_rule_files;

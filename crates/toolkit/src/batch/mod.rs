//! Inputs: files, standard input, groups of them, and the errors of files.

mod error;
mod group;
mod input;

pub use error::{BatchError, BatchFault};
pub use group::{InputGroup, Naming};
pub use input::{ByteStream, Input};

//! Inputs and outputs of jobs: files, standard input and output, and their errors.

mod error;
mod file_id;
mod group;
mod input;
mod output;

pub use error::{BatchError, BatchFault};
pub use file_id::FileId;
pub use group::{InputGroup, Naming};
pub use input::{ByteStream, Input};
pub use output::Output;

//! Encoders of BC6H: errors of half floats, and speed on one thread.

mod encoders;
mod measure;
mod page;
mod picture;

pub use page::to_markdown;
pub use picture::{Picture, read_directory};

use anyhow::Result;

/// Measures every encoder of BC6H over `pictures`, in `rounds` rounds.
pub fn run(pictures: &[Picture], is_signed: bool, rounds: usize) -> Result<Vec<measure::Measured>> {
    measure::run(pictures, is_signed, encoders::all(pictures, is_signed)?, rounds)
}

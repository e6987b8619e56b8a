//! `brickwork encode`: pictures to DDS and KTX2.

mod arguments;
mod failure;
mod notes;
mod report;
mod run;

pub use arguments::Args;
pub use run::run;

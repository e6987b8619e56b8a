//! `brickwork encode`: pictures to DDS and KTX2.

mod arguments;
mod failure;
mod notes;
mod report;
mod run;
mod target;

pub use arguments::Args;
pub use run::run;
pub(super) use {
    failure::of_job,
    notes::text as note_text,
    report::{Encoded, color_space_reason},
    run::{check_container, checked_options},
};

//! `brickwork encode`: pictures to DDS, KTX2 and `.astc`.

mod arguments;
mod checks;
mod failure;
mod file;
mod given;
mod notes;
mod report;
mod rules;
mod run;
mod target;
mod total;
mod watch;

pub use arguments::Args;
pub use file::{TextureFile, encode_job, write_encoded};
pub use rules::EncodeArgs;
pub use run::run;
pub(super) use {
    checks::{check_container, checked_options},
    failure::of_job,
    notes::text as note_text,
    report::{Encoded, color_space_reason},
};

//! The device that tests run on.

use crate::{Context, ContextOptions};

/// The best adapter's, or nothing where there is none and none is required.
///
/// # Panics
/// If there is none and the environment variable `BRICKWORK_REQUIRE_GPU` is set.
pub fn context() -> Option<Context> {
    open(&ContextOptions::default())
}

/// The same with other options.
///
/// # Panics
/// As [`context`].
pub fn open(options: &ContextOptions) -> Option<Context> {
    match Context::open(options) {
        Ok(context) => Some(context),
        Err(error) if std::env::var_os("BRICKWORK_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: no adapter ({error})");
            None
        }
    }
}

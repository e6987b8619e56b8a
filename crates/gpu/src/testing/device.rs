//! The device that tests run on.

use crate::{Context, ContextOptions};

/// A context on the best adapter; `None` if there is no adapter and none is required.
///
/// # Panics
/// If there is no adapter and the environment variable `BRICKWORK_REQUIRE_GPU` is set.
pub fn context() -> Option<Context> {
    open(&ContextOptions::default())
}

/// As [`context`], with `options`.
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

//! Device on which tests run.

use crate::{Context, ContextOptions};

/// Returns a context on the best adapter, or `None` if there is no adapter and none is required.
///
/// # Panics
/// If there is no adapter and the environment variable `BRICKWORK_REQUIRE_GPU` is set.
pub fn context() -> Option<Context> {
    open(&ContextOptions::default())
}

/// Works like [`context`], with `options`.
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

//! Device on which tests run.

use crate::{Context, ContextOptions};
use brickwork_base::testing::skip_without_gpu;

/// Returns a context on the best adapter, or `None` if there is no adapter and none is required.
///
/// # Panics
/// If there is no adapter and the environment variable `BRICKWORK_REQUIRE_GPU` is set.
#[track_caller]
pub fn context() -> Option<Context> {
    open(&ContextOptions::default())
}

/// Works like [`context`], with `options`.
///
/// # Panics
/// As [`context`].
#[track_caller]
pub fn open(options: &ContextOptions) -> Option<Context> {
    match Context::open(options) {
        Ok(context) => Some(context),
        Err(error) => {
            skip_without_gpu(&error);
            None
        }
    }
}

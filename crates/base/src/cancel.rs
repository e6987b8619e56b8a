//! Cancellation of long calls.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Request to stop a running call. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
}

impl CancelToken {
    /// Returns a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every call that holds this token or a clone of it. Each returns [`Cancelled`], wrapped in its
    /// own error type, at its next [`check`](crate::Task::check).
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// True after [`cancel`](Self::cancel).
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// The caller cancelled the call. Its outputs are incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, thiserror::Error)]
#[error("cancelled")]
#[expect(clippy::exhaustive_structs, reason = "a unit struct that callers compare with")]
pub struct Cancelled;

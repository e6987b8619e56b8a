//! How far a call has got, and whether to go on.

use crate::EncodeError;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Asks a running call to stop. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
}

impl CancelToken {
    /// A token that asks for nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every call that holds this token to stop; it returns [`EncodeError::Cancelled`] after at most
    /// one row of blocks per thread.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) has been called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Where a call reports how far it has got, and checks whether to go on.
#[derive(Clone, Copy, Default)]
pub struct Progress<'a> {
    callback: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    cancel: Option<&'a CancelToken>,
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_callback = self.callback.is_some();
        f.debug_struct("Progress").field("callback", &has_callback).field("cancel", &self.cancel).finish()
    }
}

impl<'a> Progress<'a> {
    /// Reports nothing and is never cancelled.
    pub fn none() -> Self {
        Self::default()
    }

    /// Calls `callback(blocks done, blocks in all)` after every row of blocks, from any thread, never twice
    /// with the same number of blocks done. Blocks count twice where [`EncodeOptions::rdo`] or
    /// [`EncodeOptions::weigh_by_alpha`] goes through them once more.
    ///
    /// [`EncodeOptions::rdo`]: crate::EncodeOptions::rdo
    /// [`EncodeOptions::weigh_by_alpha`]: crate::EncodeOptions::weigh_by_alpha
    pub fn with_callback(self, callback: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        Self { callback: Some(callback), ..self }
    }

    /// Stops when `token` asks for it.
    pub fn with_cancel(self, token: &'a CancelToken) -> Self {
        Self { cancel: Some(token), ..self }
    }

    pub(crate) fn check(&self) -> Result<(), EncodeError> {
        if self.cancel.is_some_and(CancelToken::is_cancelled) { Err(EncodeError::Cancelled) } else { Ok(()) }
    }

    pub(crate) fn tell(&self, done: u64, all: u64) {
        if let Some(callback) = self.callback {
            callback(done, all);
        }
    }
}

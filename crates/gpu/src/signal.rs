//! Values that a callback of wgpu provides later.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

/// A value that is set once, by a callback. Clones share it.
#[derive(Clone)]
pub(crate) struct Signal<T>(Arc<Mutex<State<T>>>);

struct State<T> {
    value: Option<T>,
    waker: Option<Waker>,
}

impl<T> fmt::Debug for Signal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal").field("is_set", &self.lock().value.is_some()).finish()
    }
}

impl<T> Signal<T> {
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(State { value: None, waker: None })))
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the value and wakes the tasks that wait for it.
    pub fn set(&self, value: T) {
        let mut state = self.lock();
        state.value = Some(value);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Passes the value to `look`, if it is set.
    pub fn get<R>(&self, look: impl FnOnce(&T) -> R) -> Option<R> {
        self.lock().value.as_ref().map(look)
    }

    /// Waits until the value is set, without blocking.
    pub async fn wait(&self) {
        std::future::poll_fn(|task| {
            let mut state = self.lock();
            if state.value.is_some() {
                return Poll::Ready(());
            }
            state.waker = Some(task.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

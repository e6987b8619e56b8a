//! Mailbox for one message: a newer one replaces a message that was not taken yet.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Message for a thread, or none.
pub struct Mailbox<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    message: Option<T>,
    is_closed: bool,
}

impl<T> Default for Mailbox<T> {
    fn default() -> Self {
        Self { state: Mutex::new(State { message: None, is_closed: false }), changed: Condvar::new() }
    }
}

impl<T> Mailbox<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a message.
    pub fn put(&self, message: T) {
        self.state().message = Some(message);
        self.changed.notify_all();
    }

    /// Returns true if there is news: a message, or the end.
    pub fn has_news(&self) -> bool {
        let state = self.state();
        state.message.is_some() || state.is_closed
    }

    /// Takes the message, if there is one.
    pub fn try_take(&self) -> Option<T> {
        self.state().message.take()
    }

    /// Waits for a message; none at the end.
    pub fn take(&self) -> Option<T> {
        let is_idle = |state: &mut State<T>| state.message.is_none() && !state.is_closed;
        let state = self.changed.wait_while(self.state(), is_idle);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.is_closed { None } else { state.message.take() }
    }

    /// Ends the messages.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn the_newest_message_counts() {
        let mailbox = Mailbox::default();
        assert!(!mailbox.has_news() && mailbox.try_take().is_none());
        mailbox.put(1);
        mailbox.put(2);
        assert!(mailbox.has_news());
        assert_eq!((mailbox.take(), mailbox.try_take()), (Some(2), None));
        thread::scope(|scope| {
            let waiting = scope.spawn(|| (mailbox.take(), mailbox.take()));
            mailbox.put(3);
            while mailbox.has_news() {
                thread::yield_now();
            }
            mailbox.close();
            assert_eq!(waiting.join().expect("no panic"), (Some(3), None));
        });
    }
}

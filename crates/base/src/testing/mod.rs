//! Support for the tests of every crate (feature `testing`): requirements of every long call, and tests that
//! lack something on this machine.

mod python;
mod skip;
mod stopwatch;

pub use python::python;
pub use skip::{skip, skip_without_gpu};
pub use stopwatch::Stopwatch;

use crate::{CancelToken, ErrorKind, Progress, Task};
use std::{sync::Mutex, thread, time::Duration};

/// Longest time from cancellation to the return of a call, as a [`Stopwatch`] measures it.
pub const LIMIT: Duration = Duration::from_millis(100);

/// Time from the start of a call without reports until another thread cancels it.
const DELAY: Duration = Duration::from_millis(5);

/// Number of attempts in which a call must be fast enough once. Other tests run in the same process.
pub const ATTEMPTS: usize = 8;

/// Checks that `call` returns [`ErrorKind::Cancelled`] if it is cancelled before.
///
/// # Panics
/// If it returns anything else.
pub fn does_not_start(name: &str, call: &mut dyn FnMut(&Task<'_>) -> Result<(), ErrorKind>) {
    let token = CancelToken::new();
    token.cancel();
    assert_eq!(call(&Task::new().with_cancel(&token)), Err(ErrorKind::Cancelled), "{name}");
}

/// Checks that `call` returns [`ErrorKind::Cancelled`] within 100 ms after it is cancelled at its first
/// report, and if it is cancelled before. No report may exceed its total, unless that is 0.
///
/// # Panics
/// If it does not, or if it reports nothing.
pub fn stops(name: &str, call: &mut dyn FnMut(&Task<'_>) -> Result<(), ErrorKind>) {
    let mut least = Duration::MAX;
    for _ in 0..ATTEMPTS {
        let (token, cancelled_at) = (CancelToken::new(), Mutex::new(None));
        let cancel = |progress: Progress| {
            assert!(progress.total == 0 || progress.done <= progress.total, "{name}: {progress:?}");
            token.cancel();
            cancelled_at.lock().expect("no panic").get_or_insert_with(Stopwatch::start);
        };
        let result = call(&Task::new().with_progress(&cancel).with_cancel(&token));
        let time = cancelled_at.into_inner().expect("no panic");
        let time = time.unwrap_or_else(|| panic!("{name}: no report, {result:?}")).elapsed();
        assert_eq!(result, Err(ErrorKind::Cancelled), "{name}");
        least = least.min(time);
        if least <= LIMIT {
            break;
        }
    }
    assert!(least <= LIMIT, "{name}: {least:?}");
    does_not_start(name, call);
}

/// Checks a call that reports nothing. It must return within 100 ms after another thread cancels it, complete
/// or with [`ErrorKind::Cancelled`]. If it is cancelled before, it must return [`ErrorKind::Cancelled`].
///
/// # Panics
/// If it does not, or if it reports something.
pub fn stops_silently(name: &str, call: &mut dyn FnMut(&Task<'_>) -> Result<(), ErrorKind>) {
    let mut least = Duration::MAX;
    for _ in 0..ATTEMPTS {
        let (token, cancelled_at) = (CancelToken::new(), Mutex::new(None));
        let reports = Mutex::new(Vec::new());
        let report = |progress: Progress| reports.lock().expect("no panic").push(progress);
        let result = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(DELAY);
                *cancelled_at.lock().expect("no panic") = Some(Stopwatch::start());
                token.cancel();
            });
            call(&Task::new().with_progress(&report).with_cancel(&token))
        });
        assert!(matches!(result, Ok(()) | Err(ErrorKind::Cancelled)), "{name}: {result:?}");
        assert_eq!(reports.into_inner().expect("no panic"), [], "{name}");
        let time = cancelled_at.into_inner().expect("no panic").expect("the thread has ended").elapsed();
        least = least.min(time);
        if least <= LIMIT {
            break;
        }
    }
    assert!(least <= LIMIT, "{name}: {least:?}");
    does_not_start(name, call);
}

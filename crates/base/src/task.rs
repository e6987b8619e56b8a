//! Connection between a long call and its caller.

use crate::{CancelToken, Cancelled, Threads};
use std::fmt;

/// Items of a piece of [`Task::in_pieces`]: few enough for a power for each.
const PIECE: usize = 1 << 16;

/// The last argument of every long call. It determines where the call reports its progress, how the caller
/// stops it, and on which threads it works.
///
/// A `Task` borrows a callback and a [`CancelToken`], which are both optional. It is `Copy`, and threads
/// share it.
#[derive(Clone, Copy, Default)]
pub struct Task<'a> {
    on_progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    cancel: Option<&'a CancelToken>,
    threads: Threads,
}

/// Progress of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Current stage. A call with several stages starts each of them at 0.
    pub stage: Stage,
    /// Work done in this stage, in a unit that the call chooses (blocks, bytes, pixels).
    pub done: u64,
    /// Work of the whole stage in the same unit; 0 if it is not yet known.
    pub total: u64,
}

impl Progress {
    /// Returns the completed share of the stage, 0 to 1, or `None` if the total is unknown.
    pub fn fraction(&self) -> Option<f64> {
        (self.total > 0).then(|| (self.done as f64 / self.total as f64).min(1.0))
    }
}

/// Stage of a long call. Its [`Display`](fmt::Display) form is a word for a progress bar, such as `encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// An input is read.
    Reading,
    /// Blocks or bricks are encoded.
    Encoding,
    /// Blocks or bricks are decoded.
    Decoding,
    /// An output is written.
    Writing,
    /// Two inputs are compared.
    Comparing,
    /// Checksums and structure are verified.
    Verifying,
    /// Values are counted.
    Analyzing,
    /// An input is prepared: mip levels are filtered, or a volume is prepared for rendering.
    Preparing,
    /// Pixels are rendered.
    Rendering,
    /// Jobs of a batch are completed.
    Batch,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reading => "reading",
            Self::Encoding => "encoding",
            Self::Decoding => "decoding",
            Self::Writing => "writing",
            Self::Comparing => "comparing",
            Self::Verifying => "verifying",
            Self::Analyzing => "analyzing",
            Self::Preparing => "preparing",
            Self::Rendering => "rendering",
            Self::Batch => "working",
        })
    }
}

impl<'a> Task<'a> {
    /// Returns a task that reports nothing and is never cancelled.
    pub const fn new() -> Self {
        Self { on_progress: None, cancel: None, threads: Threads::Pool }
    }

    /// Calls `callback` as the work proceeds. Calls come from any thread. Reports of several threads may
    /// arrive out of order.
    #[must_use]
    pub const fn with_progress(self, callback: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Self { on_progress: Some(callback), ..self }
    }

    /// Stops when `token` is cancelled.
    #[must_use]
    pub const fn with_cancel(self, token: &'a CancelToken) -> Self {
        Self { cancel: Some(token), ..self }
    }

    /// Works on these threads. Default: [`Threads::Pool`].
    #[must_use]
    pub const fn with_threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Returns the same task without a callback, for parts of a call that reports its own progress.
    #[must_use]
    pub const fn without_progress(self) -> Self {
        Self { on_progress: None, ..self }
    }

    /// Returns the task's token, for streams that outlive the call and stop with it.
    pub const fn cancel_token(&self) -> Option<&'a CancelToken> {
        self.cancel
    }

    /// Returns the threads on which the call works.
    pub const fn threads(&self) -> Threads {
        self.threads
    }

    /// Checks for cancellation. Each thread of a long call does so between small pieces of its work.
    ///
    /// # Errors
    /// [`Cancelled`] if the token is cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Calls `work` for pieces of `items` in order, on the calling thread. Checks for cancellation before
    /// each piece.
    ///
    /// # Errors
    /// [`Cancelled`] if the token is cancelled. The items of later pieces are then unchanged.
    pub fn in_pieces<T>(&self, items: &mut [T], mut work: impl FnMut(&mut [T])) -> Result<(), Cancelled> {
        items.chunks_mut(PIECE).try_for_each(|piece| {
            self.check()?;
            work(piece);
            Ok(())
        })
    }

    /// Returns each item converted, on the calling thread. Checks for cancellation as
    /// [`in_pieces`](Self::in_pieces) does.
    ///
    /// # Errors
    /// [`Cancelled`] if the token is cancelled.
    pub fn map_in_pieces<T, U>(
        &self,
        items: &[T],
        mut convert: impl FnMut(&T) -> U,
    ) -> Result<Vec<U>, Cancelled> {
        let mut converted = Vec::with_capacity(items.len());
        for piece in items.chunks(PIECE) {
            self.check()?;
            converted.extend(piece.iter().map(&mut convert));
        }
        Ok(converted)
    }

    /// True if the token is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }

    /// Reports that `done` of `total` units of `stage` are done.
    pub fn report(&self, stage: Stage, done: u64, total: u64) {
        if let Some(on_progress) = self.on_progress {
            on_progress(Progress { stage, done, total });
        }
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_callback = self.on_progress.is_some();
        f.debug_struct("Task")
            .field("on_progress", &has_callback)
            .field("cancel", &self.cancel)
            .field("threads", &self.threads)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn pieces_follow_each_other_until_a_token_stops() {
        let token = CancelToken::new();
        let mut items = vec![0; 3 * PIECE];
        let result = Task::new().with_cancel(&token).in_pieces(&mut items, |piece| {
            piece.fill(1);
            token.cancel();
        });
        assert_eq!(result, Err(Cancelled));
        assert_eq!(items.iter().sum::<usize>(), PIECE);
        assert_eq!(Task::new().in_pieces(&mut items, |piece| piece.fill(2)), Ok(()));
        assert!(items.iter().all(|item| *item == 2));
        let mut count = 0;
        let mut convert = |item: &usize| {
            count += 1;
            item + count
        };
        assert_eq!(Task::new().with_cancel(&token).map_in_pieces(&items, &mut convert), Err(Cancelled));
        assert_eq!(Task::new().map_in_pieces(&items[..2], &mut convert), Ok(vec![3, 4]));
    }

    #[test]
    fn reports_reach_the_callback_and_a_token_stops() {
        let seen = Mutex::new(Vec::new());
        let callback = |progress| seen.lock().expect("no panic").push(progress);
        let token = CancelToken::new();
        let task = Task::new().with_progress(&callback).with_cancel(&token);
        task.report(Stage::Encoding, 1, 4);
        task.without_progress().report(Stage::Encoding, 2, 4);
        assert_eq!(task.check(), Ok(()));
        token.clone().cancel();
        assert_eq!(task.check(), Err(Cancelled));
        assert_eq!(Task::new().check(), Ok(()));
        assert_eq!(task.with_threads(Threads::Calling).without_progress().threads(), Threads::Calling);
        assert_eq!(task.threads(), Threads::Pool);
        let seen = seen.into_inner().expect("no panic");
        assert_eq!(seen, [Progress { stage: Stage::Encoding, done: 1, total: 4 }]);
        assert_eq!(seen[0].fraction(), Some(0.25));
        assert_eq!(Progress { total: 0, ..seen[0] }.fraction(), None);
    }
}

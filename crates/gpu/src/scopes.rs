//! Error scopes around wgpu's calls. Their errors are known at once on native devices, and later in browsers.

use crate::GpuError;
use std::{
    fmt,
    pin::Pin,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{self, Poll, Waker},
};

/// First error of a piece of work.
#[cfg(not(target_arch = "wasm32"))]
type Found = Pin<Box<dyn Future<Output = Option<wgpu::Error>> + Send>>;
#[cfg(target_arch = "wasm32")]
type Found = Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>;

/// Work within error scopes, named for messages.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A call, with its name in messages.
    Call(&'static str),
    /// The compilation of the kernel with this name.
    Kernel(String),
}

impl Work {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Call(what) => what,
            Self::Kernel(_) => "compiling a kernel",
        }
    }

    /// Returns the error for a reason other than memory or a lost device.
    pub fn refused(&self, reason: String) -> GpuError {
        match self {
            Self::Call(what) => GpuError::Validation { what, reason },
            Self::Kernel(name) => GpuError::KernelRefused { kernel: name.clone(), reason },
        }
    }
}

/// Work whose scopes are closed.
pub(crate) struct Scoped {
    pub work: Work,
    found: Found,
}

impl Scoped {
    /// Runs `call` within scopes for every kind of error.
    pub fn run<T>(device: &wgpu::Device, work: Work, call: impl FnOnce() -> T) -> (T, Self) {
        let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = call();
        let (validation, internal, memory) = (validation.pop(), internal.pop(), memory.pop());
        let found = async move {
            let (validation, internal, memory) = (validation.await, internal.await, memory.await);
            validation.or(internal).or(memory)
        };
        (result, Self { work, found: Box::pin(found) })
    }

    /// Returns the error, if any, once that is known. Does not wait.
    pub fn poll(&mut self) -> Poll<Option<wgpu::Error>> {
        self.found.as_mut().poll(&mut task::Context::from_waker(Waker::noop()))
    }

    /// Waits until the error, if any, is known.
    pub async fn error(&mut self) -> Option<wgpu::Error> {
        self.found.as_mut().await
    }
}

/// Closed scopes whose errors are not yet known. Empty on native devices.
#[derive(Default)]
pub(crate) struct Unsettled(Mutex<Vec<Scoped>>);

impl fmt::Debug for Unsettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unsettled").finish_non_exhaustive()
    }
}

impl Unsettled {
    fn lock(&self) -> MutexGuard<'_, Vec<Scoped>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn push(&self, scoped: Scoped) {
        self.lock().push(scoped);
    }

    /// Waits for the oldest scope, which stays on the list until its error is known.
    pub async fn next(&self) -> Option<(Work, Option<wgpu::Error>)> {
        std::future::poll_fn(|task| {
            let mut all = self.lock();
            let Some(first) = all.first_mut() else { return Poll::Ready(None) };
            match first.found.as_mut().poll(task) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(error) => Poll::Ready(Some((all.remove(0).work, error))),
            }
        })
        .await
    }

    /// Returns the first error that has become known. Each error is returned once.
    pub fn first_error(&self) -> Option<(Work, wgpu::Error)> {
        let mut all = self.lock();
        let mut place = 0;
        while place < all.len() {
            match all[place].poll() {
                Poll::Pending => place += 1,
                Poll::Ready(None) => drop(all.remove(place)),
                Poll::Ready(Some(error)) => return Some((all.remove(place).work, error)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{pending, ready};

    fn scoped(
        what: &'static str,
        found: impl Future<Output = Option<wgpu::Error>> + Send + 'static,
    ) -> Scoped {
        Scoped { work: Work::Call(what), found: Box::pin(found) }
    }

    /// Simulates a browser's error, which is not available at first.
    fn late(error: Option<wgpu::Error>) -> impl Future<Output = Option<wgpu::Error>> + Send {
        let (mut polls, mut error) = (0, Some(error));
        std::future::poll_fn(move |_| {
            polls += 1;
            if polls < 3 { Poll::Pending } else { Poll::Ready(error.take().flatten()) }
        })
    }

    fn error(text: &str) -> Option<wgpu::Error> {
        Some(wgpu::Error::Validation { source: text.into(), description: text.to_owned() })
    }

    #[test]
    fn errors_are_returned_once_when_they_are_known() {
        let unsettled = Unsettled::default();
        unsettled.push(scoped("never known", pending()));
        unsettled.push(scoped("fine", ready(None)));
        unsettled.push(scoped("late", late(error("a reason"))));
        assert!(unsettled.first_error().is_none());
        assert_eq!(unsettled.lock().len(), 2);
        assert!(unsettled.first_error().is_none());
        let (work, error) = unsettled.first_error().expect("an error");
        assert_eq!((work.name(), error.to_string().contains("a reason")), ("late", true));
        assert!(unsettled.first_error().is_none());
        assert_eq!(unsettled.lock().len(), 1);
    }

    #[test]
    fn the_oldest_error_comes_first_and_none_is_lost() {
        let unsettled = Unsettled::default();
        unsettled.push(scoped("first", late(error("a reason"))));
        unsettled.push(scoped("second", ready(error("another"))));
        // A dropped future does not remove anything.
        let mut task = task::Context::from_waker(Waker::noop());
        assert!(std::pin::pin!(unsettled.next()).poll(&mut task).is_pending());
        let mut next = || loop {
            if let Poll::Ready(found) = std::pin::pin!(unsettled.next()).poll(&mut task) {
                return found.map(|(work, error)| (work.name().to_owned(), error.is_some()));
            }
        };
        let found = [next(), next(), next()];
        assert_eq!(found, [Some(("first".to_owned(), true)), Some(("second".to_owned(), true)), None]);
    }

    #[test]
    fn refused_kernels_are_named() {
        let refused = Work::Kernel("a kernel".to_owned()).refused("a reason".to_owned());
        assert_eq!(refused.to_string(), "kernel a kernel was refused: a reason");
        let refused = Work::Call("a call").refused("a reason".to_owned());
        assert_eq!(refused.to_string(), "a call: a reason");
    }
}

//! Calls without the interpreter's lock: threads, progress, signals.

use brickwork_base::{CancelToken, Progress, Task, Threads};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError},
    prelude::*,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    collections::HashMap,
    num::NonZero,
    process,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// Bytes of voxels or texels up to which a call works on the calling thread and ignores signals.
const SHORT_BYTES: u64 = 1 << 20;

/// Time between two checks for signals.
const PERIOD: Duration = Duration::from_millis(50);

/// Threads, progress and extent of a call.
#[derive(Debug)]
pub struct Work {
    /// Number of threads, or `None` for one per CPU core.
    pub threads: Option<NonZero<usize>>,
    /// Python's `progress(stage, done, total)`.
    pub progress: Option<Py<PyAny>>,
    /// Bytes of voxels or texels.
    pub byte_count: u64,
}

impl Work {
    /// Calls `job` without the interpreter's lock. Meanwhile the calling thread reports progress, and checks
    /// for signals: Ctrl-C cancels the job.
    ///
    /// # Errors
    /// The exception of a signal handler or of the callback, after which the result of `job` is dropped.
    /// `TypeError` if the callback cannot be called.
    pub fn run<R: Send>(self, py: Python<'_>, job: impl FnOnce(&Task<'_>) -> R + Send) -> PyResult<R> {
        if let Some(progress) = self.progress.as_ref().map(|progress| progress.bind(py))
            && !progress.is_callable()
        {
            let found = progress.get_type().name()?;
            return Err(PyTypeError::new_err(format!("progress must be a function, not {found}")));
        }
        if self.byte_count <= SHORT_BYTES && self.progress.is_none() {
            let task = Task::new().with_threads(Threads::Calling);
            return Ok(py.detach(|| job(&task)));
        }
        let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let count = self.threads.unwrap_or_else(cores).get();
        let watch = Watch::default();
        let progress = self.progress.as_ref();
        if count == 1 {
            return py.detach(|| {
                thread::scope(|scope| {
                    scope.spawn(|| watch.work(Threads::Calling, job));
                    watch.wait(progress)
                })
            });
        }
        let pool = pool(count)?;
        py.detach(|| {
            pool.in_place_scope(|scope| {
                scope.spawn(|_| watch.work(Threads::Pool, job));
                watch.wait(progress)
            })
        })
    }
}

/// Returns a pool of `count` threads. A forked process has no threads, so it gets new pools.
fn pool(count: usize) -> PyResult<Arc<ThreadPool>> {
    /// Pools by process and number of threads.
    type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;
    static POOLS: Mutex<Option<Pools>> = Mutex::new(None);
    let mut pools = lock(&POOLS);
    let pools = pools.get_or_insert_default();
    if let Some(pool) = pools.get(&(process::id(), count)) {
        return Ok(pool.clone());
    }
    let pool = ThreadPoolBuilder::new().num_threads(count).build();
    let pool = Arc::new(pool.map_err(|error| PyRuntimeError::new_err(format!("{count} threads: {error}")))?);
    pools.insert((process::id(), count), pool.clone());
    Ok(pool)
}

/// A job and the thread that waits for it.
#[derive(Debug)]
struct Watch<R> {
    token: CancelToken,
    latest: Mutex<Option<Progress>>,
    state: Mutex<State<R>>,
    ended: Condvar,
}

/// State of a job.
#[derive(Debug)]
enum State<R> {
    Working,
    Done(R),
    Panicked,
}

impl<R> Default for Watch<R> {
    fn default() -> Self {
        Self {
            token: CancelToken::new(),
            latest: Mutex::new(None),
            state: Mutex::new(State::Working),
            ended: Condvar::new(),
        }
    }
}

impl<R: Send> Watch<R> {
    /// Does the job, on a worker.
    fn work(&self, threads: Threads, job: impl FnOnce(&Task<'_>) -> R) {
        /// Ends the wait if the job panics. The scope then raises the panic again.
        struct End<'a, R>(&'a Watch<R>);
        impl<R> Drop for End<'_, R> {
            fn drop(&mut self) {
                let mut state = lock(&self.0.state);
                if matches!(*state, State::Working) {
                    *state = State::Panicked;
                }
                self.0.ended.notify_all();
            }
        }
        let end = End(self);
        let on_progress = |progress| *lock(&self.latest) = Some(progress);
        let task = Task::new().with_cancel(&self.token).with_progress(&on_progress).with_threads(threads);
        let result = job(&task);
        *lock(&self.state) = State::Done(result);
        drop(end);
    }

    /// Waits for the end of the job.
    fn wait(&self, callback: Option<&Py<PyAny>>) -> PyResult<R> {
        let mut raised = Ok(());
        let mut state = lock(&self.state);
        while matches!(*state, State::Working) {
            let (waited, _) = self.ended.wait_timeout(state, PERIOD).unwrap_or_else(PoisonError::into_inner);
            state = waited;
            if matches!(*state, State::Working) && raised.is_ok() {
                drop(state);
                raised = Python::attach(|py| {
                    py.check_signals()?;
                    self.report(py, callback)
                });
                if raised.is_err() {
                    self.token.cancel();
                }
                state = lock(&self.state);
            }
        }
        let ended = std::mem::replace(&mut *state, State::Panicked);
        drop(state);
        raised?;
        match ended {
            State::Done(result) => {
                Python::attach(|py| self.report(py, callback))?;
                Ok(result)
            }
            State::Working | State::Panicked => Err(PyRuntimeError::new_err("a worker thread panicked")),
        }
    }

    /// Calls the callback with the latest progress, if it is new.
    fn report(&self, py: Python<'_>, callback: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(callback) = callback else { return Ok(()) };
        let Some(Progress { stage, done, total, .. }) = lock(&self.latest).take() else { return Ok(()) };
        callback.call1(py, (stage.to_string(), done, total)).map(drop)
    }
}

/// Locks a mutex; no state here is broken by a panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

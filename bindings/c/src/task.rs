//! Progress, cancellation and threads of a call.

use crate::{
    names::{self, STAGES},
    pointer::{Handle, In, InStruct, NewHandle, Out, User},
    status::{Failure, Status, guarded, in_callback},
    structs::{ProgressFn, TaskConfig},
};
use brickwork_base::{CancelToken, Cancelled, ErrorKind, Progress, Threads};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// Largest number of threads. A larger one is a mistake.
const MAX_THREADS: u32 = 4096;

/// `brickwork_task`
#[derive(Debug)]
pub struct Task {
    cancel: CancelToken,
    on_progress: ProgressFn,
    user: User,
    /// Lock for one call of the callback at a time.
    turn: Mutex<()>,
    /// Only the calling thread works.
    is_single: bool,
    /// The task's own threads; none for those of the process.
    pool: Option<ThreadPool>,
    /// Lock for one call at a time on the task's own threads. A thread that waits for a part of its call may
    /// begin the next call, which would then wait for what the first holds, such as a GPU.
    calls: Mutex<()>,
}

impl Task {
    fn new(config: Option<TaskConfig>) -> Result<Self, Failure> {
        let none = TaskConfig { struct_size: 0, threads: 0, on_progress: None, user: User::NULL };
        let TaskConfig { threads, on_progress, user, .. } = config.unwrap_or(none);
        let pool = match threads {
            0 | 1 => None,
            2..=MAX_THREADS => {
                let pool = ThreadPoolBuilder::new().num_threads(threads as usize).build();
                let failure =
                    |error| Failure::of(ErrorKind::Limit, format!("cannot start {threads} threads: {error}"));
                Some(pool.map_err(failure)?)
            }
            _ => return Err(Failure::argument(format!("threads is {threads}, at most {MAX_THREADS}"))),
        };
        let (cancel, turn) = (CancelToken::new(), Mutex::new(()));
        Ok(Self { cancel, on_progress, user, turn, is_single: threads == 1, pool, calls: Mutex::new(()) })
    }

    /// Calls `work` with the library's form of this task, on its threads.
    pub fn run<R: Send>(&self, work: impl FnOnce(&brickwork_base::Task<'_>) -> R + Send) -> R {
        let (user, turn) = (self.user, &self.turn);
        let task = brickwork_base::Task::new().with_cancel(&self.cancel).with_threads(if self.is_single {
            Threads::Calling
        } else {
            Threads::Pool
        });
        let report = |progress: Progress| {
            if let Some(on_progress) = self.on_progress {
                let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
                let stage = names::number(STAGES, progress.stage);
                in_callback(|| on_progress(user, stage, progress.done, progress.total));
            }
        };
        let task = if self.on_progress.is_some() { task.with_progress(&report) } else { task };
        match &self.pool {
            Some(pool) => {
                let _call = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
                pool.install(|| work(&task))
            }
            None => work(&task),
        }
    }
}

/// Calls `work` with a task, or with one that reports nothing. Fails at once if the task is cancelled.
pub fn run<R: Send>(
    task: &In<Task>,
    work: impl FnOnce(&brickwork_base::Task<'_>) -> Result<R, Failure> + Send,
) -> Result<R, Failure> {
    match task.get("task")? {
        Some(task) if task.cancel.is_cancelled() => Err(Failure::of(ErrorKind::Cancelled, Cancelled)),
        Some(task) => task.run(work),
        None => work(&brickwork_base::Task::new()),
    }
}

/// Sets the defaults of a task.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_task_config_init(mut config: Out<TaskConfig>, struct_size: usize) -> Status {
    guarded(|| {
        let size = size_of::<TaskConfig>() as u32;
        let defaults = TaskConfig { struct_size: size, threads: 0, on_progress: None, user: User::NULL };
        config.put_sized(defaults, struct_size, "config")
    })
}

/// Creates a task.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_task_create(config: InStruct<TaskConfig>, mut task: NewHandle<Task>) -> Status {
    guarded(|| task.fill("task", || Task::new(config.get("config")?)))
}

/// Cancels the calls of a task.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_task_cancel(task: Handle<Task>) {
    if let Some(task) = task.get() {
        task.cancel.cancel();
    }
}

/// Ends the handle.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_task_free(task: Handle<Task>) {
    task.free();
}

//! Work on the threads that a task names: those of rayon's pool, or the calling one.

use crate::Task;

/// Returns how many threads work for a task.
pub fn thread_count(task: &Task<'_>) -> usize {
    #[cfg(feature = "rayon")]
    if task.threads() == crate::Threads::Pool {
        return rayon::current_num_threads();
    }
    let _ = task;
    1
}

/// Returns the results of `work` for each item, in order.
///
/// # Errors
/// One of the errors of `work`.
pub fn try_map<I: Send, R: Send, E: Send>(
    task: &Task<'_>,
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    try_map_with(task, items, || (), |(), item| work(item))
}

/// Works like [`try_map`], with a state that `work` may change. `state` creates one for each thread, or more
/// often.
///
/// # Errors
/// One of the errors of `work`.
pub fn try_map_with<I: Send, S, R: Send, E: Send>(
    task: &Task<'_>,
    items: impl IntoIterator<Item = I>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "rayon")]
    if task.threads() == crate::Threads::Pool {
        use rayon::prelude::*;
        let items: Vec<I> = items.into_iter().collect();
        return items.into_par_iter().map_init(&state, &work).collect();
    }
    let _ = task;
    let mut state = state();
    items.into_iter().map(|item| work(&mut state, item)).collect()
}

/// Returns the results of `work`, done at most `most` times: once per thread, at the same time.
///
/// # Errors
/// One of the errors of `work`.
pub fn try_each_thread<R: Send, E: Send>(
    task: &Task<'_>,
    most: usize,
    work: impl Fn() -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let count = thread_count(task).min(most).max(1);
    #[cfg(feature = "rayon")]
    if task.threads() == crate::Threads::Pool {
        use rayon::prelude::*;
        return (0..count).into_par_iter().with_max_len(1).map(|_| work()).collect();
    }
    (0..count).map(|_| work()).collect()
}

/// Calls `work` for each item.
///
/// # Errors
/// One of the errors of `work`.
pub fn try_for_each<I: Send, E: Send>(
    task: &Task<'_>,
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> Result<(), E> + Sync,
) -> Result<(), E> {
    try_for_each_with(task, items, || (), |(), item| work(item))
}

/// Works like [`try_for_each`], with a state that `work` may change. `state` creates one for each thread, or
/// more often.
///
/// # Errors
/// One of the errors of `work`.
pub fn try_for_each_with<I: Send, S, E: Send>(
    task: &Task<'_>,
    items: impl IntoIterator<Item = I>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> Result<(), E> + Sync,
) -> Result<(), E> {
    #[cfg(feature = "rayon")]
    if task.threads() == crate::Threads::Pool {
        use rayon::prelude::*;
        let items: Vec<I> = items.into_iter().collect();
        return items.into_par_iter().try_for_each_init(&state, &work);
    }
    let _ = task;
    let mut state = state();
    items.into_iter().try_for_each(|item| work(&mut state, item))
}

//! Work on the threads that a task names: those of rayon's pool, or the calling one.

use crate::Task;

/// Returns the results of `work` for each item, in order.
///
/// # Errors
/// One of the errors of `work`.
pub fn try_map<I: Send, R: Send, E: Send>(
    task: &Task<'_>,
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "rayon")]
    if task.threads() == crate::Threads::Pool {
        use rayon::prelude::*;
        let items: Vec<I> = items.into_iter().collect();
        return items.into_par_iter().map(&work).collect();
    }
    let _ = task;
    items.into_iter().map(work).collect()
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

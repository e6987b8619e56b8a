//! Work shared by threads, with the feature `rayon`, or done in order.

/// What `work` makes of each number below `count`, in order.
pub fn map<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(&work).collect()
    }
    #[cfg(not(feature = "rayon"))]
    {
        (0..count).map(work).collect()
    }
}

/// Runs `work` once per thread, at the same time where there are several.
pub fn on_each_thread<R: Send>(work: impl Fn() -> R + Sync) -> Vec<R> {
    #[cfg(feature = "rayon")]
    let count = rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let count = 1;
    map(count, |_| work())
}

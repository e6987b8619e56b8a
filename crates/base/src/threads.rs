//! Choice of threads.

/// Threads on which a long call works. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Threads {
    /// The threads of the rayon pool in which the call is made, or of rayon's global pool. In builds without
    /// the feature `rayon`, only the calling thread.
    #[default]
    Pool,
    /// Only the calling thread. This is for callers with many separate threads, which would wait for each
    /// other at the pool.
    Calling,
}

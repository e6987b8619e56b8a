//! The choice of threads.

/// Threads that a long call works on. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Threads {
    /// The threads of the rayon pool in which the call is made, or of rayon's global pool. In builds without
    /// the feature `rayon` the calling thread.
    #[default]
    Pool,
    /// The calling thread alone: for callers that bring many threads, which would wait for each other at the
    /// pool.
    Calling,
}

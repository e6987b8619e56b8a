//! Options of a context.

use crate::AdapterChoice;
use std::path::PathBuf;

/// Options of a [`Context`](crate::Context).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ContextOptions {
    /// Choice of the GPU. Default: [`AdapterChoice::Best`].
    pub adapter: AdapterChoice,
    /// Folder in which [`Context::save_cache`](crate::Context::save_cache) keeps compiled kernels and
    /// properties of the GPU between runs. Only the user may have write access to it, because drivers trust
    /// its contents. Default: none.
    pub cache_folder: Option<PathBuf>,
    /// True to request no optional features, as on the least capable device. For tests. Default: false.
    pub plain: bool,
}

impl ContextOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

//! Options of a context.

use crate::AdapterChoice;
use std::path::{Path, PathBuf};

/// Options of a [`Context`](crate::Context).
#[derive(Clone, Debug, Default)]
pub struct ContextOptions {
    adapter: AdapterChoice,
    cache_folder: Option<PathBuf>,
    plain: bool,
}

impl ContextOptions {
    /// Returns the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects the GPU. Default: [`AdapterChoice::Best`].
    #[must_use]
    pub fn with_adapter(mut self, adapter: AdapterChoice) -> Self {
        self.adapter = adapter;
        self
    }

    /// Sets the folder in which [`Context::save_cache`](crate::Context::save_cache) keeps compiled kernels
    /// and properties of the GPU between runs. Only the user may have write access to it, because drivers
    /// trust its contents. Default: none.
    #[must_use]
    pub fn with_cache_folder(mut self, folder: Option<PathBuf>) -> Self {
        self.cache_folder = folder;
        self
    }

    /// Requests no optional features if `plain` is true, as on the least capable device. For tests. Default:
    /// false.
    #[must_use]
    pub fn with_plain(mut self, plain: bool) -> Self {
        self.plain = plain;
        self
    }

    /// Returns the choice of the GPU.
    pub fn adapter(&self) -> &AdapterChoice {
        &self.adapter
    }

    /// Returns the folder of compiled kernels.
    pub fn cache_folder(&self) -> Option<&Path> {
        self.cache_folder.as_deref()
    }

    /// True if no optional features are requested.
    pub fn is_plain(&self) -> bool {
        self.plain
    }
}

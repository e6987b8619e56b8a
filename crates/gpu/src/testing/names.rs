//! Names of kernels.

use crate::Kernel;
use std::collections::HashMap;

/// Kernels of one name have one text and one list of bindings, because pipelines are kept by name
/// ([`Context::pipeline`](crate::Context::pipeline)).
///
/// # Panics
/// If two differ.
pub fn assert_one_text_per_name(kernels: &[Kernel]) {
    assert!(!kernels.is_empty());
    let mut known = HashMap::new();
    for kernel in kernels {
        let first = known.entry(kernel.name()).or_insert(kernel);
        assert_eq!(first.bindings(), kernel.bindings(), "two kernels are called {}", kernel.name());
        let differs = first.wgsl().lines().zip(kernel.wgsl().lines()).find(|(one, other)| one != other);
        let is_same = first.wgsl() == kernel.wgsl();
        assert!(is_same, "two kernels are called {}; they differ first in {differs:?}", kernel.name());
    }
}

//! Names of kernels.

use crate::Kernel;
use std::collections::HashMap;

/// Asserts that kernels with the same name have the same WGSL and bindings, because pipelines are kept by
/// name ([`Context::pipeline`](crate::Context::pipeline)).
///
/// # Panics
/// If two kernels with the same name differ.
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

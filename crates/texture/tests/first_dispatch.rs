//! Tests that every kernel compiles quickly, because an application waits for it at the first dispatch. Two
//! tests have half of the kernels each, so that they run side by side.

use brickwork_gpu::{Kernel, testing::assert_compiled_soon};
use brickwork_texture::gpu::kernels;

// Measured on Mesa 25.0.7, on two idle machines: 14.6 to 20.7 for "bc1 climb".
//
// SwiftShader of Chromium 156 on a busy machine: 12.1 and 13.3 for the climb of the quality best, 7.9 for the
// next, 15.4 for "bc1 descend". SwiftShader on two idle machines: 20.3 for "bc1 descend".
const MAX_REFERENCES: [(&str, f64); 3] = [("Mesa 25.", 36.0), ("SwiftShader", 25.0), ("", 60.0)];

/// Returns every other kernel, from `first` on.
fn every_other(first: usize) -> Vec<Kernel> {
    kernels().into_iter().skip(first).step_by(2).collect()
}

#[test]
fn half_of_the_kernels_are_compiled_soon() {
    let kernels = every_other(0);
    assert_compiled_soon(module_path!(), "half_of_the_kernels_are_compiled_soon", &kernels, &MAX_REFERENCES);
}

#[test]
fn the_other_kernels_are_compiled_soon() {
    let kernels = every_other(1);
    assert_compiled_soon(module_path!(), "the_other_kernels_are_compiled_soon", &kernels, &MAX_REFERENCES);
}

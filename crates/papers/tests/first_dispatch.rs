//! Tests that every kernel compiles in a time that measurements can wait for.

use brickwork_gpu::testing::assert_compiled_soon;
use brickwork_papers::kernels;

// Measured on Mesa 25.0.7, on two machines: 18.1 and 25.8 for "lsdxt local 3", 12.3 and 19.5 for the largest
// of cluster fit. Mesa on a busy machine: 30.2 for "lsdxt local 3".
const MAX_REFERENCES: [(&str, f64); 3] = [("Mesa 25.", 36.0), ("SwiftShader", 25.0), ("", 60.0)];

#[test]
fn kernels_are_compiled_soon() {
    assert_compiled_soon(module_path!(), "kernels_are_compiled_soon", &kernels(), &MAX_REFERENCES);
}

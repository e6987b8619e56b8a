//! Every kernel compiles quickly: an application waits for it at the first dispatch.

use brickwork_gpu::testing::assert_compiled_soon;
use brickwork_texture::gpu::kernels;

#[test]
fn every_kernel_is_compiled_soon() {
    let most = [("Mesa 22.", 1.0), ("Mesa 25.", 1.0), ("SwiftShader", 1.0), ("", 1.0)];
    assert_compiled_soon(module_path!(), "every_kernel_is_compiled_soon", &kernels(), &most);
}

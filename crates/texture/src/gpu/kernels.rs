//! All kernels of this crate.

use super::{filter, load, mip, normals};
use brickwork_gpu::Kernel;

/// Returns all kernels, uncompiled. For tests, and for programs that compile the WGSL themselves.
pub fn kernels() -> Vec<Kernel> {
    let mut kernels = load::kernels();
    kernels.extend(mip::kernels());
    kernels.extend(filter::kernels());
    kernels.extend(normals::kernels());
    kernels.extend(crate::codecs::kernels());
    kernels.extend(crate::direct::kernels::all());
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgsl::WGSL;
    use brickwork_gpu::testing::assert_files_used;

    #[test]
    fn every_file_is_used_and_uses_what_it_needs() {
        assert_files_used(&WGSL, &kernels());
    }
}

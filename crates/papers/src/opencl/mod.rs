//! "High Quality DXT Compression using OpenCL" (NVIDIA, 2009): the kernel of the [CUDA paper](crate::cuda)
//! on devices of any vendor.
//!
//! - The kernel without CUDA: the WGSL of [`crate::cuda`], for Vulkan, Metal and Direct3D 12. Browsers
//!   run the stages of the texture crate.
//! - Tables 1 and 2: here, with the measurements of `cuda`.
//!
//! Its listings of the tie-break repeat two lines by mistake (`cmp[6]` and `cmp[14]`); the CUDA paper has
//! them right.

use crate::{
    cuda,
    measure::{TimeFigures, TimeTable},
};

/// The paper.
const PAPER: &str = "High Quality DXT Compression using OpenCL (NVIDIA, 2009)";

/// Returns tables 1 and 2 with these measurements.
pub(crate) fn tables(qualities: &[TimeFigures], variants: &[TimeFigures]) -> [TimeTable; 2] {
    let devices = [("Tesla C1060", 83.35), ("GeForce 8800 GTX", 208.69)];
    let devices = [&devices[..], &cuda::CPUS].concat();
    // The first figure by threads is CUDA's and disagrees with the paper's own table 1; it is printed as
    // published.
    cuda::tables_of(PAPER, &devices, [54.66, 86.39, 96.13], qualities, variants)
}

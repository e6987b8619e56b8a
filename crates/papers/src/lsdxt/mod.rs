//! "LSDxt" on GPUs (GraphiCon, in Russian): L. Spiro's method (2011–2012), two layers of linear regression
//! and a search.
//!
//! - The method, on the CPU and in registers with constant indices (sections 5.4 and 5.5): `bc/bc1/lsdxt` of
//!   the texture crate, a method of its encoder.
//! - Local memory (section 4), registers with run-time indices: [`LsdxtVariant`], `kernels.rs`, the WGSL
//!   here.
//! - Subgroups, which section 5.1 misses in OpenCL 1.2: the same.
//! - Tables 2 and 3: `tables.rs`.
//!
//! The paper gives no parameters for its full quality. Ours: radius 4 on all six components, 9⁶ candidates a
//! block, after as many corrections as help.

mod kernels;
mod tables;

use crate::variant_kernels::has_wide_subgroups;
use brickwork_gpu::Context;
use brickwork_texture::gpu::{ChainStep, GpuEncoder};
pub(crate) use tables::{full_quality, refinement};

/// Memory in which kernels of LSDxt ([`Method::Lsdxt`](brickwork_texture::bc::bc1::Method::Lsdxt)) keep their
/// data. All variants return the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LsdxtVariant {
    /// Workgroup memory, with one thread per texel and four blocks per workgroup.
    LocalMemory,
    /// Arrays indexed by values known only at run time, with one thread per block.
    Dynamic,
    /// Registers, with one thread per block, and constants as indices: the texture crate's own.
    #[default]
    Constant,
    /// Registers of a subgroup, with one thread per texel: threads exchange data. For devices whose subgroups
    /// have at least 16 threads.
    Subgroup,
}

impl LsdxtVariant {
    /// All variants.
    pub const ALL: &[Self] = &[Self::LocalMemory, Self::Dynamic, Self::Constant, Self::Subgroup];

    /// Returns an encoder with this variant's kernels; `None` if the device cannot run them.
    pub fn encoder(self, context: &Context) -> Option<GpuEncoder> {
        let is_available = self != Self::Subgroup || has_wide_subgroups(context);
        is_available.then(|| GpuEncoder::with_steps(context.clone(), move |steps| self.edit(steps)))
    }

    /// Returns the steps of a chain with this variant's kernels.
    pub(crate) fn edit(self, steps: Vec<ChainStep>) -> Vec<ChainStep> {
        kernels::edit(self, steps)
    }
}

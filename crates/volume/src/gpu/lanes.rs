//! Ways to form the 32 lanes of a brick.

/// The threads that form the 32 lanes of a brick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lanes {
    /// A workgroup, on any device.
    Workgroup,
    /// A workgroup within one subgroup: on devices whose subgroups always have 32 threads or more.
    Subgroup,
    /// A workgroup whose control flow is proven uniform to the compilers of browsers, which refuse other
    /// barriers.
    Browser,
}

impl Lanes {
    /// Returns the file with the entry point, which calls `run(group: u32, invocation: u32)` with the numbers
    /// of the workgroup and of the lane.
    pub(crate) const fn entry(self) -> &'static str {
        match self {
            Self::Workgroup | Self::Browser => "gpu/kernels/enter_workgroup.wgsl",
            Self::Subgroup => "gpu/kernels/enter_subgroup.wgsl",
        }
    }

    /// Returns the file with `ballot`.
    pub(super) const fn ballot(self) -> &'static str {
        match self {
            Self::Workgroup | Self::Browser => "gpu/lanes/ballot_workgroup.wgsl",
            Self::Subgroup => "gpu/lanes/ballot_subgroup.wgsl",
        }
    }

    /// Returns the file with `same`.
    pub(super) const fn same(self) -> &'static str {
        match self {
            Self::Workgroup | Self::Subgroup => "gpu/lanes/same_known.wgsl",
            Self::Browser => "gpu/lanes/same_proven.wgsl",
        }
    }
}

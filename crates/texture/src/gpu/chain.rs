//! What a block format hands to this folder: its kernels, one after the other, and what each of them binds.

use brickwork_gpu::{Context, Kernel};

/// The kernels that turn loaded texels into blocks.
///
/// Texels come block by block in a storage buffer, 16 of a block side by side, row by row, in the form that
/// the codec names; texels past the right and lower edge repeat the edge. Of 8 bits a texel is a word, red in
/// its lowest byte; of 16 bits and half floats it is two words, red in the lower half of the first.
pub(crate) struct Chain {
    /// What lies between the kernels.
    pub between: Vec<Between>,
    /// What kernels look up, the same in each call.
    pub tables: Vec<Table>,
    /// The kernels, in order.
    pub steps: Vec<Step>,
    /// Blocks of the first band, before the speed is known: what takes a fraction of a second on a software
    /// adapter.
    pub first_band_blocks: u32,
}

/// A buffer that kernels hand on.
pub(crate) struct Between {
    pub label: &'static str,
    pub bytes_per_block: u64,
}

/// A storage buffer of constants.
pub(crate) struct Table {
    pub label: &'static str,
    /// A multiple of 4 bytes.
    pub contents: Vec<u8>,
}

/// One kernel of a chain.
pub(crate) struct Step {
    pub kernel: Kernel,
    /// What is at each place of bind group 0.
    pub binds: Vec<Bind>,
    /// Parts that one workgroup takes.
    pub parts_per_workgroup: u32,
    /// Blocks that one dispatch takes at most.
    pub blocks_per_dispatch: u32,
    /// What a dispatch has to do.
    pub work: Box<dyn Fn(&Dispatch) -> Work + Send + Sync>,
}

/// What a kernel binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bind {
    /// [`Work::params`], as a uniform.
    Params,
    /// The texels.
    Texels,
    /// The blocks that are written.
    Blocks,
    /// One of [`Chain::between`].
    Between(usize),
    /// One of [`Chain::tables`].
    Table(usize),
}

/// The blocks that one dispatch is about, and where they go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dispatch {
    /// Width and height of the region in texels.
    pub size: [u32; 2],
    /// Blocks in a row of the region.
    pub columns: u32,
    /// The first block of the region that this dispatch takes.
    pub first_block: u32,
    /// One past the last.
    pub end_block: u32,
    /// Where the region's first block goes, in blocks.
    pub target: u32,
    /// Blocks from one row of blocks to the next where they go.
    pub pitch: u32,
    /// Whether the image's texels store alpha.
    pub has_alpha: bool,
}

impl Dispatch {
    /// Whether every block lies wholly in the region.
    pub fn is_whole(&self) -> bool {
        self.size.iter().all(|texels| texels.is_multiple_of(4))
    }
}

/// What a kernel has to do of one dispatch.
pub(crate) struct Work {
    /// Into how many parts each block's work is cut; with 0 there is nothing to do.
    pub parts: u32,
    /// The bytes of the kernel's uniform.
    pub params: Vec<u8>,
}

/// What kernels may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DeviceTraits {
    /// Subgroups of at least 16 threads.
    pub has_wide_subgroups: bool,
}

impl DeviceTraits {
    /// What this device has.
    pub fn of(context: &Context) -> Self {
        Self { has_wide_subgroups: context.has_subgroups() && context.least_subgroup() >= 16 }
    }
}

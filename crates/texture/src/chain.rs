//! A block format's kernels for GPUs: in order, with what each of them binds.

use brickwork_gpu::{Context, Kernel};

/// The kernels that turn loaded texels into blocks.
///
/// Texels come block by block in a storage buffer, 16 texels per block, row by row, in the form that the
/// codec names; texels past the right and lower edges repeat the edge. An 8-bit texel is one word, red in its
/// lowest byte; a texel of 16 bits or half floats is two words, red in the lower half of the first.
pub(crate) struct Chain {
    /// The buffers between the kernels.
    pub between: Vec<Between>,
    /// The tables of the kernels, the same in each call.
    pub tables: Vec<Table>,
    /// The kernels, in order.
    pub steps: Vec<Step>,
    /// One kernel that does the same with texels from a texture.
    pub single: Option<Single>,
    /// Blocks of the first band, before the speed is known: what takes a fraction of a second on a software
    /// adapter.
    pub first_band_blocks: u32,
    /// The most blocks in one submission, whose kernels would else run for so long that a driver's watchdog
    /// stops them; `u32::MAX` where a submission's size does not come near.
    pub most_blocks: u32,
}

/// A buffer that kernels hand from one to the next.
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
    /// The resource at each binding of bind group 0.
    pub binds: Vec<Bind>,
    /// Parts that one workgroup processes.
    pub parts_per_workgroup: u32,
    /// The most blocks in one dispatch.
    pub blocks_per_dispatch: u32,
    /// The work of a dispatch.
    pub work: Box<dyn Fn(&Dispatch) -> Work + Send + Sync>,
}

/// A kernel that loads the texels of a block from a texture, encodes it and stores it (`direct/`).
pub(crate) struct Single {
    /// Its name before the way in which it stores blocks.
    pub name: &'static str,
    /// Adds `own`, for the thread's number in its workgroup of 64, `keep_texel(t: u32, texel: u32)`, for the
    /// texels of its block, and what makes the block of them, `encode_block(visible: u32) -> vec4<u32>`. They
    /// may use `params.zero` and `params.size`.
    pub complete: Box<dyn Fn(Kernel) -> Kernel + Send + Sync>,
}

/// A resource that a kernel binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bind {
    /// [`Work::params`], as a uniform.
    Params,
    /// The texels.
    Texels,
    /// The blocks to write.
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
    /// One past the last block that it takes.
    pub end_block: u32,
    /// The place of the region's first block, in blocks.
    pub target: u32,
    /// Blocks from one row of blocks to the next in the target.
    pub pitch: u32,
    /// True if the image's texels store alpha.
    pub has_alpha: bool,
}

impl Dispatch {
    /// True if every block is entirely in the region.
    pub fn is_whole(&self) -> bool {
        self.size.iter().all(|texels| texels.is_multiple_of(4))
    }
}

/// The work of a kernel in one dispatch.
pub(crate) struct Work {
    /// The number of parts into which each block's work is divided; 0 if there is nothing to do.
    pub parts: u32,
    /// The bytes of the kernel's uniform.
    pub params: Vec<u8>,
}

/// The device's features that kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DeviceTraits {
    /// Subgroups of at least 16 threads.
    pub has_wide_subgroups: bool,
}

impl DeviceTraits {
    /// Returns the features of this device.
    pub fn of(context: &Context) -> Self {
        Self { has_wide_subgroups: context.has_subgroups() && context.least_subgroup() >= 16 }
    }
}

//! A block format's kernels for GPUs: in order, with their bindings.

use brickwork_gpu::Kernel;
use std::borrow::Cow;

/// Kernels that turn loaded texels into blocks.
///
/// Texels are in a storage buffer block by block: 16 texels per block, row by row, in the form that the codec
/// names. Texels past the right and lower edges repeat the edge. An 8-bit texel is one word, red in its
/// lowest byte. A texel of 16 bits or half floats is two words, red in the lower half of the first.
pub(crate) struct Chain {
    /// Buffers between the kernels.
    pub between: Vec<Between>,
    /// Tables of the kernels, the same in each call.
    pub tables: Vec<Table>,
    /// Kernels, in order.
    pub steps: Vec<Step>,
    /// One kernel that does the same with texels from a texture.
    pub single: Option<Single>,
    /// Number of blocks in the first band, before the speed is known. It takes a fraction of a second on a
    /// software adapter.
    pub first_band_blocks: u32,
    /// Maximum number of blocks in one submission, so that its kernels do not run so long that a driver's
    /// watchdog stops them. `u32::MAX` if submissions never get near that.
    pub most_blocks: u32,
}

/// A buffer that kernels pass from one to the next.
pub(crate) struct Between {
    pub label: &'static str,
    pub bytes_per_block: u64,
}

/// A storage buffer of constants.
pub(crate) struct Table {
    pub label: &'static str,
    /// Contents, a multiple of 4 bytes.
    pub contents: Vec<u8>,
}

/// One kernel of a chain.
pub(crate) struct Step {
    pub kernel: Kernel,
    /// Resource at each binding of bind group 0.
    pub binds: Vec<Bind>,
    /// Number of parts that one workgroup processes.
    pub parts_per_workgroup: u32,
    /// Maximum number of blocks in one dispatch.
    pub blocks_per_dispatch: u32,
    /// Work of a dispatch.
    pub work: Box<dyn Fn(&Dispatch) -> Work + Send + Sync>,
}

/// An encoder that is one kernel: of loaded texels (`real_time/`), or of a texture's, with other ways of
/// storing blocks (`direct/`).
pub(crate) struct Single {
    /// Kernel's name for loaded texels. For a texture, the way in which it stores blocks follows.
    pub name: Cow<'static, str>,
    /// Size of a block in bytes: 8 or 16.
    pub block_bytes: u32,
    /// Adds `encode_block(visible: u32) -> vec4<u32>`, which makes the block of the kept texels
    /// (real_time/texels.wgsl). It may use `params.zero` and `params.size`.
    pub complete: Box<dyn Fn(Kernel) -> Kernel + Send + Sync>,
}

/// A resource that a kernel binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts of chains must handle each")]
pub enum Bind {
    /// Parameters of the work, as a uniform.
    Params,
    /// The texels.
    Texels,
    /// The blocks to write.
    Blocks,
    /// One of the chain's buffers between kernels.
    Between(usize),
    /// One of the chain's tables.
    Table(usize),
}

/// Blocks of one dispatch, and their target.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "hosts of chains make it")]
pub struct Dispatch {
    /// Width and height of the region in texels.
    pub size: [u32; 2],
    /// Number of blocks in a row of the region.
    pub columns: u32,
    /// First block of the region in this dispatch.
    pub first_block: u32,
    /// One past the last block in this dispatch.
    pub end_block: u32,
    /// Position of the region's first block, in blocks.
    pub target: u32,
    /// Number of blocks from one row of blocks to the next in the target.
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

/// Work of a kernel in one dispatch.
pub(crate) struct Work {
    /// Number of parts into which each block's work is divided; 0 if there is nothing to do.
    pub parts: u32,
    /// Bytes of the kernel's uniform.
    pub params: Vec<u8>,
}

//! Reports about GPUs: `devices` and `tiling`.

use serde::Serialize;

/// Report of `devices`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct DevicesReport {
    /// The command: `devices`.
    pub command: &'static str,
    /// All GPUs; empty if there is no GPU, no driver or no Vulkan loader. The program still exits with 0.
    pub adapters: Vec<AdapterReport>,
    /// `index` of the adapter that `--device auto` uses; `null` if it uses the CPU.
    pub auto: Option<usize>,
    /// The reason why `--device auto` uses the CPU; else `null`.
    pub auto_reason: Option<String>,
}

/// A GPU.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct AdapterReport {
    /// The number that `--adapter` accepts.
    pub index: usize,
    /// The name, of which `--adapter` accepts any part.
    pub name: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: String,
    /// `discrete`, `integrated`, `virtual`, `software` (run by the CPU) or `other`.
    pub kind: &'static str,
    /// The driver and its version.
    pub driver: String,
    /// The smallest and the largest subgroup, in threads.
    pub subgroup_sizes: [u32; 2],
    /// True if Brickwork can use subgroups. They are optional, as are the next three features.
    pub subgroups: bool,
    /// True if Brickwork can use timestamps.
    pub timestamps: bool,
    /// True if Brickwork can use BC textures.
    pub bc_textures: bool,
    /// True if Brickwork can keep compiled kernels.
    pub pipeline_cache: bool,
    /// Size of the largest buffer.
    pub max_buffer_bytes: u64,
    /// Size of the largest binding.
    pub max_binding_bytes: u64,
    /// The largest side of a 2D texture, in texels.
    pub max_texture_size: u32,
    /// Memory of a workgroup.
    pub workgroup_bytes: u32,
    /// The largest number of threads in a workgroup.
    pub workgroup_threads: u32,
    /// The reason why Brickwork cannot use the adapter; `null` if it can.
    pub unfit: Option<String>,
}

#[cfg(feature = "gpu")]
impl AdapterReport {
    /// Returns the report of an adapter.
    pub fn new(info: &brickwork_toolkit::device::AdapterInfo) -> Self {
        Self {
            index: info.index,
            name: info.name.clone(),
            backend: info.backend.clone(),
            kind: info.kind,
            driver: info.driver.clone(),
            subgroup_sizes: info.subgroup_sizes,
            subgroups: info.subgroups,
            timestamps: info.timestamps,
            bc_textures: info.bc_textures,
            pipeline_cache: info.pipeline_cache,
            max_buffer_bytes: info.max_buffer,
            max_binding_bytes: info.max_storage_binding,
            max_texture_size: info.max_texture_size,
            workgroup_bytes: info.workgroup_memory,
            workgroup_threads: info.workgroup_invocations,
            unfit: info.unfit.as_ref().map(ToString::to_string),
        }
    }
}

/// Report of `tiling`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TilingReport {
    /// The command: `tiling`.
    pub command: &'static str,
    /// The GPU's name.
    pub adapter: String,
    /// The driver and its version.
    pub driver: String,
    /// The textures that were examined.
    pub textures: Vec<TiledTextureReport>,
}

/// A texture that was examined.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TiledTextureReport {
    /// The block format.
    pub format: &'static str,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// The best way to write the texture (docs/direct.md): `block view`, `writes swizzled`, `reads swizzled`
    /// or `copy`.
    pub strategy: &'static str,
    /// Evidence for the strategy, and reasons against the others.
    pub reason: String,
    /// The order of blocks in each mip level; empty if it is not known.
    pub mip_levels: Vec<TiledLevelReport>,
    /// The reason why the order is not known; else `null`.
    pub unknown: Option<String>,
}

/// Order of the blocks of a mip level in memory. A slot is the memory of one block.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct TiledLevelReport {
    /// `linear`, `Morton, X first`, `Morton, Y first`, `block-linear, N GOBs`, or `bit matrix`.
    pub order: String,
    /// Columns and rows of blocks.
    pub blocks: [u32; 2],
    /// Columns and rows of blocks of a macro tile.
    pub tile: [u32; 2],
    /// Slots of a macro tile.
    pub tile_slots: u32,
    /// Macro tiles from one row of macro tiles to the next.
    pub pitch: u32,
    /// The slot at which the mip level starts.
    pub base: u32,
    /// Bits of a slot within its macro tile, the lowest first. Each is the XOR of bits of a block's column x
    /// and row y, as in `y4^x6^y6`; `1` at the end inverts it.
    pub slot_bits: Vec<String>,
}

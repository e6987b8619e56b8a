// Parameters of one kernel that writes directly into a texture (kernels.rs).

struct Params {
    // First texel of the region in the source, and size of the region in texels.
    origin: vec2<u32>,
    size: vec2<u32>,
    // Position in the target of the region's first block.
    corner: vec2<u32>,
    // Columns and rows of blocks in the region.
    blocks: vec2<u32>,
    // For blocks in a buffer, row by row: position of the first, and distance from row to row, both in
    // blocks.
    first: u32,
    pitch: u32,
    // Always 0, but compilers do not know it.
    zero: u32,
    // Number of slots of the mip level, for kernels with one thread per slot.
    slots: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

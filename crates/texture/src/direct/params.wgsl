// Parameters of one kernel that writes directly into a texture (kernels.rs).

struct Params {
    // The region's first texel in the source, and its size in texels.
    origin: vec2<u32>,
    size: vec2<u32>,
    // The target's block where the region's first block goes.
    corner: vec2<u32>,
    // Columns and rows of blocks in the region.
    blocks: vec2<u32>,
    // Blocks in a buffer, row by row: where the first is, and how far apart rows are, in blocks.
    first: u32,
    pitch: u32,
    // 0, which no compiler knows.
    zero: u32,
    // Slots of the mip level, for a thread per slot.
    slots: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

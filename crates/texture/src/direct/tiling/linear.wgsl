
// Linear memory: a tile is a block.
fn slot_in_tile(block: vec2<u32>) -> u32 { return 0u; }
fn block_in_tile(slot: u32, corner: vec2<u32>) -> vec2<u32> { return vec2(0u, 0u); }

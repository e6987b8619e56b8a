// Positions of a texture's blocks: from block to slot and back, without branches. Twin of `Tiling`. The
// kernel contains `tiling`, a `TilingSize` that it binds, and slot_in_tile and block_in_tile of one order.

struct TilingSize {
    blocks: vec2<u32>, // of the texture
    pitch: u32,        // macro tiles from a row of them to the next
    base: u32,         // the slot of the first macro tile
}

override TILING_WIDTH_LOG2: u32 = 0u;
override TILING_HEIGHT_LOG2: u32 = 0u;
override TILING_SLOTS_LOG2: u32 = 0u;

const NO_BLOCK = vec2<u32>(0xffffffffu, 0xffffffffu);

// Returns the slot of a block inside the texture.
fn slot_of_block(block: vec2<u32>) -> u32 {
    let tile = (block.y >> TILING_HEIGHT_LOG2) * tiling.pitch + (block.x >> TILING_WIDTH_LOG2);
    return tiling.base + (tile << TILING_SLOTS_LOG2) + slot_in_tile(block);
}

// Returns the block in a slot, or NO_BLOCK for padding and outside the texture.
fn block_of_slot(slot: u32) -> vec2<u32> {
    // For slots before the base, the difference wraps and is far beyond the last tile, because no slot of a
    // texture exceeds 2³².
    let place = slot - tiling.base;
    let index = place >> TILING_SLOTS_LOG2;
    let row = index / tiling.pitch;
    let tile = vec2(index - row * tiling.pitch, row);
    let corner = vec2(tile.x << TILING_WIDTH_LOG2, tile.y << TILING_HEIGHT_LOG2);
    let block = corner | block_in_tile(place & ((1u << TILING_SLOTS_LOG2) - 1u), corner);
    // If a tile has more slots than blocks, the way back must be checked. (& and | of bool do not branch; &&
    // and || may.)
    let is_full = TILING_WIDTH_LOG2 + TILING_HEIGHT_LOG2 == TILING_SLOTS_LOG2;
    let is_block = is_full | (slot_of_block(block) == slot);
    return select(NO_BLOCK, block, all(block < tiling.blocks) & is_block);
}

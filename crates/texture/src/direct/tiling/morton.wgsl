
// Both Morton orders. x and y are halves of a word, whose bits are spread together in steps of shift and
// mask. The sides share at most 8 bits. Additional bits of the longer side are above.
override TILING_Y_FIRST: u32 = 0u;

fn shared_bits() -> u32 { return min(TILING_WIDTH_LOG2, TILING_HEIGHT_LOG2); }
fn low(bits: u32) -> u32 { return (1u << bits) - 1u; }

fn slot_in_tile(block: vec2<u32>) -> u32 {
    let ordered = select(block, block.yx, TILING_Y_FIRST == 1u);
    var v = (ordered.x & low(shared_bits())) | ((ordered.y & low(shared_bits())) << 16u);
    v = (v | (v << 4u)) & 0x0f0f0f0fu;
    v = (v | (v << 2u)) & 0x33333333u;
    v = (v | (v << 1u)) & 0x55555555u;
    let inside = vec2(block.x & low(TILING_WIDTH_LOG2), block.y & low(TILING_HEIGHT_LOG2));
    let above = (inside.x | inside.y) >> shared_bits();
    return ((v | (v >> 15u)) & low(2u * shared_bits())) | (above << (2u * shared_bits()));
}

fn block_in_tile(slot: u32, corner: vec2<u32>) -> vec2<u32> {
    let m = slot & low(2u * shared_bits());
    var v = (m & 0x5555u) | ((m & 0xaaaau) << 15u);
    v = (v | (v >> 1u)) & 0x33333333u;
    v = (v | (v >> 2u)) & 0x0f0f0f0fu;
    v = (v | (v >> 4u)) & 0x00ff00ffu;
    let ordered = vec2(v & 0xffffu, v >> 16u);
    let inside = select(ordered, ordered.yx, TILING_Y_FIRST == 1u);
    let above = (slot >> (2u * shared_bits())) << shared_bits();
    let is_wide = TILING_WIDTH_LOG2 > TILING_HEIGHT_LOG2;
    return inside | select(vec2(0u, above), vec2(above, 0u), is_wide);
}

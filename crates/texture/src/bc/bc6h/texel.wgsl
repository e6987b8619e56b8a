// Values of a block's texels (texels.wgsl). The kernel binds `values`.

// Returns texel t of a block; texel 16 is the middle of the channels' ranges. The upper half of its last word
// is the limit of endpoints of signed halves.
fn texel_of(block: u32, t: u32) -> vec3<i32> {
    let words = bitcast<vec2<i32>>(values[VALUE_PAIRS * block + t]);
    return vec3(extractBits(words.x, 0u, 16u), words.x >> 16u, extractBits(words.y, 0u, 16u));
}

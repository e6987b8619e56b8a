// Best encoding of a channel so far, as passed between kernels: squared error, endpoints, and true if it has
// six values.

struct Found {
    cost: f32,
    low: f32,
    high: f32,
    six: bool,
}

fn pack_found(found: Found) -> vec2<u32> {
    return vec2(u32(found.cost), u32(found.low) | (u32(found.high) << 8u) | select(0u, 1u << 16u, found.six));
}

fn unpack_found(packed: vec2<u32>) -> Found {
    let ends = packed.y;
    return Found(f32(packed.x), f32(ends & 255u), f32((ends >> 8u) & 255u), (ends >> 16u) != 0u);
}

// Best encoding of a channel so far: cost (cost.rs), endpoints, and true if it has six values. Kernels pass
// it to the next without the cost.

struct Found {
    cost: vec2<f32>,
    low: f32,
    high: f32,
    six: bool,
}

fn pack_found(found: Found) -> u32 {
    return u32(found.low) | (u32(found.high) << 8u) | select(0u, 1u << 16u, found.six);
}

fn unpack_found(packed: u32) -> Found {
    return Found(vec2(0.0), f32(packed & 255u), f32((packed >> 8u) & 255u), (packed >> 16u) != 0u);
}

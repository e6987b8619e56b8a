// Candidates for a block (candidate.rs). The kernel binds `candidates`: eight words each, the error, the mode
// and partition, then the codes of both endpoints for each channel, subset by subset.
// needs: params.wgsl, coding.wgsl

fn place_of(block: u32, slot: u32) -> u32 {
    return 8u * (block * params.slots + slot);
}

fn mode_at(at: u32) -> u32 {
    return candidates[at + 1u] & 255u;
}

fn shape_at(at: u32) -> u32 {
    return candidates[at + 1u] >> 8u;
}

fn code(bits: u32) -> f32 {
    return select(f32(bits), f32(extractBits(bitcast<i32>(bits), 0u, 16u)), SIGNED);
}

fn codes_at(at: u32, subset: u32) -> Codes {
    let first = at + 2u + 3u * subset;
    let words = vec3(candidates[first], candidates[first + 1u], candidates[first + 2u]);
    let low = words & vec3(0xffffu);
    let high = words >> vec3(16u);
    return Codes(vec3(code(low.x), code(low.y), code(low.z)), vec3(code(high.x), code(high.y), code(high.z)));
}

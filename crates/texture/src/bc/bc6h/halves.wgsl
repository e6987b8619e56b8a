// Finite values of halves as integers (texels.rs).
// needs: params.wgsl

// Returns the values of halves: NaN is 0, infinities are the largest finite halves, and negative halves are 0
// in unsigned formats.
fn finite(halves: vec3<u32>) -> vec3<i32> {
    let magnitude = vec3<i32>(halves & vec3(0x7fffu));
    let limited = select(min(magnitude, vec3(LARGEST)), vec3(0), magnitude > vec3(INFINITY));
    let negative = select(vec3(0), -limited, vec3(SIGNED));
    return select(limited, negative, (halves & vec3(0x8000u)) != vec3(0u));
}

fn packed(value: vec3<i32>) -> vec2<u32> {
    let words = bitcast<vec3<u32>>(value);
    return vec2((words.x & 0xffffu) | (words.y << 16u), words.z & 0xffffu);
}

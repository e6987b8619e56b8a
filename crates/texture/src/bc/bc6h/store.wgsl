// Stores candidates. The kernel binds `candidates` for writing.
// needs: coding.wgsl

fn store_error(at: u32, error: f32, mode: u32, shape: u32) {
    candidates[at] = bitcast<u32>(error);
    candidates[at + 1u] = mode | (shape << 8u);
}

fn store_codes(at: u32, subset: u32, codes: Codes) {
    let low = bitcast<vec3<u32>>(vec3<i32>(codes.a)) & vec3(0xffffu);
    let high = bitcast<vec3<u32>>(vec3<i32>(codes.b)) << vec3(16u);
    let words = low | high;
    let first = at + 2u + 3u * subset;
    candidates[first] = words.x;
    candidates[first + 1u] = words.y;
    candidates[first + 2u] = words.z;
}

// Sums of sorted texels, as order.wgsl passes them on: integers of 13 bits.
// needs: lanes.wgsl

struct Running {
    normalized: vec3<f32>,
    centered: vec3<f32>,
}

// Returns two numbers in a word.
fn pair(a: f32, b: f32) -> u32 {
    return (u32(i32(a)) & 0xffffu) | (u32(i32(b)) << 16u);
}

fn of_pair(word: u32) -> vec2<f32> {
    return vec2<f32>(bitcast<vec2<i32>>(vec2(word << 16u, word)) >> vec2(16u));
}

// Returns the sums with the state of the block: the number of sorted texels, and HIDDEN if it has transparent
// ones.
fn packed_sums(sums: Running, state: u32) -> vec4<u32> {
    let n = sums.normalized;
    let c = sums.centered;
    return vec4(pair(n.x, n.y), pair(n.z, c.x), pair(c.y, c.z), state);
}

fn normalized_of(words: vec4<u32>) -> vec3<f32> {
    return vec3(of_pair(words.x), of_pair(words.y).x);
}

fn centered_of(words: vec4<u32>) -> vec3<f32> {
    return vec3(of_pair(words.y).y, of_pair(words.z));
}

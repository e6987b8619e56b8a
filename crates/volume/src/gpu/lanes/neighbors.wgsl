// Neighbours from which a value is predicted, in workgroup memory.

// The sum of the neighbours of the value at `at` and of the range by these weights. It wraps around; only
// that of a wide brick ever does. A neighbour that does not exist has the weight 0, and any value.
fn weighted_sum(at: u32, weight: vec2u, range: u32) -> u32 {
    let near = bitcast<vec4u>(unpack4xI8(weight.x)) * vec4u(
        values[at - BACKS[0]],
        values[at - BACKS[1]],
        values[at - BACKS[2]],
        values[at - BACKS[3]],
    );
    let far = bitcast<vec4u>(unpack4xI8(weight.y)) * vec4u(
        values[at - BACKS[4]],
        values[at - BACKS[5]],
        values[at - BACKS[6]],
        range,
    );
    return near.x + near.y + near.z + near.w + far.x + far.y + far.z + far.w;
}

// One prediction undone (section 5.5). Needs values.wgsl.

// The sum of the neighbours of the value at `at` and of the range by these weights. It wraps around; only
// that of a wide brick ever does. Of a neighbour that is not there the weight is 0, whatever the value.
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

// The value at `at`, whose neighbours are known, from its code.
fn undo(at: u32, weight: vec2u, code: u32, range: u32) -> u32 {
    let unsigned_sum = weighted_sum(at, weight, range);
    let folded = (code >> 1u) ^ (0u - (code & 1u));
    if range >= WIDE {
        return unsigned_sum + folded;
    }
    let largest = i32(range);
    let prediction = clamp((bitcast<i32>(unsigned_sum) + 8) >> 4u, 0, largest);
    let both = min(prediction, largest - prediction);
    let signed_code = i32(code);
    let past = select(signed_code - both, both - signed_code, 2 * prediction > largest);
    return u32(prediction + select(bitcast<i32>(folded), past, signed_code > 2 * both));
}

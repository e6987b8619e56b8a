// From codes to values: predictions undone (section 5.3). The kernel that includes this has `weights_at(i)`,
// entry `i` of the tables of `weights` in mod.rs.

// The brick's values, x fastest, one brick after the other where 32 lanes each decode one.
var<workgroup> values: array<u32, VALUES>;

// Where those of these lanes' brick start; set by `main` if not 0.
var<private> first_value: u32;

// How many steps it takes from the first voxel to voxel `i`.
fn distance_of(i: u32) -> u32 {
    return (i & 3u) + extractBits(i, 2u, 2u) + (i >> 4u);
}

// Which neighbours voxel `i` has: a bit each for x, y and z.
fn class_of(i: u32) -> u32 {
    return select(0u, 1u, (i & 3u) != 0u) | select(0u, 2u, (i & 12u) != 0u) | select(0u, 4u, (i & 48u) != 0u);
}

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

// One past the last step of any brick that the workgroup decodes: 10, or 1 where no voxel needs another.
// Reset by `decode_brick`. (That compilers do not know it keeps them from unrolling the loop, which takes
// them long.)
var<workgroup> steps_end: u32;

// The values of the lane's two voxels from their codes, step by step those whose neighbours are known. The
// first voxel's code is its value. All lanes of the workgroup call it together.
fn undo_all(lane: u32, predictor: u32, codes: vec2u, range: u32) -> vec2u {
    let is_wide = range >= WIDE;
    // Predictors 0 and 1 predict 0, and the range.
    let is_plain = (predictor == 0u) | ((predictor == 1u) & !is_wide);
    let keeps_codes = predictor == 0u;
    var own = select(vec2u(range) - codes, codes, vec2<bool>(keeps_codes | (lane == 0u), keeps_codes));
    let first = first_value + lane;
    if !is_plain && lane == 0u {
        own = codes;
        values[first] = codes.x;
        steps_end = 10u;
    }
    // The second voxel lies two slices after the first, so a step is the turn of one of them at most. (One
    // call of `undo`, so that it is compiled once.)
    let turn = distance_of(lane);
    let table = predictor * 8u + select(0u, WIDE_WEIGHTS, is_wide);
    let weight = weights_at(table + class_of(lane));
    let weight_of_second = weights_at(table + class_of(lane + LANES));
    let end = workgroupUniformLoad(&steps_end);
    for (var distance = 1u; distance < end; distance++) {
        workgroupBarrier();
        let is_second = distance == turn + 2u;
        if !is_plain & ((distance == turn) | is_second) {
            let at = select(first, first + LANES, is_second);
            let code = select(codes.x, codes.y, is_second);
            let value = undo(at, select(weight, weight_of_second, is_second), code, range);
            values[at] = value;
            own = select(vec2u(value, own.y), vec2u(own.x, value), is_second);
        }
    }
    return own;
}

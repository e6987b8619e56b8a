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

// The value `back` voxels before voxel `i`, if `there`.
fn before(i: u32, back: u32, there: bool) -> u32 {
    return select(0u, values[first_value + ((i - back) & 63u)], there);
}

// The sum of neighbours and range by the weights that stand at `table` of `weights`. It wraps around; only
// that of a wide brick ever does.
fn weighted_sum(i: u32, table: u32, range: u32) -> u32 {
    let x = (i & 3u) != 0u;
    let y = (i & 12u) != 0u;
    let z = (i & 48u) != 0u;
    let weight = weights_at(table + (u32(x) | (u32(y) << 1u) | (u32(z) << 2u)));
    let near = bitcast<vec4u>(unpack4xI8(weight.x)) * vec4u(
        before(i, BACKS[0], x),
        before(i, BACKS[1], y),
        before(i, BACKS[2], z),
        before(i, BACKS[3], x && y),
    );
    let far = bitcast<vec4u>(unpack4xI8(weight.y)) * vec4u(
        before(i, BACKS[4], x && z),
        before(i, BACKS[5], y && z),
        before(i, BACKS[6], x && y && z),
        range,
    );
    return near.x + near.y + near.z + near.w + far.x + far.y + far.z + far.w;
}

// The value of voxel `i`, whose neighbours are known, from its code.
fn undo(i: u32, predictor: u32, code: u32, range: u32) -> u32 {
    if predictor == 0u {
        return code;
    }
    let is_wide = range >= WIDE;
    if predictor == 1u && !is_wide {
        return range - code;
    }
    let unsigned_sum = weighted_sum(i, predictor * 8u + select(0u, WIDE_WEIGHTS, is_wide), range);
    let folded = (code >> 1u) ^ (0u - (code & 1u));
    if is_wide {
        return unsigned_sum + folded;
    }
    let largest = i32(range);
    let prediction = clamp((bitcast<i32>(unsigned_sum) + 8) >> 4u, 0, largest);
    let both = min(prediction, largest - prediction);
    let signed_code = i32(code);
    let past = select(signed_code - both, both - signed_code, 2 * prediction > largest);
    return u32(prediction + select(bitcast<i32>(folded), past, signed_code > 2 * both));
}

// The values of the lane's two voxels from their codes, step by step those whose neighbours are known. The
// first voxel's code is its value. All lanes of the workgroup call it together.
fn undo_all(lane: u32, predictor: u32, codes: vec2u, range: u32) -> vec2u {
    var own = codes;
    let first = first_value + lane;
    if lane == 0u {
        values[first] = codes.x;
    }
    // The second voxel lies two slices after the first, so a step is the turn of one of them at most. (One
    // call of `undo`, so that it is compiled once.)
    let turn = distance_of(lane);
    for (var distance = 1u; distance < 10u; distance++) {
        workgroupBarrier();
        let is_second = distance == turn + 2u;
        if distance == turn || is_second {
            let code = select(codes.x, codes.y, is_second);
            let value = undo(select(lane, lane + LANES, is_second), predictor, code, range);
            values[select(first, first + LANES, is_second)] = value;
            own = select(vec2u(value, own.y), vec2u(own.x, value), is_second);
        }
    }
    return own;
}

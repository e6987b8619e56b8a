// From codes to values: predictions undone in bricks of 4×4×4. The kernel has `weights_at(i)`, entry `i` of
// the tables of `weights` in tables.rs.
// needs: distance.wgsl, neighbors.wgsl, ../format/predict.wgsl, values.wgsl

// Which neighbours voxel `i` has: a bit each for x, y and z.
fn class_of(i: u32) -> u32 {
    return select(0u, 1u, (i & 3u) != 0u) | select(0u, 2u, (i & 12u) != 0u) | select(0u, 4u, (i & 48u) != 0u);
}

// The values of the lane's two voxels from their codes, step by step those whose neighbours are known. The
// first voxel's code is its value. All lanes call it together.
fn undo_all(lane: u32, predictor: u32, codes: vec2u, range: u32) -> vec2u {
    let is_wide = range >= WIDE;
    // Predictors 0 and 1 predict 0, and the range.
    let is_plain = (predictor == 0u) | ((predictor == 1u) & !is_wide);
    let keeps_codes = predictor == 0u;
    var own = select(vec2u(range) - codes, codes, vec2<bool>(keeps_codes | (lane == 0u), keeps_codes));
    if !is_plain && lane == 0u {
        own = codes;
        values[0] = codes.x;
        steps_end = 10u;
    }
    // The second voxel is two slices after the first, so at most one of them is active in a step. (There is
    // one call of `undo`, so that it is compiled once.)
    let turn = distance_of(lane);
    let table = predictor * 8u + select(0u, WIDE_WEIGHTS, is_wide);
    let weight = weights_at(table + class_of(lane));
    let weight_of_second = weights_at(table + class_of(lane + LANES));
    let end = workgroupUniformLoad(&steps_end);
    for (var distance = 1u; distance < end; distance++) {
        workgroupBarrier();
        let is_second = distance == turn + 2u;
        if !is_plain & ((distance == turn) | is_second) {
            let at = select(lane, lane + LANES, is_second);
            let code = select(codes.x, codes.y, is_second);
            let sum = weighted_sum(at, select(weight, weight_of_second, is_second), range);
            let value = undo(sum, code, range);
            values[at] = value;
            own = select(vec2u(value, own.y), vec2u(own.x, value), is_second);
        }
    }
    return own;
}

// Predictions undone in place, in bricks of several runs. The kernel has `weights_at(i)`, entry `i` of the
// tables of `weights` in tables.rs, and eight.wgsl with labels.wgsl, or flat.wgsl.
// needs: ../lanes/neighbors.wgsl, ../format/predict.wgsl, ../lanes/values.wgsl

// The weights of the brick's predictor.
var<workgroup> brick_weights: array<vec2u, CLASSES>;

// Voxels of a brick are parted into lines, of each of which one voxel at most has its turn in a step.
struct Turn {
    // Which voxel it is, x fastest, and its class among the weights.
    voxel: u32,
    class_of: u32,
    // Whether there is such a voxel.
    is_there: bool,
}

// Codes to values, step by step those whose neighbours are known. The first voxel's code is its value. All
// lanes call it together.
fn undo_runs(lane: u32, predictor: u32, range: u32, is_label: bool) {
    let is_wide = range >= WIDE;
    // Predictors 0 and 1 predict 0, and the range; in label bricks they have votes, too.
    let is_plain = !is_label & ((predictor == 0u) | ((predictor == 1u) & !is_wide));
    if !is_plain && lane < CLASSES {
        let table = predictor * CLASSES + select(0u, WIDE_WEIGHTS, is_wide);
        brick_weights[lane] = weights_at(table + lane);
    }
    if !is_plain && lane == 0u {
        steps_end = STEPS;
    }
    let end = workgroupUniformLoad(&steps_end);
    for (var step = 1u; step < end; step++) {
        workgroupBarrier();
        for (var line = lane; line < LINES; line += LANES) {
            let turn = turn_of(line, step);
            if !is_plain & turn.is_there {
                let code = values[turn.voxel];
                if is_label {
                    values[turn.voxel] = undo_label(turn, code, range);
                } else {
                    let sum = weighted_sum(turn.voxel, brick_weights[turn.class_of], range);
                    values[turn.voxel] = undo(sum, code, range);
                }
            }
        }
    }
    workgroupBarrier();
}

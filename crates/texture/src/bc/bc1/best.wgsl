// The best encoding so far (`Best` of encode.rs).
// needs: lanes.wgsl

struct Best {
    cost: i32,
    ends: Endpoints,
}

const NO_COST = 2147483647u;

fn no_best() -> Best {
    return Best(i32(NO_COST), Endpoints(vec3(0.0), vec3(0.0)));
}

// Takes the encoding if its cost is lower.
fn offer(best: ptr<function, Best>, cost: i32, ends: Endpoints) {
    if cost < (*best).cost {
        *best = Best(cost, ends);
    }
}

// Two alternatives with the same results, for choices.rs. There is one thread per workgroup's place; each
// iterates ROUNDS times.

@group(0) @binding(0) var<storage, read> table: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

override WHAT = 0u;
override SECOND = false;
override ROUNDS = 1u;

// 1 / D from a table, or divided.
fn inverse(determinant: u32) -> f32 {
    if SECOND {
        return 1.0 / f32(determinant);
    }
    return bitcast<f32>(table[determinant]);
}

// A code of five bits as eight, from two factors of integers or one of floats.
fn expanded(code: u32) -> f32 {
    if SECOND {
        return floor(f32(code) * 8.25);
    }
    return f32((code * 527u + 23u) >> 6u);
}

fn inverses(seed: u32) -> f32 {
    var sum = 0.0;
    var state = seed;
    for (var round = 0u; round < ROUNDS; round++) {
        state = state * 1664525u + 1013904223u;
        sum += inverse(1u + ((state >> 16u) * 575u >> 16u));
    }
    return sum;
}

// A clustering's sum, as much work as its score needs.
fn scored(cuts: vec3<u32>, axis: vec3<f32>) -> f32 {
    return dot(vec3<f32>(cuts), axis);
}

// Every clustering of four, from a list or counted.
fn clusterings(axis: vec3<f32>) -> f32 {
    var best = 0.0;
    for (var round = 0u; round < ROUNDS; round++) {
        if SECOND {
            for (var i = 0u; i <= 16u; i++) {
                for (var j = i; j <= 16u; j++) {
                    for (var k = j; k <= 16u; k++) {
                        best = max(best, scored(vec3(i, j, k), axis));
                    }
                }
            }
        } else {
            for (var at = 0u; at < CLUSTERINGS; at++) {
                let cuts = table[FIRST_CLUSTERING + at];
                best = max(best, scored(vec3(cuts, cuts >> 5u, cuts >> 10u) & vec3(31u), axis));
            }
        }
    }
    return best;
}

fn expansions(seed: u32) -> f32 {
    var sum = 0.0;
    var state = seed;
    for (var round = 0u; round < ROUNDS; round++) {
        state = state * 1664525u + 1013904223u;
        sum += expanded(state >> 27u);
    }
    return sum;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    if at >= arrayLength(&results) {
        return;
    }
    switch WHAT {
        case 0u: {
            results[at] = inverses(at);
        }
        case 1u: {
            results[at] = clusterings(vec3<f32>(vec3(at, at >> 3u, at >> 6u) & vec3(15u)));
        }
        default: {
            results[at] = expansions(at);
        }
    }
}

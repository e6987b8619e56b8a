// The fourth stage of cluster fit: endpoints move step by step while that helps. One thread per job, family
// and block: job 0 climbs from the best start, each of the others from a start of its own.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> starts: array<vec2<u32>>;
// Cost and endpoints of each job.
@group(0) @binding(4) var<storage, read_write> climbed: array<vec2<u32>>;

// Whether this quality has starts enough to climb over all moves until nothing helps.
override LONG = true;

fn offer_start(best: ptr<function, Best>, start: u32, task: u32) {
    let found = starts[start * params.blocks * params.families + task];
    offer(best, bitcast<i32>(found.x), unpack_ends(found.y));
}

// Tries the first of all moves, each from where the ones before have led.
fn try_moves(mode: u32, best: ptr<function, Best>, count: u32) {
    for (var index = 0u; index < count; index++) {
        let ends = moved((*best).ends, index);
        offer(best, cost_of(mode, ends), ends);
    }
}

// Job 0: single moves once, the other starts, then all moves if this quality has enough starts.
fn climb(mode: u32, start: Best, job: u32, task: u32) -> Best {
    var best = start;
    var short = job == 0u && params.starts >= SHORT_CLIMB_AT;
    var long = LONG;
    while short || long {
        let before = best.cost;
        if LONG {
            try_moves(mode, &best, select(MOVE_COUNT, SINGLE_MOVE_COUNT, short));
        } else {
            try_singles(mode, &best);
        }
        if short || !LONG {
            short = false;
            for (var other = SHORT_CLIMB_AT; other < params.starts; other++) {
                offer_start(&best, other, task);
            }
            if LONG {
                continue;
            }
            break;
        }
        // The clusters of the best, then two rounds of fitting to them.
        var ends = best.ends;
        var clusters = no_clusters();
        for (var round = 0u; round < 3u; round++) {
            if round > 0u {
                ends = fit(mode, true, clusters, ends);
            }
            let assigned = assign(mode, ends);
            offer(&best, assigned.cost, ends);
            clusters = assigned.clusters;
        }
        long = best.cost < before;
    }
    return best;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    let task = at % (params.blocks * params.families);
    let job = at / (params.blocks * params.families);
    let block = task % params.blocks;
    let family = task / params.blocks;
    if job > params.restarts {
        return;
    }
    let mode = mode_of(family);
    take_block(4u * block);
    if done || !is_wanted(transparent, family) {
        return;
    }
    var best = no_best();
    // Job 0: the first few starts.
    if job > 0u {
        offer_start(&best, job - 1u, task);
    } else {
        for (var start = 0u; start < min(params.starts, SHORT_CLIMB_AT); start++) {
            offer_start(&best, start, task);
        }
    }
    if best.cost == i32(NO_COST) {
        climbed[at] = vec2(NO_COST, 0u);
        return;
    }
    // The same function twice, compiled for four colours and for three.
    if mode == FOUR {
        best = climb(FOUR, best, job, task);
    } else {
        best = climb(three_mode(mode), best, job, task);
    }
    climbed[at] = vec2(bitcast<u32>(best.cost), pack_ends(best.ends));
}

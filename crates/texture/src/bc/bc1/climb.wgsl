// Fourth stage of cluster fit: endpoints move step by step while that helps. One thread per job, family and
// block. Job 0 climbs from the best start along the principal axis. The others climb from the best of all
// starts, each with a different cost (ranks.rs).
// needs: params.wgsl, lanes.wgsl, families.wgsl, palette.wgsl, clusters.wgsl, assign.wgsl, fit.wgsl
// needs: best.wgsl, moves.wgsl, singles.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> starts: array<vec2<u32>>;
// Cost and endpoints of each job.
@group(0) @binding(4) var<storage, read_write> climbed: array<vec2<u32>>;

// True if this quality has enough starts to climb over all moves until nothing helps.
override LONG = true;

fn offer_start(best: ptr<function, Best>, start: u32, task: u32) {
    let found = starts[place_of_start(start, task)];
    offer(best, bitcast<i32>(found.x), unpack_ends(found.y));
}

// Returns the position of a start of a family. Starts along other axes follow the others.
fn place_of_any(start: u32, task: u32) -> u32 {
    if start < params.starts {
        return place_of_start(start, task);
    }
    let axis = (start - params.starts) / params.other_starts;
    let other = (start - params.starts) % params.other_starts;
    let before = params.other_place + (other * OTHER_AXIS_COUNT + axis) * 2u;
    return before * params.blocks + task;
}

// Returns the start with the given rank by cost. Equal costs share a rank, and the first such start
// represents them.
fn ranked_start(rank: u32, task: u32) -> Best {
    let has_others = task < 2u * params.blocks;
    let count = params.starts + select(0u, OTHER_AXIS_COUNT * params.other_starts, has_others);
    var best = no_best();
    var less = -2147483647;
    for (var n = 0u; n <= rank; n++) {
        best = no_best();
        for (var start = 0u; start < count; start++) {
            let found = starts[place_of_any(start, task)];
            let cost = bitcast<i32>(found.x);
            if less < cost {
                offer(&best, cost, unpack_ends(found.y));
            }
        }
        less = best.cost;
    }
    return best;
}

// Tries the first `count` of all moves, each from the current endpoints.
fn try_moves(mode: u32, best: ptr<function, Best>, count: u32) {
    for (var index = 0u; index < count; index++) {
        let ends = moved((*best).ends, index);
        offer(best, cost_of(mode, ends), ends);
    }
}

// Job 0: single moves once, then the other starts, then all moves if this quality has enough starts.
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
        // The clusters of the best endpoints, then two rounds of fitting to them.
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
    // Job 0 handles the first few starts.
    if LONG && job > 0u {
        if mode != THREE || transparent || job <= params.three_restarts {
            best = ranked_start(job - 1u, task);
        }
    } else {
        for (var start = 0u; start < min(params.starts, SHORT_CLIMB_AT); start++) {
            offer_start(&best, start, task);
        }
    }
    if best.cost == i32(NO_COST) {
        climbed[at] = vec2(NO_COST, 0u);
        return;
    }
    // The same function is called twice, so that it is compiled for four colours and for three.
    if mode == FOUR {
        best = climb(FOUR, best, job, task);
    } else {
        best = climb(three_mode(mode), best, job, task);
    }
    climbed[at] = vec2(bitcast<u32>(best.cost), pack_ends(best.ends));
}

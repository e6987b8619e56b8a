// The fourth stage of cluster fit: endpoints move step by step while that helps. One thread per job, family
// and block: job 0 climbs from the best start, each of the others from a start of its own.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> starts: array<vec2<u32>>;
// Cost and endpoints of each job.
@group(0) @binding(4) var<storage, read_write> climbed: array<vec2<u32>>;

var<private> packed: array<u32, 16>;

fn texel(t: u32) -> vec3<f32> {
    return centered(packed[t]);
}

fn offer_start(best: ptr<function, Best>, start: u32, task: u32) {
    let found = starts[start * params.blocks * params.families + task];
    offer(best, bitcast<i32>(found.x), unpack_ends(found.y));
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
    var out = 0u;
    var transparent = false;
    for (var t = 0u; t < 16u; t++) {
        packed[t] = texels[16u * block + t];
        let kind = packed[t] >> 24u;
        out |= select(0u, 1u << t, kind != CLASS_OPAQUE);
        transparent = transparent || kind == CLASS_TRANSPARENT;
    }
    if (packed[0] >> 24u) == CLASS_DONE || !is_wanted(transparent, family) {
        return;
    }
    var best = no_best();
    // Job 0: the first few starts, single moves once, the other starts, then all moves if this quality has
    // enough starts.
    var short = job == 0u && params.starts >= SHORT_CLIMB_AT;
    var long = job > 0u || params.starts >= LONG_CLIMB_AT;
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
    while short || long {
        let before = best.cost;
        let moves = select(MOVE_COUNT, SINGLE_MOVE_COUNT, short);
        for (var index = 0u; index < moves; index++) {
            let ends = moved(best.ends, index);
            offer(&best, cost_of(mode, ends, out), ends);
        }
        if short {
            short = false;
            for (var start = SHORT_CLIMB_AT; start < params.starts; start++) {
                offer_start(&best, start, task);
            }
            continue;
        }
        // The clusters of the best, then two rounds of fitting to them.
        var ends = best.ends;
        var clusters = no_clusters();
        for (var round = 0u; round < 3u; round++) {
            if round > 0u {
                ends = fit(mode, true, clusters, ends);
            }
            let assigned = assign(mode, ends, out);
            offer(&best, assigned.cost, ends);
            clusters = assigned.clusters;
        }
        long = best.cost < before;
    }
    climbed[at] = vec2(bitcast<u32>(best.cost), pack_ends(best.ends));
}

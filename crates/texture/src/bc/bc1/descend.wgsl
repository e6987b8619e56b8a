// Third stage of cluster fit: endpoints are fitted to each start's clusters and texels are reassigned,
// several times. One thread per start, family and block.
// needs: params.wgsl, lanes.wgsl, families.wgsl, palette.wgsl, clusters.wgsl, assign.wgsl, fit.wgsl
// needs: best.wgsl, running.wgsl, cluster_fit.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<vec4<u32>>;
// Sums of the first 1, 2, .., 16 sorted texels of each ordering (running.wgsl).
@group(0) @binding(3) var<storage, read> sorted: array<vec4<u32>>;
// Cuts as input; cost and endpoints as output.
@group(0) @binding(4) var<storage, read_write> starts: array<vec2<u32>>;

// Returns the sum of the first `end` sorted texels.
fn sum_to(first: u32, end: u32) -> vec3<f32> {
    return select(centered_of(sorted[first + max(end, 1u) - 1u]), vec3(0.0), end == 0u);
}

fn descend(mode: u32, start: Clusters, old: Endpoints) -> Best {
    var best = no_best();
    var clusters = start;
    var ends = old;
    for (var round = 1u; ; round++) {
        ends = fit(mode, true, clusters, ends);
        if round >= params.rounds {
            break;
        }
        let assigned = assign(mode, ends);
        offer(&best, assigned.cost, ends);
        clusters = assigned.clusters;
    }
    // This is after the loop. In one of two branches of the loop, compilers would keep everything that both
    // compute.
    offer(&best, cost_of(mode, ends), ends);
    return best;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let item = (group.y * groups.x + group.x) * 64u + thread;
    let task = item % (params.blocks * params.families);
    let start = item / (params.blocks * params.families);
    let block = task % params.blocks;
    let family = task / params.blocks;
    let first = 16u * (ordering_of(family) * params.blocks + block);
    let state = sorted[first].w;
    if start >= params.starts || !is_wanted((state & HIDDEN) != 0u, family) {
        return;
    }
    let at = place_of_start(start, task);
    let count = state & ~HIDDEN;
    if count == 0u {
        starts[at] = vec2(NO_COST, 0u);
        return;
    }
    let mode = mode_of(family);
    let cuts = starts[at].x;
    let before_i = sum_to(first, cuts & 31u);
    let before_j = sum_to(first, (cuts >> 5u) & 31u);
    let before_k = sum_to(first, cuts >> 10u);
    let all = centered_of(sorted[first + 15u]);
    take_block(4u * block);
    let clusters = clusters_of(mode, cuts, f32(count), all, before_i, before_j, before_k);
    let ends = mean(all, f32(count));
    // The same function is called twice, so that it is compiled for four colours and for three.
    var best = no_best();
    if mode == FOUR {
        best = descend(FOUR, clusters, ends);
    } else {
        best = descend(three_mode(mode), clusters, ends);
    }
    starts[at] = vec2(bitcast<u32>(best.cost), pack_ends(best.ends));
}

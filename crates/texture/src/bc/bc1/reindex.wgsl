// After the climbs: the clusters of the best encodings take other indices (reindex.rs). One thread per block.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<vec4<u32>>;
// Cost and endpoints of each climb; what is found becomes those of the first climb to four colours.
@group(0) @binding(3) var<storage, read_write> climbed: array<vec2<u32>>;

fn best_of(family: u32, block: u32) -> Best {
    var best = no_best();
    for (var job = 0u; job <= params.restarts; job++) {
        let found = climbed[(job * params.families + family) * params.blocks + block];
        offer(&best, bitcast<i32>(found.x), unpack_ends(found.y));
    }
    return best;
}

// Texels at a place of a line: how many, and their sums.
fn texels_at(place: u32, places: vec4<u32>, clusters: array<vec4<f32>, 4>) -> vec4<f32> {
    let zero = vec4(0.0);
    return select(zero, clusters[0], places.x == place) + select(zero, clusters[1], places.y == place)
        + (select(zero, clusters[2], places.z == place) + select(zero, clusters[3], places.w == place));
}

// The clusters of a mode at other places of a line of four colours.
fn moved(found: Clusters, four: bool, reindexing: u32) -> Clusters {
    let places = (vec4(reindexing) >> vec4(0u, 2u, 4u, 6u)) & vec4(3u);
    // By place: indices 0, 2, 3, 1 of four colours, and 0, 2, 1 of three.
    let second = vec4(found.count.y, found.sum1);
    let last = vec4(found.count.w, found.sum3);
    let clusters = array(
        vec4(found.count.x, found.sum0),
        vec4(found.count.z, found.sum2),
        select(second, last, four),
        select(last, second, four),
    );
    let a = texels_at(0u, places, clusters);
    let near_a = texels_at(1u, places, clusters);
    let near_b = texels_at(2u, places, clusters);
    let b = texels_at(3u, places, clusters);
    return Clusters(vec4(a.x, b.x, near_a.x, near_b.x), a.yzw, b.yzw, near_a.yzw, near_b.yzw);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = (group.y * groups.x + group.x) * 64u + thread;
    if block >= params.blocks {
        return;
    }
    take_block(4u * block);
    if done || transparent {
        return;
    }
    var best = best_of(0u, block);
    let old = best.ends;
    var mode = FOUR;
    var ends = old;
    var clusters = no_clusters();
    let count = select(REINDEXING_COUNT, REINDEXING_COUNT + REINDEXINGS_OF_THREE, params.three_color != 0u);
    // All but the first, which is none, then those of three.
    for (var n = 1u; n < count; n++) {
        if n == REINDEXING_COUNT {
            mode = THREE;
            ends = best_of(1u, block).ends;
        }
        // In the loop: before it, compilers would keep the texels' floats for what is in it.
        if n == 1u || n == REINDEXING_COUNT {
            clusters = assign(mode, ends).clusters;
        }
        let at = REINDEXINGS + select(n, n - REINDEXING_COUNT, mode == THREE);
        let fitted = fit(FOUR, true, moved(clusters, mode == FOUR, u32(tables[at])), old);
        offer(&best, cost_of(FOUR, fitted), fitted);
    }
    climbed[block] = vec2(bitcast<u32>(best.cost), pack_ends(best.ends));
}

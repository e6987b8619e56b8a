// After the climbs: the clusters of the best encodings take other indices (reindex.rs). One thread per block.
// needs: params.wgsl, lanes.wgsl, palette.wgsl, clusters.wgsl, assign.wgsl, fit.wgsl, best.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<vec4<u32>>;
// Cost and endpoints of each climb. The result replaces those of the first climb to four colours.
@group(0) @binding(3) var<storage, read_write> climbed: array<vec2<u32>>;

fn best_of(family: u32, block: u32) -> Best {
    var best = no_best();
    for (var job = 0u; job <= params.restarts; job++) {
        let found = climbed[(job * params.families + family) * params.blocks + block];
        offer(&best, bitcast<i32>(found.x), unpack_ends(found.y));
    }
    return best;
}

// Texels at the four places on a line, in the order of the places. Sums are in pairs, as in assign.wgsl.
struct Places {
    first: vec2<f32>,
    second: vec2<f32>,
    third: vec2<f32>,
    fourth: vec2<f32>,
}

fn paired(count: f32, sum: vec3<f32>) -> vec2<f32> {
    return vec2(sum.x + 4096.0 * sum.z, 256.0 * (sum.y + 4096.0 * count));
}

// Indices 0, 2, 3, 1 of four colours, and 0, 2, 1 of three.
fn places_of(found: Clusters, four: bool) -> Places {
    let second = paired(found.count.y, found.sum1);
    let last = paired(found.count.w, found.sum3);
    return Places(
        paired(found.count.x, found.sum0),
        paired(found.count.z, found.sum2),
        select(second, last, four),
        select(last, second, four),
    );
}

// Returns the sums of the texels that move to a place, then their number.
fn texels_at(place: u32, places: vec4<u32>, found: Places) -> vec4<f32> {
    let zero = vec2(0.0);
    let pairs = select(zero, found.first, places.x == place) + select(zero, found.second, places.y == place)
        + (select(zero, found.third, places.z == place) + select(zero, found.fourth, places.w == place));
    return unpair(pairs);
}

// Returns the clusters of four colours with these texels at other places.
fn moved(found: Places, reindexing: u32) -> Clusters {
    let places = (vec4(reindexing) >> vec4(0u, 2u, 4u, 6u)) & vec4(3u);
    let a = texels_at(0u, places, found);
    let near_a = texels_at(1u, places, found);
    let near_b = texels_at(2u, places, found);
    let b = texels_at(3u, places, found);
    return Clusters(vec4(a.w, b.w, near_a.w, near_b.w), a.xyz, b.xyz, near_a.xyz, near_b.xyz);
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
    var found = Places(vec2(0.0), vec2(0.0), vec2(0.0), vec2(0.0));
    let count = select(REINDEXING_COUNT, REINDEXING_COUNT + REINDEXINGS_OF_THREE, params.three_color != 0u);
    // All except the first, which changes nothing; then those of three colours.
    for (var n = 1u; n < count; n++) {
        let is_of_three = n >= REINDEXING_COUNT;
        // This is in the loop. Before the loop, compilers would keep the texels' floats for its body.
        if n == 1u || n == REINDEXING_COUNT {
            let mode = select(FOUR, THREE, is_of_three);
            let assigned = assign(mode, best_of(mode, block).ends);
            found = places_of(assigned.clusters, !is_of_three);
        }
        let at = REINDEXINGS + select(n, n - REINDEXING_COUNT, is_of_three);
        let ends = fit(FOUR, true, moved(found, u32(tables[at])), best.ends);
        offer(&best, cost_of(FOUR, ends), ends);
    }
    climbed[block] = vec2(bitcast<u32>(best.cost), pack_ends(best.ends));
}

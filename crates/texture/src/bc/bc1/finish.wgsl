// Last stage of cluster fit: writes the best of all encodings as a block. One thread per block.
// needs: params.wgsl, lanes.wgsl, families.wgsl, palette.wgsl, nearest.wgsl, best.wgsl, words.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> ranged: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> climbed: array<vec2<u32>>;
// Two words per block.
@group(0) @binding(5) var<storage, read_write> blocks: array<u32>;
// Table of simple.wgsl.
@group(0) @binding(6) var<storage, read> matches: array<u32>;

// Returns the same as `cost_of` of assign.wgsl, with one texel at a time in registers.
fn cost_in_memory(mode: u32, ends: Endpoints, block: u32) -> i32 {
    let p = planes(palette(mode, ends));
    var total = 0;
    for (var t = 0u; t < 4u * params.block_rows; t++) {
        let value = texels[16u * block + t];
        total += select(0, least_cost(p, centered(value)), (value >> 24u) == CLASS_OPAQUE);
    }
    return total;
}

// Returns the endpoints around the mean, from the table of thirds (0) or halves (512).
fn around_mean(mean: vec3<u32>, table: u32) -> Endpoints {
    let found = vec3(matches[table + mean.x], matches[table + 256u + mean.y], matches[table + mean.z]);
    return Endpoints(vec3<f32>(found & vec3(255u)), vec3<f32>((found >> vec3(8u)) & vec3(255u)));
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = (group.y * groups.x + group.x) * 64u + thread;
    if block >= params.blocks || (texels[16u * block] >> 24u) == CLASS_DONE {
        return;
    }
    var count = 0u;
    var transparent = false;
    var sum = vec3(0u);
    for (var t = 0u; t < 4u * params.block_rows; t++) {
        let value = texels[16u * block + t];
        let kind = value >> 24u;
        count += select(0u, 1u, kind == CLASS_OPAQUE);
        transparent = transparent || kind == CLASS_TRANSPARENT;
        let bytes = vec3(value, value >> 8u, value >> 16u) & vec3(255u);
        sum += select(vec3(0u), bytes, kind == CLASS_OPAQUE);
    }
    var best = no_best();
    var mode = FOUR;
    if count == 16u {
        let found = ranged[block];
        offer(&best, bitcast<i32>(found.x), unpack_ends(found.y));
    }
    let mean = (2u * sum + count) / vec3(max(2u * count, 1u));
    if !transparent {
        let ends = around_mean(mean, 0u);
        offer(&best, cost_in_memory(FOUR, ends, block), ends);
    }
    if transparent || params.three_color != 0u {
        let ends = around_mean(mean, 512u);
        let cost = cost_in_memory(THREE, ends, block);
        if cost < best.cost {
            best = Best(cost, ends);
            mode = THREE;
        }
    }
    // Family by family; each starts with the climb from the best start.
    for (var family = 0u; family < params.families; family++) {
        if !is_wanted(transparent, family) {
            continue;
        }
        for (var job = 0u; job <= params.restarts; job++) {
            let found = climbed[(job * params.families + family) * params.blocks + block];
            if bitcast<i32>(found.x) < best.cost {
                best = Best(bitcast<i32>(found.x), unpack_ends(found.y));
                mode = mode_of(family);
            }
        }
    }
    let finished = finish(mode, best.ends);
    let p = planes(finished.colors);
    var indices = 0u;
    for (var t = 0u; t < 16u; t++) {
        let value = texels[16u * block + t];
        let index = select(nearest(costs(p, centered(value))), 3u, (value >> 24u) == CLASS_TRANSPARENT);
        indices |= index << (2u * t);
    }
    blocks[place(block)] = finished.endpoints;
    blocks[place(block) + 1u] = indices;
}

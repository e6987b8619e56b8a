// The last stage of cluster fit: the best encoding of all becomes a block. One thread per block.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> ranged: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> climbed: array<vec2<u32>>;
// Two words per block.
@group(0) @binding(5) var<storage, read_write> blocks: array<u32>;

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
    var out = false;
    for (var t = 0u; t < 16u; t++) {
        out = out || (texels[16u * block + t] >> 24u) != CLASS_OPAQUE;
    }
    var best = no_best();
    var mode = FOUR;
    if !out {
        let found = ranged[block];
        offer(&best, bitcast<i32>(found.x), unpack_ends(found.y));
    }
    // Family by family, and in each first the climb from the best start.
    for (var family = 0u; family < params.families; family++) {
        if !is_wanted(block, family) {
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

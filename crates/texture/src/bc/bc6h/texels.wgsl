// Makes halves finite, and finds the middle of each channel's range (texels.rs). One thread per block.
// needs: params.wgsl, halves.wgsl, level.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> texels: array<vec2<u32>>;
// Texels as integers: red and green as 16 bits, then blue. The middle is a 17th texel, with
// the limit of endpoints in the upper half of its last word. For signed halves, the levels and the weights of
// each texel follow, in three pairs.
@group(0) @binding(2) var<storage, read_write> values: array<vec2<u32>>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = params.first_block + (group.y * groups.x + group.x) * 64u + thread;
    if block >= params.end_block {
        return;
    }
    var low = vec3(0x7fff);
    var high = vec3(-0x7fff);
    for (var t = 0u; t < 16u; t++) {
        let words = texels[16u * block + t];
        let value = finite(vec3(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu));
        low = min(low, value);
        high = max(high, value);
        values[VALUE_PAIRS * block + t] = packed(value);
        if SIGNED {
            let halves = vec3<f32>(value);
            let levels = bitcast<vec3<u32>>(level_of(halves));
            var weights = vec3(0u);
            for (var c = 0u; c < 3u; c++) {
                // Not 0, so that sums have inverses.
                weights[c] = bitcast<u32>(keep(squared_slope(halves[c]) + LEAST_WEIGHT));
            }
            let at = VALUE_PAIRS * block + 17u + 3u * t;
            values[at] = levels.xy;
            values[at + 1u] = vec2(levels.z, weights.x);
            values[at + 2u] = weights.yz;
        }
    }
    let largest = max(max(high, -low), vec3(0));
    let most = max(largest.x, max(largest.y, largest.z));
    let limit = min(most + min(most >> 1u, MARGIN), LARGEST);
    values[VALUE_PAIRS * block + 16u] = packed((low + high) >> vec3(1u)) | vec2(0u, u32(limit) << 16u);
}

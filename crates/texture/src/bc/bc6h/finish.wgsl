// Writes the best candidate as a block (pack.rs). One thread per block.
// needs: params.wgsl, line.wgsl, codings.wgsl, candidate.wgsl, ../put.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> candidates: array<u32>;
@group(0) @binding(4) var<storage, read_write> blocks: array<vec4<u32>>;

// Returns a code, in the lowest 16 bits.
fn code_at(at: u32, endpoint: u32, channel: u32) -> u32 {
    return candidates[at + 2u + 3u * (endpoint >> 1u) + channel] >> (16u * (endpoint & 1u));
}

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
    let at = place_of(block, 0u);
    let mode = mode_at(at);
    let shape = shape_at(at);
    let coding = coding_of(mode);
    var indices = vec2(0u);
    var anchors = 0u;
    for (var k = 0u; k < subset_count(shape); k++) {
        let subset = subset_of(block, shape, k);
        let codes = codes_at(at, k);
        let line = coded_line(subset, coding, codes);
        anchors |= 1u << subset.anchor;
        for (var rest = subset.texels; rest != 0u; rest &= rest - 1u) {
            let t = countTrailingZeros(rest);
            let index = u32(choice_of(line, subset, t, texel_at(block, t)).index) << (4u * (t & 7u));
            indices |= select(vec2(index, 0u), vec2(0u, index), t >= 8u);
        }
    }
    words = vec4(0u);
    length = 0u;
    // The layout of the mode: its prefix, the number of bits of the prefix, 1 if there are differences, and
    // the places of its fields.
    let fields = tables[LAYOUTS + mode];
    put(fields & 31u, (fields >> 5u) & 7u);
    let end = FIELDS + (fields >> 20u);
    for (var place = FIELDS + ((fields >> 9u) & 2047u); place < end; place++) {
        // Channel, endpoint, first bit and number of bits.
        let field = tables[place];
        let channel = field & 3u;
        let endpoint = (field >> 2u) & 3u;
        let is_difference = endpoint > 0u && (fields & 256u) != 0u;
        let stored = code_at(at, endpoint, channel) - select(0u, code_at(at, 0u, channel), is_difference);
        let count = field >> 8u;
        put(extractBits(stored, (field >> 4u) & 15u, count), count);
    }
    let is_whole = shape == WHOLE;
    if !is_whole {
        put(shape, 5u);
    }
    for (var t = 0u; t < 16u; t++) {
        let index = (select(indices.x, indices.y, t >= 8u) >> (4u * (t & 7u))) & 15u;
        put(index, select(3u, 4u, is_whole) - ((anchors >> t) & 1u));
    }
    let to = params.first + (block / params.columns) * params.pitch + block % params.columns;
    blocks[to] = words;
}

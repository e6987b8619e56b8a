// Blocks from loaded texels, by a format's `encode_block`. One thread per block.
// needs: params.wgsl, texels.wgsl, ../bc/visible.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> texels: array<u32>;
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>;

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
    own = thread;
    for (var t = 0u; t < 16u; t++) {
        keep_texel(t, texels[16u * block + t]);
    }
    let words = encode_block(visible_texels(block));
    let to = WORDS * (params.first + (block / params.columns) * params.pitch + block % params.columns);
    blocks[to] = words.x;
    blocks[to + 1u] = words.y;
    if WORDS == 4u {
        blocks[to + 2u] = words.z;
        blocks[to + 3u] = words.w;
    }
}

// Finds the properties of each block and its first candidate. One thread per block.
// needs: params.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> infos: array<u32>;
@group(0) @binding(4) var<storage, read_write> choices: array<u32>;

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
    let first = texels[16u * block];
    var second = first;
    var all = first;
    var has_opaque = false;
    var is_two = true;
    for (var t = 0u; t < 16u; t++) {
        let texel = texels[16u * block + t];
        all &= texel;
        has_opaque = has_opaque || (texel >> 24u) == 255u;
        second = select(second, texel, second == first);
        is_two = is_two && (texel == first || texel == second);
    }
    let has_alpha = (all >> 24u) != 255u;
    let is_single = second == first && (params.modes & 32u) != 0u;
    var mode = 7u;
    for (var allowed = 4u; allowed < 7u; allowed++) {
        mode = select(mode, allowed, ((params.modes >> allowed) & 1u) != 0u);
    }
    infos[block] = select(0u, HAS_ALPHA, has_alpha)
        | select(0u, KEEPS_OPAQUE, has_opaque && (has_alpha || mode == 7u))
        | select(0u, IS_TWO, is_two)
        | select(0u, IS_SINGLE, is_single);
    let at = block * params.all_slots;
    choices[at] = select(choice_of(mode, 0u, 0u, 0u), NONE, is_single);
    for (var slot = 1u; slot < params.all_slots; slot++) {
        choices[at + slot] = NONE;
    }
}

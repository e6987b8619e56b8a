// One thread per block of the region, 8×8 in a workgroup.
// needs: params.wgsl

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) block: vec3<u32>) {
    if all(block.xy < params.blocks) {
        store(block.xy, words_of(block.xy, (block.x & 7u) | ((block.y & 7u) << 3u)));
    }
}

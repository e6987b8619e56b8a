// One thread per slot. Threads whose slot contains no block of the region do nothing.
// needs: params.wgsl

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    let slot = tiling.base + at;
    // This also applies to blocks before the region, because the difference wraps.
    let block = block_of_slot(slot) - params.corner;
    if at < params.slots && all(block < params.blocks) {
        stored[slot] = block_of_words(words_of(block, thread));
    }
}

// Chooses the best candidates of each block, which are improved next. One thread per block.
// needs: params.wgsl, slots.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> choices: array<u32>;
@group(0) @binding(4) var<storage, read> fits: array<u32>;
// Slots, `climbs` of each block.
@group(0) @binding(5) var<storage, read_write> chosen: array<u32>;

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
    // Candidates in ascending order of their errors, then of their slots.
    var last_error = 0;
    var last_slot = NONE;
    for (var place = 0u; place < params.climbs; place++) {
        var least = 0x7fffffff;
        var found = NONE;
        for (var slot = 0u; slot < params.all_slots; slot++) {
            let error = error_of_slot(block, slot);
            let is_tied = error == last_error && last_slot != NONE;
            let is_later = error > last_error || (is_tied && slot > last_slot);
            if is_later && error < least {
                least = error;
                found = slot;
            }
        }
        chosen[block * params.climbs + place] = found;
        last_error = select(least, last_error, found == NONE);
        last_slot = select(found, last_slot, found == NONE);
    }
}

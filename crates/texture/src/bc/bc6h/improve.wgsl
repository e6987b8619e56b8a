// Replaces candidates by better ones (`Candidate::improve` of candidate.rs). One thread per candidate.
// needs: params.wgsl, ../numbers.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> candidates: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    let block = params.first_block + at / params.parts;
    if block >= params.end_block {
        return;
    }
    let part = at % params.parts;
    let to = 8u * (block * params.slots + params.to_slot + part);
    let is_known = part < params.known;
    let first = 8u * (block * params.slots + params.from_slot + part * params.extensions);
    var best = to;
    var least = NO_ERROR;
    if is_known {
        least = bitcast<f32>(candidates[to]);
    }
    for (var i = select(0u, params.known_extensions, is_known); i < params.extensions; i++) {
        let error = bitcast<f32>(candidates[first + 8u * i]);
        if error < keep(least * SMALLER) {
            least = error;
            best = first + 8u * i;
        }
    }
    if best != to {
        for (var word = 0u; word < 8u; word++) {
            candidates[to + word] = candidates[best + word];
        }
    }
}

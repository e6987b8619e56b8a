// The kernel that decodes one brick per workgroup into a buffer. It has a decoder, `decode_all`.
// needs: jobs.wgsl

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = group.y * groups.x + group.x;
    if number >= arrayLength(&jobs) {
        return;
    }
    let job = jobs[number];
    let inside = (vec3u(job.inside) >> vec3u(0u, 8u, 16u)) & vec3u(255u);
    decode_all(lane, job.start, job.range, inside);
    for (var voxel = lane; voxel < VOXELS; voxel += 64u) {
        let own = own_values(voxel);
        let out = job.place * VOXELS + voxel;
        voxels[out] = job.minimum + own.x;
        voxels[out + LANES] = job.minimum + own.y;
    }
}

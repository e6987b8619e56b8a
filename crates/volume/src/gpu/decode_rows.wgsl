// The kernel that decodes one brick per thread into a buffer. Needs jobs.wgsl and one_thread.wgsl.

var<private> job: Job;

fn put_row(row: u32, values: vec4u) {
    let out = job.place * VOXELS + row * 4u;
    voxels[out] = job.minimum + values.x;
    voxels[out + 1u] = job.minimum + values.y;
    voxels[out + 2u] = job.minimum + values.z;
    voxels[out + 3u] = job.minimum + values.w;
}

@compute @workgroup_size(THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = (group.y * groups.x + group.x) * THREADS + thread;
    if number >= arrayLength(&jobs) {
        return;
    }
    job = jobs[number];
    let inside = (vec3u(job.inside) >> vec3u(0u, 8u, 16u)) & vec3u(255u);
    decode_rows(job.start, job.range, inside);
}

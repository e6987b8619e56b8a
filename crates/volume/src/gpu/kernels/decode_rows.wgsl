// The kernel that decodes one brick per thread into a buffer.
// needs: jobs.wgsl, ../thread/one_thread.wgsl

const VALUE_BITS = 32u;

var<private> job: Job;

fn row_weights(i: u32) -> vec4u {
    return vec4u(weights_at(2u * i), weights_at(2u * i + 1u));
}

fn put_rows(i: u32, first: vec4u, second: vec4u) {
    let out = job.place * VOXELS + i * 8u;
    voxels[out] = job.minimum + first.x;
    voxels[out + 1u] = job.minimum + first.y;
    voxels[out + 2u] = job.minimum + first.z;
    voxels[out + 3u] = job.minimum + first.w;
    voxels[out + 4u] = job.minimum + second.x;
    voxels[out + 5u] = job.minimum + second.y;
    voxels[out + 6u] = job.minimum + second.z;
    voxels[out + 7u] = job.minimum + second.w;
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
    if job.range > 0u {
        decode_rows(job.start, job.range, inside);
        return;
    }
    for (var i = 0u; i < VOXELS; i++) {
        voxels[job.place * VOXELS + i] = job.minimum;
    }
}

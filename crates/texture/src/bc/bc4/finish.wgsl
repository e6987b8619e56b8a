// Writes the best encoding as a block. One thread per channel of a block.
// needs: params.wgsl, task.wgsl, found.wgsl, words.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> found: array<u32>;
@group(0) @binding(4) var<storage, read_write> blocks: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let task = task_of((group.y * groups.x + group.x) * 64u + thread);
    if task.block < params.end_block {
        write(task, unpack_found(found[task.place]));
    }
}

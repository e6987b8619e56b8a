// Ultrafast: eight values between the smallest and the largest texel. One thread per channel of a block.
// needs: params.wgsl, task.wgsl, found.wgsl, words.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> blocks: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let task = task_of((group.y * groups.x + group.x) * 64u + thread);
    if task.block >= params.end_block {
        return;
    }
    var low = source(task, 0u);
    var high = low;
    for (var t = 1u; t < 16u; t++) {
        let v = source(task, t);
        low = min(low, v);
        high = max(high, v);
    }
    write(task, Found(vec2(0.0), code_of(low), code_of(high), false));
}

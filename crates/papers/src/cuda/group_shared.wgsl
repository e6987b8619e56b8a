// Sums and minima over a block's texels through workgroup memory: each thread adds up the values of all. Two
// buffers alternate, so that one barrier between writing and reading is enough.
// needs: group.wgsl, group_order.wgsl

var<workgroup> brought: array<vec4<i32>, 64 * BLOCKS>;

fn bring(buffer: u32, a: vec4<i32>, b: vec4<i32>) -> u32 {
    let first = 32u * (BLOCKS * buffer + slot);
    if lane < 16u {
        brought[first + 2u * lane] = a;
        brought[first + 2u * lane + 1u] = b;
    }
    workgroupBarrier();
    return first;
}

fn sums(buffer: u32, a: vec4<i32>, b: vec4<i32>) -> array<vec4<i32>, 2> {
    let first = bring(buffer, a, b);
    var sum = array(vec4(0), vec4(0));
    for (var at = first; at < first + 32u; at += 2u) {
        sum[0] += brought[at];
        sum[1] += brought[at + 1u];
    }
    return sum;
}

fn least(buffer: u32, a: vec4<i32>, b: vec4<i32>) -> array<vec4<i32>, 2> {
    let first = bring(buffer, a, b);
    var least = array(brought[first], brought[first + 1u]);
    for (var at = first + 2u; at < first + 32u; at += 2u) {
        least[0] = min(least[0], brought[at]);
        least[1] = min(least[1], brought[at + 1u]);
    }
    return least;
}

@compute @workgroup_size(THREADS * BLOCKS)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    order_block(group.y * groups.x + group.x, thread);
}

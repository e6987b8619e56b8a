// Sums and minima over a block's texels by exchanging registers within subgroups of at least 16 threads: a
// block's 16 threads (THREADS = 16) are in one subgroup.
// needs: group_order.wgsl

fn sums(buffer: u32, a: vec4<i32>, b: vec4<i32>) -> array<vec4<i32>, 2> {
    var sum = array(a, b);
    for (var step = 8u; step > 0u; step >>= 1u) {
        sum[0] += subgroupShuffleXor(sum[0], step);
        sum[1] += subgroupShuffleXor(sum[1], step);
    }
    return sum;
}

fn least(buffer: u32, a: vec4<i32>, b: vec4<i32>) -> array<vec4<i32>, 2> {
    var least = array(a, b);
    for (var step = 8u; step > 0u; step >>= 1u) {
        least[0] = min(least[0], subgroupShuffleXor(least[0], step));
        least[1] = min(least[1], subgroupShuffleXor(least[1], step));
    }
    return least;
}

@compute @workgroup_size(THREADS * BLOCKS)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) invocation: u32,
) {
    order_block(group.y * groups.x + group.x, subgroup * size + invocation);
}

// One texel per thread, one block per 16 threads of a subgroup, which exchange values without memory. Section
// 5.1 of the paper misses this in OpenCL 1.2. For steps 1 and 2, and subgroups of at least 16 threads.

// Sums over a block's 16 threads; the sum is exact, so the order does not matter.
fn sum_of(value: vec4<f32>) -> vec4<f32> {
    var sum = value;
    sum += subgroupShuffleXor(sum, 1u);
    sum += subgroupShuffleXor(sum, 2u);
    sum += subgroupShuffleXor(sum, 4u);
    sum += subgroupShuffleXor(sum, 8u);
    return sum;
}

// The kernel against which the first dispatch of others is measured: four rounds of integer and float
// arithmetic over 16 private values, some in loops, some unrolled, and one pass through workgroup memory.

@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;

var<private> values: array<vec4<f32>, 16>;
var<workgroup> exchanged: array<vec4<f32>, 64>;

fn mix_bits(value: u32) -> u32 {
    var bits = value * SEED;
    bits ^= bits << 13u;
    bits ^= bits >> 17u;
    bits ^= bits << 5u;
    return bits;
}

fn exchange(lower: u32, upper: u32) {
    let a = values[lower];
    let b = values[upper];
    values[lower] = min(a, b);
    values[upper] = max(a, b);
}

fn merge(first: u32, step: u32) {
    exchange(first, first + step);
    exchange(first + 1u, first + 1u + step);
    exchange(first + 2u, first + 2u + step);
    exchange(first + 3u, first + 3u + step);
}

fn fold(from_all: vec4<f32>, at: u32) -> vec4<f32> {
    let value = values[at] * 0.5 + from_all;
    return select(value, from_all - value, value < vec4(1.0));
}

fn round(seed: u32) -> vec4<f32> {
    for (var i = 0u; i < 16u; i++) {
        let bits = mix_bits(seed + i);
        values[i] = vec4<f32>(vec4(bits, bits >> 8u, bits >> 16u, bits >> 24u) & vec4(255u));
    }
    merge(0u, 8u);
    merge(4u, 8u);
    merge(0u, 4u);
    merge(8u, 4u);
    var sum = vec4(0.0);
    for (var i = 0u; i < 16u; i += 4u) {
        sum = fold(sum, i);
        sum = fold(sum, i + 1u);
        sum = fold(sum, i + 2u);
        sum = fold(sum, i + 3u);
    }
    return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let at = group.x * 64u + thread;
    exchanged[thread] = round(numbers[at]);
    workgroupBarrier();
    let other = exchanged[thread ^ 1u];
    let found = round(u32(dot(other, vec4(1.0))));
    numbers[at] = u32(max(0.0, found.x + found.y + found.z + found.w));
}

// Sums weighted lights along the rows of the source. One thread per row of the source and column of the
// level. The sums have the bits of those of mips/resample/sums.rs. The kernel contains read_rgba8.wgsl or
// read_wide.wgsl, and halo.wgsl or clamped.wgsl.
// needs: params.wgsl, single.wgsl

@group(0) @binding(2) var<storage, read_write> sums: array<vec4<u32>>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    if at >= params.size.x * params.row_count {
        return;
    }
    let taps = taps_of(params.columns, params.first.x + at % params.size.x);
    let row = params.first_row + at / params.size.x;
    var sum = vec4(0u);
    for (var k = 0u; k < params.columns.taps; k++) {
        let lights = lights_at(inside(vec2(taps.first + k, row)), params.by_alpha != 0u);
        sum = sum_of(sum, product_of(lights, vec4(table[taps.weights + k])));
    }
    sums[at] = sum;
}

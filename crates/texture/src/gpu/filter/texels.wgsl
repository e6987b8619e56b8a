// Computes texels of the next mip level from the sums along rows of sums.wgsl. One thread per texel. The
// bytes are those of mips/resample/target.rs. The kernel contains read_rgba8.wgsl and write_rgba8.wgsl, or
// read_wide.wgsl and write_wide.wgsl.
// needs: params.wgsl, single.wgsl

@group(0) @binding(2) var<storage, read_write> texels: array<u32>;
@group(0) @binding(4) var<storage, read> sums: array<vec4<u32>>;

// Returns the mean colour of the texels that a nearly transparent texel covers, weighted by alpha, or the
// plain mean if all are transparent.
fn covered_color(place: vec2<u32>) -> vec4<u32> {
    let columns = taps_of(params.covered_columns, place.x);
    let rows = taps_of(params.covered_rows, place.y);
    var plain = vec4(0u);
    var by_alpha = vec4(0u);
    for (var y = 0u; y < params.covered_rows.taps; y++) {
        for (var x = 0u; x < params.covered_columns.taps; x++) {
            let column_weight = vec4(table[columns.weights + x]);
            let weight = product_of(column_weight, vec4(table[rows.weights + y]));
            let lights = lights_at(vec2(columns.first + x, rows.first + y), false);
            plain = sum_of(plain, product_of(weight, lights));
            let alpha = product_of(weight, lights.wwww);
            by_alpha = sum_of(by_alpha, vec4(product_of(alpha, lights).xyz, alpha.w));
        }
    }
    if is_positive(by_alpha.w) {
        return quotient_of(by_alpha, by_alpha.wwww);
    }
    return plain;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    if at >= params.size.x * params.size.y {
        return;
    }
    let within = vec2(at % params.size.x, at / params.size.x);
    let place = params.first + within;
    let taps = taps_of(params.rows, place.y);
    var lights = vec4(0u);
    for (var k = 0u; k < params.rows.taps; k++) {
        let of_row = sums[(taps.first - params.first_row + k) * params.size.x + within.x];
        lights = sum_of(lights, product_of(of_row, vec4(table[taps.weights + k])));
    }
    if params.by_alpha != 0u {
        let alpha = lights.w;
        if alpha < SIGN && alpha >= VISIBLE {
            lights = vec4(quotient_of(lights, vec4(alpha)).xyz, alpha);
        } else {
            lights = vec4(covered_color(place).xyz, select(0u, alpha, is_positive(alpha)));
        }
    }
    store(place.y * params.level_pitch + place.x, lights);
}

// Computes means with sums of 32 bits, if weight_sum · 255 is at most 2^16; for two even sides, weight_sum is
// 4. Sums are at most weight_sum · 255 · 65535, and divisors are at most weight_sum · 255. A sum plus half a
// divisor is therefore below 2^32.
// needs: mip_params.wgsl, mip.wgsl

fn sum(columns: Taps, rows: Taps, corner: vec2<u32>, by_alpha: bool) -> vec4<u32> {
    var total = vec4(0u);
    for (var y = 0u; y < rows.count; y++) {
        for (var x = 0u; x < columns.count; x++) {
            total += weight(rows, y) * weight(columns, x) * summand(corner + vec2(x, y), by_alpha);
        }
    }
    return total;
}

fn mean(columns: Taps, rows: Taps, corner: vec2<u32>) -> vec4<u32> {
    var by_alpha = params.by_alpha != 0u;
    var sums: vec4<u32>;
    loop {
        sums = sum(columns, rows, corner, by_alpha);
        if !by_alpha || sums.w != 0u {
            break;
        }
        by_alpha = false;
    }
    let weight_sum = params.weight_sum.x;
    let divisor = vec4(vec3(select(weight_sum, sums.w, by_alpha)), weight_sum);
    return (sums + divisor / 2u) / divisor;
}

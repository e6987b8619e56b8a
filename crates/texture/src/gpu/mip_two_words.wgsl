// Computes means with sums of 64 bits. An image has at most 2^40 texels, and weight_sum is not larger: its
// factors are 2 for an even side, 1 for a side of 1, else the side. Sums are therefore at most 2^40 · 255 ·
// 65535 = 2^64 - 65791 · 2^40, and divisors at most 2^40 · 255. A sum plus half a divisor does not overflow.
// needs: mip_params.wgsl, mip.wgsl, words.wgsl

fn sum(columns: Taps, rows: Taps, corner: vec2<u32>, by_alpha: bool) -> Wide {
    let zero = Wide(vec4(0u), vec4(0u));
    var total = zero;
    for (var y = 0u; y < rows.count; y++) {
        var of_row = zero;
        for (var x = 0u; x < columns.count; x++) {
            let value = Wide(summand(corner + vec2(x, y), by_alpha), vec4(0u));
            of_row = plus(of_row, times(value, vec4(weight(columns, x))));
        }
        total = plus(total, times(of_row, vec4(weight(rows, y))));
    }
    return total;
}

fn to_float(a: Wide) -> vec4<f32> {
    return vec4<f32>(a.high) * 4294967296.0 + vec4<f32>(a.low);
}

// Returns dividend / divisor, rounded to nearest, halves up, if it is below 2^16. The error of the floats is
// less than 2^-20 of the quotient, so the quotient is off by at most one. The remainder shows this: its
// absolute value is at most two divisors, below 2^50.
fn divide(dividend: Wide, divisor: Wide) -> vec4<u32> {
    let half = Wide((divisor.low >> vec4(1u)) | (divisor.high << vec4(31u)), divisor.high >> vec4(1u));
    let rounded = plus(dividend, half);
    let quotient = vec4<u32>(to_float(rounded) / to_float(divisor));
    let rest = minus(rounded, times(divisor, quotient));
    // The highest bit is the sign.
    let too_large = rest.high >> vec4(31u);
    let too_small = vec4(1u) - (minus(rest, divisor).high >> vec4(31u));
    return quotient - too_large + too_small;
}

fn mean(columns: Taps, rows: Taps, corner: vec2<u32>) -> vec4<u32> {
    var by_alpha = params.by_alpha != 0u;
    var sums: Wide;
    loop {
        sums = sum(columns, rows, corner, by_alpha);
        if !by_alpha || (sums.low.w | sums.high.w) != 0u {
            break;
        }
        by_alpha = false;
    }
    var divisor = Wide(vec4(params.weight_sum.x), vec4(params.weight_sum.y));
    if by_alpha {
        divisor = Wide(vec4(sums.low.www, divisor.low.w), vec4(sums.high.www, divisor.high.w));
    }
    return divide(sums, divisor);
}

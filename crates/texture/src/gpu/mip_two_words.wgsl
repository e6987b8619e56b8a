// Means by sums of 64 bits. An image has at most 2^40 texels, and weight_sum is no more: 2 for an even side, 1 for a side
// of 1, else the side. So sums are at most 2^40 · 255 · 65535 = 2^64 - 65791 · 2^40, divisors at most 2^40 · 255, and
// adding half of one to the other overflows nothing.

// Four integers of two words.
struct Wide {
    low: vec4<u32>,
    high: vec4<u32>,
}

fn plus(a: Wide, b: Wide) -> Wide {
    let low = a.low + b.low;
    return Wide(low, a.high + b.high + vec4<u32>(low < a.low));
}

fn minus(a: Wide, b: Wide) -> Wide {
    return Wide(a.low - b.low, a.high - b.high - vec4<u32>(a.low < b.low));
}

fn times(a: Wide, b: vec4<u32>) -> Wide {
    let half = vec4(16u);
    let mask = vec4(65535u);
    let a0 = a.low & mask;
    let a1 = a.low >> half;
    let b0 = b & mask;
    let b1 = b >> half;
    let p01 = a0 * b1;
    let p10 = a1 * b0;
    let middle = ((a0 * b0) >> half) + (p01 & mask) + (p10 & mask);
    return Wide(a.low * b, a1 * b1 + (p01 >> half) + (p10 >> half) + (middle >> half) + a.high * b);
}

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

// dividend / divisor, rounded to nearest, halves up, below 2^16. The floats are off by less than 2^-20 of the quotient,
// so that it is off by one at most, which the rest tells: it lies within two divisors, below 2^50.
fn divide(dividend: Wide, divisor: Wide) -> vec4<u32> {
    let half = Wide(divisor.low >> vec4(1u) | divisor.high << vec4(31u), divisor.high >> vec4(1u));
    let rounded = plus(dividend, half);
    let quotient = vec4<u32>(to_float(rounded) / to_float(divisor));
    let rest = minus(rounded, times(divisor, quotient));
    // The sign is the highest bit.
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

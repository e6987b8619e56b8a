// Computes 16-bit texels of the next mip level (half floats if HALF is 1), each the mean of the texels that
// it covers. One thread per texel. The result is the same as in mips/wide.rs, with the same integers. The
// kernel contains source_wide.wgsl and put_wide.wgsl.
// needs: mip_params.wgsl, words.wgsl

// Texels of a side that a texel covers: `count` texels and their weights in 2048ths.
struct Taps {
    count: u32,
    weights: vec3<u32>,
}

// Returns 2048 · share / side, rounded to nearest, computed bit by bit.
fn share_of(share: u32, side: u32) -> u32 {
    var quotient = 0u;
    var rest = share;
    for (var bit = 0u; bit < 11u; bit++) {
        let left = side - rest;
        let is_over = rest >= left;
        rest = select(2u * rest, rest - left, is_over);
        quotient = 2u * quotient + select(0u, 1u, is_over);
    }
    return quotient + select(0u, 1u, rest >= side - rest);
}

fn taps(index: u32, side: u32) -> Taps {
    if side == 1u {
        return Taps(1u, vec3(2048u, 0u, 0u));
    }
    if (side & 1u) == 0u {
        return Taps(2u, vec3(1024u, 1024u, 0u));
    }
    let first = share_of(side / 2u - index, side);
    let last = share_of(index + 1u, side);
    return Taps(3u, vec3(first, 2048u - first - last, last));
}

fn weight(of_taps: Taps, at: u32) -> u32 {
    return select(select(of_taps.weights.z, of_taps.weights.y, at == 1u), of_taps.weights.x, at == 0u);
}

fn negative(a: Wide) -> Wide {
    return minus(Wide(vec4(0u), vec4(0u)), a);
}

fn select_wide(a: Wide, b: Wide, condition: vec4<bool>) -> Wide {
    return Wide(select(a.low, b.low, condition), select(a.high, b.high, condition));
}

// Converts channels to fixed-point numbers: half floats in 2^-24ths, infinity as 65504, NaN as 0.
fn fixed(texel: vec4<u32>) -> Wide {
    if HALF == 0u {
        return Wide(texel, vec4(0u));
    }
    let exponent = (texel >> vec4(10u)) & vec4(31u);
    let fraction = texel & vec4(0x3ffu);
    let whole = fraction + select(vec4(0u), vec4(0x400u), exponent > vec4(0u));
    let special = select(vec4(0x7ffu), vec4(0u), fraction > vec4(0u));
    let digits = select(whole, special, exponent == vec4(31u));
    let shift = min(max(exponent, vec4(1u)), vec4(30u)) - vec4(1u);
    // The first shift is by at most 16, the second by the rest, so that no shift is by 32.
    let first = min(shift, vec4(16u));
    let shifted = digits << first;
    let rest = shift - first;
    let low = shifted << rest;
    let high = (shifted >> vec4(16u)) >> (vec4(16u) - rest);
    let magnitude = Wide(low, high);
    return select_wide(magnitude, negative(magnitude), (texel & vec4(0x8000u)) != vec4(0u));
}

// Converts a sum of weighted fixed-point numbers to the nearest half float, ties to even.
fn half_of_sum(low: u32, high: u32, sign: u32) -> u32 {
    let width = select(32u - countLeadingZeros(low), 64u - countLeadingZeros(high), high > 0u);
    // The result has eleven bits, or those from 2^-24 on. The 22 bits of weights are removed.
    let shift = max(max(width, 11u) - 11u, 22u);
    var quotient: u32;
    var half_bit: u32;
    var is_sticky: bool;
    if shift < 32u {
        quotient = (low >> shift) | (high << (32u - shift));
        half_bit = (low >> (shift - 1u)) & 1u;
        is_sticky = (low & ((1u << (shift - 1u)) - 1u)) != 0u;
    } else if shift == 32u {
        quotient = high;
        half_bit = low >> 31u;
        is_sticky = (low & 0x7fffffffu) != 0u;
    } else {
        quotient = high >> (shift - 32u);
        half_bit = (high >> (shift - 33u)) & 1u;
        is_sticky = low != 0u || (high & ((1u << (shift - 33u)) - 1u)) != 0u;
    }
    let is_up = half_bit == 1u && (is_sticky || (quotient & 1u) == 1u);
    return (((shift - 22u) << 10u) + quotient + select(0u, 1u, is_up)) | (sign << 15u);
}

fn rounded(sum: Wide) -> vec4<u32> {
    if HALF == 0u {
        let half = plus(sum, Wide(vec4(1u << 21u), vec4(0u)));
        return (half.low >> vec4(22u)) | (half.high << vec4(10u));
    }
    let sign = sum.high >> vec4(31u);
    let magnitude = select_wide(sum, negative(sum), sign == vec4(1u));
    var texel: vec4<u32>;
    for (var c = 0u; c < 4u; c++) {
        texel[c] = half_of_sum(magnitude.low[c], magnitude.high[c], sign[c]);
    }
    return texel;
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
    let place = vec2(at % params.size.x, at / params.size.x);
    let columns = taps(params.first.x + place.x, params.side.x);
    let rows = taps(params.first.y + place.y, params.side.y);
    let corner = 2u * place;
    var sum = Wide(vec4(0u), vec4(0u));
    for (var y = 0u; y < rows.count; y++) {
        for (var x = 0u; x < columns.count; x++) {
            let share = weight(rows, y) * weight(columns, x);
            sum = plus(sum, times(fixed(texel_at(corner + vec2(x, y))), vec4(share)));
        }
    }
    put(at, rounded(sum));
}

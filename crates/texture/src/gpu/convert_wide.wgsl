// Converts numbers to 16-bit channels, as texel.rs does: half floats if HALF is 1, else integers.
// needs: convert.wgsl

// Returns `value / greatest`, where `greatest` is 255 or 65535.
fn wide_of_integer(value: u32, greatest: u32) -> u32 {
    if HALF == 1u {
        return half_of_ratio(value, greatest);
    }
    return value * (65535u / greatest);
}

fn wide_of_single(bits: u32) -> u32 {
    if HALF == 1u {
        return half_of_single(bits);
    }
    return of_single(bits, 65535.0);
}

// Returns `value / greatest` as a half float, rounded to nearest. The quotient times 2^shift has 11 bits, or
// fewer if it is subnormal. Divisors are odd, so there are no ties.
fn half_of_ratio(value: u32, greatest: u32) -> u32 {
    var shift = 10u;
    while shift < 24u && (value << shift) < (greatest << 10u) {
        shift++;
    }
    let quotient = ((value << shift) + greatest / 2u) / greatest;
    return ((24u - shift) << 10u) + quotient;
}

// Converts a float to a half float, rounded to nearest, ties to even. It uses integers, because pack2x16float
// may round either way.
fn half_of_single(bits: u32) -> u32 {
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if magnitude > 0x7f800000u {
        return sign | 0x7e00u | ((magnitude >> 13u) & 0x3ffu);
    }
    // 2^16 and more.
    if magnitude >= 0x47800000u {
        return sign | 0x7c00u;
    }
    // 2^-14 and more: the exponent's bias goes from 127 to 15.
    if magnitude >= 0x38800000u {
        let value = magnitude - 0x38000000u;
        return sign | ((value + 0xfffu + ((value >> 13u) & 1u)) >> 13u);
    }
    // Everything below 2^-25 is 0.
    let exponent = magnitude >> 23u;
    if exponent < 102u {
        return sign;
    }
    let shift = 126u - exponent;
    let fraction = (magnitude & 0x7fffffu) | 0x800000u;
    let quotient = fraction >> shift;
    let rest = fraction & ((1u << shift) - 1u);
    let half = 1u << (shift - 1u);
    let is_up = rest > half || (rest == half && (quotient & 1u) == 1u);
    return sign | (quotient + select(0u, 1u, is_up));
}

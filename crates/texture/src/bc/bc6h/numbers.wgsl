// Arithmetic whose every result is rounded as on the CPU. The kernel has `params` with `zero`.
// needs: ../numbers.wgsl

fn keep3(x: vec3<f32>) -> vec3<f32> {
    return bitcast<vec3<f32>>(bitcast<vec3<u32>>(x) ^ vec3(params.zero));
}

// Returns the scalar product, each term and sum rounded in turn.
fn dot3(a: vec3<f32>, b: vec3<f32>) -> f32 {
    let terms = keep3(a * b);
    return keep(keep(terms.x + terms.y) + terms.z);
}

// Returns the fraction of a float, of 24 bits.
fn fraction_of(x: f32) -> u32 {
    return (bitcast<u32>(x) & 0x7fffffu) | 0x800000u;
}

// Returns a / b for b > 0, correctly rounded; 0 if that is below the smallest normal number. The quotients of
// GPUs may be off by several units in the last place.
fn quotient(a: f32, b: f32) -> f32 {
    return corrected_quotient(a, b, 1.0 / f32(fraction_of(b)));
}

// Returns a / b, given an estimate of 1 / `fraction_of(b)`.
fn corrected_quotient(a: f32, b: f32, inverse: f32) -> f32 {
    let of_a = fraction_of(a);
    let of_b = fraction_of(b);
    // With this shift, the quotient of the fractions has 24 bits.
    let shift = select(24u, 23u, of_a >= of_b);
    var fraction = u32(f32(of_a) * inverse * f32(1u << shift));
    // The remainder is small, so the lower 32 bits of both numbers are enough. No quotient is half-way
    // between two floats.
    var rest = bitcast<i32>((of_a << shift) - fraction * of_b);
    let missing = i32(round(f32(rest) * inverse));
    fraction += bitcast<u32>(missing);
    rest = 2 * (rest - missing * i32(of_b));
    fraction += select(0u, 1u, rest > i32(of_b));
    fraction -= select(0u, 1u, rest < -i32(of_b));
    let exponent_of_a = i32(extractBits(bitcast<u32>(a), 23u, 8u));
    let exponent = exponent_of_a - i32(bitcast<u32>(b) >> 23u) + 150 - i32(shift);
    let bits = (bitcast<u32>(a) & 0x80000000u) | (bitcast<u32>(exponent) << 23u) | (fraction & 0x7fffffu);
    return select(bitcast<f32>(bits), 0.0, exponent_of_a == 0 || exponent <= 0);
}

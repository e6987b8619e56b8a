// Logarithmic levels of halves (level.rs).
// needs: numbers.wgsl

// Returns the numbers of halves' magnitudes, which are integers.
fn numbers_of(magnitude: vec3<f32>) -> vec3<f32> {
    let normal = bitcast<vec3<f32>>((vec3<u32>(magnitude) << vec3(13u)) + vec3(112u << 23u));
    return select(normal, magnitude * SUBNORMAL_STEP, magnitude < vec3(NORMAL));
}

// Returns the levels of halves. Each product and sum is rounded in turn.
fn level_of(halves: vec3<f32>) -> vec3<f32> {
    let more = bitcast<vec3<u32>>(keep3(numbers_of(abs(halves)) + 1.0));
    let exponent = vec3<f32>(vec3<i32>(more >> vec3(23u)) - vec3(127));
    let z = bitcast<vec3<f32>>((more & vec3(0x7fffffu)) | vec3(127u << 23u)) - 1.0;
    var sum = keep3(keep3(z * COEFFICIENTS[6]) + COEFFICIENTS[5]);
    sum = keep3(keep3(sum * z) + COEFFICIENTS[4]);
    sum = keep3(keep3(sum * z) + COEFFICIENTS[3]);
    sum = keep3(keep3(sum * z) + COEFFICIENTS[2]);
    sum = keep3(keep3(sum * z) + COEFFICIENTS[1]);
    sum = keep3(keep3(sum * z) + COEFFICIENTS[0]);
    let level = keep3(exponent + keep3(sum * z)) * LEVEL_SCALE;
    return select(level, -level, halves < vec3(0.0));
}

// Returns the square of the change of the level from one bit pattern to the next.
fn squared_slope(half: f32) -> f32 {
    let number = numbers_of(vec3(abs(half))).x;
    let of_normal = bitcast<f32>(bitcast<u32>(number) & 0x7f800000u) * (1.0 / 1024.0);
    let step = select(of_normal, SUBNORMAL_STEP, abs(half) < NORMAL);
    let slope = keep(quotient(step, keep(1.0 + number)) * LEVELS_OF_E);
    return keep(slope * slope);
}
